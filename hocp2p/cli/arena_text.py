"""The figures of the arena as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hocp2p.players.levels import bids_by_thumb
from hocp2p.session.arena import Contest
from hocp2p.session.arena_figures import BLUNDER, Estimate, Figures, Score
from hocp2p.session.arena_ladder import Rung
from hocp2p.ui.bot_words import thumb_notes
from hocp2p.ui.lang import _
from hocp2p.ui.numbers import decimal, per_cent, whole

LEAST_CELLS: Final = 15


def format_figures(contest: Contest, figures: Figures) -> str:
    """Jetons a deal with 95 % intervals, decision times, and regrets where they were reckoned."""
    columns = _columns()
    names = [level for cast in figures.casts for level in cast.levels]
    margins = [(over(margin.level, margin.other), margin.score) for margin in figures.margins]
    width = 2 + max(len(name) for name in (*names, *(name for name, _score in margins)))
    cells = max(LEAST_CELLS, *(2 + len(column) for column in columns))
    head = "".join(f"{column:>{cells}}" for column in columns)
    lines = _head([contest], figures.blocks)
    for cast in figures.casts:
        lines += ["", ", ".join(cast.levels), f"{'':{width}}{head}"]
        lines += [_row(level, score, width, cells) for level, score in cast.scores.items()]
    lines += ["", _("seat against seat"), *(_row(name, score, width, cells) for name, score in margins)]
    lines += ["", _("decisions in milliseconds: median, 95 of 100, longest")]
    for level, times in figures.times.items():
        shown = (times.p50_ms, times.p95_ms, times.longest_ms)
        lines.append(f"{level:{width}}" + "".join(f"{decimal(each, 2):>{cells}}" for each in shown))
    lines += _regrets([figures])
    return "\n".join(lines) + "\n"


def format_ladder(rungs: Sequence[Rung]) -> str:
    """For every table, by how much each level does better than the one below, and how long it thinks."""
    columns = (*_columns(), _("95 of 100 decide"))
    cells = max(LEAST_CELLS, *(2 + len(column) for column in columns))
    width = 2 + max(len(over(rung.margin.level, rung.margin.other)) for rung in rungs)
    lines = _head([rung.contest for rung in rungs], rungs[0].figures.blocks)
    for seats in dict.fromkeys(rung.seats for rung in rungs):
        head = "".join(f"{column:>{cells}}" for column in columns)
        lines += ["", _("a table of {seats}, seat against seat").format(seats=seats), f"{'':{width}}{head}"]
        for rung in rungs:
            if rung.seats == seats:
                margin = rung.margin
                within = _("in {time} ms").format(time=decimal(rung.figures.times[margin.level].p95_ms, 2))
                lines.append(f"{_row(over(margin.level, margin.other), margin.score, width, cells)}{within:>{cells}}")
    lines += _regrets([rung.figures for rung in rungs])
    return "\n".join(lines) + "\n"


def levels_by_thumb(contests: Sequence[Contest]) -> list[str]:
    """Levels that have to bid by rules of thumb under the house rules of these contests."""
    named = dict.fromkeys(level for contest in contests for level in contest.levels)
    return [level for level in named if bids_by_thumb(level, contests[0].rules)]


def over(level: str, other: str) -> str:
    """``novice over random``."""
    return _("{level} over {other}").format(level=level, other=other)


def _columns() -> tuple[str, str, str]:
    return _("a deal"), _("in the stakes"), _("in the play")


def _head(contests: Sequence[Contest], blocks: int) -> list[str]:
    """How it was played; where house rules take from some levels how they bid, that too."""
    seed, rules = contests[0].seed, contests[0].rules
    told = _("seed {seed}, deals from every seat: {blocks}").format(seed=seed, blocks=whole(blocks))
    return [told, *thumb_notes(levels_by_thumb(contests), rules)]


def _regrets(all_figures: Sequence[Figures]) -> Iterator[str]:
    """Lines about the play with open cards; none where it was not asked for."""
    regrets = [(level, regret) for figures in all_figures for level, regret in figures.regrets.items()]
    if not regrets:
        return
    yield ""
    yield _("against the best play with open cards")
    width = 2 + max(len(level) for level, _regret in regrets)
    for level, regret in regrets:
        told = _("{jetons} jetons lost a decision; {most} or more by {share}; {decisions} decisions")
        told = told.format(
            jetons=decimal(regret.mean, 3),
            most=BLUNDER,
            share=per_cent(regret.blunders, 2),
            decisions=whole(regret.decisions),
        )
        if regret.unsolved:
            told += _(", {count} too hard to solve").format(count=whole(regret.unsolved))
        yield f"{level:{width}}{told}"


def _row(name: str, score: Score, width: int, cells: int) -> str:
    parts = (score.total, score.stakes, score.play)
    return f"{name:{width}}" + "".join(f"{_estimate(part):>{cells}}" for part in parts)


def _estimate(estimate: Estimate) -> str:
    around = "" if estimate.half_width is None else f" ±{decimal(estimate.half_width, 2)}"
    return decimal(estimate.mean, 2, sign=True) + around
