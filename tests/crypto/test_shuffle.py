"""The shuffle's proof: holds for every shuffle, and for nothing that differs from it in a single field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

import pytest
import rbcl
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.crypto import shuffle
from hocp2p.crypto.group import (
    BASE,
    IDENTITY,
    POINT_BYTES,
    PROTOCOL,
    Point,
    add,
    decode_point,
    mul_base,
)
from hocp2p.crypto.masking import FACES, Deck, initial_deck, remask
from hocp2p.crypto.shuffle import generators, prove_shuffle, verify_shuffle
from hocp2p.crypto.shuffle_proof import decode_shuffle_proof, shuffle_proof_bytes
from hocp2p.crypto.transcript import Transcript
from tests.support.shuffling import BAD_ENCODINGS, CONTEXT, ProvedShuffle, make_shuffle, unmask

SMALL: Final = make_shuffle(3)
"""Small enough to try every field of it."""


# What holds


def test_a_deck_of_52() -> None:
    randomness = Random(1).randbytes
    joint_secret = 0x1234567
    key = mul_base(joint_secret)
    before = initial_deck(key)
    after, proof = prove_shuffle(context=CONTEXT, key=key, deck=before, randomness=randomness)
    assert len(proof) == shuffle_proof_bytes(52) == 6_816
    verify_shuffle(context=CONTEXT, key=key, before=before, after=after, proof=proof)

    faces = unmask(after, joint_secret)
    assert faces != list(range(52))
    assert Counter(faces) == Counter(range(52))
    assert not set(after.a) & set(before.a)
    assert not set(after.c) & set(before.c)


def test_seats_in_turn() -> None:
    joint_secret = 99
    key, faces = mul_base(joint_secret), Counter(range(52))
    deck = initial_deck(key)
    for seat in range(3):
        context = b"seat %d" % seat
        after, proof = prove_shuffle(context=context, key=key, deck=deck, randomness=Random(seat).randbytes)
        verify_shuffle(context=context, key=key, before=deck, after=after, proof=proof)
        deck = after
    assert Counter(unmask(deck, joint_secret)) == faces


@settings(max_examples=40, deadline=None)
@given(
    permutation=st.integers(1, 8).flatmap(lambda size: st.permutations(range(size))),
    seed=st.integers(0, 2**64),
    context=st.binary(max_size=80),
)
def test_every_permutation_can_be_proved(permutation: list[int], seed: int, context: bytes) -> None:
    honest = make_shuffle(len(permutation), seed)
    proved = replace(honest, context=context, permutation=tuple(permutation)).remasked().proved()
    proved.verify()
    assert unmask(proved.after, proved.joint_secret) == permutation


def test_same_order_and_no_new_masks_is_a_permutation_too() -> None:
    """A seat may decline to shuffle: the shuffle of one honest seat is enough."""
    proved = replace(SMALL, permutation=(0, 1, 2), factors=(0, 0, 0)).remasked().proved()
    assert proved.after == proved.before
    proved.verify()


def test_pinned_randomness_gives_the_same_bytes() -> None:
    assert SMALL.proved(seed=5).proof == SMALL.proved(seed=5).proof
    assert SMALL.proved(seed=5).proof != SMALL.proved(seed=6).proof


def test_generators_are_independent_points() -> None:
    """R-016."""
    setup = generators(52)
    points = {setup.base, *setup.slots}
    assert len(points) == 53
    assert all(decode_point(point) == point for point in points)
    assert not points & {BASE, *FACES}
    assert generators(52) is setup
    assert generators(8).slots == setup.slots[:8]
    assert generators(8).digest != setup.digest


# What it costs


def test_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    proved = make_shuffle(52)
    counts = count_operations(monkeypatch)

    proved.remasked()
    assert within(counts, (52, 52, 104))
    proved.proved()
    assert within(counts, (261, 160, 312))
    proved.verify()
    assert within(counts, (419, 56, 471))


def count_operations(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts what is asked of libsodium, whoever asks."""
    counts = Counter[str]()

    def counting(kind: str, function: Callable[..., bytes]) -> Callable[..., bytes]:
        def counted(*operands: bytes) -> bytes:
            counts[kind] += 1
            return function(*operands)

        return counted

    for name, kind in (
        ("crypto_scalarmult_ristretto255", "mul"),
        ("crypto_scalarmult_ristretto255_base", "base"),
        ("crypto_core_ristretto255_add", "add"),
        ("crypto_core_ristretto255_sub", "add"),
    ):
        monkeypatch.setattr(rbcl, name, counting(kind, getattr(rbcl, name)))
    return counts


def within(counts: Counter[str], most: tuple[int, int, int]) -> bool:
    """Whether no more was counted than that, and something was. Starts counting anew."""
    counted = counts["mul"], counts["base"], counts["add"]
    counts.clear()
    return all(0 < count <= limit for count, limit in zip(counted, most, strict=True))


# What the challenges depend on


def test_weights_and_challenge_have_seen_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, bytes]] = []

    class Recorder(Transcript):
        def absorb(self, label: str, data: bytes) -> None:
            seen.append((label, data))
            super().absorb(label, data)

        def squeeze(self, label: str) -> bytes:
            seen.append((f"drawn: {label}", b""))
            return super().squeeze(label)

    monkeypatch.setattr(shuffle, "Transcript", Recorder)
    SMALL.verify()

    commitments = decode_shuffle_proof(SMALL.proof, 3).commitments
    announcement = seen[-2][1]
    assert len(announcement) == (5 + 3) * POINT_BYTES
    assert seen == [
        (PROTOCOL, b"shuffle"),
        ("context", CONTEXT),
        ("generators", generators(3).digest),
        ("key", SMALL.key),
        ("before", b"".join(SMALL.before.a + SMALL.before.c)),
        ("after", b"".join(SMALL.after.a + SMALL.after.c)),
        ("permutation", b"".join(commitments.permutation)),
        ("count", (3).to_bytes(8, "big")),
        ("drawn: weights", b""),
        ("chain", b"".join(commitments.chain)),
        ("announcement", announcement),
        ("drawn: challenge", b""),
    ]


# Every field of the statement


@pytest.mark.parametrize("context", [b"", CONTEXT + b"\0", CONTEXT[:-1], b"\0" + CONTEXT, CONTEXT.upper()])
def test_context_is_bound(context: bytes) -> None:
    assert replace(SMALL, context=context).refusal() == "shuffle-proof"


def test_key_is_bound() -> None:
    assert replace(SMALL, key=add(SMALL.key, BASE)).refusal() == "shuffle-proof"
    assert replace(SMALL, key=IDENTITY).refusal() == "identity-point"
    assert replace(SMALL, key=Point(bytes.fromhex(BAD_ENCODINGS["negative"]))).refusal() == "bad-point"


def with_point(deck: Deck, vector: str, index: int, point: Point) -> Deck:
    points = list(deck.a if vector == "a" else deck.c)
    points[index] = point
    return Deck(tuple(points), deck.c) if vector == "a" else Deck(deck.a, tuple(points))


@pytest.mark.parametrize("index", range(3))
@pytest.mark.parametrize("vector", ["a", "c"])
@pytest.mark.parametrize("which", ["before", "after"])
def test_every_card_is_bound(which: str, vector: str, index: int) -> None:
    def replaced(point: Point) -> ProvedShuffle:
        if which == "before":
            return replace(SMALL, before=with_point(SMALL.before, vector, index, point))
        return replace(SMALL, after=with_point(SMALL.after, vector, index, point))

    assert replaced(FACES[30]).refusal() == "shuffle-proof"
    assert replaced(IDENTITY).refusal() == "identity-point"
    for encoding in BAD_ENCODINGS.values():  # which no decoded deck holds
        assert replaced(Point(bytes.fromhex(encoding))).refusal() in ("bad-point", "shuffle-proof")
    # and with the proof that a prover makes for the altered statement
    assert replaced(FACES[30]).proved().refusal() == "shuffle-proof"


def test_decks_of_other_sizes() -> None:
    two, four = make_shuffle(2), make_shuffle(4)
    assert replace(SMALL, after=two.after).refusal() == "bad-length"
    assert replace(SMALL, after=four.after).refusal() == "bad-length"
    assert replace(SMALL, before=two.before, after=two.after).refusal() == "bad-length"
    assert replace(SMALL, before=Deck((), ()), after=Deck((), ()), proof=SMALL.proof[:160]).refusal() == "bad-length"


# Statements that are false


def test_right_permutation_with_wrong_factors() -> None:
    assert replace(SMALL, factors=(1, 2, 3)).proved().refusal() == "shuffle-proof"


def test_identity_permutation_with_wrong_factors() -> None:
    same_order = replace(SMALL, permutation=(0, 1, 2)).remasked()
    same_order.proved().verify()
    for slot in range(3):
        factors = list(same_order.factors)
        factors[slot] += 1
        assert replace(same_order, factors=tuple(factors)).proved().refusal() == "shuffle-proof"


def test_factors_that_only_add_up() -> None:
    first, second, third = SMALL.factors
    assert replace(SMALL, factors=(first + 1, second - 1, third)).proved().refusal() == "shuffle-proof"


def test_wrong_permutation() -> None:
    swapped = (SMALL.permutation[1], SMALL.permutation[0], SMALL.permutation[2])
    assert replace(SMALL, permutation=swapped).proved().refusal() == "shuffle-proof"


def test_masked_under_another_key() -> None:
    other = mul_base(77)
    masked = replace(SMALL, after=remask(other, SMALL.before, SMALL.permutation, SMALL.factors))
    assert masked.proved().refusal() == "shuffle-proof"
    assert replace(replace(masked, key=other).proved(), key=SMALL.key).refusal() == "shuffle-proof"
