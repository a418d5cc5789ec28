"""Shows what happens one move after the other, never holding up the table. Pure: the time is an argument."""

from __future__ import annotations

from collections import deque
from typing import Final

from hocp2p.game.events import Announced, Called, CardHeldBack, CardPlayed, CardsShown, FalselyAnnounced, SansSaid
from hocp2p.game.state import Phase
from hocp2p.table.events import CardDrawn, DealSigned, TableEvent
from hocp2p.table.snapshot import Stage, TableSnapshot

MOVES: Final = (Announced, Called, CardHeldBack, CardPlayed, CardsShown, CardDrawn, FalselyAnnounced, SansSaid)
LONG: Final = (CardsShown, FalselyAnnounced, CardDrawn)
LONG_FACTOR: Final = 2.5  # cards need more time to be read than calls
OWN_FACTOR: Final = 0.3  # our own moves are no news


class Pacer:
    """Pictures on their way to the screen.

    Args:
        snapshot: shown first.
        pace_s: seconds that a move of another seat stays before the next is shown; 0: everything at once.
        acked: deals whose settlement has been read.
    """

    def __init__(self, snapshot: TableSnapshot, pace_s: float, acked: int) -> None:
        self.shown = snapshot
        self.latest = snapshot
        self._pace_s = pace_s
        self._acked = acked
        self._queue: deque[tuple[TableSnapshot, tuple[TableEvent, ...]]] = deque()
        self._rest_until_s = 0.0
        self._shown_ours = False

    @property
    def waiting(self) -> int:
        """Pictures that are not shown yet."""
        return len(self._queue)

    def push(self, snapshot: TableSnapshot, events: tuple[TableEvent, ...]) -> None:
        """Something happened at the table."""
        self.latest = snapshot
        if not self._queue and not self._shown_ours and _is_ours(events, snapshot.our_seat):
            self._rest_until_s = 0.0  # who has moved has seen enough, and wants to see his move
        self._queue.append((snapshot, events))

    def advance(self, now_s: float) -> bool:
        """Shows what is due; whether anything changed."""
        changed = False
        while self._queue and not self._held and now_s >= self._rest_until_s:
            self._show(now_s)
            changed = True
        return changed

    def skip(self) -> None:
        """Shows everything that waits, up to a settlement."""
        while self._queue and not self._held:
            self._show(0.0)
        self._rest_until_s = 0.0

    def acknowledge(self, acked: int) -> None:
        """The settlements of so many deals have been read."""
        self._acked = acked

    def due_in_s(self, now_s: float) -> float | None:
        """Seconds until the next picture is due; None: nothing waits, or a settlement is being read."""
        if not self._queue or self._held:
            return None
        return max(self._rest_until_s - now_s, 0.0)

    @property
    def _held(self) -> bool:
        """Whether a settlement is being read and the next picture is of another deal."""
        if not self._queue or len(self.shown.finished) <= self._acked:
            return False
        coming, _ = self._queue[0]
        under_way = coming.view is not None and coming.view.state.phase is not Phase.OVER
        return under_way or coming.stage is Stage.DEALING or len(coming.finished) < len(self.shown.finished)

    def _show(self, now_s: float) -> None:
        self.shown, events = self._queue.popleft()
        self._shown_ours = _is_ours(events, self.shown.our_seat)
        self._rest_until_s = now_s + self._pace_s * _weight(events, self._shown_ours)


def _is_ours(events: tuple[TableEvent, ...], our_seat: int | None) -> bool:
    """Whether there are moves among the events, and only ours."""
    seats = {event.seat for event in events if isinstance(event, MOVES)}
    return seats == {our_seat}


def _weight(events: tuple[TableEvent, ...], ours: bool) -> float:
    """How long a picture stays, in paces."""
    moves = [event for event in events if isinstance(event, MOVES)]
    if any(isinstance(event, DealSigned) for event in events) or not moves:
        return 0.0
    if any(isinstance(event, LONG) for event in moves):
        return LONG_FACTOR
    return OWN_FACTOR if ours else 1.0
