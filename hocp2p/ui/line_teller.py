"""The line mode tells what comes from the table, and knows where a session ends and whether another may follow."""

from __future__ import annotations

from collections.abc import Callable

from hocp2p.table.events import AnotherWanted, SessionEnded, TableEvent, TableStopped
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.line_output import LineOutput
from hocp2p.ui.offers import describe_offers

Tutor = Callable[[TableSnapshot], list[str]]


def silent(_snapshot: TableSnapshot) -> list[str]:
    """A tutor who explains nothing."""
    return []


class Teller:
    """Tells a table from our coming to the end.

    Args:
        output: where it is told.
        snapshot: the table as we come to it.
        tutor: lines that explain a picture, told when what led to it has been told.
        stays: whether it goes on after a session, where there can be another; may be changed at any time.
    """

    def __init__(self, output: LineOutput, snapshot: TableSnapshot, tutor: Tutor, *, stays: bool) -> None:
        self.over = False  # nothing is told any more
        self.between = False  # a session is over, and there can be another
        self.stays = stays
        self._output = output
        self._tutor = tutor
        self._introduced = False
        self._told = snapshot
        self._offered: dict[str, str] = {}

    def tell(self, snapshot: TableSnapshot, events: tuple[TableEvent, ...]) -> None:
        """What has happened, and the picture that it led to."""
        if self.between and snapshot.stage in (Stage.LOBBY, Stage.READY):
            self.between = self._introduced = False
        for event in events:
            if isinstance(event, AnotherWanted):  # the last such word empties the chairs: all greet anew
                self._tell_event(event, self._told)
            else:
                self._introduce(snapshot)
                self._tell_event(event, snapshot)
        self._introduce(snapshot)
        self._told = snapshot
        self._tell_offers(snapshot)
        if explained := self._tutor(snapshot):
            self._output.tell_lesson(explained, snapshot)

    def tell_end(self, snapshot: TableSnapshot) -> None:
        """The client says that it is over: told here only where no event has."""
        if self.between:
            self._output.tell_no_other()
        elif snapshot.net is not None:
            self._tell_event(SessionEnded(snapshot.net), snapshot)
        if snapshot.stopped is not None:
            self._tell_event(snapshot.stopped, snapshot)
        self.over = True

    def _tell_offers(self, snapshot: TableSnapshot) -> None:
        """Each once, as long as it stands."""
        offers = {} if self.over else describe_offers(snapshot)
        new = [told for command, told in offers.items() if command not in self._offered]
        self._offered = offers
        if new:
            self._output.tell_offers(new)

    def _introduce(self, snapshot: TableSnapshot) -> None:
        """The table, once before each session; a guest learns of it from the host."""
        if snapshot.seats and not self._introduced:
            self._introduced = True
            self._output.tell_table(snapshot)

    def _tell_event(self, event: TableEvent, snapshot: TableSnapshot) -> None:
        """The end is the last line, whatever happens after it; unless there can be another session."""
        if self.over:
            return
        self._output.tell_event(event, snapshot)
        if isinstance(event, SessionEnded) and self.stays and snapshot.may_again:
            self.between = True
            self._output.tell_another()
        else:
            self.over = isinstance(event, SessionEnded | TableStopped)
