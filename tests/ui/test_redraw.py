"""Nothing is drawn that has not changed; what is measured by ``hocp2p bench`` is a real picture."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from unittest.mock import Mock, patch

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from hocp2p.game.state import Phase
from hocp2p.table.snapshot import Clock
from hocp2p.ui.cells import text_of
from hocp2p.ui.local import Local
from hocp2p.ui.presenter import view
from hocp2p.ui.redraw import COLS, ROWS, measure_ms, play_picture
from hocp2p.ui.screen import Screen, ScreenOptions
from tests.support.fake_client import FakeClient

pytestmark = [pytest.mark.timeout(60), pytest.mark.skipif(sys.platform == "win32", reason="a pipe input is POSIX")]


class Still(DummyOutput):
    """A terminal of a known size that shows nothing."""

    def get_size(self) -> Size:
        return Size(rows=24, columns=80)


class Counted(Screen):
    """Counts how often it asks to be drawn, and ticks when it is told to."""

    asks: Mock

    @property
    def asked(self) -> int:
        return self.asks.call_count

    def tick(self) -> int:
        """How often one tick of the clock asks for a drawing."""
        before = self.asked
        self._tick()
        return self.asked - before


def on_screen(scenario: Callable[[Counted, FakeClient, list[float]], None]) -> None:
    """A running screen over a table whose clock runs, with a time that stands still unless it is changed."""
    client, now_s = FakeClient(), [1000.25]

    async def run() -> None:
        with create_pipe_input() as keys:
            client.ready()
            client.hear(clock=Clock(frozenset({0}), 1000.0, 60.0, (120.0,) * 3))
            screen = Counted(client, ScreenOptions(pace_s=0.0), keys, Still(), lambda: now_s[0])
            task = asyncio.create_task(screen.run())
            while not screen.app.is_running:  # noqa: ASYNC110 - nobody tells when it runs
                await asyncio.sleep(0)
            with patch.object(screen.app, "invalidate") as screen.asks:
                screen.tick()
                scenario(screen, client, now_s)
            screen.close()
            await task

    asyncio.run(run())


def test_a_tick_draws_only_when_a_second_has_passed() -> None:
    def scenario(screen: Counted, _client: FakeClient, now_s: list[float]) -> None:
        assert [screen.tick() for _ in range(3)] == [0, 0, 0]
        now_s[0] = 1000.9  # 59.1 s are left: still 1:00
        assert screen.tick() == 0
        drawn = []
        for _ in range(3):
            now_s[0] += 1.0
            drawn.append(screen.tick())
            assert screen.tick() == 0
        assert drawn == [1, 1, 1]

    on_screen(scenario)


def test_without_a_running_clock_time_draws_nothing() -> None:
    def scenario(screen: Counted, client: FakeClient, now_s: list[float]) -> None:
        client.hear(clock=Clock(frozenset(), 1000.0, 60.0, (120.0,) * 3))
        screen.tick()
        for _ in range(3):
            now_s[0] += 1.0
            assert screen.tick() == 0

    on_screen(scenario)


def test_what_happens_and_what_is_pressed_is_drawn() -> None:
    def scenario(screen: Counted, client: FakeClient, _now_s: list[float]) -> None:
        before = screen.asked
        client.hear(dealing="")
        assert screen.asked == before + 1
        screen.press("s")
        assert screen.asked == before + 2
        screen.press("v")  # other colours, the same letters
        assert screen.asked == before + 3
        screen.press("x")  # nothing
        assert screen.asked == before + 3

    on_screen(scenario)


def test_what_is_measured_is_our_turn_in_a_play() -> None:
    snapshot = play_picture()
    assert snapshot.view is not None
    assert snapshot.view.state.phase is Phase.PLAY
    assert snapshot.legal
    assert len(snapshot.events) > 20
    drawn = [text_of(line) for line in view(snapshot, Local(), COLS, ROWS)]
    assert "YOUR TURN" in drawn[0]
    assert "Log" in drawn[1]
    assert play_picture() == snapshot


def test_a_redraw_can_be_measured() -> None:
    assert measure_ms(3) > 0.0
