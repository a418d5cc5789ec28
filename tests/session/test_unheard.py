"""When a seat may be given up."""

from __future__ import annotations

from dataclasses import replace

from hocp2p.game.house import Rules
from hocp2p.session.unheard import GIVE_UP_S, Unheard
from hocp2p.table.events import LinkChanged, Refused
from hocp2p.table.snapshot import Clock, SeatInfo, Stage, TableSnapshot

ALL = frozenset({1, 2})


def picture(*unheard: int, may_give_up: frozenset[int] = ALL) -> TableSnapshot:
    """A table of three, as seat 0 sees it; these seats are not heard."""
    seats = tuple(SeatInfo(seat, f"p{seat}", key="5k2m-q7rt", linked=seat not in unheard) for seat in range(3))
    return TableSnapshot(Stage.DEAL, "", "", seats, 0, True, Rules(), may_give_up=may_give_up)


def test_a_seat_is_waited_for_from_when_it_was_not_heard() -> None:
    unheard = Unheard()
    assert unheard.follow(picture(), (), None, 5.0) == frozenset()
    assert unheard.next_s is None
    assert unheard.follow(picture(1), (), None, 10.0) == frozenset()
    assert unheard.next_s == 10.0 + GIVE_UP_S
    assert unheard.follow(picture(1, 2), (), None, 20.0) == frozenset()
    assert unheard.next_s == 10.0 + GIVE_UP_S
    assert unheard.follow(picture(1, 2), (), None, 10.0 + GIVE_UP_S) == {1}
    assert unheard.next_s == 20.0 + GIVE_UP_S


def test_who_is_heard_again_is_waited_for_anew() -> None:
    unheard = Unheard()
    unheard.follow(picture(1), (), None, 0.0)
    unheard.follow(picture(), (), None, GIVE_UP_S - 1)
    assert unheard.follow(picture(1), (), None, GIVE_UP_S) == frozenset()
    assert unheard.follow(picture(1), (), None, 2 * GIVE_UP_S) == {1}


def test_one_who_stalls_may_be_given_up_when_his_time_is_long_over() -> None:
    unheard = Unheard()
    clock = Clock(frozenset({2}), since_s=100.0, turn_s=60.0, banks_s=(120.0, 120.0, 30.0))
    over_s = 100.0 + 60.0 + 30.0 + GIVE_UP_S
    assert unheard.follow(picture(), (), clock, over_s - 1) == frozenset()
    assert unheard.next_s == over_s
    assert unheard.follow(picture(), (), clock, over_s) == {2}


def test_one_whose_table_has_stopped_may_be_given_up_at_once_until_he_is_back() -> None:
    unheard = Unheard()
    assert unheard.follow(picture(1), (Refused(1, "cut-off", "gone on"),), None, 0.0) == {1}
    assert unheard.follow(picture(1), (), None, 1.0) == {1}
    assert unheard.follow(picture(), (LinkChanged(1, True),), None, 2.0) == frozenset()


def test_only_seats_that_the_table_would_give_up() -> None:
    unheard = Unheard()
    unheard.follow(picture(1), (), None, 0.0)
    assert unheard.follow(picture(1, may_give_up=frozenset()), (), None, GIVE_UP_S) == frozenset()
    assert unheard.next_s is None


def test_a_seat_that_is_lost_is_not_waited_for() -> None:
    lost = picture(1)
    lost = replace(lost, seats=(lost.seats[0], replace(lost.seats[1], present=False), lost.seats[2]))
    unheard = Unheard()
    unheard.follow(lost, (), None, 0.0)
    assert unheard.since_s == {}
