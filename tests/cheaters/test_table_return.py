"""A seat that cheats in coming back, in votes and in what it says of links: nobody is lost by it, nobody is fooled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from hocp2p.game.events import CardPlayed
from hocp2p.game.house import Rules
from hocp2p.table.asides import MAX_KEPT, MAX_RECORDED, TALK_TRACK
from hocp2p.table.effects import Effect, HangUp, Send
from hocp2p.table.events import SeatLeft, TalkSaid
from hocp2p.table.losing import NO_HEAD
from hocp2p.table.snapshot import Stage
from hocp2p.wire import messages as m
from hocp2p.wire.codec import encode
from hocp2p.wire.envelope import Envelope, decode_envelope
from hocp2p.wire.frames import Hears, Return, Standing, encode_frame, hello_statement
from tests.cheaters.test_table import cheated
from tests.support.cheater import CheatedTable, Said, beside
from tests.table.lobby import challenge_of, hello_to, hung_up, return_to
from tests.table.test_losing_a_seat import left_by, lose, mesh_in_play, seat_newcomer
from tests.table.test_whole_tables import verify_agreement


def in_play(seed: int = 4) -> CheatedTable:
    table = CheatedTable(3, Rules(deals=3), seed)
    table.run(lambda: any(isinstance(event, CardPlayed) for event in table.events[1]))
    return table


def lost(table: CheatedTable) -> list[SeatLeft]:
    return [event for events in table.events for event in events if isinstance(event, SeatLeft)]


# -- coming back ------------------------------------------------------------------------------------------------------


def test_a_return_that_was_overheard_opens_nothing() -> None:
    """Seat 1 came back on one link; the same bytes on another, whoever sends them, are for another challenge."""
    table = in_play()
    host = table.peers[0]
    back = return_to(challenge_of(host, 8), table.mine[1].identity, table.table_of(0).terms.table, 1)
    challenge_of(host, 9)
    effects = host.receive(9, encode_frame(back))
    assert [type(effect) for effect in effects] == [HangUp]
    assert not any(table.blames)


def test_a_seat_cannot_stand_between_two_others() -> None:
    """Seat 2 dials seat 1 in seat 0's name: it passes on seat 0's return, made for seat 2's own challenge."""
    table = in_play()
    theirs = challenge_of(table.peers[2], 8)
    back = return_to(theirs, table.mine[0].identity, table.table_of(0).terms.table, 0)
    challenge_of(table.peers[1], 9)
    effects = table.peers[1].receive(9, encode_frame(back))
    assert [type(effect) for effect in effects] == [HangUp]


STANDINGS = {
    "far-ahead": Standing(b"", ((4_000, 100_000), (5_000, 100_000)), (100_000,) * 3),
    "at-the-beginning": Standing(b"", ((0, 0),), (0, 0, 0)),
    "of-two": Standing(b"", ((4, 3),), (0, 0)),
    "sixteen-tracks": Standing(b"", tuple((track, 99_999) for track in range(16)), (7, 0, 99_999)),
    "twice-one-track": Standing(b"", ((4, 90_000), (4, 0)), (0, 0, 0)),
}


@pytest.mark.parametrize("name", STANDINGS)
def test_absurd_standings_do_no_harm(name: str) -> None:
    """It is sent what it says that it misses, which is signed history, and no more often than it asks."""
    table = in_play()
    told = STANDINGS[name]
    absurd = Standing(table.table_of(0).terms.table, told.tracks, told.heard)
    effects = table.peers[0].receive(1, encode_frame(absurd))
    assert {type(effect) for effect in effects} <= {Send}
    assert len(effects) < 400
    assert all(isinstance(effect, Send) and effect.to == 1 for effect in effects)
    table.perform(0, effects)
    table.run()
    verify_agreement(table)


def test_a_standing_of_another_table_is_nothing() -> None:
    table = in_play()
    assert table.peers[0].receive(1, encode_frame(Standing(b"t" * 32, ((0, 0),), (0, 0, 0)))) == []


def test_a_newcomer_is_no_seat_of_the_table_before() -> None:
    """He knows its id from the proposal that goes on with it, and asks what was said there."""
    table = mesh_in_play()
    lose(table, 2, "vote")
    before = left_by(table, 0).terms.table
    seat_newcomer(table, 2, 0)
    table.run(lambda: all(peer.table is not None and peer.table.agreed for peer in table.peers))
    assert table.peers[0].receive(2, encode_frame(Standing(before, ((0, 0),), (0, 0, 0)))) == []
    table.run()
    assert {peer.snapshot().stage for peer in table.peers} == {Stage.ENDED}


@pytest.mark.parametrize("seats", [2, 3])
def test_the_last_number_that_talk_can_have(seats: int) -> None:
    """Nothing can be said after it, and everybody can still say how far he is: the session ends as it should."""

    def more(said: Said) -> Iterable[Envelope]:
        return [aside(said, m.Talk("enough"), m.MAX_STEP)]

    cheater = cheated(beside(m.Call, more), seats, 1)
    cheater.verify_nobody_blamed()
    verify_agreement(cheater.table)


def test_who_greets_in_the_middle_of_a_game_is_not_heard_any_more() -> None:
    """He is hung up on: the others must not go on believing that he is there."""
    table = in_play()
    challenge = challenge_of(table.peers[0], 9)
    back = return_to(challenge, table.mine[2].identity, table.table_of(0).terms.table, 2)
    table.perform(0, [each for each in table.peers[0].receive(9, encode_frame(back)) if isinstance(each, HangUp)])
    assert table.peers[0].snapshot().seats[2].linked
    hello = hello_to(challenge, b"k")
    proof = table.mine[2].identity.sign(hello_statement(challenge, table.mine[2].identity.public, hello.nonce))
    hello = replace(hello, key=table.mine[2].identity.public, proof=proof)
    effects = table.peers[0].receive(9, encode_frame(hello))
    assert hung_up(effects) == [9]
    assert not table.peers[0].snapshot().seats[2].linked


@pytest.mark.parametrize("frame", [Return(1, b"t" * 32, 1, b"p" * 64), Hears((1, 1)), Hears((0, 2))])
def test_what_a_seat_says_of_links_loses_nobody(frame: Return | Hears) -> None:
    """Whether somebody is heard decides nothing but what is shown and whether votes are forgotten."""
    table = in_play()
    effects: list[Effect] = table.peers[0].receive(2, encode_frame(frame))
    table.perform(0, effects)
    table.run_linked()
    assert lost(table) == []
    verify_agreement(table)


def test_who_lies_that_he_hears_a_seat_delays_a_vote_and_no_more() -> None:
    """Seat 0 says that it hears seat 2, which is gone: seat 1's vote stands as long as nothing changes."""
    table = in_play()
    table.crash(2)
    table.run()
    lie = encode_frame(Hears((1, 2)))
    table.perform(1, table.peers[1].receive(0, lie))
    for seat in (0, 1):
        table.perform(seat, table.peers[seat].vote(2, True))
    table.run()
    assert {event.seat for event in lost(table)} == {2}
    assert table.table_of(0).parting == table.table_of(1).parting


# -- votes, addresses -------------------------------------------------------------------------------------------------


def aside(said: Said, message: m.Message | None, step: int, body: bytes | None = None) -> Envelope:
    fields = {} if body is None else {"body": body}
    return said.but(message, track=TALK_TRACK, step=step, head=NO_HEAD, **fields)


@pytest.mark.parametrize("seat", [0, 2])
def test_a_seat_that_votes_about_itself(seat: int) -> None:
    cheater = cheated(beside(m.Call, lambda said: [aside(said, m.Vote(seat, 1), 0)]), 3, seat)
    cheater.verify_blamed("bad-seat", "talk")
    cheater.verify_ended()


@pytest.mark.parametrize("seat", [0, 1])
def test_a_vote_about_a_seat_that_is_none(seat: int) -> None:
    cheater = cheated(beside(m.Call, lambda said: [aside(said, m.Vote(2, 1), 0)]), 2, seat)
    cheater.verify_blamed("bad-seat", "talk")
    cheater.verify_ended()


@pytest.mark.parametrize("seat", [0, 1])
def test_of_two_no_vote_loses_the_other(seat: int) -> None:
    cheater = cheated(beside(m.Call, lambda said: [aside(said, m.Vote(1 - seat, 1), 0)]), 2, seat)
    assert cheater.slot is not None
    verify_agreement(cheater.table)


@pytest.mark.parametrize("seat", [0, 2])
def test_thousands_of_votes_lose_nobody_and_fill_nothing(seat: int) -> None:
    def more(said: Said) -> Iterable[Envelope]:
        return [aside(said, m.Vote((seat + 1) % 3, number % 2), number) for number in range(2000)]

    cheater = cheated(beside(m.Call, more), 3, seat)
    cheater.verify_nobody_blamed()
    assert lost(cheater.table) == []
    verify_agreement(cheater.table)
    for other in cheater.honest:
        assert len(cheater.table.table_of(other).asides.since((0, 0, 0))) <= 3 * MAX_KEPT


@pytest.mark.parametrize("seat", [0, 2])
def test_thousands_of_words_are_heard_and_fill_no_disk(seat: int) -> None:
    def more(said: Said) -> Iterable[Envelope]:
        return [aside(said, m.Talk("blah"), number) for number in range(0, 3 * MAX_RECORDED, 3)]

    cheater = cheated(beside(m.Call, more), 3, seat)
    cheater.verify_nobody_blamed()
    verify_agreement(cheater.table)
    for other in cheater.honest:
        heard = [event for event in cheater.table.events[other] if isinstance(event, TalkSaid)]
        kept = [each for each in cheater.table.kept[other].envelopes if decode_envelope(each).track == TALK_TRACK]
        assert (len(heard), len(kept)) == (MAX_RECORDED, -(-MAX_RECORDED // 3))


ADDRESSES = {
    "too-many": (encode((43, ("h:1",) * 9)), "bad-count"),
    "too-long": (encode((43, ("h" * 81,))), "bad-length"),
    "controls": (encode((43, ("\x1b[2J:1",))), "bad-text"),
    "no-text": (encode((43, (b"h:1",))), "bad-type"),
}


@pytest.mark.parametrize("seat", [0, 2])
@pytest.mark.parametrize("name", ADDRESSES)
def test_addresses_that_are_none(name: str, seat: int) -> None:
    body, code = ADDRESSES[name]
    cheater = cheated(beside(m.Call, lambda said: [aside(said, None, 0, body)]), 3, seat)
    cheater.verify_blamed(code, "talk")
    cheater.verify_ended()


def test_addresses_are_kept_as_they_are_said_and_the_last_word_counts() -> None:
    table = in_play()
    table.paused.update(range(3))
    for addresses in (("10.0.0.1:4", "[::1]:5"), ("far.example:9",)):
        table.perform(1, table.peers[1].be_reachable(addresses))
        table.run()
        assert table.table_of(2).asides.addresses[1] == addresses
