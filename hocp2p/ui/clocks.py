"""Time as it is shown: what is left to a seat, and when that changes. Pure: the time is an argument."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil, floor

from hocp2p.table.snapshot import Clock, TableSnapshot
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


def unheard_since(snapshot: TableSnapshot, before: Mapping[int, float], now_s: float) -> dict[int, float]:
    """By seat that is not heard, since when; ``before``: what the last call gave."""
    unheard = [info.seat for info in snapshot.seats if info.key and info.present and not info.linked]
    return {seat: before.get(seat, now_s) for seat in unheard}


def away_time(unheard: Iterable[tuple[int, float]], seat: int, now_s: float | None) -> str:
    """``0:20``: how long a seat has not been heard; empty where it is, or nobody counts."""
    since_s = dict(unheard).get(seat)
    return format_time(floor(now_s - since_s)) if since_s is not None and now_s is not None else ""


def times_away(unheard: tuple[tuple[int, float], ...], now_s: float | None) -> tuple[str, ...]:
    """Of all seats that are not heard."""
    return tuple(away_time(unheard, seat, now_s) for seat, _since_s in unheard)


def next_away_s(unheard: Iterable[tuple[int, float]], now_s: float) -> float | None:
    """How long until one of these times is another; None where all are heard."""
    return min((1.0 - (now_s - since_s) % 1.0 + 0.01 for _seat, since_s in unheard), default=None)


def format_time(left_s: float) -> str:
    """``1:05``; a part of a second counts as a whole one."""
    minutes, seconds = divmod(ceil(left_s), 60)
    return f"{minutes}:{seconds:02d}"
