"""Files that only their owner may read: mode 0600 in folders of mode 0700, replaced whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

DRAFT_SUFFIX: Final = ".new"
BUSY_DELAYS_S: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4) if os.name == "nt" else ()
"""Between tries to move or remove what another program, such as a scanner for viruses, has open: Windows refuses it."""


def make_private_folder(folder: Path) -> None:
    """Makes a folder and those above it. Raises FileExistsError where it is there already, OSError."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700)
    sync_folder(folder.parent)


def open_private(path: Path, *, new: bool) -> BinaryIO:
    """Opens a file to append to; ``new``: one that must not exist. Raises OSError."""
    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0) | (os.O_CREAT | os.O_EXCL if new else 0)
    return os.fdopen(os.open(path, flags, 0o600), "ab")


def replace_private(path: Path, content: bytes) -> None:
    """Writes a whole file; after a crash there is the old one or the new one. On the disk on return. Raises OSError.

    A crash may leave a draft behind; :func:`erase_drafts` takes those away.
    """
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}{DRAFT_SUFFIX}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            sync_file(file)
        _patiently(lambda: draft.replace(path))
        sync_folder(path.parent)
    finally:
        _patiently(lambda: draft.unlink(missing_ok=True))


def erase_private(path: Path) -> None:
    """Overwrites a file with zeros and removes it; nothing happens where there is none. Raises OSError.

    A disk that writes elsewhere what is overwritten (flash, copy on write, a journal of data, snapshots and copies) may
    keep the old bytes for a while. Against whoever holds such a disk only its encryption helps.
    """
    with contextlib.suppress(FileNotFoundError), path.open("r+b") as file:
        file.write(bytes(os.fstat(file.fileno()).st_size))
        sync_file(file)
    _patiently(lambda: path.unlink(missing_ok=True))
    sync_folder(path.parent)


def _patiently(act: Callable[[], object]) -> None:
    """Tries for most of a second where others may be in the way for a moment. Raises OSError."""
    for delay_s in BUSY_DELAYS_S:
        try:
            act()
        except PermissionError:
            time.sleep(delay_s)
        else:
            return
    act()


def erase_drafts(folder: Path) -> None:
    """Erases what :func:`replace_private` left behind in ``folder`` when it was killed. Raises OSError."""
    for draft in folder.glob(f"*{DRAFT_SUFFIX}"):
        erase_private(draft)


def sync_file(file: BinaryIO) -> None:
    """Returns when what was written is on the disk. Raises OSError."""
    file.flush()
    if sys.platform == "darwin":  # there fsync only reaches the disk's own memory
        import fcntl

        with contextlib.suppress(OSError):  # not every file system knows it
            fcntl.fcntl(file.fileno(), fcntl.F_FULLFSYNC)
            return
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Brings the names in a folder to the disk, where the system knows that. Raises OSError."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
