"""Proofs of not holding a face: they hold where true, and show nothing of the hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.crypto.group import ORDER, mul_base
from hocp2p.crypto.masking import FACES
from hocp2p.crypto.non_holding import payload_bytes, prove_not_holding, verify_not_holding
from hocp2p.crypto.openings import OwnedCards
from hocp2p.errors import CryptoError, LocalError
from tests.crypto.hand import CONTEXT, HELD, POSITIONS, SEAT, SECRET, STEP, hand
from tests.support.dealing import flip
from tests.support.rfc_vectors import BAD_POINTS
from tests.support.sources import seeded

CARDS = hand()
ABSENT = (5, 18, 31)
PAYLOAD = prove_not_holding(CONTEXT, SEAT, STEP, SECRET, CARDS, HELD, ABSENT, seeded(1))


def refused(
    cards: OwnedCards = CARDS,
    faces: Sequence[int] = ABSENT,
    payload: bytes = PAYLOAD,
    *,
    context: bytes = CONTEXT,
    seat: int = SEAT,
    step: bytes = STEP,
) -> str:
    with pytest.raises(CryptoError) as caught:
        verify_not_holding(context, seat, step, cards, faces, payload)
    return caught.value.code


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=2, max_size=8, unique=True), st.data())
def test_true_proofs_hold(cards: list[int], data: st.DataObject) -> None:
    split = data.draw(st.integers(1, len(cards) - 1))
    held, absent = cards[:split], cards[split:]
    owned = hand(held, range(len(held)))
    payload = prove_not_holding(CONTEXT, SEAT, STEP, SECRET, owned, held, absent, seeded(1))
    assert len(payload) == payload_bytes(len(held), len(absent))
    verify_not_holding(CONTEXT, SEAT, STEP, owned, absent, payload)


def test_length_of_twelve_cards_and_four_faces() -> None:
    assert payload_bytes(12, 4) == 640


def test_the_prover_refuses_to_lie() -> None:
    with pytest.raises(LocalError) as caught:
        prove_not_holding(CONTEXT, SEAT, STEP, SECRET, CARDS, HELD, (5, 22), seeded(1))
    assert caught.value.code == "holding"


def test_every_part_of_the_statement_is_bound() -> None:
    verify_not_holding(CONTEXT, SEAT, STEP, CARDS, ABSENT, PAYLOAD)
    assert refused(context=b"deal 2") == "not-holding-proof"
    assert refused(seat=0) == "not-holding-proof"
    assert refused(step=b"play 8") == "not-holding-proof"
    assert refused(faces=(5, 18, 32)) == "not-holding-proof"
    assert refused(faces=ABSENT[::-1]) == "not-holding-proof"
    assert refused(replace(CARDS, positions=(1, 4, 7, 13))) == "not-holding-proof"
    assert refused(replace(CARDS, key=mul_base(SECRET + 1))) == "not-holding-proof"
    assert refused(hand((3, 17, 22, 41), POSITIONS)) == "not-holding-proof"


def test_every_field_counts() -> None:
    points = 1 + len(HELD) + len(ABSENT)
    for index in range(points):
        other = PAYLOAD[: 32 * index] + FACES[50] + PAYLOAD[32 * (index + 1) :]
        assert refused(payload=other) == "not-holding-proof"
        for bad in BAD_POINTS:
            assert refused(payload=PAYLOAD[: 32 * index] + bad + PAYLOAD[32 * (index + 1) :]) == "bad-point"
        blank = PAYLOAD[: 32 * index] + bytes(32) + PAYLOAD[32 * (index + 1) :]
        assert refused(payload=blank) == "identity-point"
    for at in range(32 * points, len(PAYLOAD), 32):
        assert refused(payload=flip(PAYLOAD, at)) == "not-holding-proof"
        scalar = int.from_bytes(PAYLOAD[at : at + 32], "little")
        for alias in (scalar + ORDER, scalar | 1 << 255):
            aliased = PAYLOAD[:at] + alias.to_bytes(32, "little") + PAYLOAD[at + 32 :]
            assert refused(payload=aliased) == "bad-scalar"


def test_lengths_are_exact() -> None:
    """R-080."""
    for payload in (b"", PAYLOAD[:-1], PAYLOAD + b"\0", PAYLOAD[:32] + PAYLOAD[64:], PAYLOAD + bytes(32)):
        assert refused(payload=payload) == "bad-length"
    assert refused(faces=ABSENT[:-1]) == "bad-length"
    assert refused(hand(HELD[:3], POSITIONS[:3])) == "bad-length"


def test_nothing_published_is_seen_twice_or_known() -> None:
    """Each proof blinds anew, and no published point is a face or a point of the deck."""
    payloads = [prove_not_holding(CONTEXT, SEAT, STEP, SECRET, CARDS, HELD, ABSENT, seeded(seed)) for seed in range(3)]
    points = [payload[at : at + 32] for payload in payloads for at in range(0, 32 * (1 + len(HELD) + len(ABSENT)), 32)]
    assert len(set(points)) == len(points)
    assert not set(points) & {*FACES, *CARDS.a, *CARDS.k, CARDS.key}
