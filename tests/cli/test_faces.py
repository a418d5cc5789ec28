"""Which face opens, and what runs beside it."""

from __future__ import annotations

import asyncio
import io
import sys
from dataclasses import replace
from typing import Any

import pytest

from hocp2p.cli import faces
from hocp2p.cli.faces import Face, choose_face, only_ascii, play_seat, why_lines
from hocp2p.cli.settings import Settings
from hocp2p.table.events import TableStopped
from hocp2p.table.snapshot import Stage
from hocp2p.ui import line as line_mode
from hocp2p.ui import screen
from tests.support.fake_client import FakeClient


class Terminal(io.StringIO):
    """Says that somebody sits there."""

    def isatty(self) -> bool:
        return True


class Output(io.TextIOWrapper):
    """A file with an encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)


@pytest.mark.parametrize(
    ("settings", "term", "stdin", "stdout", "face"),
    [
        (Settings(), "xterm", Terminal(), Terminal(), Face.SCREEN),
        (Settings(), None, Terminal(), Terminal(), Face.SCREEN),
        (Settings(autopilot="novice"), "xterm", Terminal(), Terminal(), Face.SCREEN),
        (Settings(), "dumb", Terminal(), Terminal(), Face.LINES),
        (Settings(plain=True), "xterm", Terminal(), Terminal(), Face.LINES),
        (Settings(json=True), "xterm", Terminal(), Terminal(), Face.LINES),
        (Settings(script="-"), "xterm", Terminal(), Terminal(), Face.LINES),
        (Settings(), "xterm", io.StringIO(), Terminal(), Face.LINES),
        (Settings(), "xterm", Terminal(), io.StringIO(), Face.LINES),
        (Settings(), "xterm", None, Terminal(), Face.LINES),
        (Settings(), "xterm", Terminal(), None, Face.LINES),
    ],
)
def test_the_choice_of_a_face(settings: Settings, term: str | None, stdin: Any, stdout: Any, face: Face) -> None:
    environ = {} if term is None else {"TERM": term}
    assert choose_face(settings, environ, stdin, stdout) is face


@pytest.mark.parametrize(
    ("settings", "term", "stdin", "stdout", "why"),
    [
        (Settings(), "xterm", Terminal(), Terminal(), ""),
        (Settings(plain=True), "xterm", Terminal(), Terminal(), "plain is set"),
        (Settings(json=True), "xterm", Terminal(), Terminal(), "json is set"),
        (Settings(script="-"), "xterm", Terminal(), Terminal(), "script is set"),
        (Settings(), "dumb", Terminal(), Terminal(), "TERM=dumb says that the terminal cannot move its cursor"),
        (Settings(), "xterm", None, Terminal(), "standard input is no terminal"),
        (Settings(), "xterm", Terminal(), io.StringIO(), "standard output is no terminal"),
    ],
)
def test_why_lines_are_chosen(settings: Settings, term: str, stdin: Any, stdout: Any, why: str) -> None:
    assert why_lines(settings, {"TERM": term}, stdin, stdout) == why


def test_the_screen_looks_as_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[screen.ScreenOptions] = []

    async def run_screen(_: Any, *, options: screen.ScreenOptions) -> None:
        shown.append(options)

    monkeypatch.setattr(screen, "run_screen", run_screen)
    monkeypatch.setattr(sys, "stdout", Output("utf-8"))
    look = Settings(theme="light", suit_colours=2, color="always", ascii=True)
    settings = replace(
        look, mouse=False, bell=False, hints=False, auto_sans=True, pace=0.1, level="club", autopilot="novice"
    )
    for each in (Settings(), settings):
        asyncio.run(play_seat(FakeClient(), each, Face.SCREEN, None))
    assert shown == [
        screen.ScreenOptions(),
        screen.ScreenOptions(
            ascii=True,
            theme="light",
            suit_colours=2,
            colour="always",
            mouse=False,
            bell=False,
            pace_s=0.1,
            hints=False,
            auto_sans=True,
            level="club",
            pilot="novice",
        ),
    ]


@pytest.mark.parametrize(
    ("encoding", "asked", "ascii_only"),
    [("utf-8", False, False), ("utf-8", True, True), ("ascii", False, True), ("latin-1", False, True)],
)
def test_suits_that_the_output_cannot_show(
    monkeypatch: pytest.MonkeyPatch, encoding: str, asked: bool, ascii_only: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", Output(encoding))
    assert only_ascii(Settings(ascii=asked)) is ascii_only


def test_an_autopilot_plays_the_seat(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    client = FakeClient()
    asyncio.run(play_seat(client, Settings(autopilot="novice"), Face.LINES, None))
    assert client.snapshot.stage is Stage.ENDED
    out = capsys.readouterr().out
    assert out.splitlines()[-1].startswith("the session is over")
    assert "turn you" not in out


def test_a_script_plays_the_seat(capsys: pytest.CaptureFixture[str]) -> None:
    client = FakeClient(seed=5)
    settings = Settings(script="a file", ascii=True)
    asyncio.run(play_seat(client, settings, Face.LINES, ["ready", "good", "quit"]))
    assert client.snapshot.stopped == TableStopped("left", "you left the table")
    assert "\n> good\nok good\n" in capsys.readouterr().out


def test_ready_at_once_on_the_full_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    async def show(client: FakeClient, _: Settings) -> None:
        signed = asyncio.Event()
        client.listen(lambda *_: signed.set())
        await signed.wait()

    monkeypatch.setattr(faces, "_show_screen", show)
    client = FakeClient()
    asyncio.run(play_seat(client, Settings(yes=True), Face.SCREEN, None))
    assert client.snapshot.seats[0].ready


def test_a_face_that_fails_stops_the_autopilot(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: Any, **__: Any) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(line_mode, "run_line", fail)
    with pytest.raises(BrokenPipeError):
        asyncio.run(play_seat(FakeClient(), Settings(autopilot="random"), Face.LINES, []))


def test_an_autopilot_that_fails_stops_the_face(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(FakeClient):
        def ready(self) -> None:
            raise RuntimeError("a bug")

    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(RuntimeError, match="a bug"):
        asyncio.run(play_seat(Broken(), Settings(autopilot="random"), Face.LINES, None))


def test_a_cancelled_seat_leaves_nothing_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)

    async def go() -> set[asyncio.Task[Any]]:
        seat = asyncio.create_task(play_seat(FakeClient(), Settings(), Face.LINES, None))
        await asyncio.sleep(0.01)
        seat.cancel()
        await asyncio.gather(seat, return_exceptions=True)
        assert seat.cancelled()
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(go()) == set()
