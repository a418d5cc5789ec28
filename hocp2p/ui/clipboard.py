"""Copying by the terminal itself (OSC 52), which works over SSH, too. No answer comes: a terminal that does not do it
stays silent, so what is copied should be shown as well. Those that macOS and older versions of Windows open do not do
it; there a program of the system copies, besides.
"""

from __future__ import annotations

import base64
import contextlib
import sys
import threading
from collections.abc import Mapping
from typing import Final

from prompt_toolkit.output import Output

_ESC: Final = "\x1b"
_SCREEN_CHUNK: Final = 240
"""Characters that GNU screen passes on in one string; older versions cut at 256."""
_PROGRAMS: Final = {"darwin": "/usr/bin/pbcopy", "win32": r"{SystemRoot}\System32\clip.exe"}
"""Of the system, by ``sys.platform``; each takes the text from its standard input."""


def copy(text: str, output: Output, environ: Mapping[str, str]) -> None:
    """Puts ``text`` into the clipboard of whoever sits at the terminal, by every way that there is.

    Args:
        text: ASCII, since the program of Windows takes nothing else for sure.
        output: of the terminal.
        environ: of the process.
    """
    output.write_raw(format_copy(text, environ))
    output.flush()
    command = system_copier(sys.platform, environ)
    if command is not None:
        content = text.encode("ascii", "replace")
        threading.Thread(target=_feed, args=(command, content), daemon=True).start()


def system_copier(platform: str, environ: Mapping[str, str]) -> str | None:
    """The program that copies here; None: there is none that is always there, or whoever sits there is elsewhere."""
    if environ.get("SSH_CONNECTION") or platform not in _PROGRAMS:
        return None
    return _PROGRAMS[platform].format(SystemRoot=environ.get("SystemRoot", r"C:\Windows"))


def _feed(command: str, content: bytes) -> None:
    """Runs a program that reads ``content``; whether it can is not told."""
    import subprocess  # only here: the screen is drawn without

    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    nowhere = subprocess.DEVNULL
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(  # noqa: S603 # a program of the system, by its whole name
            [command], input=content, stdout=nowhere, stderr=nowhere, check=False, timeout=5, creationflags=hidden
        )


def format_copy(text: str, environ: Mapping[str, str]) -> str:
    """The control sequence that puts ``text`` into the clipboard of the terminal.

    Args:
        text: what is to be copied; many terminals take 74,994 bytes at most, an invite has a thousandth of it.
        environ: of the process. ``TMUX``, ``STY`` and ``TERM`` say what stands between us and the terminal.

    Source: xterm's control sequences, "Manipulate Selection Data"; tmux(1) under ``allow-passthrough``; screen(1) under
    "Virtual terminal", ``ESC P``.
    """
    plain = f"{_ESC}]52;c;{base64.b64encode(text.encode()).decode()}\a"
    term = environ.get("TERM", "")
    if environ.get("TMUX") or term.startswith("tmux"):
        # It takes the plain one if set-clipboard is on, and passes the wrapped one if allow-passthrough is on.
        return plain + f"{_ESC}Ptmux;{plain.replace(_ESC, _ESC * 2)}{_ESC}\\"
    if environ.get("STY") or term.startswith("screen"):
        chunks = (plain[start : start + _SCREEN_CHUNK] for start in range(0, len(plain), _SCREEN_CHUNK))
        return "".join(f"{_ESC}P{chunk}{_ESC}\\" for chunk in chunks)
    return plain
