"""``hocp2p learn``: a practice deal of four minutes, explained as it goes, against bots that show their hands."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from hocp2p.cli.console import is_terminal
from hocp2p.cli.exits import Exit, exit_of_stop
from hocp2p.cli.faces import Face, choose_face, only_ascii, screen_options, write_line
from hocp2p.cli.language import speak
from hocp2p.cli.logs import keep_log
from hocp2p.cli.settings import Settings, read_settings
from hocp2p.cli.typed import each_line, load_script, read_stdin
from hocp2p.cli.values import login_name
from hocp2p.record.paths import config_file, state_dir
from hocp2p.session.loop import run_loop
from hocp2p.session.practice import PracticeClient, open_practice


def learn(flags: Mapping[str, object]) -> int:
    """Plays the practice deal and gives the exit code. Raises HocError."""
    settings = read_settings(flags, os.environ, config_file())
    speak(settings)
    face = choose_face(settings, os.environ, sys.stdin, sys.stdout)
    script = load_script(Path(settings.script)) if settings.script not in (None, "-") else None
    with keep_log(state_dir()):
        return run_loop(_practise(settings, face, script))


async def _practise(settings: Settings, face: Face, script: list[str] | None) -> int:
    async with open_practice(settings.level, name=settings.name or login_name()) as client:
        if face is Face.SCREEN:
            await _show_screen(client, settings)
        else:
            await _show_lines(client, settings, script)
        stopped = client.snapshot.stopped
    return Exit.OK if stopped is None else exit_of_stop(stopped)


async def _show_screen(client: PracticeClient, settings: Settings) -> None:
    from hocp2p.ui.lesson_screen import run_lesson_screen

    await run_lesson_screen(client, options=screen_options(settings))


async def _show_lines(client: PracticeClient, settings: Settings, script: list[str] | None) -> None:
    from hocp2p.ui.lesson_line import run_lesson_line
    from hocp2p.ui.line import Manners

    if script is None and sys.stdin is not None and not sys.stdin.closed:
        commands = read_stdin()
    else:
        commands = each_line(script or [])
    await run_lesson_line(
        client,
        commands=commands,
        out=write_line,
        json=settings.json,
        ascii=only_ascii(settings),
        manners=Manners(
            patient=settings.script is not None or not is_terminal(sys.stdin),
            strict=settings.script is not None,
        ),
    )
