"""A lock between processes; the system takes it off when its holder dies, so that a crash leaves none behind."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from hocp2p.errors import LocalError


@contextlib.contextmanager
def hold_lock(path: Path) -> Iterator[bool]:
    """Holds the lock file ``path`` while the block runs; gives False, holding nothing, where another process has it.

    The file is created with mode 0600 in an existing folder and stays behind, empty: taking it away would let two
    processes lock two files of the same name.

    Raises:
        LocalError: ``lock-unusable`` when the file cannot be opened.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise LocalError("lock-unusable", f"the lock file {path} cannot be opened: {error.strerror}") from error
    try:
        yield _try_lock(handle)
    finally:
        os.close(handle)  # which takes the lock off


def _try_lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
