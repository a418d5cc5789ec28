"""Every way out of the full screen gives the terminal back."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from hocp2p.game.actions import Action
from hocp2p.table.snapshot import Stage
from hocp2p.ui.signals import signals_close
from tests.ui.terminal import Recorder, stacked, terminal

pytestmark = [pytest.mark.timeout(90), pytest.mark.skipif(sys.platform == "win32", reason="a pipe input is POSIX")]


def restored(written: str) -> bool:
    """Whether the alternate screen is left, the cursor shown and the mouse given back, in the end."""
    on_off = (("\x1b[?1049h", "\x1b[?1049l"), ("\x1b[?25l", "\x1b[?25h"), ("\x1b[?1000h", "\x1b[?1000l"))
    return all(written.rfind(off) > written.rfind(on) >= 0 for on, off in on_off)


@pytest.mark.parametrize(
    ("keys", "kept"),
    [
        (("c-q", "y"), False),
        (("c-c", "c-c"), True),
        (("c-q", "c-c"), True),
        (("c-q", "k"), True),
        (("c-c", "Y"), False),
    ],
)
def test_leaving_by_keys(keys: tuple[str, ...], kept: bool) -> None:
    """For good only where that is said; in a hurry the seat is kept."""

    async def scenario() -> None:
        client = stacked()
        client.ready()
        async with terminal(client) as (place, task):
            await place.type(*keys)
            await asyncio.wait_for(task, 10)
            assert restored(place.written)
            assert client.suspended is kept
            assert client.snapshot.stage is (Stage.DEAL if kept else Stage.STOPPED)

    asyncio.run(scenario())


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_ends_the_screen_and_keeps_the_seat(name: str) -> None:
    async def scenario() -> None:
        client = stacked()
        client.ready()
        async with terminal(client) as (place, task):
            with signals_close(place.screen.close):
                os.kill(os.getpid(), getattr(signal, name))
                await asyncio.wait_for(task, 10)
            assert restored(place.written)
            assert client.snapshot.stage is Stage.DEAL

    asyncio.run(scenario())


def test_a_bug_ends_the_screen_and_is_not_hidden() -> None:
    class Broken(Recorder):
        def act(self, action: Action) -> None:
            raise ZeroDivisionError(f"a bug at {action}")

    async def scenario() -> None:
        client = Broken()
        client.ready()
        async with terminal(client) as (place, task):
            place.send("tp\r")
            with pytest.raises(ZeroDivisionError):
                await asyncio.wait_for(task, 10)
            assert restored(place.written)

    asyncio.run(scenario())


def test_cancelling_restores_the_terminal() -> None:
    async def scenario() -> None:
        async with terminal(stacked()) as (place, task):
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert restored(place.written)

    asyncio.run(scenario())


OUTER = """
import subprocess, sys, termios
inner = subprocess.Popen([sys.executable, "-m", "tests.support.fake_client", "--pace", "0"])
print("inner", inner.pid, "begins", flush=True)
code = inner.wait()
flags = termios.tcgetattr(0)[3]
print("left", code, "echo", bool(flags & termios.ECHO), "canonical", bool(flags & termios.ICANON))
"""


@pytest.mark.terminal
@pytest.mark.parametrize("way", ["ctrl-c", "SIGTERM", "SIGHUP"])
def test_a_real_terminal_gets_its_modes_back(way: str) -> None:
    root = Path(__file__).parents[2]
    child = pexpect.spawn(sys.executable, ["-c", OUTER], cwd=root, dimensions=(24, 80), encoding="utf-8", timeout=60)
    try:
        child.expect(r"inner (\d+) begins")
        inner = int(child.match.group(1))
        child.expect("I have read the rules")
        child.send("\r")
        child.expect("YOUR TURN")
        if way == "ctrl-c":
            child.send("\x03")
            child.expect("keep my seat")
            child.send("\x03")
        else:
            os.kill(inner, getattr(signal, way))
        child.expect("left 0 echo True canonical True")
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)
