"""The commands that take a seat: ``host``, ``join`` and ``bot``."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hocp2p.cli.exits import Exit, exit_of_stop, sentence
from hocp2p.cli.faces import Face, choose_face, play_seat, write_line
from hocp2p.cli.language import speak
from hocp2p.cli.logs import keep_log
from hocp2p.cli.settings import Settings, read_settings
from hocp2p.cli.typed import load_script
from hocp2p.cli.values import login_name
from hocp2p.crypto.identity import Identity
from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.net.address import parse_address
from hocp2p.record.identity_file import claim_identity, new_identity
from hocp2p.record.paths import config_file, identity_file, state_dir
from hocp2p.record.session_record import SessionRecord
from hocp2p.session.client import Client
from hocp2p.session.guest import JoinOptions, join_table
from hocp2p.session.host import HostOptions, open_table
from hocp2p.session.runner import Keep
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import _
from hocp2p.ui.reports import farewell_line, lobby_line


def host(flags: Mapping[str, object]) -> int:
    """Opens a table and plays at it. Raises HocError; see :mod:`hocp2p.cli.exits`."""
    settings = _settings(flags)
    seats = _count_seats(settings)
    rules = Rules(deals=settings.deals)
    for name, value in settings.house.items():
        rules = rules.with_text(name, value)
    rules.verify_seats(seats)
    options = HostOptions(
        seats=seats,
        bots=settings.bots,
        level=settings.level,
        rules=rules,
        name=settings.name or login_name(),
        bind=settings.bind,
        port=settings.port,
        pace_s=settings.pace or 0.0,
    )
    with _identity(settings) as identity, _record(flags) as keep:
        return _sit(settings, lambda: open_table(options, identity, keep))


def join(flags: Mapping[str, object]) -> int:
    """Takes a seat at somebody's table. Raises HocError."""
    settings = _settings(flags)
    address = parse_address(str(flags["address"]))
    options = JoinOptions(address.host, address.port, settings.name or login_name())
    with _identity(settings) as identity, _record(flags) as keep:
        return _sit(settings, lambda: join_table(options, identity, keep))


def bot(flags: Mapping[str, object]) -> int:
    """Seats a bot at somebody's table and tells in lines what it does. Raises HocError."""
    settings = _settings({**flags, "name": None})  # a name that is set elsewhere is the owner's
    name = _settings(flags).name if flags["name"] is not None else None
    address = parse_address(str(flags["address"]))
    owner = settings.owner or settings.name or login_name()
    options = JoinOptions(address.host, address.port, name or "bot", settings.level, owner)
    watched = replace(settings, autopilot=settings.level, plain=True, script=None)
    with _record(flags) as keep:
        if flags["identity"] is None:
            return _sit(watched, lambda: join_table(options, new_identity(), keep))
        with _identity(settings) as identity:
            return _sit(watched, lambda: join_table(options, identity, keep))


def _settings(flags: Mapping[str, object]) -> Settings:
    settings = read_settings(flags, os.environ, config_file())
    speak(settings)
    return settings


def _count_seats(settings: Settings) -> int:
    """As many as asked for; else room for us and our bots. Raises LocalError when the bots leave no room for us."""
    seats = settings.seats if settings.seats is not None else max(2, settings.bots + 1)
    if settings.bots >= seats:
        needed = _("{bots} bots and you need {needed} seats, not {seats}")
        told = needed.format(bots=settings.bots, needed=settings.bots + 1, seats=seats)
        raise LocalError("bad-setting", told)
    return seats


@contextlib.contextmanager
def _identity(settings: Settings) -> Iterator[Identity]:
    path = settings.identity or identity_file()
    with claim_identity(path) as (identity, kept):
        if not kept:
            note = _("another hocp2p plays as {path}; this seat has an identity for this table only")
            sys.stderr.write(sentence(note.format(path=path)) + "\n")
        yield identity


@contextlib.contextmanager
def _record(flags: Mapping[str, object]) -> Iterator[Keep | None]:
    """Where the public record of the session is kept, if it is wanted. Raises LocalError when the file cannot be."""
    file = flags.get("record")
    if file is None:
        yield None
        return
    with SessionRecord(Path(str(file))) as record:
        yield record.keep


def _sit(settings: Settings, seat: Callable[[], AbstractAsyncContextManager[Client]]) -> int:
    """Plays the seat to its end and gives the exit code; a table that ended early is told on standard error."""
    face = choose_face(settings, os.environ, sys.stdin, sys.stdout)
    script = load_script(Path(settings.script)) if settings.script not in (None, "-") else None

    async def play() -> int:
        async with seat() as client:
            if face is Face.SCREEN and client.snapshot.hosting:
                write_line(lobby_line(client.snapshot))
            await play_seat(client, settings, face, script)
            snapshot = client.snapshot
        if face is Face.SCREEN and (farewell := farewell_line(snapshot)):
            write_line(farewell)
        if snapshot.stopped is None:
            return Exit.OK
        code = exit_of_stop(snapshot.stopped)
        if code is not Exit.OK:
            sys.stderr.write(sentence(translate_error(snapshot.stopped.message)) + "\n")
        return code

    with keep_log(state_dir()):
        return _run(play)


def _run(work: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Runs a seat; Ctrl-C, a closed terminal and SIGTERM cancel it, so that it leaves the table on its way out."""

    async def interruptible() -> int:
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and task is not None:
                with contextlib.suppress(ValueError, RuntimeError):  # not in the main thread
                    _on_signal(loop, number, task)
        return await work()

    try:
        return asyncio.run(interruptible())
    except (KeyboardInterrupt, asyncio.CancelledError):
        return Exit.INTERRUPTED


def _on_signal(loop: asyncio.AbstractEventLoop, number: int, task: asyncio.Task[int]) -> None:
    try:
        loop.add_signal_handler(number, task.cancel)
    except NotImplementedError:  # Windows
        signal.signal(number, lambda *_given: loop.call_soon_threadsafe(task.cancel))
