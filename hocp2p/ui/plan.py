"""Several actions of ours that were asked for at once: a row of cards, a hoc and what follows it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from hocp2p.errors import HocError
from hocp2p.game.actions import Action
from hocp2p.session.client import Client


class Plan:
    """Does actions one after the other, each once the table has taken the one before, as long as they are legal.

    Args:
        client: our seat.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._coming: deque[Action] = deque()
        self._done: Action | None = None  # the last one, which the table may not have taken yet

    def begin(self, actions: Sequence[Action]) -> None:
        """Does the first one; what was planned before is forgotten. Raises HocError as :meth:`go_on`."""
        self._coming = deque(actions)
        self._done = None
        self.go_on()

    def go_on(self) -> None:
        """To be called after every change at the table.

        Raises:
            HocError: the next action cannot be done; those after it are forgotten.
        """
        legal = self._client.snapshot.legal
        if not self._coming or (self._done is not None and self._done in legal):
            return
        if self._coming[0] not in legal:
            self._coming.clear()
            return
        self._done = self._coming.popleft()
        try:
            self._client.act(self._done)
        except HocError:
            self._coming.clear()
            raise
