"""Worlds that agree with everything that a seat knows, each as likely as the number of ways to deal it: exactly.

A *world* says how many cards of each class are hidden in each other hand; the rest is asleep. Let ``ways[k][a, b]`` be
the number of ways to choose, out of the hidden cards of the classes from ``k`` on, ``a`` cards for one other hand and
``b`` for the second, none of them barred. It is summed up from the last class to the first; then a world is drawn class
by class from the first on, each choice in proportion to the ways in which the rest can go on. No draw is thrown away.
"""

from __future__ import annotations

from functools import cache, cached_property
from itertools import pairwise
from math import factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hocp2p.errors import RuleError
from hocp2p.game.cards import KING
from hocp2p.game.state import SeatView
from hocp2p.players.belief.hidden import CLASSES, Hidden
from hocp2p.players.engine.convert import hidden_cards
from hocp2p.players.engine.masks import CLASS_OF, HOC, indices_of
from hocp2p.players.player import Rng

Worlds = NDArray[np.uint8]
"""By world, by other seat, by class: hidden cards in hand, without those that were shown."""

_MOST: Final = 6
"""Most cards of one class: the fixed hocs. The tables have a margin of zeros of this width."""

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]


def generator_of(rng: Rng) -> np.random.Generator:
    """Numpy's randomness, seeded from a bot's own."""
    return np.random.Generator(np.random.PCG64(rng.randrange(1 << 62)))


@cache
def _splits(cards: int, first: bool, second: bool, weighted: bool) -> tuple[_Ints, _Ints, _Floats]:
    """How the hidden cards of a class can lie: cards in either hand, and the ways to choose them (1 if unweighted)."""
    found = [
        (one, two, factorial(cards) / (factorial(one) * factorial(two) * factorial(cards - one - two)))
        for one in range(cards + 1 if first else 1)
        for two in range(cards + 1 - one if second else 1)
    ]
    ones, twos, ways = zip(*found, strict=True)
    return np.array(ones), np.array(twos), np.array(ways) if weighted else np.ones(len(found))


class Sampler:
    """The worlds that agree with ``hidden``.

    Args:
        hidden: what is known, of one other seat or two.

    Attributes:
        hidden: the same.
        ways: how many ways there are to deal the hidden cards; 0 when nothing agrees.
    """

    def __init__(self, hidden: Hidden) -> None:
        self.hidden = hidden
        self._sizes = (*hidden.sizes, 0)[:2]
        self._width = self._sizes[1] + _MOST + 1
        self._start = (self._sizes[0] + _MOST) * self._width + self._sizes[1] + _MOST
        self._later = self._tables(weighted=True)
        self.ways = float(self._later[0][self._start])

    @classmethod
    def from_view(cls, view: SeatView) -> Sampler:
        """The worlds of the view's seat."""
        return cls(Hidden.from_view(view))

    @cached_property
    def number(self) -> int:
        """How many different worlds there are."""
        return int(self._tables(weighted=False)[0][self._start])

    def sample(self, generator: np.random.Generator, number: int) -> Worlds:
        """``number`` worlds, drawn independently.

        Raises:
            RuleError: ``bad-hands`` when no world agrees with what is known.
        """
        self._verify()
        worlds = np.zeros((number, 2, CLASSES), np.uint8)
        draws = generator.random((CLASSES, number))
        left = np.full(number, self._start)
        for column in range(CLASSES):
            ones, twos, ways = self._options(column, weighted=True)
            steps = ones * self._width + twos
            chances = np.cumsum(ways * self._later[column + 1][left[:, None] - steps], axis=1)
            total = chances[:, -1]
            aim = np.minimum(draws[column] * total, np.nextafter(total, 0))
            chosen = np.count_nonzero(chances <= aim[:, None], axis=1)
            worlds[:, 0, column] = ones[chosen]
            worlds[:, 1, column] = twos[chosen]
            left -= steps[chosen]
        return worlds[:, : len(self.hidden.sizes)]

    def every(self) -> tuple[Worlds, _Floats]:
        """All worlds and the ways to deal each; look at ``number`` first.

        Raises:
            RuleError: ``bad-hands`` as :meth:`sample`.
        """
        self._verify()
        worlds = np.zeros((1, 2, CLASSES), np.uint8)
        all_ways = np.ones(1)
        left = np.full(1, self._start)
        for column in range(CLASSES):
            ones, twos, ways = self._options(column, weighted=True)
            after = left[:, None] - (ones * self._width + twos)
            world, option = np.nonzero(self._later[column + 1][after])
            worlds = worlds[world]
            worlds[:, 0, column] = ones[option]
            worlds[:, 1, column] = twos[option]
            all_ways = all_ways[world] * ways[option]
            left = after[world, option]
        return worlds[:, : len(self.hidden.sizes)], all_ways

    def chance_holds(self, other: int, class_: int) -> float:
        """The chance that the ``other``-th of the others holds a card of a class (1 to 12, or ``HOC``)."""
        if self.hidden.known[other][class_ - 1]:
            return 1.0
        return 1.0 - self._chance_of(self.hidden.barring(other, 1 << class_))

    def chance_dead(self, rank: int) -> float:
        """The chance that none of the others holds an ordinary card of a rank; of the king it is 1."""
        return 1.0 if rank == KING else self._chance_none(1 << rank)

    def chance_safe(self, rank: int) -> float:
        """The chance that none of the others can play when a rank is called: no ordinary card of it, and no hoc."""
        return self._chance_none(1 << HOC | 1 << rank)

    def _chance_none(self, classes: int) -> float:
        hidden = self.hidden
        for other, known in enumerate(hidden.known):
            if any(number and classes >> column + 1 & 1 for column, number in enumerate(known)):
                return 0.0
            hidden = hidden.barring(other, classes)
        return self._chance_of(hidden)

    def _chance_of(self, hidden: Hidden) -> float:
        self._verify()
        return Sampler(hidden).ways / self.ways

    def _verify(self) -> None:
        if not self.ways:
            raise RuleError("bad-hands", "no hands agree with what is known of them")

    def _options(self, column: int, *, weighted: bool) -> tuple[_Ints, _Ints, _Floats]:
        first, second = (not barred >> column + 1 & 1 for barred in (*self.hidden.barred, -1)[:2])
        return _splits(self.hidden.unseen[column], first, second, weighted)

    def _tables(self, *, weighted: bool) -> list[_Floats]:
        """By class, then after the last one: the ways of the rest by cards still to come, flat, with the margins."""
        one, two = (size + _MOST for size in self._sizes)
        table = np.zeros((one + 1, two + 1))
        table[_MOST, _MOST] = 1.0
        tables = [table.ravel()]
        for column in reversed(range(CLASSES)):
            before = np.zeros_like(table)
            inside = before[_MOST:, _MOST:]
            for x, y, ways in zip(*self._options(column, weighted=weighted), strict=True):
                inside += ways * table[_MOST - x : one + 1 - x, _MOST - y : two + 1 - y]
            table = before
            tables.append(table.ravel())
        return tables[::-1]


def deal_cards(view: SeatView, worlds: Worlds, generator: np.random.Generator) -> NDArray[np.uint64]:
    """Which hidden cards they are: within each class every choice is equally likely.

    Args:
        view: whose worlds they are.
        worlds: drawn from it.
        generator: chooses.

    Returns:
        By world, by other seat (as in :class:`Hidden`): the mask of its hidden cards in hand.
    """
    cards = np.array(sorted(indices_of(hidden_cards(view)), key=CLASS_OF.__getitem__), np.uint64)
    columns = np.array([CLASS_OF[card] - 1 for card in cards], np.int64)
    # a random order within each class; the classes stay where they are
    order = np.argsort(columns + generator.random((len(worlds), len(cards))), axis=1)
    bits = np.uint64(1) << cards[order]
    place = np.arange(len(cards)) - np.searchsorted(columns, columns)
    ends = np.cumsum(worlds, axis=1, dtype=np.int64)[:, :, columns]
    masks = []
    for begin, end in pairwise([np.zeros_like(ends[:, 0]), *ends.transpose(1, 0, 2)]):
        mine = (begin <= place) & (place < end)
        masks.append(np.bitwise_or.reduce(np.where(mine, bits, np.uint64(0)), axis=1))
    return np.stack(masks, axis=1)
