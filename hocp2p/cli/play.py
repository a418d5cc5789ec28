"""The commands that take a seat: ``host``, ``join`` and ``bot``."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from hocp2p.cli.console import is_terminal
from hocp2p.cli.exits import Exit, exit_of_stop, sentence
from hocp2p.cli.faces import Face, choose_face, play_seat, write_beside, write_line
from hocp2p.cli.language import speak
from hocp2p.cli.logs import keep_log
from hocp2p.cli.meeting import find_in_network, join_options, lan_options, reach
from hocp2p.cli.settings import Settings, read_settings
from hocp2p.cli.typed import load_script
from hocp2p.cli.values import login_name
from hocp2p.crypto.identity import Identity
from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.net.address import parse_address
from hocp2p.net.invite import is_invite, parse_invite
from hocp2p.record.identity_file import claim_identity, new_identity
from hocp2p.record.known_keys import KnownKeys
from hocp2p.record.paths import config_file, identity_file, state_dir
from hocp2p.record.session_record import SessionRecord
from hocp2p.record.sessions import kept_seats, open_seats
from hocp2p.session.acquaintances import Acquaintances
from hocp2p.session.client import Client
from hocp2p.session.guest import JoinOptions, join_table
from hocp2p.session.host import HostOptions, open_table
from hocp2p.session.loop import run_loop
from hocp2p.session.recording import Recorder
from hocp2p.session.resume import ReturnOptions, find_seat, return_to
from hocp2p.session.ways import Paths
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.greetings import describe_kept, farewell_line, lobby_line
from hocp2p.ui.lang import _

KEPT_STAGES: Final = (Stage.DRAW, Stage.DEALING, Stage.DEAL)


def host(flags: Mapping[str, object]) -> int:
    """Opens a table and plays at it. Raises HocError; see :mod:`hocp2p.cli.exits`."""
    settings = _settings(flags)
    seats = _count_seats(settings)
    rules = Rules(deals=settings.deals)
    for name, value in settings.house.items():
        rules = rules.with_text(name, value)
    rules.verify_seats(seats)
    with _identity(settings) as identity, _record(flags) as record:
        options = HostOptions(
            seats=seats,
            bots=settings.bots,
            level=settings.level,
            rules=rules,
            name=settings.name or login_name(),
            bind=settings.bind,
            port=settings.port,
            pace_s=settings.pace or 0.0,
            invited_only=not settings.open,
            advertise=None if settings.advertise is None else parse_address(settings.advertise),
            lan=settings.lan,
            upnp=settings.upnp,
            via=settings.via,
            sessions=settings.sessions,
        )
        out = write_beside if flags.get("print_invite") else write_line
        return _sit(settings, lambda: open_table(options, identity, record), out)


def join(flags: Mapping[str, object]) -> int:
    """Takes a seat at somebody's table, or goes back to the one that we have there. Raises HocError."""
    settings = _settings(flags)
    if flags["address"] is None and not flags["lan"]:
        raise LocalError("bad-setting", _("where to? join takes an invite, HOST:PORT, or --lan"))
    known = KnownKeys(settings.known_keys)
    with _identity(settings) as identity, _record(flags) as record:
        name = settings.name or login_name()
        if flags["lan"]:
            wanted = None if flags["address"] is None else str(flags["address"])
            options = lan_options(find_in_network(wanted, identity), settings, name, settings.sessions)
        else:
            options = join_options(flags, settings, name, settings.sessions)
        ask = is_terminal(sys.stdin) and is_terminal(sys.stderr) and not settings.yes and settings.autopilot is None
        return _sit(settings, lambda: _reached(options, identity, record, known, ask=ask))


@contextlib.asynccontextmanager
async def _reached(
    options: JoinOptions, identity: Identity, record: Recorder | None, known: KnownKeys, *, ask: bool
) -> AsyncIterator[Client]:
    """The seat that we have kept at this host's table, or a new one."""
    link = await reach(options, known, ask=ask)
    kept = None if options.sessions is None else find_seat(options.sessions, identity.public, link.key)
    if kept is None or options.sessions is None:
        seat = join_table(options, identity, record, link)
    else:
        seat = return_to(
            kept, identity, ReturnOptions(options.sessions, options.paths, options.addresses), record, link
        )
    async with seat as client:
        yield client


def resume(flags: Mapping[str, object]) -> int:
    """Goes back to a seat that was not given up. Raises HocError."""
    settings = _settings({name: value for name, value in flags.items() if name not in ("which", "list", "at")})
    sessions = settings.sessions
    kept, wrong = open_seats(sessions), kept_seats(sessions)[1]
    for told in wrong:
        sys.stderr.write(sentence(translate_error(told)) + "\n")
    if flags["list"]:
        for number, each in enumerate(kept, start=1):
            write_line(describe_kept(number, each.about))
        return Exit.OK
    number = int(str(flags["which"] or 1)) if str(flags["which"] or 1).isdigit() else 0
    if not 1 <= number <= len(kept):
        none = _("no seat is kept: there is nothing to go back to")
        raise LocalError(
            "no-seat", _("there is no kept seat with that number; see hocp2p resume --list") if kept else none
        )
    chosen = kept[number - 1]
    at = str(flags["at"]) if flags["at"] is not None else ""
    addresses = (parse_invite(at).address if is_invite(at) else parse_address(at),) if at else ()
    port = settings.port if flags["port"] is not None else 0
    paths = Paths(settings.bind, port, settings.via, settings.direct)
    options = ReturnOptions(sessions, paths, addresses, settings.pace or 0.0)
    with contextlib.ExitStack() as stack:
        record = stack.enter_context(_record(flags))
        if chosen.about.seed:
            identity = Identity.from_seed(bytes.fromhex(chosen.about.seed))
            settings = replace(settings, autopilot=chosen.about.bot_level or None, plain=True)
        else:
            identity = stack.enter_context(_identity(settings))
        return _sit(settings, lambda: return_to(chosen, identity, options, record))


def bot(flags: Mapping[str, object]) -> int:
    """Seats a bot at somebody's table and tells in lines what it does. Raises HocError."""
    settings = _settings({**flags, "name": None})  # a name that is set elsewhere is the owner's
    name = _settings(flags).name if flags["name"] is not None else None
    owner = settings.owner or settings.name or login_name()
    options = join_options(flags, settings, name or "bot", settings.sessions)
    options = replace(options, bot_level=settings.level, owner=owner)
    watched = replace(settings, autopilot=settings.level, plain=True, script=None)
    with _record(flags) as record:
        if flags["identity"] is None:
            options = replace(options, keeps_identity=True)
            return _sit(watched, lambda: join_table(options, new_identity(), record))
        with _identity(settings) as identity:
            return _sit(watched, lambda: join_table(options, identity, record))


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
def _record(flags: Mapping[str, object]) -> Iterator[Recorder | None]:
    """Where the public record of the session is kept, if it is wanted. Raises LocalError when the file cannot be."""
    file = flags.get("record")
    if file is None:
        yield None
        return
    with SessionRecord(Path(str(file))) as record:
        yield record.keep


def _sit(
    settings: Settings,
    seat: Callable[[], AbstractAsyncContextManager[Client]],
    out: Callable[[str], None] = write_line,
) -> int:
    """Plays the seat to its end and gives the exit code; a table that ended early is told on standard error.

    Where lines go elsewhere (``out``), standard output gets the invite alone.
    """
    face = choose_face(settings, os.environ, sys.stdin, sys.stdout)
    script = load_script(Path(settings.script)) if settings.script not in (None, "-") else None

    async def play() -> int:
        client: Client | None = None
        try:
            async with seat() as client:
                if out is not write_line:
                    write_line(client.snapshot.invite)
                elif face is Face.SCREEN and client.snapshot.hosting and client.snapshot.address:
                    write_line(lobby_line(client.snapshot))
                Acquaintances(client, KnownKeys(settings.known_keys))
                await play_seat(client, settings, face, script, out)
        finally:  # only now what the face asked for last, such as to leave for good, has surely been done
            if client is not None and _is_kept(client.snapshot):
                sys.stderr.write(sentence(_("your seat is kept; go back to it with: hocp2p resume")) + "\n")
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


def _is_kept(snapshot: TableSnapshot) -> bool:
    """Whether one can come back to the seat."""
    return snapshot.stopped is None and snapshot.stage in KEPT_STAGES


def _run(work: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Runs a seat; Ctrl-C, Ctrl-Break, a closed terminal and SIGTERM cancel it: it leaves the table on its way out."""

    async def interruptible() -> int:
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
            number = getattr(signal, name, None)
            if number is not None and task is not None:
                with contextlib.suppress(ValueError, RuntimeError):  # not in the main thread
                    _on_signal(loop, number, task)
        return await work()

    try:
        return run_loop(interruptible())
    except (KeyboardInterrupt, asyncio.CancelledError):
        return Exit.INTERRUPTED


def _on_signal(loop: asyncio.AbstractEventLoop, number: int, task: asyncio.Task[int]) -> None:
    try:
        loop.add_signal_handler(number, task.cancel)
    except NotImplementedError:  # Windows
        signal.signal(number, lambda *_given: loop.call_soon_threadsafe(task.cancel))
