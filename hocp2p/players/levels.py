"""The levels of the bots, by name. What a level needs is imported when its first player is made: nets are heavy."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, cast

from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.players.auction.served import serves
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

CLAIRVOYANT: Final = "clairvoyant"
"""No player: it sees the cards of others, so it is the arena's alone (``hocp2p.session.arena_open``)."""

LEVELS: Final[tuple[str, ...]] = tuple(level for level in _MAKERS if level not in YARDSTICKS)
"""Names of the levels that can be seated, weakest first."""

ENTRANTS: Final = (*LEVELS, *YARDSTICKS, CLAIRVOYANT)
"""Who can play in the arena."""

TRAINED: Final = frozenset({"club", "master", *YARDSTICKS, CLAIRVOYANT})
"""Levels that bid by the auction tables and may think for longer than a screen should wait; none of them remembers
anything between decisions."""


def bids_by_thumb(level: str, rules: Rules) -> bool:
    """Whether a level that bids by the auction tables has to do without them under these house rules, in every deal.

    Now and then it has to under any: where a seat is gone, and near the end of its jetons under ``ruin = on``.
    """
    return level in TRAINED and not serves(rules)


def make_player(level: str, rng: Rng) -> Player:
    """A player of this level, or a yardstick, that draws from ``rng`` alone.

    Raises LocalError ``unknown-level``.
    """
    place = _MAKERS.get(level)
    if place is None:
        raise LocalError("unknown-level", f"There is no level {level!r}; there are {', '.join(LEVELS)}.")
    module, _, name = place.partition(":")
    return cast("Callable[[Rng], Player]", getattr(import_module(module), name))(rng)
