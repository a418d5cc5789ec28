"""A hand in the play, as a player plans with it: suits do not matter, so ordinary cards are counts by rank."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from hocp2p.game.cards import KING, Card

CALLS: Final = KING + 2
"""Length of a table by rank called: no ordinary card is higher than a queen, and 0 and 14 are never held."""


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards in hand.

    Args:
        counts: ordinary cards by rank, ``CALLS`` entries.
        hocs: fixed hocs.
    """

    counts: tuple[int, ...]
    hocs: int

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Hand:
        """Counts these cards."""
        counts, hocs = [0] * CALLS, 0
        for card in cards:
            if card.is_hoc:
                hocs += 1
            else:
                counts[card.rank] += 1
        return cls(tuple(counts), hocs)

    @property
    def size(self) -> int:
        """Cards in all."""
        return sum(self.counts) + self.hocs

    def chain(self, rank: int) -> int:
        """How many ordinary cards go down in a row when ``rank`` is led or called."""
        length = 0
        while self.counts[rank + length]:
            length += 1
        return length

    def after_chain(self, rank: int) -> Hand:
        """What is left after :meth:`chain`."""
        end = rank + self.chain(rank)
        return Hand(tuple(count - (rank <= r < end) for r, count in enumerate(self.counts)), self.hocs)

    def after_hoc(self) -> Hand:
        """What is left after a fixed hoc, of which there must be one."""
        return Hand(self.counts, self.hocs - 1)

    def stops(self, safe: Collection[int]) -> int:
        """How many chains do not come back by themselves, when the ordinary cards are led in as few chains as can be.

        Going up the ranks, as many chains end at a rank as it has cards more than the next. A chain comes back when
        the rank called after it is in ``safe``: nobody else can play it.
        """
        return sum(max(0, self.counts[rank] - self.counts[rank + 1]) for rank in range(1, KING) if rank + 1 not in safe)

    def goes_out_leading(self, safe: Collection[int]) -> bool:
        """Whether its holder, who leads, might get rid of every card whatever the others do: where not, he cannot.

        Between two chains that do not come back he needs a hoc; hocs to spare he leads. That he must play a called rank
        which he holds (rule 3.1) is left out: exactly it is told by ``going_out.GoingOut``.
        """
        return self.stops(safe) <= self.hocs + 1

    def goes_out_called(self, rank: int, safe: Collection[int], comes_back: bool) -> bool:
        """The same when ``rank`` is called.

        ``comes_back``: the last card is his and nobody else can play ``rank``, so that *sans* wins the lead.
        To play an ordinary card of the rank is never worse than a hoc: it does not raise the number of chains.
        """
        rest = self.after_chain(rank)
        if rest.size == 0:
            return True
        if rest.size < self.size:
            comes_back = rank + self.chain(rank) in safe
        if comes_back and rest.goes_out_leading(safe):
            return True
        return rest.hocs > 0 and rest.after_hoc().goes_out_leading(safe)
