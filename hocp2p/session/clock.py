"""How long a seat may think: so much a turn, then a bank for the whole session. Kept by every client for itself.

Time is no input of the game: a clock that runs out makes our own client act for us, and shows who keeps the others
waiting. It runs only where people wait for each other.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from hocp2p.game.state import Phase
from hocp2p.table.snapshot import Clock, Stage, TableSnapshot

TURN_S: Final = 60.0
BANK_S: Final = 120.0
AWAY_S: Final = 5.0  # a turn of ours while we are away


class Timekeeper:
    """Follows the snapshots of one table."""

    def __init__(self) -> None:
        self._turn: Hashable = None
        self._paused: set[int] = set()  # seats whose clock stood still while they were not heard: once a session
        self._unheard: frozenset[int] = frozenset()
        self.clock: Clock | None = None

    def follow(self, snapshot: TableSnapshot, now_s: float) -> Clock | None:
        """The clocks as they stand after a change.

        Args:
            snapshot: the new picture.
            now_s: seconds on a clock that only grows.
        """
        turn = (_turn_of(snapshot), self._pausing(snapshot))
        if turn == self._turn:
            return self.clock
        before, self._turn = self.clock, turn
        banks = (BANK_S,) * len(snapshot.seats)
        if before is not None and len(before.banks_s) == len(banks):
            banks = tuple(before.bank_left_s(seat, now_s) for seat in range(len(banks)))
        awaited = _awaited(snapshot) - self._pausing(snapshot)
        people = sum(seat.bot_level is None for seat in snapshot.seats)
        runs = people > 1 and bool(awaited)
        self.clock = Clock(awaited if runs else frozenset(), now_s, TURN_S, banks)
        return self.clock

    def _pausing(self, snapshot: TableSnapshot) -> frozenset[int]:
        """Seats that are not heard for the first time: their time does not run, since their place is held."""
        unheard = frozenset(info.seat for info in snapshot.seats if not info.linked)
        self._paused |= self._unheard - unheard
        self._unheard = unheard
        return unheard - self._paused


def _turn_of(snapshot: TableSnapshot) -> Hashable:
    """Changes whenever somebody else, or somebody anew, is waited for."""
    moves = None
    if snapshot.view is not None:
        state = snapshot.view.state
        moves = (state.phase, state.stake, state.turn, state.hands, state.auction, state.showdown, state.play)
    return (snapshot.stage, snapshot.deal, _awaited(snapshot), moves)


def _awaited(snapshot: TableSnapshot) -> frozenset[int]:
    """Seats that the table waits for: the one whose turn it is, or those who are not ready for the next deal."""
    if snapshot.stage is not Stage.DEAL:
        return frozenset()
    if snapshot.view is None:
        return frozenset(seat.seat for seat in snapshot.seats if not seat.ready and seat.present)
    state = snapshot.view.state
    return frozenset() if state.phase is Phase.OVER or state.turn is None else frozenset({state.turn})
