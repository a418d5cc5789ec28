"""Whole sessions from the vectors, led through our ``Table``: the same bytes, the same end, the same blame."""

from __future__ import annotations

import pytest

from hocp2p.crypto.scheme import Randomness
from hocp2p.errors import HocError
from hocp2p.table.snapshot import Stage
from hocp2p.wire.envelope import decode_envelope
from protocol.generate.transcript import Stream
from tests.support.recording import Replay, Streams
from tests.support.vectors import Vector, only, vectors

HONEST = 0
SESSIONS = {name: only(name) for name in ("session-2-seats.json", "session-3-seats.json")}


class VectorStreams(Streams):
    """The streams that a session's label names."""

    def __init__(self, label: str) -> None:
        self._label = label

    def of(self, number: int, seat: int) -> Randomness:
        return Stream(f"{self._label} deck {number} seat {seat}")


def replay(session: Vector, seat: int) -> Replay:
    seed = bytes.fromhex(session["seeds"][seat])
    return Replay(bytes.fromhex(session["proposal"]), seat, seed, VectorStreams(session["label"]))


@pytest.mark.parametrize(("name", "seat"), [(name, seat) for name in SESSIONS for seat in (0, 1)])
def test_every_seat_says_the_same_bytes_to_the_end(name: str, seat: int) -> None:
    session = SESSIONS[name]
    ours = replay(session, seat)
    for raw in session["envelopes"]:
        ours.feed(bytes.fromhex(raw))
    assert ours.blames == []
    assert ours.table.over
    assert (ours.table.parting is None) == (session["seats"] == 2)
    assert (ours.table.stage is Stage.ENDED) == (session["seats"] == 2)
    match = ours.table.course.match
    assert match is not None
    assert list(match.balances) == session["balances"]


def test_the_seat_that_is_lost_says_the_same_bytes_until_it_is_cut_off() -> None:
    session = SESSIONS["session-3-seats.json"]
    lost = replay(session, 2)
    for raw in session["envelopes"]:
        lost.feed(bytes.fromhex(raw))
    assert lost.table.stopped is not None
    assert (lost.table.stopped.code, lost.blames) == ("cut-off", [])
    assert sum(decode_envelope(raw).seat == 2 for raw in lost.said) > 20


@pytest.mark.parametrize("name", SESSIONS)
def test_every_seat_sees_its_own_cards(name: str) -> None:
    session = SESSIONS[name]
    for seat in range(2):
        ours = replay(session, seat)
        seen: dict[int, dict[int, int]] = {}
        for raw in session["envelopes"]:
            ours.feed(bytes.fromhex(raw))
            deal = ours.table.course.deal
            if deal is not None and deal.view is not None:
                seen[deal.match.number] = {position: card.index for position, card in deal.view.own.items()}
        views = {each["deal"]: each["faces"][seat] for each in session["views"] if each["deal"] > 0}
        assert seen == {deal: {int(position): face for position, face in view.items()} for deal, view in views.items()}


@vectors("session-faults.json")
def test_one_wrong_word_is_found_and_the_seat_named(vector: Vector) -> None:
    find_the_fault(next(each for each in SESSIONS.values() if each["name"] == vector["session"]), vector)


def find_the_fault(session: Vector, vector: Vector) -> None:
    """Seat 0 takes the first envelopes of a session, then those of the vector: the last is wrong, or nothing."""
    ours = replay(session, HONEST)
    for raw in session["envelopes"][: vector["after"]]:
        ours.feed(bytes.fromhex(raw))
    assert ours.blames == []
    *before, wrong = (bytes.fromhex(raw) for raw in vector["envelopes"])
    for raw in before:
        ours.feed(raw)
    if vector["seat"] is not None:
        ours.feed(wrong)
        (blame,) = ours.blames
        assert (blame.seat, blame.step, blame.code) == (vector["seat"], vector["step"], vector["code"])
        assert wrong in blame.evidence
    elif vector["code"] is None:
        ours.feed(wrong)
        assert (ours.table.stopped, ours.blames) == (None, [])
    elif vector["code"] == "history-differs":
        ours.feed(wrong)
        assert ours.table.stopped is not None
        assert (ours.table.stopped.code, ours.blames) == ("history-differs", [])
    else:
        with pytest.raises(HocError) as caught:
            ours.feed(wrong)
        assert caught.value.code == vector["code"]
        assert not ours.table.over
