"""The level ``novice``: rules of thumb, a weak memory, now and then a bluff.

It remembers nothing of its own: all that it knows of the deal lies open in the view (the cards that were shown, what
was announced, every *sans*). So it may be asked twice, or late, or in another process.
"""

from __future__ import annotations

from collections.abc import Sequence

from hocp2p.game.actions import Action, Announce, Blanche, Good, Show, Unseen
from hocp2p.game.combinations import RATES, holdings
from hocp2p.game.rules import legal_actions
from hocp2p.game.state import Phase, SeatView
from hocp2p.players.bidding import choose_bid
from hocp2p.players.player import Rng
from hocp2p.players.shedding import choose_play


class Novice:
    """A player that draws from ``rng`` alone."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def decide(self, view: SeatView) -> Action:
        """A legal action; the same for the same view and generator."""
        legal = legal_actions(view)
        state = view.state
        if state.auction is not None and state.phase is Phase.AUCTION:
            return choose_bid(view, state.auction, legal, self._rng)
        if state.play is not None and state.phase is Phase.PLAY:
            return choose_play(view, state.play, legal, keeps_hocs=False)
        if state.phase is Phase.SHOWDOWN:
            return announce_best(view, legal)
        if state.phase is Phase.SHOW:
            return show_for_most(view, legal)
        return Blanche() if Blanche() in legal else legal[0]


def announce_best(view: SeatView, legal: Sequence[Action]) -> Action:
    """In a showdown: the strongest combination where it beats what was announced, or *good*. Never a lie."""
    stake = view.state.stake
    held = holdings(stake, view.own.values(), view.state.rules) if stake is not None else ()
    truth = Announce(held[0].claim) if held else Good()
    return truth if truth in legal else Good()


def show_for_most(view: SeatView, legal: Sequence[Action]) -> Action:
    """The winner takes his class unseen, or shows what pays more."""
    state = view.state
    best = legal[0]
    most = -1
    for action in legal:
        pay = -1
        if isinstance(action, Show) and state.stake is not None:
            pay = sum(holding.payment for holding in holdings(state.stake, [held.card for held in action.cards]))
        elif isinstance(action, Unseen) and state.auction is not None:
            announced = state.auction.announced[view.seat]
            pay = RATES[announced][0] if announced is not None else 0
        if pay > most or (pay == most and isinstance(action, Unseen)):
            best, most = action, pay
    return best
