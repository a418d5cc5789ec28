"""Names and identity keys that we have met: a name that comes with another key is said loudly.

A file of lines, ``<key, 64 hexadecimal digits> <date> <name>``, mode 0600. Names come from strangers and may be
anybody's: it is the key that counts. What cannot be read in the file is kept and passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Final

from hocp2p.errors import LocalError
from hocp2p.record.private_files import replace_private

MAX_KEYS: Final = 1000
_LINE: Final = re.compile(r"([0-9a-f]{64}) (\d{4}-\d\d-\d\d) (.{1,24})")


class Acquaintance(Enum):
    """What we know of somebody who calls himself so and has this key."""

    NEW = "new"  # neither name nor key
    KNOWN = "known"  # this name with this key
    RENAMED = "renamed"  # this key, by another name
    CHANGED = "changed"  # this name, with another key


class KnownKeys:
    """The people that we have met.

    Args:
        path: of the file; it need not exist. Raises LocalError ``known-keys-unreadable``.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: list[str] = []
        try:
            self._lines = path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            pass
        except (OSError, UnicodeDecodeError) as error:
            raise LocalError("known-keys-unreadable", f"{path} cannot be read; mend it or move it away") from error
        self._names: dict[str, set[str]] = {}  # by key
        for line in self._lines:
            found = _LINE.fullmatch(line)
            if found is not None:
                self._names.setdefault(found[1], set()).add(found[3])

    def look_up(self, name: str, key: bytes) -> Acquaintance:
        """Whether we have met ``name`` with this identity key."""
        names = self._names.get(key.hex(), set())
        if name in names:
            return Acquaintance.KNOWN
        if any(name in others for others in self._names.values()):
            return Acquaintance.CHANGED
        return Acquaintance.RENAMED if names else Acquaintance.NEW

    def is_known(self, key: bytes) -> bool:
        """Whether we have met this key."""
        return key.hex() in self._names

    def remember(self, met: Iterable[tuple[str, bytes]], today: str) -> None:
        """Keeps names and keys that have proved themselves.

        Args:
            met: names and identity keys.
            today: ISO 8601.

        Raises LocalError ``known-keys-unwritable``.
        """
        fresh = [(name, key.hex()) for name, key in met if name not in self._names.get(key.hex(), ())]
        if not fresh:
            return
        for name, key in fresh:
            self._names.setdefault(key, set()).add(name)
            self._lines.append(f"{key} {today} {name}")
        self._lines = self._lines[-MAX_KEYS:]
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_private(self._path, "".join(line + "\n" for line in self._lines).encode("utf-8"))
        except OSError as error:
            raise LocalError("known-keys-unwritable", f"{self._path} cannot be written: {error.strerror}") from error
