"""A seat that cheats with links at a whole table: bytes nobody signed, something else to everybody, or nothing at all.

And whole tables with the real deal protocol.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from hocp2p.crypto.deck import MentalPoker
from hocp2p.game.house import Rules
from hocp2p.game.play import can_hold_back
from hocp2p.table.events import SeatLeft, TableStopped
from hocp2p.table.snapshot import Stage
from hocp2p.wire import messages as m
from hocp2p.wire.envelope import Envelope
from hocp2p.wire.frames import MAX_FRAME_BYTES, Challenge, Hello, Return, Sealed, encode_frame
from tests.cheaters.test_table import EVERY_STEP, cheated, everywhere, opening, other_face
from tests.support.cheater import CheatedTable, Cheater, Said, beside
from tests.table.test_whole_tables import verify_agreement

# -- links ------------------------------------------------------------------------------------------------------------

RUBBISH: dict[str, bytes] = {
    "giant": bytes(5_000_000),
    "as-large-as-a-frame": b"\x92\x05\xc5\x4e\x00" + bytes(MAX_FRAME_BYTES - 5),
    "deep": b"\x91" * 1000,
    "nothing": b"",
    "unknown-kind": b"\x91\x7f",
    "second-greeting": encode_frame(Hello(1, b"k" * 32, "again", "", "", b"n" * 32, b"", b"p" * 64)),
    "second-challenge": encode_frame(Challenge(1, b"k" * 32, b"n" * 32)),
    "second-return": encode_frame(Return(1, b"t" * 32, 0, b"p" * 64)),
}


def verify_link_fault(cheater: Cheater) -> None:
    """Bytes that nobody signed prove nothing: the link is closed, nobody is accused, and the seats dial anew."""
    table = cheater.table
    assert cheater.slot is not None
    cheater.verify_nobody_blamed()
    assert any(cheater.seat in pair for pair in table.hung_up)
    assert [event for events in table.events for event in events if isinstance(event, SeatLeft | TableStopped)] == []
    verify_agreement(table)


@everywhere
@pytest.mark.parametrize("name", RUBBISH)
def test_bytes_that_are_no_message(name: str, seats: int, seat: int) -> None:
    """R-023, R-036."""
    verify_link_fault(cheated(beside(m.CardOpening, lambda _: [RUBBISH[name]]), seats, seat))


def forged(said: Said, seat: int) -> bytes:
    """An envelope in another seat's name, signed with the cheat's key."""
    return encode_frame(Sealed(said.but(seat=seat).raw))


@everywhere
@pytest.mark.parametrize("name", ["altered", "forged"])
def test_a_bad_signature_is_the_fault_of_who_brought_it(name: str, seats: int, seat: int) -> None:
    """R-039."""

    def more(said: Said) -> list[bytes]:
        if name == "altered":
            raw = said.but(m.UnseenClass(), step=said.envelope.step + 1).raw
            return [encode_frame(Sealed(raw[:-1] + bytes([raw[-1] ^ 1])))]
        return [forged(said, said.cheater.honest[-1])]

    verify_link_fault(cheated(beside(m.CardOpening, more), seats, seat))


@pytest.mark.parametrize("seat", [0, 1])
def test_an_envelope_of_a_seat_that_is_none(seat: int) -> None:
    """R-038."""
    verify_link_fault(cheated(beside(m.CardOpening, lambda said: [forged(said, 2)]), 2, seat))


# -- the host in the middle -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [m.KeyCommit, m.DeckDigest, m.Call, m.CardOpening, m.Receipt])
def test_a_host_that_tells_each_guest_something_else(kind: type[m.Message]) -> None:
    """It is no move, so each of them sees whose fault it is; they find each other and go on."""
    told = {1: m.Talk("one"), 2: m.Talk("two")}

    def cheat(said: Said) -> Iterable[Envelope] | None:
        return [said.but(told[said.to])] if isinstance(said.message, kind) else None

    cheater = cheated(cheat, 3, 0)
    cheater.verify_blamed("unexpected-message")
    cheater.verify_ended()


def legal_call(said: Said) -> m.Call:
    """Another call that the rules allow wherever the point is bid for."""
    return m.Call(m.WORD_RAISE, 1 + said.to, 0)


def other_calls(said: Said) -> Iterable[Envelope] | None:
    return [said.but(legal_call(said))] if isinstance(said.message, m.Call) else None


def test_a_host_that_tells_each_guest_another_legal_call() -> None:
    """As long as the guests hear each other through the host only."""
    cheater = cheated(other_calls, 3, 0)
    cheater.verify_nobody_blamed()
    codes = [stop.code for seat in cheater.honest for stop in cheater.table.stops(seat)]
    assert set(codes) == {"history-differs"}
    for seat in cheater.honest:
        assert cheater.table.table_of(seat).course.finished == []
        if cheater.table.stops(seat):
            assert cheater.table.spoken(seat, cheater.table.signed_at_fault[seat]) == []


def test_two_guests_with_a_link_find_out_a_host_that_tells_each_another_legal_call() -> None:
    """R-052."""
    table = CheatedTable(3, Rules(deals=3), 5)
    table.run(lambda: all(peer.table is not None and peer.table.signed for peer in table.peers))
    table.link(2, 1)
    cheater = Cheater(table, 0, other_calls)
    table.run_linked()
    cheater.verify_blamed("equivocation")
    cheater.verify_ended()


def test_a_host_that_tells_each_guest_that_somebody_else_is_to_play() -> None:
    """One hears a card and waits for the next one, the other that the turn has passed to him: he is honest. (R-048.)"""

    def cheat(said: Said) -> Iterable[Envelope] | None:
        state = said.state
        called = None if state is None or state.play is None else state.play.called
        if not isinstance(said.message, m.CardOpening) or state is None or called is None:
            return None
        if said.to == 1 and can_hold_back(state, 0, called):
            return [said.but(m.HeldBack(called))]
        return None if said.cheater.slot is None else [said.envelope]

    for seed in range(4):
        cheater = Cheater(CheatedTable(3, Rules(deals=3), seed, "novice"), 0, cheat)
        cheater.table.run()
        assert cheater.slot is not None
        cheater.verify_nobody_blamed()
        codes = [stop.code for seat in cheater.honest for stop in cheater.table.stops(seat)]
        assert "history-differs" in codes


@everywhere
@pytest.mark.parametrize("kind", EVERY_STEP)
def test_withholding_makes_everybody_wait_and_accuses_nobody(kind: type[m.Message], seats: int, seat: int) -> None:
    """Time is no input: the table waits, linked or not. Two others may vote to go on; one can only leave."""

    def cheat(said: Said) -> Iterable[Envelope] | None:
        return [] if isinstance(said.message, kind) else None

    cheater = cheated(cheat, seats, seat)
    cheater.verify_nobody_blamed()
    table = cheater.table
    assert [table.peers[other].over for other in cheater.honest] == [False] * len(cheater.honest)
    for pair in [pair for pair in table.queues if pair[0] == seat]:
        table.cut(*pair)
    table.paused.add(seat)
    table.run()
    assert [table.peers[other].over for other in cheater.honest] == [False] * len(cheater.honest)
    for other in cheater.honest:
        if seats == 3:
            table.perform(other, table.peers[other].vote(seat, True))
        else:
            table.perform(other, table.peers[other].leave())
    table.run()
    cheater.verify_nobody_blamed()
    cheater.verify_ended()


def test_a_guest_that_never_signs_the_proposal_keeps_nobody_bound() -> None:
    def cheat(said: Said) -> Iterable[Envelope] | None:
        return [] if isinstance(said.message, m.Agreement) else None

    cheater = cheated(cheat, 3, 2)
    assert [cheater.table.peers[other].snapshot().stage for other in cheater.honest] == [Stage.READY, Stage.READY]
    cheater.table.cut(0, 2)
    cheater.table.run()
    assert [cheater.table.peers[other].snapshot().stage for other in cheater.honest] == [Stage.LOBBY, Stage.LOBBY]


# -- with the real cards ----------------------------------------------------------------------------------------------


def test_three_seats_with_the_real_deal_protocol() -> None:
    table = CheatedTable(3, Rules(deals=3), 3, scheme=MentalPoker())
    table.run()
    verify_agreement(table)


@pytest.mark.parametrize("seat", [0, 2])
def test_a_real_card_opened_as_another_one(seat: int) -> None:
    cheat = opening(other_face, led=True)
    cheater = Cheater(CheatedTable(3, Rules(deals=3), 8, scheme=MentalPoker()), seat, cheat)
    cheater.table.run_linked()
    cheater.verify_blamed("opening-proof")
    cheater.verify_ended()
