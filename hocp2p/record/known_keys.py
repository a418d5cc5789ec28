"""Names and identity keys that we have met: a name that comes with another key is said loudly.

A file of lines, ``<key, 64 hexadecimal digits> <date> "<name>"``, mode 0600, last met last. Names come from strangers
and may be anybody's: it is the key that counts. They are written as JSON writes text, all of it escaped where anything
in it cannot be shown. What cannot be read in the file is kept and passed over.
"""

from __future__ import annotations

import datetime
import json
import re
import time
import unicodedata
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from hocp2p.crypto.identity import PUBLIC_BYTES, fingerprint
from hocp2p.errors import LocalError
from hocp2p.record.lock import hold_lock
from hocp2p.record.private_files import replace_private

MAX_KEYS: Final = 1000
MAX_NAME_CHARACTERS: Final = 24  # as on the wire
LOCK_TRIES: Final = 50
LOCK_PAUSE_S: Final = 0.02
_LINE: Final = re.compile(r'([0-9a-f]{64}) ([0-9]{4}-[0-9]{2}-[0-9]{2}) (".*")')


class Acquaintance(Enum):
    """What we know of somebody who calls himself so and has this key."""

    NEW = "new"  # neither name nor key
    KNOWN = "known"  # this name with this key
    RENAMED = "renamed"  # this key, by another name
    CHANGED = "changed"  # this name, with another key


@dataclass(frozen=True, slots=True)
class Met:
    """Somebody we have met: identity key (32 bytes), name, and the day of the last time."""

    key: bytes
    name: str
    last: datetime.date

    @property
    def fingerprint(self) -> str:
        """8 characters of the key, to be compared."""
        return fingerprint(self.key)


class KnownKeys:
    """The people that we have met.

    Names that differ only in case or in the form of their letters (NFKC) count as one. One name may have several keys.

    Args:
        path: of the file; it need not exist. Raises LocalError ``known-keys-unreadable``.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._met: list[Met] = []
        self._unread: list[bytes] = []  # damaged lines
        self._damaged: tuple[int, ...] = ()
        self._read()

    def look_up(self, name: str, key: bytes) -> Acquaintance:
        """Whether we have met ``name`` with this identity key."""
        has_key = [met for met in self._met if met.key == key]
        if any(_fold(met.name) == _fold(name) for met in has_key):
            return Acquaintance.KNOWN
        if self.met_as(name):
            return Acquaintance.CHANGED
        return Acquaintance.RENAMED if has_key else Acquaintance.NEW

    def is_known(self, key: bytes) -> bool:
        """Whether we have met this key."""
        return any(met.key == key for met in self._met)

    def met_as(self, name: str) -> tuple[Met, ...]:
        """All that have gone by this name, the last met first: whose keys to show where one has changed."""
        return tuple(met for met in reversed(self._met) if _fold(met.name) == _fold(name))

    def damaged(self) -> tuple[int, ...]:
        """Numbers, from 1, of the lines that cannot be read."""
        return self._damaged

    def remember(self, met: Iterable[tuple[str, bytes]], today: str) -> None:
        """Keeps names and keys that have proved themselves; beyond ``MAX_KEYS`` those not met for longest go.

        What another process has written meanwhile stays. Waits for it a second at most.

        Args:
            met: names (1 to 24 characters) and identity keys (32 bytes).
            today: ISO 8601.

        Raises LocalError ``bad-acquaintance``, ``known-keys-unreadable``, ``known-keys-unwritable``; nothing is kept.
        """
        fresh = [_acquaintance(name, key, today) for name, key in met]
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with ExitStack() as stack:
                self._lock(stack)
                self._read()
                self._add(fresh)
        except OSError as error:
            raise _unwritable(self._path, error.strerror) from error

    def _add(self, fresh: Iterable[Met]) -> None:
        kept = {(met.key, met.name): met for met in self._met}
        for met in fresh:
            kept.pop((met.key, met.name), None)  # to stand last
            kept[met.key, met.name] = met
        newest = list(kept.values())[-MAX_KEYS:]
        if newest == self._met:
            return
        lines = [*self._unread, *(_format(met) for met in newest)]
        replace_private(self._path, b"".join(line + b"\n" for line in lines))
        self._met, self._damaged = newest, tuple(range(1, len(self._unread) + 1))

    def _lock(self, stack: ExitStack) -> None:
        for _ in range(LOCK_TRIES):
            if stack.enter_context(hold_lock(self._path.with_name(self._path.name + ".lock"))):
                return
            stack.close()
            time.sleep(LOCK_PAUSE_S)
        raise _unwritable(self._path, "another hocp2p holds it")

    def _read(self) -> None:
        try:
            lines = self._path.read_bytes().split(b"\n")
        except FileNotFoundError:
            lines = []
        except OSError as error:
            told = f"{self._path} cannot be read ({error.strerror}); mend it or move it away"
            raise LocalError("known-keys-unreadable", told) from error
        numbered = [(number, line, _parse(line)) for number, line in enumerate(lines, start=1) if line]
        self._met = [met for _, _, met in numbered if met is not None]
        self._unread = [line for _, line, met in numbered if met is None]
        self._damaged = tuple(number for number, _, met in numbered if met is None)


def _acquaintance(name: str, key: bytes, today: str) -> Met:
    if not 1 <= len(name) <= MAX_NAME_CHARACTERS or len(key) != PUBLIC_BYTES:
        raise LocalError("bad-acquaintance", "a name has 1 to 24 characters and a key 32 bytes")
    try:
        return Met(key, name, datetime.date.fromisoformat(today))
    except ValueError as error:
        raise LocalError("bad-acquaintance", f"{today!r} is no day") from error


def _format(met: Met) -> bytes:
    name = json.dumps(met.name, ensure_ascii=not met.name.isprintable())
    return f"{met.key.hex()} {met.last.isoformat()} {name}".encode()


def _parse(line: bytes) -> Met | None:
    """Somebody met; None: the line is damaged."""
    try:
        found = _LINE.fullmatch(line.decode("utf-8"))
        return None if found is None else _acquaintance(json.loads(found[3]), bytes.fromhex(found[1]), found[2])
    except (ValueError, LocalError):
        return None


def _fold(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _unwritable(path: Path, reason: str | None) -> LocalError:
    return LocalError("known-keys-unwritable", f"whom we have met cannot be kept in {path}: {reason}")
