"""From ``hocp2p.game`` to the engine: seats and places, hands, whole states.

A seat's view does not say what the others hold. Whoever turns it into an engine state supplies their hidden cards, the
same everywhere here: ``hidden`` gives, by seat, the mask of those cards still in that hand that nobody has shown. What
was shown and the view's own hand are taken from the view, so the entry of its own seat counts for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from hocp2p.errors import RuleError
from hocp2p.game.cards import DECK
from hocp2p.game.events import Source
from hocp2p.game.house import FINE
from hocp2p.game.payments import SOURCES
from hocp2p.game.play import HOC_PAY
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.players.engine import codes
from hocp2p.players.engine.coding import number_of_class
from hocp2p.players.engine.deal import Deal
from hocp2p.players.engine.house import NOT_IN, House
from hocp2p.players.engine.masks import CLASS_OF, UNITS, count_of, mask_of
from hocp2p.players.engine.places import NOBODY, set_of
from hocp2p.players.engine.play import Play
from hocp2p.players.engine.stakes import PLAY, STAKES, Stakes

T = TypeVar("T")

_PHASES: Final = tuple(Phase)


def place_of(state: DealState, seat: int) -> int:
    """Closeness to eldest: 0 for eldest."""
    return (seat - state.eldest) % state.seats


def seat_of(state: DealState, place: int) -> int:
    """The inverse of :func:`place_of`."""
    return (place + state.eldest) % state.seats


def by_place(state: DealState, values: Sequence[T]) -> list[T]:
    """Turns what stands by seat to places."""
    return [values[seat] for seat in state.turn_order]


def by_seat(state: DealState, values: Sequence[T]) -> list[T]:
    """Turns what stands by place to seats."""
    return [values[place_of(state, seat)] for seat in range(state.seats)]


def hand_of(view: SeatView) -> int:
    """The mask of the view's own cards in hand."""
    return mask_of(view.hand)


def known_in_hand(state: DealState, seat: int) -> int:
    """The mask of the cards that everybody knows to be in the hand of ``seat``: shown, and not played."""
    faces = state.faces()
    return mask_of(faces[position] for position in state.hands[seat] if position in faces)


def hidden_cards(view: SeatView) -> int:
    """The mask of the cards that the view's seat has not seen: in other hands, or asleep."""
    seen = {*view.own.values(), *(card for _, card in view.state.opened)}
    return mask_of(card for card in DECK if card not in seen)


def hands_of(view: SeatView, hidden: Mapping[int, int] | Sequence[int]) -> list[int]:
    """By place, the masks of all hands, with the ``hidden`` cards of the other seats.

    Raises:
        RuleError: ``bad-hands`` unless the cards are as many as each hand holds, and none lies in two hands.
    """
    state = view.state
    masks = []
    for seat in state.turn_order:
        mask = hand_of(view) if seat == view.seat else hidden[seat] | known_in_hand(state, seat)
        if mask.bit_count() != len(state.hands[seat]):
            raise RuleError("bad-hands", f"seat {seat} holds {len(state.hands[seat])} cards, not {mask.bit_count()}")
        masks.append(mask)
    if sum(mask.bit_count() for mask in masks) != sum_of(masks).bit_count():
        raise RuleError("bad-hands", "a card lies in two hands")
    return masks


def sum_of(masks: Sequence[int]) -> int:
    """All cards that lie in any of the masks."""
    together = 0
    for mask in masks:
        together |= mask
    return together


def deal_of(view: SeatView, hidden: Mapping[int, int] | Sequence[int]) -> Deal:
    """The deal as it stands. Its figures so far are those of the view. Raises RuleError as :func:`hands_of`, and
    ``not-your-turn`` when the deal is over.
    """
    return deal_of_state(view.state, hands_of(view, hidden))


def deal_of_state(state: DealState, hands: Sequence[int]) -> Deal:
    """The same from all hands: masks by place of the cards still held."""
    if state.turn is None:
        raise RuleError("not-your-turn", "the deal is over")
    stakes = _stakes_of(state, hands)
    return Deal(stakes, _play_of(state, stakes.house, hands) if stakes.phase == PLAY else None, hands)


def _bits(state: DealState, flags: Sequence[object]) -> int:
    """The places at which what stands by seat is true."""
    return set_of(by_place(state, flags))


def _line(state: DealState, source: Source) -> list[int]:
    return by_place(state, state.pay[SOURCES.index(source)])


def _stakes_of(state: DealState, hands: Sequence[int]) -> Stakes:
    gone = _bits(state, [seat in state.gone for seat in range(state.seats)])
    doubled = sum(1 << stake for stake in state.doubled)
    stakes = Stakes(House.of(state.rules, state.seats), hands, (0, 0, 0), doubled, gone)
    stakes.phase = _PHASES.index(state.phase)
    stakes.turn = place_of(state, state.turn) if state.turn is not None else NOBODY
    stakes.pools = list(state.pools)
    stakes.pay = [amount for line in SOURCES[:STAKES] for amount in _line(state, line)]
    stakes.passed = sum(1 << stake for stake in state.passed)
    stakes.false = [0] * state.seats
    if state.phase is not Phase.PLAY:
        stakes.false = [-amount // FINE for amount in _line(state, Source.FINES)]
    stakes.stake = STAKES if state.stake is None else state.stake
    if state.auction is not None:
        auction = state.auction
        stakes.opened = auction.opened
        stakes.level = auction.level
        stakes.paid = by_place(state, auction.paid)
        stakes.spoken = _bits(state, auction.spoken)
        stakes.out = _bits(state, auction.out)
        entered = by_place(state, auction.entered)
        numbers = [number_of_class(announced) for announced in by_place(state, auction.announced)]
        stakes.announced = [number if inside else NOT_IN for number, inside in zip(numbers, entered, strict=True)]
    if state.showdown is not None:
        showdown = state.showdown
        stakes.contestants = sum(1 << place_of(state, seat) for seat in showdown.contestants)
        claims = by_place(state, showdown.claims)
        stakes.claims = [0 if claim is None else codes.code_of(claim.first, claim.second) for claim in claims]
        stakes.spoken = _bits(state, showdown.spoken)
    if state.auction is None:
        stakes.spoken = _bits(state, [answer is not None for answer in state.blanche])
    stakes.blanche = _bits(state, state.blanche)
    return stakes


def _play_of(state: DealState, house: House, hands: Sequence[int]) -> Play:
    counts = [count_of(mask) for mask in hands]
    gone = _bits(state, [seat in state.gone for seat in range(state.seats)])
    play = Play(counts, hold_back=house.hold_back, fortuitous=house.fortuitous, gone=gone)
    now = state.play
    if now is None or state.turn is None:
        return play
    play.turn = place_of(state, state.turn)
    play.called = now.called or 0
    play.last = place_of(state, now.run[-1].seat) if now.run else NOBODY
    play.due = now.hoc_due
    play.sans = [sum(1 << rank for rank in ranks) for ranks in by_place(state, now.sans)]
    cards = [played.card for run in (*now.closed, now.run) for played in run]
    play.played = sum(UNITS[CLASS_OF[card.index]] for card in cards)
    brought = _line(state, Source.HOCS)
    play.hocs = [(amount - min(brought)) // (HOC_PAY * state.seats) for amount in brought]
    play.fines = [-amount // FINE for amount in _line(state, Source.FINES)]
    return play
