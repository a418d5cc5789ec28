"""The ladder: every level against the one below it, at one table after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hocp2p.game.house import DEFAULT_RULES, Rules
from hocp2p.session.arena import Contest
from hocp2p.session.arena_figures import Figures, Margin


@dataclass(frozen=True, slots=True)
class Rung:
    """A level that has played the one below it.

    Args:
        contest: the table of the two, the higher level first.
        figures: what came of it.
    """

    contest: Contest
    figures: Figures

    @property
    def seats(self) -> int:
        """2 or 3."""
        return self.contest.seats

    @property
    def margin(self) -> Margin:
        """By how much a seat of the higher level does better than one of the lower."""
        (margin,) = self.figures.margins
        return margin


def ladder(levels: Sequence[str], tables: Iterable[int], seed: int, rules: Rules = DEFAULT_RULES) -> Iterator[Contest]:
    """The contests, table by table from the bottom up. At a table of three one plays two, both ways.

    Args:
        levels: weakest first, at least two; a level beside itself is no rung.
        tables: numbers of seats.
        seed: of everything in every contest; all rungs of a table so play the same decks.
        rules: the house rules.

    Raises:
        LocalError: ``bad-contest``: two levels in a row are the same, or the seats are neither 2 nor 3.
    """
    for seats in tables:
        for below, level in pairwise(levels):
            yield Contest((level, *(below,) * (seats - 1)), seed, rules)
