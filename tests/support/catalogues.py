"""The catalogues of the client's texts: ``python -m tests.support.catalogues extract | update | compile``.

``extract`` reads the messages off the code into ``hocp2p.pot``; ``update`` brings the ``.po`` of every language to
exactly these messages, with the translations that there are; ``compile`` writes the ``.mo`` beside each, which the
client reads. Dates, versions and line numbers are left out, so that a file changes only where its messages do.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.frontend import parse_keywords
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import hocp2p
from hocp2p.ui.lang import DOMAIN, LANGUAGES

PACKAGE: Final = Path(hocp2p.__file__).parent
LOCALE: Final = PACKAGE / "locale"
TEMPLATE: Final = LOCALE / f"{DOMAIN}.pot"
TRANSLATED: Final = tuple(language for language in LANGUAGES if language != "en")

KEYWORDS: Final = parse_keywords(["_", "N_", "n_:1,2", "p_:1c,2"])
"""The functions of :mod:`hocp2p.ui.lang`, and which of their arguments are messages, or the context (c) of one."""
COMMENT_TAGS: Final = ("Translators:",)
WIDTH: Final = 120

HEADER: Final = (
    "# Texts of hocp2p. Places in braces, words to be typed and the French terms of the game stay as they are."
)
KEPT_HEADERS: Final = ("Language", "Plural-Forms", "MIME-Version", "Content-Type", "Content-Transfer-Encoding")
PLURALS: Final = {"fr": "nplurals=2; plural=(n > 1);"}
"""Where Babel has more forms than a count of cards can take."""


class _Undated(Catalog):
    """A catalogue whose head does not differ from one run to the next."""

    def __iter__(self) -> Iterator[Message]:
        head, *messages = super().__iter__()
        lines = (line for line in str(head.string).splitlines() if line.partition(":")[0] in KEPT_HEADERS)
        yield Message("", "".join(f"{line}\n" for line in lines))
        yield from messages


def extract() -> Catalog:
    """Every message of the package, in the order of files and lines, each with the files that have it."""
    catalogue = Catalog(domain=DOMAIN)
    for path in sorted(PACKAGE.rglob("*.py")):
        for _line, message, comments, context in extract_from_file("python", path, KEYWORDS, COMMENT_TAGS):
            where = (path.relative_to(PACKAGE.parent).as_posix(), 0)
            catalogue.add(message, None, [where], auto_comments=comments, context=context)
    return catalogue


def po_file(language: str) -> Path:
    """Where the translations into a language stand."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def mo_file(language: str) -> Path:
    """Where the client looks for them."""
    return po_file(language).with_suffix(".mo")


def load(language: str) -> Catalog:
    """The translations into a language, as they stand."""
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def updated(language: str, template: Catalog) -> Catalog:
    """Exactly the messages of ``template``, with the translations that there are; changed English has none."""
    catalogue = load(language) if po_file(language).exists() else _new(language)
    catalogue.update(template, no_fuzzy_matching=True, keep_user_comments=True)
    return catalogue


def is_translated(message: Message) -> bool:
    """Whether there is a translation, of all plural forms, and nobody doubts it."""
    strings = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return all(strings) and not message.fuzzy


def format_po(catalogue: Catalog) -> bytes:
    """A catalogue as the text of a ``.po`` or ``.pot`` file."""
    buffer = io.BytesIO()
    write_po(buffer, _undated(catalogue, list(catalogue)), width=WIDTH, ignore_obsolete=True, include_lineno=False)
    return buffer.getvalue()


def format_mo(catalogue: Catalog) -> bytes:
    """A catalogue as the bytes of a ``.mo`` file; what is not translated is left out, and so is English."""
    buffer = io.BytesIO()
    write_mo(buffer, _undated(catalogue, [message for message in catalogue if is_translated(message)]))
    return buffer.getvalue()


def main(steps: list[str]) -> int:
    """Does the steps in their order; none: all three."""
    for step in steps or ["extract", "update", "compile"]:
        if step == "extract":
            _write(TEMPLATE, format_po(extract()))
        elif step == "update":
            for language in TRANSLATED:
                _write(po_file(language), format_po(updated(language, extract())))
        elif step == "compile":
            for language in TRANSLATED:
                _write(mo_file(language), format_mo(load(language)))
        else:
            sys.stderr.write(f"there is no step {step!r}: extract, update, compile\n")
            return 2
    return 0


def _new(language: str) -> Catalog:
    catalogue = Catalog(locale=language, domain=DOMAIN)
    if language in PLURALS:
        catalogue.mime_headers = [("Plural-Forms", PLURALS[language])]
    return catalogue


def _undated(catalogue: Catalog, messages: list[Message]) -> Catalog:
    """A copy with these messages; the first of a catalogue is its head and is made anew."""
    copy = _Undated(locale=catalogue.locale, domain=DOMAIN, header_comment=HEADER, fuzzy=False)
    copy.mime_headers = [("Plural-Forms", catalogue.plural_forms)]
    for message in messages:
        if message.id:
            copy[message.id] = message
    return copy


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
