"""Plots for the README, as SVG: the ladder of levels, and how nets and auction tables were learnt.

One set of figures gives one file, byte for byte, with one version of matplotlib: no date is in it, and the settings of
whoever draws it count for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from hocp2p.training.learning import AuctionCurve, Curves, PlayCurve

SETTINGS: Final = {
    "svg.hashsalt": "hocp2p",  # else the names of its parts are drawn at random
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "legend.frameon": False,
}
COLOURS: Final = ("#0072b2", "#e69f00", "#009e73")
"""Told apart by everybody (Okabe and Ito 2008)."""
WIDTH_IN: Final = 8.0

PARTS: Final = ("whole deals", "the stakes", "the play")
THICKNESS: Final = 0.26  # of a bar; three and a gap make one row


@dataclass(frozen=True, slots=True)
class Interval:
    """Jetons a deal, and half the width of the 95 % interval."""

    mean: float
    half_width: float


@dataclass(frozen=True, slots=True)
class Rung:
    """One row of the ladder.

    Args:
        label: who is above whom.
        parts: the margin, in the order of ``PARTS``.
    """

    label: str
    parts: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Ladder:
    """The rungs of one table, the lowest first."""

    seats: int
    rungs: tuple[Rung, ...]


def draw_ladder(ladders: Sequence[Ladder], path: Path) -> None:
    """Bars with their intervals, a panel a table, the lowest level below. Raises OSError."""
    rows = max(len(ladder.rungs) for ladder in ladders)
    with style.context(["default", SETTINGS]):
        figure = Figure((WIDTH_IN, 1.4 + 0.8 * rows), layout="constrained")
        panels = figure.subplots(1, len(ladders), squeeze=False)[0]
        for axes, ladder in zip(panels, ladders, strict=True):
            _draw_rungs(axes, ladder)
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(PARTS))
        _save(figure, path)


def draw_curves(curves: Curves, path: Path) -> None:
    """What was learnt: of nets the score, of auction tables NashConv; a panel a table and kind. Raises OSError."""
    count = len(curves.play) + len({curve.seats for curve in curves.auctions})
    with style.context(["default", SETTINGS]):
        figure = Figure((WIDTH_IN, 2.9 * ((count + 1) // 2)), layout="constrained")
        panels = iter(figure.subplots((count + 1) // 2, min(count, 2), squeeze=False).flat)
        for play in curves.play:
            _draw_play(next(panels), play)
        for seats in sorted({curve.seats for curve in curves.auctions}):
            _draw_auctions(next(panels), seats, [curve for curve in curves.auctions if curve.seats == seats])
        for empty in panels:
            empty.set_axis_off()
        _save(figure, path)


def _draw_rungs(axes: Axes, ladder: Ladder) -> None:
    for number, (part, colour) in enumerate(zip(PARTS, COLOURS, strict=True)):
        parts = [rung.parts[number] for rung in ladder.rungs]
        bars = axes.barh(
            [row + THICKNESS * (1 - number) for row in range(len(ladder.rungs))],
            [part.mean for part in parts],
            THICKNESS,
            xerr=[part.half_width for part in parts],
            color=colour,
            label=part,
            error_kw={"elinewidth": 1, "capsize": 2},
        )
        axes.bar_label(bars, [f"{part.mean:+.2f}" for part in parts], padding=3, fontsize="x-small")
    axes.margins(x=0.15)
    axes.set_yticks(range(len(ladder.rungs)), [rung.label for rung in ladder.rungs])
    axes.axvline(0, color="black", linewidth=0.8)
    axes.grid(axis="x", alpha=0.3)
    axes.set_title(f"{ladder.seats} players")
    axes.set_xlabel("jetons a deal, seat against seat")


def _draw_play(axes: Axes, curve: PlayCurve) -> None:
    games = [point.games / 1000 for point in curve.points]
    scores = [point.score for point in curve.points]
    low = [point.score - point.half_width for point in curve.points]
    high = [point.score + point.half_width for point in curve.points]
    axes.fill_between(games, low, high, color=COLOURS[0], alpha=0.25, linewidth=0)
    axes.plot(games, scores, color=COLOURS[0], marker=".")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.grid(alpha=0.3)
    axes.set_title(f"the play, {curve.seats} players")
    axes.set_xlabel("thousand games of self-play")
    axes.set_ylabel("jetons a deal\nagainst rules of thumb")


def _draw_auctions(axes: Axes, seats: int, curves: Sequence[AuctionCurve]) -> None:
    stakes = tuple(dict.fromkeys(curve.stake for curve in curves))
    for curve in curves:
        axes.loglog(
            [iterations for iterations, _ in curve.points],
            [nash_conv for _, nash_conv in curve.points],
            color=COLOURS[stakes.index(curve.stake) % len(COLOURS)],
            linestyle="-" if curve.factor == 1 else "--",
            label=curve.stake if curve.factor == 1 else f"{curve.stake}, doubled",
        )
    axes.grid(alpha=0.3)
    axes.xaxis.set_minor_formatter(NullFormatter())  # between powers of ten there is no room for numbers
    axes.legend(fontsize="small")
    axes.set_title(f"the auctions, {seats} players")
    axes.set_xlabel("iterations of CFR+")
    axes.set_ylabel("NashConv, jetons")


def _save(figure: Figure, path: Path) -> None:
    """Writes another file first: a plot is whole, or it is the one that was there."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        figure.savefig(unfinished, format="svg", metadata={"Creator": "hocp2p", "Date": None})
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
