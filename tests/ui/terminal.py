"""A terminal in memory: a real prompt_toolkit application, read by pyte, with keys from a pipe."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, TextIO, cast

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from hocp2p.game.actions import Action
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.ui.cells import text_of
from hocp2p.ui.presenter import view
from hocp2p.ui.screen import Screen, ScreenOptions
from tests.support.fake_client import FakeClient, scripted_chooser, stacked_deck
from tests.ui.scenes import ANNA, BOT, BRUNO

PATIENCE_S: Final = 60.0
BYTES: Final = {
    "enter": "\r",
    "space": " ",
    "tab": "\t",
    "left": "\x1b[D",
    "right": "\x1b[C",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "escape": "\x1b",
    "backspace": "\x7f",
    "c-c": "\x03",
    "c-q": "\x11",
    "c-l": "\x0c",
}


class Recorder(FakeClient):
    """Keeps what was done by our seat."""

    def __init__(self, **options: object) -> None:
        self.done: list[Action] = []
        super().__init__(**options)  # type: ignore[arg-type] # as for FakeClient

    def act(self, action: Action) -> None:
        super().act(action)
        self.done.append(action)


def stacked(*others: str, rules: Rules | None = None) -> Recorder:
    """The hands of the scenes; Bruno deals."""
    decks = (stacked_deck(1, ANNA, BRUNO, BOT),)
    return Recorder(decks=decks, dealer=1, chooser=scripted_chooser(*others), rules=rules or Rules(deals=3))


def straight_to_play(client: FakeClient) -> None:
    client.ready()
    while client.snapshot.view is None or client.snapshot.view.state.phase is not Phase.PLAY:
        client.act(client.snapshot.legal[0])


class _Glass:
    """What the application writes to: keeps all of it and shows it to pyte."""

    encoding = "utf-8"

    def __init__(self, cols: int, rows: int) -> None:
        self.picture = pyte.Screen(cols, rows)
        self.written = ""
        self._stream = pyte.Stream(self.picture)

    def write(self, data: str) -> int:
        self.written += data
        self._stream.feed(data)
        return len(data)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return -1


class _Watched(Screen):
    """Counts the keys that have been taken, and how often had been drawn when the last was."""

    pressed = 0
    draws = 0

    def press(self, key: str) -> None:
        super().press(key)
        self.pressed += 1
        self.draws = self.app.render_counter

    @property
    def is_drawn(self) -> bool:
        """Whether the last key has been answered on the terminal."""
        return self.app.is_done or self.app.render_counter > self.draws


class Terminal:
    """A screen at work over a fake table.

    Args:
        client: the table.
        options: of the screen.
        cols, rows: its size.
        keys: where its keys come from.
    """

    def __init__(self, client: FakeClient, options: ScreenOptions, cols: int, rows: int, keys: PipeInput) -> None:
        self.client = client
        self._options = options
        self._size = Size(rows=rows, columns=cols)
        self._glass = _Glass(cols, rows)
        self._keys = keys
        output = Vt100_Output(cast("TextIO", self._glass), lambda: self._size, term="xterm-256color", enable_cpr=False)
        self.screen = _Watched(client, options, keys, output)

    @property
    def written(self) -> str:
        """All that was sent to the terminal so far."""
        return self._glass.written

    @property
    def lines(self) -> list[str]:
        """What stands on the screen. pyte leaves the second cell of a wide letter empty."""
        return [line.rstrip() for line in self._glass.picture.display]

    @property
    def expected(self) -> list[str]:
        """What the presenter would draw now."""
        drawn = view(
            self.screen.pacer.shown, self.screen.local, self._size.columns, self._size.rows, ascii=self._options.ascii
        )
        return [text_of(line).rstrip() for line in drawn]

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Waits until something is true, or fails with what stands on the screen."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not wanted():  # noqa: ASYNC110 - pyte tells nobody when it has drawn
                    await asyncio.sleep(0.002)
        except TimeoutError:
            raise AssertionError("still waiting; on the screen:\n" + "\n".join(self.lines)) from None

    async def drawn(self) -> None:
        """Waits until the terminal shows what the presenter draws."""
        await self.until(lambda: self.lines == self.expected)

    async def type(self, *keys: str) -> None:
        """Presses keys, named as in ``ui.keys`` where they are no characters; waits until each is taken and drawn."""
        for key in keys:
            await self._send(BYTES.get(key, key))

    def send(self, text: str) -> None:
        """Bytes as a terminal sends them; nothing is awaited."""
        self._keys.send_text(text)

    async def click(self, key: str) -> None:
        """Presses and releases the mouse on what stands for a key."""
        col, row = self._where(key)
        await self._send(f"\x1b[<0;{col + 1};{row + 1}M\x1b[<0;{col + 1};{row + 1}m")

    async def _send(self, text: str) -> None:
        """One key or click, taken and drawn."""
        before = self.screen.pressed
        self._keys.send_text(text)
        await self.until(lambda: self.screen.pressed > before or self.screen.app.is_done)
        await self.until(lambda: self.screen.is_drawn)
        if not self.screen.app.is_done:
            await self.drawn()

    def can_click(self, key: str) -> bool:
        """Whether something on the screen stands for a key."""
        return self._find(key) is not None

    def resize(self, cols: int, rows: int) -> None:
        """The player drags the window's corner."""
        self._glass.picture.resize(rows, cols)
        self._size = Size(rows=rows, columns=cols)
        os.kill(os.getpid(), signal.SIGWINCH)

    def _where(self, key: str) -> tuple[int, int]:
        found = self._find(key)
        assert found is not None, f"nothing to click for {key!r}:\n" + "\n".join(self.lines)
        return found

    def _find(self, key: str) -> tuple[int, int] | None:
        drawn = view(self.screen.pacer.shown, self.screen.local, self._size.columns, self._size.rows)
        for row, line in enumerate(drawn):
            col = 0
            for fragment in line:
                if fragment.key == key:
                    return col, row
                col += len(fragment.text)
        return None


@asynccontextmanager
async def terminal(
    client: FakeClient, *, cols: int = 80, rows: int = 24, options: ScreenOptions | None = None
) -> AsyncIterator[tuple[Terminal, asyncio.Task[None]]]:
    """A running screen and its task, which is ended at the end if it still runs."""
    with create_pipe_input() as keys:
        place = Terminal(client, options or ScreenOptions(pace_s=0.0), cols, rows, keys)
        task = asyncio.create_task(place.screen.run())
        try:
            await place.until(lambda: place.screen.app.is_running)
            await place.drawn()
            yield place, task
        finally:
            place.screen.close()
            await asyncio.gather(task, return_exceptions=True)
