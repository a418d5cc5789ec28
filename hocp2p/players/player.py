"""Who decides for a seat."""

from __future__ import annotations

from typing import Protocol

from hocp2p.game.actions import Action
from hocp2p.game.state import SeatView


class Rng(Protocol):
    """The part of ``random.Random`` that bots use; given to them, so that a seed gives the same game."""

    def random(self) -> float: ...

    def randrange(self, stop: int, /) -> int: ...


class Player(Protocol):
    """Decides from a seat's view alone."""

    def decide(self, view: SeatView) -> Action:
        """One of ``rules.legal_actions(view)``, which is not empty."""
