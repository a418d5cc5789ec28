"""The proof of a shuffle (Terelius and Wikstroem), in the form of Haenni, Locher, Koenig and Dubuis, 2017.

Known to all: the joint key Y, a deck (A_j, C_j), another deck (A'_i, C'_i). The seat claims to know a permutation p and
factors r_i with A'_i = A_p(i) + r_i B and C'_i = C_p(i) + r_i Y. It does not say which.

1. For every slot i it commits to where the slot's card came from: c_p(i) = rho_i B + H_i, sorted by old position. The
   H_i are hashed points, so nobody can open a commitment in two ways.
2. The hash draws a weight u_j for every old position. The weights in the new order, v_i = u_p(i), are a secret.
3. Five sums must hold. Read from top to bottom: every row of the hidden matrix has the sum 1; v is the matrix times u;
   the new deck is the matrix times the old one, masked anew; and the product of the v_i is that of the u_j.

       sum c_j - sum H_i     = (sum rho_i) B
       sum u_j c_j           = (sum v_i rho_i) B + sum v_i H_i
       sum u_j A_j           = sum v_i A'_i - (sum v_i r_i) B
       sum u_j C_j           = sum v_i C'_i - (sum v_i r_i) Y
       ch_N - (prod u_j) H_0 = (what the chain added up) B

   where a chain makes the product linear: ch_0 = H_0 and ch_i = s_i B + v_i ch_(i-1), N more equations.
   A matrix with row sums 1 that keeps the product of weights drawn after it was fixed is a permutation matrix.
4. All of it is one claim "I know numbers with these sums", proven as in ``proofs``; only here the challenge is added
   instead of subtracted (answer = nonce + x secret), and nonces and secrets stand in the order of ``Numbers``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from protocol.generate.faults import need
from protocol.generate.ristretto import (
    B,
    L,
    Point,
    combine,
    decode_points,
    decode_scalars,
    encode_points,
    encode_scalars,
    hash_to_point,
    total,
)
from protocol.generate.transcript import (
    Randomness,
    Transcript,
    hedged_nonces,
    inner,
    product,
    random_permutation,
)


@dataclass(slots=True)
class Deck:
    """Masked cards: (A, C) = (r B, M + r Y) at every position."""

    a: list[Point]
    c: list[Point]

    def __bytes__(self) -> bytes:
        return encode_points(self.a + self.c)


def decode_deck(data: bytes, size: int = 52) -> Deck:
    """All A, then all C. Faults ``bad-length``, ``bad-point``, ``identity-point``."""
    points = decode_points(data, 2 * size)
    return Deck(points[:size], points[size:])


@cache
def generators(size: int) -> tuple[Point, ...]:
    """H_0 .. H_size."""
    return tuple(hash_to_point("gen", bytes([index])) for index in range(size + 1))


@dataclass(slots=True)
class Numbers:
    """What the equations speak of, as secrets, as nonces or as answers.

    ``total`` sum rho_i, ``product`` what stands before B in ch_N, ``combination`` sum v_i rho_i, ``factor`` sum of
    v_i r_i, ``links`` s_1 .. s_N, ``weights`` v_1 .. v_N.
    """

    total: int
    product: int
    combination: int
    factor: int
    links: list[int]
    weights: list[int]

    @classmethod
    def of(cls, scalars: Sequence[int]) -> Numbers:
        """From one list."""
        size = (len(scalars) - 4) // 2
        total, product, combination, factor, *vectors = scalars
        return cls(total, product, combination, factor, vectors[:size], vectors[size:])

    def list(self) -> list[int]:
        """As one list."""
        return [self.total, self.product, self.combination, self.factor, *self.links, *self.weights]


@dataclass(slots=True)
class Intermediates:
    """Everything on the way to a proof, for vectors."""

    permutation: list[int] = field(default_factory=list)
    factors: list[int] = field(default_factory=list)
    blindings: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    secrets: list[int] = field(default_factory=list)
    nonces: list[int] = field(default_factory=list)
    commitment: list[Point] = field(default_factory=list)
    chain: list[Point] = field(default_factory=list)
    announcement: list[Point] = field(default_factory=list)
    challenge: int = 0


def _right_sides(key: Point, after: Deck, chain: Sequence[Point], n: Numbers) -> list[Point]:
    """The sums that the numbers make. ``total``, ``product``, ``combination``, ``factor`` twice, the chain."""
    first, *slots = generators(len(after.a))
    before_link = [first, *chain[:-1]]
    return [
        n.total * B,
        n.product * B,
        combine(n.weights, slots) + n.combination * B,
        combine(n.weights, after.a) - n.factor * B,
        combine(n.weights, after.c) - n.factor * key,
        *(w * link + s * B for w, link, s in zip(n.weights, before_link, n.links, strict=True)),
    ]


def _left_sides(before: Deck, commitment: Sequence[Point], chain: Sequence[Point], u: Sequence[int]) -> list[Point]:
    """What everybody can compute, in the same order."""
    first, *slots = generators(len(before.a))
    return [
        total(commitment) - total(slots),
        chain[-1] - product(u) * first,
        combine(u, commitment),
        combine(u, before.a),
        combine(u, before.c),
        *chain,
    ]


def _before(context: bytes, key: Point, before: Deck) -> Transcript:
    transcript = Transcript("shuffle")
    transcript.absorb("context", context)
    transcript.absorb("generators", hashlib.sha512(encode_points(generators(len(before.a)))).digest())
    transcript.points("key", [key])
    transcript.absorb("before", bytes(before))
    return transcript


def _challenge(transcript: Transcript, chain: Sequence[Point], announcement: Sequence[Point]) -> int:
    transcript.points("chain", chain)
    transcript.points("announcement", announcement)
    return transcript.challenge("challenge")


def remask(key: Point, before: Deck, permutation: Sequence[int], factors: Sequence[int]) -> Deck:
    """Slot i takes the card at ``permutation[i]`` and masks it once more."""
    return Deck(
        [before.a[old] + factor * B for old, factor in zip(permutation, factors, strict=True)],
        [before.c[old] + factor * key for old, factor in zip(permutation, factors, strict=True)],
    )


def prove_shuffle(
    context: bytes, key: Point, before: Deck, randomness: Randomness
) -> tuple[Deck, bytes, Intermediates]:
    """Shuffles with a fresh permutation and fresh factors, and proves it."""
    permutation = random_permutation(len(before.a), randomness)
    transcript = _before(context, key, before)
    factors = hedged_nonces(encode_scalars(permutation), randomness, transcript, len(permutation))
    after = remask(key, before, permutation, factors)
    proof, steps = prove_permutation(context, key, before, after, permutation, factors, randomness)
    return after, proof, steps


def prove_permutation(
    context: bytes,
    key: Point,
    before: Deck,
    after: Deck,
    permutation: Sequence[int],
    factors: Sequence[int],
    randomness: Randomness,
) -> tuple[bytes, Intermediates]:
    """Proves that ``after`` is ``remask(key, before, permutation, factors)``. A lie gives a proof that fails."""
    size = len(permutation)
    transcript = _before(context, key, before)
    transcript.absorb("after", bytes(after))
    drawn = hedged_nonces(encode_scalars([*permutation, *factors]), randomness, transcript, 4 * size + 4)
    rho, links, nonces = drawn[:size], drawn[size : 2 * size], Numbers.of(drawn[2 * size :])

    commitment = list(before.a)  # every place is filled below
    for slot, old in enumerate(permutation):
        commitment[old] = rho[slot] * B + generators(size)[slot + 1]
    transcript.points("permutation", commitment)
    u = transcript.challenges("weights", size)
    v = [u[old] for old in permutation]

    chain, added = [generators(size)[0]], 0
    for weight, link in zip(v, links, strict=True):
        chain.append(link * B + weight * chain[-1])
        added = (added * weight + link) % L
    secrets = Numbers(sum(rho) % L, added, inner(v, rho), inner(v, factors), links, v)

    announcement = _right_sides(key, after, chain[1:], nonces)
    challenge = _challenge(transcript, chain[1:], announcement)
    answers = [(n + challenge * s) % L for n, s in zip(nonces.list(), secrets.list(), strict=True)]
    steps = Intermediates(
        list(permutation), list(factors), rho, u, secrets.list(), nonces.list(), commitment, chain[1:], announcement,
        challenge,
    )  # fmt: skip
    return encode_points(commitment + chain[1:]) + encode_scalars([challenge, *answers]), steps


def verify_shuffle(context: bytes, key: Point, before: Deck, after: Deck, proof: bytes) -> None:
    """Computes the announcement that fits the answers, and looks whether its hash is the challenge.

    Faults ``bad-length``, ``bad-scalar``, ``bad-point``, ``identity-point``, ``shuffle-proof``.
    """
    size = len(before.a)
    need(len(after.a) == size and len(proof) == 32 * (4 * size + 5), "bad-length")
    challenge, *answers = decode_scalars(proof[64 * size :])
    points = decode_points(proof[: 64 * size], 2 * size)
    commitment, chain = points[:size], points[size:]
    transcript = _before(context, key, before)
    transcript.absorb("after", bytes(after))
    transcript.points("permutation", commitment)
    u = transcript.challenges("weights", size)
    right = _right_sides(key, after, chain, Numbers.of(answers))
    left = _left_sides(before, commitment, chain, u)
    announcement = [one - challenge * other for one, other in zip(right, left, strict=True)]
    need(_challenge(transcript, chain, announcement) == challenge, "shuffle-proof")
