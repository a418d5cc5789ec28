"""A seat that says *sans* (or carte blanche) while it holds such a card."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hocp2p.crypto import linear, non_holding
from hocp2p.crypto.group import IDENTITY, ORDER, Point, add, hash_to_point, mul, mul_base, multi_mul
from hocp2p.crypto.hands import Hands
from hocp2p.crypto.linear import Relation
from hocp2p.crypto.masking import FACES
from hocp2p.crypto.non_holding import Blinded
from hocp2p.crypto.openings import OwnedCards
from hocp2p.crypto.transcript import Transcript
from hocp2p.errors import CryptoError
from tests.support.dealing import Dealing, blame, dealing_at
from tests.support.sources import seeded

CHEAT = 2
STEP = b"play 9"
B = 0xB11D
D = hash_to_point("test", b"an error")


@pytest.fixture(scope="module")
def dealing() -> Dealing:
    return dealing_at("dealt")


def hand_of(dealing: Dealing) -> tuple[list[int], list[int]]:
    """Positions and faces of the cheat."""
    return list(dealing.faces(CHEAT)), list(dealing.faces(CHEAT).values())


def absent_from(dealing: Dealing, count: int = 4) -> list[int]:
    return [face for face in range(52) if face not in dealing.faces(CHEAT).values()][:count]


def cards_of(dealing: Dealing, positions: Sequence[int]) -> OwnedCards:
    hands: Hands = dealing.sessions[0]._hands  # type: ignore[attr-defined]  # public, but no part of the interface
    return hands.cards(CHEAT, positions)


def forged(
    dealing: Dealing,
    positions: Sequence[int],
    faces: Sequence[int],
    blinded: Blinded,
    b: int = B,
    a: int | None = None,
) -> bytes:
    """The best proof the cheat can make for what it publishes; ``a`` is ``b x`` unless it cheats there, too."""
    cards = cards_of(dealing, positions)
    transcript = non_holding._statement(dealing.context(), CHEAT, STEP, cards, faces)
    relation = non_holding._relation(transcript, cards, faces, blinded)
    secrets = (b * dealing.secret(CHEAT) if a is None else a, b)
    proof = linear.prove(transcript, relation, secrets, seeded("cheat"))
    return b"".join((blinded.n, *blinded.v, *blinded.u, proof))


def blind(faces: Sequence[int], b: int = B) -> tuple[Point, ...]:
    return tuple(mul(b, FACES[face]) for face in faces)


def blamed(dealing: Dealing, positions: Sequence[int], faces: Sequence[int], payload: bytes) -> set[tuple[int, str]]:
    """By both honest seats."""
    return {
        blame(dealing.sessions[seat].verify_not_holding, CHEAT, positions, faces, payload, STEP)
        for seat in range(3)
        if seat != CHEAT
    }


def test_the_forger_makes_good_proofs_of_the_truth(dealing: Dealing) -> None:
    positions, held = hand_of(dealing)
    absent = absent_from(dealing)
    payload = forged(dealing, positions, absent, Blinded(mul_base(B), blind(held), blind(absent)))
    dealing.sessions[0].verify_not_holding(CHEAT, positions, absent, payload, STEP)


# Sans while holding


def test_the_truth_shows_the_card(dealing: Dealing) -> None:
    """R-082."""
    positions, held = hand_of(dealing)
    faces = [*absent_from(dealing, 3), held[5]]
    payload = forged(dealing, positions, faces, Blinded(mul_base(B), blind(held), blind(faces)))
    assert blamed(dealing, positions, faces, payload) == {(CHEAT, "holding")}


def test_a_held_card_blinded_as_another(dealing: Dealing) -> None:
    """On either side: the card in the hand, or the face in question. (R-083.)"""
    positions, held = hand_of(dealing)
    stranger, *others = absent_from(dealing)
    faces = [*others, held[5]]
    denied = [*held[:5], stranger, *held[6:]]
    for payload in (
        forged(dealing, positions, faces, Blinded(mul_base(B), blind(denied), blind(faces))),
        forged(dealing, positions, faces, Blinded(mul_base(B), blind(held), blind([*others, stranger]))),
    ):
        assert blamed(dealing, positions, faces, payload) == {(CHEAT, "not-holding-proof")}


def test_a_held_card_blinded_with_another_factor(dealing: Dealing) -> None:
    positions, held = hand_of(dealing)
    faces = [*absent_from(dealing, 3), held[5]]
    v = (*blind(held[:5]), *blind(held[5:6], B + 1), *blind(held[6:]))
    payload = forged(dealing, positions, faces, Blinded(mul_base(B), v, blind(faces)))
    assert blamed(dealing, positions, faces, payload) == {(CHEAT, "not-holding-proof")}


def test_faces_and_hand_blinded_with_two_factors(dealing: Dealing) -> None:
    positions, held = hand_of(dealing)
    faces = [*absent_from(dealing, 3), held[5]]
    for n, b in ((mul_base(B), B), (mul_base(B + 1), B + 1), (mul_base(B), B + 1)):
        payload = forged(dealing, positions, faces, Blinded(n, blind(held), blind(faces, B + 1)), b)
        assert blamed(dealing, positions, faces, payload) == {(CHEAT, "not-holding-proof")}


def test_zero_blinding(dealing: Dealing) -> None:
    """Everything would be the identity, and the equations would hold. (R-081.)"""
    positions, _ = hand_of(dealing)
    faces = absent_from(dealing, 2)
    none = Blinded(IDENTITY, (IDENTITY,) * len(positions), (IDENTITY,) * len(faces))
    assert blamed(dealing, positions, faces, forged(dealing, positions, faces, none, 0)) == {(CHEAT, "identity-point")}


def test_a_held_card_hidden_behind_its_own_mask(dealing: Dealing) -> None:
    """V = b M + t A fits the sum with a = b x - t; only 0 = a B - b Y keeps a to b x."""
    position, face = next(iter(dealing.faces(CHEAT).items()))
    t = 9
    v = add(mul(B, FACES[face]), mul(t, cards_of(dealing, [position]).a[0]))
    hidden = Blinded(mul_base(B), (v,), blind([face]))
    for a in (B * dealing.secret(CHEAT) - t, B * dealing.secret(CHEAT)):
        payload = forged(dealing, [position], [face], hidden, B, a)
        assert blamed(dealing, [position], [face], payload) == {(CHEAT, "not-holding-proof")}


# The unanchored batch


def unanchored(dealing: Dealing, position: int, face: int) -> tuple[Blinded, int, bytes]:
    """The exploit: V = v M and U = u M for the same M, and only then a factor b that fits the weights.

    Returns what is published, that b, and the proof of the relation without its first row.
    """
    cards, v, u = cards_of(dealing, [position]), 5, 7
    blinded = Blinded(mul_base(1), (mul(v, FACES[face]),), (mul(u, FACES[face]),))
    transcript, relation, (d, e) = weak_relation(dealing, cards, face, blinded)
    b = (d * v + e * u) * pow(d + e, -1, ORDER) % ORDER
    return blinded, b, linear.prove(transcript, relation, (b * dealing.secret(CHEAT), b), seeded(1))


def weak_relation(
    dealing: Dealing, cards: OwnedCards, face: int, blinded: Blinded
) -> tuple[Transcript, Relation, list[int]]:
    """The statement of a verifier that wants no N: 0 = a B - b Y and V* = b K* - a A*."""
    transcript = non_holding._statement(dealing.context(), CHEAT, STEP, cards, [face])
    transcript.absorb_points("v", blinded.v)
    transcript.absorb_points("u", blinded.u)
    weights = transcript.challenges("weights", 2)
    k_total = multi_mul(weights, (cards.k[0], FACES[face]))
    a_total = mul(-weights[0], cards.a[0])
    bases = ((mul_base(1), mul(-1, cards.key)), (a_total, k_total))
    return transcript, Relation(bases, (IDENTITY, multi_mul(weights, (*blinded.v, *blinded.u)))), weights


def test_unanchored_a_held_card_can_be_denied(dealing: Dealing) -> None:
    """R-083."""
    position, face = next(iter(dealing.faces(CHEAT).items()))
    cards = cards_of(dealing, [position])
    blinded, b, proof = unanchored(dealing, position, face)

    assert set(blinded.v).isdisjoint(blinded.u)
    transcript, relation, _ = weak_relation(dealing, cards, face, blinded)
    linear.verify(transcript, relation, proof, "not-holding-proof")  # the weakened verifier is deceived

    for n_factor, factor in ((5, 5), (7, 7), (b, b), (5, b), (b, 5)):
        anchored = Blinded(mul_base(n_factor), blinded.v, blinded.u)
        payload = forged(dealing, [position], [face], anchored, factor)
        assert blamed(dealing, [position], [face], payload) == {(CHEAT, "not-holding-proof")}


def test_an_anchor_adapted_after_the_weights_moves_them(dealing: Dealing) -> None:
    """The cheat takes the b that fits the weights under some N and publishes N = b B: the weights have changed."""
    position, face = next(iter(dealing.faces(CHEAT).items()))
    cards, v, u = cards_of(dealing, [position]), 5, 7
    n = mul_base(v)
    for _ in range(3):
        blinded = Blinded(n, (mul(v, FACES[face]),), (mul(u, FACES[face]),))
        transcript = non_holding._statement(dealing.context(), CHEAT, STEP, cards, [face])
        d, e = non_holding._weights(transcript, blinded)
        b = (d * v + e * u) * pow(d + e, -1, ORDER) % ORDER
        for published in (blinded.n, mul_base(b)):
            payload = forged(dealing, [position], [face], Blinded(published, blinded.v, blinded.u), b)
            assert blamed(dealing, [position], [face], payload) == {(CHEAT, "not-holding-proof")}
        n = mul_base(b)


@pytest.mark.parametrize("side", ["v", "u"])
def test_errors_fitted_to_the_weights_change_them(dealing: Dealing, side: str) -> None:
    """Errors that cancel under the weights of the truth, one of them on the held card, which then shows no more."""
    positions, held = hand_of(dealing)
    faces = [*absent_from(dealing, 3), held[5]]
    v, u = list(blind(held)), list(blind(faces))
    transcript = non_holding._statement(dealing.context(), CHEAT, STEP, cards_of(dealing, positions), faces)
    weights = non_holding._weights(transcript, Blinded(mul_base(B), tuple(v), tuple(u)))
    card_weights, face_weights = weights[: len(held)], weights[len(held) :]
    if side == "v":
        v[5] = add(v[5], mul(card_weights[4], D))
        v[4] = add(v[4], mul(-card_weights[5], D))
    else:
        u[3] = add(u[3], mul(face_weights[2], D))
        u[2] = add(u[2], mul(-face_weights[3], D))
    assert set(v).isdisjoint(u)
    payload = forged(dealing, positions, faces, Blinded(mul_base(B), tuple(v), tuple(u)))
    assert blamed(dealing, positions, faces, payload) == {(CHEAT, "not-holding-proof")}


# Less than was asked


def test_a_subset_of_the_hand(dealing: Dealing) -> None:
    positions, held = hand_of(dealing)
    faces = [held[5]]
    rest, rest_held = positions[:5] + positions[6:], held[:5] + held[6:]
    payload = forged(dealing, rest, faces, Blinded(mul_base(B), blind(rest_held), blind(faces)))
    dealing.sessions[0].verify_not_holding(CHEAT, rest, faces, payload, STEP)  # true of the rest
    assert blamed(dealing, positions, faces, payload) == {(CHEAT, "bad-length")}
    refilled = forged(dealing, positions, faces, Blinded(mul_base(B), blind([*rest_held, held[0]]), blind(faces)))
    assert blamed(dealing, positions, faces, refilled) == {(CHEAT, "not-holding-proof")}


def test_a_subset_of_the_faces(dealing: Dealing) -> None:
    positions, held = hand_of(dealing)
    some = absent_from(dealing, 3)
    faces = [*some, held[5]]
    payload = forged(dealing, positions, some, Blinded(mul_base(B), blind(held), blind(some)))
    assert blamed(dealing, positions, faces, payload) == {(CHEAT, "bad-length")}
    doubled = forged(dealing, positions, faces, Blinded(mul_base(B), blind(held), blind([*some, some[0]])))
    assert blamed(dealing, positions, faces, doubled) == {(CHEAT, "not-holding-proof")}


def test_positions_twice_or_of_others(dealing: Dealing) -> None:
    positions, _ = hand_of(dealing)
    faces = absent_from(dealing, 1)
    payload = dealing.sessions[CHEAT].prove_not_holding(positions, faces, STEP)
    for wrong in ([*positions[:-1], positions[0]], [*positions[:-1], 0], [*positions[:-1], 51]):
        assert blamed(dealing, wrong, faces, payload) == {(CHEAT, "bad-positions")}


def test_v_in_another_order_than_the_positions(dealing: Dealing) -> None:
    """In rank order, say, which would tell where in the hand which rank lies."""
    positions, held = hand_of(dealing)
    faces = absent_from(dealing)
    assert sorted(held) != held
    payload = forged(dealing, positions, faces, Blinded(mul_base(B), blind(sorted(held)), blind(faces)))
    assert blamed(dealing, positions, faces, payload) == {(CHEAT, "not-holding-proof")}


# Replays


def test_a_proof_of_another_step_seat_or_deal(dealing: Dealing) -> None:
    positions, _ = hand_of(dealing)
    faces = absent_from(dealing)
    earlier = dealing.sessions[CHEAT].prove_not_holding(positions, faces, b"play 8")
    assert blamed(dealing, positions, faces, earlier) == {(CHEAT, "not-holding-proof")}
    other = dealing_at("dealt", seed="another deal")
    absent = [face for face in range(52) if face not in {*dealing.faces(CHEAT).values(), *other.faces(CHEAT).values()}]
    theirs = other.sessions[CHEAT].prove_not_holding(positions, absent[:2], STEP)
    assert blamed(dealing, positions, absent[:2], theirs) == {(CHEAT, "not-holding-proof")}
    neighbours = [face for face in range(52) if face not in dealing.faces(0).values()][:4]
    copied = dealing.sessions[0].prove_not_holding(list(dealing.faces(0)), neighbours, STEP)
    assert blamed(dealing, positions, neighbours, copied) == {(CHEAT, "not-holding-proof")}


def test_the_cards_in_question_must_be_distinct_faces(dealing: Dealing) -> None:
    positions, _ = hand_of(dealing)
    face = absent_from(dealing, 1)[0]
    payload = dealing.sessions[CHEAT].prove_not_holding(positions, [face], STEP)
    for faces in ([face, face], [52], [-1]):
        assert blamed(dealing, positions, faces, payload) == {(CHEAT, "bad-faces")}


def test_a_foreign_secret_proves_nothing(dealing: Dealing) -> None:
    """Not even the truth."""
    positions, held = hand_of(dealing)
    faces = absent_from(dealing)
    cards = cards_of(dealing, positions)
    transcript = non_holding._statement(dealing.context(), CHEAT, STEP, cards, faces)
    blinded = Blinded(mul_base(B), blind(held), blind(faces))
    relation = non_holding._relation(transcript, cards, faces, blinded)
    proof = linear.prove(transcript, relation, (B * dealing.secret(0), B), seeded("cheat"))
    payload = b"".join((blinded.n, *blinded.v, *blinded.u, proof))
    with pytest.raises(CryptoError, match="does not hold"):
        non_holding.verify_not_holding(dealing.context(), CHEAT, STEP, cards, faces, payload)


def test_a_source_set_back_does_not_repeat_the_blinding(dealing: Dealing) -> None:
    """The same b in two proofs would let everybody compare the cards of one with the faces of the other."""
    positions, _ = hand_of(dealing)
    first, second = (
        non_holding.prove_not_holding(
            dealing.context(),
            CHEAT,
            step,
            dealing.secret(CHEAT),
            cards_of(dealing, positions),
            list(dealing.faces(CHEAT).values()),
            absent_from(dealing),
            seeded("set back"),
        )
        for step in (b"play 9", b"play 10")
    )
    assert first[:32] != second[:32]
