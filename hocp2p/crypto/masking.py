"""The deck as masked faces: which points stand for the faces, the deck before the first shuffle, re-encryption.

A card is a pair (A, C) = (r B, M + r Y): its face M under the joint key Y with a masking factor r that nobody knows
once every seat has shuffled (ElGamal; additive notation throughout).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hocp2p.crypto.group import BASE, POINT_BYTES, Point, add, decode_points, hash_to_point, mul, mul_base
from hocp2p.crypto.transcript import Transcript
from hocp2p.errors import CryptoError

DECK_SIZE: Final = 52
DIGEST_BYTES: Final = 32

FACES: Final[tuple[Point, ...]] = tuple(hash_to_point("card", bytes([face])) for face in range(DECK_SIZE))
"""The point of each face, by index. Hashed, so that nobody knows one as a multiple of another: with k B as faces a
hand can be read off its openings, and a deck of valid but wrong faces can pass."""

FACE_OF_POINT: Final[dict[Point, int]] = {point: face for face, point in enumerate(FACES)}


@dataclass(frozen=True, slots=True)
class Deck:
    """Masked cards by position.

    Args:
        a: ``r B`` of each.
        c: ``M + r Y`` of each.
    """

    a: tuple[Point, ...]
    c: tuple[Point, ...]

    def __post_init__(self) -> None:
        if len(self.a) != len(self.c):
            raise CryptoError("bad-length", "a deck has as many A as C")

    def __len__(self) -> int:
        return len(self.a)

    def encode(self) -> bytes:
        """All A, then all C: 64 bytes a card."""
        return b"".join(self.a + self.c)

    def digest(self) -> bytes:
        """32 bytes that name this deck."""
        transcript = Transcript("deck")
        transcript.absorb_points("a", self.a)
        transcript.absorb_points("c", self.c)
        return transcript.squeeze("digest")[:DIGEST_BYTES]


def decode_deck(data: bytes, size: int = DECK_SIZE) -> Deck:
    """The inverse of :meth:`Deck.encode`.

    Args:
        data: ``64 * size`` bytes.
        size: number of cards.

    Raises CryptoError ``bad-length``, ``bad-point`` or ``identity-point``.
    """
    if len(data) != 2 * size * POINT_BYTES:
        raise CryptoError("bad-length", f"a deck of {size} has {2 * size * POINT_BYTES} bytes, not {len(data)}")
    points = decode_points(data, 2 * size)
    return Deck(points[:size], points[size:])


def initial_deck(key: Point) -> Deck:
    """E_0: every face in order, masked with factor 1 under the joint key, so that anybody can compute it."""
    return Deck((BASE,) * DECK_SIZE, tuple(add(face, key) for face in FACES))


def remask(key: Point, deck: Deck, permutation: Sequence[int], factors: Sequence[int]) -> Deck:
    """Position j of the new deck is ``deck[permutation[j]]`` masked once more, with ``factors[j]``.

    Args:
        key: the joint key.
        deck: before.
        permutation: of 0 .. len(deck) - 1.
        factors: fresh scalars, one a card.
    """
    return Deck(
        tuple(add(deck.a[old], mul_base(factor)) for old, factor in zip(permutation, factors, strict=True)),
        tuple(add(deck.c[old], mul(factor, key)) for old, factor in zip(permutation, factors, strict=True)),
    )
