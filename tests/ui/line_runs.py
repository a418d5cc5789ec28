"""Runs of the line mode over a fake table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from hocp2p.game.actions import Play
from hocp2p.game.house import Rules
from hocp2p.session.client import Client
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.commands import format_words
from hocp2p.ui.line import Manners, run_line
from tests.support.fake_client import FakeClient

SCRIPT = Manners(patient=True, strict=True)
PIPE = Manners(patient=True)
BY_HAND = Manners()


def table(seed: int = 5, **options: Any) -> FakeClient:
    return FakeClient(seed=seed, rules=options.pop("rules", Rules(deals=3)), **options)


async def each(lines: Iterable[str]) -> AsyncIterator[str]:
    for line in lines:
        await asyncio.sleep(0)
        yield line


async def run(client: FakeClient, lines: Iterable[str] | None, **options: Any) -> list[str]:
    """All lines that a run writes."""
    told: list[str] = []
    commands = each(lines) if lines is not None else None
    await run_line(client, commands=commands, out=told.append, ascii=True, **options)
    return told


def play(client: FakeClient, lines: Iterable[str] | None, **options: Any) -> list[str]:
    return asyncio.run(run(client, lines, **options))


def plain_words(snapshot: TableSnapshot) -> str:
    """The first legal action; the higher cards first, so that hocs are played."""
    assert snapshot.view is not None
    plays = sorted((one for one in snapshot.legal if isinstance(one, Play)), key=lambda one: -one.card.rank)
    return format_words([*plays, *snapshot.legal][0], snapshot.view.state.stake)


def play_by(client: FakeClient, choose: Callable[[TableSnapshot], str], **options: Any) -> tuple[list[str], list[str]]:
    """A run whose commands are chosen while it runs: what was typed, and what was told."""
    typed: list[str] = []

    async def choosing() -> AsyncIterator[str]:
        typed.append("ready")
        yield "ready"
        while client.snapshot.stage is Stage.DEAL:
            typed.append(choose(client.snapshot))
            yield typed[-1]

    async def go() -> list[str]:
        told: list[str] = []
        await run_line(client, commands=choosing(), out=told.append, ascii=True, **options)
        return told

    return typed, asyncio.run(go())


class Keyboard:
    """Commands as they are typed, one at a time; each line that is written can be waited for."""

    def __init__(self, client: Client, **options: Any) -> None:
        self.told: list[str] = []
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._written = asyncio.Event()
        self._face = asyncio.create_task(
            run_line(client, commands=self._lines(), out=self._write, ascii=True, manners=BY_HAND, **options)
        )

    def type(self, *lines: str | None) -> None:
        """None: the end of the input."""
        for line in lines:
            self._typed.put_nowait(line)

    async def hear(self, line: str, times: int = 1) -> None:
        """Waits until a line has been told so often."""
        while self.told.count(line) < times:
            self._written.clear()
            await self._written.wait()

    async def end(self) -> list[str]:
        """Waits for the end of the run."""
        await self._face
        return self.told

    @property
    def over(self) -> bool:
        return self._face.done()

    async def _lines(self) -> AsyncIterator[str]:
        while (line := await self._typed.get()) is not None:
            yield line

    def _write(self, line: str) -> None:
        self.told.append(line)
        self._written.set()
