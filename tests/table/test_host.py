"""The host: who gets a chair, what is proposed, which links are closed, what the guests are told."""

from __future__ import annotations

import pytest

from hocp2p.crypto.identity import fingerprint
from hocp2p.errors import LocalError, RuleError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Effect
from hocp2p.table.events import Knocked, SeatFreed, SeatTaken, TableStopped
from hocp2p.table.host import MAX_KNOCKS
from hocp2p.table.peer import Peer
from hocp2p.table.snapshot import Stage
from hocp2p.table.terms import read_proposal
from hocp2p.wire.codec import encode
from hocp2p.wire.frames import (
    PROTOCOL_VERSION,
    Again,
    Hello,
    LobbyView,
    Proposal,
    Refusal,
    Sealed,
    encode_frame,
    hello_statement,
)
from tests.support.tables import StarTable
from tests.table.lobby import (
    CHALLENGE,
    NONCE,
    SECRET,
    challenge_of,
    events_in,
    frames_to,
    greet,
    greet_again,
    hello_to,
    hung_up,
    in_version,
    make_guest,
    make_host,
    seat_all,
    somebody,
    stopped,
)


def refusal_in(effects: list[Effect], link: int) -> Refusal:
    (frame,) = frames_to(effects, link)
    assert isinstance(frame, Refusal)
    assert frame.version == PROTOCOL_VERSION
    assert hung_up(effects) == [link]
    return frame


def lobby_in(effects: list[Effect], link: int) -> LobbyView:
    (lobby,) = [frame for frame in frames_to(effects, link) if isinstance(frame, LobbyView)]
    return lobby


# -- chairs ---------------------------------------------------------------------------------------------------------


def test_an_empty_table() -> None:
    host = make_host()
    snapshot = host.snapshot()
    assert (snapshot.stage, snapshot.our_seat, snapshot.hosting) == (Stage.LOBBY, 0, True)
    assert [(info.name, info.present) for info in snapshot.seats] == [("seat 0", True), ("", False), ("", False)]
    assert snapshot.title == "seat 0's table"


@pytest.mark.parametrize(("seats", "deals"), [(2, 3), (3, 2), (1, 6), (4, 8)])
def test_rules_and_seats_must_fit(seats: int, deals: int) -> None:
    with pytest.raises(RuleError):
        make_host(seats, rules=Rules(deals=deals))


def test_guests_sit_in_the_order_of_their_greetings() -> None:
    host = make_host()
    assert events_in(greet(host, 4, b"a", "Anna")) == [SeatTaken(1, "Anna")]
    effects = greet(host, 9, b"b", "Bruno")
    assert SeatTaken(2, "Bruno") in events_in(effects)
    assert [chair.name for chair in lobby_in(effects, 4).chairs] == ["seat 0", "Anna", "Bruno"]
    assert (lobby_in(effects, 4).your_seat, lobby_in(effects, 9).your_seat) == (1, 2)


def test_a_proposal_when_all_chairs_are_taken() -> None:
    host = make_host()
    effects = greet(host, 4, b"a")
    assert not any(isinstance(frame, Proposal) for frame in frames_to(effects, 4))
    effects = greet(host, 9, b"b")
    proposals = [frame for frame in frames_to(effects, 4) if isinstance(frame, Proposal)]
    assert [frame for frame in frames_to(effects, 9) if isinstance(frame, Proposal)] == proposals
    (proposal,) = proposals
    assert [seat.key for seat in proposal.chairs][1:] == [somebody(b"a").public, somebody(b"b").public]
    assert [seat.nonce for seat in proposal.chairs][1:] == [NONCE, NONCE]
    table = host.table
    assert table is not None
    assert table.terms == read_proposal(proposal, encode_frame(proposal))
    assert host.snapshot().stage is Stage.READY


def test_a_full_table() -> None:
    host = make_host(2)
    greet(host, 1, b"a")
    assert refusal_in(greet(host, 2, b"b"), 2).code == "full"
    assert len(host.snapshot().seats) == 2


def test_one_identity_sits_once() -> None:
    """Who dials anew takes his own chair, and the older link is closed."""
    host = make_host()
    greet(host, 1, b"a")
    effects = greet(host, 2, b"a")
    assert hung_up(effects) == [1]
    assert lobby_in(effects, 2).your_seat == 1
    assert [bool(info.name) for info in host.snapshot().seats] == [True, True, False]
    assert host.link_closed(1) == []
    public = host.me.identity.public
    challenge = challenge_of(host, 3)
    own = Hello(
        PROTOCOL_VERSION,
        public,
        "me",
        "",
        "",
        NONCE,
        b"",
        host.me.identity.sign(hello_statement(challenge, public, NONCE)),
    )
    assert refusal_in(host.receive(3, encode_frame(own)), 3).code == "same-key"


def test_names_are_made_different() -> None:
    host = make_host()
    greet(host, 1, b"a", "seat 0")
    greet(host, 2, b"b", "seat 0")
    assert [info.name for info in host.snapshot().seats] == ["seat 0", "seat 0 2", "seat 0 3"]


def test_a_long_name_stays_within_its_bounds() -> None:
    host = make_host()
    greet(host, 1, b"a", "a" * 24)
    greet(host, 2, b"b", "a" * 24)
    assert [info.name for info in host.snapshot().seats][1:] == ["a" * 24, "a" * 22 + " 2"]


def test_a_chair_is_free_again_when_its_guest_leaves_before_the_game() -> None:
    host = make_host()
    greet(host, 1, b"a", "Anna")
    greet(host, 2, b"b", "Bruno")
    assert host.snapshot().stage is Stage.READY
    first = host.table
    effects = host.link_closed(1)
    assert events_in(effects) == [SeatFreed(1, "Anna")]
    assert [chair.name for chair in lobby_in(effects, 2).chairs] == ["seat 0", "", "Bruno"]
    assert host.snapshot().stage is Stage.LOBBY
    effects = greet(host, 3, b"c", "Clara")
    assert lobby_in(effects, 3).your_seat == 1
    second = host.table
    assert first is not None
    assert second is not None
    assert first.terms.table != second.terms.table


def test_a_link_that_never_greeted_closes_without_a_word() -> None:
    assert make_host().link_closed(5) == []


# -- versions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [PROTOCOL_VERSION - 1, PROTOCOL_VERSION + 1])
def test_a_greeting_of_another_version_is_answered_in_words(version: int) -> None:
    """R-025."""
    host = make_host()
    hello = hello_to(challenge_of(host, 1))
    refusal = refusal_in(host.receive(1, in_version(hello, version)), 1)
    assert refusal.code == "version"
    assert "both sides need the same hocp2p" in refusal.message
    assert host.snapshot().seats[1].name == ""


def test_a_greeting_of_a_later_version_may_look_otherwise() -> None:
    """R-024."""
    host = make_host()
    challenge_of(host, 1)
    later = encode((1, "hocp2p", PROTOCOL_VERSION + 5, "whatever", (1, 2), b"x"))
    assert refusal_in(host.receive(1, later), 1).code == "version"


# -- what is no message ---------------------------------------------------------------------------------------------

RUBBISH = {
    "nothing": b"",
    "random": b"\x93\x01\x02",
    "giant": bytes(100_000),
    "not-hocp2p": encode((1, "chess", 1, b"k" * 32, "Anna", "", "", NONCE, b"", b"p" * 64)),
    "challenge": encode_frame(CHALLENGE),
    "proof-for-another": encode_frame(hello_to(CHALLENGE)),
    "refusal": encode_frame(Refusal("no", "no", 1)),
    "envelope": encode_frame(Sealed(b"x")),
    "again": encode_frame(Again(1)),
}


@pytest.mark.parametrize("name", RUBBISH)
def test_rubbish_instead_of_a_greeting(name: str) -> None:
    """R-023."""
    host = make_host()
    challenge_of(host, 1)
    effects = host.receive(1, RUBBISH[name])
    assert hung_up(effects) == [1]
    assert frames_to(effects, 1) == []
    assert events_in(effects) == []
    assert host.snapshot().stage is Stage.LOBBY


@pytest.mark.parametrize("name", RUBBISH)
def test_rubbish_from_a_chair_frees_it(name: str) -> None:
    """R-023."""
    host = make_host()
    greet(host, 1, b"a", "Anna")
    data = RUBBISH[name]
    if name in ("envelope", "again"):  # form alone is checked before there is a table
        data = encode((5, b""))
    effects = host.receive(1, data)
    assert hung_up(effects) == [1]
    assert events_in(effects) == [SeatFreed(1, "Anna")]
    assert host.link_closed(1) == []


def test_a_chair_cannot_greet_as_somebody_else() -> None:
    host = make_host()
    challenge = challenge_of(host, 1)
    host.receive(1, encode_frame(hello_to(challenge, b"a", "Anna")))
    effects = host.receive(1, encode_frame(hello_to(challenge, b"b", "Bruno")))
    assert hung_up(effects) == [1]
    assert events_in(effects) == [SeatFreed(1, "Anna")]


def test_a_guest_who_names_another_seat_as_wanting_more() -> None:
    """R-113."""
    table = StarTable(3, Rules(deals=3), 5)
    table.run()
    assert table.peers[0].snapshot().stage is Stage.ENDED
    assert hung_up(table.peers[0].receive(1, encode_frame(Again(2)))) == [1]
    assert table.peers[0].snapshot().again == frozenset()


# -- invites and knocks ---------------------------------------------------------------------------------------------


def knocked(host: Peer, link: int, letter: bytes = b"k", name: str = "Anna") -> int:
    """Somebody without an invite asks: the number of the knock."""
    effects = greet(host, link, letter, name)
    assert frames_to(effects, link) == []
    ((knock,)) = [event for event in events_in(effects) if isinstance(event, Knocked)]
    assert (knock.name, knock.key) == (name, fingerprint(somebody(letter).public))
    return knock.number


def test_who_has_the_invite_sits_down() -> None:
    host = make_host(secret=SECRET)
    assert events_in(greet(host, 1, b"a", "Anna", secret=SECRET)) == [SeatTaken(1, "Anna")]
    assert host.snapshot().knocks == ()


def test_an_invite_that_does_not_hold() -> None:
    host = make_host(secret=SECRET)
    assert refusal_in(greet(host, 1, b"a", secret=b"x" * 10), 1).code == "secret"
    greet(host, 2, b"a", secret=SECRET)
    host.renew_secret(b"t" * 10)
    assert refusal_in(greet(host, 3, b"b", secret=SECRET), 3).code == "secret"
    assert host.snapshot().seats[1].name == "Anna"
    assert lobby_in(greet(host, 4, b"b", secret=b"t" * 10), 4).your_seat == 2


def test_who_knocks_waits_and_is_let_in() -> None:
    host = make_host(secret=SECRET)
    number = knocked(host, 1)
    assert [(knock.number, knock.name) for knock in host.snapshot().knocks] == [(number, "Anna")]
    assert host.snapshot().seats[1].name == ""
    effects = host.admit(number)
    assert lobby_in(effects, 1).your_seat == 1
    assert events_in(effects) == [SeatTaken(1, "Anna")]
    assert host.snapshot().knocks == ()


def test_who_knocks_is_not_let_in() -> None:
    host = make_host(secret=SECRET)
    number = knocked(host, 1)
    assert refusal_in(host.decline(number), 1).code == "declined"
    for answer in (host.admit, host.decline):
        with pytest.raises(LocalError) as caught:
            answer(number)
        assert caught.value.code == "nobody-there"


def test_who_has_gone_does_not_knock_any_more() -> None:
    host = make_host(secret=SECRET)
    knocked(host, 1)
    host.link_closed(1)
    assert host.snapshot().knocks == ()


def test_who_was_hung_up_on_does_not_knock_any_more() -> None:
    """Before we are told that the link is down: who is hung up on may be slow to go."""
    host = make_host(secret=SECRET)
    greet(host, 1)
    assert hung_up(host.receive(1, b"no message")) == [1]
    assert host.snapshot().knocks == ()
    for answer in (host.admit, host.decline):
        with pytest.raises(LocalError) as caught:
            answer(1)
        assert caught.value.code == "nobody-there"


def test_who_knocks_again_knocks_once() -> None:
    host = make_host(secret=SECRET)
    challenge = challenge_of(host, 1)
    for _ in range(10):
        greet_again(host, 1, challenge)
    (knock,) = host.snapshot().knocks
    assert lobby_in(host.admit(knock.number), 1).your_seat == 1
    assert host.snapshot().knocks == ()


def test_who_knocks_ever_again_is_told_of_once_and_by_the_name_of_then() -> None:
    """Nobody can fill our player's screen, or be let in by a name that he has not read."""
    host = make_host(secret=SECRET)
    challenge = challenge_of(host, 1)
    host.receive(1, encode_frame(hello_to(challenge)))
    (knock,) = host.snapshot().knocks
    for number in range(20):
        effects = greet_again(host, 1, challenge, name=f"Anna {number}")
        assert (events_in(effects), hung_up(effects)) == ([], [])
    assert host.snapshot().knocks == (knock,)
    lobby = lobby_in(host.admit(knock.number), 1)
    assert lobby.chairs[lobby.your_seat].name == "Anna"


def test_many_who_knock_are_busy_and_who_is_invited_is_not() -> None:
    host = make_host(secret=SECRET)
    for number in range(MAX_KNOCKS):
        knocked(host, number, bytes([97 + number]))
    assert refusal_in(greet(host, 90, b"y"), 90).code == "busy"
    assert len(host.snapshot().knocks) == MAX_KNOCKS
    assert lobby_in(greet(host, 91, b"z", secret=SECRET), 91).your_seat == 1


def test_nobody_is_let_in_where_no_chair_is_free() -> None:
    host = make_host(2, secret=SECRET)
    number = knocked(host, 1)
    greet(host, 2, b"z", secret=SECRET)
    with pytest.raises(LocalError) as caught:
        host.admit(number)
    assert caught.value.code == "full"
    assert refusal_in(greet(host, 3, b"y"), 3).code == "full"


def test_who_was_sent_away_has_to_knock_as_a_stranger() -> None:
    host = make_host(secret=SECRET)
    greet(host, 1, b"a", "Anna", secret=SECRET)
    host.kick(1)
    knocked(host, 2, b"a")


# -- after the end --------------------------------------------------------------------------------------------------


def test_who_closes_the_lobby_tells_the_guests() -> None:
    host = make_host()
    greet(host, 1, b"a")
    (frame,) = frames_to(host.leave(), 1)
    assert isinstance(frame, Refusal)
    assert frame.code == "closed"
    assert host.over
    assert refusal_in(greet(host, 2, b"b"), 2).code == "closed"


def test_the_reason_of_a_stop_is_told_however_long_it_is() -> None:
    """Cut to what a refusal may hold, wherever that is: at a space, too."""
    for length in range(150, 203):
        host, guest = make_host(2), make_guest()
        seat_all(host, [guest])
        assert host.table is not None
        host.table.stop(TableStopped("some-code", "x" * length + " and on it goes, with a space here and there"))
        (frame,) = frames_to(host.link_opened(2), 1)
        assert isinstance(frame, Refusal)
        assert frame.message.startswith("x" * min(length, 199))


# -- talk -----------------------------------------------------------------------------------------------------------


def test_talk_needs_somebody_to_talk_to() -> None:
    host = make_host()
    with pytest.raises(LocalError) as caught:
        host.say("hello?")
    assert caught.value.code == "no-table"


@pytest.mark.parametrize("text", ["", " ", "a" * 301, "\x1b[2J", "a\nb"])
def test_talk_that_cannot_be_sent(text: str) -> None:
    host, guests = make_host(2), [make_guest()]
    seat_all(host, guests)
    with pytest.raises(LocalError):
        host.say(text)
    assert stopped(host) is None


def test_ready_needs_a_proposal_and_is_said_once() -> None:
    host, guests = make_host(2), [make_guest()]
    with pytest.raises(LocalError) as caught:
        host.ready()
    assert caught.value.code == "no-proposal"
    seat_all(host, guests)
    assert host.snapshot().may_ready
    host.ready()
    assert not host.snapshot().may_ready
    with pytest.raises(LocalError) as caught:
        host.ready()
    assert caught.value.code == "already-ready"
