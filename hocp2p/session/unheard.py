"""How long seats have not been heard. They are waited for; then the others may go on without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hocp2p.table.events import LinkChanged, Refused, TableEvent
from hocp2p.table.snapshot import Clock, TableSnapshot

GIVE_UP_S: Final = 90.0  # how long a seat is waited for


class Unheard:
    """Follows the snapshots of one table."""

    def __init__(self) -> None:
        self.since_s: dict[int, float] = {}  # by seat, since when it has not been heard
        self.next_s: float | None = None  # when the next seat may be given up
        self._quit: set[int] = set()  # seats that have said that they go on no more

    def follow(
        self, snapshot: TableSnapshot, events: Sequence[TableEvent], clock: Clock | None, now_s: float
    ) -> frozenset[int]:
        """Seats that may be given up now.

        A seat may be when it has not been heard for ``GIVE_UP_S``; when its turn and its bank have been over for as
        long; or at once, when its program has said that its table has stopped.

        Args:
            snapshot: the new picture; its ``may_give_up`` are those that could be, were the time over.
            events: what has happened since the last.
            clock: who is waited for.
            now_s: seconds on a clock that only grows.
        """
        for event in events:
            if isinstance(event, Refused):
                self._quit.add(event.seat)
            elif isinstance(event, LinkChanged) and event.linked:
                self._quit.discard(event.seat)
        unheard = {info.seat for info in snapshot.seats if info.key and info.present and not info.linked}
        self.since_s = {seat: self.since_s.get(seat, now_s) for seat in unheard}
        due = {seat: self._due_s(seat, clock, now_s) for seat in snapshot.may_give_up}
        later = [at_s for at_s in due.values() if at_s is not None and at_s > now_s]
        self.next_s = min(later, default=None)
        return frozenset(seat for seat, at_s in due.items() if at_s is not None and at_s <= now_s)

    def _due_s(self, seat: int, clock: Clock | None, now_s: float) -> float | None:
        """When the seat may be given up; None: it is heard, and has time left."""
        if seat in self._quit:
            return now_s
        if seat in self.since_s:
            return self.since_s[seat] + GIVE_UP_S
        if clock is not None and seat in clock.awaited:
            return clock.since_s + clock.turn_s + clock.banks_s[seat] + GIVE_UP_S
        return None
