"""Proofs of knowledge of secrets in linear equations between points; and one of them, equality of logarithms.

The claim is: I know scalars s_1, s_2, ... such that image_k = sum over j of s_j base_kj, for every row k. The prover
commits to the same sums over nonces, the hash of everything gives a challenge c, and each answer is nonce - c secret.
Whoever can answer two challenges after one commitment knows the secrets; whoever sees one answer learns nothing, since
answer and challenge could have been chosen first and the commitment computed from them: which is how it is verified.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.generate.faults import need
from protocol.generate.ristretto import B, L, Point, combine, decode_scalars, encode_scalars
from protocol.generate.transcript import Randomness, Transcript, hedged_nonces

Rows = Sequence[Sequence[Point]]


def _absorb(transcript: Transcript, rows: Rows, images: Sequence[Point]) -> None:
    transcript.number("rows", len(rows))
    for row in rows:
        transcript.points("bases", row)
    transcript.points("images", images)


def _challenge(transcript: Transcript, commitments: Sequence[Point]) -> int:
    transcript.points("commitments", commitments)
    return transcript.challenge("challenge")


def prove_linear(
    transcript: Transcript, rows: Rows, images: Sequence[Point], secrets: Sequence[int], randomness: Randomness
) -> bytes:
    """The challenge, then an answer for each secret."""
    _absorb(transcript, rows, images)
    nonces = hedged_nonces(encode_scalars(secrets), randomness, transcript, len(secrets))
    challenge = _challenge(transcript, [combine(nonces, row) for row in rows])
    answers = [(nonce - challenge * secret) % L for nonce, secret in zip(nonces, secrets, strict=True)]
    return encode_scalars([challenge, *answers])


def verify_linear(transcript: Transcript, rows: Rows, images: Sequence[Point], proof: bytes, code: str) -> None:
    """Fault ``code``, ``bad-length`` or ``bad-scalar``."""
    need(len(proof) == 32 * (1 + len(rows[0])), "bad-length")
    challenge, *answers = decode_scalars(proof)
    _absorb(transcript, rows, images)
    commitments = [combine(answers, row) + challenge * image for row, image in zip(rows, images, strict=True)]
    need(_challenge(transcript, commitments) == challenge, code)


def _weights(transcript: Transcript, key: Point, inputs: Sequence[Point], outputs: Sequence[Point]) -> list[int]:
    transcript.points("key", [key])
    transcript.points("inputs", inputs)
    transcript.points("outputs", outputs)
    return [1, *transcript.challenges("weights", len(inputs) - 1)]


def prove_equal(
    transcript: Transcript,
    secret: int,
    key: Point,
    inputs: Sequence[Point],
    outputs: Sequence[Point],
    randomness: Randomness,
) -> bytes:
    """``key = secret B`` and every output is ``secret`` times its input: 64 bytes.

    One equation stands for all: both lists are added up with weights that are drawn once both are fixed.
    """
    weights = _weights(transcript, key, inputs, outputs)
    rows = [[B], [combine(weights, inputs)]]
    return prove_linear(transcript, rows, [key, combine(weights, outputs)], [secret], randomness)


def verify_equal(
    transcript: Transcript, key: Point, inputs: Sequence[Point], outputs: Sequence[Point], proof: bytes, code: str
) -> None:
    """Fault ``code``, ``bad-length`` or ``bad-scalar``."""
    weights = _weights(transcript, key, inputs, outputs)
    verify_linear(transcript, [[B], [combine(weights, inputs)]], [key, combine(weights, outputs)], proof, code)
