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

from hocp2p.crypto.group import (
    BASE,
    IDENTITY,
    ORDER,
    POINT_BYTES,
    SCALAR_BYTES,
    Point,
    add,
    decode_point,
    decode_scalar,
    encode_scalar,
    mul_base,
    sub,
)
from hocp2p.crypto.masking import FACES, Deck, initial_deck, remask
from hocp2p.crypto.shuffle import generators, prove_shuffle, verify_shuffle
from hocp2p.crypto.shuffle_proof import SINGLES, decode_shuffle_proof, shuffle_proof_bytes
from hocp2p.errors import CryptoError, HocError
from tests.support.shuffling import CONTEXT, ProvedShuffle, make_shuffle, unmask

SMALL: Final = make_shuffle(3)
"""Small enough to try every field of it."""

POINTS: Final = 2 * 3
SCALARS: Final = 2 * 3 + 1 + SINGLES

BAD_ENCODINGS: Final = {
    "p": "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "all ones": "ff" * 32,
    "negative": "0100000000000000000000000000000000000000000000000000000000000000",
    "not a square": "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
}
"""One of each kind of RFC 9496, A.3."""


def refusal(proved: ProvedShuffle) -> str:
    """The code with which it is refused."""
    with pytest.raises(CryptoError) as caught:
        proved.verify()
    return caught.value.code


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


@given(size=st.integers(1, 4), seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_proof_goes_through_its_bytes_and_back(size: int, seed: int) -> None:
    proof = make_shuffle(size, seed).proof
    assert len(proof) == shuffle_proof_bytes(size)
    assert decode_shuffle_proof(proof, size).encode() == proof


def test_order_of_the_fields() -> None:
    decoded = decode_shuffle_proof(SMALL.proof, 3)
    fields = [SMALL.proof[at : at + 32] for at in range(0, len(SMALL.proof), 32)]
    assert (*decoded.commitments.permutation, *decoded.commitments.chain) == tuple(fields[:6])
    responses = decoded.responses
    singles = [decoded.challenge, responses.total, responses.product, responses.combination, responses.factor]
    assert [*singles, *responses.links, *responses.weights] == [decode_scalar(field) for field in fields[6:]]


def test_generators_are_independent_points() -> None:
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


# Every field of the proof


def with_field(proof: bytes, index: int, field: bytes) -> bytes:
    """``proof`` with another field of 32 bytes."""
    return proof[: 32 * index] + field + proof[32 * (index + 1) :]


def field(proof: bytes, index: int) -> bytes:
    return proof[32 * index : 32 * (index + 1)]


@pytest.mark.parametrize("index", range(POINTS))
def test_every_point_is_bound(index: int) -> None:
    def replaced(data: bytes) -> ProvedShuffle:
        return replace(SMALL, proof=with_field(SMALL.proof, index, data))

    original = Point(field(SMALL.proof, index))
    assert refusal(replaced(FACES[9])) == "shuffle-proof"
    assert refusal(replaced(add(original, BASE))) == "shuffle-proof"
    assert refusal(replaced(sub(IDENTITY, original))) == "shuffle-proof"
    assert refusal(replaced(IDENTITY)) == "identity-point"
    assert refusal(replaced(bytes([original[0] ^ 2]) + original[1:])) in ("bad-point", "shuffle-proof")
    for encoding in BAD_ENCODINGS.values():
        assert refusal(replaced(bytes.fromhex(encoding))) == "bad-point"


@pytest.mark.parametrize("index", range(POINTS, POINTS + SCALARS))
def test_every_scalar_is_bound(index: int) -> None:
    def replaced(number: int) -> ProvedShuffle:
        return replace(SMALL, proof=with_field(SMALL.proof, index, number.to_bytes(SCALAR_BYTES, "little")))

    original = decode_scalar(field(SMALL.proof, index))
    for other in (0, 1, original ^ 1, ORDER - original, ORDER - 1):
        assert refusal(replaced(other)) == "shuffle-proof"
    for beyond in (original + ORDER, original | 1 << 255, ORDER, 2**256 - 1):
        assert refusal(replaced(beyond)) == "bad-scalar"


def test_all_responses_zero() -> None:
    """Nothing special happens where every product is the identity."""
    points = SMALL.proof[: POINTS * POINT_BYTES]
    assert refusal(replace(SMALL, proof=points + bytes(SCALARS * SCALAR_BYTES))) == "shuffle-proof"


def test_exchanged_fields() -> None:
    fields = [field(SMALL.proof, index) for index in range(POINTS + SCALARS)]
    for first, second in ((0, 1), (2, 3), (4, 5), (7, 8), (9, 10), (11, 12), (13, 14), (15, 16)):
        exchanged = list(fields)
        exchanged[first], exchanged[second] = fields[second], fields[first]
        assert refusal(replace(SMALL, proof=b"".join(exchanged))) == "shuffle-proof"


@pytest.mark.parametrize("length", [0, 1, 32, len(SMALL.proof) - 32, len(SMALL.proof) - 1, len(SMALL.proof) + 1])
def test_proof_of_another_length(length: int) -> None:
    assert refusal(replace(SMALL, proof=(SMALL.proof + b"\0")[:length])) == "bad-length"


VECTORS: Final = {"permutation": 0, "chain": 3, "singles": 6, "links": 11, "weights": 14}
"""Where each vector of the proof begins."""


@pytest.mark.parametrize("start", VECTORS.values(), ids=VECTORS)
def test_each_vector_one_shorter_or_longer(start: int) -> None:
    at = 32 * start
    shorter = SMALL.proof[:at] + SMALL.proof[at + 32 :]
    longer = SMALL.proof[: at + 32] + SMALL.proof[at:]
    assert refusal(replace(SMALL, proof=shorter)) == "bad-length"
    assert refusal(replace(SMALL, proof=longer)) == "bad-length"


@pytest.mark.parametrize("size", [2, 4])
def test_proof_for_another_number_of_cards(size: int) -> None:
    assert refusal(replace(SMALL, proof=make_shuffle(size).proof)) == "bad-length"


def test_one_vector_shorter_and_the_next_longer() -> None:
    """The length is right and a scalar stands where a point should, or a point where a scalar should."""
    low, points, high = BASE, SMALL.proof[: 32 * POINTS], SMALL.proof[32 * POINTS :]
    shifted = SMALL.proof[32:] + low
    assert refusal(replace(SMALL, proof=shifted)) in ("bad-scalar", "bad-point")
    assert refusal(replace(SMALL, proof=points[:-32] + encode_scalar(5) + high)) == "bad-point"


DECK_PROOF: Final = make_shuffle(52, seed=8)


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 6_815), flip=st.integers(1, 255))
def test_any_byte_of_a_deck_of_52(at: int, flip: int) -> None:
    proof = bytearray(DECK_PROOF.proof)
    proof[at] ^= flip
    assert refusal(replace(DECK_PROOF, proof=bytes(proof))) in (
        "bad-point",
        "bad-scalar",
        "identity-point",
        "shuffle-proof",
    )


@settings(max_examples=200, deadline=None)
@given(proof=st.binary(max_size=700) | st.binary(min_size=len(SMALL.proof), max_size=len(SMALL.proof)))
def test_any_bytes_are_refused_with_a_documented_error(proof: bytes) -> None:
    with pytest.raises(HocError):
        replace(SMALL, proof=proof).verify()


# Every field of the statement


@pytest.mark.parametrize("context", [b"", CONTEXT + b"\0", CONTEXT[:-1], b"\0" + CONTEXT, CONTEXT.upper()])
def test_context_is_bound(context: bytes) -> None:
    assert refusal(replace(SMALL, context=context)) == "shuffle-proof"


def test_key_is_bound() -> None:
    assert refusal(replace(SMALL, key=add(SMALL.key, BASE))) == "shuffle-proof"
    assert refusal(replace(SMALL, key=IDENTITY)) == "identity-point"
    assert refusal(replace(SMALL, key=Point(bytes.fromhex(BAD_ENCODINGS["negative"])))) == "bad-point"


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

    assert refusal(replaced(FACES[30])) == "shuffle-proof"
    assert refusal(replaced(IDENTITY)) == "identity-point"
    for encoding in BAD_ENCODINGS.values():  # which no decoded deck holds
        assert refusal(replaced(Point(bytes.fromhex(encoding)))) in ("bad-point", "shuffle-proof")
    # and with the proof that a prover makes for the altered statement
    assert refusal(replaced(FACES[30]).proved()) == "shuffle-proof"


def test_decks_of_other_sizes() -> None:
    two, four = make_shuffle(2), make_shuffle(4)
    assert refusal(replace(SMALL, after=two.after)) == "bad-length"
    assert refusal(replace(SMALL, after=four.after)) == "bad-length"
    assert refusal(replace(SMALL, before=two.before, after=two.after)) == "bad-length"
    assert refusal(replace(SMALL, before=Deck((), ()), after=Deck((), ()), proof=SMALL.proof[:160])) == "bad-length"


# Statements that are false


def test_right_permutation_with_wrong_factors() -> None:
    assert refusal(replace(SMALL, factors=(1, 2, 3)).proved()) == "shuffle-proof"


def test_identity_permutation_with_wrong_factors() -> None:
    same_order = replace(SMALL, permutation=(0, 1, 2)).remasked()
    same_order.proved().verify()
    for slot in range(3):
        factors = list(same_order.factors)
        factors[slot] += 1
        assert refusal(replace(same_order, factors=tuple(factors)).proved()) == "shuffle-proof"


def test_factors_that_only_add_up() -> None:
    first, second, third = SMALL.factors
    assert refusal(replace(SMALL, factors=(first + 1, second - 1, third)).proved()) == "shuffle-proof"


def test_wrong_permutation() -> None:
    swapped = (SMALL.permutation[1], SMALL.permutation[0], SMALL.permutation[2])
    assert refusal(replace(SMALL, permutation=swapped).proved()) == "shuffle-proof"


def test_masked_under_another_key() -> None:
    other = mul_base(77)
    masked = replace(SMALL, after=remask(other, SMALL.before, SMALL.permutation, SMALL.factors))
    assert refusal(masked.proved()) == "shuffle-proof"
    assert refusal(replace(replace(masked, key=other).proved(), key=SMALL.key)) == "shuffle-proof"
