"""Sorting the envelopes of one track: what waits, what is dropped, what is a fault, and the chain over it."""

from __future__ import annotations

import hashlib
from itertools import permutations

import pytest

from hocp2p.crypto.identity import Identity, verify_signature
from hocp2p.errors import LocalError, PeerError
from hocp2p.table.chain import MAX_EARLY_STEPS, Track, first_head, track_label
from hocp2p.wire.envelope import Envelope, decode_envelope, seal

TABLE = b"t" * 32
IDENTITIES = [Identity.from_seed(bytes([seat]) * 32) for seat in range(3)]
NUMBER = 4


def said(seat: int, step: int, head: bytes, body: bytes = b"\x91\x19") -> Envelope:
    return seal(TABLE, NUMBER, step, seat, head, body, IDENTITIES[seat].sign)


def fresh() -> Track:
    return Track(NUMBER, first_head(TABLE, NUMBER))


def close(track: Track, *envelopes: Envelope) -> None:
    """One step, in which these are said in this order."""
    for envelope in envelopes:
        assert track.add(envelope)
    collected = track.collect([envelope.seat for envelope in envelopes])
    assert collected is not None
    track.close_step(collected)


def fault_of(track: Track, envelope: Envelope) -> PeerError:
    with pytest.raises(PeerError) as caught:
        track.add(envelope)
    return caught.value


# -- labels and heads -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "label"),
    [(0, "setup"), (1, "draw deck"), (2, "draw"), (3, "deck 1"), (4, "play 1"), (5, "deck 2"), (1200, "play 599")],
)
def test_labels(number: int, label: str) -> None:
    assert track_label(number) == label
    track = Track(number, bytes(32))
    assert track.label == f"{label}/0"


def test_the_first_head_binds_table_number_and_what_came_before() -> None:
    heads = {
        first_head(TABLE, 4),
        first_head(b"u" * 32, 4),
        first_head(TABLE, 5),
        first_head(TABLE, 4, b"a" * 32),
        first_head(TABLE, 4, b"b" * 32),
        first_head(TABLE, 4, b"a" * 32, b"b" * 32),
        first_head(TABLE, 4, b"b" * 32, b"a" * 32),
    }
    assert len(heads) == 7


def test_the_head_moves_over_exactly_the_envelopes_in_the_order_of_seats() -> None:
    """R-049."""
    track = fresh()
    before = track.head
    ours = [said(seat, 0, before) for seat in range(3)]
    close(track, *ours)
    assert track.step == 1
    digests = b"".join(envelope.digest for envelope in ours)
    assert track.head == hashlib.sha256(b"hocp2p/1 step" + before + digests).digest()


def test_arrival_decides_nothing() -> None:
    """Any order of arrival gives the same envelopes and the same head."""
    heads = set()
    for order in permutations(range(3)):
        track = fresh()
        envelopes = [said(seat, 0, track.head, bytes([0x91, 20 + seat])) for seat in range(3)]
        for seat in order:
            track.add(envelopes[seat])
        collected = track.collect((0, 1, 2))
        assert collected == tuple(envelopes)
        track.close_step(collected)
        heads.add(track.head)
    assert len(heads) == 1


def test_the_binding_of_a_proof_is_its_place() -> None:
    track = fresh()
    bindings = {track.binding(), Track(NUMBER + 1, track.head).binding(), Track(NUMBER, b"x" * 32).binding()}
    assert track.binding() == (4).to_bytes(4, "big") + bytes(4) + track.head
    close(track, said(0, 0, track.head))
    assert len(bindings | {track.binding()}) == 4


# -- what is not yet due, what is known -----------------------------------------------------------------------------


def test_a_step_waits_for_all_of_its_speakers() -> None:
    track = fresh()
    assert track.collect((0, 2)) is None
    track.add(said(2, 0, track.head))
    assert track.has(2)
    assert not track.has(0)
    assert track.collect((0, 2)) is None
    track.add(said(0, 0, track.head))
    assert [envelope.seat for envelope in track.collect((0, 2)) or ()] == [0, 2]


def test_early_ones_wait() -> None:
    """R-050."""
    track = fresh()
    first = said(0, 0, track.head)
    later = said(1, 1, hashlib.sha256(b"hocp2p/1 step" + track.head + first.digest).digest())
    assert track.add(later)
    assert track.collect((0,)) is None
    close(track, first)
    assert track.collect((1,)) == (later,)


def test_doubles_are_dropped_early_in_time_and_late() -> None:
    """R-051."""
    track = fresh()
    first = said(0, 0, track.head)
    later = said(1, 1, b"h" * 32)
    for envelope in (first, later):
        assert track.add(envelope)
        assert not track.add(envelope)
    collected = track.collect((0,))
    assert collected is not None
    track.close_step(collected)
    assert not track.add(first)


def test_an_honest_seat_may_be_far_ahead() -> None:
    track = fresh()
    assert track.add(said(1, MAX_EARLY_STEPS, b"h" * 32))


# -- faults ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("different", ["body", "head"])
def test_two_for_one_slot_are_evidence(different: str, closed: bool) -> None:
    """R-052."""
    track = fresh()
    one = said(1, 0, track.head)
    other = said(1, 0, track.head, b"\x91\x17") if different == "body" else said(1, 0, b"x" * 32)
    track.add(one)
    if closed:
        track.close_step((one,))
    error = fault_of(track, other)
    assert (error.seat, error.code, error.step) == (1, "equivocation", "play 1/0")
    assert error.evidence == (one.raw, other.raw)
    for raw in error.evidence:
        envelope = decode_envelope(raw)
        verify_signature(IDENTITIES[1].public, envelope.signed, envelope.signature)
    assert not track.add(one)  # the first stands


def test_too_far_ahead() -> None:
    """R-054. Who is a step further on keeps it, and comes by it again: so nobody is blamed."""
    track = fresh()
    far = said(1, MAX_EARLY_STEPS + 1, track.head)
    assert not track.add(far)
    close(track, said(0, 0, track.head))
    assert track.add(far)


def test_out_of_turn_in_the_present_step() -> None:
    """R-056."""
    track = fresh()
    wrong = said(2, 0, track.head)
    track.add(wrong)
    with pytest.raises(PeerError) as caught:
        track.collect((0,))
    assert (caught.value.seat, caught.value.code, caught.value.step) == (2, "out-of-turn", "play 1/0")
    assert caught.value.evidence == (wrong.raw,)


def test_out_of_turn_in_a_step_that_closed_without_the_seat() -> None:
    """R-053."""
    track = fresh()
    late = said(1, 0, track.head)
    close(track, said(0, 0, track.head))
    error = fault_of(track, late)
    assert (error.seat, error.code, error.step, error.evidence) == (1, "out-of-turn", "play 1/0", (late.raw,))


def test_out_of_turn_after_the_last_step() -> None:
    """R-053."""
    track = fresh()
    first = said(0, 0, track.head)
    close(track, first)
    track.ended = True
    assert not track.add(first)
    assert fault_of(track, said(1, 1, track.head)).code == "out-of-turn"


def test_out_of_turn_in_another_history_accuses_nobody() -> None:
    """Who shows others another history must not make an honest seat look as if it spoke unasked. (R-048.)"""
    track = fresh()
    track.add(said(2, 0, b"x" * 32))
    with pytest.raises(LocalError) as present:
        track.collect((0,))
    track = fresh()
    close(track, said(0, 0, track.head))
    with pytest.raises(LocalError) as closed:
        track.add(said(1, 0, track.head))
    track.ended = True
    with pytest.raises(LocalError) as ended:
        track.add(said(1, 1, b"x" * 32))
    with pytest.raises(LocalError) as beyond:
        track.add(said(1, 2, track.head))
    assert {each.value.code for each in (present, closed, ended, beyond)} == {"history-differs"}


def test_a_seat_that_is_blamed_already_cannot_hold_up_the_step() -> None:
    """R-056."""
    track = fresh()
    track.add(said(2, 0, track.head))
    mine = said(0, 0, track.head)
    track.add(mine)
    assert track.collect((0,), at_fault={2}) == (mine,)
    assert track.collect((0, 1), at_fault={2}) is None


@pytest.mark.parametrize("seat", [0, 1])
def test_another_history_accuses_nobody(seat: int) -> None:
    """R-048."""
    track = fresh()
    for each in (0, 1):
        track.add(said(each, 0, b"x" * 32 if each == seat else track.head))
    with pytest.raises(LocalError) as caught:
        track.collect((0, 1))
    assert caught.value.code == "history-differs"
    assert f"seat {seat}" in caught.value.message


def test_histories_are_compared_only_when_all_have_spoken() -> None:
    """A seat that is ahead may not be judged by what we do not know yet. (R-048.)"""
    track = fresh()
    track.add(said(1, 0, b"x" * 32))
    assert track.collect((0, 1)) is None


# -- the cut --------------------------------------------------------------------------------------------------------


def test_a_cut_takes_the_place_of_a_step() -> None:
    """R-111."""
    track = fresh()
    head = track.head
    track.cut(2)
    assert track.step == 1
    assert track.head == hashlib.sha256(b"hocp2p/1 loss" + head + b"\x02").digest()
    other = fresh()
    other.cut(1)
    assert other.head != track.head


def test_what_was_said_for_the_cut_is_void_and_so_is_all_that_the_lost_seat_said_later() -> None:
    """R-112."""
    track = fresh()
    void = said(0, 0, track.head)
    track.add(void)
    track.add(said(2, 1, b"h" * 32))
    kept = said(1, 1, hashlib.sha256(b"hocp2p/1 loss" + track.head + b"\x02").digest())
    track.add(kept)
    track.cut(2)
    assert not track.has(2)
    assert track.collect((1,)) == (kept,)
    assert not track.add(void)


def test_what_was_said_for_the_cut_and_comes_late_is_no_fault() -> None:
    """Its seat spoke before it knew: it is honest. (R-112.)"""
    track = fresh()
    late = said(0, 0, track.head)
    track.cut(2)
    assert not track.add(late)
    close(track, said(0, 1, track.head))
    assert not track.add(late)
