"""What can come to the line mode: news of the table, a typed line, and the ends of what it waits for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from hocp2p.session.client import Client
from hocp2p.table.events import TableEvent
from hocp2p.table.snapshot import TableSnapshot

if TYPE_CHECKING:  # not before the first hint
    from hocp2p.session.reasons import Advice

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class News:
    """Something happened."""

    snapshot: TableSnapshot
    events: tuple[TableEvent, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A command as it was typed, and the number of its line."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class InputEnded:
    """Nothing will be typed any more. The task that read has the error, if there was one."""

    task: asyncio.Task[None]


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The client says that the table is over."""

    task: asyncio.Task[TableSnapshot]


@dataclass(frozen=True, slots=True)
class Hinted:
    """The hint that was asked for is there."""

    task: asyncio.Task[Advice]


Item = News | Line | InputEnded | TableClosed | Hinted


class Inbox:
    """All of it, in the order in which it came."""

    def __init__(self) -> None:
        self._items: asyncio.Queue[Item] = asyncio.Queue()
        self._wanted = asyncio.Semaphore(1)  # one line is read ahead, no more
        self._tasks: list[asyncio.Task[Any]] = []

    @property
    def empty(self) -> bool:
        """Whether nothing has come that was not taken yet."""
        return self._items.empty()

    async def get(self) -> Item:
        """The next one."""
        return await self._items.get()

    def hear(self, client: Client) -> None:
        """News of this table come from now on."""
        client.listen(lambda snapshot, events: self._items.put_nowait(News(snapshot, events)))

    def expect(self, work: Coroutine[Any, Any, T], end: Callable[[asyncio.Task[T]], Item]) -> None:
        """Does ``work``; what ``end`` makes of its task comes when that is done."""
        task = asyncio.create_task(work)
        task.add_done_callback(lambda done: self._items.put_nowait(end(done)))
        self._tasks.append(task)

    def read(self, commands: AsyncIterator[str]) -> None:
        """Lines come, each when :meth:`want_line` has asked for it; the first one is wanted."""
        self.expect(self._read(commands), InputEnded)

    def want_line(self) -> None:
        """The last line is done."""
        self._wanted.release()

    async def close(self) -> None:
        """Nothing comes any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _read(self, commands: AsyncIterator[str]) -> None:
        """Blank lines and comments count, but do not come."""
        number = 0
        await self._wanted.acquire()
        async for text in commands:
            number += 1
            if text.strip() and not text.lstrip().startswith("#"):
                self._items.put_nowait(Line(number, text.strip()))
                await self._wanted.acquire()
