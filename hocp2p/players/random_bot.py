"""The level ``random``: any legal action."""

from __future__ import annotations

from hocp2p.game.actions import Action
from hocp2p.game.rules import legal_actions
from hocp2p.game.state import SeatView
from hocp2p.players.choice import choose
from hocp2p.players.player import Rng


class RandomBot:
    """Chooses a kind of action first and one of that kind after, both uniformly.

    So twenty raises by three classes are one word among pass and declare, and auctions end.
    """

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def decide(self, view: SeatView) -> Action:
        """A random legal action; the same for the same view and generator."""
        legal = legal_actions(view)
        kinds = sorted({type(action).__name__ for action in legal})
        kind = choose(self._rng, kinds)
        return choose(self._rng, [action for action in legal if type(action).__name__ == kind])
