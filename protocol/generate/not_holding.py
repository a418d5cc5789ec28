"""*Sans* and carte blanche: a seat shows that none of its cards is one of certain faces, and nothing else.

It multiplies all its faces and all faces in question with one fresh number b and publishes the results, V and U, in
their order. Equal faces would give equal points; unequal ones tell nothing, since nobody who does not know b can tell
b M from a random point (decisional Diffie-Hellman; the faces are hashed, so nobody knows how they relate). It remains
to prove that every point was multiplied by the same b. The seat's card at position p is K_p = M + x A_p under its own
key x, so with a = b x:  V_p = b K_p - a A_p.  All positions and faces are added up with weights that are drawn
when everything is fixed (a face in question is a card without a mask: A = 0, K = T), and N = b B fixes b before that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocol.generate.faults import need
from protocol.generate.proofs import prove_linear, verify_linear
from protocol.generate.ristretto import (
    IDENTITY,
    B,
    Point,
    combine,
    decode_points,
    encode_points,
    encode_scalars,
    hash_to_point,
)
from protocol.generate.transcript import Randomness, Transcript, hedged_nonces, statement

FACES = tuple(hash_to_point("card", bytes([face])) for face in range(52))
FACE_OF = {bytes(point): face for face, point in enumerate(FACES)}


@dataclass(slots=True)
class Cards:
    """Some cards of one seat under that seat's key alone: A_p = r B and K_p = M + x A_p, with the key x B."""

    key: Point
    positions: list[int]
    a: list[Point]
    k: list[Point]


def claim(label: str, context: bytes, seat: int, step: bytes, cards: Cards, faces: Sequence[int]) -> Transcript:
    """What a proof about cards of a hand is bound to."""
    transcript = statement(label, context, seat, step)
    transcript.points("key", [cards.key])
    transcript.absorb("positions", bytes(cards.positions))
    transcript.points("a", cards.a)
    transcript.points("k", cards.k)
    transcript.absorb("faces", bytes(faces))
    return transcript


def _equations(
    transcript: Transcript, cards: Cards, faces: Sequence[int], n: Point, v: Sequence[Point], u: Sequence[Point]
) -> tuple[list[list[Point]], list[Point]]:
    """In (a, b): N = b B,  0 = a B - b Y,  V* = b K* - a A*."""
    transcript.points("n", [n])
    transcript.points("v", v)
    transcript.points("u", u)
    weights = transcript.challenges("weights", len(v) + len(u))
    a_sum = combine(weights[: len(v)], cards.a)
    k_sum = combine(weights, [*cards.k, *(FACES[face] for face in faces)])
    v_sum = combine(weights, [*v, *u])
    return [[IDENTITY, B], [B, -cards.key], [-a_sum, k_sum]], [n, IDENTITY, v_sum]


def prove_not_holding(
    context: bytes,
    seat: int,
    step: bytes,
    secret: int,
    cards: Cards,
    held: Sequence[int],
    faces: Sequence[int],
    randomness: Randomness,
) -> bytes:
    """N, all V, all U, then the proof of 96 bytes. A lie shows: then a V equals a U."""
    transcript = claim("not holding", context, seat, step, cards, faces)
    (b,) = hedged_nonces(encode_scalars([secret]), randomness, transcript, 1)
    n, v, u = b * B, [b * FACES[face] for face in held], [b * FACES[face] for face in faces]
    rows, images = _equations(transcript, cards, faces, n, v, u)
    return encode_points([n, *v, *u]) + prove_linear(transcript, rows, images, [b * secret, b], randomness)


def verify_not_holding(
    context: bytes, seat: int, step: bytes, cards: Cards, faces: Sequence[int], payload: bytes
) -> None:
    """Faults ``bad-length``, ``bad-point``, ``identity-point``, ``bad-scalar``, ``holding``, ``not-holding-proof``."""
    count = len(cards.positions)
    need(len(payload) == 32 * (1 + count + len(faces) + 3), "bad-length")
    n, *points = decode_points(payload[:-96], 1 + count + len(faces))
    v, u = points[:count], points[count:]
    need(not {bytes(point) for point in v} & {bytes(point) for point in u}, "holding")
    transcript = claim("not holding", context, seat, step, cards, faces)
    rows, images = _equations(transcript, cards, faces, n, v, u)
    verify_linear(transcript, rows, images, payload[-96:], "not-holding-proof")
