"""Which face of the client opens, decided before prompt_toolkit is imported; and the seat played through it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Any, TextIO

from hocp2p.cli.console import is_terminal
from hocp2p.cli.settings import Settings
from hocp2p.cli.typed import each_line, read_stdin
from hocp2p.game.cards import SUIT_SYMBOLS
from hocp2p.session.client import Client
from hocp2p.ui.lang import _

if TYPE_CHECKING:  # prompt_toolkit is imported only where the full screen opens
    from hocp2p.ui.screen import ScreenOptions

Work = Coroutine[Any, Any, None]


class Face(Enum):
    """How the table is shown."""

    SCREEN = "screen"
    LINES = "lines"


def choose_face(settings: Settings, environ: Mapping[str, str], stdin: TextIO | None, stdout: TextIO | None) -> Face:
    """The full screen where there is a terminal on both sides that can do it and nobody asked for lines."""
    return Face.LINES if why_lines(settings, environ, stdin, stdout) else Face.SCREEN


def why_lines(settings: Settings, environ: Mapping[str, str], stdin: TextIO | None, stdout: TextIO | None) -> str:
    """Why the table is shown in lines, as the rest of a sentence; empty: the full screen opens."""
    asked = {"plain": settings.plain, "json": settings.json, "script": settings.script is not None}
    for name, is_set in asked.items():
        if is_set:
            return _("{setting} is set").format(setting=name)
    if environ.get("TERM", "") == "dumb":
        return _("TERM=dumb says that the terminal cannot move its cursor")
    if not is_terminal(stdin):
        return _("standard input is no terminal")
    if not is_terminal(stdout):
        return _("standard output is no terminal")
    return ""


def write_line(line: str) -> None:
    """One line to standard output, at once. Raises BrokenPipeError when nobody reads it any more."""
    _write_to(sys.stdout, line)


def write_beside(line: str) -> None:
    """One line to standard error, where standard output is for something else."""
    _write_to(sys.stderr, line)


def _write_to(stream: TextIO | None, line: str) -> None:
    if stream is not None:
        stream.write(line + "\n")
        stream.flush()


def only_ascii(settings: Settings) -> bool:
    """Asked for, or the output cannot show the suits."""
    return settings.ascii or not has_suits(getattr(sys.stdout, "encoding", None) or "ascii")


def has_suits(encoding: str) -> bool:
    """Whether suits can be written in an encoding."""
    try:
        SUIT_SYMBOLS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


async def play_seat(
    client: Client, settings: Settings, face: Face, script: list[str] | None, out: Callable[[str], None] = write_line
) -> None:
    """Shows the table and takes commands until it is over; with an autopilot, a bot plays meanwhile.

    Args:
        client: the seat.
        settings: of the command.
        face: see :func:`choose_face`.
        script: lines of a script file; None: none was given.
        out: takes the lines.
    """
    helpers: list[Work] = []
    if settings.autopilot is not None:
        from hocp2p.session.autopilot import drive

        helpers.append(drive(client, settings.autopilot, pace_s=settings.pace or 0.0))
    elif settings.yes and face is Face.SCREEN:
        helpers.append(_ready_at_once(client))
    showing = _show_screen(client, settings) if face is Face.SCREEN else _show_lines(client, settings, script, out)
    await _run_beside(showing, helpers)


def screen_options(settings: Settings) -> ScreenOptions:
    """How the full screen looks and feels by the settings."""
    from hocp2p.ui.screen import ScreenOptions

    options = ScreenOptions(
        ascii=only_ascii(settings),
        theme=settings.theme,
        suit_colours=settings.suit_colours,
        colour=settings.color,
        mouse=settings.mouse,
        bell=settings.bell,
        hints=settings.hints,
        auto_sans=settings.auto_sans,
        level=settings.level,
        pilot=settings.autopilot,
    )
    if settings.pace is not None:  # bots that think longer than that are shown as soon as they have moved
        options = replace(options, pace_s=min(settings.pace, options.pace_s))
    return options


async def _show_screen(client: Client, settings: Settings) -> None:
    from hocp2p.ui.screen import run_screen

    await run_screen(client, options=screen_options(settings))


async def _show_lines(client: Client, settings: Settings, script: list[str] | None, out: Callable[[str], None]) -> None:
    from hocp2p.ui.line import Manners, run_line

    commands: AsyncIterator[str] | None
    if script is not None:
        commands = each_line(script)
    elif sys.stdin is None or sys.stdin.closed:
        commands = None
    else:
        commands = read_stdin()
    await run_line(
        client,
        commands=commands,
        out=out,
        json=settings.json,
        ascii=only_ascii(settings),
        manners=Manners(
            patient=settings.script is not None or not is_terminal(sys.stdin),
            strict=settings.script is not None,
            autopilot=settings.autopilot is not None or commands is None,
            ready_at_once=settings.yes,
            hints=settings.hints,
            auto_sans=settings.auto_sans,
            level=settings.level,
            pilot=settings.autopilot,
        ),
    )


async def _ready_at_once(client: Client) -> None:
    """Signs the first proposal that comes."""
    changed = asyncio.Event()
    client.listen(lambda *_news: changed.set())
    while not client.snapshot.may_ready:
        changed.clear()
        await changed.wait()
    client.ready()


async def _run_beside(showing: Work, helpers: list[Work]) -> None:
    """Runs the face to its end, the helpers beside it; a helper that fails ends it all with its own error."""
    face = asyncio.create_task(showing)
    tasks = [face, *(asyncio.create_task(helper) for helper in helpers)]
    try:
        while not face.done():
            done, _pending = await asyncio.wait(
                [task for task in tasks if not task.done()], return_when=asyncio.FIRST_COMPLETED
            )
            if any(task.exception() for task in done):
                break
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in reversed(tasks):
        if not task.cancelled():
            task.result()
