"""Coming back to a seat that was kept: after a crash, a reboot, another day; from wherever we are now."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from hocp2p.crypto.identity import Identity
from hocp2p.net.address import Address, parse_address
from hocp2p.net.link import Link
from hocp2p.record.journal import Journal
from hocp2p.record.sessions import About, Kept, kept_seats, open_seats
from hocp2p.session.client import Client
from hocp2p.session.host import HostOptions, reachable
from hocp2p.session.hosting import BotOptions, HostRunner, at_table
from hocp2p.session.keeping import SessionKeeper, read_memory
from hocp2p.session.recording import Recorder
from hocp2p.session.seat import make_me
from hocp2p.session.ways import Paths, describe_seat, meshed
from hocp2p.session.workers import Workers
from hocp2p.table.effects import Effect
from hocp2p.table.peer import Peer
from hocp2p.table.terms import HOST, Terms


@dataclass(frozen=True, slots=True)
class ReturnOptions:
    """How we come back.

    Args:
        sessions: folder of all seats.
        paths: how links are made; port 0: the port of then, for a guest any where that is taken.
        at: addresses where others are to be found now, besides those of then.
        pace_s: how long our bots seem to think.
    """

    sessions: Path
    paths: Paths = field(default_factory=Paths)
    at: tuple[Address, ...] = ()
    pace_s: float = 0.0


def find_seat(sessions: Path, ours: bytes, other: bytes | None) -> Kept | None:
    """The newest seat of ours that we have not left, at a table with somebody; None: there is none.

    Args:
        sessions: folder of all seats.
        ours: our public identity key.
        other: that of any other seat there.
    """
    wanted = None if other is None else other.hex()
    return next(
        (kept for kept in open_seats(sessions) if kept.about.key == ours.hex() and wanted in kept.about.others), None
    )


@asynccontextmanager
async def return_to(
    kept: Kept, identity: Identity, options: ReturnOptions, record: Recorder | None = None, link: Link | None = None
) -> AsyncIterator[Client]:
    """Our seat, and those of our bots, while the context lasts.

    Args:
        kept: the seat.
        identity: that of then.
        options: how.
        record: takes the public record from the beginning of the table on.
        link: to one of the others, where one is open already.

    Raises LocalError where the seat is in use or what was kept is damaged; LinkError when a host's port is taken.
    """
    about = kept.about
    if about.seat == HOST:
        async with _host_again(kept, identity, options, record) as client:
            yield client
        return
    home = {bytes.fromhex(key): (*options.at, *_addresses(about)) for key in about.others}
    with Workers() as workers:
        back = _bring_back(kept, identity, about.addresses)
        runner = HostRunner(back.peer, BotOptions(options.pace_s, None, options.sessions), workers, record, back.keeper)
        runner.begin(back.effects)
        paths = replace(options.paths, port=options.paths.port or about.port or 0)
        links = () if link is None else (link,)
        async with at_table(runner, meshed(runner, identity, home, paths), *links):
            yield runner


@dataclass(frozen=True, slots=True)
class _Back:
    """A seat that was brought back."""

    peer: Peer
    effects: list[Effect]
    keeper: SessionKeeper
    terms: Terms


def _bring_back(kept: Kept, identity: Identity, address: tuple[str, ...]) -> _Back:
    """The seat as it was kept. Raises LocalError."""
    about = kept.about
    journal = Journal.reopen(kept.folder)
    try:
        terms, memory = read_memory(journal)
        me = make_me(identity, about.name, about.bot_level, about.owner)
        secret = bytes.fromhex(about.secret) or None
        peer, effects = Peer.back(me, next(iter(address), ""), terms, about.seat, memory, secret)
    except BaseException:
        journal.close()
        raise

    def describe(terms: Terms, us: int) -> About:
        return describe_seat(
            terms,
            us,
            addresses=about.addresses,
            paths=Paths(about.bind, about.port) if about.port is not None else None,
            secret=peer.secret if peer.hosting else secret,
            host=bytes.fromhex(about.host),
            seed=about.seed,
        )

    return _Back(peer, effects, SessionKeeper(kept.folder.parent, describe, journal, (terms, about.seat)), terms)


@asynccontextmanager
async def _host_again(
    kept: Kept, identity: Identity, options: ReturnOptions, record: Recorder | None
) -> AsyncIterator[Client]:
    """A host's seat and those of his bots, at the port of then unless another is asked for."""
    about = kept.about
    back = _bring_back(kept, identity, ())
    siblings, _ = kept_seats(options.sessions)
    bots = [each for each in siblings if (each.about.table, each.about.host) == (about.table, about.key)]
    home = {bytes.fromhex(key): (*options.at, *_addresses(about)) for key in about.others}
    table = HostOptions(
        seats=len(back.terms.seats),
        bots=len(bots),
        level="novice",
        rules=back.terms.rules,
        name=about.name,
        bind=options.paths.bind or about.bind,
        port=options.paths.port or about.port or 0,
        pace_s=options.pace_s,
        sessions=options.sessions,
    )
    with Workers() as workers:
        runner = HostRunner(back.peer, BotOptions(options.pace_s, None, options.sessions), workers, record, back.keeper)
        runner.begin(back.effects)
        async with at_table(runner, reachable(runner, table, identity, home)):
            for bot in bots:
                own = Identity.from_seed(bytes.fromhex(bot.about.seed))
                there = _bring_back(bot, own, ())
                runner.seat_bot_again(there.peer, there.effects, there.keeper, bot.about.bot_level)
            yield runner


def _addresses(about: About) -> tuple[Address, ...]:
    return tuple(parse_address(text) for text in about.addresses)
