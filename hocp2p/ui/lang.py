"""The language that the client speaks. English is what stands in the code; catalogues translate it (gettext).

Whole sentences are translated, with named places for what is put in: ``_("{name} raises {by}").format(...)``. Tables of
words at module level are marked with :func:`N_` and translated when they are used. The French terms of the game
(*sans*, *brelan*, *c'est bon*) are kept in every language.
"""

from __future__ import annotations

import gettext
import os

TYPE_CHECKING = False
if TYPE_CHECKING:  # at run time the import of typing alone takes a tenth of the whole of hocp2p --help
    from typing import Final

LANGUAGES: Final = ("en", "fr", "ru")
DOMAIN: Final = "hocp2p"

_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(language: str | None) -> str:
    """Speaks ``language`` from now on, or that of the system's locale where it is None; gives which.

    Raises LocalError ``bad-language`` for one that there is no catalogue of.
    """
    global _catalogue
    chosen = _of_the_system() if language is None else language
    if chosen not in LANGUAGES:
        from hocp2p.errors import LocalError  # what most calls do not need is not loaded: help must come at once

        raise LocalError("bad-language", f"there is no language {chosen!r}: {', '.join(LANGUAGES)}")
    _catalogue = gettext.NullTranslations() if chosen == "en" else _load(chosen)
    return chosen


def _(message: str) -> str:
    """``message`` in the language in use."""
    return _catalogue.gettext(message) if message else message


def n_(one: str, many: str, count: int) -> str:
    """The form that fits ``count``, in the language in use."""
    return _catalogue.ngettext(one, many, count)


def p_(context: str, message: str) -> str:
    """``message`` where the same English means different things: ``context`` tells them apart for the translator."""
    return _catalogue.pgettext(context, message)


def N_(message: str) -> str:  # noqa: N802 # the name that extraction tools know
    """Marks a message for the catalogues; it is translated where it is used."""
    return message


def _of_the_system() -> str:
    """As gettext finds it: the first of its variables that is set; else what the system calls its locale."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return _language_of(value)
    import locale  # as above

    return _language_of(locale.getlocale()[0] or "")


def _language_of(code: str) -> str:
    """``fr_FR.UTF-8``, ``fr:en``, and ``French_France`` on Windows are French."""
    start = code.lower()
    known = {"fr": ("fr", "french"), "ru": ("ru", "russian")}
    for language, names in known.items():
        if any(start == name or start.startswith((name + "_", name + ".", name + ":")) for name in names):
            return language
    return "en"


def _load(language: str) -> gettext.NullTranslations:
    from importlib.resources import as_file, files  # as above

    with as_file(files("hocp2p") / "locale") as folder:
        return gettext.translation(DOMAIN, folder, [language])
