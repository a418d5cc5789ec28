"""Jetons changing hands: balances, pools and the score sheet move together, so that nothing is made or lost.

Throughout ``game`` the inner functions return the new state and append to ``events`` what happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hocp2p.game.actions import Stake
from hocp2p.game.events import Event, Paid, Source
from hocp2p.game.house import FINE
from hocp2p.game.state import DealState

SOURCES: tuple[Source, ...] = tuple(Source)
STAKE_SOURCE: dict[Stake, Source] = {
    Stake.POINT: Source.POINT,
    Stake.SEQUENCE: Source.SEQUENCE,
    Stake.TRICON: Source.TRICON,
}


def change(state: DealState, source: Source, by_seat: Sequence[int]) -> DealState:
    """Adds to balances and to the line of the score sheet. Whatever is not zero in sum the caller moves elsewhere."""
    line = SOURCES.index(source)
    pay = list(state.pay)
    pay[line] = tuple(old + new for old, new in zip(pay[line], by_seat, strict=True))
    balances = tuple(old + new for old, new in zip(state.balances, by_seat, strict=True))
    return replace(state, pay=tuple(pay), balances=balances)


def collect(state: DealState, source: Source, to: int, amount: int, reason: str, events: list[Event]) -> DealState:
    """Every other seat, gone or not, pays ``amount`` to ``to``; eldest pays first."""
    return collect_each(state, source, to, [(amount, reason)] * state.seats, events)


def collect_each(
    state: DealState, source: Source, to: int, dues: Sequence[tuple[int, str]], events: list[Event]
) -> DealState:
    """Every other seat pays ``to`` its own amount, for its own reason; ``dues`` by seat, that of ``to`` is ignored."""
    by_seat = [0] * state.seats
    for seat in state.turn_order:
        amount, reason = dues[seat]
        if seat != to:
            by_seat[seat] -= amount
            by_seat[to] += amount
            events.append(Paid(source, seat, to, amount, reason))
    return change(state, source, by_seat)


def pay_in(state: DealState, stake: Stake, by_seat: Sequence[int]) -> DealState:
    """Jetons from seats into the pool of a stake."""
    state = change(state, STAKE_SOURCE[stake], [-amount for amount in by_seat])
    return _add_to_pool(state, stake, sum(by_seat))


def take_pool(state: DealState, stake: Stake, seat: int) -> DealState:
    """The pool of a stake goes to ``seat``."""
    pool = state.pools[stake]
    state = change(state, STAKE_SOURCE[stake], [pool if other == seat else 0 for other in range(state.seats)])
    return _add_to_pool(state, stake, -pool)


def fine(state: DealState, seat: int, reason: str, events: list[Event]) -> DealState:
    """5 jetons, due to the next deal's Point pool (rule 4)."""
    events.append(Paid(Source.FINES, seat, None, FINE, reason))
    state = change(state, Source.FINES, [-FINE if other == seat else 0 for other in range(state.seats)])
    return replace(state, fines=state.fines + FINE)


def cards_left_due(left: int) -> int:
    """Jetons due to the winner of a deal for ``left`` cards still held: 1 costs 6, 2 cost 8, then 1 or 2 each (3.3)."""
    if left <= 2:
        return (0, 6, 8)[left]
    return left if left < 10 else 2 * left


def _add_to_pool(state: DealState, stake: Stake, amount: int) -> DealState:
    pools = list(state.pools)
    pools[stake] += amount
    return replace(state, pools=(pools[0], pools[1], pools[2]))
