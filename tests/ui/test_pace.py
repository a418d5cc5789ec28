"""One move after the other, never losing or reordering a picture."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from hocp2p.game.actions import Pass, Stake
from hocp2p.game.events import Called, CardsShown, PlayOpened
from hocp2p.game.state import DealOutcome, Phase
from hocp2p.table.events import DealSigned, TableEvent, TalkSaid
from hocp2p.table.snapshot import FinishedDeal, Stage, TableSnapshot
from hocp2p.ui.pace import LONG_FACTOR, OWN_FACTOR, Pacer
from tests.support.fake_client import FakeClient
from tests.ui.scenes import Story

START = FakeClient().snapshot
OUTCOME = DealOutcome({}, (0, 0, 0), (100, 100, 100), (0, 0, 0), frozenset())


def picture(number: int, *, finished: int = 0) -> TableSnapshot:
    view = Story().now.view
    assert view is not None
    deals = tuple(FinishedDeal(one + 1, view.state, OUTCOME, ()) for one in range(finished))
    return replace(START, stage=Stage.DEAL, deal=number, finished=deals, view=view)


def over(snapshot: TableSnapshot) -> TableSnapshot:
    """The same with the deal played out."""
    assert snapshot.view is not None
    return replace(snapshot, view=replace(snapshot.view, state=replace(snapshot.view.state, phase=Phase.OVER)))


def call(seat: int) -> Called:
    return Called(seat, Stake.POINT, Pass(), 0, 0)


def test_the_first_move_is_shown_at_once_and_the_next_after_a_pace() -> None:
    pacer = Pacer(START, 1.0, 0)
    pacer.push(picture(1), (call(1),))
    pacer.push(picture(2), (call(2),))
    assert pacer.advance(10.0)
    assert (pacer.shown.deal, pacer.waiting, pacer.latest.deal) == (1, 1, 2)
    assert pacer.due_in_s(10.25) == 0.75
    assert not pacer.advance(10.9)
    assert pacer.advance(11.0)
    assert (pacer.shown.deal, pacer.due_in_s(11.0)) == (2, None)


def test_what_is_no_move_does_not_keep_the_next_waiting() -> None:
    pacer = Pacer(START, 1.0, 0)
    pacer.push(picture(1), (PlayOpened(1),))
    pacer.push(picture(2), ())
    pacer.push(picture(3), (call(1),))
    pacer.advance(0.0)
    assert pacer.shown.deal == 3


def test_our_own_moves_are_quick_and_shown_cards_stay_longer() -> None:
    for event, factor in ((call(0), OWN_FACTOR), (CardsShown(1, Stake.POINT, ()), LONG_FACTOR)):
        pacer = Pacer(START, 1.0, 0)
        pacer.push(picture(1), (event,))
        pacer.push(picture(2), (call(1),))
        pacer.advance(0.0)
        assert pacer.due_in_s(0.0) == factor


def test_our_own_move_is_shown_at_once_but_the_next_of_ours_after_a_moment() -> None:
    pacer = Pacer(START, 1.0, 0)
    pacer.push(picture(1), (call(1),))
    pacer.advance(0.0)
    pacer.push(picture(2), (call(0),))
    pacer.push(picture(3), (call(0),))
    assert pacer.advance(0.1)
    assert pacer.shown.deal == 2
    assert not pacer.advance(0.2)
    assert pacer.advance(0.1 + OWN_FACTOR)


def test_skipping_shows_the_latest() -> None:
    pacer = Pacer(START, 1.0, 0)
    for number in range(1, 6):
        pacer.push(picture(number), (call(1),))
    pacer.skip()
    assert (pacer.shown.deal, pacer.waiting) == (5, 0)
    pacer.push(picture(6), (call(1),))
    pacer.advance(0.0)
    assert pacer.shown.deal == 6


def test_a_settlement_holds_everything_until_it_is_read() -> None:
    pacer = Pacer(START, 1.0, 0)
    pacer.push(picture(1, finished=1), (DealSigned(1, OUTCOME),))
    pacer.advance(0.0)
    pacer.push(over(picture(1, finished=1)), (TalkSaid(1, "well played"),))
    pacer.advance(0.0)
    assert pacer.waiting == 0  # talk goes on meanwhile
    pacer.push(picture(2, finished=1), (call(1),))
    pacer.advance(0.0)
    pacer.skip()
    assert not pacer.advance(100.0)
    assert (pacer.shown.deal, pacer.due_in_s(100.0), pacer.latest.deal) == (1, None, 2)
    pacer.acknowledge(1)
    assert pacer.advance(100.0)
    assert pacer.shown.deal == 2


def test_a_settlement_is_read_before_the_next_deck_is_shuffled_or_another_match_begins() -> None:
    for coming in (replace(over(picture(2, finished=1)), stage=Stage.DEALING), replace(START, deal=2)):
        pacer = Pacer(START, 0.0, 0)
        pacer.push(picture(1, finished=1), (DealSigned(1, OUTCOME),))
        pacer.push(coming, ())
        pacer.advance(0.0)
        assert pacer.shown.deal == 1
        pacer.acknowledge(1)
        pacer.advance(0.0)
        assert pacer.shown.deal == 2


def test_without_a_pace_everything_is_shown_at_once() -> None:
    pacer = Pacer(START, 0.0, 0)
    for number in range(1, 6):
        pacer.push(picture(number), (call(1),))
    pacer.advance(0.0)
    assert pacer.waiting == 0


@given(steps=st.lists(st.one_of(st.none(), st.floats(0, 3)), max_size=60), pace_s=st.floats(0, 2))
def test_pictures_come_in_order_and_the_last_one_comes(steps: list[float | None], pace_s: float) -> None:
    """None: something happens; a number: so many seconds go by."""
    pacer = Pacer(START, pace_s, 0)
    shown: list[int] = []
    now_s, number = 0.0, 0
    for step in steps:
        if step is None:
            number += 1
            event: TableEvent = call(number % 3)
            pacer.push(replace(START, deal=number), (event,))
        else:
            now_s += step
            pacer.advance(now_s)
            shown.append(pacer.shown.deal)
    pacer.advance(now_s)
    while pacer.waiting:
        due_s = pacer.due_in_s(now_s)
        assert due_s is not None
        now_s += due_s + 1e-6
        assert pacer.advance(now_s)
    assert shown == sorted(shown)
    assert pacer.shown.deal == number
