"""The public record of a session: the proposal and every signed envelope, as they went over the wire.

It holds no secret and can be given to anybody: who has it can verify every signature, shuffle, share and opening.
The file is the magic line, then records of 4 bytes length (big-endian; of what follows), 1 byte kind, and the bytes.
Envelopes of one track stand in the order in which their steps closed. A file may hold several sessions of one table;
each begins with its proposal.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from hocp2p.errors import LocalError

MAGIC: Final = b"hocp2p-record-1\n"
LENGTH_BYTES: Final = 4


class SessionRecord:
    """A file that is written as the session goes; a context manager.

    Args:
        path: a new file. Raises LocalError ``record-exists`` or ``record-unwritable``.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("xb")
        except FileExistsError:
            raise LocalError("record-exists", f"{path} exists already; choose another file for --record") from None
        except OSError as error:
            raise LocalError("record-unwritable", f"{path} cannot be written: {error.strerror}") from error
        self._file.write(MAGIC)

    def keep(self, kind: int, payload: bytes) -> None:
        """Appends one record, and has it on its way to the disk. Raises OSError.

        Args:
            kind: 1 the proposal, 2 an envelope (``table.effects``).
            payload: as it went over the wire.
        """
        self._file.write((len(payload) + 1).to_bytes(LENGTH_BYTES, "big") + bytes([kind]) + payload)
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):  # what could not be written is still in its buffer; :meth:`keep` has said so
            self._file.close()


def read_record(path: Path) -> list[tuple[int, bytes]]:
    """Kind and bytes of every record.

    Raises LocalError ``bad-record`` for a file that is none, or is cut short; OSError.
    """
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise LocalError("bad-record", f"{path} is no record of a session")
    records, at = [], len(MAGIC)
    while at < len(data):
        length = int.from_bytes(data[at : at + LENGTH_BYTES], "big")
        start, end = at + LENGTH_BYTES, at + LENGTH_BYTES + length
        if length < 1 or end > len(data):
            raise LocalError("bad-record", f"{path} is cut short at byte {at}")
        records.append((data[start], data[start + 1 : end]))
        at = end
    return records
