"""What the host does before the game: other rules, a chair taken away. Nobody stays ready for what he has not read."""

from __future__ import annotations

import pytest

from hocp2p.errors import LocalError, RuleError
from hocp2p.game.house import Rules
from hocp2p.table.events import RulesChanged, SeatFreed
from hocp2p.table.peer import Peer
from hocp2p.table.snapshot import Stage
from tests.support.tables import HOST, StarTable


def waiting_table(seats: int = 3) -> tuple[StarTable, Peer]:
    """A full table at which everybody but the host is ready."""
    table = StarTable(seats, Rules(deals=seats), 4, "novice")
    table.ready_for_next = False
    table.run()
    for guest in range(1, seats):
        table.perform(guest, table.peers[guest].ready())
    table.run()
    host = table.peers[HOST]
    assert [info.ready for info in host.snapshot().seats] == [False] + [True] * (seats - 1)
    return table, host


def test_other_rules_have_to_be_read_and_agreed_to_again() -> None:
    table, host = waiting_table()
    rules = Rules(deals=6, point="pips")
    table.perform(HOST, host.set_rules(rules))
    table.run()
    for seat, peer in enumerate(table.peers):
        snapshot = peer.snapshot()
        assert snapshot.stage is Stage.READY
        assert snapshot.rules == rules
        assert not any(info.ready for info in snapshot.seats)
        assert snapshot.may_manage is (seat == HOST)
        assert RulesChanged(rules) in table.events[seat]
    table.ready_for_next = True
    table.run()
    assert all(peer.snapshot().stage is Stage.ENDED for peer in table.peers)
    assert all(peer.snapshot().rules == rules for peer in table.peers)


def test_the_same_rules_change_nothing_and_wrong_ones_are_refused() -> None:
    table, host = waiting_table()
    assert host.set_rules(Rules(deals=3)) == []
    with pytest.raises(RuleError):
        host.set_rules(Rules(deals=4))
    assert [info.ready for info in host.snapshot().seats] == [False, True, True]
    assert table.peers[1].snapshot().stage is Stage.READY


def test_a_chair_is_taken_away_and_free_again() -> None:
    table, host = waiting_table()
    table.perform(HOST, host.kick(1))
    table.run()
    stopped = table.peers[1].snapshot().stopped
    assert stopped is not None
    assert stopped.code == "kicked"
    for seat in (HOST, 2):
        snapshot = table.peers[seat].snapshot()
        assert snapshot.stage is Stage.LOBBY
        assert [bool(info.key) for info in snapshot.seats] == [True, False, True]
        assert any(isinstance(event, SeatFreed) and event.seat == 1 for event in table.events[seat])
    for nobody in (0, 1, 5):
        with pytest.raises(LocalError) as caught:
            host.kick(nobody)
        assert caught.value.code == "nobody-there"


def test_nothing_is_changed_once_the_game_has_begun() -> None:
    table, host = waiting_table(2)
    table.perform(HOST, host.ready())
    table.run(lambda: host.snapshot().stage is Stage.DEAL)
    assert not host.snapshot().may_manage
    with pytest.raises(LocalError) as caught:
        host.set_rules(Rules())
    assert caught.value.code == "game-begun"
    with pytest.raises(LocalError) as caught:
        host.kick(1)
    assert caught.value.code == "game-begun"
