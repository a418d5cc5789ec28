"""Copying by the terminal itself (OSC 52), which works over SSH, too. Nothing is written here, and no answer comes:
a terminal that does not do it stays silent, so what is copied should be shown as well.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Final

_ESC: Final = "\x1b"
_SCREEN_CHUNK: Final = 240
"""Characters that GNU screen passes on in one string; older versions cut at 256."""


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
