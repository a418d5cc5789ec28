"""What is announced, shown and claimed once a stake has been bid for (RULES 2.2, 2.3)."""

from __future__ import annotations

from collections.abc import Sequence

from hocp2p.game.actions import Action, Blanche, Show, Unseen
from hocp2p.game.combinations import RATES, holdings
from hocp2p.game.state import Phase, SeatView
from hocp2p.players.novice import announce_best


def choose_showing(view: SeatView, legal: Sequence[Action]) -> Action:
    """A word in a showdown, of its winner or about carte blanche: one of ``legal``, which is not empty.

    The truth is announced where it beats what was announced, since a lie is fined and wins nothing. Carte blanche is
    always claimed: that of two claims neither is paid is still better than to pay the other.
    """
    if view.state.phase is Phase.SHOWDOWN:
        return announce_best(view, legal)
    if view.state.phase is Phase.SHOW:
        return _show(view, legal)
    return Blanche() if Blanche() in legal else legal[0]


def _show(view: SeatView, legal: Sequence[Action]) -> Action:
    """What pays most; of what pays the same, what tells the others least."""
    return max(
        legal, key=lambda action: (_payment(view, action), -len(action.cards) if isinstance(action, Show) else 0)
    )


def _payment(view: SeatView, action: Action) -> int:
    """Jetons from each other player, before doubling."""
    state = view.state
    if isinstance(action, Show) and state.stake is not None:
        return sum(holding.payment for holding in holdings(state.stake, [held.card for held in action.cards]))
    if isinstance(action, Unseen) and state.auction is not None:
        announced = state.auction.announced[view.seat]
        return 0 if announced is None else RATES[announced][0]
    return 0
