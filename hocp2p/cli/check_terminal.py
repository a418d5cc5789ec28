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

from hocp2p.cli.console import is_terminal
from hocp2p.cli.faces import only_ascii, why_lines
from hocp2p.cli.finding import Finding, note, ok
from hocp2p.cli.settings import Settings
from hocp2p.game.cards import SUIT_SYMBOLS
from hocp2p.ui.cells import UNICODE
from hocp2p.ui.lang import N_, _

TOPIC: Final = N_("terminal")
SMALLEST: Final = Size(rows=16, columns=60)
COMFORTABLE: Final = Size(rows=24, columns=80)
COLOURS: Final = {
    ColorDepth.DEPTH_1_BIT: N_("none"),
    ColorDepth.DEPTH_4_BIT: "16",
    ColorDepth.DEPTH_8_BIT: "256",
    ColorDepth.DEPTH_24_BIT: N_("16 million"),
}
WIDE_LANGUAGES: Final = ("zh", "ja", "ko")


def check_terminal(settings: Settings, stdin: TextIO | None, stdout: TextIO | None) -> Iterator[Finding]:
    """A finding for each; nothing is sent to the terminal, and there need not be one."""
    term = os.environ.get("TERM") or _("not set")
    why = why_lines(settings, os.environ, stdin, stdout)
    if why:
        told = _("a table would be shown in lines here, since {why} (TERM: {term})")
        yield note(TOPIC, told.format(why=why, term=term))
    else:
        yield ok(TOPIC, _("a table would be shown on the full screen here (TERM: {term})").format(term=term))
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
        return note(TOPIC, _("size: the terminal does not tell; make sure that it has {wanted}").format(wanted=wanted))
    size = f"{columns}x{rows}"
    if columns < SMALLEST.columns or rows < SMALLEST.rows:
        told = _("size: {size} is too small to draw the table; make it {wanted}")
        return note(TOPIC, told.format(size=size, wanted=wanted))
    if columns < COMFORTABLE.columns or rows < COMFORTABLE.rows:
        told = _("size: {size} is small; everything fits in {wanted}")
        return note(TOPIC, told.format(size=size, wanted=wanted))
    return ok(TOPIC, _("size: {size} is large enough").format(size=size))


def _check_colours(settings: Settings, stdout: TextIO | None) -> Finding:
    if settings.color != "auto":
        return ok(TOPIC, _("colours: {when}, as color is set").format(when=settings.color))
    if os.environ.get("NO_COLOR"):
        return ok(TOPIC, _("colours: none, since NO_COLOR is set; --color always goes before it"))
    if stdout is not None and is_terminal(stdout):
        depth = create_output(stdout).get_default_color_depth()
    else:  # what it would be in a terminal that is the one that TERM says
        output = Vt100_Output(io.StringIO(), lambda: COMFORTABLE, os.environ.get("TERM"))
        depth = ColorDepth.from_env() or output.get_default_color_depth()
    told = _("colours: {colours}, theme {theme}, the suits in {suits}")
    return ok(TOPIC, told.format(colours=_(COLOURS[depth]), theme=settings.theme, suits=settings.suit_colours))


def _check_letters(settings: Settings) -> Iterator[Finding]:
    if settings.ascii:
        yield ok(TOPIC, _("letters stand for suits, since ascii is set"))
        return
    if only_ascii(settings):
        told = _("the output's encoding has no suits, so letters stand for them; a UTF-8 locale has them")
        yield note(TOPIC, told)
        return
    broad = [glyph for glyph in glyphs() if get_cwidth(glyph) != 1]
    if broad:
        told = _("{signs} may not take one cell each; if the table looks crooked, use --ascii")
        yield note(TOPIC, told.format(signs=" ".join(broad)))
    elif _language() in WIDE_LANGUAGES:
        yield note(TOPIC, _("terminals of your language may draw suits two cells wide; if so, use --ascii"))
    yield ok(TOPIC, f"{glyphs()}|")
    told = _("{dots}| unless this bar stands right below the other, use --ascii")
    yield ok(TOPIC, told.format(dots="." * len(glyphs())))


def _language() -> str:
    """Two letters, by the locale."""
    found = (os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next((text[:2] for text in found if text), "")
