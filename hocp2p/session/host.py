"""Hosting a table: listen, seat our own bots, tell who may come how."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from concurrent.futures import Executor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from hocp2p.crypto.identity import Identity
from hocp2p.errors import LinkError, LocalError
from hocp2p.game.house import Rules
from hocp2p.net.address import DEFAULT_PORT, Address
from hocp2p.net.discovery import Announcement, announce
from hocp2p.net.memory import memory_pair
from hocp2p.net.port_mapping import open_port
from hocp2p.players.levels import LEVELS
from hocp2p.record.sessions import About
from hocp2p.session.autopilot import drive
from hocp2p.session.client import HostClient
from hocp2p.session.doors import Doors
from hocp2p.session.keeping import Keeper, SessionKeeper
from hocp2p.session.runner import Keep, SeatRunner, seated
from hocp2p.session.seat import ephemeral_identity, make_executor, make_me
from hocp2p.session.ways import Paths, describe_seat, dialling, local_ways, open_listener, tell_doors
from hocp2p.table.effects import Effect
from hocp2p.table.peer import Peer
from hocp2p.table.snapshot import Way
from hocp2p.table.terms import Terms
from hocp2p.wire.frames import PROTOCOL_VERSION, SECRET_BYTES

logger = logging.getLogger(__name__)

ANNOUNCE_S: Final = 2.0  # how often what is announced is looked at anew


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
        invited_only: whether who has no invite has to be let in by us.
        advertise: an address of a tunnel or a forwarded port that leads to us, or None.
        lan: whether the table stands in the list of the local network.
        upnp: whether the router is asked to open the port.
        via: proxy by which others are dialled, or None.
        sessions: folder where our seats are kept; None: they cannot be come back to.
        at: addresses where others are to be found when we come back.
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
    invited_only: bool = False
    advertise: Address | None = None
    lan: bool = False
    upnp: bool = False
    via: str | None = None
    sessions: Path | None = None
    at: tuple[Address, ...] = ()

    @property
    def paths(self) -> Paths:
        """How we are linked."""
        return Paths(self.bind, self.port, self.via)


class HostRunner(SeatRunner):
    """The host's seat, with the bots that he seats. Implements ``session.client.HostClient``.

    Args:
        peer: the host's.
        options: of the table.
        executor: where the work of all our seats is done.
        keep, keeper: see ``SeatRunner``.
        key: our public identity key.
    """

    def __init__(
        self,
        peer: Peer,
        options: HostOptions,
        executor: Executor,
        keep: Keep | None,
        keeper: Keeper | None = None,
        key: bytes = b"",
    ) -> None:
        super().__init__(peer, executor, keep, keeper)
        self.options = options
        self._key = key
        self._bots: list[asyncio.Task[None]] = []
        self._bot_runners: list[SeatRunner] = []

    def set_rules(self, rules: Rules) -> None:
        """See ``HostClient``."""
        self._verify_manageable()
        rules.verify_seats(len(self.snapshot.seats))
        self._ask(partial(self._peer.set_rules, rules))

    def kick(self, seat: int) -> None:
        """See ``HostClient``."""
        self._verify_manageable()
        if seat == self.snapshot.our_seat or not self.snapshot.seats[seat].key:
            raise LocalError("nobody-there", "there is no guest in that chair")
        self._ask(partial(self._peer.kick, seat))

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
        options, number = self.options, len(self._bots)
        identity = ephemeral_identity()
        keeper = None
        if options.sessions is not None:
            keeper = SessionKeeper(options.sessions, partial(self._describe_bot, identity))
        me = make_me(identity, f"bot {number + 1}", level, options.name)
        peer = Peer.guest(me, "memory", self._peer.secret or b"")
        self._start_bot(SeatRunner(peer, self._executor, None, keeper), level)

    def seat_bot_again(self, peer: Peer, effects: list[Effect], keeper: Keeper, level: str) -> None:
        """A bot of ours comes back with us."""
        runner = SeatRunner(peer, self._executor, None, keeper)
        runner.begin(effects)
        self._start_bot(runner, level)

    def _describe_bot(self, identity: Identity, terms: Terms, us: int) -> About:
        return describe_seat(terms, us, host=self._key, seed=identity.seed().hex())

    def _start_bot(self, runner: SeatRunner, level: str) -> None:
        number = len(self._bots)
        here, there = memory_pair()
        self.attach(here)
        seed = None if self.options.seed is None else self.options.seed + number

        async def play() -> None:
            async with seated(runner, there):
                await drive(runner, level, seed, self.options.pace_s, self._executor, again=True)

        self._bot_runners.append(runner)
        self._bots.append(asyncio.create_task(play(), name=f"bot {number + 1}"))

    async def dismiss_bots(self) -> None:
        """Goes from the table, if it still stands, and waits for our bots to go. Raises what one of them broke on.

        Where we have left for good they leave, too; else their seats are kept like ours.
        """
        self.suspend()
        await self.gone()
        for bot in self._bot_runners:
            (bot.suspend if self.snapshot.stopped is None else bot.leave)()
        await asyncio.gather(*self._bots)

    def _verify_manageable(self) -> None:
        if not self.snapshot.may_manage:
            raise LocalError("game-begun", "the game has begun: chairs and rules are fixed")
        if self._asked is not None:
            raise LocalError("busy", "one moment: your last word is still on its way")


@asynccontextmanager
async def open_table(options: HostOptions, identity: Identity, keep: Keep | None = None) -> AsyncIterator[HostClient]:
    """A table with our seat at it while the context lasts; who goes without leaving it keeps the seat.

    A table that our own bots fill opens no port. ``keep`` takes the public record, see ``SeatRunner``.
    Raises LinkError when the port cannot be had, RuleError when the rules do not fit the seats.
    """
    secret = secrets.token_bytes(SECRET_BYTES) if options.invited_only else None
    peer = Peer.host(make_me(identity, options.name), options.seats, options.rules, "", secret)

    def describe(terms: Terms, us: int) -> About:
        return describe_seat(terms, us, paths=options.paths, secret=secret)

    keeper = None if options.sessions is None else SessionKeeper(options.sessions, describe)
    with make_executor() as executor:
        runner = HostRunner(peer, options, executor, keep, keeper, identity.public)
        async with hosting(runner, identity, secret):
            for _ in range(options.bots):
                runner.seat_bot(options.level)
            try:
                yield runner
                await runner.settled()
            finally:
                await runner.dismiss_bots()


@asynccontextmanager
async def hosting(runner: HostRunner, identity: Identity, secret: bytes | None) -> AsyncIterator[None]:
    """The host's seat at work, with the ways to it open, while the context lasts."""
    options = runner.options
    async with AsyncExitStack() as stack:
        ways: list[tuple[Way, Address]] = []
        await stack.enter_async_context(seated(runner))
        if options.bots < options.seats - 1:
            listener = await open_listener(runner, identity, options.paths, stack)
            ways = local_ways(listener)
            if options.advertise is not None:
                ways.insert(0, (Way("tunnel", str(options.advertise)), options.advertise))
            doors = Doors(identity, ways, secret)
            tell_doors(runner, doors)
            if options.upnp:
                task = asyncio.create_task(_open_router(runner, doors, ways[-1][1].port), name="upnp")
                stack.push_async_callback(_end, task)
            if options.lan:
                task = asyncio.create_task(_announce(runner, identity, ways[-1][1].port), name="announce")
                stack.push_async_callback(_end, task)
        await stack.enter_async_context(dialling(runner, {}, options.paths))
        yield


async def _announce(runner: HostRunner, identity: Identity, port: int) -> None:
    """Keeps the table in the list of the local network; what is wrong with that is told, and does no harm."""

    def told() -> Announcement:
        snapshot = runner.snapshot
        taken = sum(bool(seat.key) for seat in snapshot.seats)
        seats = len(snapshot.seats)
        return Announcement(snapshot.title, port, identity.public, taken, seats, PROTOCOL_VERSION)

    try:
        async with announce(told()) as announcer:
            while True:
                await asyncio.sleep(ANNOUNCE_S)
                now = told()
                await announcer.update(title=now.title, seats_taken=now.seats_taken)
    except LinkError as error:
        logger.info("not in the list of the network: %s", error.message)


async def _open_router(runner: HostRunner, doors: Doors, port: int) -> None:
    """Asks the router to lead others to us; the port is closed again at the end. What is wrong with that is told."""
    lost = asyncio.Event()
    note = ""

    def lose(error: LinkError) -> None:
        nonlocal note
        note = error.message
        lost.set()

    try:
        async with open_port(port, on_lost=lose) as mapping:
            way = Way("UPnP", str(mapping.external), "closed when you quit")
            doors.add(way, mapping.external)
            tell_doors(runner, doors)
            await lost.wait()
            doors.remove(way)
    except (LinkError, LocalError) as error:
        note = error.message
    logger.info("no way by UPnP: %s", note)
    doors.note("UPnP", note)
    tell_doors(runner, doors)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
