"""The stops game (RULES 3) for many games at once: :class:`Play` in numpy, for training and for rollouts.

The words are those of :mod:`hocp2p.players.engine.play`: places from eldest, actions as small numbers. ``N`` is the
number of games, ``P`` the number of places, and column ``c - 1`` of the last axis of length 13 is the class ``c``
(column 12: the fixed hocs). Nobody holds back and nobody leaves.

Besides the cards a batch keeps what everybody knows of them, since players may look at nothing else: which cards were
played, which cards in hand were shown in the first phase, and what was said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hocp2p.game.cards import KING
from hocp2p.game.play import HOC_PAY
from hocp2p.players.engine.masks import FULL_COUNT, HOC, numbers_of
from hocp2p.players.engine.places import NOBODY
from hocp2p.players.engine.play import CARDS_DUE, SANS, Play

Bools = NDArray[np.bool_]
Bytes = NDArray[np.int8]
Ints = NDArray[np.intp]

CLASSES: Final = HOC
"""Classes of cards: 12 ordinary ranks and the hocs."""

ACTIONS: Final = CLASSES + 1
"""Actions of :class:`Play` without *hold*: *sans* and the classes."""

FULL_DECK: Final[Bytes] = np.array(numbers_of(FULL_COUNT)[1:], np.int8)
"""By class, its cards in the deck."""

_DUE: Final = np.array(CARDS_DUE)
_NEXT_RANK: Final = np.array([0, *range(2, KING + 1), 0])  # by action: a hoc is followed by a lead
_BIT: Final = (1 << np.arange(KING + 1)).astype(np.int16)


def _offered() -> Bools:
    """By rank called, the classes that answer it."""
    offered = np.zeros((KING + 1, CLASSES), bool)
    offered[0] = True
    offered[1:, HOC - 1] = True
    for called in range(1, KING):
        offered[called, called - 1] = True
    return offered


_OFFERED: Final = _offered()


def legal_actions(hand: Bytes, called: Ints) -> Bools:
    """What a rule-abiding player may do.

    Args:
        hand: ``[N, 13]``, cards in hand by class.
        called: ``[N]``, the rank called; 0: he leads.

    Returns:
        ``[N, 14]`` by action of :class:`Play`: *sans*, then the classes 1 to 13.
    """
    legal = np.empty((len(hand), ACTIONS), bool)
    np.greater(hand, 0, out=legal[:, 1:])
    legal[:, 1:] &= _OFFERED[called]
    legal[:, SANS] = (called > 0) & ~legal[:, 1:HOC].any(axis=1)
    return legal


class Batch:
    """The states of ``N`` games, changed in place.

    Args:
        counts: ``[N, P, 13]``, cards in hand by class; place 0 leads.
        fortuitous: whether a fortuitous hoc is paid, of each game or of all.
        known: ``[N, P, 13]``, those of them that everybody has seen; none unless told.

    Attributes:
        seats: 2 or 3.
        counts, known: as given, of the present moment.
        played: ``[N, 13]``, cards that were played, and those that lie open without having been in these hands.
        left: ``[N, P]``, cards in hand.
        turn: ``[N]``, whose turn it is; ``NOBODY`` when the game is over.
        called: ``[N]``, the rank called; 0 when ``turn`` leads.
        last: ``[N]``, who played the last card of the open run; ``NOBODY`` before the first.
        due: ``[N]``, whether the leader's last card was a fortuitous hoc, told with his next lead.
        sans: ``[N, P]``, the ranks to which a place has said *sans*, as bits.
        hocs: ``[N, P]``, hocs that were paid to a place.
        winner: ``[N]``, who went out; ``NOBODY`` until then.
        fortuitous: ``[N]``.
    """

    __slots__ = (
        "_rows",
        "called",
        "counts",
        "due",
        "fortuitous",
        "hocs",
        "known",
        "last",
        "left",
        "played",
        "sans",
        "seats",
        "turn",
        "winner",
    )

    def __init__(
        self, counts: NDArray[np.integer], fortuitous: Bools | bool = True, known: Bytes | None = None
    ) -> None:
        size, self.seats, _ = counts.shape
        self.counts = np.array(counts, np.int8, order="C")
        self.known = np.zeros_like(self.counts) if known is None else np.array(known, np.int8, order="C")
        self.played = np.zeros((size, CLASSES), np.int8)
        self.left = self.counts.sum(axis=2, dtype=np.intp)
        self.turn = np.zeros(size, np.intp)
        self.called = np.zeros(size, np.intp)
        self.last = np.full(size, NOBODY, np.intp)
        self.due = np.zeros(size, bool)
        self.sans = np.zeros((size, self.seats), np.int16)
        self.hocs = np.zeros((size, self.seats), np.intp)
        self.winner = np.full(size, NOBODY, np.intp)
        self.fortuitous = np.broadcast_to(np.asarray(fortuitous, bool), (size,)).copy()
        self._rows = np.arange(size)

    @classmethod
    def of(cls, play: Play, counts: NDArray[np.integer], known: NDArray[np.integer] | None = None) -> Batch:
        """The moment of ``play`` with other cards in the hands, once for every entry of ``counts``.

        Args:
            play: supplies all but the hands. Nobody may be gone from it.
            counts: ``[N, P, 13]``, as many cards in each hand as in ``play``.
            known: ``[P, 13]``, the cards in hand that everybody has seen.
        """
        shown = None if known is None else np.broadcast_to(known.astype(np.int8), counts.shape)
        batch = cls(counts, play.fortuitous, shown)
        batch.played[:] = numbers_of(play.played)[1:]
        batch.turn[:] = play.turn
        batch.called[:] = play.called
        batch.last[:] = play.last
        batch.due[:] = play.due
        batch.sans[:] = play.sans
        batch.hocs[:] = play.hocs
        batch.winner[:] = play.winner
        return batch

    @classmethod
    def together(cls, batches: Sequence[Batch]) -> Batch:
        """All games of several batches, of as many seats each; at least one batch."""
        new = cls.__new__(cls)
        new.seats = batches[0].seats
        for name in _COLUMNS:
            setattr(new, name, np.concatenate([getattr(batch, name) for batch in batches]))
        new._rows = np.arange(len(new.turn))
        return new

    def __len__(self) -> int:
        return len(self.turn)

    def take(self, rows: Ints | Bools) -> Batch:
        """Some of the games, by number (also more than once) or by a mask, as a batch of their own."""
        new = Batch.__new__(Batch)
        new.seats = self.seats
        for name in _COLUMNS:
            setattr(new, name, getattr(self, name)[rows])
        new._rows = np.arange(len(new.turn))
        return new

    def hand(self) -> Bytes:
        """``[N, 13]``: the cards of whose turn it is. No game may be over."""
        flat = self._rows * self.seats + self.turn
        hand: Bytes = self.counts.reshape(-1, CLASSES)[flat]
        return hand

    def legal(self) -> Bools:
        """``[N, 14]``: what a rule-abiding player may do; see :func:`legal_actions`. Nothing when a game is over."""
        legal = legal_actions(self.hand(), self.called)
        legal[self.turn < 0] = False
        return legal

    def apply(self, actions: Ints) -> None:
        """Performs one legal action in every game. No game may be over: see :meth:`take`.

        Of several cards of a class, one that was shown is played first.
        """
        turn = self.turn
        is_card = actions > SANS
        place = self._rows * self.seats + turn
        column = np.maximum(actions - 1, 0)  # of *sans*: a field of the same hand, from which nothing is taken
        card = place * CLASSES + column
        self.counts.reshape(-1)[card] -= is_card
        known = self.known.reshape(-1)
        known[card] -= is_card & (known[card] > 0)
        self.played[self._rows, column] += is_card
        left = self.left.reshape(-1)
        left[place] -= is_card
        self.hocs.reshape(-1)[place] += (actions == HOC) + (is_card & self.due & self.fortuitous).astype(np.intp)
        self.sans.reshape(-1)[place] |= np.where(is_card, np.int16(0), _BIT[self.called])
        following = turn + 1
        following[following == self.seats] = 0
        self.due = ~is_card & (following == self.last)  # the turn is back: the last card was a fortuitous hoc
        self.called = np.where(is_card, _NEXT_RANK[actions], self.called)
        self.called[self.due] = 0
        self.last = np.where(is_card, turn, self.last)
        out = left[place] == 0
        self.turn = np.where(is_card, turn, following)
        if out.any():
            self.winner[out] = turn[out]
            self.turn[out] = NOBODY

    def hoc_pay(self) -> Ints:
        """``[N, P]``: jetons that the hocs have brought so far."""
        pay: Ints = HOC_PAY * (self.seats * self.hocs - self.hocs.sum(axis=1, keepdims=True))
        return pay

    def cards_pay(self) -> Ints:
        """``[N, P]``: jetons for the cards that are left (rule 3.3); nothing before the end."""
        over = self.winner >= 0
        pay: Ints = np.where(over[:, None], -_DUE[self.left], 0)
        rows = self._rows[over]
        pay[rows, self.winner[over]] -= pay[rows].sum(axis=1)
        return pay

    def net(self) -> Ints:
        """``[N, P]``: change of balance in the play, in jetons."""
        return self.hoc_pay() + self.cards_pay()


_COLUMNS: Final = tuple(name for name in Batch.__slots__ if name not in ("_rows", "seats"))  # one entry a game


Choose = Callable[[Batch], Ints]
"""A legal action for every game of a batch, none of which is over."""


def rounds(batch: Batch, net: Ints) -> Iterator[tuple[Ints, Batch]]:
    """Walks through all games in step, to their ends.

    Args:
        batch: is changed; some of its games may be over.
        net: ``[N, P]``, takes up :meth:`Batch.net` of each game at its end.

    Yields:
        The numbers of the games that are not over, and their states, to which an action each must be applied.
    """
    rows = np.arange(len(batch))
    while True:
        over = batch.winner >= 0
        if over.any():
            net[rows[over]] = batch.take(over).net()
            rows, batch = rows[~over], batch.take(~over)
        if not len(rows):
            return
        yield rows, batch


def play_out(batch: Batch, choose: Choose) -> Ints:
    """Plays all games to their ends.

    Args:
        batch: is changed; some of its games may be over.
        choose: picks the actions, for all places.

    Returns:
        ``[N, P]``: :meth:`Batch.net` of each game at its end.
    """
    net = np.zeros(batch.left.shape, np.intp)
    for _, playing in rounds(batch, net):
        playing.apply(choose(playing))
    return net
