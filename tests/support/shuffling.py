"""A proved shuffle with all its secrets, to be tampered with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import pytest

from hocp2p.crypto.group import BASE, Point, add, mul, mul_base, random_scalar, sub
from hocp2p.crypto.masking import FACE_OF_POINT, FACES, Deck, remask
from hocp2p.crypto.permutation import random_permutation
from hocp2p.crypto.scheme import Randomness
from hocp2p.crypto.shuffle import prove_permutation, verify_shuffle
from hocp2p.errors import CryptoError

CONTEXT: Final = b"table 7, deal 3, shuffle of seat 1"

BAD_ENCODINGS: Final = {
    "p": "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "all ones": "ff" * 32,
    "negative": "0100000000000000000000000000000000000000000000000000000000000000",
    "not a square": "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
    "bit 255": BASE[:31].hex() + f"{BASE[31] | 0x80:02x}",
    "identity with bit 255": "00" * 31 + "80",
}
"""One of each kind of RFC 9496, A.3, and the second encodings that libsodium lets through."""


@dataclass(frozen=True, slots=True)
class ProvedShuffle:
    """What a seat sent (``after``, ``proof``), what it was about, and what only the seat knows.

    Args:
        joint_secret: of ``key``, which in play nobody has.
    """

    context: bytes
    joint_secret: int
    key: Point
    before: Deck
    permutation: tuple[int, ...]
    factors: tuple[int, ...]
    after: Deck
    proof: bytes

    def verify(self) -> None:
        """Raises CryptoError unless the proof holds."""
        verify_shuffle(context=self.context, key=self.key, before=self.before, after=self.after, proof=self.proof)

    def refusal(self) -> str:
        """The code with which the verifier refuses; fails where it accepts."""
        with pytest.raises(CryptoError) as caught:
            self.verify()
        return caught.value.code

    def remasked(self) -> ProvedShuffle:
        """With ``after`` as key, ``before``, permutation and factors give it. The proof stays as it is."""
        return replace(self, after=remask(self.key, self.before, self.permutation, self.factors))

    def proved(self, seed: int = 1) -> ProvedShuffle:
        """With a proof as the prover makes it, whether or not the statement is true."""
        proof = prove_permutation(
            context=self.context,
            key=self.key,
            before=self.before,
            after=self.after,
            permutation=self.permutation,
            factors=self.factors,
            randomness=Random(seed).randbytes,
        )
        return replace(self, proof=proof)


def make_shuffle(size: int, seed: int = 0) -> ProvedShuffle:
    """An honest shuffle of faces 0 .. ``size - 1``, each masked with a factor of its own."""
    randomness = Random(seed).randbytes
    joint_secret = random_scalar(randomness)
    key = mul_base(joint_secret)
    before = mask_faces(range(size), key, randomness)
    permutation = random_permutation(size, randomness)
    factors = tuple(random_scalar(randomness) for _ in range(size))
    return ProvedShuffle(CONTEXT, joint_secret, key, before, permutation, factors, before, b"").remasked().proved(seed)


def mask_faces(faces: Sequence[int], key: Point, randomness: Randomness) -> Deck:
    """``faces`` in that order, each masked with a fresh factor."""
    factors = [random_scalar(randomness) for _ in faces]
    return Deck(
        tuple(mul_base(factor) for factor in factors),
        tuple(add(FACES[face], mul(factor, key)) for face, factor in zip(faces, factors, strict=True)),
    )


def unmask(deck: Deck, joint_secret: int) -> list[int | None]:
    """The face at each position, or None where there is none."""
    points = [sub(c, mul(joint_secret, a)) for a, c in zip(deck.a, deck.c, strict=True)]
    return [FACE_OF_POINT.get(point) for point in points]
