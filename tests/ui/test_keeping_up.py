"""The screen's own state beside the picture: what was read stays read, what is open in vain is closed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hocp2p.table.events import TalkSaid
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.keeping_up import kept_up
from hocp2p.ui.local import Local, Page, Question
from hocp2p.ui.pace import Pacer
from hocp2p.ui.presenter import PANEL_FROM_COLS
from tests.ui.scenes import Story

NARROW = PANEL_FROM_COLS - 1


def playing() -> TableSnapshot:
    return Story().now


def test_what_waits_is_counted_and_the_time_is_set() -> None:
    now = playing()
    pacer = Pacer(now, 1.0, 0)
    pacer.push(replace(now, legal=()), ())
    local = kept_up(Local(), pacer, 12.5, NARROW)
    assert (local.waiting, local.turn_waits, local.now_s) == (1, False, 12.5)
    pacer.push(replace(now, legal=now.legal or ("anything",)), ())  # type: ignore[arg-type]
    assert kept_up(local, pacer, 12.5, NARROW).turn_waits


@pytest.mark.parametrize(("cols", "read"), [(NARROW, 1), (PANEL_FROM_COLS, 3)])
def test_talk_is_read_where_its_panel_has_room(cols: int, read: int) -> None:
    now = replace(playing(), events=tuple(TalkSaid(1, text) for text in "abc"))
    assert kept_up(Local(read=1), Pacer(now, 1.0, 0), 0.0, cols).read == read


def test_another_match_begins_with_nothing_read() -> None:
    now = replace(playing(), finished=(), events=())
    local = kept_up(Local(acked=3, read=80), Pacer(now, 1.0, 3), 0.0, NARROW)
    assert (local.acked, local.read) == (0, 0)


def test_who_is_not_heard_is_counted_from_when_it_was_seen() -> None:
    heard = playing()
    seats = tuple(replace(info, linked=info.seat != 1) for info in heard.seats)
    pacer = Pacer(replace(heard, seats=seats), 1.0, 0)
    local = kept_up(Local(), pacer, 10.0, NARROW)
    assert kept_up(local, pacer, 15.0, NARROW).unheard == local.unheard == ((1, 10.0),)
    assert kept_up(local, Pacer(heard, 1.0, 0), 15.0, NARROW).unheard == ()


def test_what_is_open_in_vain_is_closed() -> None:
    """As the table is now, even where that is not shown yet."""
    now = playing()
    pacer = Pacer(now, 1.0, 0)
    pacer.push(replace(now, stage=Stage.STOPPED, legal=()), ())
    local = kept_up(Local(page=Page.RULES, asking=Question.GIVE_UP), pacer, 0.0, NARROW)
    assert (local.page, local.asking) == (Page.TABLE, None)
