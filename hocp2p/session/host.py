"""Hosting a table: listen, seat our own bots, stand in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import Executor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from hocp2p.crypto.identity import Identity
from hocp2p.game.house import Rules
from hocp2p.net.address import DEFAULT_PORT, Address, local_addresses
from hocp2p.net.link import Link
from hocp2p.net.memory import memory_pair
from hocp2p.net.websocket import listen
from hocp2p.session.autopilot import drive
from hocp2p.session.client import Client
from hocp2p.session.guest import seated
from hocp2p.session.runner import Keep, SeatRunner
from hocp2p.session.seat import ephemeral_identity, make_executor, make_me
from hocp2p.table.guest import GuestPeer
from hocp2p.table.host import HostPeer

ANYWHERE: Final = ("", "0.0.0.0", "::")  # noqa: S104 # compared with, not bound to


@dataclass(frozen=True, slots=True)
class HostOptions:
    """One table.

    Args:
        seats: 2 or 3.
        bots: seats that we fill with bots of our own; fewer than ``seats``.
        level: of the bots.
        rules: house rules.
        name: ours, 1 to 24 characters.
        bind: address to listen on; empty for all.
        port: 0 for any free one.
        pace_s: how long bots seem to think.
        seed: of the bots' dice; fresh where None. Cards are never seeded.
    """

    seats: int
    bots: int
    level: str
    rules: Rules = field(default_factory=Rules)
    name: str = "host"
    bind: str = ""
    port: int = DEFAULT_PORT
    pace_s: float = 0.0
    seed: int | None = None


@asynccontextmanager
async def open_table(options: HostOptions, identity: Identity, keep: Keep | None = None) -> AsyncIterator[Client]:
    """A table with our seat at it while the context lasts; leaving it closes the table.

    ``keep`` takes the public record, see ``SeatRunner``. A table that our own bots fill opens no port.
    Raises LinkError when the port cannot be had, RuleError when the rules do not fit the seats.
    """
    options.rules.verify_seats(options.seats)
    async with AsyncExitStack() as stack:
        executor = stack.enter_context(make_executor())
        address = ""
        if options.bots < options.seats - 1:

            async def take_in(link: Link) -> None:
                await asyncio.wait([runner.attach(link)])

            listener = await stack.enter_async_context(await listen(options.bind, options.port, take_in))
            address = str(_public(listener.addresses[0]))
        peer = HostPeer(make_me(identity, options.name), options.seats, options.rules, address)
        runner = SeatRunner(peer, executor, keep)
        async with seated(runner) as client, _bots(options, runner, executor):
            yield client


def _public(address: Address) -> Address:
    """The address to tell others: where we listen everywhere, that of the way out of this machine."""
    return Address(local_addresses()[0], address.port) if address.host in ANYWHERE else address


@asynccontextmanager
async def _bots(options: HostOptions, host: SeatRunner, executor: Executor) -> AsyncIterator[None]:
    """Our bots sit at the table while the context lasts; each is a seat like any other, on a link of its own."""
    bots = []
    for number in range(options.bots):
        here, there = memory_pair()
        host.attach(here)
        bots.append(asyncio.create_task(_bot(options, number, there, executor), name=f"bot {number + 1}"))
    try:
        yield
    finally:
        if bots:
            host.leave()
            await asyncio.gather(*bots)


async def _bot(options: HostOptions, number: int, link: Link, executor: Executor) -> None:
    me = make_me(ephemeral_identity(), f"bot {number + 1}", options.level, options.name)
    seed = None if options.seed is None else options.seed + number
    async with seated(SeatRunner(GuestPeer(me, "memory"), executor), link) as client:
        await drive(client, options.level, seed, options.pace_s, executor, again=True)
