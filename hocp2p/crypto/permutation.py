"""Uniform permutations from a source of random bytes.

Both halves are exact, not nearly so: numbers below a bound by rejection, since a plain remainder favours small numbers;
permutations by the Fisher-Yates exchange (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm P).
"""

from __future__ import annotations

from typing import Final

from hocp2p.crypto.scheme import Randomness
from hocp2p.errors import LocalError

_MAX_DRAWS: Final = 256  # each is refused with a chance below 1/2: a sound source never comes here


def random_below(bound: int, randomness: Randomness) -> int:
    """A uniform number from 0 to ``bound - 1``.

    Takes the fewest whole bytes that can hold ``bound - 1`` (none for a bound of 1) and draws again while they fall
    in the incomplete last stretch of ``bound`` values.

    Args:
        bound: 1 or more.
        randomness: gives that many unpredictable bytes.

    Raises LocalError ``bad-randomness`` where the source gives another number of bytes than asked, or nothing but
    refused draws; ValueError for a bound below 1.
    """
    if bound < 1:
        raise ValueError(f"there is no number below {bound}")
    if bound == 1:
        return 0
    size_bytes = ((bound - 1).bit_length() + 7) // 8
    values = 256**size_bytes
    limit = values - values % bound
    for _ in range(_MAX_DRAWS):
        drawn = randomness(size_bytes)
        if len(drawn) != size_bytes:
            raise LocalError("bad-randomness", f"asked for {size_bytes} random bytes, got {len(drawn)}")
        value = int.from_bytes(drawn, "big")
        if value < limit:
            return value % bound
    raise LocalError("bad-randomness", "the source of randomness is stuck")


def random_permutation(size: int, randomness: Randomness) -> tuple[int, ...]:
    """A uniform permutation of 0 to ``size - 1``: slot ``i`` of the new order takes what stood at entry ``i``.

    Args:
        size: 0 or more.
        randomness: as in :func:`random_below`, as are the errors.
    """
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        other = random_below(last + 1, randomness)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
