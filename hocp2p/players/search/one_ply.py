"""The play of the master: the net's best actions, each played out in likely worlds.

The worlds are drawn from what is certain and weighed by what the others did. In each of them every action that the net
thinks well of is played on by the net for everybody, to the end of the deal; what it wins on average, and what the net
thinks of it, decide together. When the cards are known at last, the end is solved exactly. (To solve it in each of
several worlds and average is weaker than to play it out: with open cards everybody plays as nobody can.)

How much is done is told by counts and never by the clock: one seed, the same game everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action
from hocp2p.game.state import SeatView
from hocp2p.players.belief.sampler import Worlds, generator_of
from hocp2p.players.net.policy import Policy, action_of
from hocp2p.players.player import Rng
from hocp2p.players.search.exact import Solver
from hocp2p.players.search.moment import Moment
from hocp2p.players.search.rollouts import Asking, Rollouts, Thinking, think_alone
from hocp2p.players.search.weighing import (
    BidLikelihood,
    Floats,
    Weighing,
    bid_log_likelihood,
    play_likelihood,
    resampled,
)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is searched.

    Args:
        drawn: worlds that are drawn and weighed.
        worlds: of these, drawn anew by weight, those in which actions are played out; all, when they are no more.
        actions: how many of the best by the net are played out.
        margin: in jetons; what the net thinks worse than its best by more is not played out.
        trust: weight of the net's own value beside the mean of the worlds, 0 to 1.
        weighing: how much the others' choices tell.
        exact_worlds: at most so many worlds are solved with open cards.
        exact_cards: and only when so few cards are left in all hands.
        exact_nodes: and a world that takes more nodes ends the attempt.

    Raises:
        LocalError: ``bad-search`` for figures with which nothing can be searched.
    """

    drawn: int = 128
    worlds: int = 64
    actions: int = 4
    margin: float = 1.5
    trust: float = 0.1
    weighing: Weighing = field(default_factory=Weighing)
    exact_worlds: int = 1
    exact_cards: int = 14
    exact_nodes: int = 5000

    def __post_init__(self) -> None:
        if min(self.drawn, self.worlds, self.actions) < 1 or self.margin < 0 or not 0 <= self.trust <= 1:
            raise LocalError("bad-search", "a search needs a world and an action, and shares lie between 0 and 1")


EFFORT: Final = {2: Effort(), 3: Effort(drawn=96, actions=3, trust=0.25)}
"""By players: with three a world takes longer, and what the net thinks is more of a guide."""


@dataclass(frozen=True, slots=True)
class Search:
    """Decides in the play.

    Args:
        policy: plays the actions out; for as many players as are left at the table.
        effort: how much is searched; that of ``EFFORT`` unless told.
        bids: how likely the others' bids are with a hand; None: they tell nothing.
    """

    policy: Policy
    effort: Effort | None = None
    bids: BidLikelihood | None = None

    def choose(self, view: SeatView, rng: Rng) -> Action:
        """What the seat whose turn it is does: never *hold*.

        Where a seat is gone the net decides alone: what it held sleeps, and the others' choices are told incompletely.

        Raises:
            RuleError: ``wrong-phase`` outside the play, ``not-your-turn`` in the turn of another seat.
        """
        return think_alone(self.think(view, rng))

    def think(self, view: SeatView, rng: Rng) -> Thinking:
        """The same, for whoever answers many searches at once; raises when it is begun."""
        found = yield from self._weigh(view, self.policy.values_of(view), rng)
        return action_of(view, max(found, key=found.__getitem__))

    def expects(self, view: SeatView, rng: Rng) -> dict[Action, float]:
        """What it expects each action but *hold* to win from now on, in jetons, the best one first.

        Of cards of a class there is one. What was not looked into is what the net thinks of it, and no more than what
        was. With the same generator the first is what :meth:`choose` does; errors as there.
        """
        values = self.policy.values_of(view)
        found = think_alone(self._weigh(view, values, rng))
        least = min(found.values())
        others = {action: min(value, least) for action, value in values.items() if action not in found}
        ranked = [*_ranked(found), *_ranked(others)]
        return {action_of(view, action): (found | others)[action] for action in ranked}

    def _weigh(self, view: SeatView, values: dict[int, float], rng: Rng) -> Asking[dict[int, float]]:
        """What the actions that are looked into are expected to win; ``values``: of all, by the net."""
        effort = self.effort or EFFORT[view.state.seats]
        near = _near(values, effort)
        if len(near) == 1 or view.state.gone:
            return {near[0]: values[near[0]]}
        generator = generator_of(rng)
        moment = Moment.of(view, generator)
        worlds, weights = self._worlds(moment, effort, generator)
        found = _solved(moment, effort, worlds, weights, list(values))
        if found is None:
            if len(worlds) > effort.worlds:
                drawn, weights = resampled(weights, effort.worlds, generator)
                worlds = worlds[drawn]
            means = yield from self._played_out(moment, worlds, weights, near)
            found = {action: effort.trust * values[action] + (1 - effort.trust) * means[action] for action in near}
        return found

    def _worlds(self, moment: Moment, effort: Effort, generator: np.random.Generator) -> tuple[Worlds, Floats]:
        """Worlds and their weights: all there are, where they are few."""
        sampler, weighing = moment.sampler, effort.weighing
        if sampler.number <= effort.drawn:
            worlds, ways = sampler.every()
            log_weights = np.log(ways)
        else:
            worlds = sampler.sample(generator, effort.drawn)
            log_weights = np.zeros(len(worlds))
        if weighing.play:
            log_weights += weighing.play * play_likelihood(moment, worlds, self.policy.net, weighing)
        if weighing.bids and self.bids is not None:
            seats = sampler.hidden.seats
            log_weights += weighing.bids * bid_log_likelihood(moment.view, worlds, seats, self.bids, generator)
        weights = np.exp(log_weights - log_weights.max())
        return worlds, weights / weights.sum()

    def _played_out(
        self, moment: Moment, worlds: Worlds, shares: Floats, actions: list[int]
    ) -> Asking[dict[int, float]]:
        """By action, what it wins from now on, on average over the worlds, which are the same for all actions."""
        one = moment.batch(worlds)
        games = one.take(np.tile(np.arange(len(one)), len(actions)))
        before = games.net()
        games.apply(np.repeat(np.array(actions, np.intp), len(one)))
        ends = yield Rollouts(games, self.policy)
        won = (ends - before)[:, moment.play.turn]
        means = won.reshape(len(actions), len(one)) @ shares
        return dict(zip(actions, means.tolist(), strict=True))


def _near(values: dict[int, float], effort: Effort) -> list[int]:
    """The best actions by the net that are worth a look."""
    ranked = _ranked(values)[: effort.actions]
    return [action for action in ranked if values[action] >= values[ranked[0]] - effort.margin]


def _ranked(values: dict[int, float]) -> list[int]:
    return sorted(values, key=values.__getitem__, reverse=True)


def _solved(
    moment: Moment, effort: Effort, worlds: Worlds, weights: Floats, actions: list[int]
) -> dict[int, float] | None:
    """By action, what it wins on average when everybody sees all cards from then on; None when that is too much."""
    play = moment.play
    if len(worlds) > effort.exact_worlds or sum(play.left) > effort.exact_cards:
        return None
    solver = Solver(fortuitous=play.fortuitous, most_nodes=effort.exact_nodes)
    means = dict.fromkeys(actions, 0.0)
    for world, weight in zip(moment.plays(worlds), weights.tolist(), strict=True):
        values = solver.values(world)
        if values is None:
            return None
        for action in actions:
            means[action] += weight * values[action][play.turn]
    return means
