"""Joining a table: dial the host, take a seat."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hocp2p.crypto.identity import Identity
from hocp2p.errors import LinkError
from hocp2p.net.address import Address
from hocp2p.net.dialling import dial
from hocp2p.net.link import Link
from hocp2p.net.tls import ANYBODY, Trust
from hocp2p.record.sessions import About
from hocp2p.session.client import Client
from hocp2p.session.hosting import BotOptions, HostRunner, at_table
from hocp2p.session.keeping import SessionKeeper
from hocp2p.session.recording import Recorder
from hocp2p.session.seat import make_me
from hocp2p.session.ways import DIALLING, Paths, describe_seat, kept_paths, meshed
from hocp2p.session.workers import Workers
from hocp2p.table.peer import Peer
from hocp2p.table.terms import Terms


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """Where to join, and as whom.

    Args:
        host, port: the table's address.
        name: 1 to 24 characters.
        bot_level: empty for a person.
        owner: who runs the bot, else empty.
        others: other addresses of the same table, tried before.
        trust: what the host's certificate has to be; anybody's where nothing is known.
        secret: of the invite, 10 bytes; empty: we knock.
        paths: how links are made.
        sessions: folder where the seat is kept; None: it cannot be come back to.
        keeps_identity: whether the identity is kept with the seat: that of a bot, which stands in no file of its own.
    """

    host: str
    port: int
    name: str
    bot_level: str = ""
    owner: str = ""
    others: tuple[Address, ...] = ()
    trust: Trust = ANYBODY
    secret: bytes = field(default=b"", repr=False)
    paths: Paths = DIALLING
    sessions: Path | None = None
    keeps_identity: bool = False

    @property
    def addresses(self) -> tuple[Address, ...]:
        """All addresses, in the order in which they are tried."""
        return (*self.others, Address(self.host, self.port))


@asynccontextmanager
async def join_table(
    options: JoinOptions, identity: Identity, record: Recorder | None = None, link: Link | None = None
) -> AsyncIterator[Client]:
    """A seat at somebody's table while the context lasts; who goes without leaving keeps it.

    Args:
        options: where.
        identity: ours.
        record: takes the public record.
        link: to the host, where it is dialled already.

    Raises LinkError when the host cannot be reached. A refusal arrives at the client as ``TableStopped``.
    """
    if link is None:
        link = await dial_first(options)
    home = {link.key or b"": options.addresses}
    with Workers() as workers:
        me = make_me(identity, options.name, options.bot_level, options.owner)
        peer = Peer.guest(me, f"{options.host}:{options.port}", options.secret, link.key)

        def describe(terms: Terms, us: int) -> About:
            return describe_seat(
                terms,
                us,
                addresses=tuple(str(address) for address in options.addresses),
                paths=kept_paths(runner, options.paths),
                secret=peer.secret if peer.hosting else options.secret,
                seed=identity.seed().hex() if options.keeps_identity else "",
            )

        keeper = None if options.sessions is None else SessionKeeper(options.sessions, describe)
        runner = HostRunner(peer, BotOptions(sessions=options.sessions), workers, record, keeper)
        async with at_table(runner, meshed(runner, identity, home, options.paths), link):
            yield runner


async def dial_first(options: JoinOptions) -> Link:
    """The first address that answers as it should. Raises the LinkError of the last."""
    *others, last = options.addresses
    for address in others:
        try:
            return await dial(address, options.trust, via=options.paths.via)
        except LinkError as error:
            if error.code == "key-mismatch":
                raise
    return await dial(last, options.trust, via=options.paths.via)
