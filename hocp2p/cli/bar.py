"""How far long work is, drawn on a terminal."""

from __future__ import annotations

import os
import time
from typing import Final, TextIO

from hocp2p.cli.commands import FALLBACK_COLUMNS
from hocp2p.cli.console import is_terminal, takes_escapes
from hocp2p.ui.lang import _
from hocp2p.ui.numbers import whole

BAR_CELLS: Final = 24
REDRAW_S: Final = 0.2


class Bar:
    """One line, redrawn as the work goes on; elsewhere than on a terminal nothing.

    Args:
        whole: how much there is to do.
        stream: where it is drawn.
    """

    def __init__(self, whole: int, stream: TextIO) -> None:
        self._whole = whole
        self._stream = stream if is_terminal(stream) and takes_escapes(stream) else None
        self._began_s = self._drawn_s = time.monotonic()

    def show(self, done: int, note: str = "") -> None:
        """Draws it again, unless that was just done.

        Args:
            done: how much is done, at least 1.
            note: what is said beside it.
        """
        now_s = time.monotonic()
        if self._stream is None or (now_s - self._drawn_s < REDRAW_S and done < self._whole):
            return
        self._drawn_s = now_s
        left_s = round((now_s - self._began_s) * (self._whole - done) / done)
        full = BAR_CELLS * done // self._whole
        left = _("{minutes}:{seconds:02} left").format(minutes=left_s // 60, seconds=left_s % 60)
        bar = "#" * full + "." * (BAR_CELLS - full)
        line = f"[{bar}] {whole(done)}/{whole(self._whole)}  {left}{note and f'  {note}'}"
        self._stream.write(f"\r{line[: _columns(self._stream) - 1]}\x1b[K")  # of two lines one would stay
        self._stream.flush()

    def clear(self) -> None:
        """Takes it away."""
        if self._stream is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def _columns(stream: TextIO) -> int:
    """How wide a terminal is; 80 where it does not tell."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or FALLBACK_COLUMNS
    except OSError:
        return FALLBACK_COLUMNS
