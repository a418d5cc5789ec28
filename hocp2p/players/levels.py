"""The levels of the bots, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hocp2p.errors import LocalError
from hocp2p.players.novice import Novice
from hocp2p.players.player import Player, Rng
from hocp2p.players.random_bot import RandomBot

_MAKERS: Final[dict[str, Callable[[Rng], Player]]] = {"random": RandomBot, "novice": Novice}

LEVELS: Final[tuple[str, ...]] = tuple(_MAKERS)
"""Names of the levels, weakest first."""


def make_player(level: str, rng: Rng) -> Player:
    """A player of this level that draws from ``rng`` alone.

    Raises LocalError ``unknown-level``.
    """
    maker = _MAKERS.get(level)
    if maker is None:
        raise LocalError("unknown-level", f"There is no level {level!r}; there are {', '.join(LEVELS)}.")
    return maker(rng)
