"""Drawing from a :class:`~hocp2p.players.player.Rng`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hocp2p.players.player import Rng

T = TypeVar("T")


def choose(rng: Rng, items: Sequence[T]) -> T:
    """One of ``items`` (not empty), each equally likely."""
    return items[rng.randrange(len(items))]


def happens(rng: Rng, chance: float) -> bool:
    """True with this chance (0 to 1). Always draws once."""
    return rng.random() < chance
