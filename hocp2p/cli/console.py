"""Whether there is a terminal at the other end of a stream, and what it takes; Windows has to be asked itself."""

from __future__ import annotations

import errno
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # see hocp2p.cli.commands
    from typing import Final, TextIO

ENABLE_VIRTUAL_TERMINAL_PROCESSING: Final = 0x0004  # SetConsoleMode, https://learn.microsoft.com/windows/console


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody sits at the other end. A process may have no standard streams at all."""
    try:
        if stream is None or not stream.isatty():
            return False
    except ValueError:  # closed
        return False
    return sys.platform != "win32" or _mode(stream) is not None  # NUL says of itself that it is a terminal


def takes_escapes(stream: TextIO) -> bool:
    """Whether control sequences steer a terminal. On Windows they do once they are asked for, which is done here."""
    if sys.platform != "win32":
        return True
    mode = _mode(stream)
    return mode is not None and _set_mode(stream, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING)


def is_unread(error: Exception) -> bool:
    """Whether it says that nobody reads our output any more; Windows calls that an invalid argument, of no file."""
    if isinstance(error, OSError) and sys.platform == "win32" and error.errno == errno.EINVAL:
        return error.filename is None
    return isinstance(error, BrokenPipeError)


def _mode(stream: TextIO) -> int | None:
    """The mode of a console of Windows; None: it is none."""
    import ctypes
    import msvcrt

    mode = ctypes.c_ulong()
    try:
        handle = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))  # type: ignore[attr-defined,unused-ignore] # only there
        known = ctypes.windll.kernel32.GetConsoleMode(handle, ctypes.byref(mode))  # type: ignore[attr-defined,unused-ignore]
    except OSError:
        return None
    return mode.value if known else None


def _set_mode(stream: TextIO, mode: int) -> bool:
    """Sets it; False: that console does not know how."""
    import ctypes
    import msvcrt

    handle = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))  # type: ignore[attr-defined,unused-ignore]
    return bool(ctypes.windll.kernel32.SetConsoleMode(handle, mode))  # type: ignore[attr-defined,unused-ignore]
