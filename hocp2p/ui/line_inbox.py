"""What can come to the line mode: news of the table, a typed line, and the ends of what it waits for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from hocp2p.session.hints import Advice
from hocp2p.table.snapshot import TableEvent, TableSnapshot


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
