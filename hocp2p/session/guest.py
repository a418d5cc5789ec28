"""Joining a table: dial the host, take a seat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from hocp2p.crypto.identity import Identity
from hocp2p.net.link import Link
from hocp2p.net.websocket import dial
from hocp2p.session.client import Client
from hocp2p.session.runner import Keep, SeatRunner
from hocp2p.session.seat import make_executor, make_me
from hocp2p.table.guest import GuestPeer


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """Where to join, and as whom.

    Args:
        host, port: the table's address.
        name: 1 to 24 characters.
        bot_level: empty for a person.
        owner: who runs the bot, else empty.
    """

    host: str
    port: int
    name: str
    bot_level: str = ""
    owner: str = ""


@asynccontextmanager
async def join_table(options: JoinOptions, identity: Identity, keep: Keep | None = None) -> AsyncIterator[Client]:
    """A seat at somebody's table while the context lasts; leaving it leaves the table.

    ``keep`` takes the public record, see ``SeatRunner``.

    Raises LinkError when the host cannot be reached. A refusal arrives at the client as ``TableStopped``.
    """
    link = await dial(options.host, options.port)
    with make_executor() as executor:
        me = make_me(identity, options.name, options.bot_level, options.owner)
        peer = GuestPeer(me, f"{options.host}:{options.port}")
        async with seated(SeatRunner(peer, executor, keep), link) as client:
            yield client


@asynccontextmanager
async def seated(runner: SeatRunner, *links: Link) -> AsyncIterator[SeatRunner]:
    """Runs a seat while the context lasts. On the way out it leaves the table if that still stands.

    An error in the runner is raised here.
    """
    for link in links:
        runner.attach(link)
    working = asyncio.create_task(runner.run(), name="seat")
    try:
        yield runner
    finally:
        runner.leave()
        await working
