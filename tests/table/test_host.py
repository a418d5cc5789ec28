"""The host: who gets a chair, what is proposed, which links are closed, what the guests are told."""

from __future__ import annotations

import pytest

from hocp2p.errors import LocalError, RuleError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Effect
from hocp2p.table.snapshot import SeatFreed, SeatTaken, Stage, TableStopped
from hocp2p.table.terms import read_proposal
from hocp2p.wire.codec import encode
from hocp2p.wire.frames import PROTOCOL_VERSION, Again, Hello, LobbyView, Proposal, Refusal, Sealed, encode_frame
from tests.table.lobby import events_in, frames_to, hello, hung_up, make_guest, make_host, seat_all, stopped


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
    assert events_in(host.receive(4, hello(b"a", "Anna"))) == [SeatTaken(1, "Anna")]
    effects = host.receive(9, hello(b"b", "Bruno"))
    assert SeatTaken(2, "Bruno") in events_in(effects)
    assert [chair.name for chair in lobby_in(effects, 4).chairs] == ["seat 0", "Anna", "Bruno"]
    assert (lobby_in(effects, 4).your_seat, lobby_in(effects, 9).your_seat) == (1, 2)


def test_a_proposal_when_all_chairs_are_taken() -> None:
    host = make_host()
    effects = host.receive(4, hello(b"a"))
    assert not any(isinstance(frame, Proposal) for frame in frames_to(effects, 4))
    effects = host.receive(9, hello(b"b"))
    proposals = [frame for frame in frames_to(effects, 4) if isinstance(frame, Proposal)]
    assert [frame for frame in frames_to(effects, 9) if isinstance(frame, Proposal)] == proposals
    (proposal,) = proposals
    assert [seat.key for seat in proposal.chairs][1:] == [b"a" * 32, b"b" * 32]
    assert [seat.nonce for seat in proposal.chairs][1:] == [b"n" * 32, b"n" * 32]
    table = host.table
    assert table is not None
    assert table.terms == read_proposal(proposal, encode_frame(proposal))
    assert host.snapshot().stage is Stage.READY


def test_a_full_table() -> None:
    host = make_host(2)
    host.receive(1, hello(b"a"))
    assert refusal_in(host.receive(2, hello(b"b")), 2).code == "full"
    assert len(host.snapshot().seats) == 2


def test_one_identity_sits_once() -> None:
    host = make_host()
    host.receive(1, hello(b"a"))
    assert refusal_in(host.receive(2, hello(b"a", "Somebody")), 2).code == "same-key"
    own = encode_frame(Hello(PROTOCOL_VERSION, host.me.identity.public, "me again", "", "", b"n" * 32))
    assert refusal_in(host.receive(3, own), 3).code == "same-key"


def test_names_are_made_different() -> None:
    host = make_host()
    host.receive(1, hello(b"a", "seat 0"))
    host.receive(2, hello(b"b", "seat 0"))
    assert [info.name for info in host.snapshot().seats] == ["seat 0", "seat 0 2", "seat 0 3"]


def test_a_long_name_stays_within_its_bounds() -> None:
    host = make_host()
    host.receive(1, hello(b"a", "a" * 24))
    host.receive(2, hello(b"b", "a" * 24))
    assert [info.name for info in host.snapshot().seats][1:] == ["a" * 24, "a" * 22 + " 2"]


def test_a_chair_is_free_again_when_its_guest_leaves_before_the_game() -> None:
    host = make_host()
    host.receive(1, hello(b"a", "Anna"))
    host.receive(2, hello(b"b", "Bruno"))
    assert host.snapshot().stage is Stage.READY
    first = host.table
    effects = host.link_closed(1)
    assert events_in(effects) == [SeatFreed(1, "Anna")]
    assert [chair.name for chair in lobby_in(effects, 2).chairs] == ["seat 0", "", "Bruno"]
    assert host.snapshot().stage is Stage.LOBBY
    effects = host.receive(3, hello(b"c", "Clara"))
    assert lobby_in(effects, 3).your_seat == 1
    second = host.table
    assert first is not None
    assert second is not None
    assert first.terms.table != second.terms.table


def test_a_link_that_never_greeted_closes_without_a_word() -> None:
    assert make_host().link_closed(5) == []


# -- versions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "advice"),
    [(PROTOCOL_VERSION - 1, "update your hocp2p"), (PROTOCOL_VERSION + 1, "update the host's hocp2p")],
)
def test_another_version_is_told_which_side_to_update(version: int, advice: str) -> None:
    """R-025."""
    host = make_host()
    refusal = refusal_in(host.receive(1, hello(version=version)), 1)
    assert refusal.code == "version"
    assert advice in refusal.message
    assert host.snapshot().seats[1].name == ""


def test_a_greeting_of_a_later_version_may_look_otherwise() -> None:
    """R-024."""
    later = encode((1, "hocp2p", PROTOCOL_VERSION + 5, "whatever", (1, 2), b"x"))
    assert refusal_in(make_host().receive(1, later), 1).code == "version"


# -- what is no message ---------------------------------------------------------------------------------------------

RUBBISH = {
    "nothing": b"",
    "random": b"\x93\x01\x02",
    "giant": bytes(100_000),
    "not-hocp2p": encode((1, "chess", 1, b"k" * 32, "Anna", "", "", b"n" * 32)),
    "refusal": encode_frame(Refusal("no", "no", 1)),
    "envelope": encode_frame(Sealed(b"x")),
    "again": encode_frame(Again(1)),
}


@pytest.mark.parametrize("name", RUBBISH)
def test_rubbish_instead_of_a_greeting(name: str) -> None:
    """R-023."""
    host = make_host()
    effects = host.receive(1, RUBBISH[name])
    assert hung_up(effects) == [1]
    assert events_in(effects) == []
    assert host.snapshot().stage is Stage.LOBBY


@pytest.mark.parametrize("name", [*RUBBISH, "greeting"])
def test_rubbish_from_a_chair_frees_it(name: str) -> None:
    """R-023."""
    host = make_host()
    host.receive(1, hello(b"a", "Anna"))
    data = RUBBISH.get(name, hello(b"a", "Anna"))
    if name in ("envelope", "again"):  # form alone is checked before there is a table
        data = encode((5, b""))
    assert hung_up(host.receive(1, data)) == [1]
    assert events_in(host.link_closed(1)) == [SeatFreed(1, "Anna")]


def test_a_guest_who_names_another_seat_as_wanting_more() -> None:
    """R-113."""
    host = make_host()
    host.receive(1, hello(b"a"))
    assert hung_up(host.receive(1, encode_frame(Again(2)))) == [1]


# -- after the end --------------------------------------------------------------------------------------------------


def test_who_closes_the_lobby_tells_the_guests() -> None:
    host = make_host()
    host.receive(1, hello(b"a"))
    (frame,) = frames_to(host.leave(), 1)
    assert isinstance(frame, Refusal)
    assert frame.code == "closed"
    assert host.over
    assert refusal_in(host.receive(2, hello(b"b")), 2).code == "closed"


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
