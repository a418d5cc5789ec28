"""Files that only their owner may read: mode 0600 in folders of mode 0700, replaced whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import BinaryIO


def make_private_folder(folder: Path) -> None:
    """Makes a folder and those above it. Raises FileExistsError where it is there already, OSError."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700)


def open_private(path: Path, *, new: bool) -> BinaryIO:
    """Opens a file to append to; ``new``: one that must not exist. Raises OSError."""
    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0) | (os.O_CREAT | os.O_EXCL if new else 0)
    return os.fdopen(os.open(path, flags, 0o600), "ab")


def replace_private(path: Path, content: bytes) -> None:
    """Writes a whole file; after a crash there is the old one or the new one. On the disk on return. Raises OSError."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync_folder(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Brings the names in a folder to the disk, where the system knows that."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
