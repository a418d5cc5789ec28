"""What a seat must not forget, in files of its own: what it signs is on the disk before it is on the wire.

``journal`` is appended to and never changed: a magic line and 4 random bytes, then records of 4 bytes length
(big-endian, of kind and payload), 4 bytes CRC-32 of kind and payload, 1 byte kind (see ``table.effects``), and the
payload. The random bytes start every CRC, so that nothing inside the payload of a stranger passes for a record.

What was being written when the power failed is not whole. It was never sent, since :meth:`Journal.sync` comes before
sending, and is cut off. Where a whole record follows, it is no such tail but damage: then nothing is touched.

``seeds/`` holds one file for each deck whose deal is not signed yet; it is overwritten and removed when the deal is.
What that is worth depends on the disk, see :func:`hocp2p.record.private_files.erase_private`.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Self

from hocp2p.crypto.seeded import SEED_BYTES
from hocp2p.errors import LocalError
from hocp2p.record.lock import hold_lock
from hocp2p.record.private_files import (
    erase_drafts,
    erase_private,
    make_private_folder,
    open_private,
    replace_private,
    sync_file,
    sync_folder,
)

logger = logging.getLogger(__name__)

JOURNAL, SEEDS, LOCK = "journal", "seeds", "lock"
"""Names in the folder of a seat."""
MAGIC: Final = b"hocp2p-journal-1\n"
SALT_BYTES: Final = 4
RECORDS_AT: Final = len(MAGIC) + SALT_BYTES
HEAD_BYTES: Final = 8
MAX_RECORD_BYTES: Final = 1_000_000  # kind and payload


class Journal:
    """The files of one seat at one table, locked against other processes. Closed with :meth:`close`.

    Every method that writes raises LocalError ``journal-unwritable``; after that the object refuses to go on.
    """

    def __init__(self, folder: Path, *, create: bool) -> None:
        self.folder = folder
        self._path = folder / JOURNAL
        self._stack = contextlib.ExitStack()
        self._refusal = ""  # why nothing can be written any more
        self._dirty = False
        try:
            self._begin() if create else self._come_back()
        except OSError as error:
            self._stack.close()
            raise _unwritable(folder, error) from error
        except BaseException:
            self._stack.close()
            raise

    @classmethod
    def create(cls, folder: Path) -> Self:
        """A journal in a folder that is made for it; on the disk on return.

        Raises LocalError ``journal-unwritable``, also where the folder exists already.
        """
        return cls(folder, create=True)

    @classmethod
    def reopen(cls, folder: Path) -> Self:
        """The journal of an earlier process; all that is read from it is on the disk.

        Raises LocalError ``seat-in-use`` where another process plays that seat, ``journal-damaged`` (nothing is
        touched), ``journal-unwritable``, ``lock-unusable`` where there is no such folder.
        """
        return cls(folder, create=False)

    def _begin(self) -> None:
        make_private_folder(self.folder)
        make_private_folder(self.folder / SEEDS)
        self._lock()
        self._open(new=True)
        self._salt = secrets.token_bytes(SALT_BYTES)
        self._write(MAGIC + self._salt)
        self.sync()
        sync_folder(self.folder)

    def _come_back(self) -> None:
        self._lock()
        data = _read(self._path)
        self._salt = data[len(MAGIC) : RECORDS_AT]
        _, end = _parse(self._path, data)
        self._open(new=False)
        if end < len(data):
            logger.warning("%d bytes of a record that was not whole are cut off %s", len(data) - end, self._path)
            self._file.truncate(end)
        sync_file(self._file)  # an earlier process may have been killed between writing and syncing
        erase_drafts(self.folder)
        erase_drafts(self.folder / SEEDS)

    def _lock(self) -> None:
        if not self._stack.enter_context(hold_lock(self.folder / LOCK)):
            raise LocalError("seat-in-use", "another hocp2p plays that seat just now")

    def _open(self, *, new: bool) -> None:
        self._file = open_private(self._path, new=new)
        self._stack.callback(self._close_file)

    def _close_file(self) -> None:
        with contextlib.suppress(OSError):  # of what could not be written before either
            self._file.close()

    # -- writing ------------------------------------------------------------------------------------------------------

    def keep(self, kind: int, payload: bytes) -> None:
        """Appends one record; :meth:`sync` brings it to the disk.

        Args:
            kind: 0 to 255.
            payload: less than ``MAX_RECORD_BYTES``.

        Raises LocalError ``journal-unwritable``; ``record-too-large`` with nothing written.
        """
        content = bytes([kind]) + payload
        if len(content) > MAX_RECORD_BYTES:
            raise LocalError("record-too-large", f"{len(content)} bytes are more than a journal keeps in one record")
        self._write(len(content).to_bytes(4, "big") + _checksum(content, self._salt) + content)

    def sync(self) -> None:
        """Returns when everything is on the disk."""
        with self._writing():
            if self._dirty:
                sync_file(self._file)
                self._dirty = False

    def keep_seed(self, track: int, seed: bytes) -> None:
        """Keeps the seed of a deck, 32 bytes; it is on the disk on return."""
        with self._writing():
            replace_private(self._seed_path(track), seed)

    def forget_seed(self, track: int) -> None:
        """Destroys the seed of a deck, as well as the disk allows; nothing happens where there is none."""
        with self._writing():
            erase_private(self._seed_path(track))

    def close(self) -> None:
        """Brings everything to the disk, where that goes, and lets go of the files. Idempotent."""
        with contextlib.suppress(LocalError):
            self.sync()
        self._refusal = self._refusal or "the journal is closed"
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
        if self._refusal:
            raise LocalError("journal-unwritable", f"{self._refusal}; nothing more is signed")
        try:
            yield
        except OSError as error:
            self._refusal = "the journal could not be written before"
            raise _unwritable(self.folder, error) from error

    def _seed_path(self, track: int) -> Path:
        return self.folder / SEEDS / str(track)

    # -- reading ------------------------------------------------------------------------------------------------------

    def records(self) -> list[tuple[int, bytes]]:
        """Kind and payload of every record, in order. Raises LocalError ``journal-damaged``, ``journal-unwritable``."""
        self.sync()
        return read_journal(self._path)

    def seeds(self) -> Mapping[int, bytes]:
        """By track, the seeds that are kept. Raises LocalError ``journal-damaged``."""
        try:
            files = [path for path in (self.folder / SEEDS).iterdir() if path.name.isdecimal()]
            found = {int(path.name): path.read_bytes() for path in files}
        except OSError as error:
            raise LocalError("journal-damaged", f"the seeds in {self.folder} cannot be read: {error}") from error
        # zeros: the power failed while the seed was being destroyed
        kept = {track: seed for track, seed in found.items() if any(seed)}
        for track, seed in kept.items():
            if len(seed) != SEED_BYTES:
                raise LocalError("journal-damaged", f"the seed {self._seed_path(track)} is damaged")
        return kept


def read_journal(path: Path) -> list[tuple[int, bytes]]:
    """The records of a journal; a torn tail is passed over. Raises LocalError ``journal-damaged``."""
    records, _ = _parse(path, _read(path))
    return records


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LocalError("journal-damaged", f"the journal {path} cannot be read: {error.strerror}") from error
    if not data.startswith(MAGIC) or len(data) < RECORDS_AT:
        raise LocalError("journal-damaged", f"{path} is no journal of hocp2p; move its folder away")
    return data


def _parse(path: Path, data: bytes) -> tuple[list[tuple[int, bytes]], int]:
    """Records, and where the last whole one ends."""
    records, at = [], RECORDS_AT
    while (content := _record_at(data, at)) is not None:
        records.append((content[0], content[1:]))
        at += HEAD_BYTES + len(content)
    if any(_record_at(data, later) is not None for later in range(at + 1, len(data))):
        told = f"the journal {path} is damaged at byte {at}; bring it back from a copy, or move its folder away:"
        raise LocalError("journal-damaged", f"{told} one cannot go back to that seat without knowing what it signed")
    return records, at


def _record_at(data: bytes, at: int) -> bytes | None:
    """Kind and payload of the record that begins at ``at``; None: there is no whole one."""
    length = int.from_bytes(data[at : at + 4], "big")
    if not 1 <= length <= min(MAX_RECORD_BYTES, len(data) - at - HEAD_BYTES):
        return None
    content = data[at + HEAD_BYTES : at + HEAD_BYTES + length]
    return content if _checksum(content, data[len(MAGIC) : RECORDS_AT]) == data[at + 4 : at + HEAD_BYTES] else None


def _checksum(content: bytes, salt: bytes) -> bytes:
    return zlib.crc32(content, int.from_bytes(salt, "big")).to_bytes(4, "big")


def _unwritable(folder: Path, error: OSError) -> LocalError:
    told = f"the game cannot be kept in {folder} ({error.strerror}); nothing more is signed. Make room or mend it, then"
    return LocalError("journal-unwritable", f"{told} come back with: hocp2p resume")
