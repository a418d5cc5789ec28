"""What a screen holds in its hand: one seat at one table, seen from outside.

Implemented by ``session.runner.SeatRunner``; the two faces of the client know only this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hocp2p.game.actions import Action
from hocp2p.game.house import Rules
from hocp2p.table.events import TableEvent
from hocp2p.table.snapshot import TableSnapshot

Listener = Callable[[TableSnapshot, tuple[TableEvent, ...]], None]


class Client(Protocol):
    """All calls are made on the event loop's thread and return at once; what follows arrives at the listeners."""

    @property
    def snapshot(self) -> TableSnapshot:
        """The latest picture."""

    def listen(self, listener: Listener) -> None:
        """Calls ``listener(snapshot, new events)`` after every change, on the event loop's thread."""

    def ready(self) -> None:
        """Signs the proposal, or is ready for the next deal. Raises LocalError when neither waits."""

    def act(self, action: Action) -> None:
        """Does one of ``snapshot.legal``. Raises LocalError or RuleError, changing nothing, when it is not legal."""

    def say(self, text: str) -> None:
        """Talk, 1 to 300 characters without control characters. Raises LocalError."""

    def show_hand(self) -> None:
        """Shows our hand of the last deal to the table (``snapshot.may_show``). Raises LocalError."""

    def again(self) -> None:
        """We would play another session (``snapshot.may_again``). Raises LocalError."""

    def give_up(self, seat: int) -> None:
        """Votes to go on without a seat (one of ``snapshot.may_give_up``). Raises LocalError ``no-vote``."""

    def wait_for(self, seat: int) -> None:
        """Takes that back. Raises LocalError ``no-vote``."""

    def note(self, event: TableEvent) -> None:
        """Something that our own program has noticed: it goes to the listeners and into the log."""

    def renew_invite(self) -> None:
        """A host's invite is replaced by another, the old one is dead. Raises LocalError where nobody can dial us."""

    def suspend(self) -> None:
        """Goes and keeps the seat; one can come back to it. Before anything was signed that is to leave."""

    def leave(self) -> None:
        """Leaves the table for good; before the end of the session the listeners get a ``TableStopped`` (``left``)."""

    async def closed(self) -> TableSnapshot:
        """Waits for the end: the session was played (ENDED) or the table stopped (STOPPED)."""

    async def gone(self) -> None:
        """Waits until nothing more can come: we have left, the table stopped, or after the session the host left."""


class HostClient(Client, Protocol):
    """The host's seat: what he can do while ``snapshot.may_manage``. All raise LocalError when he cannot."""

    def set_rules(self, rules: Rules) -> None:
        """Plays by other house rules; nobody is ready any more. Raises RuleError when they do not fit the seats."""

    def kick(self, seat: int) -> None:
        """Takes a guest's chair away, bot or person."""

    def admit(self, number: int) -> None:
        """Lets somebody in who knocks (``snapshot.knocks``). Raises LocalError ``nobody-there`` or ``full``."""

    def decline(self, number: int) -> None:
        """Does not let somebody in. Raises LocalError ``nobody-there``."""

    def resize(self) -> None:
        """Two go on without the seat that was lost (``snapshot.may_resize``)."""

    def add_bot(self, level: str) -> None:
        """Seats a bot of ours in a free chair. Raises LocalError ``unknown-level`` or ``full``."""
