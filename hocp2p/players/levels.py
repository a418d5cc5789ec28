"""The levels of the bots, by name. What a level needs is imported when its first player is made: nets are heavy."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, cast

from hocp2p.errors import LocalError
from hocp2p.players.player import Player, Rng

_MAKERS: Final = {
    "random": "hocp2p.players.random_bot:RandomBot",
    "novice": "hocp2p.players.novice:Novice",
    "club": "hocp2p.players.trained:Club",
    "master": "hocp2p.players.trained:Master",
    "ismcts": "hocp2p.players.trained:TreeSearcher",
}

YARDSTICKS: Final = ("ismcts",)
"""Others are measured against them; they take too long for a table."""

LEVELS: Final[tuple[str, ...]] = tuple(level for level in _MAKERS if level not in YARDSTICKS)
"""Names of the levels that can be seated, weakest first."""

SEARCHING: Final = frozenset({"club", "master", *YARDSTICKS})
"""Levels that may think for longer than a screen should wait; none of them remembers anything between decisions."""


def make_player(level: str, rng: Rng) -> Player:
    """A player of this level, or a yardstick, that draws from ``rng`` alone.

    Raises LocalError ``unknown-level``.
    """
    place = _MAKERS.get(level)
    if place is None:
        raise LocalError("unknown-level", f"There is no level {level!r}; there are {', '.join(LEVELS)}.")
    module, _, name = place.partition(":")
    return cast("Callable[[Rng], Player]", getattr(import_module(module), name))(rng)
