"""The first step of a table: every seat signs the proposal. To sign it is to say *ready*."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hocp2p.errors import LocalError
from hocp2p.table.events import TableEvent
from hocp2p.table.steps import Step
from hocp2p.wire.messages import Agreement, Message

SETUP_TRACK: Final = 0


class AgreementSteps:
    """One step, in which every seat signs.

    Args:
        seats: 2 or 3.
    """

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self.is_ready = False
        self._signed = False

    @property
    def present(self) -> Step | None:
        """See ``steps.Steps``."""
        if self._signed:
            return None
        return Step("agreement", tuple(range(self._seats)), (Agreement,), self._speak, self._accept)

    def close_step(self) -> None:
        """See ``steps.Steps``."""
        self._signed = True

    def ready(self) -> None:
        """We agree. Raises LocalError when we have agreed before."""
        if self.is_ready:
            raise LocalError("already-ready", "you are ready already")
        self.is_ready = True

    def _speak(self, _: bytes) -> Message | None:
        return Agreement() if self.is_ready else None

    def _accept(self, _: bytes, __: Mapping[int, Message]) -> Sequence[TableEvent]:
        return []
