"""What a rule-abiding player may do, from his own view, in a stable order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from hocp2p.game.actions import (
    Action,
    Announce,
    Blanche,
    Claim,
    Declare,
    Go,
    Good,
    Held,
    Hold,
    Pass,
    Play,
    Raise,
    Sans,
    Show,
    Stake,
    Stay,
    Unseen,
)
from hocp2p.game.auction import announceable
from hocp2p.game.cards import Card
from hocp2p.game.combinations import Holding, holdings, points
from hocp2p.game.play import play_of
from hocp2p.game.showdown import beats, showdown_of
from hocp2p.game.stakes import auction_of
from hocp2p.game.state import Phase, SeatView


def calls(view: SeatView) -> tuple[Action, ...]:
    """Auction: first what costs least, then every raise, each with every class that may be announced."""
    auction = auction_of(view.state)
    entering = announceable(auction, view.seat, raising=False)
    rising = announceable(auction, view.seat, raising=True)
    found: list[Action] = []
    if auction.opened:
        found += [Good(), *(Stay(announced) for announced in entering)]
    else:
        found += [Pass(), *(Declare(announced) for announced in entering)]
    found += [Raise(by, announced) for by in range(1, view.state.rules.raise_cap + 1) for announced in rising]
    return tuple(found)


def announcements(view: SeatView) -> tuple[Action, ...]:
    """Showdown: what the hand holds and beats the best so far, best first; *good* is always allowed.

    Whole runs, tricons and suits are offered; parts of them could be announced as well.
    """
    found = holdings(auction_of(view.state).stake, view.hand, view.state.rules)
    claims = dict.fromkeys(holding.claim for holding in found if beats(view.state, holding.claim))
    return (*(Announce(claim) for claim in claims), Good())


def shows(view: SeatView) -> tuple[Action, ...]:
    """The winner: the fullest show first, then fewer combinations, down to the announced one alone.

    A lone winner of Sequence or Tricon may take his class unseen, or show any of what he holds. Who cannot show what
    he announced says *good*.
    """
    claim = showdown_of(view.state).claims[view.seat]
    found = holdings(auction_of(view.state).stake, view.hand)
    offered: list[Action] = [Unseen()] if claim is None else []
    positions = {card: position for position, card in view.own.items()}
    for cards in _showable(view, claim, found):
        offered.append(Show(tuple(Held(positions[card], card) for card in cards)))
    return tuple(offered) or (Good(),)


def blanche_answers(view: SeatView) -> tuple[Action, ...]:
    """Carte blanche may be claimed by who was dealt no court."""
    if any(card.is_court for card in view.own.values()):
        return (Go(),)
    return Blanche(), Go()


def moves(view: SeatView) -> tuple[Action, ...]:
    """Play: a lead, or the called rank, or a fixed hoc; *sans* without an ordinary card of the rank.

    Under ``hold_back = fined`` the client also lets its player hold such a card back.
    """
    called = play_of(view.state).called
    hand = zip(view.state.hands[view.seat], view.hand, strict=True)
    if called is None:
        return tuple(Play(position, card) for position, card in hand)
    found: list[Action] = [Play(position, card) for position, card in hand if card.rank == called or card.is_hoc]
    if not any(card.rank == called and not card.is_hoc for card in view.hand):
        found.append(Sans(called))
    elif view.state.rules.hold_back == "fined":
        found.append(Hold(called))
    return tuple(found)


OFFERS = {
    Phase.AUCTION: calls,
    Phase.SHOWDOWN: announcements,
    Phase.SHOW: shows,
    Phase.BLANCHE: blanche_answers,
    Phase.PLAY: moves,
}


def _showable(view: SeatView, claim: Claim | None, found: tuple[Holding, ...]) -> Iterator[tuple[Card, ...]]:
    if auction_of(view.state).stake is Stake.POINT:
        if claim is not None:
            yield from _point_shows(view.hand, claim)
        return
    most = len(found) if view.state.rules.lesser == "on" else 1
    for size in range(min(most, len(found)), 0, -1):
        for chosen in combinations(found, size):
            if claim is None or any(holding.covers(claim) for holding in chosen):
                yield tuple(card for holding in chosen for card in holding.cards)


def _point_shows(hand: Iterable[Card], claim: Claim) -> Iterator[tuple[Card, ...]]:
    """Suits that are the announced point; failing these, parts of a suit that are."""
    suits = points(hand)
    whole = [suit.cards for suit in suits if suit.covers(claim)]
    parts = (part for suit in suits for part in combinations(suit.cards, claim.first))
    yield from whole or (part for part in parts if Holding(Stake.POINT, part).covers(claim))
