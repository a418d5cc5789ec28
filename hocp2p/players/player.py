"""Who decides for a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hocp2p.game.actions import Action
from hocp2p.game.state import SeatView

if TYPE_CHECKING:  # a net needs numpy, and few players a net
    from hocp2p.players.search.rollouts import Thinking


class Rng(Protocol):
    """The part of ``random.Random`` that bots use; given to them, so that a seed gives the same game."""

    def random(self) -> float: ...

    def randrange(self, stop: int, /) -> int: ...


class Player(Protocol):
    """Decides from a seat's view alone."""

    def decide(self, view: SeatView) -> Action:
        """One of ``rules.legal_actions(view)``, which is not empty."""


@runtime_checkable
class Thinker(Player, Protocol):
    """Can ask for what it wants played out, so that many of them think in step."""

    def think(self, view: SeatView) -> Thinking:
        """The same action as ``decide``, up to the rounding of sums."""
