"""The seats that are kept: one folder each, with a journal and a description of whose seat it is and how to go back.

<sessions>/<first 16 digits of the table id>-<seat>/    about  journal  seeds/  lock
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from hocp2p.errors import LocalError
from hocp2p.record.private_files import replace_private

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
    try:
        replace_private(folder / ABOUT, json.dumps(asdict(about), indent=1, ensure_ascii=False).encode("utf-8"))
    except OSError as error:
        raise LocalError("journal-unwritable", f"{folder} cannot be written: {error.strerror}") from error


def read_about(folder: Path) -> About:
    """The description of a seat; what a later version has added is not looked at. Raises LocalError ``bad-about``."""
    try:
        content: Any = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        known = {each.name for each in fields(About)}
        given = {name: value for name, value in content.items() if name in known}
        about = About(**given)
        return replace(about, addresses=tuple(about.addresses), seat=int(about.seat), others=dict(about.others))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise LocalError("bad-about", f"the kept seat in {folder} is damaged; move that folder away") from error


def set_state(folder: Path, state: str) -> None:
    """Says whether one can go back to a seat. Raises LocalError."""
    write_about(folder, replace(read_about(folder), state=state))


def kept_seats(sessions: Path) -> tuple[list[Kept], list[str]]:
    """All seats that are kept, newest first, and what is wrong with others; those are left alone."""
    found: list[tuple[float, Kept]] = []
    wrong: list[str] = []
    for folder in sorted(sessions.iterdir()) if sessions.is_dir() else []:
        if not (folder / "journal").is_file():
            continue
        try:
            kept = Kept(folder, read_about(folder))
            found.append(((folder / "journal").stat().st_mtime, kept))
        except (LocalError, OSError) as error:
            wrong.append(str(error))
    return [kept for _, kept in sorted(found, key=lambda each: each[0], reverse=True)], wrong


def open_seats(sessions: Path) -> list[Kept]:
    """Seats that one can go back to, newest first; not those of bots in a host's process."""
    return [kept for kept in kept_seats(sessions)[0] if kept.about.state == OPEN and not kept.about.host]


def prune(sessions: Path) -> None:
    """Removes all but the newest of the seats that are over."""
    over = [kept for kept in kept_seats(sessions)[0] if kept.about.state != OPEN]
    for kept in over[KEPT_OVER:]:
        shutil.rmtree(kept.folder, ignore_errors=True)
