"""The file that holds our identity key: two lines of text, mode 0600, in a folder of mode 0700.

    hocp2p identity 1
    <64 hexadecimal digits: the 32-byte Ed25519 seed>

It is written once and never written over: whoever loses it is a stranger at every table, so a file that we cannot read
is the owner's to mend or to move away.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hocp2p.crypto.identity import SEED_BYTES, Identity
from hocp2p.errors import LocalError
from hocp2p.record.lock import hold_lock

HEADER: Final = "hocp2p identity 1"
MAX_FILE_BYTES: Final = 1024
_CONTENT: Final = re.compile(HEADER.encode("ascii") + rb"\n([0-9a-f]{64})\n")


def new_identity() -> Identity:
    """A fresh identity that is kept nowhere, for bots and for a second seat on this machine."""
    return Identity.from_seed(secrets.token_bytes(SEED_BYTES))


def load_identity(path: Path) -> Identity:
    """Our identity; a new one is made and kept where there is no file yet.

    Raises:
        LocalError: ``identity-unreadable`` (or not writable, when it is new), ``identity-malformed``,
            ``identity-permissions`` when others may read it. The file is left as it is.
    """
    try:
        try:
            return _read(path)
        except FileNotFoundError:
            _create(path, secrets.token_bytes(SEED_BYTES))
            return _read(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise LocalError(
            "identity-unreadable",
            f"the identity file {path} cannot be used ({reason}); mend that, or choose another with --identity FILE",
        ) from error


@contextlib.contextmanager
def claim_identity(path: Path) -> Iterator[tuple[Identity, bool]]:
    """Our identity for as long as the block runs, and whether it is the one of the file.

    Two seats of one table cannot be the same person, so while one process uses the file a second one on the same
    machine gets a new identity that is kept nowhere, and False.

    Raises:
        LocalError: as :func:`load_identity`.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = hold_lock(path.with_name(path.name + ".lock"))
    except OSError as error:
        raise LocalError(
            "identity-unreadable",
            f"the folder of the identity file {path} cannot be made ({error.strerror}); choose another with --identity",
        ) from error
    with lock as ours:
        yield (load_identity(path), True) if ours else (new_identity(), False)


def _read(path: Path) -> Identity:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise LocalError("identity-unreadable", f"the identity file {path} is not a plain file")
        if os.name == "posix" and mode & 0o077:
            raise LocalError(
                "identity-permissions",
                f"others can read the identity file {path}; close it to them with: chmod 600 {path}",
            )
        content = os.read(handle, MAX_FILE_BYTES)
    finally:
        os.close(handle)
    found = _CONTENT.fullmatch(content)
    if found is None:
        raise LocalError(
            "identity-malformed",
            f"the identity file {path} is damaged; bring it back from a copy, or move it away to begin as somebody new",
        )
    return Identity.from_seed(bytes.fromhex(found[1].decode("ascii")))


def _create(path: Path, seed: bytes) -> None:
    """Writes the whole file under another name first, so that no crash leaves half a key, and never replaces one."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(f"{HEADER}\n{seed.hex()}\n".encode("ascii"))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):  # another process was quicker: its identity is ours, too
            _put_in_place(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _put_in_place(draft: Path, path: Path) -> None:
    """Gives the draft its name. Raises FileExistsError where the name is taken."""
    if os.name != "posix":
        draft.rename(path)  # refuses a taken name there
        return
    try:
        path.hardlink_to(draft)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.ENOSYS):
            raise
        if path.exists():  # a file system without hard links
            raise FileExistsError(error.errno, "exists", str(path)) from error
        draft.rename(path)
