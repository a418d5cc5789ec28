"""Time as it is shown: what is left to a seat, and when that changes. Pure: the time is an argument."""

from __future__ import annotations

from math import ceil

from hocp2p.table.snapshot import Clock
from hocp2p.ui.lang import _


def time_left(clock: Clock | None, seat: int, now_s: float | None) -> str:
    """``0:48``; with the turn used up ``bank 1:59``; empty while the seat's time does not run."""
    if clock is None or now_s is None or seat not in clock.awaited:
        return ""
    turn_s = clock.turn_left_s(seat, now_s)
    if turn_s > 0:
        return format_time(turn_s)
    return _("bank {time}").format(time=format_time(clock.bank_left_s(seat, now_s)))


def times_left(clock: Clock | None, now_s: float | None) -> tuple[str, ...]:
    """Of all seats whose time runs."""
    return tuple(time_left(clock, seat, now_s) for seat in sorted(clock.awaited)) if clock is not None else ()


def next_second_s(clock: Clock | None, now_s: float) -> float | None:
    """How long until one of the times shown is another; None while no time runs."""
    if clock is None or not clock.awaited:
        return None
    left_s = [clock.turn_left_s(seat, now_s) or clock.bank_left_s(seat, now_s) for seat in clock.awaited]
    return min(left % 1.0 or 1.0 for left in left_s) + 0.01  # not a moment too early


def format_time(left_s: float) -> str:
    """``1:05``; a part of a second counts as a whole one."""
    minutes, seconds = divmod(ceil(left_s), 60)
    return f"{minutes}:{seconds:02d}"
