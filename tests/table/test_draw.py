"""The draw of the first dealer: the lowest deals, ties draw again, nobody draws for another."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from hocp2p.crypto.scheme import SeatError
from hocp2p.errors import LocalError, PeerError
from hocp2p.game.cards import DECK, card_of
from hocp2p.table.deck import share_steps, shuffle_order
from hocp2p.table.draw import MAX_DRAWS, DrawSteps, draw_plan
from hocp2p.table.events import CardDrawn, DealerChosen, TableEvent
from hocp2p.wire.messages import DrawnCard, Message
from tests.support.insecure_scheme import InsecureScheme, InsecureSession

BINDING = b"step"


def rigged(seats: int, ranks: list[int]) -> list[DrawSteps]:
    """Draws for which the deck is made, with cards of these ranks at the first positions."""
    left = list(DECK)
    top = [left.pop(next(i for i, card in enumerate(left) if card.rank == rank)) for rank in ranks]
    deck = [card.index for card in top + left]
    steps = []
    for seat in range(seats):
        session = InsecureScheme().join(
            context=b"draw",
            seats=seats,
            seat=seat,
            plan=draw_plan(seats),
            order=shuffle_order(seats, 0),
            randomness=random.Random(seat).randbytes,
        )
        session._deck, session._stage = list(deck), "share_commit"
        steps.append(DrawSteps(session, seats, seat))
    for _ in range(2):
        advance(steps)
    return steps


def say_all(steps: list[DrawSteps]) -> dict[int, Message]:
    present = steps[0].present
    assert present is not None
    said: dict[int, Message] = {}
    for seat in present.speakers:
        step = steps[seat].present
        assert step is not None
        message = step.speak(BINDING)
        assert message is not None
        said[seat] = message
    return said


def advance(steps: list[DrawSteps], said: dict[int, Message] | None = None) -> list[TableEvent]:
    """One step, accepted by every seat alike."""
    said = said or say_all(steps)
    presents = [each.present for each in steps]
    (events,) = {tuple(present.accept(BINDING, said)) for present in presents if present is not None}
    for each in steps:
        each.close_step()
    return list(events)


def drawn(events: list[TableEvent]) -> dict[int, int]:
    return {event.seat: event.card.rank for event in events if isinstance(event, CardDrawn)}


def test_the_lowest_deals() -> None:
    steps = rigged(3, [9, 13, 2])
    events = advance(steps)
    assert drawn(events) == {0: 9, 1: 13, 2: 2}
    assert events[-1] == DealerChosen(2)
    assert [each.dealer for each in steps] == [2, 2, 2]
    assert all(each.present is None for each in steps)


def test_the_ace_is_low() -> None:
    assert advance(rigged(2, [1, 2]))[-1] == DealerChosen(0)


def test_those_tied_for_lowest_draw_again_and_only_they() -> None:
    """R-085."""
    steps = rigged(3, [4, 4, 9, 12, 7, 2])
    assert drawn(advance(steps)) == {0: 4, 1: 4, 2: 9}
    present = steps[0].present
    assert present is not None
    assert present.speakers == (0, 1)
    events = advance(steps)
    assert drawn(events) == {0: 12, 1: 7}
    assert events[-1] == DealerChosen(1)


def test_a_tie_above_the_lowest_is_none() -> None:
    assert advance(rigged(3, [5, 9, 9]))[-1] == DealerChosen(0)


def test_every_round_has_cards_and_the_last_one_decides() -> None:
    """Tied in all rounds that the plan has cards for: the first of those tied deals. (R-085.)"""
    ranks = [rank for rank in range(1, MAX_DRAWS + 1) for _ in range(2)]
    steps = rigged(2, ranks)
    for _ in range(MAX_DRAWS - 1):
        assert steps[0].dealer is None
        advance(steps)
    assert advance(steps)[-1] == DealerChosen(0)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_plan_gives_every_round_to_every_seat(seats: int) -> None:
    plan = draw_plan(seats)
    assert [len(plan.positions_of(seat)) for seat in range(seats)] == [MAX_DRAWS] * seats
    assert plan.owners.count(None) == 52 - MAX_DRAWS * seats


@pytest.mark.parametrize("position", [0, 2, 4, 51])
def test_another_position_than_ones_own_in_this_round(position: int) -> None:
    """R-084."""
    steps = rigged(3, [9, 13, 2])
    said = say_all(steps)
    told = said[1]
    assert isinstance(told, DrawnCard)
    present = steps[0].present
    assert present is not None
    with pytest.raises(PeerError) as caught:
        present.accept(BINDING, said | {1: replace(told, position=position)})
    assert (caught.value.seat, caught.value.code) == (1, "wrong-position")


def test_another_face() -> None:
    steps = rigged(3, [9, 13, 2])
    said = say_all(steps)
    told = said[2]
    assert isinstance(told, DrawnCard)
    assert card_of(told.face).rank == 2
    present = steps[0].present
    assert present is not None
    with pytest.raises(SeatError) as caught:
        present.accept(BINDING, said | {2: replace(told, face=told.face ^ 1)})
    assert (caught.value.seat, caught.value.code) == (2, "opening-proof")
    assert steps[0].dealer is None


def test_the_key_of_the_draw_is_erased_when_it_is_over() -> None:
    """R-065."""
    steps = rigged(2, [1, 2])
    advance(steps)
    for each in steps:
        with pytest.raises(LocalError) as caught:
            each.session.open([0], BINDING)
        assert caught.value.code == "erased"


def test_shares_need_the_signed_deck() -> None:
    session: InsecureSession = InsecureScheme().join(
        context=b"draw", seats=2, seat=0, plan=draw_plan(2), order=(0, 1), randomness=random.Random(0).randbytes
    )
    for step in share_steps(0, session, 2):
        with pytest.raises(LocalError):
            step.speak(BINDING)
