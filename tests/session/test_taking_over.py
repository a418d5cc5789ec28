"""The host is lost: the first seat that remains hosts, over real sockets, and seats whom it likes."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.net.address import parse_address
from hocp2p.net.invite import parse_invite
from hocp2p.net.tls import Trust
from hocp2p.record.identity_file import new_identity
from hocp2p.record.sessions import kept_seats
from hocp2p.session.autopilot import drive
from hocp2p.session.guest import JoinOptions, join_table
from hocp2p.session.host import HostOptions, open_table
from hocp2p.session.hosting import HostRunner
from hocp2p.session.loop import run_loop
from hocp2p.session.ways import Paths
from hocp2p.table.snapshot import Stage, TableSnapshot
from tests.support.waiting import until

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(120)]


def is_linked(snapshot: TableSnapshot) -> bool:
    return snapshot.stage is Stage.DEAL and all(seat.linked for seat in snapshot.seats)


def secret_kept(sessions: Path) -> bytes:
    """That of the invites of the one seat that is kept there."""
    ((kept,), _) = kept_seats(sessions)
    return bytes.fromhex(kept.about.secret)


def test_a_guest_hosts_after_the_host_and_fills_his_chair(tmp_path: Path) -> None:
    async def work() -> None:
        async with AsyncExitStack() as stack:
            options = HostOptions(
                3, 0, "novice", Rules(deals=3), "Anna", "127.0.0.1", 0, invited_only=True, sessions=tmp_path / "Anna"
            )
            host = await stack.enter_async_context(open_table(options, new_identity()))
            invite = parse_invite(host.snapshot.invite)
            guests: list[HostRunner] = []
            for name in ("Bruno", "Carla"):
                join = JoinOptions(
                    *invite.address,
                    name,
                    trust=Trust(pin=invite.pin),
                    secret=invite.secret,
                    paths=Paths("127.0.0.1"),
                    sessions=tmp_path / name,
                )
                client = await stack.enter_async_context(join_table(join, new_identity()))
                assert isinstance(client, HostRunner)
                guests.append(client)
            for client in (host, *guests):
                await until(client, lambda snapshot: snapshot.may_ready)
                client.ready()
            for client in guests:
                await until(client, is_linked)
            bruno, carla = guests
            with pytest.raises(LocalError):
                bruno.add_bot("novice")
            assert isinstance(host, HostRunner)
            assert secret_kept(tmp_path / "Anna") == invite.secret
            host.renew_invite()
            await until(host, lambda snapshot: parse_invite(snapshot.invite).secret != invite.secret)
            assert secret_kept(tmp_path / "Anna") == parse_invite(host.snapshot.invite).secret  # also after a crash
            host.leave()
            playing = [asyncio.create_task(drive(client, "novice")) for client in guests]
            await until(bruno, lambda snapshot: snapshot.parted and snapshot.hosting)
            assert parse_address(bruno.snapshot.address).host == "127.0.0.1"
            await asyncio.gather(*playing)
            assert [client.snapshot.stage for client in guests] == [Stage.ENDED, Stage.ENDED]
            assert bruno.snapshot.balances == carla.snapshot.balances
            assert len(bruno.snapshot.balances) == 2  # an autopilot goes on between two
            ports = {kept.about.port for kept in kept_seats(tmp_path / "Bruno")[0]}
            assert ports == {parse_address(bruno.snapshot.address).port}  # his invite holds when he comes back

    run_loop(asyncio.wait_for(work(), 100))


def test_a_guest_who_hosts_seats_a_bot(tmp_path: Path) -> None:
    async def work() -> None:
        async with AsyncExitStack() as stack:
            options = HostOptions(3, 0, "novice", Rules(deals=3), "Anna", "127.0.0.1", 0)
            host = await stack.enter_async_context(open_table(options, new_identity()))
            where = parse_address(host.snapshot.address)
            guests: list[HostRunner] = []
            for name in ("Bruno", "Carla"):
                join = JoinOptions(*where, name, paths=Paths("127.0.0.1"), sessions=tmp_path / name)
                client = await stack.enter_async_context(join_table(join, new_identity()))
                assert isinstance(client, HostRunner)
                guests.append(client)
            for client in (host, *guests):
                await until(client, lambda snapshot: snapshot.may_ready)
                client.ready()
            bruno, carla = guests
            for client in guests:
                await until(client, is_linked)
            host.leave()
            playing = asyncio.create_task(drive(carla, "novice"))
            while not bruno.snapshot.parted:  # plays the deal to its end, then the chair is his to fill
                before = bruno.snapshot
                if before.legal:
                    bruno.act(before.legal[0])
                await until(bruno, lambda snapshot, before=before: snapshot.view != before.view or snapshot.parted)  # type: ignore[misc] # a default binds this picture
            bruno.add_bot("novice")
            await until(bruno, lambda snapshot: snapshot.stage is Stage.READY)
            assert [seat.bot_level for seat in bruno.snapshot.seats].count("novice") == 1
            assert [seat.owner for seat in bruno.snapshot.seats if seat.bot_level] == ["Bruno"]
            await drive(bruno, "novice")
            await playing
            assert carla.snapshot.stage is Stage.ENDED
            assert bruno.snapshot.balances == carla.snapshot.balances
            assert len(bruno.snapshot.balances) == 3

    run_loop(asyncio.wait_for(work(), 100))
