"""The levels ``club`` and ``master``: auctions by the tables that were solved, the play by the net that was trained.

The club's play is the net's, with some carelessness; the master looks further: see ``search.one_ply``. ``ismcts`` is
for comparison only: its play is a tree search without a net, the rest is the master's. None of them remembers anything
between two decisions.
"""

from __future__ import annotations

from typing import Final

from hocp2p.game.actions import Action
from hocp2p.game.rules import legal_actions
from hocp2p.game.state import Phase, SeatView
from hocp2p.players.auction.policy import choose_word
from hocp2p.players.auction.ranges import bid_likelihood
from hocp2p.players.auction.showing import choose_showing
from hocp2p.players.net.policy import shipped_policy
from hocp2p.players.player import Rng
from hocp2p.players.search.ismcts import TreeSearch
from hocp2p.players.search.one_ply import Search
from hocp2p.players.search.rollouts import Thinking, think_alone

CARELESSNESS: Final = 1.0
"""Jetons: the club chooses what is worth so much less ``e`` times as rarely."""


class Club:
    """Draws from ``rng`` alone."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def decide(self, view: SeatView) -> Action:
        """A legal action; the same for the same view and generator. Raises LocalError where the weights do not fit."""
        state = view.state
        if state.auction is not None and state.phase is Phase.AUCTION:
            return choose_word(view, state.auction, legal_actions(view), self._rng)
        if state.phase is Phase.PLAY:
            return self._play(view)
        return choose_showing(view, legal_actions(view))

    def _play(self, view: SeatView) -> Action:
        return shipped_policy(len(view.state.present)).choose(view, self._rng, CARELESSNESS)


class Master(Club):
    """The same auctions; in the play it searches."""

    def think(self, view: SeatView) -> Thinking:
        """As :meth:`decide`; what it wants played out is asked for, see :mod:`hocp2p.players.search.rollouts`."""
        if view.state.phase is not Phase.PLAY:
            return self.decide(view)
        return (yield from self._search(view))

    def _play(self, view: SeatView) -> Action:
        return think_alone(self._search(view))

    def _search(self, view: SeatView) -> Thinking:
        return shipped_search(len(view.state.present)).think(view, self._rng)


def shipped_search(players: int) -> Search:
    """How the master looks into the play of so many; raises LocalError where the weights do not fit."""
    return Search(shipped_policy(players), bids=bid_likelihood)


class TreeSearcher(Club):
    """The yardstick ``ismcts``, with 2,000 iterations."""

    def _play(self, view: SeatView) -> Action:
        return TreeSearch().choose(view, self._rng)
