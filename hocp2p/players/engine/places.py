"""Places: players are numbered from eldest in turn order, so place 0 has the best position. Sets of places are bits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hocp2p.game.house import HAND_SIZE

NOBODY: Final = -1
"""Instead of a place."""


def _next_of_sets(seats: int) -> tuple[tuple[int, ...], ...]:
    """By place, then by a set of places (not empty): who of the set comes next after that place, itself last."""
    return tuple(
        tuple(
            next(((place + step) % seats for step in range(1, seats + 1) if members >> (place + step) % seats & 1), 0)
            for members in range(1 << seats)
        )
        for place in range(seats)
    )


NEXT: Final = {seats: _next_of_sets(seats) for seats in HAND_SIZE}
"""By seats, then by place, then by a set of places (not empty): who of the set comes next after that place."""

FIRST: Final = tuple((members & -members).bit_length() - 1 for members in range(1 << max(HAND_SIZE)))
"""By a set of places, the best of them; ``NOBODY`` of none."""


def set_of(flags: Iterable[object]) -> int:
    """The set of the places whose flag is true; ``flags`` by place."""
    return sum(1 << place for place, flag in enumerate(flags) if flag)
