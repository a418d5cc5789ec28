"""A bot's process: what it decides, and that it neither dies for good nor outlives us."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import Random

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action
from hocp2p.game.house import Rules
from hocp2p.game.rules import start_deal
from hocp2p.game.state import SeatView
from hocp2p.session import workers
from hocp2p.session.workers import Workers, decide
from tests.support.table_sim import shuffled, view_of

PARENT = """
import os, time
from hocp2p.session.workers import make_processes

if __name__ == "__main__":
    print(make_processes(1).submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


def a_view() -> SeatView:
    deck = shuffled(Random(4))
    state, _ = start_deal(Rules(), 3, 2, [100] * 3, (0, 0, 0), frozenset())
    assert state.turn is not None
    return view_of(state, state.turn, deck)


def test_the_process_decides_as_we_would() -> None:
    view = a_view()

    async def ask() -> list[Action]:
        with Workers() as ours:
            return [await ours.think("random", f"dice {number}", view) for number in range(20)]

    decided = asyncio.run(ask())
    assert decided == [decide("random", f"dice {number}", view) for number in range(20)]
    assert len(set(decided)) > 1


def test_what_the_process_refuses_is_raised_here() -> None:
    async def ask() -> None:
        with Workers() as ours:
            await ours.think("grandmaster", "", a_view())

    with pytest.raises(LocalError, match="grandmaster"):
        asyncio.run(ask())


def test_a_process_that_is_killed_is_replaced() -> None:
    view = a_view()

    async def ask() -> Action:
        with Workers() as ours:
            await ours.think("random", "before", view)
            assert ours._process is not None
            (pid,) = ours._process._processes
            os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            return await ours.think("random", "after", view)

    assert asyncio.run(ask()) == decide("random", "after", view)


def test_one_that_dies_again_and_again_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "decide", die)

    async def ask() -> None:
        with Workers() as ours:
            await ours.think("random", "", a_view())

    with pytest.raises(BrokenProcessPool):
        asyncio.run(ask())


def die(*_: object) -> None:
    os._exit(3)


@pytest.mark.skipif(sys.platform == "win32", reason="looks at a process by signal 0")
def test_it_does_not_outlive_a_parent_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert runs(worker)
        parent.kill()
    end_s = time.monotonic() + 30
    while runs(worker):
        assert time.monotonic() < end_s, "it works on for nobody"
        time.sleep(0.05)


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or ") Z" not in stat.read_text(encoding="ascii")
