"""Styled text measured in terminal cells. No terminal in here, and nothing wider than it says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

_NO_BREAK: Final = "\u00a0"
_BOUND: Final = re.compile("(?<=«) | (?=»)|(?<![:;]) (?=[:;!?](?: |$))")
"""Spaces of French: within its quotation marks, and before signs; not before the ``?`` that is a command."""


class Fragment(NamedTuple):
    """A piece of a line.

    Args:
        style: space-separated names of ``ui.theme``; empty: plain.
        text: one cell a character, except for wide letters in names and talk.
        key: the key that a click on it presses, as ``ui.keys.press`` takes it; empty: none.
    """

    style: str
    text: str
    key: str = ""


Line = tuple[Fragment, ...]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Everything drawn that is not a letter; one cell each.

    Args:
        ascii: whether only ASCII is drawn.
    """

    ascii: bool = False
    rule: str = "─"
    wall: str = "│"
    top: tuple[str, str] = ("╭", "╮")
    bottom: tuple[str, str] = ("╰", "╯")
    dash: str = "╌"
    back: str = "▒"
    pointer: str = "▸"
    dot: str = "·"
    cut: str = "…"
    done: str = "✓"


UNICODE = Glyphs()
ASCII = Glyphs(
    ascii=True,
    rule="-",
    wall="|",
    top=(".", "."),
    bottom=("'", "'"),
    dash="-",
    back="#",
    pointer=">",
    dot=".",
    cut="~",
    done="*",
)


KNOWN_SYMBOLS = "♠♥♦♣✓"


def cell_width(char: str) -> int:
    """Cells of one cleaned character: 2 for East Asian wide letters, else 1."""
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def text_width(text: str) -> int:
    """Cells of cleaned text."""
    return sum(map(cell_width, text))


def clean(text: str, *, ascii: bool = False) -> str:  # noqa: A002 - the name that the option has for people
    """Text that others chose, made safe to draw: no control, joining, direction or emoji characters.

    Letters keep their marks where one character holds both; what does not fit becomes ``?``.
    """
    return "".join(_clean_char(char, ascii) for char in unicodedata.normalize("NFC", text))


def _is_joining_jamo(char: str) -> bool:
    """Korean vowels and finals, which terminals draw into the cell before."""
    return "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7ff"


def _clean_char(char: str, ascii: bool) -> str:  # noqa: A002 - as above
    if " " <= char <= "~":
        return char
    category = unicodedata.category(char)
    if ascii or category[0] in "CMZ":
        return "?"
    if (cell_width(char) == 2 and category != "Lo") or _is_joining_jamo(char):
        return "?"
    if category == "So" and char not in KNOWN_SYMBOLS:
        return "?"  # emoji and the like: terminals do not agree on their width, nor do versions of Unicode
    return char


def clip(text: str, cells: int, cut: str = "…") -> str:
    """Text in at most ``cells`` cells; ``cut`` marks what was left out."""
    if text_width(text) <= cells:
        return text
    kept = ""
    for char in text:
        if text_width(kept + char) > cells - text_width(cut):
            break
        kept += char
    return kept + cut if cells > 0 else ""


def fitting(cells: int, *texts: str) -> str:
    """The first of the texts that has room; else the last, which should be the shortest."""
    return next((text for text in texts if text_width(text) <= cells), texts[-1])


def pad(text: str, cells: int, cut: str = "…", *, right: bool = False) -> str:
    """Text in exactly ``cells`` cells, clipped or filled with spaces; ``right`` puts it at the right edge."""
    text = clip(text, cells, cut)
    space = " " * (cells - text_width(text))
    return space + text if right else text + space


def line_width(line: Iterable[Fragment]) -> int:
    """Cells of a line."""
    return sum(text_width(fragment.text) for fragment in line)


def fit(line: Sequence[Fragment], cells: int, cut: str = "…", style: str = "") -> Line:
    """The line in exactly ``cells`` cells; ``style`` is the style of what is filled in."""
    missing = cells - line_width(line)
    if missing >= 0:
        return (*line, Fragment(style, " " * missing)) if missing else tuple(line)
    kept: list[Fragment] = []
    left = cells
    for fragment in line:
        if text_width(fragment.text) >= left:
            kept.append(fragment._replace(text=pad(fragment.text + " ", left, cut)))
            break
        kept.append(fragment)
        left -= text_width(fragment.text)
    return tuple(kept)


def plain(text: str, style: str = "") -> Line:
    """A line of one fragment."""
    return (Fragment(style, text),)


def wrap(text: str, cells: int, *, indent: int = 0) -> list[str]:
    """Cleaned text broken at spaces into rows of at most ``cells``; later rows begin with ``indent`` spaces."""
    rows: list[str] = []
    row = ""
    for word in bind(text).split(" "):
        joined = f"{row} {word}" if row.strip() else row + word
        if text_width(joined) <= cells:
            row = joined
            continue
        if row.strip():
            rows.append(row)
            row = " " * indent
        while text_width(row + word) > cells:
            head = clip(row + word, cells, "")
            taken = len(head) - len(row)
            if taken < 1 and row:
                row = ""  # a wide character beside the indent has no room: it goes without
                continue
            if taken < 1:
                break
            rows.append(head)
            word = word[taken:]
            row = " " * indent
        row += word
    return [unbind(row) for row in (*rows, row)]


def bind(text: str) -> str:
    """``« Hoc ! » : 1`` with spaces at which no line is broken, where French wants none to be; see ``unbind``."""
    return _BOUND.sub(_NO_BREAK, text)


def unbind(text: str) -> str:
    """Plain spaces again."""
    return text.replace(_NO_BREAK, " ")


def text_of(line: Iterable[Fragment]) -> str:
    """What the line says, without styles."""
    return "".join(fragment.text for fragment in line)
