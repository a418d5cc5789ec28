"""Host, guests and bots in one process, over sockets of 127.0.0.1: whole sessions of the real deal."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from hocp2p.errors import LinkError
from hocp2p.game.house import Rules
from hocp2p.net.address import parse_address
from hocp2p.net.dialling import dial
from hocp2p.record.identity_file import new_identity
from hocp2p.session.autopilot import drive
from hocp2p.session.client import Client
from hocp2p.session.guest import JoinOptions, join_table
from hocp2p.session.host import HostOptions, open_table
from hocp2p.session.loop import run_loop
from hocp2p.table.snapshot import Stage, TableSnapshot
from tests.support.waiting import until

pytestmark = pytest.mark.sockets

LIMIT_S = 60


def run(work: Coroutine[Any, Any, None]) -> None:
    run_loop(asyncio.wait_for(work, LIMIT_S))


def host_options(seats: int, bots: int, deals: int) -> HostOptions:
    return HostOptions(seats, bots, "novice", Rules(deals=deals), "Anna", "127.0.0.1", 0)


def join_options(client: Client, name: str = "Bruno") -> JoinOptions:
    host, port = parse_address(client.snapshot.address)
    return JoinOptions(host, port, name)


def test_host_guest_and_bot_play_a_session_and_agree() -> None:
    async def guest(options: JoinOptions) -> TableSnapshot:
        async with join_table(options, new_identity()) as client:
            await drive(client, "novice")
            return await client.closed()

    async def work() -> None:
        async with open_table(host_options(3, 1, 3), new_identity()) as host:
            playing = asyncio.create_task(guest(join_options(host)))
            await drive(host, "novice")
            snapshots = [await host.closed(), await playing]
        assert [snapshot.stage for snapshot in snapshots] == [Stage.ENDED] * 2
        assert snapshots[0].balances == snapshots[1].balances
        assert sum(snapshots[0].balances) == 300
        assert snapshots[0].net == snapshots[1].net
        assert {snapshot.our_seat for snapshot in snapshots} == {0, 2}
        assert [seat.owner for seat in snapshots[0].seats] == [None, "Anna", None]

    run(work())


def test_a_full_table_says_so() -> None:
    async def work() -> None:
        async with (
            open_table(host_options(2, 0, 2), new_identity()) as host,
            join_table(join_options(host), new_identity()) as first,
            join_table(join_options(host, "Carla"), new_identity()) as second,
        ):
            stopped = (await second.closed()).stopped
            assert stopped is not None
            assert (stopped.code, stopped.message) == ("full", "the table is full")
            await until(first, lambda snapshot: snapshot.stage is Stage.READY)

    run(work())


def test_a_guest_who_leaves_before_the_game_frees_his_chair() -> None:
    async def work() -> None:
        async with open_table(host_options(2, 0, 2), new_identity()) as host:
            async with join_table(join_options(host), new_identity()):
                await until(host, lambda snapshot: snapshot.stage is Stage.READY)
            await until(host, lambda snapshot: snapshot.stage is Stage.LOBBY)
            async with join_table(join_options(host, "Carla"), new_identity()):
                await until(host, lambda snapshot: snapshot.stage is Stage.READY)
                assert [seat.name for seat in host.snapshot.seats] == ["Anna", "Carla"]

    run(work())


def test_a_stranger_who_talks_rubbish_is_hung_up_on_and_nothing_happens() -> None:
    async def work() -> None:
        async with open_table(host_options(2, 0, 2), new_identity()) as host:
            link = await dial(parse_address(host.snapshot.address))
            await link.send(b"\x00rubbish")
            await link.receive()  # the challenge, and nothing else
            with pytest.raises(LinkError):
                await link.receive()
            assert host.snapshot.stage is Stage.LOBBY
            async with join_table(join_options(host), new_identity()):
                await until(host, lambda snapshot: snapshot.stage is Stage.READY)

    run(work())


def test_the_host_who_leaves_closes_the_table_for_all() -> None:
    async def work() -> None:
        async with (
            open_table(host_options(2, 0, 2), new_identity()) as host,
            join_table(join_options(host), new_identity()) as guest,
        ):
            await until(guest, lambda snapshot: snapshot.may_ready)
            guest.ready()
            host.ready()
            await until(guest, lambda snapshot: snapshot.stage is Stage.DEAL)
            host.leave()
            stopped = (await guest.closed()).stopped
            assert stopped is not None
            assert "Anna left the table" in stopped.message
            mine = (await host.closed()).stopped
            assert mine is not None
            assert mine.code == "left"

    run(work())


def test_a_port_in_use_is_said_in_one_sentence() -> None:
    async def work() -> None:
        async with open_table(host_options(2, 0, 2), new_identity()) as host:
            port = parse_address(host.snapshot.address).port
            options = HostOptions(2, 0, "novice", Rules(), "Bruno", "127.0.0.1", port)
            with pytest.raises(LinkError, match=f"port {port} is in use"):
                async with open_table(options, new_identity()):
                    pass

    run(work())


def test_nobody_listens_there() -> None:
    async def work() -> None:
        async with open_table(host_options(2, 0, 2), new_identity()) as host:
            options = join_options(host)
        with pytest.raises(LinkError):
            async with join_table(options, new_identity()):
                pass

    run(work())


def test_a_stranger_who_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hocp2p.session.wires.FIRST_FRAME_S", 0.05)

    async def work() -> None:
        async with open_table(host_options(2, 0, 2), new_identity()) as host:
            link = await dial(parse_address(host.snapshot.address))
            await link.receive()  # the challenge, and nothing else
            with pytest.raises(LinkError):
                await link.receive()

    run(work())
