"""What the options of a command come to: flag, then environment ``HOCP2P_*``, then ``config.toml``, then default."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from hocp2p.errors import HocError, LocalError

Color = Literal["auto", "always", "never"]

MAX_NAME_CHARACTERS: Final = 24
MAX_PACE_S: Final = 10.0
DEFAULT_PORT: Final = 7411  # as in net.address, which is not imported for the sake of a default
YES: Final = ("1", "true", "yes", "on")
NO: Final = ("0", "false", "no", "off")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that may be set, checked. None: not set, and the default depends on something else."""

    seats: int | None = None
    bots: int = 0
    level: str = "novice"
    deals: int = 6
    name: str | None = None
    owner: str | None = None
    bind: str = ""
    port: int = DEFAULT_PORT
    house: dict[str, str] = field(default_factory=dict)
    autopilot: str | None = None
    pace: float | None = None
    plain: bool = False
    json: bool = False
    script: str | None = None
    ascii: bool = False
    color: Color = "auto"
    yes: bool = False
    identity: Path | None = None


def read_settings(flags: Mapping[str, object], environ: Mapping[str, str], config: Path) -> Settings:
    """All settings, each from the first place that has it; house rules are joined switch by switch.

    Args:
        flags: by name of the setting; None: not given. Others than settings are left alone.
        environ: the environment.
        config: the file ``config.toml``, which need not exist.

    Raises:
        LocalError: ``bad-setting``, ``bad-config``: what is wrong and where it was set.
    """
    values: dict[str, Any] = {}
    house: dict[str, str] = {}
    for source in (_from_config(config), _from_environ(environ), _from_flags(flags)):
        for name, (text, origin) in source.items():
            if name == "house":
                house |= _read_house(text, origin)
            else:
                values[name] = _read(name, text, origin)
    return Settings(**values, house=house)


_Source = dict[str, tuple[str, str]]  # by setting, its text and where it was set


def _from_flags(flags: Mapping[str, object]) -> _Source:
    found: _Source = {}
    for name, value in flags.items():
        if name in NAMES and value is not None:
            text = " ".join(value) if isinstance(value, list) else _text(value)
            found[name] = (text, f"--{name}")
    return found


def _from_environ(environ: Mapping[str, str]) -> _Source:
    variables = {name: f"HOCP2P_{name.upper()}" for name in NAMES}
    return {name: (environ[key], key) for name, key in variables.items() if environ.get(key)}


def _from_config(path: Path) -> _Source:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise LocalError("bad-config", f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LocalError("bad-config", f"{path} is not TOML: {error}") from error
    found: _Source = {}
    for name, value in content.items():
        origin = f"{name} in {path}"
        if name not in NAMES or name == "script":
            raise LocalError("bad-config", f"{path} sets {name!r}, which is no setting; take it out or mend its name")
        if name == "house" and isinstance(value, dict):
            value = " ".join(f"{key}={_text(part)}" for key, part in value.items())
        if not isinstance(value, str | bool | int | float):
            raise LocalError(
                "bad-config", f"{origin} must be a single value" if name != "house" else f"{origin} must be a table"
            )
        found[name] = (_text(value), origin)
    return found


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(name: str, text: str, origin: str) -> object:
    try:
        return READERS[name](text)
    except HocError as error:
        raise LocalError("bad-setting", f"{origin} {error.message}") from error


def _read_house(text: str, origin: str) -> dict[str, str]:
    """``KEY=VALUE`` words; each is checked alone here, and all together by whoever makes the rules of them."""
    from hocp2p.game.house import Rules

    found: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        try:
            if not equals:
                raise LocalError("bad-setting", f"wants KEY=VALUE, not {word!r}")
            if name == "deals":
                raise LocalError("bad-setting", "does not set the number of deals: that is --deals")
            Rules().with_text(name, value)
        except HocError as error:
            raise LocalError("bad-setting", f"{origin}: {error.message}") from error
        found[name] = value
    return found


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most):
            raise LocalError("bad-setting", f"must be a number from {least} to {most}, not {text!r}")
        return int(text)

    return read


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= MAX_PACE_S:
        raise LocalError("bad-setting", f"must be seconds from 0 to {MAX_PACE_S:g}, not {text!r}")
    return seconds


def _switch(text: str) -> bool:
    if text.lower() not in YES + NO:
        raise LocalError("bad-setting", f"must be 1 or 0, not {text!r}")
    return text.lower() in YES


def _color(text: str) -> str:
    if text not in ("auto", "always", "never"):
        raise LocalError("bad-setting", f"must be auto, always or never, not {text!r}")
    return text


def _level(text: str) -> str:
    from hocp2p.players.levels import LEVELS

    if text not in LEVELS:
        raise LocalError("bad-setting", f"must be one of {', '.join(LEVELS)}, not {text!r}")
    return text


def _name(text: str) -> str:
    from hocp2p.wire.text import is_showable

    if not 1 <= len(text) <= MAX_NAME_CHARACTERS or not is_showable(text):
        raise LocalError("bad-setting", f"must have 1 to {MAX_NAME_CHARACTERS} printable characters, not {text!r}")
    return text


def _some(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise LocalError("bad-setting", f"must not be empty or hold unprintable characters, not {text!r}")
    return text


READERS: Final[dict[str, Callable[[str], object]]] = {
    "seats": _number(2, 3),
    "bots": _number(0, 2),
    "level": _level,
    "deals": _number(1, 600),
    "name": _name,
    "owner": _name,
    "bind": _some,
    "port": _number(0, 65_535),
    "autopilot": _level,
    "pace": _seconds,
    "plain": _switch,
    "json": _switch,
    "script": _some,
    "ascii": _switch,
    "color": _color,
    "yes": _switch,
    "identity": lambda text: Path(_some(text)).expanduser(),
}
NAMES: Final = frozenset(READERS) | {"house"}


def login_name() -> str:
    """Who is logged in, made fit to be a player's name; ``player`` where that cannot be told."""
    import getpass

    from hocp2p.wire.text import clean_text

    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user, no way to ask
        name = ""
    return clean_text(name, MAX_NAME_CHARACTERS) or "player"
