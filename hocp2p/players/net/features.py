"""Observations and actions as the numbers that the net sees.

The input of a decision falls in two: what is the same for all actions (``state_features``) and what an action brings
(``Prospects``, ``action_features``). Nothing hidden is in either, since both come from an
:class:`~hocp2p.players.net.observation.Observation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hocp2p.players.engine.batch import ACTIONS, CLASSES, Bools, Bytes, Ints, legal_actions
from hocp2p.players.engine.masks import HOC
from hocp2p.players.engine.play import CARDS_DUE, SANS
from hocp2p.players.net.observation import Observation

Floats = NDArray[np.float32]

RANKS: Final = HOC - 1
"""Ordinary ranks: the columns 0 to 11."""

MOST_LEFT: Final = len(CARDS_DUE) - 1
_COLUMN_HOC: Final = HOC - 1

_DUE: Final = np.array(CARDS_DUE)
_BITS: Final = 1 << np.arange(RANKS)
_RANK: Final = np.arange(1, CLASSES + 1)
_RANK_BITS: Final = 1 << _RANK
_EYE: Final = np.eye(ACTIONS, dtype=np.float32)


def _few_left() -> Floats:
    """By cards left, how that is told: the number, whether it is 1, 2, 3, 4 or 5, 10 or more, and what they cost."""
    table = np.zeros((MOST_LEFT + 1, 7), np.float32)
    left = np.arange(MOST_LEFT + 1)
    table[:, 0] = left / 10
    for column, few in enumerate((1, 2, 3)):
        table[:, 1 + column] = left == few
    table[:, 4] = (left == 4) | (left == 5)
    table[:, 5] = left >= 10
    table[:, 6] = _DUE / 10
    return table


_LEFT: Final = _few_left()


def _chains() -> Ints:
    """By set of ranks held (bit 0: ace) and rank 1 to 12, how many go down in a row from that rank; 0: none."""
    chains = np.zeros((1 << RANKS, CLASSES + 1), np.intp)
    held = np.arange(1 << RANKS)
    for rank in range(RANKS, 0, -1):
        chains[:, rank] = np.where(held >> (rank - 1) & 1, chains[:, rank + 1] + 1, 0)
    chains[:, CLASSES] = 0
    return chains


_CHAINS: Final = _chains()


def _spans() -> Bytes:
    """By first rank and length, the classes of a chain: 1 for each."""
    spans = np.zeros((CLASSES + 1, CLASSES + 1, CLASSES), np.int8)
    for first in range(1, CLASSES + 1):
        for length in range(CLASSES + 1):
            spans[first, length, first - 1 : first - 1 + length] = 1
    return spans


_SPANS: Final = _spans()


@dataclass(frozen=True, slots=True)
class Chances:
    """What the others may hold, ``[N, O, 13]`` unless told.

    Args:
        possible: whether the opponent can hold a card of the class at all.
        likely: the chance that he does, as if the unseen cards he can hold were dealt at random.
        dead: ``[N, 14]`` by rank called (0 unused): no opponent can hold an ordinary card of it. 13 always is.
        alone: ``[N, 14]`` by rank called: the chance that no opponent holds an ordinary card of it.
        no_hoc: ``[N]``, the chance that no opponent holds a fixed hoc.
        safe: ``[N]``, whether surely none does.
    """

    possible: Bools
    likely: Floats
    dead: Bools
    alone: Floats
    no_hoc: Floats
    safe: Bools


def chances(observed: Observation) -> Chances:
    """Counts the open cards and weighs what was said without a card."""
    unseen, known = observed.unseen[:, None, :], observed.known
    allowed = (observed.sans[:, :, None] & _RANK_BITS) == 0
    allowed[:, :, _COLUMN_HOC] = True  # who says *sans* to the king has told nothing about his hocs
    shown = known > 0
    open_ = allowed & (unseen > 0)
    possible = open_ | shown
    hidden = observed.left - known.sum(axis=2)
    room = (unseen * allowed).sum(axis=2)
    share = 1 - np.minimum(hidden / np.maximum(room, 1), 1.0).astype(np.float32)
    likely = np.where(open_, 1 - share[:, :, None] ** unseen, np.float32(0))
    likely[shown] = 1
    size = len(observed)
    dead = np.ones((size, ACTIONS), bool)
    dead[:, 1:HOC] = ~possible[:, :, :RANKS].any(axis=1)
    lacking = (1 - likely).prod(axis=1)
    alone = np.ones((size, ACTIONS), np.float32)
    alone[:, 1:HOC] = lacking[:, :RANKS]
    return Chances(
        possible=possible,
        likely=likely,
        dead=dead,
        alone=alone,
        no_hoc=lacking[:, _COLUMN_HOC],
        safe=~possible[:, :, _COLUMN_HOC].any(axis=1),
    )


@dataclass(frozen=True, slots=True)
class Prospects:
    """What each legal action brings, if its player goes on with all the ordinary cards he can. ``M`` actions in all.

    Args:
        legal: ``[N, 14]``, what is legal.
        rows, actions: ``[M]``, which observation, and the action of :class:`~hocp2p.players.engine.play.Play`.
        rest: ``[M, 13]``, the hand after it.
        size: ``[M]``, cards in it.
        called: ``[M]``, the rank called after it; 0: he leads again.
        stops, open_stops: ``[M]``, chains in the rest that do not come back by themselves: at all; and since somebody
            may hold the rank after them.
        surely, likely: ``[M]``, whether he gets rid of every card whatever the others do; and if nobody spends a hoc.
    """

    legal: Bools
    rows: Ints
    actions: Ints
    rest: Bytes
    size: Ints
    called: Ints
    stops: Ints
    open_stops: Ints
    surely: Bools
    likely: Bools


def prospects(observed: Observation, around: Chances, legal: Bools | None = None) -> Prospects:
    """Of the legal actions, or of those in ``legal`` (``[N, 14]``, a part of them)."""
    own = observed.own
    if legal is None:
        legal = legal_actions(own, observed.called)
    rows, actions = np.nonzero(legal)
    is_hoc, is_sans = actions == HOC, actions == SANS
    length = _CHAINS[(own[:, :RANKS] > 0) @ _BITS][rows, actions]  # none of *sans*
    length[is_hoc] = 1
    rest = own[rows] - _SPANS[actions, length]
    size = rest.sum(axis=1, dtype=np.intp)
    called = np.where(is_hoc, 0, actions + length)
    called[is_sans] = observed.called[rows[is_sans]]
    hocs = rest[:, _COLUMN_HOC]
    ordinary = rest.copy()
    ordinary[:, _COLUMN_HOC] = 0
    surplus = np.maximum(ordinary[:, :-1] - ordinary[:, 1:], 0)  # as many chains end at a rank
    dead = around.dead[rows]
    stops = surplus.sum(axis=1, dtype=np.intp)
    open_stops = (surplus * ~dead[:, 2:]).sum(axis=1, dtype=np.intp)
    safe = around.safe[rows]
    ours = ~is_sans | (observed.last[rows] == 0)  # whether the lead comes back when nobody plays
    back = ours & dead[np.arange(len(rows)), called]
    wins_by_hoc = (hocs > 0) & ~is_sans

    def goes_out(stops: Ints, back: Bools) -> Bools:
        """Leading, he needs a hoc between two chains; called, he needs one to lead."""
        leads = is_hoc | back
        out: Bools = (size == 0) | (leads & (stops <= hocs + 1)) | (wins_by_hoc & (stops <= hocs))
        return out

    return Prospects(
        legal=legal,
        rows=rows,
        actions=actions,
        rest=rest,
        size=size,
        called=called,
        stops=stops,
        open_stops=open_stops,
        surely=goes_out(np.where(safe, open_stops, stops), back & safe),
        likely=goes_out(open_stops, back),
    )


def state_size(seats: int) -> int:
    """Length of a row of :func:`state_features`."""
    return 3 * CLASSES + ACTIONS + seats + 4 + 7 + (seats - 1) * (7 + 4 * CLASSES)


ACTION_SIZE: Final = 2 * ACTIONS + 13
"""Length of a row of :func:`action_features`."""


def state_features(observed: Observation, around: Chances) -> Floats:
    """``[N, state_size]``: own cards, unseen cards, the moment, and each opponent in turn order."""
    size, opponents = observed.left.shape
    own = observed.own
    parts = (
        own > 0,
        np.maximum(own - 1, 0) * np.float32(0.5),
        observed.unseen * np.float32(0.25),
        _EYE[observed.called],
        observed.last[:, None] == np.arange(opponents + 1),
        observed.due,
        observed.fortuitous,
        around.no_hoc,
        around.safe,
        _LEFT[own.sum(axis=1, dtype=np.intp)],
        _LEFT[observed.left],
        observed.known * np.float32(0.5),
        around.possible,
        around.likely,
        observed.sans[:, :, None] >> _RANK & 1,
    )
    flat = [part.reshape(size, -1) for part in parts]
    return np.concatenate(flat, axis=1, dtype=np.float32, casting="unsafe")


def action_features(observed: Observation, around: Chances, after: Prospects) -> Floats:
    """``[M, ACTION_SIZE]``: the class played, the rank that is called after it, and what it brings."""
    rows, actions, called = after.rows, after.actions, after.called
    before = observed.own.sum(axis=1, dtype=np.intp)[rows]
    table = np.empty((len(rows), ACTION_SIZE), np.float32)
    table[:, :ACTIONS] = _EYE[actions]
    table[:, ACTIONS : 2 * ACTIONS] = _EYE[called]
    alone = np.where(called > 0, around.alone[rows, called], np.float32(0))
    columns = (
        (before - after.size) / 5,
        after.size / 10,
        after.size == 0,
        alone,
        alone * around.no_hoc[rows],
        after.stops / 5,
        after.open_stops / 5,
        after.rest[:, _COLUMN_HOC] / 3,
        (after.open_stops - after.rest[:, _COLUMN_HOC]) / 5,
        after.surely,
        after.likely,
        _DUE[after.size] / 10,
        (_DUE[after.size] - _DUE[before]) / 10,
    )
    for number, column in enumerate(columns, 2 * ACTIONS):
        table[:, number] = column
    return table
