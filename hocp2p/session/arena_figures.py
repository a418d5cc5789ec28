"""What an arena's blocks come to: means with intervals, and decision times."""

from __future__ import annotations

import statistics
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from hocp2p.session.arena import Block, Contest, PlayedDeal

NORMAL_95: Final = 1.96
BLUNDER: Final = 6
"""A move that loses so many jetons, or more, is told apart from those that lose a little."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over blocks.

    Args:
        mean: jetons a deal.
        half_width: of the 95 % interval; None for a single block, which says nothing of that.
        deviation: standard deviation of a block's value; 0 for a single one.
    """

    mean: float
    half_width: float | None
    deviation: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        """Of one value a block, at least one."""
        if len(values) == 1:
            return cls(values[0], None, 0.0)
        deviation = statistics.stdev(values)
        return cls(statistics.fmean(values), NORMAL_95 * deviation / len(values) ** 0.5, deviation)


@dataclass(frozen=True, slots=True)
class Score:
    """Jetons a deal: of both phases, of the stakes with carte blanche, of the play."""

    total: Estimate
    stakes: Estimate
    play: Estimate

    @classmethod
    def of(cls, pairs: Sequence[tuple[float, float]]) -> Score:
        """Of the stakes and the play of every block."""
        return cls(
            Estimate.of([stakes + play for stakes, play in pairs]),
            Estimate.of([stakes for stakes, _ in pairs]),
            Estimate.of([play for _, play in pairs]),
        )


@dataclass(frozen=True, slots=True)
class Cast:
    """One cast of a contest.

    Args:
        levels: who sat at the table.
        scores: by level, jetons a deal for one seat of it.
    """

    levels: tuple[str, ...]
    scores: dict[str, Score]


@dataclass(frozen=True, slots=True)
class Margin:
    """By how much one seat of a level does better than one of another at the same table, all casts together."""

    level: str
    other: str
    score: Score


@dataclass(frozen=True, slots=True)
class Times:
    """How long decisions of a level took: their number, the middle one, the 95th of a hundred, the longest."""

    decisions: int
    p50_ms: float
    p95_ms: float
    longest_ms: float

    @classmethod
    def of(cls, taken_s: Iterable[float]) -> Times:
        """Of at least one."""
        ordered = sorted(1000 * one for one in taken_s)
        last = len(ordered) - 1
        return cls(len(ordered), ordered[last // 2], ordered[last * 95 // 100], ordered[last])


@dataclass(frozen=True, slots=True)
class Regret:
    """What the decisions of a level in the play lost; see :mod:`hocp2p.session.arena_open`.

    Args:
        decisions: how many were judged.
        unsolved: how many took too long to be.
        mean: jetons a decision.
        blunders: share of those that lost ``BLUNDER`` jetons or more.
    """

    decisions: int
    unsolved: int
    mean: float
    blunders: float

    @classmethod
    def of(cls, regrets: Sequence[int | None]) -> Regret:
        """Of all decisions; None: not solved."""
        lost = [regret for regret in regrets if regret is not None]
        count = max(1, len(lost))
        blunders = sum(regret >= BLUNDER for regret in lost) / count
        return cls(len(lost), len(regrets) - len(lost), sum(lost) / count, blunders)


@dataclass(frozen=True, slots=True)
class Figures:
    """The result of a contest. ``times`` differ from run to run; nothing else does. ``regrets``: where asked for."""

    blocks: int
    casts: tuple[Cast, ...]
    margins: tuple[Margin, ...]
    times: dict[str, Times]
    regrets: dict[str, Regret]


class Tally:
    """Adds up blocks as they come.

    Args:
        contest: whose blocks they are.
    """

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._levels = tuple(dict.fromkeys(contest.levels))
        self._won: list[dict[str, list[tuple[float, float]]]] = [
            {level: [] for level in self._levels} for _ in contest.casts
        ]
        self._taken = {level: array("d") for level in self._levels}
        self._regrets: dict[str, list[int | None]] = {level: [] for level in self._levels}

    def add(self, block: Block) -> None:
        """One block more; the order makes no difference to what is a mean, but floats are added in it."""
        for deals, won in zip(block, self._won, strict=True):
            for level, pairs in won.items():
                pairs.append((_mean(deals, level, _stakes), _mean(deals, level, _play)))
            for deal in deals:
                for level, taken_s in zip(deal.levels, deal.decided_s, strict=True):
                    self._taken[level].extend(taken_s)
                for level, regrets in zip(deal.levels, deal.regrets, strict=False):  # none unless they were judged
                    self._regrets[level].extend(regrets)

    def figures(self) -> Figures:
        """Of all blocks so far, at least one."""
        casts = tuple(
            Cast(levels, {level: Score.of(pairs) for level, pairs in won.items()})
            for levels, won in zip(self._contest.casts, self._won, strict=True)
        )
        margins = tuple(
            Margin(level, other, Score.of(self._differences(level, other)))
            for level, other in combinations(self._levels, 2)
        )
        times = {level: Times.of(taken) for level, taken in self._taken.items() if taken}
        regrets = {level: Regret.of(lost) for level, lost in self._regrets.items() if lost}
        return Figures(len(self._won[0][self._levels[0]]), casts, margins, times, regrets)

    def _differences(self, level: str, other: str) -> list[tuple[float, float]]:
        """By block, the mean over the casts of how much better ``level`` did."""
        by_cast = [
            [(mine[0] - theirs[0], mine[1] - theirs[1]) for mine, theirs in zip(won[level], won[other], strict=True)]
            for won in self._won
        ]
        return [
            (statistics.fmean(stakes for stakes, _ in block), statistics.fmean(play for _, play in block))
            for block in zip(*by_cast, strict=True)
        ]


def _stakes(deal: PlayedDeal) -> tuple[float, ...]:
    return deal.stakes


def _play(deal: PlayedDeal) -> tuple[float, ...]:
    return deal.play


def _mean(deals: Sequence[PlayedDeal], level: str, part: Callable[[PlayedDeal], tuple[float, ...]]) -> float:
    """Over all seats of a level in these deals."""
    return statistics.fmean(
        won for deal in deals for name, won in zip(deal.levels, part(deal), strict=True) if name == level
    )
