"""The links of one seat over the network: where it listens, whom it dials, what it tells the others about that."""

from __future__ import annotations

import asyncio
import datetime
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from hocp2p.crypto.identity import Identity
from hocp2p.errors import LinkError
from hocp2p.net.address import Address, AddressKind, LocalAddress, kind_of, plain_host, ranked_addresses
from hocp2p.net.dialling import dial
from hocp2p.net.link import Link
from hocp2p.net.listening import Listener, listen
from hocp2p.net.tls import Trust
from hocp2p.record.sessions import About
from hocp2p.session.doors import Doors
from hocp2p.session.linking import Linker
from hocp2p.session.runner import SeatRunner
from hocp2p.table.snapshot import Way
from hocp2p.table.terms import HOST, Terms

logger = logging.getLogger(__name__)

ANYWHERE: Final = ("", "0.0.0.0", "::")  # noqa: S104 # compared with, not bound to
MAX_TOLD: Final = 8


@dataclass(frozen=True, slots=True)
class Paths:
    """How a seat may be linked.

    Args:
        bind: address to listen on; empty for all.
        port: 0 for any free one.
        via: proxy by which everybody is dialled, or None.
        listens: whether others may dial us.
    """

    bind: str = ""
    port: int = 0
    via: str | None = None
    listens: bool = True


DIALLING: Final = Paths(listens=False)
"""Nobody can dial us."""


async def open_listener(runner: SeatRunner, identity: Identity, paths: Paths, stack: AsyncExitStack) -> Listener:
    """Takes in whoever dials us, until the stack is left. Raises LinkError when the port cannot be had."""

    async def take_in(link: Link) -> None:
        await asyncio.wait([runner.attach(link)])

    return await stack.enter_async_context(await listen(paths.bind, paths.port, take_in, identity.seed()))


async def _open_any_listener(runner: SeatRunner, identity: Identity, paths: Paths, stack: AsyncExitStack) -> Listener:
    """At the port that is wished for, or where that is taken at any. Raises LinkError when there is none."""
    try:
        return await open_listener(runner, identity, paths, stack)
    except LinkError:
        if not paths.port:
            raise
        return await open_listener(runner, identity, replace(paths, port=0), stack)


def kept_paths(runner: SeatRunner, paths: Paths) -> Paths | None:
    """How we are linked, with the port where we listen now, to be found there again; None: nobody can dial us."""
    if not paths.listens:
        return None
    return paths if runner.doors is None else replace(paths, port=runner.doors.port)


def local_ways(listener: Listener) -> list[tuple[Way, Address]]:
    """By which addresses of this machine others can dial us, the likeliest first."""
    (bound,) = listener.addresses
    if plain_host(bound.host) in ANYWHERE:
        found = ranked_addresses()
    else:
        found = (LocalAddress(bound.host, kind_of(bound.host)),)
    addresses = [(kind, Address(host, bound.port)) for host, kind in found if kind is not AddressKind.LINK_LOCAL]
    return [(Way(kind.value, str(address)), address) for kind, address in addresses]


def tell_doors(runner: SeatRunner, doors: Doors) -> None:
    """The others are told where we can be dialled, our player what invites them."""
    runner.doors = doors
    runner.be_reachable(tuple(str(address) for address in doors.addresses[:MAX_TOLD]))
    runner.refresh()


@asynccontextmanager
async def dialling(runner: SeatRunner, home: Mapping[bytes, tuple[Address, ...]], paths: Paths) -> AsyncIterator[None]:
    """Dials whoever is wanted and not linked, as long as the context lasts.

    Args:
        runner: the seat.
        home: see ``Linker``.
        paths: how.
    """

    async def dial_seat(address: Address, key: bytes) -> Link:
        return await dial(address, Trust(key=key or None), via=paths.via)

    linker = Linker(dial_seat, partial(runner.attach, dialled=True), home)
    runner.want = linker.want
    runner.begin([])  # who is wanted already is dialled now, not after the next change
    try:
        yield
    finally:
        runner.want = lambda _wanted: None
        await linker.close()


@asynccontextmanager
async def meshed(
    runner: SeatRunner, identity: Identity, home: Mapping[bytes, tuple[Address, ...]], paths: Paths
) -> AsyncIterator[None]:
    """A guest among the others: he dials them, and they may dial him, as long as the context lasts."""
    async with AsyncExitStack() as stack:
        if paths.listens:
            try:
                listener = await _open_any_listener(runner, identity, paths, stack)
                tell_doors(runner, Doors(identity, local_ways(listener), listener.addresses[0].port))
            except LinkError as error:  # without a port of ours the links to the others still do
                logger.info("nobody can dial us: %s", error.message)
        if runner.doors is None:
            runner.be_reachable(())  # not where we were before we came back either
        await stack.enter_async_context(dialling(runner, home, paths))
        yield


def describe_seat(
    terms: Terms,
    us: int,
    *,
    addresses: tuple[str, ...] = (),
    paths: Paths | None = None,
    secret: bytes | None = None,
    host: bytes = b"",
    seed: str = "",
) -> About:
    """A seat of a table as it is described beside its journal; see ``About``."""
    ours = terms.seats[us]
    return About(
        table=terms.table.hex(),
        seat=us,
        key=ours.key.hex(),
        name=ours.name,
        title=f"{terms.seats[HOST].name}'s table",
        others={seat.key.hex(): seat.name for number, seat in enumerate(terms.seats) if number != us},
        bot_level=ours.bot_level,
        owner=ours.owner,
        addresses=addresses,
        bind="" if paths is None else paths.bind,
        port=None if paths is None else paths.port,
        secret="" if secret is None else secret.hex(),
        host=host.hex(),
        seed=seed,
        since=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    )
