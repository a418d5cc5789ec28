"""CFR+ for the small auction (Tammelin 2014, "Solving Large Imperfect Information Games Using CFR+").

Regret matching with regrets cut off at zero, alternating updates, and an average of the strategies weighted by the
number of the iteration. Everything is done for all buckets and all like moments at once.

A strategy is an array, nodes x buckets: the chance that the node's parent, with this bucket, says the word that leads
to the node. Every node but the first has one parent, so one row a word. Utilities are jetons after the antes, the
share in a pool that everybody passed included; at a deal they sum to the pool.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hocp2p.players.auction.buckets import Floats
from hocp2p.players.auction.tree import ALONE, PASSED, Menu, Node, build
from hocp2p.players.engine.places import NOBODY
from hocp2p.training.auction_chance import Chance

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Turns:
    """Like moments: the same depth, place and number of words. ``after``: moments x words, the nodes that follow."""

    place: int
    nodes: Numbers
    after: Numbers


@dataclass(frozen=True, slots=True)
class _Ends:
    """Ends that are paid alike, for one place.

    Args:
        nodes: which.
        factors: nodes x matrices, what each matrix counts for.
        matrices: own buckets x (buckets of the others, in the order of places), one below the other.
    """

    nodes: Numbers
    factors: Floats
    matrices: Floats


class AuctionGame:
    """The small auction of a stake.

    Args:
        menu: what may be said.
        chance: what the cards bring.
        pool: jetons in it before any raise.
    """

    def __init__(self, menu: Menu, chance: Chance, pool: int) -> None:
        self.seats = menu.seats
        self.count = chance.count
        self.pool = pool
        self.nodes = build(menu)
        self.turns = _group_turns(self.nodes)
        self._ends = [_group_ends(self.nodes, chance, pool, place) for place in range(self.seats)]

    def uniform(self) -> Floats:
        """The strategy that says every word equally often."""
        shares = np.ones(len(self.nodes))
        for turns in self.turns:
            shares[turns.after] = 1 / turns.after.shape[1]
        return np.repeat(shares[:, None], self.count, axis=1)

    def normalised(self, weights: Floats, otherwise: Floats) -> Floats:
        """Weights made chances; where all are zero, those of ``otherwise``."""
        strategy = otherwise.copy()
        for turns in self.turns:
            rows = weights[turns.after]
            total = rows.sum(axis=1, keepdims=True)
            strategy[turns.after] = np.where(total > 0, rows / np.where(total > 0, total, 1), strategy[turns.after])
        return strategy

    def reach(self, place: int, strategy: Floats) -> Floats:
        """Nodes x buckets: the chance that the words of this place lead there."""
        reach = np.ones_like(strategy)
        for turns in self.turns:
            before = reach[turns.nodes][:, None]
            reach[turns.after] = before * strategy[turns.after] if turns.place == place else before
        return reach

    def others(self, place: int, strategy: Floats) -> list[Floats]:
        """:meth:`reach` of every other place, in order."""
        return [self.reach(other, strategy) for other in range(self.seats) if other != place]

    def values(self, place: int, strategy: Floats, others: Sequence[Floats], *, best: bool = False) -> Floats:
        """Nodes x buckets: what the place expects, weighted by how often the cards and the others come there.

        Args:
            place: whose.
            strategy: of this place.
            others: in the order of places, the :meth:`reach` of every other.
            best: with the best response instead of the strategy.
        """
        values = np.zeros((len(self.nodes), self.count))
        for ends in self._ends[place]:
            met = others[0][ends.nodes]
            for reach in others[1:]:
                met = (met[:, :, None] * reach[ends.nodes][:, None, :]).reshape(len(ends.nodes), -1)
            brought = (met @ ends.matrices.T).reshape(len(ends.nodes), -1, self.count)
            values[ends.nodes] = np.einsum("nk,nkb->nb", ends.factors, brought)
        for turns in reversed(self.turns):
            after = values[turns.after]
            if turns.place != place:
                values[turns.nodes] = after.sum(axis=1)
            elif best:
                values[turns.nodes] = after.max(axis=1)
            else:
                values[turns.nodes] = (after * strategy[turns.after]).sum(axis=1)
        return values

    def gains(self, strategy: Floats) -> list[float]:
        """By place, jetons that the best response gains over the strategy; their sum is NashConv."""
        found = []
        for place in range(self.seats):
            others = self.others(place, strategy)
            best = self.values(place, strategy, others, best=True)[0].sum()
            found.append(float(best - self.values(place, strategy, others)[0].sum()))
        return found

    def worth(self, strategy: Floats) -> list[float]:
        """By place, jetons that it expects."""
        worth = [self.values(place, strategy, self.others(place, strategy))[0] for place in range(self.seats)]
        return [float(values.sum()) for values in worth]


class Solver:
    """CFR+ on a game, from the uniform strategy.

    Args:
        game: what is solved.
        tremble: how often the others are taken to say anything at all, in the first iteration; then ever less, as one
            over the number of the iteration. So moments to which nobody comes are thought about too.
    """

    def __init__(self, game: AuctionGame, tremble: float = 0.2) -> None:
        self._game = game
        self._tremble = tremble
        self._uniform = game.uniform()
        self._strategy = self._uniform
        self._regrets = np.zeros_like(self._uniform)
        self._sums = np.zeros_like(self._uniform)
        self.iterations = 0

    def run(self, iterations: int) -> None:
        """Goes on for so many iterations."""
        for _ in range(iterations):
            self.iterations += 1
            for place in range(self._game.seats):
                self._update(place)

    def average(self) -> Floats:
        """The average strategy; where it never comes to, the present one."""
        return self._game.normalised(self._sums, self._strategy)

    def _update(self, place: int) -> None:
        game = self._game
        share = self._tremble / self.iterations
        others = game.others(place, (1 - share) * self._strategy + share * self._uniform)
        values = game.values(place, self._strategy, others)
        own = game.reach(place, self._strategy)
        for turns in game.turns:
            if turns.place == place:
                gained = values[turns.after] - values[turns.nodes][:, None]
                self._regrets[turns.after] = np.maximum(self._regrets[turns.after] + gained, 0)
                self._sums[turns.after] += self.iterations * own[turns.after]
        self._strategy = game.normalised(self._regrets, self._uniform)


def _group_turns(nodes: Sequence[Node]) -> list[_Turns]:
    """In an order in which every moment stands before those that follow it."""
    depths: list[int] = []
    groups: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for number, node in enumerate(nodes):
        depths.append(0 if node.parent == NOBODY else depths[node.parent] + 1)
        if node.turn != NOBODY:
            groups[depths[number], node.turn, len(node.words)].append(number)
    found = []
    for (_, place, words), members in sorted(groups.items()):
        firsts = np.array([nodes[number].first for number in members])
        found.append(_Turns(place, np.array(members), firsts[:, None] + np.arange(words)))
    return found


def _group_ends(nodes: Sequence[Node], chance: Chance, pool: int, place: int) -> list[_Ends]:
    """For one place, the ends by how they are paid."""
    groups: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for number, node in enumerate(nodes):
        if node.turn == NOBODY:
            announced = node.announced[node.inside.bit_length() - 1] if node.end == ALONE else 0
            groups[node.end, node.inside, announced].append(number)
    found = []
    for (end, inside, announced), members in groups.items():
        paid = np.array([nodes[number].paid for number in members])
        put_in, whole = paid[:, place], pool + paid.sum(axis=1)
        ones = np.ones(len(members))
        if end == PASSED:
            parts = [(whole / chance.seats, chance.joint)]
        elif end == ALONE:
            winner = inside.bit_length() - 1
            won = winner == place
            parts = [(whole * won - put_in, chance.joint)]
            parts.append((ones * (chance.seats - 1 if won else -1), chance.alone[winner, announced]))
        else:
            parts = [(-put_in * ones, chance.joint), (whole * ones, chance.wins[inside, place])]
            parts.append((ones, chance.shown[inside, place]))
        matrices = [np.moveaxis(tensor, place, 0).reshape(chance.count, -1) for _, tensor in parts]
        found.append(_Ends(np.array(members), np.stack([factor for factor, _ in parts], 1), np.concatenate(matrices)))
    return found
