"""Sources of randomness for tests."""

from __future__ import annotations

import random

from hocp2p.crypto.scheme import Randomness


def seeded(seed: int | str) -> Randomness:
    """A source that gives the same bytes for the same seed."""
    return random.Random(seed).randbytes
