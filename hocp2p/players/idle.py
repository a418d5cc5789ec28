"""What is done for a player whose time is out: the action that costs nothing, never one that pays."""

from __future__ import annotations

from hocp2p.game.actions import Action, Go, Good, Pass, Play, Sans, Show, Unseen
from hocp2p.game.rules import legal_actions
from hocp2p.game.state import SeatView

FREE = (Pass, Good, Unseen, Show, Go, Sans)
"""In this order. A winner asked to show is paid for it, so he shows; *Good* there would be a false announcement."""


class Idle:
    """A ``Player`` that gives everything up: passes, says good, plays the lowest card it must, keeps its hocs."""

    def decide(self, view: SeatView) -> Action:
        """One of the legal actions, which must not be empty."""
        legal = legal_actions(view)
        shows = [action for action in legal if isinstance(action, Unseen | Show)]
        if shows:
            return shows[0]
        for kind in FREE:
            for action in legal:
                if isinstance(action, kind):
                    return action
        plays = [action for action in legal if isinstance(action, Play)]
        return min(plays, key=lambda play: (play.card.is_hoc, play.card)) if plays else legal[0]
