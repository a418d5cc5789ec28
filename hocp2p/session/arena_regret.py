"""Regret: what a decision in the play of two loses against the best one, both hands lying open ("double dummy").

Nobody at a table sees both hands, so the best of players regrets, too; see ``hocp2p.players.search.exact``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action, Play, Sans
from hocp2p.game.cards import Card
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState, Phase
from hocp2p.players.engine.convert import deal_of_state
from hocp2p.players.engine.masks import CLASS_OF, mask_of
from hocp2p.players.engine.play import HOLD, SANS
from hocp2p.players.search.exact import Solver

MOST_NODES: Final = 20_000
"""A decision that takes more is not judged: about half a second. Mostly those are the first leads of a deal."""


class Judge:
    """Judges the decisions of one deck, however often it is played; it remembers what it has solved.

    Args:
        rules: the house rules.
        seats: must be 2.
        most_nodes: positions that are opened for one decision; ``MOST_NODES`` if None.

    Raises:
        LocalError: ``bad-contest``: three do not play against each other alone.
    """

    def __init__(self, rules: Rules, seats: int, most_nodes: int | None = None) -> None:
        if seats != 2:
            raise LocalError("bad-contest", "regret is reckoned for two players")
        self._solver = Solver(
            fortuitous=rules.fortuitous == "paid", most_nodes=MOST_NODES if most_nodes is None else most_nodes
        )

    def regrets(self, state: DealState, deck: Sequence[Card], action: Action) -> tuple[int | None, ...]:
        """What an action loses in jetons; None when that takes too long to solve.

        Args:
            state: before it.
            deck: all faces, by position.
            action: of the seat whose turn it is.

        Returns:
            One figure; none where there was no choice, outside the play, and for *hold*, which has its price.
        """
        if state.phase is not Phase.PLAY or not isinstance(action, Play | Sans):
            return ()
        hands = [mask_of(deck[position] for position in state.hands[seat]) for seat in state.turn_order]
        play = deal_of_state(state, hands).play
        if play is None or sum(legal != HOLD for legal in play.legal()) < 2:
            return ()
        values = self._solver.values(play)
        if values is None:
            return (None,)
        chosen = values[CLASS_OF[action.card.index] if isinstance(action, Play) else SANS]
        return (max(value[play.turn] for value in values.values()) - chosen[play.turn],)
