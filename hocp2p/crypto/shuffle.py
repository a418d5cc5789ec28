"""Shuffling the masked deck, and the proof that it was nothing but a shuffle (Terelius and Wikström).

**Statement.** Public are the joint key Y, a deck of N cards E_j = (A_j, C_j) and a second deck E'. The seat claims that
it knows a permutation p and factors r_i with E'_i = E_p(i) + r_i (B, Y), and tells neither. Additive notation: B is the
base point, l the order; H_0 .. H_N are hashed points, so nobody knows a relation between them and B.

**Commitments.** For every slot i the seat publishes c_p(i) = rho_i B + H_i. Read along j, the vector c commits to the
permutation matrix column by column: column j has its 1 in the row i that took card j. Only now the hash gives one
weight u_j for each old card. The matrix turns u into u'_i = u_p(i), the same weights in the new order: a secret.

**Why it is sound.** A matrix is a permutation matrix if and only if each row sums to 1 and the product of the u'_i is
the product of the u_j, as polynomials in the u_j (Terelius and Wikström, Proofs of restricted shuffles, 2010). Weights
drawn after the matrix is fixed stand for the polynomials (Schwartz and Zippel: a lie passes with a chance of about
N / l). So five equations have to hold, and what the seat knows stands in them linearly:

    total        sum c_j - sum H_i         =  (sum rho_i) B                            each row sums to 1
    product      ch_N - (prod u_j) H_0     =  (what the chain added up) B              prod u'_i = prod u_j
    combination  sum u_j c_j               =  (sum u'_i rho_i) B + sum u'_i H_i        u' is the matrix times u
    factor       sum u_j A_j               =  sum u'_i A'_i - (sum u'_i r_i) B         E' is E in the order of
                 sum u_j C_j               =  sum u'_i C'_i - (sum u'_i r_i) Y         the matrix, masked anew

The product is not linear, so a chain builds it up one weight at a time: ch_0 = H_0, ch_i = rhohat_i B + u'_i ch_(i-1),
which is N more linear equations. If the weights did not depend on c, a seat could choose a matrix that suits these
weights only; if they did not depend on E' either, it could choose the cards and balance the sum with one spoilt card.

**Responses.** Together the right sides are one linear map of the secrets (``_sums``), and the left sides are public
(``_public_sides``). That is a Schnorr proof: announce the map of fresh nonces, let the hash give a challenge x, answer
nonce + x secret for each secret.

    total, product, combination, factor    the four numbers in brackets above
    links                                  rhohat_1 .. rhohat_N
    weights                                u'_1 .. u'_N. The chain, the H_i, the A'_i and the C'_i share them: this is
                                           what makes the equations speak of one matrix

The announcement is not sent: the verifier computes the one that fits, map(responses) - x (public sides), and looks
whether its hash is x. So a proof is 2N points and 2N + 5 scalars, 6,816 bytes for 52 cards. It tells nothing about p:
commitments and responses are uniform whatever the secrets are (the decks hide p as long as DDH is hard). Answers from
one nonce to two challenges give the secret away, hence the hedged nonces.

The hash covers the context, the key and both decks whole, so a proof is good for one seat's shuffle in one deal only.
The equations are those of Haenni, Locher, Koenig and Dubuis, Pseudo-code algorithms for verifiable re-encryption
mix-nets (2017); see also Wikström, A commitment-consistent proof of a shuffle, ePrint 2011/168.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

from hocp2p.crypto.group import (
    IDENTITY,
    ORDER,
    Point,
    add,
    hash_to_point,
    mul,
    mul_base,
    multi_mul,
    sub,
    sum_points,
)
from hocp2p.crypto.masking import Deck, remask
from hocp2p.crypto.permutation import random_permutation
from hocp2p.crypto.scheme import Randomness
from hocp2p.crypto.shuffle_proof import (
    SINGLES,
    Commitments,
    Responses,
    ShuffleProof,
    decode_shuffle_proof,
    encode_scalars,
)
from hocp2p.crypto.transcript import Transcript, hedged_nonces
from hocp2p.errors import CryptoError

# Generators and hashing


@dataclass(frozen=True, slots=True)
class Generators:
    """Hashed points of which nobody knows a relation.

    Args:
        base: H_0, where the chain starts.
        slots: H_1 .. H_N.
        total: the sum of ``slots``.
        digest: names them all, 64 bytes.
    """

    base: Point
    slots: tuple[Point, ...]
    total: Point
    digest: bytes


@lru_cache(maxsize=16)
def generators(size: int) -> Generators:
    """H_j = hash_to_point("gen", j as one byte), for j = 0 .. ``size``; at most 255 cards. Computed once."""
    base, *slots = (hash_to_point("gen", bytes([index])) for index in range(size + 1))
    digest = hashlib.sha512(b"".join((base, *slots))).digest()
    return Generators(base, tuple(slots), sum_points(slots), digest)


def _before_transcript(context: bytes, key: Point, before: Deck) -> Transcript:
    """What is fixed before the seat shuffles."""
    transcript = Transcript("shuffle")
    transcript.absorb("context", context)
    transcript.absorb("generators", generators(len(before)).digest)
    transcript.absorb("key", key)
    transcript.absorb("before", before.encode())
    return transcript


def _statement_transcript(context: bytes, key: Point, before: Deck, after: Deck) -> Transcript:
    transcript = _before_transcript(context, key, before)
    transcript.absorb("after", after.encode())
    return transcript


def _draw_weights(transcript: Transcript, permutation: tuple[Point, ...]) -> list[int]:
    """u_j, bound to the statement and to c."""
    transcript.absorb_points("permutation", permutation)
    return transcript.challenges("weights", len(permutation))


def _draw_challenge(transcript: Transcript, chain: tuple[Point, ...], announcement: list[Point]) -> int:
    """x, bound to everything before it."""
    transcript.absorb_points("chain", chain)
    transcript.absorb_points("announcement", announcement)
    return transcript.challenge("challenge")


# The equations


def _sums(key: Point, after: Deck, chain: tuple[Point, ...], secrets: Responses) -> list[Point]:
    """The right sides of the equations: total, product, combination, factor (A, C), then the links of the chain."""
    setup = generators(len(after))
    return [
        mul_base(secrets.total),
        mul_base(secrets.product),
        add(multi_mul(secrets.weights, setup.slots), mul_base(secrets.combination)),
        sub(multi_mul(secrets.weights, after.a), mul_base(secrets.factor)),
        sub(multi_mul(secrets.weights, after.c), mul(secrets.factor, key)),
        *(
            add(mul(weight, previous), mul_base(blinding))
            for weight, previous, blinding in zip(
                secrets.weights, (setup.base, *chain[:-1]), secrets.links, strict=True
            )
        ),
    ]


def _public_sides(before: Deck, commitments: Commitments, weights: Sequence[int], challenge: int) -> list[Point]:
    """The left sides of the equations in the same order, times ``challenge``."""
    setup = generators(len(before))
    scaled_weights = [challenge * weight % ORDER for weight in weights]
    scaled_chain = [mul(challenge, link) for link in commitments.chain]
    return [
        mul(challenge, sub(sum_points(commitments.permutation), setup.total)),
        sub(scaled_chain[-1], mul(challenge * _product(weights), setup.base)),
        multi_mul(scaled_weights, commitments.permutation),
        multi_mul(scaled_weights, before.a),
        multi_mul(scaled_weights, before.c),
        *scaled_chain,
    ]


def _product(scalars: Sequence[int]) -> int:
    return reduce(lambda x, y: x * y % ORDER, scalars)


def _inner(scalars: Sequence[int], others: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(scalars, others, strict=True)) % ORDER


# Prover


def prove_shuffle(*, context: bytes, key: Point, deck: Deck, randomness: Randomness) -> tuple[Deck, bytes]:
    """Shuffles ``deck`` with a fresh permutation and fresh factors, and proves it.

    Args:
        context: where this shuffle stands: protocol version, table, deal, step, seat.
        key: the joint key.
        deck: the deck so far.
        randomness: source of the permutation, the factors and the nonces.

    Returns the shuffled deck and the proof of ``shuffle_proof_bytes(len(deck))`` bytes.
    Raises LocalError ``bad-randomness`` where the source is visibly broken.
    """
    permutation = random_permutation(len(deck), randomness)
    transcript = _before_transcript(context, key, deck)
    factors = hedged_nonces(encode_scalars(permutation), randomness, transcript, len(deck))
    after = remask(key, deck, permutation, factors)
    proof = prove_permutation(
        context=context,
        key=key,
        before=deck,
        after=after,
        permutation=permutation,
        factors=factors,
        randomness=randomness,
    )
    return after, proof


def prove_permutation(
    *,
    context: bytes,
    key: Point,
    before: Deck,
    after: Deck,
    permutation: Sequence[int],
    factors: Sequence[int],
    randomness: Randomness,
) -> bytes:
    """Proves that ``after`` is ``remask(key, before, permutation, factors)``.

    It does not look whether this is true: a false statement gives a proof that ``verify_shuffle`` refuses.

    Args:
        permutation: slot ``i`` of ``after`` came from position ``permutation[i]``.
        factors: its masking factor, by slot.
        context, key, before, randomness: as in :func:`prove_shuffle`.
    """
    size, slots = len(permutation), generators(len(permutation)).slots
    transcript = _statement_transcript(context, key, before, after)
    known = encode_scalars((*permutation, *factors))
    nonces = hedged_nonces(known, randomness, transcript, 4 * size + SINGLES)
    blindings, links, nonces = nonces[:size], nonces[size : 2 * size], nonces[2 * size :]

    committed = [add(mul_base(blinding), slot) for blinding, slot in zip(blindings, slots, strict=True)]
    commitment = tuple(point for _, point in sorted(zip(permutation, committed, strict=True)))
    weights = _draw_weights(transcript, commitment)
    moved_weights = [weights[position] for position in permutation]
    secrets = Responses(
        total=sum(blindings) % ORDER,
        product=_chain_blinding(moved_weights, links),
        combination=_inner(moved_weights, blindings),
        factor=_inner(moved_weights, factors),
        links=tuple(links),
        weights=tuple(moved_weights),
    )
    return _respond(transcript, key, after, commitment, secrets, Responses.of(nonces))


def _respond(
    transcript: Transcript,
    key: Point,
    after: Deck,
    commitment: tuple[Point, ...],
    secrets: Responses,
    nonces: Responses,
) -> bytes:
    """The second half of the proof. ``transcript`` has seen the statement and ``commitment``, and given the weights."""
    chain = _build_chain(secrets.weights, secrets.links)
    challenge = _draw_challenge(transcript, chain, _sums(key, after, chain, nonces))
    responses = [
        (nonce + challenge * secret) % ORDER for nonce, secret in zip(nonces.scalars(), secrets.scalars(), strict=True)
    ]
    return ShuffleProof(Commitments(commitment, chain), challenge, Responses.of(responses)).encode()


def _build_chain(weights: Sequence[int], blindings: Sequence[int]) -> tuple[Point, ...]:
    """ch_i = rhohat_i B + u'_i ch_(i-1), for i = 1 .. N."""
    chain = [generators(len(weights)).base]
    for weight, blinding in zip(weights, blindings, strict=True):
        chain.append(add(mul(weight, chain[-1]), mul_base(blinding)))
    return tuple(chain[1:])


def _chain_blinding(weights: Sequence[int], blindings: Sequence[int]) -> int:
    """What stands in front of B in ch_N, by Horner's rule."""
    total = 0
    for weight, blinding in zip(weights, blindings, strict=True):
        total = (total * weight + blinding) % ORDER
    return total


# Verifier


def verify_shuffle(*, context: bytes, key: Point, before: Deck, after: Deck, proof: bytes) -> None:
    """Raises unless ``proof`` shows that ``after`` is ``before`` in another order, masked anew under ``key``.

    Args:
        context: as the prover's, derived by the verifier itself and never taken from the wire.
        key: the joint key.
        before: the deck that the last seat left, as accepted.
        after, proof: what the seat sent.

    Raises CryptoError ``bad-length`` (decks or proof), ``bad-scalar``, ``bad-point``, ``identity-point``, or
    ``shuffle-proof`` where all is well formed and the proof does not hold.
    """
    if not len(after) == len(before) > 0:
        raise CryptoError("bad-length", f"{len(after)} cards came back for {len(before)}")
    if IDENTITY in (key, *before.a, *before.c, *after.a, *after.c):
        raise CryptoError("identity-point", "the identity is not allowed in a key or a deck")
    decoded = decode_shuffle_proof(proof, len(before))
    commitments, challenge = decoded.commitments, decoded.challenge

    transcript = _statement_transcript(context, key, before, after)
    weights = _draw_weights(transcript, commitments.permutation)
    sums = _sums(key, after, commitments.chain, decoded.responses)
    public_sides = _public_sides(before, commitments, weights, challenge)
    announcement = [sub(one, other) for one, other in zip(sums, public_sides, strict=True)]
    if _draw_challenge(transcript, commitments.chain, announcement) != challenge:
        raise CryptoError("shuffle-proof", "the proof of the shuffle does not hold")
