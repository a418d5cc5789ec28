"""The proof of a shuffle in bytes. What its parts mean is told in ``shuffle``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hocp2p.crypto.group import POINT_BYTES, SCALAR_BYTES, Point, decode_points, decode_scalar, encode_scalar
from hocp2p.errors import CryptoError

SINGLES: Final = 4
"""Responses of which there is one: total, product, combination, factor."""


def shuffle_proof_bytes(size: int) -> int:
    """Length of the proof for ``size`` cards: 6,816 for 52."""
    return 2 * size * POINT_BYTES + (2 * size + 1 + SINGLES) * SCALAR_BYTES


@dataclass(frozen=True, slots=True)
class Commitments:
    """Published before the weights (c) and before the challenge (the chain).

    Args:
        permutation: c_j, by old position.
        chain: ch_1 .. ch_N, by new position.
    """

    permutation: tuple[Point, ...]
    chain: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Responses:
    """``nonce + challenge * secret`` for each secret. Secrets and nonces are kept in the same shape.

    Args:
        total, product, combination, factor: for the four sums in front of B; see ``shuffle``.
        links: for the blindings of the chain, by new position.
        weights: for the weights in the new order.
    """

    total: int
    product: int
    combination: int
    factor: int
    links: tuple[int, ...]
    weights: tuple[int, ...]

    @classmethod
    def of(cls, scalars: Sequence[int]) -> Responses:
        """From 2N + 4 scalars in the order of the fields."""
        singles, vectors = scalars[:SINGLES], scalars[SINGLES:]
        size = len(vectors) // 2
        total, product, combination, factor = singles
        return cls(total, product, combination, factor, tuple(vectors[:size]), tuple(vectors[size:]))

    def scalars(self) -> tuple[int, ...]:
        """All of them in the order of the fields."""
        return (self.total, self.product, self.combination, self.factor, *self.links, *self.weights)


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """Commitments (c, then the chain), the challenge, the responses: this is also their order in bytes."""

    commitments: Commitments
    challenge: int
    responses: Responses

    def encode(self) -> bytes:
        """``shuffle_proof_bytes(N)`` bytes."""
        points = b"".join(self.commitments.permutation + self.commitments.chain)
        return points + encode_scalars((self.challenge, *self.responses.scalars()))


def decode_shuffle_proof(data: bytes, size: int) -> ShuffleProof:
    """The inverse of :meth:`ShuffleProof.encode`; scalars are looked at before points, which cost more.

    Args:
        data: ``shuffle_proof_bytes(size)`` bytes.
        size: number of cards.

    Raises CryptoError ``bad-length``, ``bad-scalar``, ``bad-point`` or ``identity-point``.
    """
    if len(data) != shuffle_proof_bytes(size):
        raise CryptoError("bad-length", f"a proof for {size} cards has {shuffle_proof_bytes(size)} bytes")
    split = 2 * size * POINT_BYTES
    scalars = [decode_scalar(data[at : at + SCALAR_BYTES]) for at in range(split, len(data), SCALAR_BYTES)]
    points = decode_points(data[:split], 2 * size)
    return ShuffleProof(Commitments(points[:size], points[size:]), scalars[0], Responses.of(scalars[1:]))


def encode_scalars(scalars: Iterable[int]) -> bytes:
    """32 bytes each."""
    return b"".join(map(encode_scalar, scalars))
