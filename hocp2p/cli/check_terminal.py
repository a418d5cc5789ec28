"""The terminal: which face of the client opens, how large, in how many colours, and whether the suits fit."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from dataclasses import astuple
from typing import Final, TextIO

from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.utils import get_cwidth

from hocp2p.cli.faces import is_terminal, only_ascii, why_lines
from hocp2p.cli.finding import Finding, note, ok
from hocp2p.cli.settings import Settings
from hocp2p.game.cards import SUIT_SYMBOLS
from hocp2p.ui.cells import UNICODE

TOPIC: Final = "terminal"
SMALLEST: Final = Size(rows=16, columns=60)
COMFORTABLE: Final = Size(rows=24, columns=80)
COLOURS: Final = {
    ColorDepth.DEPTH_1_BIT: "none",
    ColorDepth.DEPTH_4_BIT: "16",
    ColorDepth.DEPTH_8_BIT: "256",
    ColorDepth.DEPTH_24_BIT: "16 million",
}
WIDE_LANGUAGES: Final = ("zh", "ja", "ko")


def check_terminal(settings: Settings, stdin: TextIO | None, stdout: TextIO | None) -> Iterator[Finding]:
    """A finding for each; nothing is sent to the terminal, and there need not be one."""
    term = os.environ.get("TERM") or "not set"
    why = why_lines(settings, os.environ, stdin, stdout)
    if why:
        yield note(TOPIC, f"a table would be shown in lines here, since {why} (TERM: {term})")
    else:
        yield ok(TOPIC, f"a table would be shown on the full screen here (TERM: {term})")
    if stdout is not None and is_terminal(stdout):
        yield _check_size(stdout)
    yield _check_colours(settings, stdout)
    yield from _check_letters(settings)


def glyphs() -> str:
    """Everything drawn that is no letter: suits, rules, corners and marks."""
    drawn = [part for part in astuple(UNICODE) if not isinstance(part, bool)]
    return SUIT_SYMBOLS + "".join("".join(part) for part in drawn)


def _check_size(stdout: TextIO) -> Finding:
    try:
        columns, rows = os.get_terminal_size(stdout.fileno())
    except OSError:
        columns, rows = 0, 0
    wanted = f"{COMFORTABLE.columns}x{COMFORTABLE.rows}"
    if not columns or not rows:
        return note(TOPIC, f"size: the terminal does not tell; make sure that it has {wanted}")
    size = f"size: {columns}x{rows}"
    if columns < SMALLEST.columns or rows < SMALLEST.rows:
        return note(TOPIC, f"{size} is too small to draw the table; make it {wanted}")
    if columns < COMFORTABLE.columns or rows < COMFORTABLE.rows:
        return note(TOPIC, f"{size} is small; everything fits in {wanted}")
    return ok(TOPIC, f"{size} is large enough")


def _check_colours(settings: Settings, stdout: TextIO | None) -> Finding:
    if settings.color != "auto":
        return ok(TOPIC, f"colours: {settings.color}, as color is set")
    if os.environ.get("NO_COLOR"):
        return ok(TOPIC, "colours: none, since NO_COLOR is set; --color always goes before it")
    if stdout is not None and is_terminal(stdout):
        depth = create_output(stdout).get_default_color_depth()
    else:  # what it would be in a terminal that is the one that TERM says
        output = Vt100_Output(io.StringIO(), lambda: COMFORTABLE, os.environ.get("TERM"))
        depth = ColorDepth.from_env() or output.get_default_color_depth()
    return ok(TOPIC, f"colours: {COLOURS[depth]}, theme {settings.theme}, the suits in {settings.suit_colours}")


def _check_letters(settings: Settings) -> Iterator[Finding]:
    if settings.ascii:
        yield ok(TOPIC, "letters stand for suits, since ascii is set")
        return
    if only_ascii(settings):
        yield note(TOPIC, "the output's encoding has no suits, so letters stand for them; a UTF-8 locale has them")
        return
    broad = [glyph for glyph in glyphs() if get_cwidth(glyph) != 1]
    if broad:
        yield note(TOPIC, f"{' '.join(broad)} may not take one cell each; if the table looks crooked, use --ascii")
    elif _language() in WIDE_LANGUAGES:
        yield note(TOPIC, "terminals of your language may draw suits two cells wide; if so, use --ascii")
    yield ok(TOPIC, f"{glyphs()}|")
    yield ok(TOPIC, f"{'.' * len(glyphs())}| unless this bar stands right below the other, use --ascii")


def _language() -> str:
    """Two letters, by the locale."""
    found = (os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next((text[:2] for text in found if text), "")
