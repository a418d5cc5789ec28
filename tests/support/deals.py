"""Deals for tests: from hands written as text, or from a permutation; with short hands; played out by a chooser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from hocp2p.errors import RuleError
from hocp2p.game.actions import Action, Held, Pass, Play, Show, Stake
from hocp2p.game.cards import DECK_SIZE, Card, card_of, parse_card
from hocp2p.game.events import Event, Source
from hocp2p.game.house import DEFAULT_RULES, START_BALANCE, Rules
from hocp2p.game.notation import format_action, parse_action
from hocp2p.game.payments import SOURCES
from hocp2p.game.play import open_play
from hocp2p.game.rules import apply, deal_positions, leave, legal_actions, start_deal
from hocp2p.game.state import DealState, SeatView

NO_CARRY = (0, 0, 0)

Choose = Callable[[SeatView, tuple[Action, ...]], Action]
"""Picks one of the legal actions of a view."""


class Shuffler(Protocol):
    """The part of ``random.Random`` that shuffles a deck."""

    def shuffle(self, x: list[int], /) -> None: ...


@dataclass
class Deal:
    """A deal under way, seen by the test from above: the public state, all dealt faces, all events so far."""

    state: DealState
    faces: dict[int, Card]
    events: list[Event]

    def view(self, seat: int) -> SeatView:
        """What ``seat`` may know."""
        return view_of(self.state, self.faces, seat)

    def legal(self) -> tuple[Action, ...]:
        """What the seat whose turn it is may do; empty when the deal is over."""
        return () if self.state.turn is None else legal_actions(self.view(self.state.turn))

    def do(self, seat: int, action: Action) -> tuple[Event, ...]:
        """Performs an action; raises RuleError and changes nothing when it is not legal."""
        self.state, events = apply(self.state, seat, action)
        self.events += events
        return events

    def leave(self, seat: int) -> tuple[Event, ...]:
        """The seat is lost for good."""
        self.state, events = leave(self.state, seat)
        self.events += events
        return events

    def say(self, *lines: str) -> tuple[Event, ...]:
        """Performs actions written in the notation of RULES 7; the events of all of them."""
        events: list[Event] = []
        where = {card: position for position, card in self.faces.items()}
        for line in lines:
            seat, action = parse_action(line, where, self.state.stake)
            events += self.do(seat, action)
        return tuple(events)

    def may_say(self, *lines: str) -> bool:
        """Whether :meth:`say` would be accepted; changes nothing."""
        try:
            Deal(self.state, self.faces, []).say(*lines)
        except RuleError:
            return False
        return True

    def offers(self) -> list[str]:
        """What the seat whose turn it is may do, in the notation, without the seat."""
        return [format_action(0, action, self.state.stake)[2:] for action in self.legal()]

    def skip_to(self, stake: Stake) -> None:
        """Everybody passes the stakes before ``stake``."""
        while self.state.stake is not None and self.state.stake < stake and self.state.turn is not None:
            self.do(self.state.turn, Pass())

    def pay(self, source: Source) -> tuple[int, ...]:
        """One line of the score sheet, by seat."""
        return self.state.pay[SOURCES.index(source)]

    def playing(self, card: str) -> Play:
        """The action that plays this card from where it lies."""
        held = self.held(card)[0]
        return Play(held.position, held.card)

    def showing(self, cards: str) -> Show:
        """The action that shows these cards from where they lie."""
        return Show(self.held(cards))

    def held(self, cards: str) -> tuple[Held, ...]:
        """Cards written as text, with the positions at which they lie."""
        where = {card: position for position, card in self.faces.items()}
        return tuple(Held(where[card], card) for card in parse_hand(cards))


def parse_hand(text: str) -> list[Card]:
    """``"7D KS"``; cards parted by spaces."""
    return [parse_card(word) for word in text.split()]


def view_of(state: DealState, faces: dict[int, Card], seat: int) -> SeatView:
    """What ``seat`` may know, cut out of all faces."""
    return SeatView(state, seat, {position: faces[position] for position in state.dealt[seat]})


def deal_from_text(
    hands: Sequence[str],
    dealer: int = -1,
    rules: Rules = DEFAULT_RULES,
    *,
    carry: tuple[int, int, int] = NO_CARRY,
    doubled: frozenset[Stake] = frozenset(),
    balances: Sequence[int] | None = None,
    gone: frozenset[int] = frozenset(),
) -> Deal:
    """A deal in the auction of Point. ``hands`` by seat; they may be short. ``dealer`` -1: the last seat."""
    seats = len(hands)
    dealer %= seats
    balances = [START_BALANCE] * seats if balances is None else balances
    state, events = start_deal(rules, seats, dealer, balances, carry, doubled, gone)
    faces: dict[int, Card] = {}
    dealt: list[tuple[int, ...]] = []
    for positions, hand in zip(deal_positions(seats, dealer), map(parse_hand, hands), strict=True):
        if len(hand) > len(positions):
            raise ValueError(f"{len(hand)} cards are too many for one hand of {seats} players")
        dealt.append(positions[: len(hand)])
        faces.update(zip(positions, hand, strict=False))
    if len(set(faces.values())) != len(faces):
        raise ValueError("a card is dealt twice")
    return Deal(replace(state, hands=tuple(dealt), dealt=tuple(dealt)), faces, list(events))


def play_from_text(hands: Sequence[str], dealer: int = -1, rules: Rules = DEFAULT_RULES) -> Deal:
    """A deal in which eldest is about to lead: the stakes were never bid for and the antes lie in the pools."""
    deal = deal_from_text(hands, dealer, rules)
    opened: list[Event] = []
    bare = replace(deal.state, stake=None, auction=None, blanche=(False,) * len(hands))
    return Deal(open_play(bare, opened), deal.faces, [*deal.events, *opened])


def deal_from_permutation(
    permutation: Sequence[int],
    seats: int,
    dealer: int,
    rules: Rules = DEFAULT_RULES,
    *,
    carry: tuple[int, int, int] = NO_CARRY,
    doubled: frozenset[Stake] = frozenset(),
) -> Deal:
    """A whole deal; ``permutation`` gives the face index at each of the 52 positions."""
    state, events = start_deal(rules, seats, dealer, [START_BALANCE] * seats, carry, doubled)
    faces = {position: card_of(permutation[position]) for hand in state.dealt for position in hand}
    return Deal(state, faces, list(events))


def random_deal(
    rng: Shuffler,
    seats: int,
    dealer: int,
    rules: Rules = DEFAULT_RULES,
    *,
    carry: tuple[int, int, int] = NO_CARRY,
    doubled: frozenset[Stake] = frozenset(),
) -> Deal:
    """A whole deal shuffled by ``rng`` (``random.Random(seed)``, or one of hypothesis)."""
    deck = list(range(DECK_SIZE))
    rng.shuffle(deck)
    return deal_from_permutation(deck, seats, dealer, rules, carry=carry, doubled=doubled)


def play_out(
    state: DealState, faces: dict[int, Card], choose: Choose, most: int = 5000
) -> tuple[DealState, tuple[Event, ...]]:
    """Plays a deal to its end; every seat picks with ``choose``. Raises RuntimeError after ``most`` actions."""
    deal = Deal(state, faces, [])
    for _ in range(most):
        if deal.state.turn is None:
            return deal.state, tuple(deal.events)
        seat = deal.state.turn
        deal.do(seat, choose(deal.view(seat), deal.legal()))
    raise RuntimeError(f"the deal has not ended after {most} actions")
