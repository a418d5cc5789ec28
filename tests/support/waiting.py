"""Waiting for a client's picture to change, without asking again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from hocp2p.session.client import Client
from hocp2p.table.snapshot import TableSnapshot


async def until(client: Client, holds: Callable[[TableSnapshot], bool]) -> None:
    """Returns as soon as ``holds(snapshot)``."""
    reached = asyncio.Event()
    client.listen(lambda snapshot, _: reached.set() if holds(snapshot) else None)
    if not holds(client.snapshot):
        await reached.wait()
