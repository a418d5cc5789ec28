"""Links: challenges and their proofs, who is at the other end, what strangers are told."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from hocp2p.crypto.identity import Identity
from hocp2p.errors import CryptoError, WireError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Effect, HangUp, Send
from hocp2p.table.links import Links
from hocp2p.table.snapshot import Stage
from hocp2p.wire.frames import (
    PROTOCOL_VERSION,
    Challenge,
    Hears,
    Hello,
    Refusal,
    Return,
    Standing,
    decode_frame,
    encode_frame,
)
from tests.support.tables import HOST, StarTable
from tests.table.lobby import (
    CHALLENGE,
    HENRI,
    LINK,
    NONCE,
    challenge_of,
    dial,
    events_in,
    frames_to,
    hello_to,
    hung_up,
    make_guest,
    make_host,
    return_to,
    somebody,
    stopped,
)

US = Identity.from_seed(b"u" * 32)


def links() -> tuple[Links, list[Effect]]:
    effects: list[Effect] = []
    return Links(US, random.Random(1).randbytes, effects.append), effects


def in_play(seats: int = 3) -> StarTable:
    table = StarTable(seats, Rules(deals=seats), 1)
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    table.paused.update(range(seats))
    table.run()
    return table


def table_id(table: StarTable) -> bytes:
    peer = table.peers[HOST]
    assert peer.table is not None
    return peer.table.terms.table


# -- challenges -------------------------------------------------------------------------------------------------------


def test_who_is_dialled_speaks_first_and_each_challenge_is_fresh() -> None:
    ours, effects = links()
    ours.open(1, dialled=True, certificate=None)
    assert effects == []
    for link in (2, 3):
        ours.open(link, dialled=False, certificate=None)
    challenges = [decode_frame(each.frame) for each in effects if isinstance(each, Send)]
    assert challenges == [ours[2].challenge, ours[3].challenge]
    assert len({each.nonce for each in challenges if isinstance(each, Challenge)}) == 2


@pytest.mark.parametrize(
    ("challenge", "certificate", "code"),
    [
        (replace(CHALLENGE, version=PROTOCOL_VERSION + 1), None, "version"),
        (CHALLENGE, somebody(b"x").public, "wrong-key"),
        (replace(CHALLENGE, key=US.public), None, "wrong-key"),
        (replace(CHALLENGE, key=US.public), US.public, "wrong-key"),
    ],
    ids=["version", "certificate", "ourselves", "ourselves-with-certificate"],
)
def test_challenges_that_are_not_answered(challenge: Challenge, certificate: bytes | None, code: str) -> None:
    ours, effects = links()
    ours.open(1, dialled=True, certificate=certificate)
    with pytest.raises(WireError) as caught:
        ours.take_challenge(1, encode_frame(challenge))
    assert caught.value.code == code
    assert effects == []
    assert ours[1].key is None


def test_a_host_who_is_not_its_certificate_is_no_host() -> None:
    guest = make_guest()
    guest.link_opened(LINK, dialled=True, certificate=somebody(b"x").public)
    effects = guest.receive(LINK, encode_frame(CHALLENGE))
    assert hung_up(effects) == [LINK]
    assert frames_to(effects, LINK) == []
    reason = stopped(guest)
    assert reason is not None
    assert reason.code == "wrong-key"
    assert isinstance(dial(make_guest(), certificate=HENRI.public), Hello)


# -- proofs -----------------------------------------------------------------------------------------------------------


def test_a_proof_is_for_one_challenge() -> None:
    """Of another host, or of another link to the same: neither greeting nor return can be passed on."""
    ours, _ = links()
    for link in (1, 2):
        ours.open(link, dialled=False, certificate=None)
    one, other = ours[1].challenge, ours[2].challenge
    assert one is not None
    assert other is not None
    greeting, back = hello_to(one), return_to(one, somebody(), b"t" * 32, 1)
    for wrong in (other, replace(one, key=HENRI.public)):
        with pytest.raises(CryptoError):
            ours.verify_hello(1, hello_to(wrong))
        with pytest.raises(CryptoError):
            ours.verify_return(1, return_to(wrong, somebody(), b"t" * 32, 1), somebody().public)
    with pytest.raises(CryptoError):
        ours.verify_hello(2, greeting)
    with pytest.raises(CryptoError):
        ours.verify_return(2, back, somebody().public)
    for changed in (replace(back, seat=2), replace(back, table=b"u" * 32)):
        with pytest.raises(CryptoError):
            ours.verify_return(1, changed, somebody().public)
    with pytest.raises(CryptoError):
        ours.verify_return(1, back, somebody(b"x").public)
    for spoiled in (replace(greeting, nonce=b"o" * 32), replace(greeting, key=somebody(b"x").public)):
        with pytest.raises(CryptoError):
            ours.verify_hello(1, spoiled)
    assert ours[1].key is None
    ours.verify_hello(1, greeting)
    assert ours[1].key == somebody().public
    with pytest.raises(WireError) as caught:
        ours.verify_hello(1, hello_to(one, b"x"))
    assert caught.value.code == "wrong-key"


def test_a_greeting_overheard_at_another_host_is_nothing() -> None:
    """A host passes on what its guest has signed, to sit in the guest's name elsewhere."""
    host = make_host()
    challenge_of(host, 1)
    effects = host.receive(1, encode_frame(hello_to(CHALLENGE)))
    assert hung_up(effects) == [1]
    assert frames_to(effects, 1) == []
    assert events_in(effects) == []


# -- returns ----------------------------------------------------------------------------------------------------------


def test_a_seat_comes_back_and_is_told_how_far_we_are() -> None:
    table = in_play()
    host = table.peers[HOST]
    back = return_to(challenge_of(host, 9), table.mine[1].identity, table_id(table), 1)
    effects = host.receive(9, encode_frame(back))
    assert isinstance(frames_to(effects, 9)[0], Standing)
    assert hung_up(effects) == [1]  # the older link of the same seat
    assert stopped(host) is None


@pytest.mark.parametrize(
    ("seat", "who"), [(1, 2), (2, 1), (1, None), (0, 0), (2, None)], ids=["2-as-1", "1-as-2", "x-as-1", "0", "x-as-2"]
)
def test_nobody_comes_back_as_another(seat: int, who: int | None) -> None:
    """R-039."""
    table = in_play()
    host = table.peers[HOST]
    identity = somebody() if who is None else table.mine[who].identity
    back = return_to(challenge_of(host, 9), identity, table_id(table), seat)
    effects = host.receive(9, encode_frame(back))
    assert [type(effect) for effect in effects] == [HangUp]
    assert hung_up(effects) == [9]
    assert not any(table.blames)


def test_a_return_to_another_table_is_refused_in_words() -> None:
    for host in (in_play().peers[HOST], make_host()):
        effects = host.receive(9, encode_frame(return_to(challenge_of(host, 9), somebody(), b"t" * 32, 1)))
        (refusal,) = frames_to(effects, 9)
        assert isinstance(refusal, Refusal)
        assert refusal.code == "no-such-table"
        assert hung_up(effects) == [9]


def test_a_seat_that_the_others_have_left_behind_is_told_so() -> None:
    table = in_play()
    table.perform(1, table.peers[1].leave())
    table.run()
    host = table.peers[HOST]
    assert host.table is not None
    back = return_to(challenge_of(host, 9), table.mine[1].identity, table_id(table), 1)
    (refusal,) = frames_to(host.receive(9, encode_frame(back)), 9)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "cut-off"


def test_a_guest_goes_back_to_its_table_and_to_nobody_else() -> None:
    table = in_play()
    guest = table.peers[1]
    key = table.mine[HOST].identity.public
    answer = dial(guest, 9, Challenge(PROTOCOL_VERSION, key, NONCE))
    assert isinstance(answer, Return)
    assert (answer.table, answer.seat) == (table_id(table), 1)
    guest.link_opened(10, dialled=True)
    assert guest.receive(10, encode_frame(CHALLENGE)) == [HangUp(10, "nobody of ours")]
    assert not guest.over


def test_who_was_dialled_and_has_not_answered_is_not_dialled_again() -> None:
    """The host may think for long about somebody who knocks."""
    host, guest = somebody().public, make_guest()
    assert guest.wanted() == {b"": ()}
    guest.link_opened(1, dialled=True, certificate=host)
    assert guest.wanted() == {}
    guest.link_closed(1)
    assert guest.wanted() == {b"": ()}
    table = in_play(2)
    table.cut(1, HOST)
    back = table.peers[1]
    key = table.mine[HOST].identity.public
    assert set(back.wanted()) == {key}
    back.link_opened(9, dialled=True, certificate=key)
    assert not back.wanted()
    back.link_closed(9)
    assert set(back.wanted()) == {key}


# -- strangers --------------------------------------------------------------------------------------------------------


def test_a_stranger_gets_the_challenge_and_nothing_else() -> None:
    table = in_play()
    host = table.peers[HOST]
    challenge_of(host, 9)
    effects = host.say("not for everybody")
    assert {effect.to for effect in effects if isinstance(effect, Send)} == {1, 2}


def test_a_challenge_is_a_strangers_until_it_has_answered() -> None:
    """On a link that we have dialled nothing goes out before the other side has shown that it is of our table."""
    table = in_play()
    guest = table.peers[1]
    dial(guest, 9, Challenge(PROTOCOL_VERSION, table.mine[2].identity.public, NONCE))
    effects = guest.say("not for everybody")
    assert {effect.to for effect in effects if isinstance(effect, Send)} == {HOST}


# -- who hears whom ---------------------------------------------------------------------------------------------------


def test_an_older_link_that_the_same_side_has_dialled_is_closed() -> None:
    ours, effects = links()
    for link, dialled in ((1, False), (2, True), (3, False)):
        ours.open(link, dialled=dialled, certificate=None)
        ours[link].key = HENRI.public
        ours.join(link)
    assert [effect for effect in effects if isinstance(effect, HangUp)] == [HangUp(1, "linked anew")]
    assert ours.joined(HENRI.public) == (2, 3)
    assert ours.keys() == {HENRI.public}
    assert ours.close(1) is None
    assert ours.joined(somebody().public) == ()


def test_whom_we_hear_is_told_once_to_each() -> None:
    ours, effects = links()
    ours.open(1, dialled=False, certificate=None)
    ours[1].key = HENRI.public
    ours.tell_whom_we_hear((1, 2))
    assert not any(isinstance(decode_frame(each.frame), Hears) for each in effects if isinstance(each, Send))
    ours.join(1)
    effects.clear()
    for seats in ((1, 2), (1, 2), (1,)):
        ours.tell_whom_we_hear(seats)
    told = [decode_frame(each.frame) for each in effects if isinstance(each, Send)]
    assert told == [Hears((1, 2)), Hears((1,))]
    ours[1].hears = (2,)
    assert ours.heard_by_others() == {2}


def test_a_seat_that_the_others_hear_is_heard() -> None:
    table = in_play()
    guest = table.peers[1]
    assert guest.snapshot().seats[2].linked  # through the host
    table.cut(HOST, 2)
    assert not table.peers[HOST].snapshot().seats[2].linked
    table.run()
    assert not guest.snapshot().seats[2].linked
    table.link(2, 1)
    table.run()
    assert [info.linked for info in table.peers[HOST].snapshot().seats] == [True] * 3
    table.paused.clear()
    table.run()
    assert [peer.snapshot().stage for peer in table.peers] == [Stage.ENDED] * 3  # all through seat 1
