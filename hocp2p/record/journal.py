"""What a seat must not forget, in files of its own: what it signs is on the disk before it is on the wire.

``journal`` is appended to and never changed: a magic line, then records of 4 bytes length (big-endian, of what
follows), 4 bytes CRC-32 of what follows it, 1 byte kind, and the payload. A last record that is not whole was never
sent, since we write it to the disk first, and is cut off. ``seeds/`` holds one file for each deck whose deal is not
signed yet; it is overwritten and removed when the deal is. On disks that write elsewhere what is overwritten (flash,
copy on write) the old bytes may survive for a while: who takes such a disk while the game lasts may read hands.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Self

from hocp2p.errors import LocalError
from hocp2p.record.lock import hold_lock
from hocp2p.record.private_files import make_private_folder, open_private, replace_private, sync_folder

MAGIC: Final = b"hocp2p-journal-1\n"
PROPOSAL, ENVELOPE, HAND = 1, 2, 3
"""Kinds of records, as in ``table.effects``. Others are kept and skipped."""
HEAD_BYTES: Final = 8
MAX_RECORD_BYTES: Final = 1_000_000


class Journal:
    """The files of one seat at one table, locked against other processes. Closed with :meth:`close`.

    Every method that writes raises LocalError ``journal-unwritable``; after that the object refuses to go on.
    """

    def __init__(self, folder: Path, *, create: bool) -> None:
        self.folder = folder
        self._stack = contextlib.ExitStack()
        self._broken = False
        self._dirty = False
        try:
            if create:
                make_private_folder(folder)
                make_private_folder(folder / "seeds")
            self._lock()
            path = folder / "journal"
            if create:
                self._file = open_private(path, new=True)
                self._stack.callback(self._file.close)
                self._write(MAGIC)
                self.sync()
                sync_folder(folder)
            else:
                _cut_torn_tail(path)
                self._file = open_private(path, new=False)
                self._stack.callback(self._file.close)
        except OSError as error:
            self._stack.close()
            raise _unwritable(folder, error) from error
        except BaseException:
            self._stack.close()
            raise

    @classmethod
    def create(cls, folder: Path) -> Self:
        """A journal in a folder that is made for it. Raises LocalError where it exists already."""
        return cls(folder, create=True)

    @classmethod
    def reopen(cls, folder: Path) -> Self:
        """The journal of an earlier process.

        Raises LocalError ``seat-in-use`` where another process plays that seat, ``journal-damaged``.
        """
        return cls(folder, create=False)

    def _lock(self) -> None:
        if not self._stack.enter_context(hold_lock(self.folder / "lock")):
            raise LocalError("seat-in-use", "another hocp2p plays that seat just now")

    # -- writing ------------------------------------------------------------------------------------------------------

    def keep(self, kind: int, payload: bytes) -> None:
        """Appends one record; :meth:`sync` brings it to the disk."""
        content = bytes([kind]) + payload
        self._write(len(content).to_bytes(4, "big") + zlib.crc32(content).to_bytes(4, "big") + content)

    def sync(self) -> None:
        """Returns when everything is on the disk."""
        if self._dirty:
            with self._writing():
                self._file.flush()
                os.fsync(self._file.fileno())
                self._dirty = False

    def keep_seed(self, track: int, seed: bytes) -> None:
        """Keeps the seed of a deck; it is on the disk on return."""
        with self._writing():
            replace_private(self._seed_path(track), seed)

    def forget_seed(self, track: int) -> None:
        """Destroys the seed of a deck, as well as the disk allows."""
        with self._writing():
            path = self._seed_path(track)
            with contextlib.suppress(FileNotFoundError), path.open("r+b") as file:
                file.write(bytes(path.stat().st_size))
                file.flush()
                os.fsync(file.fileno())
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Lets go of the files. Idempotent."""
        with contextlib.suppress(LocalError):
            self.sync()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def _write(self, data: bytes) -> None:
        with self._writing():
            self._file.write(data)
            self._dirty = True

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        if self._broken:
            raise LocalError("journal-unwritable", "the journal could not be written before; nothing more is signed")
        try:
            yield
        except OSError as error:
            self._broken = True
            raise _unwritable(self.folder, error) from error

    def _seed_path(self, track: int) -> Path:
        return self.folder / "seeds" / str(track)

    # -- reading ------------------------------------------------------------------------------------------------------

    def records(self) -> list[tuple[int, bytes]]:
        """Kind and payload of every record, in order. Raises LocalError ``journal-damaged``."""
        self.sync()
        return read_journal(self.folder / "journal")

    def seeds(self) -> Mapping[int, bytes]:
        """By track, the seeds that are kept."""
        files = (self.folder / "seeds").iterdir()
        return {int(path.name): path.read_bytes() for path in files if path.name.isdigit()}


def read_journal(path: Path) -> list[tuple[int, bytes]]:
    """The records of a journal; a torn tail is passed over. Raises LocalError ``journal-damaged``."""
    records, _ = _parse(path)
    return records


def _parse(path: Path) -> tuple[list[tuple[int, bytes]], int]:
    """Records, and where the last whole one ends. What is damaged and not at the end is no torn tail."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LocalError("journal-damaged", f"the journal {path} cannot be read: {error.strerror}") from error
    if not data.startswith(MAGIC):
        raise LocalError("journal-damaged", f"{path} is no journal of hocp2p")
    records, at = [], len(MAGIC)
    while at + HEAD_BYTES <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        content = data[at + HEAD_BYTES : at + HEAD_BYTES + length]
        is_whole = len(content) == length and 1 <= length <= MAX_RECORD_BYTES
        if not is_whole or zlib.crc32(content) != int.from_bytes(data[at + 4 : at + HEAD_BYTES], "big"):
            if is_whole and at + HEAD_BYTES + length < len(data):
                raise LocalError("journal-damaged", f"the journal {path} is damaged at byte {at}")
            break
        records.append((content[0], content[1:]))
        at += HEAD_BYTES + length
    return records, at


def _cut_torn_tail(path: Path) -> None:
    _, end = _parse(path)
    if end < path.stat().st_size:
        with path.open("r+b") as file:
            file.truncate(end)
            os.fsync(file.fileno())


def _unwritable(folder: Path, error: OSError) -> LocalError:
    told = f"the game cannot be kept in {folder} ({error.strerror}); nothing more is signed. Make room or mend it, then"
    return LocalError("journal-unwritable", f"{told} come back with: hocp2p resume")
