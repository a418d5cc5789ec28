"""Step 6: a seat shows that none of its cards is one of certain faces, and nothing else about them.

It blinds all of its faces and all faces in question with one fresh factor b and publishes the results: V_p = b M_p for
its positions and U_t = b T_t. Equal faces would give equal points, and points that are multiples of each other by an
unknown factor tell nothing (decisional Diffie-Hellman; the faces are hashed points, so nobody knows relations between
them). One proof shows that all were blinded alike. N = b B is published too: it fixes b before the weights of the batch
are drawn; without it the proof can be forged for one card and one face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hocp2p.crypto import linear
from hocp2p.crypto.group import (
    BASE,
    IDENTITY,
    POINT_BYTES,
    SCALAR_BYTES,
    Point,
    decode_points,
    encode_scalar,
    mul,
    mul_base,
    multi_mul,
    neg,
)
from hocp2p.crypto.linear import Relation
from hocp2p.crypto.masking import FACES
from hocp2p.crypto.openings import OwnedCards
from hocp2p.crypto.scheme import Randomness
from hocp2p.crypto.transcript import Transcript, hedged_nonce, statement
from hocp2p.errors import CryptoError, LocalError

PROOF_BYTES: Final = 3 * SCALAR_BYTES


@dataclass(frozen=True, slots=True)
class Blinded:
    """What is published beside the proof.

    Args:
        n: ``b B``.
        v: ``b M_p`` for the positions, in their order.
        u: ``b T_t`` for the faces, in their order.
    """

    n: Point
    v: tuple[Point, ...]
    u: tuple[Point, ...]


def payload_bytes(positions: int, faces: int) -> int:
    """Length of a whole proof."""
    return (positions + faces + 1) * POINT_BYTES + PROOF_BYTES


def prove_not_holding(
    context: bytes,
    seat: int,
    step: bytes,
    secret: int,
    cards: OwnedCards,
    held: Sequence[int],
    faces: Sequence[int],
    randomness: Randomness,
) -> bytes:
    """A proof that no card of ``cards`` is one of ``faces``: N, all V, all U, then 96 bytes.

    Args:
        context: of the deck.
        seat: ours.
        step: place in the history.
        secret: our key share.
        cards: ours, at least one.
        held: face index of each card; secret.
        faces: face indices in question, at least one.
        randomness: 128 bytes are taken.

    Raises LocalError ``holding`` where we hold one of them.
    """
    if set(held) & set(faces):
        raise LocalError("holding", "we hold one of these cards")
    transcript = _statement(context, seat, step, cards, faces)
    b = hedged_nonce(encode_scalar(secret), randomness, transcript)  # used twice, it would link our cards to faces
    blinded = Blinded(
        mul_base(b),
        tuple(mul(b, FACES[face]) for face in held),
        tuple(mul(b, FACES[face]) for face in faces),
    )
    relation = _relation(transcript, cards, faces, blinded)
    proof = linear.prove(transcript, relation, (b * secret, b), randomness)
    return b"".join((blinded.n, *blinded.v, *blinded.u, proof))


def verify_not_holding(
    context: bytes, seat: int, step: bytes, cards: OwnedCards, faces: Sequence[int], payload: bytes
) -> None:
    """Checks what :func:`prove_not_holding` made; the caller derives ``cards`` and ``faces`` from the public state.

    Raises CryptoError ``holding`` where the payload itself shows that the seat holds a face, ``not-holding-proof``, or
    ``bad-length``, ``bad-point``, ``identity-point`` or ``bad-scalar`` for malformed payloads.
    """
    due_bytes = payload_bytes(len(cards.positions), len(faces))
    if len(payload) != due_bytes:
        raise CryptoError("bad-length", f"a proof of {due_bytes} bytes is due, not {len(payload)}")
    n, *points = decode_points(payload[:-PROOF_BYTES], 1 + len(cards.positions) + len(faces))
    v, u = points[: len(cards.positions)], points[len(cards.positions) :]
    if set(v) & set(u):
        raise CryptoError("holding", "the seat holds one of these cards")
    transcript = _statement(context, seat, step, cards, faces)
    relation = _relation(transcript, cards, faces, Blinded(n, tuple(v), tuple(u)))
    linear.verify(transcript, relation, payload[-PROOF_BYTES:], "not-holding-proof")


def _statement(context: bytes, seat: int, step: bytes, cards: OwnedCards, faces: Sequence[int]) -> Transcript:
    transcript = statement("not holding", context, seat, step)
    cards.absorb_into(transcript)
    transcript.absorb("faces", bytes(faces))
    return transcript


def _relation(transcript: Transcript, cards: OwnedCards, faces: Sequence[int], blinded: Blinded) -> Relation:
    """The relation of the secrets (a, b), a = b x: N = b B, 0 = a B - b Y, V* = b K* - a A*.

    The sums run over cards and faces with weights bound to everything published. A face in question is a card without
    a mask: A = 0, K = T.
    """
    weights = _weights(transcript, blinded)
    a_total = multi_mul(weights[: len(cards.a)], cards.a)
    k_total = multi_mul(weights, (*cards.k, *(FACES[face] for face in faces)))
    v_total = multi_mul(weights, (*blinded.v, *blinded.u))
    bases = ((IDENTITY, BASE), (BASE, neg(cards.key)), (neg(a_total), k_total))
    return Relation(bases, (blinded.n, IDENTITY, v_total))


def _weights(transcript: Transcript, blinded: Blinded) -> list[int]:
    """One for each card, then one for each face."""
    transcript.absorb_points("n", (blinded.n,))
    transcript.absorb_points("v", blinded.v)
    transcript.absorb_points("u", blinded.u)
    return transcript.challenges("weights", len(blinded.v) + len(blinded.u))
