"""The rules of thumb of :mod:`hocp2p.players.shedding` for many games at once: the yardstick of training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hocp2p.game.cards import KING
from hocp2p.players.engine.batch import ACTIONS, Batch, Bools, Ints
from hocp2p.players.engine.masks import HOC
from hocp2p.players.engine.play import CARDS_DUE, SANS
from hocp2p.players.net.features import Chances, Prospects, chances, prospects
from hocp2p.players.net.observation import Observation, observe
from hocp2p.players.shedding import DEARER, NEAR_OUT

_DUE = np.array(CARDS_DUE)


@dataclass(frozen=True, slots=True)
class ThumbRules:
    """Plays as :func:`hocp2p.players.shedding.choose_play` does, but for the order of equal leads."""

    keeps_hocs: bool

    def greedy(self, batch: Batch) -> Ints:
        """``[N]``: what whose turn it is does. No game may be over."""
        observed = observe(batch)
        around = chances(observed)
        after = prospects(observed, around)
        called = observed.called
        chosen = _best_leads(observed, around, after)
        answers = after.legal[:, :HOC].argmax(axis=1)  # an ordinary card, else *sans*
        offered = after.legal[:, HOC] & (answers == SANS)
        worth = np.zeros(len(observed), bool)
        worth[offered] = self._worth_a_hoc(observed.take(offered), chances(observed.take(offered)))
        answers[worth] = HOC
        chosen[called > 0] = answers[called > 0]
        return chosen

    def _worth_a_hoc(self, observed: Observation, around: Chances) -> Bools:
        """Whether players without the called rank play a fixed hoc for it."""
        size, rows = len(observed), np.arange(len(observed))
        both = np.zeros((size, ACTIONS), bool)
        both[:, [SANS, HOC]] = True
        after = prospects(observed, around, both)
        comes_back, goes_out = after.surely[0::2], after.surely[1::2]
        rest = after.rest[1::2]
        leads = prospects(_holding(observed, rest), around, np.pad(rest[:, :-1] > 0, ((0, 0), (1, 1))))
        smallest = np.maximum(after.size[1::2] - 1, 0)
        if len(leads.rows):
            found = np.full(size, ACTIONS * ACTIONS, np.intp)
            np.minimum.at(found, leads.rows, leads.size)
            smallest = np.where(found < ACTIONS * ACTIONS, found, smallest)
        saves = _DUE[smallest] - _DUE[observed.own.sum(axis=1, dtype=np.intp)] < DEARER
        near = observed.left.min(axis=1) <= NEAR_OUT + (observed.left.shape[1] == 1)
        dead = around.dead[rows, observed.called]
        spends = ~((observed.last == 0) & dead) if not self.keeps_hocs else np.zeros(size, bool)
        worth: Bools = ~comes_back & (goes_out | np.where(near, saves, spends))
        return worth


def _holding(observed: Observation, own: NDArray[np.int8]) -> Observation:
    """The same moment for players who lead from another hand."""
    return Observation(
        own,
        observed.unseen,
        observed.left,
        observed.known,
        observed.sans,
        np.zeros_like(observed.called),
        observed.last,
        observed.due,
        observed.fortuitous,
    )


def _best_leads(observed: Observation, around: Chances, after: Prospects) -> Ints:
    """First what surely goes out, then what likely does, then what is worth more, then the lower card."""
    rows, actions = after.rows, after.actions
    opponents = observed.left.shape[1]
    before = observed.own.sum(axis=1, dtype=np.intp)[rows]
    near = (observed.left.min(axis=1) <= NEAR_OUT)[rows]
    dearer = _DUE[after.size] - _DUE[before]
    comes_back = around.dead[rows, after.called] & (after.called > 0) & (after.called < KING)
    value = before - after.size + opponents * (comes_back & observed.fortuitous[rows]) - dearer * near
    is_hoc = actions == HOC
    value = np.where(is_hoc, np.where(near, opponents - dearer, -1), value)
    likely = np.where(is_hoc, after.surely, after.likely)
    keys = np.full((len(observed), ACTIONS), -np.inf)
    keys[rows, actions] = 10_000 * after.surely + 1_000 * likely + value - actions / (2 * ACTIONS)
    best: Ints = keys.argmax(axis=1)
    return best
