"""The play by the net: for a seat's view, one decision at a time, and for many games at once.

It never holds back, and a hoc that it withholds is *sans* where that is legal. Of the cards of a class it plays one
that the others have seen, else the one of the lowest index: which one it is makes no difference to the play, but what
was never shown stays hidden.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hocp2p.errors import RuleError
from hocp2p.game import actions
from hocp2p.game.actions import Action
from hocp2p.game.state import SeatView
from hocp2p.players.engine.batch import Batch, Ints, legal_actions
from hocp2p.players.engine.masks import CLASS_OF
from hocp2p.players.engine.play import SANS
from hocp2p.players.net.features import Floats
from hocp2p.players.net.network import Net, shipped_net
from hocp2p.players.net.observation import Observation, observe, observe_view
from hocp2p.players.player import Rng


@dataclass(frozen=True, slots=True)
class Policy:
    """Plays by a net. ``net`` must be one for as many players as are left at the table."""

    net: Net

    def values(self, batch: Batch) -> Floats:
        """``[N, 14]`` by action of :class:`~hocp2p.players.engine.play.Play`: jetons that the place whose turn it is
        wins from now to the end of the deal; minus infinity for what is not legal. No game may be over.

        A player's own cards and what everybody knows go into it, and nothing else of the batch. The net has learnt
        from moments in which there was a choice; elsewhere its values are less to be trusted.
        """
        return self.net.values(observe(batch))

    def greedy(self, batch: Batch) -> Ints:
        """``[N]``: the action of the highest value, the lower number where two are equal. The net is asked only where
        there is a choice.
        """
        legal = batch.legal()
        chosen: Ints = legal.argmax(axis=1)
        free = np.flatnonzero(legal.sum(axis=1) > 1)
        if len(free):
            chosen[free] = self.net.values(observe(batch).take(free), legal[free]).argmax(axis=1)
        return chosen

    def values_of(self, view: SeatView) -> dict[int, float]:
        """The same for the seat whose turn it is, by action of :class:`~hocp2p.players.engine.play.Play`, ascending;
        legal actions only. Raises RuleError as :func:`observe_view`.
        """
        return self._values_of(observe_view(view))

    def choose(self, view: SeatView, rng: Rng, temperature: float = 0) -> Action:
        """What the seat does.

        Args:
            view: of the seat whose turn it is, in the play.
            rng: drawn from once when there is a choice and ``temperature`` is above 0.
            temperature: in jetons; an action that is worth so much less is chosen ``e`` times as rarely. 0: the best.
        """
        observed = observe_view(view)
        legal = np.flatnonzero(legal_actions(observed.own, observed.called))
        if len(legal) == 1:  # nothing to weigh
            return action_of(view, int(legal[0]))
        return action_of(view, choose_value(self._values_of(observed), rng, temperature))

    def _values_of(self, observed: Observation) -> dict[int, float]:
        """Of a single observation."""
        (values,) = self.net.values(observed)
        return {int(action): float(values[action]) for action in np.flatnonzero(np.isfinite(values))}


def choose_value(values: dict[int, float], rng: Rng, temperature: float) -> int:
    """An action by its value: see :meth:`Policy.choose`."""
    best = max(values, key=values.__getitem__)
    if temperature <= 0 or len(values) == 1:
        return best
    weights = {action: float(np.exp((value - values[best]) / temperature)) for action, value in values.items()}
    drawn = rng.random() * sum(weights.values())
    for action, weight in weights.items():
        drawn -= weight
        if drawn < 0:
            return action
    return best


def action_of(view: SeatView, move: int) -> Action:
    """The action of the game for one of :class:`~hocp2p.players.engine.play.Play`: *sans* or a card of a class.

    Raises RuleError ``not-in-hand`` when the hand has no card of that class, ``must-lead`` for *sans* in a lead.
    """
    state = view.state
    if move == SANS:
        called = state.play.called if state.play is not None else None
        if called is None:
            raise RuleError("must-lead", "no rank is called: lead any card")
        return actions.Sans(called)
    shown = {position for position, _ in state.opened}
    held = [position for position in state.hands[view.seat] if CLASS_OF[view.own[position].index] == move]
    if not held:
        raise RuleError("not-in-hand", f"the hand has no card of the class {move}")
    position = min(held, key=lambda position: (position not in shown, view.own[position].index))
    return actions.Play(position, view.own[position])


def shipped_policy(seats: int) -> Policy:
    """The policy that comes with the program.

    Args:
        seats: players who are left at the table, 2 or 3: where one of three is gone, the net for two serves.

    Raises:
        LocalError: ``other-rules`` or ``bad-weights``, when the weights do not fit this version.
    """
    return Policy(shipped_net(seats))
