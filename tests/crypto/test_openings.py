"""Openings hold for the cards they name, in their place, and for nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.crypto.group import ORDER, mul_base
from hocp2p.crypto.openings import OwnedCards, prove_open, verify_open
from hocp2p.errors import CryptoError
from tests.crypto.hand import CONTEXT, HELD, POSITIONS, SEAT, SECRET, STEP, hand
from tests.support.dealing import flip
from tests.support.sources import seeded

CARDS = hand()
PROOF = prove_open(CONTEXT, SEAT, STEP, SECRET, CARDS, HELD, seeded(1))


def refused(
    cards: OwnedCards = CARDS,
    faces: Sequence[int] = HELD,
    proof: bytes = PROOF,
    *,
    context: bytes = CONTEXT,
    seat: int = SEAT,
    step: bytes = STEP,
) -> str:
    with pytest.raises(CryptoError) as caught:
        verify_open(context, seat, step, cards, faces, proof)
    return caught.value.code


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=1, max_size=5, unique=True))
def test_true_openings_hold(held: list[int]) -> None:
    cards = hand(held, range(len(held)))
    proof = prove_open(CONTEXT, SEAT, STEP, SECRET, cards, held, seeded(1))
    assert len(proof) == 64
    verify_open(CONTEXT, SEAT, STEP, cards, held, proof)


def test_every_part_of_the_statement_is_bound() -> None:
    verify_open(CONTEXT, SEAT, STEP, CARDS, HELD, PROOF)
    assert refused(context=b"deal 2") == "opening-proof"
    assert refused(seat=0) == "opening-proof"
    assert refused(step=b"play 8") == "opening-proof"
    assert refused(faces=(3, 17, 22, 41)) == "opening-proof"
    assert refused(faces=(17, 3, 22, 40)) == "opening-proof"
    assert refused(replace(CARDS, positions=(1, 4, 7, 13))) == "opening-proof"
    assert refused(replace(CARDS, key=mul_base(SECRET + 1))) == "opening-proof"
    assert refused(hand(HELD[::-1], POSITIONS)) == "opening-proof"


def test_a_proof_of_a_lie_does_not_hold() -> None:
    for faces in ((3, 17, 22, 41), (17, 3, 22, 40)):
        lie = prove_open(CONTEXT, SEAT, STEP, SECRET, CARDS, faces, seeded(1))
        assert refused(faces=faces, proof=lie) == "opening-proof"


def test_a_proof_of_several_proves_no_part_of_them() -> None:
    assert refused(hand(HELD[:3], POSITIONS[:3]), HELD[:3]) == "opening-proof"
    alone = prove_open(CONTEXT, SEAT, STEP, SECRET, hand(HELD[:1], POSITIONS[:1]), HELD[:1], seeded(1))
    assert refused(proof=alone) == "opening-proof"


@pytest.mark.parametrize("at", [0, 31, 32, 62])
def test_a_changed_proof_does_not_hold(at: int) -> None:
    assert refused(proof=flip(PROOF, at)) in {"opening-proof", "bad-scalar"}


def test_form() -> None:
    assert refused(proof=b"") == refused(proof=PROOF[:-1]) == refused(proof=PROOF + b"\0") == "bad-length"
    for at in (0, 32):
        scalar = int.from_bytes(PROOF[at : at + 32], "little")
        for alias in (scalar + ORDER, scalar | 1 << 255):
            assert refused(proof=PROOF[:at] + alias.to_bytes(32, "little") + PROOF[at + 32 :]) == "bad-scalar"
