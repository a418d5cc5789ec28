"""The reference verifies what the real program has recorded, and refuses it with any byte changed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from hocp2p.crypto.deck import MentalPoker
from hocp2p.game.house import Rules
from hocp2p.net.address import parse_address
from hocp2p.record.identity_file import new_identity
from hocp2p.record.session_record import SessionRecord
from hocp2p.session.autopilot import drive
from hocp2p.session.guest import JoinOptions, join_table
from hocp2p.session.host import HostOptions, open_table
from hocp2p.session.loop import run_loop
from protocol.generate import going_on
from protocol.generate.__main__ import main
from protocol.generate.bounds import frame, read_frame
from protocol.generate.faults import Fault
from protocol.generate.record import ENVELOPE, MAGIC, PROPOSAL, read_record, verify_record, write_record
from protocol.generate.session import Session
from tests.support.recording import RecordingTable
from tests.support.tables import HOST
from tests.support.vectors import only
from tests.table.test_losing_a_seat import seat_newcomer

LIMIT_S = 100


def entries_of(name: str) -> list[tuple[int, bytes]]:
    """A session of the vectors as entries of a record."""
    session = only(name)
    envelopes = [(ENVELOPE, bytes.fromhex(raw)) for raw in session["envelopes"]]
    return [(PROPOSAL, bytes.fromhex(session["proposal"])), *envelopes]


def code_of(record: bytes) -> str:
    with pytest.raises(Fault) as caught:
        verify_record(record)
    return caught.value.code


# -- the form of a record ---------------------------------------------------------------------------------------------

LOBBY = entries_of("session-2-seats.json")[:5]  # the proposal, two agreements, two commitments to keys


def test_a_record_may_end_where_a_step_has_closed() -> None:
    (session,) = verify_record(write_record(LOBBY))
    assert session.checked == {"signatures": 4}
    assert session.standing() == "it stands at draw deck/1"


def test_two_sessions_may_follow_each_other() -> None:
    both = verify_record(write_record([*LOBBY, *LOBBY]))
    assert [session.checked["signatures"] for session in both] == [4, 4]


def test_talk_may_stand_before_its_proposal() -> None:
    entries = entries_of("session-2-seats.json")
    talk = next(i for i, (kind, raw) in enumerate(entries) if kind == ENVELOPE and b"Well played." in raw)
    (session,) = verify_record(write_record([entries[talk], *LOBBY]))
    assert session.checked == {"signatures": 5}
    assert code_of(write_record([entries[-1], *LOBBY])) == "other-table"
    assert code_of(write_record([entries[talk]])) == "bad-record"


def test_what_is_no_record_is_refused() -> None:
    """R-116."""
    whole = write_record(LOBBY)
    for wrong in (
        b"",
        whole[1:],
        whole.replace(b"record-1", b"record-2"),
        MAGIC,
        whole[:-1],
        whole + b"\0\0\0",
        whole + bytes(4),
        whole + b"\0\0\0\1\3",
        write_record(LOBBY[1:]),
    ):
        assert code_of(wrong) in ("bad-record", "other-table"), wrong[:40]


def test_what_no_step_takes_up_is_refused() -> None:
    assert code_of(write_record(LOBBY[:-1])) == "unfinished"
    assert code_of(write_record([*LOBBY, LOBBY[-1]])) == "doubled"
    assert code_of(write_record([LOBBY[0], *LOBBY[3:]])) == "unfinished"


# -- any byte ---------------------------------------------------------------------------------------------------------


class Changed:
    """Looks whether a record is refused with one byte changed, without verifying again what stands before it.

    Positions must be asked for in ascending order. A refused envelope leaves a session as it was, since its signature
    fails before anything else is looked at; that no change gets further is what is tested.
    """

    def __init__(self, record: bytes) -> None:
        self._record = record
        self._entries = list(read_record(record))
        self._session: Session | None = None
        self._taken = 0
        self._start = len(MAGIC)

    def refused(self, position: int, bits: int) -> bool:
        changed = bytearray(self._record)
        changed[position] ^= bits
        if position < len(MAGIC):
            return self._is_refused(iter(read_record(bytes(changed))))
        while position >= self._start + 5 + len(self._entries[self._taken][1]):
            self._take()
        return self._is_refused(read_record(MAGIC + bytes(changed[self._start :])))

    def _take(self) -> None:
        kind, payload = self._entries[self._taken]
        if kind == PROPOSAL:
            self._session = Session(payload)
        else:
            assert self._session is not None
            self._session.take(payload)
        self._taken += 1
        self._start += 5 + len(payload)

    def _is_refused(self, entries: Iterator[tuple[int, bytes]]) -> bool:
        """From the changed entry on, as ``verify_record`` does it; a proposal begins another session."""
        session = self._session
        try:
            for kind, payload in entries:
                if kind == PROPOSAL:
                    session = Session(payload)
                elif kind == ENVELOPE and session is not None:
                    session.take(payload)
                else:
                    return True
                if session is self._session:
                    return False
        except Fault:
            return True
        return False


def test_a_change_of_any_byte_is_refused() -> None:
    """Every position of a small record, one bit each, by verifying the whole file."""
    record = write_record(LOBBY)
    for position in range(len(record)):
        changed = bytearray(record)
        changed[position] ^= 1 << position % 8
        with pytest.raises(Fault):
            verify_record(bytes(changed))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_change_of_a_byte_of_the_lobby_and_a_whole_deck_is_refused() -> None:
    """Of every third; a small record is changed in every one above."""
    entries = entries_of("session-2-seats.json")
    record = write_record(entries[: 1 + 2 + 2 + 2 + 1 + 1 + 2])
    (session,) = verify_record(record)
    assert session.standing() == "it stands at draw/0"
    changed = Changed(record)
    accepted = [position for position in range(0, len(record), 3) if not changed.refused(position, 1 << position % 8)]
    assert accepted == []


def sampled(record: bytes, count: int) -> list[int]:
    """Positions of which a changed byte is not refused, among ``count`` chosen with a fixed seed."""
    rng = random.Random(1)
    positions = sorted(rng.sample(range(len(record)), count))
    changed = Changed(record)
    return [position for position in positions if not changed.refused(position, 1 << rng.randrange(8))]


# -- what the real program has recorded -------------------------------------------------------------------------------


@cache
def in_memory(seats: int, deals: int) -> bytes:
    table = RecordingTable(seats, Rules(deals=deals), 5, "novice", MentalPoker())
    table.run()
    return table.record


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_session_of_two_in_memory_holds() -> None:
    (session,) = verify_record(in_memory(2, 2))
    assert session.ended
    assert session.checked["shuffles"] == session.checked["keys"] == session.checked["sets of shares"] == 6
    assert session.checked["receipts"] == 4
    assert sampled(in_memory(2, 2), 300) == []


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_session_in_which_a_seat_is_lost_holds() -> None:
    table = RecordingTable(3, Rules(deals=3), 7, "novice", MentalPoker())
    table.run(lambda: bool(table.peers[0].table and table.peers[0].table.course.play))
    for _ in range(40):
        table.step()
    table.perform(2, table.peers[2].leave())
    table.run()
    (session,) = verify_record(table.record)
    assert session.lost == {2}
    assert session.left
    assert session.standing() == "the table was left without seat 2"
    assert session.checked["receipts"] == 2
    left = table.peers[0]._before
    assert left is not None
    assert tuple(session.balances) == left.course.finished[-1].outcome.balances
    table.perform(0, table.peers[0].resize())
    table.run()
    before, after = verify_record(table.record)
    assert (before.left, after.ended) == (True, True)
    assert after.first == 2
    assert after.checked["receipts"] == 4
    played = table.peers[0].table
    assert played is not None
    assert tuple(after.balances) == played.course.finished[-1].outcome.balances


@pytest.mark.parametrize("stage", range(4))
def test_a_table_that_is_left_early_goes_on_as_the_reference_says(stage: int) -> None:
    """Before any hand is dealt: in the deck of the draw, in the draw, in the deck of the first deal. (R-123.)"""
    table = RecordingTable(3, Rules(deals=3), 11 + stage, "novice", MentalPoker())
    table.run(lambda: len(table.recorded) > (4, 12, 20, 32)[stage])
    table.perform(2, table.peers[2].leave())
    table.run()
    (before,) = verify_record(table.record)
    assert (before.left, before.lost) == (True, {2})
    table.paused.update((0, 1))
    table.perform(0, table.peers[0].resize())
    table.run()
    next_table = table.peers[0].table
    assert next_table is not None
    proposal = next_table.terms.encoded
    assert (Session(proposal).continued is not None) is bool(before.number) is (stage == 3)
    going_on.verify(Session(proposal), before)
    before.balances[0] += 1
    if before.number:
        with pytest.raises(Fault):
            going_on.verify(Session(proposal), before)


class KeptByTheSecond(RecordingTable):
    """Seat 1 stays to the end."""

    keeper = 1


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_record_of_three_tables_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A newcomer takes the chair of a guest, then the host is lost: each before a hand was dealt. Two play a deal."""
    table = KeptByTheSecond(3, Rules(deals=3), 12, "novice", MentalPoker())
    table.run(lambda: all(peer.table is not None and peer.table.signed for peer in table.peers))
    table.link(2, 1)
    lose_in_the_first_deck(table, 2)
    seat_newcomer(table, 2, HOST)
    table.run(lambda: all(peer.table is not None and peer.table.agreed for peer in table.peers))
    table.link(2, 1)
    lose_in_the_first_deck(table, HOST)
    table.perform(1, table.peers[1].resize())
    table.run(lambda: all(peer.snapshot().finished for peer in table.peers[1:]))
    path = tmp_path / "session.hoc"
    path.write_bytes(table.record)
    first, second, third = verify_record(table.record)
    assert (first.lost, second.lost, third.lost) == ({2}, {0}, set())
    assert (first.left, second.left, third.first) == (True, True, 1)
    assert second.continued is not None
    assert third.continued is not None
    assert (second.continued[1], third.continued[1]) == (first.heads[2], bytes(32))
    played = table.peers[1].table
    assert played is not None
    assert tuple(third.balances) == played.course.finished[0].outcome.balances
    assert_another_head_is_not_gone_on_with(table.recorded, first)
    assert main(["--verify", str(path)]) == 0
    told = capsys.readouterr().out
    assert "the table was left without seat 2" in told
    assert "the table was left without seat 0" in told


def assert_another_head_is_not_gone_on_with(entries: list[tuple[int, bytes]], before: Session) -> None:
    """R-123. Of a record, the second proposal goes on with the table before."""
    _, proposal = [payload for kind, payload in entries if kind == PROPOSAL][:2]
    name, (*fields, (told,)) = read_frame(proposal)
    Session(proposal, before)
    with pytest.raises(Fault) as caught:
        Session(frame(name, *fields, [[told[0], bytes(32), *told[2:]]]), before)
    assert caught.value.code == "not-continued"


def lose_in_the_first_deck(table: RecordingTable, seat: int) -> None:
    """Says goodbye when the keys of the first deal's deck are committed to."""
    others = [table.peers[each] for each in range(3) if each != seat]
    table.run(lambda: all(peer.table is not None and 3 in dict(peer.table.tracks.standing()) for peer in others))
    table.perform(seat, table.peers[seat].leave())
    table.run()


async def _over_sockets(path: Path) -> tuple[int, ...]:
    async def guest(address: str) -> None:
        host, port = parse_address(address)
        async with join_table(JoinOptions(host, port, "Bruno"), new_identity()) as client:
            await drive(client, "novice")
            await client.closed()

    options = HostOptions(3, 1, "novice", Rules(deals=3), "Anna", "127.0.0.1", 0)
    with SessionRecord(path) as record:
        async with open_table(options, new_identity(), record.keep) as client:
            playing = asyncio.create_task(guest(client.snapshot.address))
            await drive(client, "novice")
            snapshot = await client.closed()
            await playing
    return snapshot.finished[-1].outcome.balances


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.timeout(900)
def test_a_session_of_three_over_sockets_holds_and_no_byte_of_it_can_be_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "session.hoc"
    balances = run_loop(asyncio.wait_for(_over_sockets(path), LIMIT_S))
    (session,) = verify_record(path.read_bytes())
    assert session.ended
    assert tuple(session.balances) == balances
    assert session.checked["shuffles"] == session.checked["keys"] == session.checked["sets of shares"] == 12
    assert session.checked["receipts"] == 9
    assert session.checked["cards opened"] > 30
    assert session.checked["proofs of not holding"] > 0
    assert sampled(path.read_bytes(), 300) == []
    assert main(["--verify", str(path)]) == 0
    told = capsys.readouterr().out
    assert "3 seats: the session has ended" in told
    assert "12 shuffles" in told


def test_the_first_fault_is_told_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "session.hoc"
    path.write_bytes(write_record(LOBBY))
    assert main(["--verify", str(path)]) == 0
    assert "4 signatures" in capsys.readouterr().out
    path.write_bytes(write_record([*LOBBY[:-1], (ENVELOPE, LOBBY[-1][1][:-1] + b"\0")]))
    assert main(["--verify", str(path)]) == 1
    assert capsys.readouterr().err == "refused: draw deck/0: bad-signature\n"
