"""Our actions in the line mode: one at a time, and after it those that were typed in the same command."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from hocp2p.errors import HocError, LocalError
from hocp2p.game.actions import Action
from hocp2p.game.state import DealState
from hocp2p.session.client import Client
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.commands import format_words, verify_legal
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import _
from hocp2p.ui.line_inbox import Line
from hocp2p.ui.line_output import LineOutput

Moment = tuple[int, DealState]
"""Number of the deal and its state: changes with every action."""


def moment(snapshot: TableSnapshot) -> Moment | None:
    """Where a deal stands; None outside of one."""
    return (snapshot.deal, snapshot.view.state) if snapshot.view else None


class OurActions:
    """Does what was typed, and knows whether the table has taken it.

    Args:
        client: our seat.
        output: where each action is told when it is done.
    """

    def __init__(self, client: Client, output: LineOutput) -> None:
        self.line: Line | None = None  # the command that was done last
        self._client = client
        self._output = output
        self._to_come: deque[Action] = deque()  # the further ones of that command
        self._acted_on: Moment | None = None  # our action is on its way since then

    @property
    def to_come(self) -> bool:
        """Whether the last command goes on."""
        return bool(self._to_come)

    def are_taken(self, snapshot: TableSnapshot) -> bool:
        """Whether none of ours is on its way to the table."""
        return moment(snapshot) != self._acted_on

    def may_act(self, snapshot: TableSnapshot) -> bool:
        """Whether it is our turn, as far as we know."""
        return bool(snapshot.legal) and self.are_taken(snapshot)

    def begin(self, actions: Sequence[Action], line: Line) -> None:
        """Does the first action of a command. Raises HocError, with nothing sent and nothing to come."""
        self._act(actions[0])
        self._to_come.extend(actions[1:])
        self.line = line

    def go_on(self) -> None:
        """Does the next one. Raises LocalError ``not-done``, in words for people: it and the rest are forgotten."""
        try:
            self._act(self._to_come[0])
            self._to_come.popleft()
        except HocError as error:
            view = self._client.snapshot.view
            undone = ", ".join(format_words(action, view.state.stake if view else None) for action in self._to_come)
            self._to_come.clear()
            reason = translate_error(error.message)
            told = _("not done: {undone}: {reason}").format(undone=undone, reason=reason)
            raise LocalError("not-done", told) from error

    def _act(self, action: Action) -> None:
        snapshot = self._client.snapshot
        verify_legal(snapshot, action)
        if snapshot.view is None or not self.may_act(snapshot):
            raise LocalError("not-now", _("your last action is still on its way"))
        self._client.act(action)
        self._acted_on = moment(snapshot)
        self._output.tell_done(snapshot.view, action)
