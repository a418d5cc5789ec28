"""Proofs of knowledge of secrets in linear relations between points, without interaction (generalised Schnorr).

The relation ``images[k] = sum of secrets[j] * bases[k][j]`` covers all that a seat proves outside the shuffle: that it
knows its key (one base, one secret), that two logarithms are equal (two rows, one secret), that it does not hold a face
(three rows, two secrets). Ueli Maurer, "Unifying Zero-Knowledge Proofs of Knowledge", 2009. A proof is the challenge
and one response a secret: 32 bytes each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hocp2p.crypto.group import (
    SCALAR_BYTES,
    Point,
    add,
    decode_scalar,
    encode_scalar,
    mul,
    multi_mul,
)
from hocp2p.crypto.scheme import Randomness
from hocp2p.crypto.transcript import Transcript, hedged_nonces
from hocp2p.errors import CryptoError

Challenge = Callable[[Sequence[Point]], int]
"""Gives the challenge for the prover's commitments, one a row."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What is claimed of the secrets.

    Args:
        bases: a row for each image, in it a base for each secret; the identity where a secret does not occur.
        images: one a row.
    """

    bases: tuple[tuple[Point, ...], ...]
    images: tuple[Point, ...]

    def absorb_into(self, transcript: Transcript) -> None:
        """Binds ``transcript`` to the whole relation."""
        transcript.absorb_int("rows", len(self.bases))
        for row in self.bases:
            transcript.absorb_points("bases", row)
        transcript.absorb_points("images", self.images)


def prove(transcript: Transcript, relation: Relation, secrets: Sequence[int], randomness: Randomness) -> bytes:
    """A proof that we know ``secrets`` fulfilling ``relation``, ``32 * (1 + len(secrets))`` bytes.

    Args:
        transcript: holds everything else that the proof is bound to; is used up.
        relation: must be true, or the proof will not hold.
        secrets: scalars.
        randomness: 64 bytes are taken.
    """
    relation.absorb_into(transcript)
    witness = b"".join(encode_scalar(secret) for secret in secrets)
    nonces = hedged_nonces(witness, randomness, transcript, len(secrets))
    return respond(relation, secrets, nonces, _challenge_of(transcript))


def verify(transcript: Transcript, relation: Relation, proof: bytes, code: str) -> None:
    """Checks what :func:`prove` made.

    Args:
        transcript: the same as the prover's; is used up.
        relation: the claim.
        proof: as received.
        code: of the CryptoError raised where the proof does not hold.

    Raises CryptoError ``code``, or ``bad-length`` or ``bad-scalar`` for malformed proofs.
    """
    relation.absorb_into(transcript)
    check(relation, proof, _challenge_of(transcript), code)


def respond(relation: Relation, secrets: Sequence[int], nonces: Sequence[int], challenge_of: Challenge) -> bytes:
    """The proof for given nonces (never use them twice) and a given challenge function."""
    challenge = challenge_of([multi_mul(nonces, row) for row in relation.bases])
    responses = [nonce - challenge * secret for nonce, secret in zip(nonces, secrets, strict=True)]
    return b"".join(encode_scalar(scalar) for scalar in (challenge, *responses))


def check(relation: Relation, proof: bytes, challenge_of: Challenge, code: str) -> None:
    """Checks what :func:`respond` made. Errors as in :func:`verify`."""
    secrets = len(relation.bases[0])
    if len(proof) != SCALAR_BYTES * (1 + secrets):
        raise CryptoError("bad-length", f"a proof of {SCALAR_BYTES * (1 + secrets)} bytes is due, not {len(proof)}")
    challenge, *responses = (decode_scalar(proof[at : at + SCALAR_BYTES]) for at in range(0, len(proof), SCALAR_BYTES))
    commitments = [
        add(multi_mul(responses, row), mul(challenge, image))
        for row, image in zip(relation.bases, relation.images, strict=True)
    ]
    if challenge_of(commitments) != challenge:
        raise CryptoError(code, "the proof does not hold")


def _challenge_of(transcript: Transcript) -> Challenge:
    def challenge_of(commitments: Sequence[Point]) -> int:
        transcript.absorb_points("commitments", commitments)
        return transcript.challenge("challenge")

    return challenge_of
