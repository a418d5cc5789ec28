"""Exit codes, and the one place that turns whatever went wrong into a code and a sentence."""

from __future__ import annotations

import time
import traceback
from enum import IntEnum
from pathlib import Path
from typing import Final

from hocp2p.errors import HocError, LinkError, LocalError, NotationError, RefusedError, RuleError
from hocp2p.table.events import TableStopped
from hocp2p.ui.lang import N_, _


class Exit(IntEnum):
    """What the process ends with."""

    OK = 0
    BUG = 1
    USAGE = 2
    UNREACHABLE = 3
    KEY_MISMATCH = 4
    REFUSED = 5
    LOST = 6
    CLOSED = 7
    INTERRUPTED = 130


MEANINGS: Final = {
    Exit.OK: N_("played to the end, or left by your own wish; or done what was asked"),
    Exit.BUG: N_("a bug; a report of it is kept in the state directory"),
    Exit.USAGE: N_("an option, a setting or a file is wrong; doctor found a problem"),
    Exit.UNREACHABLE: N_("the host cannot be reached, or the port cannot be had"),
    Exit.KEY_MISMATCH: N_("the host has another key than expected"),
    Exit.REFUSED: N_("the host refuses: the table is full, or speaks another version"),
    Exit.LOST: N_("the host or our seat is lost"),
    Exit.CLOSED: N_("the table is closed, or somebody broke the protocol"),
    Exit.INTERRUPTED: N_("interrupted"),
}
"""What each code says, for the manual page."""

CODES: Final = {
    "left": Exit.OK,  # we left, as we wanted
    "key-mismatch": Exit.KEY_MISMATCH,
    "full": Exit.REFUSED,
    "version": Exit.REFUSED,
    "same-key": Exit.REFUSED,
    "kicked": Exit.REFUSED,
    "equal-keys": Exit.REFUSED,
    "host-gone": Exit.LOST,
    "wrong-key": Exit.KEY_MISMATCH,
    "secret": Exit.REFUSED,
    "declined": Exit.REFUSED,
    "busy": Exit.REFUSED,
    "forgotten": Exit.REFUSED,
    "not-hosting": Exit.REFUSED,
    "seat-lost": Exit.LOST,
    "cut-off": Exit.LOST,
    "lost": Exit.LOST,
    "closed": Exit.CLOSED,
}
"""Codes of errors and of stopped tables that have an exit code of their own; the others go by their kind."""


def exit_of_error(error: HocError) -> Exit:
    """The exit code of an error that ended a command."""
    if isinstance(error, RefusedError):
        return CODES.get(error.code, Exit.REFUSED)
    if isinstance(error, LinkError):
        return CODES.get(error.code, Exit.UNREACHABLE)
    if isinstance(error, LocalError | RuleError | NotationError):
        return Exit.USAGE
    return Exit.CLOSED  # somebody else broke the protocol


def exit_of_stop(stopped: TableStopped) -> Exit:
    """The exit code of a table that ended early."""
    return CODES.get(stopped.code, Exit.CLOSED)


def sentence(message: str) -> str:
    """One line for standard error. What other people wrote may be in it, and must not steer the terminal."""
    return "hocp2p: " + "".join(letter if letter.isprintable() else "?" for letter in message)


def report_bug(error: BaseException, folder: Path) -> str:
    """Writes the traceback to a file of its own and says where it is. Locals, and so secrets, are not in it."""
    path = folder / time.strftime("bug-%Y%m%d-%H%M%S.txt")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text("".join(traceback.format_exception(error)), encoding="utf-8")
    except OSError as unwritable:
        told = _("this is a bug ({kind}); no report of it could be kept in {folder}: {reason}")
        return told.format(kind=type(error).__name__, folder=folder, reason=unwritable.strerror)
    return _("this is a bug ({kind}); please send in the report {path}").format(kind=type(error).__name__, path=path)
