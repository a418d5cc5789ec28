"""``hocp2p train``: the weights that the stronger levels play by, made anew; and plots of how they were learnt."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hocp2p.cli.language import speak
from hocp2p.cli.settings import read_settings
from hocp2p.cli.values import Choice, Number
from hocp2p.cli.working import (
    MOST_JOBS,
    MOST_SEED,
    NUMPY,
    cores,
    need_library,
    read_number,
    read_option,
    read_plot_path,
    read_tables,
    writing,
)
from hocp2p.errors import LocalError
from hocp2p.record.paths import config_file
from hocp2p.session.workers import use_one_thread
from hocp2p.ui.lang import _
from hocp2p.ui.numbers import decimal, whole

if TYPE_CHECKING:  # imports numpy, which may be missing
    from hocp2p.cli.training import Trained

DEFAULT_FOLDER: Final = Path("weights")
ONLY: Final = ("play", "auctions")  # as in training.tasks, which imports numpy
OF_TRAINING: Final = ("seed", "out", "seats", "only", "jobs")
"""Options that say nothing where curves are only drawn."""


def run_train(flags: Mapping[str, object]) -> int:
    """Trains, or only draws curves, and prints what was written.

    Raises:
        LocalError: ``bad-setting``; ``no-library`` for numpy or matplotlib; ``folder-in-use``, ``folder-unwritable``;
            ``bad-learning`` for curves that are none; ``training-ended``.
    """
    speak(read_settings({"json": flags["json"]}, os.environ, config_file()))
    use_one_thread()  # before numpy is imported: sums are added in the same order everywhere
    need_library(*NUMPY)
    plot = read_plot_path(str(flags["plot"])) if flags["plot"] is not None else None
    if flags["curves"] is not None:
        return _draw_only(flags, Path(str(flags["curves"])), plot)
    tables = read_tables(flags)
    only = flags["only"]
    kinds = ONLY if only is None else (str(read_option("--only", Choice(lambda: ONLY), str(only))),)
    seed = read_number(flags, "seed", Number(0, MOST_SEED), 1)
    jobs = read_number(flags, "jobs", Number(1, MOST_JOBS), cores())
    out = Path(str(flags["out"])) if flags["out"] is not None else DEFAULT_FOLDER

    from hocp2p.cli.training import train
    from hocp2p.training import tasks

    trained = train(out, tasks.list_tasks(tables, kinds), seed, jobs, tasks.FULL, force=bool(flags["force"]))
    if plot is not None:
        _draw(out, plot)
    if flags["json"]:
        sys.stdout.write(json.dumps(_facts(out, seed, plot, trained)) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(out, plot, trained)))
    return 0


def _draw_only(flags: Mapping[str, object], curves: Path, plot: Path | None) -> int:
    if plot is None:
        raise LocalError("bad-setting", _("--curves draws a file again: say where with --plot"))
    if flags["force"] or any(flags[name] is not None for name in OF_TRAINING):
        raise LocalError("bad-setting", _("--curves draws a file again and trains nothing: leave out the rest"))
    _draw(curves, plot)
    sys.stdout.write(json.dumps({"plot": str(plot)}) + "\n" if flags["json"] else _drawn(plot) + "\n")
    return 0


def _draw(curves: Path, plot: Path) -> None:
    """Draws the curves of a file, or of the one in a folder."""
    from hocp2p.training.learning import FILE_NAME, curves_of, read_learning
    from hocp2p.training.plots import draw_curves

    path = curves / FILE_NAME if curves.is_dir() else curves
    found = curves_of(read_learning(path), path)
    with writing(plot):
        draw_curves(found, plot)


def _facts(out: Path, seed: int, plot: Path | None, trained: Trained) -> dict[str, Any]:
    files = [
        {"file": task.file_name, "bytes": size} | _result(trained.learning[task.name])
        for task, size in trained.sizes_bytes.items()
    ]
    about = {"seed": seed, "folder": str(out), "taken_s": round(trained.taken_s, 1), "files": files}
    return about | ({"plot": str(plot)} if plot is not None else {})


def _lines(out: Path, plot: Path | None, trained: Trained) -> Iterator[str]:
    minutes, seconds = divmod(round(trained.taken_s), 60)
    yield _("written into {folder} after {minutes}:{seconds:02}").format(folder=out, minutes=minutes, seconds=seconds)
    for task, size in trained.sizes_bytes.items():
        yield f"{task.file_name:14}{whole(size):>9} B  {_describe(_result(trained.learning[task.name]))}"
    if plot is not None:
        yield _drawn(plot)


def _result(told: Mapping[str, Any]) -> dict[str, float]:
    """What a task came to in the end: the score of a net with its interval, or the worst table's NashConv."""
    if "stakes" in told:
        return {"nash_conv": max(table["curve"][-1][1] for table in told["stakes"].values())}
    return {name: told["curve"][-1][name] for name in ("score", "half_width")}


def _describe(result: Mapping[str, float]) -> str:
    if "nash_conv" in result:
        return _("NashConv at most {jetons} jetons").format(jetons=decimal(result["nash_conv"], 4))
    told = _("{score} ±{half_width} jetons a deal against rules of thumb, in the play")
    score, half_width = decimal(result["score"], 2, sign=True), decimal(result["half_width"], 2)
    return told.format(score=score, half_width=half_width)


def _drawn(plot: Path) -> str:
    return _("drawn: {path}").format(path=plot)
