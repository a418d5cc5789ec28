"""Random decks, random actions and deals played out at random: for rollouts, training and measuring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hocp2p.game.cards import DECK_SIZE
from hocp2p.players.engine.deal import Deal
from hocp2p.players.engine.house import House
from hocp2p.players.engine.masks import count_of
from hocp2p.players.engine.play import Play
from hocp2p.players.engine.stakes import PLAY, Stakes
from hocp2p.players.player import Rng

_POSITIONS: Final = range(DECK_SIZE)


def random_deck(rng: Rng) -> list[int]:
    """Card indices in random order: faster than to shuffle them."""
    draw = rng.random
    keys = [draw() for _ in _POSITIONS]
    return sorted(_POSITIONS, key=keys.__getitem__)


def random_deal(house: House, rng: Rng, carry: Sequence[int] = (0, 0, 0), doubled: int = 0) -> Deal:
    """A new deal of a random deck, the antes in."""
    return Deal.of(house, random_deck(rng), carry, doubled)


def random_play(house: House, rng: Rng) -> Play:
    """A new deal that begins with the play."""
    hands = random_deal(house, rng).hands
    return Play([count_of(hand) for hand in hands], hold_back=house.hold_back, fortuitous=house.fortuitous)


def decide_stakes(stakes: Stakes, rng: Rng) -> None:
    """The first phase to its end, at random: first a kind of action, then one of the kind, so that auctions end."""
    draw = rng.random
    while stakes.phase < PLAY:
        kinds = stakes.kinds()
        actions = kinds[0] if len(kinds) == 1 else kinds[int(draw() * len(kinds))]
        stakes.apply(actions[0] if len(actions) == 1 else actions[int(draw() * len(actions))])


def play_out(play: Play, rng: Rng) -> None:
    """The play to its end, every class of card that is legal being as likely."""
    draw = rng.random
    legal, apply = play.legal, play.apply
    while play.turn >= 0:
        actions = legal()
        apply(actions[0] if len(actions) == 1 else actions[int(draw() * len(actions))])


def finish(deal: Deal, rng: Rng) -> None:
    """A deal to its end, at random; suits are forgotten when the play begins (``deal.hands`` stays as it was)."""
    if deal.play is None:
        decide_stakes(deal.stakes, rng)
        deal.begin_play()
    if deal.play is not None:
        play_out(deal.play, rng)


def finish_by_card(deal: Deal, rng: Rng) -> None:
    """The same card by card, every card that is legal being as likely; slower by a third."""
    draw = rng.random
    if deal.play is None:
        decide_stakes(deal.stakes, rng)
        deal.begin_play()
    while deal.turn >= 0:
        actions = deal.legal()
        deal.apply(actions[0] if len(actions) == 1 else actions[int(draw() * len(actions))])
