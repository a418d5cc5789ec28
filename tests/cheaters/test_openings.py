"""A seat that opens something else than it was dealt."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hocp2p.crypto.group import ORDER
from hocp2p.crypto.hands import Hands
from hocp2p.crypto.openings import prove_open
from tests.support.dealing import Dealing, blame, dealing_at
from tests.support.sources import seeded

CHEAT = 2
STEP = b"play 9"
SLEEPING = 50


def hands_of(dealing: Dealing) -> Hands:
    hands: Hands = dealing.sessions[0]._hands  # type: ignore[attr-defined]  # public, but no part of the interface
    return hands


@pytest.fixture(scope="module")
def dealing() -> Dealing:
    return dealing_at("dealt")


def forged(dealing: Dealing, positions: Sequence[int], faces: Sequence[int], seat: int = CHEAT) -> bytes:
    """The best proof the cheat can make, with its own secret, that ``seat``'s positions are ``faces``."""
    cards = hands_of(dealing).cards(seat, positions)
    return prove_open(dealing.context(), CHEAT, STEP, dealing.secret(CHEAT), cards, faces, seeded("cheat"))


def blamed(
    dealing: Dealing, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes = STEP
) -> set[tuple[int, str]]:
    """By both honest seats."""
    return {
        blame(dealing.sessions[seat].verify_open, CHEAT, positions, faces, proof, step)
        for seat in range(3)
        if seat != CHEAT
    }


def test_the_forger_makes_good_proofs_of_the_truth(dealing: Dealing) -> None:
    positions = dealing.plan.positions_of(CHEAT)
    faces = [dealing.faces(CHEAT)[position] for position in positions]
    dealing.sessions[0].verify_open(CHEAT, positions, faces, forged(dealing, positions, faces), STEP)


@pytest.mark.parametrize("shift", [1, 13, 51])
def test_named_as_another_face(dealing: Dealing, shift: int) -> None:
    """R-078."""
    position = dealing.plan.positions_of(CHEAT)[0]
    face = dealing.faces(CHEAT)[position]
    other = (face + shift) % 52
    true_proof = dealing.sessions[CHEAT].open([position], STEP)
    assert blamed(dealing, [position], [other], true_proof) == {(CHEAT, "opening-proof")}
    assert blamed(dealing, [position], [other], forged(dealing, [position], [other])) == {(CHEAT, "opening-proof")}


def test_two_cards_named_as_each_other(dealing: Dealing) -> None:
    """The faces are right, the places are not; only a sum would not notice."""
    positions = dealing.plan.positions_of(CHEAT)[:2]
    faces = [dealing.faces(CHEAT)[position] for position in positions][::-1]
    assert blamed(dealing, positions, faces, forged(dealing, positions, faces)) == {(CHEAT, "opening-proof")}


def test_one_false_card_among_many(dealing: Dealing) -> None:
    positions = dealing.plan.positions_of(CHEAT)
    faces = [dealing.faces(CHEAT)[position] for position in positions]
    faces[7] = next(face for face in range(52) if face not in faces)
    assert blamed(dealing, positions, faces, forged(dealing, positions, faces)) == {(CHEAT, "opening-proof")}


def test_unproven(dealing: Dealing) -> None:
    position = dealing.plan.positions_of(CHEAT)[0]
    face = dealing.faces(CHEAT)[position]
    assert blamed(dealing, [position], [face], bytes(64)) == {(CHEAT, "opening-proof")}
    for proof in (b"", bytes(63), bytes(65)):
        assert blamed(dealing, [position], [face], proof) == {(CHEAT, "bad-length")}


def test_another_seats_card(dealing: Dealing) -> None:
    """Neither with the owner's own proof nor with one of the cheat's key. (R-076.)"""
    position, face = next(iter(dealing.faces(0).items()))
    owners_proof = dealing.sessions[0].open([position], STEP)
    for proof in (owners_proof, forged(dealing, [position], [face], seat=0)):
        assert blamed(dealing, [position], [face], proof) == {(CHEAT, "bad-positions")}


@pytest.mark.parametrize("position", [36, SLEEPING, 51, 52, -1, 1000])
def test_a_sleeping_card_or_none(dealing: Dealing, position: int) -> None:
    """R-076."""
    own = dealing.plan.positions_of(CHEAT)[0]
    proof = dealing.sessions[CHEAT].open([own], STEP)
    for positions in ([position], [own, position]):
        assert blamed(dealing, positions, list(range(len(positions))), proof) == {(CHEAT, "bad-positions")}


def test_twice_in_one_opening(dealing: Dealing) -> None:
    """R-076."""
    position = dealing.plan.positions_of(CHEAT)[0]
    face = dealing.faces(CHEAT)[position]
    proof = dealing.sessions[CHEAT].open([position], STEP)
    assert blamed(dealing, [position, position], [face, face], proof) == {(CHEAT, "bad-positions")}


def test_at_another_time_or_in_another_deal(dealing: Dealing) -> None:
    """The table refuses a card opened twice or out of turn; an old proof does not serve for it either."""
    position = dealing.plan.positions_of(CHEAT)[0]
    face = dealing.faces(CHEAT)[position]
    proof = dealing.sessions[CHEAT].open([position], STEP)
    assert blamed(dealing, [position], [face], proof, step=b"play 10") == {(CHEAT, "opening-proof")}
    other = dealing_at("dealt", seed="another deal")
    others_proof = other.sessions[CHEAT].open([position], STEP)
    assert blamed(dealing, [position], [other.faces(CHEAT)[position]], others_proof) == {(CHEAT, "opening-proof")}


def test_a_part_of_what_was_proved_together(dealing: Dealing) -> None:
    positions = dealing.plan.positions_of(CHEAT)[:3]
    faces = [dealing.faces(CHEAT)[position] for position in positions]
    proof = dealing.sessions[CHEAT].open(positions, STEP)
    assert blamed(dealing, positions[:1], faces[:1], proof) == {(CHEAT, "opening-proof")}


@pytest.mark.parametrize("faces", [[52], [-1], [0, 1], [], [300]])
def test_faces_that_are_none(dealing: Dealing, faces: list[int]) -> None:
    """R-077."""
    position = dealing.plan.positions_of(CHEAT)[0]
    proof = dealing.sessions[CHEAT].open([position], STEP)
    assert blamed(dealing, [position], faces, proof) == {(CHEAT, "bad-faces")}


@pytest.mark.parametrize("at", [0, 32])
def test_other_names_for_the_same_scalar(dealing: Dealing, at: int) -> None:
    position = dealing.plan.positions_of(CHEAT)[0]
    proof = dealing.sessions[CHEAT].open([position], STEP)
    scalar = int.from_bytes(proof[at : at + 32], "little")
    for alias in (scalar + ORDER, scalar | 1 << 255):
        altered = proof[:at] + alias.to_bytes(32, "little") + proof[at + 32 :]
        assert blamed(dealing, [position], [dealing.faces(CHEAT)[position]], altered) == {(CHEAT, "bad-scalar")}
