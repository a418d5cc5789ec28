"""Rule 5: a seat that is gone. The others finish the deal where they can, and stop cleanly where they cannot."""

from __future__ import annotations

import pytest

from hocp2p.game.events import CardPlayed
from hocp2p.game.house import Rules
from hocp2p.table.snapshot import DealSigned, SeatLeft, Stage, TableStopped
from tests.support.tables import HOST, StarTable


def play_until(seed: int, steps: int, seats: int = 3) -> StarTable:
    """A table of bots after so many deliveries and decisions."""
    table = StarTable(seats, Rules(deals=seats), seed, "novice")
    for _ in range(steps):
        table.step()
    return table


@pytest.mark.parametrize("steps", range(0, 900, 30))
def test_the_two_who_remain_end_alike_wherever_the_third_is_lost(steps: int) -> None:
    """R-107."""
    for seed in range(2):
        table = play_until(seed, steps)
        begun = all(peer.table is not None and peer.table.agreed for peer in table.peers)
        table.cut(HOST, 2)
        table.paused.add(2)
        table.run()
        rest = [table.peers[0].snapshot(), table.peers[1].snapshot()]
        if not begun:  # the chair is free again
            assert {snapshot.stage for snapshot in rest} <= {Stage.LOBBY, Stage.STOPPED}
            continue
        assert rest[0].stage is rest[1].stage
        assert rest[0].balances == rest[1].balances
        assert rest[0].net == rest[1].net
        assert [len(snapshot.finished) for snapshot in rest].count(len(rest[0].finished)) == 2
        if rest[0].stage is Stage.ENDED:
            assert len(rest[0].finished) == 3
            continue
        for seat in (0, 1):
            stops = [event for event in table.events[seat] if isinstance(event, TableStopped)]
            assert [stop.code for stop in stops] == ["seat-lost"]


def test_a_deal_goes_on_without_a_lost_seat_and_is_signed() -> None:
    table = StarTable(3, Rules(), 4, "novice")
    table.run(lambda: any(isinstance(event, CardPlayed) for event in table.events[1]))
    table.cut(HOST, 2)
    table.paused.add(2)
    table.run()
    for seat in (0, 1):
        snapshot = table.peers[seat].snapshot()
        assert any(isinstance(event, SeatLeft) and event.seat == 2 for event in table.events[seat])
        assert any(isinstance(event, DealSigned) for event in table.events[seat])
        assert [finished.state.gone for finished in snapshot.finished] == [frozenset({2})]
        assert sum(snapshot.balances) == 300
        assert snapshot.net is not None
        assert sum(snapshot.net) == 0
        assert not snapshot.seats[2].present
    lost = table.peers[2].snapshot()
    assert lost.stopped is not None
    assert lost.stopped.code == "host-gone"


def test_a_goodbye_is_a_loss_that_everybody_hears() -> None:
    table = StarTable(3, Rules(), 9, "novice")
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    table.perform(1, table.peers[1].leave())
    table.run()
    assert table.peers[1].snapshot().stopped == TableStopped("left", "you have left the table")
    for seat in (0, 2):
        left = [event for event in table.events[seat] if isinstance(event, SeatLeft)]
        assert [(event.seat, event.why) for event in left] == [(1, "left the table")]
        assert len(table.peers[seat].snapshot().finished) == 1


def test_of_two_players_nobody_can_go_on_alone() -> None:
    table = StarTable(2, Rules(), 1, "novice")
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    table.perform(1, table.peers[1].leave())
    table.run()
    stopped = table.peers[0].snapshot().stopped
    assert stopped is not None
    assert (stopped.code, stopped.seat) == ("seat-lost", 1)


def test_without_the_host_the_table_stops_for_all() -> None:
    table = StarTable(3, Rules(), 2, "novice")
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    table.perform(0, table.peers[0].leave())
    table.run()
    for seat in (1, 2):
        stopped = table.peers[seat].snapshot().stopped
        assert stopped is not None
        assert "left the table" in stopped.message
