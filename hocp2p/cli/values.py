"""What the text of a setting may be: its reader gives the value, or says what it must be."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hocp2p.errors import LocalError
from hocp2p.ui.lang import _

MAX_NAME_CHARACTERS: Final = 24
MAX_PACE_S: Final = 10.0
MAX_DIGITS: Final = 9
YES: Final = ("1", "true", "yes", "on")
NO: Final = ("0", "false", "no", "off")

Reader = Callable[[str], object]
"""Raises LocalError ``bad-setting`` with a message that goes on from the setting's name: ``must be ...``."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words.

    Args:
        words: gives them; called late, since some are known to layers that help must not wait for.
        make: makes the value of a word.
    """

    words: Callable[[], tuple[str, ...]]
    make: Callable[[str], object] = str

    def __call__(self, text: str) -> object:
        """The value."""
        if text not in self.words():
            told = _("must be one of {words}, not {value}").format(words=", ".join(self.words()), value=repr(text))
            raise LocalError("bad-setting", told)
        return self.make(text)


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, written in digits."""

    least: int
    most: int

    def __call__(self, text: str) -> int:
        """The value."""
        digits = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
        if not (digits and self.least <= int(text) <= self.most):
            told = _("must be a number from {least} to {most}, not {value}")
            raise LocalError("bad-setting", told.format(least=self.least, most=self.most, value=repr(text)))
        return int(text)


def _levels() -> tuple[str, ...]:
    from hocp2p.players.levels import LEVELS

    return LEVELS


def _themes() -> tuple[str, ...]:
    from hocp2p.ui.theme import THEMES

    return THEMES


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= MAX_PACE_S:
        told = _("must be seconds from 0 to {most}, not {value}")
        raise LocalError("bad-setting", told.format(most=f"{MAX_PACE_S:g}", value=repr(text)))
    return seconds


def _switch(text: str) -> bool:
    if text.lower() not in YES + NO:
        raise LocalError("bad-setting", _("must be 1 or 0, not {value}").format(value=repr(text)))
    return text.lower() in YES


def _name(text: str) -> str:
    from hocp2p.wire.text import is_showable

    if not 1 <= len(text) <= MAX_NAME_CHARACTERS or not is_showable(text):
        told = _("must have 1 to {most} printable characters, not {value}")
        raise LocalError("bad-setting", told.format(most=MAX_NAME_CHARACTERS, value=repr(text)))
    return text


def _address(text: str) -> str:
    from hocp2p.net.address import parse_address

    return str(parse_address(_some(text)))


def _proxy(text: str) -> str:
    from hocp2p.net.proxy import parse_proxy

    return str(parse_proxy(_some(text)))


def _some(text: str) -> str:
    if not text.strip() or not text.isprintable():
        told = _("must not be empty or hold unprintable characters, not {value}")
        raise LocalError("bad-setting", told.format(value=repr(text)))
    return text


READERS: Final[dict[str, Reader]] = {
    "seats": Number(2, 3),
    "bots": Number(0, 2),
    "level": Choice(_levels),
    "deals": Number(1, 600),
    "name": _name,
    "owner": _name,
    "bind": _some,
    "port": Number(0, 65_535),
    "open": _switch,
    "lan": _switch,
    "upnp": _switch,
    "direct": _switch,
    "advertise": _address,
    "via": _proxy,
    "autopilot": Choice(_levels),
    "pace": _seconds,
    "plain": _switch,
    "json": _switch,
    "script": _some,
    "ascii": _switch,
    "color": Choice(lambda: ("auto", "always", "never")),
    "theme": Choice(_themes),
    "suit_colours": Choice(lambda: ("2", "4"), int),
    "mouse": _switch,
    "bell": _switch,
    "hints": _switch,
    "auto_sans": _switch,
    "lang": Choice(lambda: ("en", "fr", "ru")),
    "yes": _switch,
    "identity": lambda text: Path(_some(text)).expanduser(),
}
"""By name, every setting but the house rules, which have their own texts in :mod:`hocp2p.game.house`."""


def login_name() -> str:
    """Who is logged in, made fit to be a player's name; ``player`` where that cannot be told."""
    import getpass

    from hocp2p.wire.text import clean_text

    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user, no way to ask
        name = ""
    return clean_text(name, MAX_NAME_CHARACTERS) or "player"
