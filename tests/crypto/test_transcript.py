"""A challenge depends on everything that was absorbed, on its order and on where each part ends."""

from __future__ import annotations

import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.crypto.group import BASE, ORDER, hash_to_point
from hocp2p.crypto.transcript import Transcript, hedged_nonce, hedged_nonces, statement
from tests.support.sources import seeded

P = hash_to_point("test", b"p")
labels = st.text(max_size=8)
records = st.lists(st.tuples(labels, st.binary(max_size=8)), max_size=4)


def absorbed(record: list[tuple[str, bytes]], name: str = "test") -> Transcript:
    transcript = Transcript(name)
    for label, data in record:
        transcript.absorb(label, data)
    return transcript


@settings(max_examples=300, deadline=None)
@given(records, records)
def test_only_equal_records_give_equal_challenges(one: list[tuple[str, bytes]], other: list[tuple[str, bytes]]) -> None:
    assert (absorbed(one).challenge("c") == absorbed(other).challenge("c")) == (one == other)


def test_bytes_do_not_move_between_label_and_data_or_frames() -> None:
    variants = [
        absorbed([("ab", b"c")]),
        absorbed([("a", b"bc")]),
        absorbed([("abc", b"")]),
        absorbed([("ab", b""), ("", b"c")]),
        absorbed([("", b"abc")]),
        absorbed([], "testab"),
    ]
    assert len({variant.challenge("c") for variant in variants}) == len(variants)


def test_the_bytes_of_a_transcript() -> None:
    """Written out by hand: kind, length of the label, label, length of the data, data. (R-017.)"""

    def frame(kind: int, label: bytes, data: bytes) -> bytes:
        return bytes([kind, len(label)]) + label + len(data).to_bytes(8, "big") + data

    transcript = Transcript("test")
    transcript.absorb_points("points", [BASE, P])
    transcript.absorb_int("number", 258)
    seen = frame(0, b"hocp2p/1", b"test") + frame(0, b"points", BASE + P) + frame(0, b"number", b"\0\0\0\0\0\0\1\2")
    first = hashlib.sha512(seen + frame(1, b"c", b"")).digest()
    assert transcript.challenge("c") == int.from_bytes(first, "little") % ORDER
    second = hashlib.sha512(seen + frame(1, b"c", first) + frame(1, b"c", b"")).digest()
    assert transcript.squeeze("c") == second


def test_challenges_are_absorbed_back_and_labelled() -> None:
    transcript = Transcript("test")
    assert transcript.challenge("c") != transcript.challenge("c")
    assert Transcript("test").challenge("c") != Transcript("test").challenge("d")


def test_many_challenges_differ_and_depend_on_their_number() -> None:
    five, six = Transcript("test").challenges("w", 5), Transcript("test").challenges("w", 6)
    assert len({*five, *six}) == 11
    assert all(0 <= challenge < ORDER for challenge in five)
    assert Transcript("test").challenges("w", 0) == []


def test_a_fork_goes_its_own_way() -> None:
    transcript = absorbed([("a", b"b")])
    fork = transcript.fork()
    fork.absorb("more", b"")
    assert fork.challenge("c") != transcript.fork().challenge("c") == transcript.challenge("c")


def test_a_statement_is_bound_to_each_part() -> None:
    variants = [
        statement("key", b"deal 1", 0),
        statement("keys", b"deal 1", 0),
        statement("key", b"deal 2", 0),
        statement("key", b"deal 1", 1),
        statement("key", b"deal 1", 0, b"step"),
    ]
    assert len({variant.challenge("c") for variant in variants}) == len(variants)


# Nonces


def test_nonces_depend_on_secret_randomness_and_statement() -> None:
    nonces = [
        hedged_nonce(b"secret", seeded(1), b"statement"),
        hedged_nonce(b"another", seeded(1), b"statement"),
        hedged_nonce(b"secret", seeded(2), b"statement"),
        hedged_nonce(b"secret", seeded(1), b"another"),
        hedged_nonce(b"secret", seeded(1), absorbed([("a", b"b")])),
        hedged_nonce(b"secret", seeded(1), absorbed([("a", b"c")])),
    ]
    assert len(set(nonces)) == len(nonces)


def test_a_dead_source_gives_no_nonce_twice_for_two_statements() -> None:
    assert hedged_nonce(b"secret", bytes, b"one") != hedged_nonce(b"secret", bytes, b"two")
    assert hedged_nonce(b"secret", bytes, b"one") == hedged_nonce(b"secret", bytes, b"one")


def test_nonces_of_one_draw_differ_and_leave_the_statement_alone() -> None:
    transcript = absorbed([("a", b"b")])
    assert len(set(hedged_nonces(b"secret", seeded(1), transcript, 8))) == 8
    assert transcript.challenge("c") == absorbed([("a", b"b")]).challenge("c")
