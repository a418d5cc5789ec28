"""Rule 5: a seat that is gone. Those who remain agree on where it leaves, and go on at another table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.events import CardPlayed
from hocp2p.game.house import Rules
from hocp2p.table.chain import MAX_EARLY_STEPS, first_head
from hocp2p.table.draw import DRAW_TRACK
from hocp2p.table.effects import HangUp
from hocp2p.table.events import DealSigned, LinkChanged, SeatLeft, TableParted, TableStopped, Voted
from hocp2p.table.losses import LOSS_TRACK, Losses, can_be_at
from hocp2p.table.parting import Parting
from hocp2p.table.peer import Peer
from hocp2p.table.snapshot import Stage
from hocp2p.table.table import Table
from hocp2p.wire.envelope import decode_envelope, seal
from hocp2p.wire.frames import Continued, Proposal, Sealed, decode_frame, encode_frame
from hocp2p.wire.messages import SeatLost, Talk, encode_message
from tests.support.tables import HOST, Kept, StarTable, make_me


def mesh_after(seed: int, steps: int = 0) -> StarTable:
    """Three linked seats that have signed, so many deliveries and decisions later."""
    table = StarTable(3, Rules(deals=3), seed)
    table.run(lambda: all(peer.table is not None and peer.table.signed for peer in table.peers))
    table.link(2, 1)
    for _ in range(steps):
        table.step()
    return table


def mesh_in_play(seed: int = 4) -> StarTable:
    """Three linked seats in the middle of the first deal."""
    table = mesh_after(seed)
    table.run(lambda: any(isinstance(event, CardPlayed) for event in table.events[1]))
    return table


def left_by(table: StarTable, seat: int) -> Table:
    """The table that a seat has parted from."""
    left = table.peers[seat]._before
    assert left is not None
    return left


def seat_newcomer(table: StarTable, seat: int, host: int) -> None:
    """Somebody new dials the host of the next table and takes the place of ``seat``."""
    table.mine[seat] = make_me(seat, table.rng, table.scheme)
    secret = getattr(table.peers[host].lobby, "secret", None)
    table.peers[seat] = Peer.guest(table.mine[seat], "memory", secret or b"")
    table.dead.discard(seat)
    table.kept[seat], table.events[seat] = Kept(), []
    table.link(seat, host)


def lose(table: StarTable, lost: int, how: str) -> None:
    """A seat says goodbye, or is killed and given up by the others."""
    rest = [seat for seat in range(3) if seat != lost]
    if how == "goodbye":
        table.perform(lost, table.peers[lost].leave())
        table.run()
        return
    table.crash(lost)
    table.run()
    for seat in rest:
        peer = table.peers[seat]
        if peer.table is not None and not peer.table.over:
            table.perform(seat, peer.vote(lost, True))
    table.run()


# -- the whole way, from any point to the end -------------------------------------------------------------------------


@pytest.mark.parametrize("lost", range(3))
@pytest.mark.parametrize("how", ["goodbye", "vote"])
@pytest.mark.parametrize("steps", range(0, 700, 100))
def test_the_two_who_remain_go_on_wherever_the_third_is_lost(steps: int, how: str, lost: int) -> None:
    """R-107."""
    for seed, newcomer in ((steps, True), (steps + 1, False)):
        table = mesh_after(seed, steps)
        first, second = (seat for seat in range(3) if seat != lost)
        lose(table, lost, how)
        if {table.peers[seat].snapshot().stage for seat in (first, second)} == {Stage.ENDED}:
            continue
        if not all(table.peers[seat]._before for seat in (first, second)):  # not begun: the chair is free again
            assert all(peer.table is None or not peer.table.begun for peer in table.peers)
            continue
        left = left_by(table, first)
        assert left.parting == left_by(table, second).parting
        assert left.parting is not None
        assert left.parting.lost == {lost}
        assert table.peers[first].hosting
        assert not table.peers[second].hosting
        if newcomer:
            seat_newcomer(table, lost, first)
        else:
            table.perform(first, table.peers[first].resize())
        table.run()
        live = range(3) if newcomer else (first, second)
        snapshots = [table.peers[seat].snapshot() for seat in live]
        assert {snapshot.stage for snapshot in snapshots} == {Stage.ENDED}
        assert len({snapshot.balances for snapshot in snapshots}) == 1
        assert not any(table.blames)
        match = left.parting.match
        if match is not None:  # the jetons of the whole session are still there, but for those of a seat not replaced
            gone = 0 if newcomer else match.balances[lost]
            assert sum(snapshots[0].balances) == 300 - gone
            assert snapshots[0].finished[0].number == match.number


# -- during a deal ----------------------------------------------------------------------------------------------------


def test_a_deal_goes_on_without_a_lost_seat_and_is_signed() -> None:
    """R-111."""
    table = mesh_in_play()
    lose(table, 2, "vote")
    for seat in (0, 1):
        left = left_by(table, seat)
        assert [event.seat for event in table.events[seat] if isinstance(event, SeatLeft)] == [2]
        assert any(isinstance(event, DealSigned) for event in table.events[seat])
        assert [finished.state.gone for finished in left.course.finished] == [frozenset({2})]
        assert table.events[seat].count(TableParted((2,))) == 1
        snapshot = table.peers[seat].snapshot()
        assert (snapshot.stage, snapshot.parted, snapshot.hosting) == (Stage.LOBBY, True, seat == 0)
        assert snapshot.balances == left.course.finished[0].outcome.balances
        assert snapshot.deal == 1


def test_hands_that_are_not_out_are_not_played() -> None:
    """The deal is void: the session stands where it was signed last."""
    table = mesh_after(4)
    table.run(lambda: all(peer.snapshot().stage is Stage.DEALING for peer in table.peers))
    lose(table, 1, "goodbye")
    for seat in (0, 2):
        left = left_by(table, seat)
        assert left.course.finished == []
        assert left.parting is not None
        assert left.parting.match is not None
        assert left.parting.match.number == 1
        assert left.parting.head == left.tracks.heads[DRAW_TRACK]
        assert left.parting.match.balances == (100, 100, 100)


def test_a_goodbye_is_a_loss_that_everybody_hears() -> None:
    table = mesh_in_play(9)
    table.perform(1, table.peers[1].leave())
    table.run()
    assert table.peers[1].snapshot().stopped == TableStopped("left", "you have left the table")
    for seat in (0, 2):
        left = [event for event in table.events[seat] if isinstance(event, SeatLeft)]
        assert [(event.seat, event.why) for event in left] == [(1, "left the table")]
        assert len(left_by(table, seat).course.finished) == 1


def test_without_the_host_the_next_seat_hosts() -> None:
    table = mesh_in_play(2)
    table.perform(HOST, table.peers[HOST].leave())
    table.run()
    first, second = table.peers[1].snapshot(), table.peers[2].snapshot()
    assert (first.hosting, second.hosting) == (True, False)
    assert (first.our_seat, second.our_seat) == (0, 1)
    assert [info.name for info in first.seats] == [info.name for info in second.seats] == ["seat 1", "seat 2", ""]
    assert first.may_resize
    assert not second.may_resize


def test_of_two_players_nobody_can_go_on_alone() -> None:
    table = StarTable(2, Rules(), 1, "novice")
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    table.perform(1, table.peers[1].leave())
    table.run()
    stopped = table.peers[0].snapshot().stopped
    assert stopped is not None
    assert (stopped.code, stopped.seat) == ("seat-lost", 1)


def test_of_two_players_a_silent_one_is_waited_for() -> None:
    table = StarTable(2, Rules(deals=2), 1)
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    table.crash(1)
    table.run()
    assert not table.peers[0].over
    assert table.peers[0].snapshot().may_give_up == frozenset()
    assert table.come_back(1)
    table.relink()
    table.run()
    assert [peer.snapshot().stage for peer in table.peers] == [Stage.ENDED] * 2


# -- votes ------------------------------------------------------------------------------------------------------------


def silent(table: StarTable, seat: int) -> None:
    """A seat is not heard any more."""
    for pair in [pair for pair in table.queues if pair[0] == seat]:
        table.cut(*pair)
    table.paused.add(seat)
    table.run()


def test_a_link_that_is_down_is_no_loss() -> None:
    table = mesh_in_play()
    silent(table, 2)
    for seat in (0, 1):
        snapshot = table.peers[seat].snapshot()
        assert LinkChanged(2, False) in table.events[seat]
        assert not snapshot.seats[2].linked
        assert snapshot.seats[2].present
        assert not any(isinstance(event, SeatLeft) for event in table.events[seat])
        assert 2 in snapshot.may_give_up


def test_one_vote_is_not_enough() -> None:
    table = mesh_in_play()
    silent(table, 2)
    table.perform(0, table.peers[0].vote(2, True))
    table.run()
    for seat in (0, 1):
        assert Voted(0, 2, True) in table.events[seat]
        assert table.peers[seat].snapshot().seats[2].votes == {0}
        assert not any(isinstance(event, SeatLeft) for event in table.events[seat])
    assert table.peers[0].vote(2, True) == []  # said once


def test_a_vote_can_be_withdrawn() -> None:
    table = mesh_in_play()
    silent(table, 2)
    for go_on in (True, False):
        table.perform(0, table.peers[0].vote(2, go_on))
        table.run()
    table.perform(1, table.peers[1].vote(2, True))
    table.run()
    for seat in (0, 1):
        assert table.peers[seat].snapshot().seats[2].votes == {1}
        assert not any(isinstance(event, SeatLeft) for event in table.events[seat])


def test_votes_are_forgotten_when_the_seat_is_heard_again() -> None:
    table = mesh_in_play()
    silent(table, 2)
    table.perform(0, table.peers[0].vote(2, True))
    table.run()
    table.paused.clear()
    table.link(2, HOST)
    table.run()
    assert LinkChanged(2, True) in table.events[0]
    assert [event.number for event in table.events[1] if isinstance(event, DealSigned)][-1] == 3
    assert not any(isinstance(event, SeatLeft) for events in table.events for event in events)
    assert [peer.snapshot().stage for peer in table.peers] == [Stage.ENDED] * 3


def test_where_there_is_nothing_to_vote_on() -> None:
    table = mesh_in_play()
    for seat in (0, 3, -1):
        with pytest.raises(LocalError) as caught:
            table.peers[0].vote(seat, True)
        assert caught.value.code == "no-vote"
    lose(table, 2, "goodbye")
    with pytest.raises(LocalError) as caught:
        table.peers[0].vote(1, True)
    assert caught.value.code == "no-vote"


def test_the_count_of_votes() -> None:
    losses = Losses(3)
    losses.vote(0, 2, go_on=True)
    assert not losses.is_voted(2)
    assert losses.has_agreed(0, 2)
    losses.vote(1, 2, go_on=True)
    assert losses.is_voted(2)
    assert not losses.is_voted(1)
    losses.forget_votes(2)
    assert not losses.is_voted(2)
    assert losses.has_agreed(0, 2)  # who has agreed once follows the others' claims
    two = Losses(2)
    two.vote(0, 1, go_on=True)
    assert not two.is_voted(1)


# -- claims -----------------------------------------------------------------------------------------------------------


def test_where_a_claim_can_stand() -> None:
    """R-110."""
    place = (4, 1)
    assert can_be_at(place, SeatLost(2, 4, 0))
    assert can_be_at(place, SeatLost(2, 4, MAX_EARLY_STEPS + 1))
    assert can_be_at(place, SeatLost(2, 6, 0))
    assert can_be_at(place, SeatLost(2, 2, 99))
    assert not can_be_at(place, SeatLost(2, 4, MAX_EARLY_STEPS + 2))
    assert not can_be_at(place, SeatLost(2, 6, 1))
    assert not can_be_at(place, SeatLost(2, 8, 0))


def test_the_cut_is_the_highest_step_and_only_when_all_have_claimed() -> None:
    """R-111."""
    losses = Losses(3)
    losses.add(0, SeatLost(2, 4, 17), b"one")
    assert losses.cut(2) is None
    assert losses.holds(0)
    assert not losses.holds(1)
    losses.add(1, SeatLost(2, 4, 19), b"other")
    assert losses.cut(2) == (4, 19)
    assert losses.pending() == (2,)
    losses.lost.add(2)
    assert losses.pending() == ()
    assert losses.remaining() == {0, 1}
    assert losses.envelopes == [b"one", b"other"]


# -- the next table ---------------------------------------------------------------------------------------------------


def test_a_newcomer_takes_over_the_jetons() -> None:
    table = mesh_in_play()
    lose(table, 1, "goodbye")
    balances = table.peers[0].snapshot().balances
    assert len(set(balances)) > 1
    seat_newcomer(table, 1, HOST)
    table.ready_for_next = False
    table.run()
    for seat in range(3):
        snapshot = table.peers[seat].snapshot()
        assert (snapshot.stage, snapshot.parted, snapshot.balances) == (Stage.READY, True, balances)
    table.ready_for_next = True
    table.run(lambda: all(peer.snapshot().deal == 2 for peer in table.peers))
    for peer in table.peers:
        assert peer.table is not None
        assert peer.table.terms.continued is not None
        assert peer.table.terms.continued.balances == balances
        assert peer.table.course.match is not None
        assert peer.table.course.match.balances == balances


def test_the_rules_stay_and_the_chair_of_who_remains_is_kept() -> None:
    table = mesh_in_play()
    lose(table, 1, "goodbye")
    host = table.peers[HOST]
    with pytest.raises(LocalError) as caught:
        host.set_rules(Rules(deals=6))
    assert caught.value.code == "game-begun"
    table.cut(0, 2)
    assert [info.name for info in host.snapshot().seats] == ["seat 0", "", ""]
    seat_newcomer(table, 1, HOST)
    table.run()
    assert [bool(info.name) for info in host.snapshot().seats] == [True, True, False]
    table.link(2, HOST)
    table.run()
    assert [peer.snapshot().stage for peer in table.peers] == [Stage.ENDED] * 3


def test_there_is_nothing_to_go_on_without_where_nobody_is_lost() -> None:
    table = StarTable(3, Rules(deals=3), 1)
    with pytest.raises(LocalError) as caught:
        table.peers[0].resize()
    assert caught.value.code == "not-parted"


def parting_and_terms() -> tuple[Parting, StarTable]:
    """Seat 1 has left; a newcomer sits in its chair at the next table."""
    table = mesh_in_play()
    lose(table, 1, "goodbye")
    parting = left_by(table, HOST).parting
    assert parting is not None
    seat_newcomer(table, 1, HOST)
    table.ready_for_next = False
    table.run()
    return parting, table


def test_only_what_goes_on_exactly_is_gone_on_with() -> None:
    """Balances, dealer, pools, doubled stakes, number, history, the order of seats and who they are."""
    parting, table = parting_and_terms()
    next_table = table.peers[2].table
    assert next_table is not None
    terms = next_table.terms
    assert parting.continues(terms)
    went_on = terms.continued
    assert went_on is not None
    first, second, third = went_on.balances
    changed = [
        replace(went_on, balances=(first + 1, second - 1, third)),
        replace(went_on, dealer=(went_on.dealer + 1) % 3),
        replace(went_on, carry=(went_on.carry[0] + 1, *went_on.carry[1:])),
        replace(went_on, doubled=(0,) if went_on.doubled != (0,) else ()),
        replace(went_on, number=went_on.number + 1),
        replace(went_on, head=b"x" * 32),
        replace(went_on, table=b"x" * 32),
        None,
    ]
    for each in changed:
        assert not parting.continues(replace(terms, continued=each)), each
    host, newcomer, guest = terms.seats
    for seats in (
        (guest, newcomer, host),
        (host, guest, newcomer),
        (host, newcomer, replace(guest, key=b"x" * 32)),
        (replace(host, key=b"x" * 32), newcomer, guest),
        (host, newcomer),
    ):
        assert not parting.continues(replace(terms, seats=seats))
    assert parting.continues(replace(terms, seats=(host, replace(newcomer, key=b"x" * 32), guest)))


HELPED: dict[str, Callable[[Continued], tuple[Continued, ...]]] = {
    "balances": lambda told: (replace(told, balances=(told.balances[0] + 9, told.balances[1] - 9, told.balances[2])),),
    "dealer": lambda told: (replace(told, dealer=(told.dealer + 1) % 3),),
    "carry": lambda told: (replace(told, carry=(told.carry[0] + 1, told.carry[1], told.carry[2])),),
    "number": lambda told: (replace(told, number=told.number + 1),),
    "head": lambda told: (replace(told, head=b"x" * 32),),
    "table": lambda told: (replace(told, table=b"x" * 32),),
    "begun-anew": lambda _: (),
}


@pytest.mark.parametrize("name", HELPED)
def test_a_proposal_that_does_not_go_on_exactly_is_refused(name: str) -> None:
    """A host who would help himself: nothing is signed, the link is closed, the seat waits for better."""
    table = mesh_in_play()
    lose(table, 1, "goodbye")
    held: list[Proposal] = []

    def hold(frm: int, to: int, data: bytes) -> Iterable[bytes]:
        frame = decode_frame(data)
        if (frm, to) != (HOST, 2) or not isinstance(frame, Proposal):
            return [data]
        held.append(frame)
        return []

    table.tamper = hold
    seat_newcomer(table, 1, HOST)
    table.run()
    (proposal,) = held
    guest = table.peers[2]
    lie = replace(proposal, continues=HELPED[name](proposal.continues[0]))
    effects = guest.receive(HOST, encode_frame(lie))
    assert effects == [HangUp(HOST, "the proposal does not go on where the table before was left")]
    assert guest.table is None
    assert not guest.over
    assert table.mine[HOST].identity.public in guest.wanted()


@pytest.mark.parametrize("second", range(3))
def test_a_second_seat_is_lost_at_the_next_table(second: int) -> None:
    """A newcomer has come for the first; then somebody goes there, too, the host or the newcomer perhaps."""
    table = mesh_in_play()
    lose(table, 2, "vote")
    seat_newcomer(table, 2, HOST)
    table.run(lambda: all(peer.snapshot().deal == 2 and peer.snapshot().view is not None for peer in table.peers))
    table.link(2, 1)
    lose(table, second, "goodbye" if second else "vote")
    first, other = (seat for seat in range(3) if seat != second)
    assert left_by(table, first).parting == left_by(table, other).parting
    assert table.peers[first].hosting
    table.perform(first, table.peers[first].resize())
    table.run()
    snapshots = [table.peers[seat].snapshot() for seat in (first, other)]
    assert [snapshot.stage for snapshot in snapshots] == [Stage.ENDED] * 2
    assert len({snapshot.balances for snapshot in snapshots}) == 1
    assert not any(table.blames)


@pytest.mark.parametrize("at_fault", [HOST, 2])
@pytest.mark.parametrize("goes_on", [False, True])
def test_who_breaks_the_agreement_does_not_take_the_session_along(at_fault: int, goes_on: bool) -> None:
    """A newcomer, or the host, signs something else: nobody has lost a jeton, and the others play to the end."""
    table = mesh_in_play() if goes_on else StarTable(3, Rules(deals=6), 4)
    table.ready_for_next = False
    if goes_on:
        lose(table, 2, "vote")
        seat_newcomer(table, 2, HOST)
    table.run()
    proposed = table.peers[HOST].table
    assert proposed is not None
    id_, head = proposed.terms.table, first_head(proposed.terms.table, 0)
    for seat in {0, 1, 2} - {at_fault}:
        table.perform(seat, table.peers[seat].ready())
    if at_fault == HOST:
        table.link(2, 1)
        table.run()
    wrong = seal(id_, 0, 0, at_fault, head, encode_message(Talk("no")), table.mine[at_fault].identity.sign)
    for seat in {0, 1, 2} - {at_fault}:
        table.perform(seat, table.peers[seat].receive(at_fault, encode_frame(Sealed(wrong.raw))))
    table.run()
    assert [blame.seat for blame in table.blames[1]] == [at_fault]
    first, second = (seat for seat in range(3) if seat != at_fault)
    table.dead.add(at_fault)
    if goes_on or at_fault == HOST:
        table.perform(first, table.peers[first].resize())
    else:
        seat_newcomer(table, at_fault, first)
    table.ready_for_next = True
    table.run()
    ends = [table.peers[seat].snapshot() for seat in (first, second)]
    assert [end.stage for end in ends] == [Stage.ENDED] * 2
    assert ends[0].balances == ends[1].balances
    went_on = proposed.terms.continued
    assert (ends[0].finished[0].number, went_on is not None) == (1 if went_on is None else went_on.number, goes_on)
    if went_on is not None:  # and from what all had signed there, not from 100 each
        left = went_on.balances[at_fault]
        assert sum(ends[0].balances) == 300 - left


def test_who_was_blamed_before_the_game_had_begun_here_is_lost_once_it_had_elsewhere() -> None:
    """Seat 1 has not heard yet that the host has gone on when it blames seat 2: it claims nothing, then it follows."""
    table = StarTable(3, Rules(deals=3), 6)
    table.run(lambda: all(peer.table is not None for peer in table.peers))
    held: list[bytes] = []

    def hold(frm: int, to: int, data: bytes) -> Iterable[bytes]:
        frame = decode_frame(data)
        late = isinstance(frame, Sealed) and decode_envelope(frame.envelope).track in (1, LOSS_TRACK)
        if (frm, to) == (HOST, 1) and late:
            held.append(data)
            return []
        return [data]

    table.tamper = hold
    table.run(lambda: all(peer.table is not None and peer.table.agreed for peer in table.peers))
    first = table.peers[1].table
    assert first is not None
    id_ = first.terms.table
    wrong = seal(id_, 0, 0, 2, first_head(id_, 0), encode_message(Talk("no")), table.mine[2].identity.sign)
    table.perform(1, table.peers[1].receive(HOST, encode_frame(Sealed(wrong.raw))))
    assert [(blame.seat, blame.code) for blame in table.blames[1]] == [(2, "equivocation")]
    assert (first.begun, first.losses.claimed(1, 2)) == (False, False)
    table.run()
    assert not first.losses.claimed(1, 2)
    table.tamper = lambda _from, _to, data: [data]
    for data in held:
        table.perform(1, table.peers[1].receive(HOST, data))
    table.run()
    assert left_by(table, HOST).parting == left_by(table, 1).parting


@pytest.mark.parametrize("seats", [2, 3])
def test_who_signs_twice_before_the_host_has_signed_frees_his_chair(seats: int) -> None:
    """The host has not looked at the proposal yet; the others see the lobby again, and somebody else may come."""
    table = StarTable(seats, Rules(deals=6), 4)
    table.ready_for_next = False
    table.run()
    last = seats - 1
    proposed = table.peers[HOST].table
    assert proposed is not None
    assert not proposed.signed
    table.perform(last, table.peers[last].ready())
    table.run()
    id_ = proposed.terms.table
    wrong = seal(id_, 0, 0, last, first_head(id_, 0), encode_message(Talk("no")), table.mine[last].identity.sign)
    table.tamper = lambda _from, to, data: [] if to == last else [data]  # its program would stop at the evidence
    table.perform(HOST, table.peers[HOST].receive(last, encode_frame(Sealed(wrong.raw))))
    table.run()
    table.tamper = lambda _from, _to, data: [data]
    assert [(blame.seat, blame.code) for blame in table.blames[HOST]] == [(last, "equivocation")]
    assert [peer.table for peer in table.peers[:last]] == [None] * last
    assert (HOST, last) not in table.queues
    table.blames[HOST].clear()
    seat_newcomer(table, last, HOST)
    table.ready_for_next = True
    table.run()
    assert {peer.snapshot().stage for peer in table.peers} == {Stage.ENDED}
    assert not table.blames[HOST]
