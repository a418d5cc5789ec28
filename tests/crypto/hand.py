"""A hand under one key, with chosen cards: what ``openings`` and ``non_holding`` need, without a whole deal."""

from __future__ import annotations

from collections.abc import Sequence

from hocp2p.crypto.group import Point, add, mul, mul_base
from hocp2p.crypto.masking import FACES
from hocp2p.crypto.openings import OwnedCards

CONTEXT = b"deal 1"
STEP = b"play 7"
SEAT = 1
SECRET = 0x5EED
KEY: Point = mul_base(SECRET)
HELD = (3, 17, 22, 40)
POSITIONS = (1, 4, 7, 10)


def hand(held: Sequence[int] = HELD, positions: Sequence[int] = POSITIONS) -> OwnedCards:
    """The faces ``held`` at ``positions`` under KEY, masked with factors that depend on the position."""
    a = tuple(mul_base(1000 + position) for position in positions)
    k = tuple(add(FACES[face], mul(SECRET, point)) for face, point in zip(held, a, strict=True))
    return OwnedCards(KEY, tuple(positions), a, k)
