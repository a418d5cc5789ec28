"""Sets of places, by looking at every place."""

from __future__ import annotations

import pytest

from hocp2p.players.engine.places import FIRST, NEXT, NOBODY, set_of


@pytest.mark.parametrize("seats", [2, 3])
def test_who_of_a_set_comes_first_and_next(seats: int) -> None:
    for members in range(1, 1 << seats):
        inside = [place for place in range(seats) if members >> place & 1]
        assert set_of(place in inside for place in range(seats)) == members
        assert FIRST[members] == min(inside)
        for place in range(seats):
            after = [(place + step) % seats for step in range(1, seats + 1)]
            assert NEXT[seats][place][members] == next(other for other in after if other in inside)


def test_nobody_is_first_of_nobody() -> None:
    assert FIRST[set_of([False, 0, None])] == NOBODY
