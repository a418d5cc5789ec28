"""Which language a command speaks: ``--lang``, ``HOCP2P_LANG``, ``config.toml``, else the locale.

JSON is for programs and always English; so is ASCII, which has neither accents nor Cyrillic letters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hocp2p.ui.lang import LANGUAGES, use_language

TYPE_CHECKING = False
if TYPE_CHECKING:  # see hocp2p.cli.commands
    from hocp2p.cli.settings import Settings


def speak_early(argv: Sequence[str], environ: Mapping[str, str]) -> None:
    """Before the arguments are understood, so that help and complaints about them are in the right language too.

    What is no language is left for the settings to complain of.
    """
    wanted = environ.get("HOCP2P_LANG", "")
    for number, word in enumerate(argv):
        if word == "--lang" and number + 1 < len(argv):
            wanted = argv[number + 1]
        elif word.startswith("--lang="):
            wanted = word.removeprefix("--lang=")
    if "--json" in argv or "--ascii" in argv:
        wanted = "en"
    use_language(wanted if wanted in LANGUAGES else None)


def speak(settings: Settings) -> None:
    """Once the settings are known, the file among them."""
    if settings.json or settings.ascii:
        use_language("en")
    elif settings.lang is not None:
        use_language(settings.lang)
