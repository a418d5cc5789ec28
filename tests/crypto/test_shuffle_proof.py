"""The bytes of the shuffle's proof: every field is read strictly, and none can be changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
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
    decode_scalar,
    encode_scalar,
    sub,
)
from hocp2p.crypto.masking import FACES
from hocp2p.crypto.shuffle_proof import SINGLES, decode_shuffle_proof, shuffle_proof_bytes
from hocp2p.errors import HocError
from tests.support.shuffling import BAD_ENCODINGS, ProvedShuffle, make_shuffle

SMALL: Final = make_shuffle(3)
"""Small enough to try every field of it."""

POINTS: Final = 2 * 3
SCALARS: Final = 2 * 3 + 1 + SINGLES


# Form


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


# Every field of the proof


def with_field(proof: bytes, index: int, field: bytes) -> bytes:
    """``proof`` with another field of 32 bytes."""
    return proof[: 32 * index] + field + proof[32 * (index + 1) :]


def field(proof: bytes, index: int) -> bytes:
    return proof[32 * index : 32 * (index + 1)]


@pytest.mark.parametrize("index", range(POINTS))
def test_every_point_is_bound(index: int) -> None:
    """R-066."""

    def replaced(data: bytes) -> ProvedShuffle:
        return replace(SMALL, proof=with_field(SMALL.proof, index, data))

    original = Point(field(SMALL.proof, index))
    assert replaced(FACES[9]).refusal() == "shuffle-proof"
    assert replaced(add(original, BASE)).refusal() == "shuffle-proof"
    assert replaced(sub(IDENTITY, original)).refusal() == "shuffle-proof"
    assert replaced(IDENTITY).refusal() == "identity-point"
    assert replaced(bytes([original[0] ^ 2]) + original[1:]).refusal() in ("bad-point", "shuffle-proof")
    for encoding in BAD_ENCODINGS.values():
        assert replaced(bytes.fromhex(encoding)).refusal() == "bad-point"


@pytest.mark.parametrize("index", range(POINTS, POINTS + SCALARS))
def test_every_scalar_is_bound(index: int) -> None:
    """R-067."""

    def replaced(number: int) -> ProvedShuffle:
        return replace(SMALL, proof=with_field(SMALL.proof, index, number.to_bytes(SCALAR_BYTES, "little")))

    original = decode_scalar(field(SMALL.proof, index))
    for other in (0, 1, original ^ 1, ORDER - original, ORDER - 1):
        assert replaced(other).refusal() == "shuffle-proof"
    for beyond in (original + ORDER, original | 1 << 255, ORDER, 2**256 - 1):
        assert replaced(beyond).refusal() == "bad-scalar"


def test_all_responses_zero() -> None:
    """Nothing special happens where every product is the identity."""
    points = SMALL.proof[: POINTS * POINT_BYTES]
    assert replace(SMALL, proof=points + bytes(SCALARS * SCALAR_BYTES)).refusal() == "shuffle-proof"


def test_exchanged_fields() -> None:
    fields = [field(SMALL.proof, index) for index in range(POINTS + SCALARS)]
    for first, second in ((0, 1), (2, 3), (4, 5), (7, 8), (9, 10), (11, 12), (13, 14), (15, 16)):
        exchanged = list(fields)
        exchanged[first], exchanged[second] = fields[second], fields[first]
        assert replace(SMALL, proof=b"".join(exchanged)).refusal() == "shuffle-proof"


@pytest.mark.parametrize("length", [0, 1, 32, len(SMALL.proof) - 32, len(SMALL.proof) - 1, len(SMALL.proof) + 1])
def test_proof_of_another_length(length: int) -> None:
    assert replace(SMALL, proof=(SMALL.proof + b"\0")[:length]).refusal() == "bad-length"


VECTORS: Final = {"permutation": 0, "chain": 3, "singles": 6, "links": 11, "weights": 14}
"""Where each vector of the proof begins."""


@pytest.mark.parametrize("start", VECTORS.values(), ids=VECTORS)
def test_each_vector_one_shorter_or_longer(start: int) -> None:
    at = 32 * start
    shorter = SMALL.proof[:at] + SMALL.proof[at + 32 :]
    longer = SMALL.proof[: at + 32] + SMALL.proof[at:]
    assert replace(SMALL, proof=shorter).refusal() == "bad-length"
    assert replace(SMALL, proof=longer).refusal() == "bad-length"


@pytest.mark.parametrize("size", [2, 4])
def test_proof_for_another_number_of_cards(size: int) -> None:
    assert replace(SMALL, proof=make_shuffle(size).proof).refusal() == "bad-length"


def test_one_vector_shorter_and_the_next_longer() -> None:
    """The length is right and a scalar stands where a point should, or a point where a scalar should."""
    low, points, high = BASE, SMALL.proof[: 32 * POINTS], SMALL.proof[32 * POINTS :]
    shifted = SMALL.proof[32:] + low
    assert replace(SMALL, proof=shifted).refusal() in ("bad-scalar", "bad-point")
    assert replace(SMALL, proof=points[:-32] + encode_scalar(5) + high).refusal() == "bad-point"


DECK_PROOF: Final = make_shuffle(52, seed=8)


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 6_815), flip=st.integers(1, 255))
def test_any_byte_of_a_deck_of_52(at: int, flip: int) -> None:
    proof = bytearray(DECK_PROOF.proof)
    proof[at] ^= flip
    assert replace(DECK_PROOF, proof=bytes(proof)).refusal() in (
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
