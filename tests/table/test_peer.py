"""What a peer does for its player, whoever hosts: moves, talk, leaving, and the picture they give."""

from __future__ import annotations

import pytest

from hocp2p.errors import LocalError, RuleError
from hocp2p.game import rules as game
from hocp2p.game.actions import Pass, Sans
from hocp2p.game.house import Rules
from hocp2p.table.events import SeatTaken, TalkSaid
from hocp2p.table.participant import MAX_EVENTS
from hocp2p.table.snapshot import Stage
from tests.support.tables import StarTable
from tests.table.lobby import LINK, make_guest, make_host


def table_in_play(seats: int = 3) -> StarTable:
    table = StarTable(seats, Rules(deals=seats), 1)
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    table.paused.update(range(seats))
    table.run()
    return table


@pytest.mark.parametrize("make", [make_host, make_guest])
def test_before_the_table_is_full(make: type) -> None:
    peer = make()
    for ask in (peer.ready, lambda: peer.act(Pass()), lambda: peer.say("x"), peer.show_hand, peer.again):
        with pytest.raises(LocalError):
            ask()
    assert peer.be_away(True) == []
    assert peer.snapshot().legal == ()
    assert not peer.snapshot().may_ready
    assert not peer.over


@pytest.mark.parametrize("make", [make_host, make_guest])
def test_leaving_the_lobby(make: type) -> None:
    peer = make()
    peer.link_opened(LINK)
    peer.leave()
    assert peer.over
    snapshot = peer.snapshot()
    assert snapshot.stage is Stage.STOPPED
    assert snapshot.stopped is not None
    assert snapshot.stopped.code == "left"
    assert peer.leave() == []


def test_an_address_too_long_to_be_told_keeps_nobody_from_playing() -> None:
    """Who is found by a tunnel with a long name signs the proposal, and tells the others what he can."""
    table = StarTable(2, Rules(deals=2), 1)
    told = "10.0.0.1:7411"
    table.perform(0, table.peers[0].be_reachable((f"{'a' * 80}.example:7411", told)))
    table.run()
    assert [peer.snapshot().stage for peer in table.peers] == [Stage.ENDED] * 2
    guest = table.peers[1].table
    assert guest is not None
    assert guest.asides.addresses[0] == (told,)


def test_only_the_seat_whose_turn_it_is_may_act() -> None:
    table = table_in_play()
    asked = [seat for seat, peer in enumerate(table.peers) if peer.snapshot().legal]
    assert len(asked) == 1
    for seat, peer in enumerate(table.peers):
        if seat in asked:
            with pytest.raises(RuleError):
                peer.act(Sans(3))
        else:
            with pytest.raises(LocalError):
                peer.act(Pass())
        assert bool(peer.snapshot().legal) == (seat in asked)


def test_what_is_legal_is_what_the_rules_offer() -> None:
    for peer in table_in_play().peers:
        snapshot = peer.snapshot()
        assert snapshot.view is not None
        assert snapshot.legal == game.legal_actions(snapshot.view)


def test_all_see_the_same_public_figures() -> None:
    table = table_in_play()
    public = {
        (each.deal, each.dealer, each.balances, each.carry, each.doubled, each.rules, each.stage)
        for each in (peer.snapshot() for peer in table.peers)
    }
    assert len(public) == 1
    ((deal, _, balances, carry, _, _, stage),) = public
    assert (deal, sum(balances) + sum(carry), stage) == (1, 300, Stage.DEAL)


def test_a_move_is_signed_and_goes_out() -> None:
    table = table_in_play()
    seat = next(seat for seat, peer in enumerate(table.peers) if peer.snapshot().legal)
    before = len(table.sent[seat])
    table.perform(seat, table.peers[seat].act(table.peers[seat].snapshot().legal[0]))
    sent = table.sent[seat][before:]
    assert len(sent) == len([pair for pair in table.queues if pair[0] == seat])
    assert len(set(sent)) == 1
    assert not table.peers[seat].snapshot().legal
    with pytest.raises(LocalError):
        table.peers[seat].act(Pass())


def test_after_the_end_nothing_can_be_done_but_talk() -> None:
    table = StarTable(2, Rules(deals=2), 1)
    table.run()
    for peer in table.peers:
        snapshot = peer.snapshot()
        assert (snapshot.stage, snapshot.legal, snapshot.may_ready) == (Stage.ENDED, (), False)
        with pytest.raises(LocalError):
            peer.act(Pass())
    table.perform(1, table.peers[1].say("well played"))
    table.run()
    assert TalkSaid(1, "well played") in table.events[0]


def test_after_a_stop_nothing_can_be_done_at_all() -> None:
    table = table_in_play(2)
    table.perform(1, table.peers[1].leave())
    table.run()
    for peer in table.peers:
        assert peer.snapshot().stage is Stage.STOPPED
        assert peer.leave() == []
        with pytest.raises(LocalError):
            peer.act(Pass())


def test_the_log_is_bounded_and_keeps_the_newest() -> None:
    table = table_in_play(2)
    for number in range(MAX_EVENTS + 5):
        table.peers[0].say(f"line {number}")
    events = table.peers[0].snapshot().events
    assert len(events) == MAX_EVENTS
    assert events[-1] == TalkSaid(0, f"line {MAX_EVENTS + 4}")
    assert not any(isinstance(event, SeatTaken) for event in events)
