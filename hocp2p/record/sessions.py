"""The seats that are kept: one folder each, with a journal and a description of whose seat it is and how to go back.

<sessions>/<first 16 digits of the table id>-<seat>/    about  journal  seeds/  lock
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from hocp2p.errors import LocalError
from hocp2p.record.journal import JOURNAL, SEEDS
from hocp2p.record.private_files import erase_private, replace_private

OPEN, ENDED, LEFT = "open", "ended", "left"
"""States of a seat: one can go back to it; its session is over; it was given up."""
KEPT_OVER: Final = 20  # seats that are over and still kept
ABOUT: Final = "about"


@dataclass(frozen=True, slots=True)
class About:
    """Whose seat it is.

    Args:
        table: id of the table, 64 hexadecimal digits.
        seat: index.
        key: identity key of the seat, hexadecimal.
        name: of the player.
        title: of the table.
        others: the other seats, identity key (hexadecimal) to name.
        bot_level: empty for a person.
        owner: who runs the bot, else empty.
        addresses: where the others were found, ``HOST:PORT``.
        bind, port: where we listened; None: nowhere.
        secret: of our invite, hexadecimal; empty: none.
        host: identity key (hexadecimal) of the host, in whose process a bot of his plays; empty for all others.
        seed: of an identity of its own, hexadecimal; empty: the seat is that of the identity file.
        state: ``open``, ``ended`` or ``left``.
        since: when it began, ISO 8601 in UTC.
        more: what a later version has written beside these, kept as it is.
    """

    table: str
    seat: int
    key: str
    name: str
    title: str
    others: dict[str, str]
    bot_level: str = ""
    owner: str = ""
    addresses: tuple[str, ...] = ()
    bind: str = ""
    port: int | None = None
    secret: str = field(default="", repr=False)
    host: str = ""
    seed: str = field(default="", repr=False)
    state: str = OPEN
    since: str = ""
    more: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Kept:
    """A seat that was found."""

    folder: Path
    about: About


def folder_of(sessions: Path, about: About) -> Path:
    """The folder of a seat."""
    return sessions / f"{about.table[:16]}-{about.seat}"


def write_about(folder: Path, about: About) -> None:
    """Describes a seat. Raises LocalError ``journal-unwritable``."""
    known = asdict(about)
    content = known.pop("more") | known
    try:
        replace_private(folder / ABOUT, json.dumps(content, indent=1, ensure_ascii=False).encode("utf-8"))
    except OSError as error:
        raise _unwritable(folder, error) from error


def read_about(folder: Path) -> About:
    """The description of a seat. Raises LocalError ``bad-about``."""
    try:
        content: Any = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        if not isinstance(content, dict):
            raise TypeError("not an object")
        given: dict[str, Any] = {name: _FIELDS[name](content.pop(name)) for name in _FIELDS if name in content}
        return About(**given, more=content)
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise LocalError("bad-about", f"the kept seat in {folder} is damaged; move that folder away") from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _digits(value: Any) -> str:
    bytes.fromhex(_text(value))
    return _text(value)


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:  # a bool is no number here
        raise TypeError("not a number")
    return value


def _number_or_none(value: Any) -> int | None:
    return None if value is None else _number(value)


def _names(value: Any) -> dict[str, str]:
    return {_digits(key): _text(name) for key, name in dict(value).items()}


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return tuple(_text(each) for each in value)


_SPECIAL: Final[dict[str, Callable[[Any], Any]]] = {
    "table": _digits,
    "seat": _number,
    "key": _digits,
    "others": _names,
    "addresses": _texts,
    "port": _number_or_none,
    "secret": _digits,
    "host": _digits,
    "seed": _digits,
}
_FIELDS: Final[dict[str, Callable[[Any], Any]]] = {
    each.name: _SPECIAL.get(each.name, _text) for each in fields(About) if each.name != "more"
}


def set_state(folder: Path, state: str) -> None:
    """Says whether one can go back to a seat; the deck seeds of one to which one cannot are destroyed.

    Raises LocalError ``bad-about``, ``journal-unwritable``.
    """
    write_about(folder, replace(read_about(folder), state=state))
    if state == OPEN:
        return
    try:
        for path in (folder / SEEDS).glob("*"):
            erase_private(path)
    except OSError as error:
        raise _unwritable(folder, error) from error


def kept_seats(sessions: Path) -> tuple[list[Kept], list[str]]:
    """All seats that are kept, newest first, and what is wrong with others; those are left alone."""
    found: list[tuple[float, Kept]] = []
    wrong: list[str] = []
    try:
        folders = sorted(sessions.iterdir())
    except FileNotFoundError:
        return [], []
    except OSError as error:
        return [], [f"the kept seats in {sessions} cannot be read: {error.strerror}"]
    for folder in folders:
        try:
            changed_s = (folder / JOURNAL).stat().st_mtime
            (folder / ABOUT).stat()
            found.append((changed_s, Kept(folder, read_about(folder))))
        except (FileNotFoundError, NotADirectoryError):
            continue  # nothing that was signed there has been sent
        except (LocalError, OSError) as error:
            wrong.append(str(error))
    found.sort(key=lambda each: each[0], reverse=True)
    return [kept for _, kept in found], wrong


def open_seats(sessions: Path) -> list[Kept]:
    """Seats that one can go back to, newest first; not those of bots in a host's process."""
    return [kept for kept in kept_seats(sessions)[0] if kept.about.state == OPEN and not kept.about.host]


def prune(sessions: Path, keep: int = KEPT_OVER) -> None:
    """Removes all but the newest ``keep`` of the seats that are over. What is damaged, and seats still open, stay."""
    over = [kept for kept in kept_seats(sessions)[0] if kept.about.state in (ENDED, LEFT)]
    for kept in over[keep:]:
        shutil.rmtree(kept.folder, ignore_errors=True)


def _unwritable(folder: Path, error: OSError) -> LocalError:
    return LocalError("journal-unwritable", f"{folder} cannot be written ({error.strerror}); make room or mend it")
