"""What follows a deal by choice: ready for the next one, a hand shown to the table, another session."""

from __future__ import annotations

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.table.deal import DealSteps
from hocp2p.table.events import AnotherWanted, DealSigned, DealStarted, HandShown
from hocp2p.table.snapshot import Stage
from hocp2p.wire.frames import Again, encode_frame
from hocp2p.wire.messages import ShownHand
from tests.support.tables import HOST, StarTable


def after_deals(seed: int, deals: int, seats: int = 3) -> StarTable:
    """A table at which so many deals are signed, and nobody is ready for the next."""
    table = StarTable(seats, Rules(deals=3 * seats), seed, "novice")

    def signed() -> int:
        return min(sum(isinstance(event, DealSigned) for event in events) for events in table.events)

    table.run(lambda: signed() == deals - 1 and all(peer.snapshot().view is not None for peer in table.peers))
    table.ready_for_next = False
    table.run()
    assert signed() == deals
    return table


def deal_of(table: StarTable, seat: int) -> DealSteps:
    """The deal signed last, as ``seat`` has it."""
    peer = table.peers[seat]
    assert peer.table is not None
    assert peer.table.course.last is not None
    return peer.table.course.last


def test_the_next_deal_waits_until_every_seat_is_ready() -> None:
    """R-086."""
    table = after_deals(1, 1)
    assert [peer.snapshot().may_ready for peer in table.peers] == [True] * 3
    for seat in (2, 0):
        table.perform(seat, table.peers[seat].ready())
    table.run()
    for peer in table.peers:
        assert [info.ready for info in peer.snapshot().seats] == [True, False, True]
        assert peer.snapshot().deal == 2
        assert peer.snapshot().view is None
    with pytest.raises(LocalError):
        table.peers[0].ready()
    table.perform(1, table.peers[1].ready())
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    for events in table.events:
        assert sum(isinstance(event, DealStarted) for event in events) == 2


def test_every_seat_can_show_its_hand_once_and_all_see_it() -> None:
    table = after_deals(2, 2)
    winner = deal_of(table, HOST).state.winner
    for seat, peer in enumerate(table.peers):
        assert peer.snapshot().may_show is (seat != winner)
        if seat == winner:
            with pytest.raises(LocalError):
                peer.show_hand()
            continue
        table.perform(seat, peer.show_hand())
        with pytest.raises(LocalError):
            peer.show_hand()
    table.run()
    for peer in table.peers:
        finished = peer.snapshot().finished[-1]
        assert [seat for seat, _ in finished.shown] == [seat for seat in range(3) if seat != winner]
        for seat, cards in finished.shown:
            assert len(cards) == len(finished.state.hands[seat])
    for events in table.events:
        assert sum(isinstance(event, HandShown) for event in events) == 2
    assert not any(table.blames)


def test_a_hand_that_is_not_the_hand_is_passed_over_and_the_next_is_not_looked_at() -> None:
    """R-106."""
    table = after_deals(3, 1)
    seat = next(seat for seat in range(3) if seat != deal_of(table, HOST).state.winner)
    other = (seat + 1) % 3
    true = deal_of(table, seat).show_hand()
    swapped = (*true.faces[1:], true.faces[0])
    forged = [
        ShownHand(true.deal, true.positions[1:], true.faces[1:], true.proof),
        ShownHand(true.deal, true.positions, true.faces, bytes(64)),
    ]
    if len(true.faces) > 1:
        forged.append(ShownHand(true.deal, true.positions, swapped, true.proof))
    for hand in forged:
        assert deal_of(table, other).accept_hand(seat, hand) is None
    assert deal_of(table, other).accept_hand(seat, true) is None
    (third,) = {0, 1, 2} - {seat, other}
    shown = deal_of(table, third).accept_hand(seat, true)
    assert shown is not None
    assert shown.seat == seat


def test_who_has_come_back_after_the_deal_believes_no_hand() -> None:
    """Its deck is only remembered: what is shown now is proved to those alone who were there all the time."""
    table = after_deals(3, 1)
    seat = next(seat for seat in (2, 1) if deal_of(table, seat).state.winner != seat)
    true = deal_of(table, seat).show_hand()
    seen = {card.index for card in deal_of(table, HOST).state.faces().values()}
    false = tuple(face for face in range(52) if face not in seen)[: len(true.faces)]
    table.crash(HOST)
    table.come_back(HOST)
    assert deal_of(table, HOST).accept_hand(seat, ShownHand(1, true.positions, false, bytes(64))) is None
    assert deal_of(table, 3 - seat).accept_hand(seat, true) is not None


def test_another_session_begins_when_all_who_are_still_here_want_it() -> None:
    table = StarTable(3, Rules(deals=3), 5, "novice")
    table.run(lambda: all(peer.snapshot().stage is Stage.ENDED for peer in table.peers))
    names = [info.name for info in table.peers[HOST].snapshot().seats]
    before = [peer.table.terms.table for peer in table.peers if peer.table is not None]
    for seat in (0, 2):
        table.perform(seat, table.peers[seat].again())
    table.run()
    for peer in table.peers:
        assert peer.snapshot().stage is Stage.ENDED
        assert peer.snapshot().again == {0, 2}
    assert AnotherWanted(2) in table.events[1]
    table.ready_for_next = False
    table.perform(1, table.peers[1].again())
    table.run()
    for peer in table.peers:
        snapshot = peer.snapshot()
        assert snapshot.stage is Stage.READY
        assert [info.name for info in snapshot.seats] == names
        assert snapshot.again == frozenset()
    after = [peer.table.terms.table for peer in table.peers if peer.table is not None]
    assert not set(before) & set(after)
    table.ready_for_next = True
    table.run(lambda: all(peer.snapshot().stage is Stage.ENDED for peer in table.peers))
    assert len({peer.snapshot().balances for peer in table.peers}) == 1


def test_what_crosses_the_invitation_to_another_session_is_dropped() -> None:
    """A guest may talk until he has heard that the others want to go on. (R-114.)"""
    table = StarTable(3, Rules(deals=3), 7, "novice")
    table.run(lambda: all(peer.snapshot().stage is Stage.ENDED for peer in table.peers))
    table.ready_for_next = False
    for seat in (1, 2):
        table.perform(seat, table.peers[seat].again())
    table.run()
    table.perform(1, table.peers[1].say("one moment"))
    table.queues[2, HOST].append(encode_frame(Again(2)))
    table.perform(HOST, table.peers[HOST].again())
    table.run()
    assert [peer.snapshot().stage for peer in table.peers] == [Stage.READY] * 3
    assert len(table.queues) == 4  # nobody hung up


def test_who_leaves_after_a_session_does_not_keep_the_others_from_another() -> None:
    table = StarTable(3, Rules(deals=3), 6, "novice")
    table.run(lambda: all(peer.snapshot().stage is Stage.ENDED for peer in table.peers))
    for seat in (0, 1):
        table.perform(seat, table.peers[seat].again())
    table.perform(2, table.peers[2].leave())
    assert table.peers[2].snapshot().stage is Stage.ENDED
    table.run()
    lobby = table.peers[HOST].snapshot()
    assert lobby.stage is Stage.LOBBY
    assert [info.name for info in lobby.seats] == ["seat 0", "seat 1", ""]
