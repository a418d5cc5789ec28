"""Clocks: what is left of a turn and of a bank, and what is done for a player who does not answer."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from hocp2p.game.house import Rules
from hocp2p.net.memory import memory_pair
from hocp2p.record.identity_file import new_identity
from hocp2p.session.clock import BANK_S, TURN_S, Timekeeper
from hocp2p.session.loop import run_loop
from hocp2p.session.runner import SeatRunner, seated
from hocp2p.session.seat import make_me
from hocp2p.session.workers import Workers
from hocp2p.table.events import AwayChanged, TableEvent
from hocp2p.table.peer import Peer
from hocp2p.table.snapshot import Stage
from tests.support.tables import StarTable
from tests.support.waiting import until

LIMIT_S = 60


def a_turn() -> StarTable:
    """A table at which a hand is dealt and somebody is to speak."""
    table = StarTable(2, Rules(), 3, "novice")
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    return table


def test_a_turn_runs_first_and_then_the_bank() -> None:
    snapshot = a_turn().peers[0].snapshot()
    assert snapshot.view is not None
    mover = snapshot.view.state.turn
    assert mover is not None
    clock = Timekeeper().follow(snapshot, 100.0)
    assert clock is not None
    assert clock.awaited == {mover}
    for spent_s, turn_s, bank_s in ((0, TURN_S, BANK_S), (40, 20, BANK_S), (70, 0, BANK_S - 10), (999, 0, 0)):
        assert clock.turn_left_s(mover, 100.0 + spent_s) == turn_s
        assert clock.bank_left_s(mover, 100.0 + spent_s) == bank_s
        assert clock.turn_left_s(1 - mover, 100.0 + spent_s) == TURN_S
        assert clock.bank_left_s(1 - mover, 100.0 + spent_s) == BANK_S


def test_the_bank_is_for_the_session_and_the_turn_is_new_each_time() -> None:
    table = a_turn()
    keeper = Timekeeper()
    snapshot = table.peers[0].snapshot()
    assert snapshot.view is not None
    mover = snapshot.view.state.turn
    assert mover is not None
    first = keeper.follow(snapshot, 0.0)
    assert keeper.follow(replace(snapshot, events=()), 30.0) is first  # nothing that concerns the clock
    while table.peers[0].snapshot().view == snapshot.view:
        table.step()
    second = keeper.follow(table.peers[0].snapshot(), TURN_S + 25.0)
    assert second is not None
    assert second.banks_s[mover] == BANK_S - 25.0
    assert second.banks_s[1 - mover] == BANK_S
    assert second.since_s == TURN_S + 25.0


def test_nobody_hurries_where_one_person_plays_with_bots() -> None:
    snapshot = a_turn().peers[0].snapshot()
    bots = (snapshot.seats[0], replace(snapshot.seats[1], bot_level="novice"))
    clock = Timekeeper().follow(replace(snapshot, seats=bots), 0.0)
    assert clock is not None
    assert clock.awaited == frozenset()


def test_players_who_never_answer_pass_and_are_shown_as_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hocp2p.session.clock.TURN_S", 0.01)
    monkeypatch.setattr("hocp2p.session.clock.BANK_S", 0.01)
    monkeypatch.setattr("hocp2p.session.runner.AWAY_S", 0.0)
    seen: list[TableEvent] = []

    async def work() -> None:
        with Workers() as executor:
            host = SeatRunner(Peer.host(make_me(new_identity(), "Anna"), 2, Rules(deals=2), ""), executor)
            guest = SeatRunner(Peer.guest(make_me(new_identity(), "Bruno"), "memory"), executor)
            here, there = memory_pair()
            host.listen(lambda _, events: seen.extend(events))
            async with seated(host), seated(guest, there):
                host.attach(here)
                for client in (host, guest):
                    await until(client, lambda snapshot: snapshot.may_ready)
                    client.ready()
                assert (await host.closed()).stage is Stage.ENDED
                assert {info.away for info in host.snapshot.seats} == {True}

    run_loop(asyncio.wait_for(work(), LIMIT_S))
    assert {AwayChanged(0, True), AwayChanged(1, True)} <= {e for e in seen if isinstance(e, AwayChanged)}


def test_an_answer_brings_a_player_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hocp2p.session.clock.TURN_S", 0.01)
    monkeypatch.setattr("hocp2p.session.clock.BANK_S", 0.01)

    async def work() -> None:
        with Workers() as executor:
            host = SeatRunner(Peer.host(make_me(new_identity(), "Anna"), 2, Rules(deals=2), ""), executor)
            guest = SeatRunner(Peer.guest(make_me(new_identity(), "Bruno"), "memory"), executor)
            here, there = memory_pair()
            async with seated(host), seated(guest, there):
                host.attach(here)
                for client in (host, guest):
                    await until(client, lambda snapshot: snapshot.may_ready)
                    client.ready()
                await until(guest, lambda snapshot: snapshot.seats[0].away)
                host.say("back again")
                await until(guest, lambda snapshot: not snapshot.seats[0].away)

    run_loop(asyncio.wait_for(work(), LIMIT_S))
