"""The guest: what it takes from a host, and what it will not sit down to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hocp2p.game.house import Rules
from hocp2p.table.effects import Effect
from hocp2p.table.events import Refused, SeatFreed, SeatTaken, TableProposed, TableStopped, TalkSaid
from hocp2p.table.peer import Peer
from hocp2p.table.snapshot import Stage
from hocp2p.table.terms import rules_to_pairs
from hocp2p.wire.codec import encode
from hocp2p.wire.frames import (
    PROTOCOL_VERSION,
    Again,
    Chair,
    Hello,
    LobbyView,
    Proposal,
    Refusal,
    Sealed,
    Seat,
    encode_frame,
    hello_statement,
)
from tests.support.tables import StarTable
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
    seat_all,
    somebody,
    stopped,
)

FREE = Chair(b"", "", "", "")
HOST = Seat(HENRI.public, "Henri", "", "", NONCE)
HENRIS = Chair(HOST.key, "Henri", "", "")
RULES = rules_to_pairs(Rules())


def greeted() -> tuple[Peer, Hello]:
    """A guest who has dialled, and its greeting."""
    guest = make_guest()
    greeting = dial(guest)
    assert isinstance(greeting, Hello)
    return guest, greeting


def seated() -> tuple[Peer, Hello]:
    """A guest who was given a chair, and its greeting."""
    guest, greeting = greeted()
    guest.receive(LINK, lobby(HENRIS, chair_of(greeting), FREE))
    return guest, greeting


def chair_of(greeting: Hello) -> Chair:
    return Chair(greeting.key, greeting.name, greeting.bot_level, greeting.owner)


def seat_of(greeting: Hello) -> Seat:
    return Seat(greeting.key, greeting.name, greeting.bot_level, greeting.owner, greeting.nonce)


def proposal_for(*seats: Seat) -> Proposal:
    return Proposal(PROTOCOL_VERSION, b"p" * 32, seats, RULES)


def lobby(*chairs: Chair, seat: int = 1) -> bytes:
    return encode_frame(LobbyView("Henri's table", seat, chairs, RULES))


def assert_refused(guest: Peer, effects: list[Effect], link: int = LINK, code: str = "bad-host") -> None:
    """The link is closed, the host is named as what is wrong, nothing was signed."""
    assert hung_up(effects) == [link]
    reason = stopped(guest)
    assert reason is not None
    assert reason.code == code
    assert guest.over
    assert frames_to(effects, link) == []


# -- greeting and lobby ---------------------------------------------------------------------------------------------


def test_the_greeting() -> None:
    guest, greeting = greeted()
    assert greeting.key == guest.me.identity.public
    assert (greeting.version, greeting.name, greeting.bot_level, greeting.owner) == (PROTOCOL_VERSION, "seat 1", "", "")
    assert guest.snapshot().stage is Stage.LOBBY
    assert guest.snapshot().our_seat is None


def test_every_greeting_has_a_fresh_nonce() -> None:
    """R-027."""
    guest, first = greeted()
    second = dial(guest, LINK + 1)
    assert isinstance(second, Hello)
    assert second.nonce != first.nonce


def test_the_lobby_is_shown_and_its_news_told() -> None:
    guest, greeting = greeted()
    henri, ours = HENRIS, chair_of(greeting)
    clara = Chair(b"c" * 32, "Clara", "novice", "Henri")
    first = guest.receive(LINK, lobby(henri, ours, FREE))
    assert events_in(first) == [SeatTaken(0, "Henri"), SeatTaken(1, "seat 1")]
    assert events_in(guest.receive(LINK, lobby(henri, ours, clara))) == [SeatTaken(2, "Clara")]
    snapshot = guest.snapshot()
    assert (snapshot.title, snapshot.our_seat, snapshot.rules) == ("Henri's table", 1, Rules())
    assert [info.name for info in snapshot.seats] == ["Henri", "seat 1", "Clara"]
    assert (snapshot.seats[2].bot_level, snapshot.seats[2].owner) == ("novice", "Henri")
    assert events_in(guest.receive(LINK, lobby(henri, ours, FREE))) == [SeatFreed(2, "Clara")]


def test_a_refusal_of_any_version_is_understood() -> None:
    """R-026."""
    for data in (
        encode_frame(Refusal("full", "the table is full", 1)),
        encode((2, "full", "the table is full", 9, ())),
    ):
        guest, _ = greeted()
        guest.receive(LINK, data)
        reason = stopped(guest)
        assert reason is not None
        assert (reason.code, reason.message) == ("full", "the table is full")


@pytest.mark.parametrize(
    ("version", "advice"),
    [(PROTOCOL_VERSION - 1, "the other side has to update hocp2p"), (PROTOCOL_VERSION + 1, "update your hocp2p")],
)
def test_a_challenge_of_another_version(version: int, advice: str) -> None:
    """R-025."""
    guest = make_guest()
    guest.link_opened(LINK, dialled=True)
    effects = guest.receive(LINK, encode_frame(replace(CHALLENGE, version=version)))
    assert hung_up(effects) == [LINK]
    assert frames_to(effects, LINK) == []
    reason = stopped(guest)
    assert reason is not None
    assert reason.code == "version"
    assert advice in reason.message


def test_a_guest_who_loses_the_host_dials_again() -> None:
    guest, _ = seated()
    assert guest.wanted() == {}
    assert guest.link_closed(LINK + 1) == []
    assert guest.link_closed(LINK) == []
    assert not guest.over
    assert guest.wanted() == {HENRI.public: ()}
    assert guest.snapshot().seats == ()
    assert isinstance(dial(guest, LINK + 1), Hello)


def test_a_guest_who_looks_for_one_host_greets_no_other() -> None:
    guest = make_guest(host=somebody(b"z").public)
    guest.link_opened(LINK, dialled=True)
    effects = guest.receive(LINK, encode_frame(CHALLENGE))
    assert hung_up(effects) == [LINK]
    assert frames_to(effects, LINK) == []
    assert not guest.over


def test_a_guest_who_is_dialled_hosts_no_table() -> None:
    guest = make_guest()
    (answer,) = frames_to(guest.receive(3, encode_frame(hello_to(challenge_of(guest, 3)))), 3)
    assert isinstance(answer, Refusal)
    assert answer.code == "not-hosting"


# -- proposals ------------------------------------------------------------------------------------------------------


def test_a_proposal_with_us_as_we_seated() -> None:
    guest, greeting = seated()
    effects = guest.receive(LINK, encode_frame(proposal_for(HOST, seat_of(greeting))))
    assert events_in(effects) == [TableProposed()]
    snapshot = guest.snapshot()
    assert (snapshot.stage, snapshot.our_seat, snapshot.may_ready) == (Stage.READY, 1, True)
    assert frames_to(effects, LINK) == []  # nothing is signed before we say so


def test_under_another_name_of_the_hosts_choice() -> None:
    """The host makes names different; a key is who we are."""
    guest, greeting = seated()
    guest.receive(LINK, encode_frame(proposal_for(HOST, replace(seat_of(greeting), name="seat 1 2"))))
    assert guest.snapshot().seats[1].name == "seat 1 2"


OTHER = Seat(b"o" * 32, "Otto", "", "", b"o" * 32)
BAD_PROPOSALS: dict[str, Callable[[Seat], Proposal]] = {
    "without-us": lambda _: proposal_for(HOST, OTHER),
    "another-nonce": lambda us: proposal_for(HOST, replace(us, nonce=b"x" * 32)),
    "us-as-the-host": lambda us: proposal_for(us, OTHER),
    "us-twice": lambda us: proposal_for(us, us),
    "host-twice": lambda us: Proposal(PROTOCOL_VERSION, b"p" * 32, (HOST, us, HOST), RULES),
    "older": lambda us: replace(proposal_for(HOST, us), version=PROTOCOL_VERSION - 1),
    "newer": lambda us: replace(proposal_for(HOST, us), version=PROTOCOL_VERSION + 1),
    "no-rules": lambda us: replace(proposal_for(HOST, us), rules=()),
    "one-rule-less": lambda us: replace(proposal_for(HOST, us), rules=RULES[1:]),
    "a-rule-we-do-not-know": lambda us: replace(proposal_for(HOST, us), rules=(*RULES, ("wild", "on"))),
    "a-value-that-is-none": lambda us: replace(proposal_for(HOST, us), rules=(("deals", "0"), *RULES[1:])),
    "deals-that-do-not-divide": lambda us: replace(proposal_for(HOST, us), rules=(("deals", "3"), *RULES[1:])),
}


@pytest.mark.parametrize("name", BAD_PROPOSALS)
def test_proposals_that_we_do_not_sit_down_to(name: str) -> None:
    """R-029, R-031."""
    guest, greeting = seated()
    effects = guest.receive(LINK, encode_frame(BAD_PROPOSALS[name](seat_of(greeting))))
    assert_refused(guest, effects, code="version" if name in ("older", "newer") else "bad-host")
    assert guest.table is None


def test_a_proposal_made_for_an_earlier_greeting() -> None:
    """Else a host could replay a whole session that it knows. (R-031.)"""
    guest, greeting = seated()
    dial(guest, LINK + 1)
    guest.receive(LINK + 1, lobby(HENRIS, chair_of(greeting), FREE))
    proposal = encode_frame(proposal_for(HOST, seat_of(greeting)))
    assert_refused(guest, guest.receive(LINK + 1, proposal), LINK + 1)


def test_the_same_proposal_again() -> None:
    """Else a host could have us sign two keys for one slot of one table, and call it our fault. (R-031, R-046.)"""
    guest, greeting = seated()
    proposal = encode_frame(proposal_for(HOST, seat_of(greeting)))
    guest.receive(LINK, proposal)
    guest.ready()
    guest.receive(LINK, encode_frame(proposal_for(HOST, seat_of(greeting), OTHER)))
    assert_refused(guest, guest.receive(LINK, proposal))


def test_a_second_proposal_replaces_the_first_as_long_as_not_all_have_signed() -> None:
    guest, greeting = seated()
    guest.receive(LINK, encode_frame(proposal_for(HOST, seat_of(greeting))))
    guest.ready()
    guest.receive(LINK, encode_frame(proposal_for(HOST, seat_of(greeting), OTHER)))
    snapshot = guest.snapshot()
    assert len(snapshot.seats) == 3
    assert snapshot.may_ready
    assert not any(info.ready for info in snapshot.seats)


# -- what is no message ---------------------------------------------------------------------------------------------

RUBBISH = {
    "nothing": b"",
    "random": b"\x93\x01\x02",
    "giant": bytes(100_000),
    "greeting": encode_frame(hello_to(CHALLENGE, b"h", "Henri")),
    "challenge-again": encode_frame(CHALLENGE),
    "proposal-before-the-lobby": encode_frame(proposal_for(HOST, Seat(b"o" * 32, "Otto", "", "", b"o" * 32))),
    "envelope-before-the-lobby": encode_frame(Sealed(b"whatever")),
    "lobby-without-rules": encode_frame(LobbyView("table", 0, (FREE, FREE), ())),
    "refusal-with-controls": encode((2, "full", "\x1b[2J", 1)),
}


@pytest.mark.parametrize("name", RUBBISH)
def test_bytes_that_no_host_sends(name: str) -> None:
    """R-022."""
    guest, _ = greeted()
    assert_refused(guest, guest.receive(LINK, RUBBISH[name]))


def test_envelopes_of_a_table_that_fell_apart_are_dropped() -> None:
    """R-022."""
    guest, _ = seated()
    assert guest.receive(LINK, encode_frame(Sealed(b"whatever"))) == []
    assert guest.receive(LINK, encode_frame(Again(0))) == []
    assert not guest.over


# -- in the middle of a game ------------------------------------------------------------------------------------------


def guest_in_play(seats: int = 3) -> Peer:
    table = StarTable(seats, Rules(deals=seats), 1)
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    return table.peers[1]


def test_a_lobby_in_mid_game() -> None:
    """The host may have left the table before us: then it is looked at. Till then it changes nothing. (R-028.)"""
    guest = guest_in_play()
    before = guest.snapshot()
    assert guest.receive(0, lobby(HENRIS, FREE, FREE)) == []
    assert guest.snapshot() == before


def test_a_proposal_in_mid_game() -> None:
    """R-028."""
    guest = guest_in_play()
    ours = Seat(guest.me.identity.public, "seat 1", "", "", NONCE)
    table = guest.table
    effects = guest.receive(0, encode_frame(proposal_for(HOST, ours)))
    assert hung_up(effects) == [0]
    assert guest.table is table
    assert not guest.over


@pytest.mark.parametrize("seats", [2, 3])
def test_a_refusal_in_mid_game(seats: int) -> None:
    """Two cannot play on when one will not; of three, the one who will not is told of, and waited for."""
    guest = guest_in_play(seats)
    effects = guest.receive(0, encode_frame(Refusal("closed", "Henri has closed the table", 1)))
    assert hung_up(effects) == [0]
    if seats == 2:
        assert stopped(guest) == TableStopped("closed", "Henri has closed the table", 0)
        assert not guest.snapshot().legal
    else:
        assert Refused(0, "closed", "Henri has closed the table") in events_in(effects)
        assert not guest.over


def test_who_is_cut_off_is_told_and_stops() -> None:
    guest = guest_in_play()
    guest.receive(0, encode_frame(Refusal("cut-off", "the others have gone on without you", 1)))
    assert stopped(guest) == TableStopped("cut-off", "the others have gone on without you", 0)


def test_who_has_forgotten_the_game_is_told_so() -> None:
    """The host knows the key, and a greeting cannot bring it back to a table whose secrets it has not."""
    table = StarTable(3, Rules(deals=3), 1)
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    host = table.peers[0]
    for identity, code in ((table.peers[1].me.identity, "forgotten"), (somebody(b"z"), "full")):
        challenge = challenge_of(host, 9)
        proof = identity.sign(hello_statement(challenge, identity.public, NONCE))
        hello = Hello(PROTOCOL_VERSION, identity.public, "x", "", "", NONCE, b"", proof)
        (refusal,) = frames_to(host.receive(9, encode_frame(hello)), 9)
        assert isinstance(refusal, Refusal)
        assert refusal.code == code


def test_the_table_falls_apart_when_we_have_all_signatures_and_the_host_has_not() -> None:
    """Our own signature is still on its way when the third seat goes: the host is honest, and fills the chair again."""
    table = StarTable(3, Rules(deals=3), 1)
    table.paused.update(range(3))
    table.run()
    for seat in (0, 2):
        table.perform(seat, table.peers[seat].ready())
    table.run()
    table.perform(1, table.peers[1].ready())
    guest, host = table.peers[1].table, table.peers[0].table
    assert guest is not None
    assert host is not None
    assert (guest.agreed, guest.begun, host.agreed) == (True, False, False)
    table.cut(0, 2)
    table.run()
    assert [table.peers[seat].snapshot().stage for seat in (0, 1)] == [Stage.LOBBY, Stage.LOBBY]
    assert [info.name for info in table.peers[1].snapshot().seats] == ["seat 0", "seat 1", ""]


# -- talk -----------------------------------------------------------------------------------------------------------


def test_talk_goes_round_and_everybody_hears_it_once() -> None:
    table = StarTable(3, Rules(deals=3), 1)
    table.paused.update(range(3))
    table.run()
    for seat, text in ((1, "bonsoir"), (0, "good evening"), (2, "guten Abend"), (1, "bonsoir")):
        table.perform(seat, table.peers[seat].say(text))
        table.run()
    for events in table.events:
        assert [event for event in events if isinstance(event, TalkSaid)] == [
            TalkSaid(1, "bonsoir"),
            TalkSaid(0, "good evening"),
            TalkSaid(2, "guten Abend"),
            TalkSaid(1, "bonsoir"),
        ]


def test_a_whole_lobby_of_real_peers() -> None:
    host, guests = make_host(3), [make_guest(2), make_guest(3)]
    seat_all(host, guests)
    views = [peer.snapshot() for peer in (host, *guests)]
    assert [view.our_seat for view in views] == [0, 1, 2]
    assert [[info.name for info in view.seats] for view in views] == [["seat 0", "seat 1", "seat 1 2"]] * 3
    assert len({peer.table.terms.table for peer in (host, *guests) if peer.table is not None}) == 1
