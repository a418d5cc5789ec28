"""The public record of a session while it is written. A full disk ends the record, and costs nobody his seat."""

from __future__ import annotations

import logging
from collections.abc import Callable

from hocp2p.table.events import RecordEnded, TableEvent

logger = logging.getLogger(__name__)

Recorder = Callable[[int, bytes], None]
"""Takes kind and bytes of what belongs into the public record of the session, in order. Raises OSError."""


class Recording:
    """Writes until it cannot.

    Args:
        recorder: takes the public record; None: none is kept.
    """

    def __init__(self, recorder: Recorder | None) -> None:
        self._recorder = recorder

    def write(self, kind: int, payload: bytes) -> list[TableEvent]:
        """Adds to the record; arguments as ``Record`` has them. What is to be told of it: that it ends here."""
        if self._recorder is None:
            return []
        try:
            self._recorder(kind, payload)
        except OSError as error:
            logger.error("the record ends here: %s", error.strerror)
            self._recorder = None
            return [RecordEnded(error.strerror or type(error).__name__)]
        return []
