"""Hosting a table: listen, seat our own bots, tell who may come how."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hocp2p.crypto.identity import Identity
from hocp2p.errors import LinkError, LocalError
from hocp2p.game.house import Rules
from hocp2p.net.address import DEFAULT_PORT, Address
from hocp2p.record.sessions import About
from hocp2p.session.client import HostClient
from hocp2p.session.doors import Doors
from hocp2p.session.hosting import BotOptions, HostRunner, at_table
from hocp2p.session.keeping import SessionKeeper
from hocp2p.session.recording import Recorder
from hocp2p.session.seat import make_me
from hocp2p.session.ways import Paths, describe_seat, dialling, kept_paths, local_ways, open_listener, tell_doors
from hocp2p.session.workers import Workers
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

    @property
    def paths(self) -> Paths:
        """How we are linked."""
        return Paths(self.bind, self.port, self.via)


@asynccontextmanager
async def open_table(
    options: HostOptions, identity: Identity, record: Recorder | None = None
) -> AsyncIterator[HostClient]:
    """A table with our seat at it while the context lasts; who goes without leaving it keeps the seat.

    A table that our own bots fill opens no port. ``record`` takes the public record.
    Raises LinkError when the port cannot be had, RuleError when the rules do not fit the seats.
    """
    secret = secrets.token_bytes(SECRET_BYTES) if options.invited_only else None
    peer = Peer.host(make_me(identity, options.name), options.seats, options.rules, "", secret)

    def describe(terms: Terms, us: int) -> About:
        return describe_seat(terms, us, paths=kept_paths(runner, options.paths), secret=peer.secret)

    keeper = None if options.sessions is None else SessionKeeper(options.sessions, describe)
    with Workers() as workers:
        bots = BotOptions(options.pace_s, options.seed, options.sessions)
        runner = HostRunner(peer, bots, workers, record, keeper)
        async with at_table(runner, reachable(runner, options, identity)):
            for _ in range(options.bots):
                runner.seat_bot(options.level)
            yield runner


@asynccontextmanager
async def reachable(
    runner: HostRunner,
    options: HostOptions,
    identity: Identity,
    home: Mapping[bytes, tuple[Address, ...]] | None = None,
) -> AsyncIterator[None]:
    """The ways to a host's seat are open while the context lasts, and whoever is missed is dialled.

    Args:
        runner: the seat.
        options: of the table.
        identity: ours.
        home: where others are to be found, by identity key, besides where they say.
    """
    async with AsyncExitStack() as stack:
        if options.bots < options.seats - 1:
            listener = await open_listener(runner, identity, options.paths, stack)
            ways = local_ways(listener)
            if options.advertise is not None:
                ways.insert(0, (Way("tunnel", str(options.advertise)), options.advertise))
            port = listener.addresses[0].port
            doors = Doors(identity, ways, port)
            tell_doors(runner, doors)
            if options.upnp:
                stack.push_async_callback(_end, asyncio.create_task(_open_router(runner, doors, port), name="upnp"))
            if options.lan:
                stack.push_async_callback(_end, asyncio.create_task(_announce(runner, identity, port), name="announce"))
        await stack.enter_async_context(dialling(runner, home or {}, options.paths))
        yield


async def _announce(runner: HostRunner, identity: Identity, port: int) -> None:
    """Keeps the table in the list of the local network; what is wrong with that is told, and does no harm."""
    from hocp2p.net.discovery import Announcement, announce  # zeroconf: not before the table is there

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
    from hocp2p.net.port_mapping import open_port  # as above

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
