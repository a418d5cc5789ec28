"""A whole table in memory: players over the game's rules, without cards under seal, wire or clock.

Every action is checked: offered by ``legal_actions``, and true where the real table asks for a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from random import Random

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action
from hocp2p.game.cards import DECK, Card, parse_card
from hocp2p.game.house import START_BALANCE, Rules
from hocp2p.game.match import Closing, start_match
from hocp2p.game.state import DealState, Phase, PlayedCard, PlayState, SeatView
from hocp2p.players.levels import make_player
from hocp2p.players.player import Player

Deck = tuple[Card, ...]
"""Faces by position."""

Watch = Callable[[SeatView, Action], None]

MOST_ACTIONS = 2000
"""No deal is so long; more is a loop."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A session: its division, and its deals as they ended."""

    closing: Closing
    deals: tuple[DealState, ...]


def shuffled(rng: Random) -> Deck:
    """A deck in random order."""
    return tuple(rng.sample(DECK, len(DECK)))


def cards(text: str) -> tuple[Card, ...]:
    """Cards from text, for instance ``"7D TS"``."""
    return tuple(parse_card(word) for word in text.split())


def view_of(state: DealState, seat: int, deck: Deck) -> SeatView:
    """What ``seat`` may know."""
    return SeatView(state, seat, {position: deck[position] for position in state.dealt[seat]})


def act(state: DealState, seat: int, action: Action, deck: Deck) -> DealState:
    """Performs an action after checking that it is offered and true."""
    assert action in game_rules.legal_actions(view_of(state, seat, deck)), f"{action} is not offered"
    proof = game_rules.required_proof(state, seat, action)
    if isinstance(proof, game_rules.Openings):
        assert tuple(deck[position] for position in proof.positions) == proof.cards
    elif isinstance(proof, game_rules.NotHolding):
        assert not {deck[position] for position in proof.positions} & set(proof.cards)
    return game_rules.apply(state, seat, action)[0]


def play_deal(state: DealState, deck: Deck, players: Sequence[Player], watch: Watch | None = None) -> DealState:
    """Goes on from ``state`` until the deal is over. ``watch`` sees every decision."""
    for _ in range(MOST_ACTIONS):
        if state.turn is None:
            break
        seat = state.turn
        view = view_of(state, seat, deck)
        action = players[seat].decide(view)
        if watch is not None:
            watch(view, action)
        state = act(state, seat, action, deck)
    assert state.phase is Phase.OVER, "the deal does not end"
    return state


def play_match(
    rules: Rules, players: Sequence[Player], seed: int, first_dealer: int = 0, watch: Watch | None = None
) -> PlayedMatch:
    """A whole session; ``seed`` shuffles."""
    rng = Random(seed)
    match = start_match(rules, len(players), first_dealer)
    deals = []
    while not match.is_over:
        state = play_deal(match.start_deal()[0], shuffled(rng), players, watch)
        deals.append(state)
        match = match.after(game_rules.outcome(state))
    return PlayedMatch(match.close(), tuple(deals))


def rotated_margin(level: str, other: str, seats: int, deals: int, seed: int) -> float:
    """Jetons a deal by which one ``level`` beats ``other`` in the other seats: each deal is played from every seat."""
    total = 0
    for deal in range(deals):
        deck = shuffled(Random(seed + deal))
        for place in range(seats):
            levels = [level if seat == place else other for seat in range(seats)]
            players = [make_player(name, Random(f"{seed} {deal} {seat}")) for seat, name in enumerate(levels)]
            state, _ = game_rules.start_deal(Rules(deals=6), seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())
            state = play_deal(state, deck, players)
            net = game_rules.outcome(state).net
            total += net[place] - (sum(net) - net[place]) // (seats - 1)
    return total / (deals * seats)


def dealt(hands: Sequence[str], rules: Rules | None = None, dealer: int | None = None) -> tuple[DealState, Deck]:
    """A deal in which the seats hold these cards, the first stake open; unnamed cards fill up the hands in order.

    ``dealer`` is the last seat unless told, so that seat 0 is eldest.
    """
    seats = len(hands)
    dealer = seats - 1 if dealer is None else dealer
    places = game_rules.deal_positions(seats, dealer)
    named = [cards(hand) for hand in hands]
    rest = iter([card for card in DECK if card not in set(chain(*named))])
    faces: dict[int, Card] = {}
    for positions, hand in zip(places, named, strict=True):
        faces |= dict(zip(positions, hand, strict=False))
    deck = tuple(faces[position] if position in faces else next(rest) for position in range(len(DECK)))
    state, _ = game_rules.start_deal(rules or Rules(), seats, dealer, [START_BALANCE] * seats, (0, 0, 0), frozenset())
    return state, deck


def ending(
    hands: Sequence[str],
    *,
    turn: int = 0,
    called: int | None = None,
    last: int | None = None,
    rules: Rules | None = None,
    sans: Sequence[frozenset[int]] | None = None,
) -> tuple[DealState, Deck]:
    """A position in the play: only these cards are left in the hands, the others that were dealt lie open.

    Args:
        hands: by seat, what is left.
        turn: whose turn it is.
        called: the rank called; None: ``turn`` leads.
        last: who played the card before the called rank; the seat before ``turn`` unless told.
        rules: house rules.
        sans: by seat, ranks for which it has said *sans*.
    """
    state, deck = dealt(hands, rules)
    seats = len(hands)
    counts = [len(hand.split()) for hand in hands]
    left = tuple(places[:count] for places, count in zip(state.dealt, counts, strict=True))
    gone = [position for places, count in zip(state.dealt, counts, strict=True) for position in places[count:]]
    run: tuple[PlayedCard, ...] = ()
    if called is not None:
        player = (turn - 1) % seats if last is None else last
        run = (PlayedCard(player, gone[-1], deck[gone[-1]], called - 1),)
    play = PlayState(called, run, (), tuple(sans or (frozenset(),) * seats), refused=0, hoc_due=False)
    state = replace(
        state,
        phase=Phase.PLAY,
        turn=turn,
        hands=left,
        stake=None,
        auction=None,
        opened=tuple((position, deck[position]) for position in gone),
        play=play,
    )
    return state, deck
