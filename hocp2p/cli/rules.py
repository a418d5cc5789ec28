"""``hocp2p rules``: the rules as text, whole or searched; a page at a time where somebody sits at a terminal."""

from __future__ import annotations

import os
import pydoc
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hocp2p.cli.console import is_terminal, takes_escapes
from hocp2p.cli.faces import has_suits, only_ascii
from hocp2p.cli.language import speak
from hocp2p.cli.settings import Settings, read_settings
from hocp2p.errors import LocalError
from hocp2p.game.cards import SUIT_LETTERS, SUIT_SYMBOLS
from hocp2p.record.paths import config_file
from hocp2p.ui.lang import _, p_
from hocp2p.ui.rulebook import Section, Term, format_rulebook, format_section, sections

MAX_WIDTH: Final = 100
Chapter = tuple[int, Section]
Mark = Callable[[str], str]


def show_rules(flags: Mapping[str, object]) -> int:
    """Prints the rules, or what was asked of them.

    Raises:
        LocalError: ``no-section``; and what ``read_settings`` raises.
        BrokenPipeError: nobody reads them to the end.
    """
    settings = read_settings(flags, os.environ, config_file())
    speak(settings)
    columns, rows = shutil.get_terminal_size()
    width = min(columns, MAX_WIDTH)
    terminal = is_terminal(sys.stdin) and is_terminal(sys.stdout) and not settings.plain
    section, given = flags["section"], flags["words"]
    words = [str(word) for word in given] if isinstance(given, list) else []
    chosen = list(enumerate(sections(), 1)) if section is None else _choose(str(section))
    if flags["list"]:
        text = _list(chosen)
    elif words:
        found = search(chosen, words)
        text = format_chapters(found, width) if found else _nothing(words, chosen)
    else:
        text = format_rulebook(width) if section is None else format_chapters(chosen, width)
    paged = terminal and text.count("\n") >= rows
    if only_ascii(settings) or (paged and not _pager_has_suits()):
        text = text.translate(str.maketrans(SUIT_SYMBOLS, SUIT_LETTERS))
    if words and terminal and _may_mark(settings) and (paged or takes_escapes(sys.stdout)):
        text = highlight(text, words, _overstrike if paged else _bold)
    if paged:
        pydoc.pager(text)
    else:
        sys.stdout.write(text)
    return 0


def search(chapters: Sequence[Chapter], words: Sequence[str]) -> list[Chapter]:
    """The paragraphs, with the terms under them, that hold all of the words, in either case, accents or not.

    Where none of a section does, the words of its title count, too: a section may be called by its name.
    """
    found: list[Chapter] = []
    for number, section in chapters:
        blocks = _blocks(section)
        holding = [block for block in blocks if _holds(_text(block), words)]
        holding = holding or [block for block in blocks if _holds(f"{section.title}\n{_text(block)}", words)]
        if holding:
            found.append((number, Section(section.title, tuple(part for block in holding for part in block))))
    return found


def format_chapters(chapters: Sequence[Chapter], width: int) -> str:
    """Headings and paragraphs as in the whole book."""
    blocks = [block for number, section in chapters for block in format_section(number, section, width)]
    return "\n\n".join(blocks) + "\n"


def highlight(text: str, words: Sequence[str], mark: Mark) -> str:
    """Marks the words wherever they stand, line by line where one is broken over two."""
    pattern = re.compile("|".join(_pattern(word) for word in words))
    pieces: list[str] = []
    end = 0
    for match in pattern.finditer(_fold(text)):
        piece = text[match.start() : match.end()]
        pieces += [text[end : match.start()], "\n".join(mark(line) for line in piece.split("\n"))]
        end = match.end()
    return "".join(pieces) + text[end:]


def _choose(name: str) -> list[Chapter]:
    """The section of this number, or those with this in their name. Raises LocalError."""
    chosen = [
        (number, section)
        for number, section in enumerate(sections(), 1)
        if name == str(number) or (name.strip() and not name.isdigit() and _holds(section.title, [name]))
    ]
    if not chosen:
        raise LocalError(
            "no-section", _("the rules have no section {name}; hocp2p rules --list names all").format(name=repr(name))
        )
    return chosen


def _list(chapters: Sequence[Chapter]) -> str:
    return "".join(f"{number:2}. {section.title}\n" for number, section in chapters)


def _nothing(words: Sequence[str], chapters: Sequence[Chapter]) -> str:
    sought = (" " + p_("between words looked for", "and") + " ").join(repr(word) for word in words)
    told = _("nothing found: no paragraph has {words}. These are the sections:").format(words=sought)
    return f"{told}\n{_list(chapters)}"


def _blocks(section: Section) -> list[list[str | Term]]:
    """Paragraphs, each with the terms that stand under it."""
    blocks: list[list[str | Term]] = []
    for part in section.body:
        if isinstance(part, str):
            blocks.append([part])
        else:
            blocks[-1].append(part)
    return blocks


def _text(block: Sequence[str | Term]) -> str:
    return "\n".join(map(str, block))


def _holds(text: str, words: Sequence[str]) -> bool:
    folded = _fold(text)
    return all(re.search(_pattern(word), folded) for word in words)


def _pattern(word: str) -> str:
    """Several words in one are found across a line end, too."""
    return r"\s+".join(map(re.escape, _fold(word).split())) or r"(?!)"


def _fold(text: str) -> str:
    """In lower case and without accents, letter by letter, so that places in it are places in the text."""
    return "".join(unicodedata.normalize("NFD", letter)[0].lower()[0] for letter in text)


def _may_mark(settings: Settings) -> bool:
    if settings.color == "auto":
        return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return settings.color == "always"


def _pager_has_suits() -> bool:
    """``more`` of Windows reads the console's own encoding, which pydoc writes for it."""
    encoding = os.device_encoding(0) if sys.platform == "win32" else None
    return encoding is None or has_suits(encoding)


def _bold(text: str) -> str:
    """Underlined, too; the spaces that begin a broken line are left alone."""
    word = text.lstrip(" ")
    return " " * (len(text) - len(word)) + f"\x1b[1;4m{word}\x1b[22;24m"


def _overstrike(text: str) -> str:
    """Bold as pagers have understood it since they followed typewriters; pydoc takes it out for those that do not."""
    return "".join(letter if letter == " " else f"{letter}\b{letter}" for letter in text)
