"""A language for tests that nobody speaks: every word is English with letters of its own around it, and longer.

What is drawn in it shows which texts are not translated, and where a language with longer words would not fit.
"""

from __future__ import annotations

import gettext
import io
import math
import re
from functools import cache
from typing import Final

from babel.messages import Catalog

from tests.support import catalogues

MARK: Final = "Ж"
"""The first letter of every word."""
FILL: Final = "ы"
LONGER: Final = 0.4

_PART: Final = re.compile(r"\{\w*\}|[^\W\d_]+")


def pseudo(text: str, longer: float = LONGER) -> str:
    """The text in the language; places in braces stay as they are.

    Args:
        text: a message.
        longer: by which part every word grows, at least.
    """
    return _PART.sub(lambda found: found[0] if found[0].startswith("{") else _word(found[0], longer), text)


@cache
def pseudo_language(longer: float = LONGER) -> gettext.NullTranslations:
    """All messages of the package in the language; argument as above."""
    catalogue = Catalog(locale="en")
    for message in catalogues.extract():
        if isinstance(message.id, str) and message.id:
            catalogue.add(message.id, pseudo(message.id, longer), context=message.context)
        elif message.id:
            forms = tuple(pseudo(form, longer) for form in message.id)
            catalogue.add(message.id, forms, context=message.context)
    return gettext.GNUTranslations(io.BytesIO(catalogues.format_mo(catalogue)))


def untranslated(text: str) -> set[str]:
    """Words of three letters and more that are not of the language, in small letters."""
    words = re.findall(r"[^\W\d_]{3,}", text)
    return {word.lower() for word in words if not word.upper().startswith(MARK)}


def _word(word: str, longer: float) -> str:
    return MARK + word + FILL * (math.ceil(longer * len(word)) - 1)
