"""Equality of discrete logarithms: ``key = x B`` and ``outputs[i] = x inputs[i]`` for all i, with one short proof.

Batched after RFC 9497, 2.2: the pairs are added up with random weights, and the sums are proved. In play the weights
depend on all pairs at once. In the RFC each depends on its own pair only, and then a generalised-birthday search forges
large batches below the strength of the group.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from hocp2p.crypto import linear
from hocp2p.crypto.group import BASE, Point, hash_to_scalar, mul, multi_mul
from hocp2p.crypto.linear import Relation
from hocp2p.crypto.scheme import Randomness
from hocp2p.crypto.transcript import Transcript
from hocp2p.errors import CryptoError

PROOF_BYTES: Final = 64


def prove(
    transcript: Transcript,
    secret: int,
    key: Point,
    inputs: Sequence[Point],
    outputs: Sequence[Point],
    randomness: Randomness,
) -> bytes:
    """A proof of 64 bytes that ``outputs`` are ``secret`` times ``inputs`` and ``key`` is ``secret * BASE``.

    Args:
        transcript: holds everything else that the proof is bound to; is used up.
        secret, key: the logarithm and ``secret * BASE``.
        inputs, outputs: equally many, at least one.
        randomness: 64 bytes are taken.
    """
    weights = _weights(transcript, key, inputs, outputs)
    total = multi_mul(weights, inputs)
    relation = Relation(((BASE,), (total,)), (key, mul(secret, total)))
    return linear.prove(transcript, relation, (secret,), randomness)


def verify(
    transcript: Transcript, key: Point, inputs: Sequence[Point], outputs: Sequence[Point], proof: bytes, code: str
) -> None:
    """Checks what :func:`prove` made.

    Args:
        transcript: the same as the prover's; is used up.
        key, inputs, outputs: the claim.
        proof: as received.
        code: of the CryptoError raised where the proof does not hold.

    Raises CryptoError ``code``, or ``bad-length`` or ``bad-scalar`` for malformed proofs.
    """
    weights = _weights(transcript, key, inputs, outputs)
    relation = Relation(((BASE,), (multi_mul(weights, inputs),)), (key, multi_mul(weights, outputs)))
    linear.verify(transcript, relation, proof, code)


def _weights(transcript: Transcript, key: Point, inputs: Sequence[Point], outputs: Sequence[Point]) -> list[int]:
    """1 and then challenges bound to the whole statement: scaling all weights alike would change nothing."""
    if not inputs or len(inputs) != len(outputs):
        raise CryptoError("bad-length", f"{len(inputs)} inputs do not pair with {len(outputs)} outputs")
    transcript.absorb_points("key", (key,))
    transcript.absorb_points("inputs", inputs)
    transcript.absorb_points("outputs", outputs)
    return [1, *transcript.challenges("weights", len(inputs) - 1)]


class Rfc9497:
    """The same proof with the hashes of RFC 9497 (2.2, VOPRF mode, ristretto255-SHA512).

    Not used in play; it ties the arithmetic that is used to the RFC's test vectors.
    """

    CONTEXT: Final = b"OPRFV1-\x01-ristretto255-SHA512"

    def prove(self, secret: int, key: Point, inputs: Sequence[Point], outputs: Sequence[Point], nonce: int) -> bytes:
        """GenerateProof with the generator as A, ``nonce`` as r."""
        relation = self._relation(key, inputs, outputs)
        return linear.respond(relation, (secret,), (nonce,), lambda commitments: self._challenge(relation, commitments))

    def verify(self, key: Point, inputs: Sequence[Point], outputs: Sequence[Point], proof: bytes) -> None:
        """VerifyProof. Raises CryptoError ``bad-proof``."""
        relation = self._relation(key, inputs, outputs)
        linear.check(relation, proof, lambda commitments: self._challenge(relation, commitments), "bad-proof")

    def _relation(self, key: Point, inputs: Sequence[Point], outputs: Sequence[Point]) -> Relation:
        """ComputeComposites."""
        seed = hashlib.sha512(_sized(key) + _sized(b"Seed-" + self.CONTEXT)).digest()
        weights = [
            self._hash(_sized(seed), index.to_bytes(2, "big"), _sized(c), _sized(d), b"Composite")
            for index, (c, d) in enumerate(zip(inputs, outputs, strict=True))
        ]
        return Relation(((BASE,), (multi_mul(weights, inputs),)), (key, multi_mul(weights, outputs)))

    def _challenge(self, relation: Relation, commitments: Sequence[Point]) -> int:
        key, outputs_total = relation.images
        points = (key, relation.bases[1][0], outputs_total, *commitments)
        return self._hash(*(_sized(point) for point in points), b"Challenge")

    def _hash(self, *parts: bytes) -> int:
        return hash_to_scalar(b"HashToScalar-" + self.CONTEXT, b"".join(parts))


def _sized(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data
