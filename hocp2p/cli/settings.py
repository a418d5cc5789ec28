"""What the options of a command come to: flag, then environment ``HOCP2P_*``, then ``config.toml``, then default."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from hocp2p.cli.text_file import read_text
from hocp2p.cli.values import READERS
from hocp2p.errors import HocError, LocalError
from hocp2p.record.paths import known_keys_file, sessions_dir
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import _

Color = Literal["auto", "always", "never"]
Lang = Literal["en", "fr", "ru"]

DEFAULT_PORT: Final = 7411  # as in net.address, which is not imported for the sake of a default
HOUSE: Final = "house."
"""Before the name of a house rule, where each has its own place among the settings."""
NAMES: Final = frozenset(READERS) | {"house"}
VARIABLES: Final = {f"HOCP2P_{name.upper()}": name for name in sorted(NAMES)}


class Found(NamedTuple):
    """A value, and where it was set: a flag, a variable, or a key in a file."""

    value: Any
    origin: str


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
    open: bool = False
    lan: bool = True
    upnp: bool = False
    direct: bool = True
    advertise: str | None = None
    via: str | None = None
    house: dict[str, str] = field(default_factory=dict)
    autopilot: str | None = None
    pace: float | None = None
    plain: bool = False
    json: bool = False
    script: str | None = None
    ascii: bool = False
    color: Color = "auto"
    theme: str = "dark"
    suit_colours: int = 4
    mouse: bool = True
    bell: bool = True
    hints: bool = True
    auto_sans: bool = False
    lang: Lang | None = None
    yes: bool = False
    identity: Path | None = None

    @property
    def sessions(self) -> Path:
        """Folder of the seats that one can go back to."""
        return self._beside_identity(sessions_dir())

    @property
    def known_keys(self) -> Path:
        """File of the names and keys that we have met."""
        return self._beside_identity(known_keys_file())

    def _beside_identity(self, usual: Path) -> Path:
        """What belongs to an identity lies beside it, where that has a file of its own."""
        return usual if self.identity is None else self.identity.with_name(usual.name)


def read_settings(flags: Mapping[str, object], environ: Mapping[str, str], config: Path) -> Settings:
    """All settings, each from the first place that has it; house rules are joined switch by switch.

    Args:
        flags: by name of the setting; None: not given. Others than settings are left alone.
        environ: the environment.
        config: the file ``config.toml``, which need not exist.

    Raises:
        LocalError: ``bad-setting``, ``bad-config``: what is wrong and where it was set.
    """
    found = find_settings(flags, environ, config)
    house = {name.removeprefix(HOUSE): each.value for name, each in found.items() if name.startswith(HOUSE)}
    return Settings(**{name: each.value for name, each in found.items() if not name.startswith(HOUSE)}, house=house)


def find_settings(flags: Mapping[str, object], environ: Mapping[str, str], config: Path) -> dict[str, Found]:
    """All that was set anywhere, by name, house rules as ``house.NAME``; arguments and errors of ``read_settings``."""
    found: dict[str, Found] = {}
    for source in (_from_config(config), _from_environ(environ), _from_flags(flags)):
        for name, (text, origin) in source.items():
            if name == "house":
                found |= {HOUSE + key: Found(value, origin) for key, value in _read_house(text, origin).items()}
            else:
                found[name] = Found(_read(name, text, origin), origin)
    return found


_Source = dict[str, tuple[str, str]]  # by setting, its text and where it was set


def _from_flags(flags: Mapping[str, object]) -> _Source:
    found: _Source = {}
    for name, value in flags.items():
        if name in NAMES and value is not None:
            text = " ".join(value) if isinstance(value, list) else _text(value)
            found[name] = (text, f"--{name.replace('_', '-')}")
    return found


def _from_environ(environ: Mapping[str, str]) -> _Source:
    return {name: (environ[key], key) for key, name in VARIABLES.items() if environ.get(key)}


def _from_config(path: Path) -> _Source:
    try:
        content = tomllib.loads(read_text(path))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        told = _("{path} cannot be read: {reason}").format(path=path, reason=error.strerror)
        raise LocalError("bad-config", told) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LocalError("bad-config", _("{path} is not TOML: {reason}").format(path=path, reason=error)) from error
    found: _Source = {}
    for name, value in content.items():
        origin = _("{name} in {path}").format(name=name, path=path)
        if name not in NAMES or name == "script":
            told = _("{path} sets {name}, which is no setting; take it out or mend its name")
            raise LocalError("bad-config", told.format(path=path, name=repr(name)))
        if name == "house" and isinstance(value, dict):
            value = " ".join(f"{key}={_text(part)}" for key, part in value.items())
        if not isinstance(value, str | bool | int | float):
            told = _("{setting} must be a table") if name == "house" else _("{setting} must be a single value")
            raise LocalError("bad-config", told.format(setting=origin))
        found[name] = (_text(value), origin)
    return found


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(name: str, text: str, origin: str) -> object:
    try:
        return READERS[name](text)
    except HocError as error:
        # Translators: such as "--port" with "must be a number from 0 to 65535, not 'x'".
        told = _("{setting} {message}").format(setting=origin, message=translate_error(error.message))
        raise LocalError("bad-setting", told) from error


def _read_house(text: str, origin: str) -> dict[str, str]:
    """``KEY=VALUE`` words; each is checked alone here, and all together by whoever makes the rules of them."""
    from hocp2p.game.house import Rules

    found: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        try:
            if not equals:
                raise LocalError("bad-setting", _("wants KEY=VALUE, not {value}").format(value=repr(word)))
            if name == "deals":
                raise LocalError("bad-setting", _("does not set the number of deals: that is --deals"))
            Rules().with_text(name, value)
        except HocError as error:
            told = _("{setting}: {message}").format(setting=origin, message=translate_error(error.message))
            raise LocalError("bad-setting", told) from error
        found[name] = value
    return found
