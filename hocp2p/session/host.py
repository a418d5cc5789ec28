"""Hosting a table: listen, seat our own bots, stand in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import Executor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from hocp2p.crypto.identity import Identity
from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.net.address import DEFAULT_PORT, Address, local_addresses
from hocp2p.net.link import Link
from hocp2p.net.memory import memory_pair
from hocp2p.net.websocket import listen
from hocp2p.players.levels import LEVELS
from hocp2p.session.autopilot import drive
from hocp2p.session.client import HostClient
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


class HostRunner(SeatRunner):
    """The host's seat, with the bots that he seats. Implements ``session.client.HostClient``.

    Args:
        peer: the host's.
        options: of the table.
        executor: where the work of all our seats is done.
        keep: see ``SeatRunner``.
    """

    def __init__(self, peer: HostPeer, options: HostOptions, executor: Executor, keep: Keep | None) -> None:
        super().__init__(peer, executor, keep)
        self._host = peer
        self._options = options
        self._bots: list[asyncio.Task[None]] = []

    def set_rules(self, rules: Rules) -> None:
        """See ``HostClient``."""
        self._verify_manageable()
        rules.verify_seats(len(self.snapshot.seats))
        self._ask(partial(self._host.set_rules, rules))

    def kick(self, seat: int) -> None:
        """See ``HostClient``."""
        self._verify_manageable()
        if seat == self.snapshot.our_seat or not self.snapshot.seats[seat].key:
            raise LocalError("nobody-there", "there is no guest in that chair")
        self._ask(partial(self._host.kick, seat))

    def add_bot(self, level: str) -> None:
        """See ``HostClient``."""
        self._verify_manageable()
        if level not in LEVELS:
            raise LocalError("unknown-level", f"there is no level {level!r}; there are {', '.join(LEVELS)}")
        if all(seat.key for seat in self.snapshot.seats):
            raise LocalError("full", "the table is full")
        self.seat_bot(level)

    def seat_bot(self, level: str) -> None:
        """A bot of ours comes in: a seat like any other, on a link of its own."""
        here, there = memory_pair()
        self.attach(here)
        work = _bot(self._options, len(self._bots), level, there, self._executor)
        self._bots.append(asyncio.create_task(work, name=f"bot {len(self._bots) + 1}"))

    async def dismiss_bots(self) -> None:
        """Leaves the table, if it still stands, and waits for our bots to go. Raises what one of them broke on."""
        if self._bots:
            self.leave()
            await asyncio.gather(*self._bots)

    def _verify_manageable(self) -> None:
        if not self.snapshot.may_manage:
            raise LocalError("game-begun", "the game has begun: chairs and rules are fixed")
        if self._asked is not None:
            raise LocalError("busy", "one moment: your last word is still on its way")


@asynccontextmanager
async def open_table(options: HostOptions, identity: Identity, keep: Keep | None = None) -> AsyncIterator[HostClient]:
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
        runner = HostRunner(peer, options, executor, keep)
        async with seated(runner):
            for _ in range(options.bots):
                runner.seat_bot(options.level)
            try:
                yield runner
            finally:
                await runner.dismiss_bots()


def _public(address: Address) -> Address:
    """The address to tell others: where we listen everywhere, that of the way out of this machine."""
    return Address(local_addresses()[0], address.port) if address.host in ANYWHERE else address


async def _bot(options: HostOptions, number: int, level: str, link: Link, executor: Executor) -> None:
    me = make_me(ephemeral_identity(), f"bot {number + 1}", level, options.name)
    seed = None if options.seed is None else options.seed + number
    async with seated(SeatRunner(GuestPeer(me, "memory"), executor), link) as client:
        await drive(client, level, seed, options.pace_s, executor, again=True)
