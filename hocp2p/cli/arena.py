"""``hocp2p arena``: levels of bots against each other, in figures; and the check of deals that it wrote down."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final, TextIO

from hocp2p.cli.arena_text import format_figures, format_ladder, levels_by_thumb, over
from hocp2p.cli.bar import Bar
from hocp2p.cli.language import speak
from hocp2p.cli.settings import read_settings
from hocp2p.cli.values import Choice, Number
from hocp2p.cli.working import (
    MOST_JOBS,
    MOST_SEED,
    cores,
    read_number,
    read_option,
    read_plot_path,
    read_tables,
    writing,
)
from hocp2p.errors import LocalError, NotationError
from hocp2p.game.deal_record import decode_deal
from hocp2p.game.house import HAND_SIZE, Rules
from hocp2p.game.replay import replay
from hocp2p.players.levels import CLAIRVOYANT, ENTRANTS, LEVELS
from hocp2p.record.paths import config_file
from hocp2p.session.arena import Contest, play_blocks
from hocp2p.session.arena_figures import Figures, Tally
from hocp2p.session.arena_ladder import Rung, ladder
from hocp2p.session.workers import use_one_thread
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import _, n_

DEFAULT_DEALS: Final = 1000
MOST_DEALS: Final = 10_000_000
OF_CONTESTS: Final = ("jsonl", "seats", "plot")
OF_CONTESTS_ON: Final = ("ladder", "regret")
"""Options that say nothing where a file is checked: those with a value, and the others."""


def run_arena(flags: Mapping[str, object]) -> int:
    """Plays, or checks a file, and prints what comes of it.

    Raises:
        LocalError: ``bad-setting``, ``bad-contest``, ``unknown-level``; ``record-exists``, ``record-unwritable`` for
            the file to be written; ``bad-replay`` for the one to be read; ``no-library`` and ``plot-unwritable`` for
            the plot.
    """
    speak(read_settings({"json": flags["json"]}, os.environ, config_file()))
    given = flags["levels"]
    levels = tuple(map(str, given)) if isinstance(given, list) else ()
    if flags["replay"] is not None:
        others = any(flags[name] is not None for name in OF_CONTESTS) or any(flags[name] for name in OF_CONTESTS_ON)
        if levels or others:
            raise LocalError("bad-setting", _("--replay checks a file and plays nothing: leave out the rest"))
        return _check(Path(str(flags["replay"])), as_json=bool(flags["json"]))
    contests = _contests(flags, levels)
    plot = read_plot_path(str(flags["plot"])) if flags["plot"] is not None else None
    blocks = read_number(flags, "deals", Number(1, MOST_DEALS), DEFAULT_DEALS)
    jobs = min(blocks, read_number(flags, "jobs", Number(1, MOST_JOBS), cores()))
    path = Path(str(flags["jsonl"])) if flags["jsonl"] is not None else None
    use_one_thread()  # before the first level imports numpy
    with _new_file(path) as file:
        figures = [_play(contest, blocks, jobs, file, judged=bool(flags["regret"])) for contest in contests]
    if flags["ladder"]:
        _tell_ladder([Rung(*pair) for pair in zip(contests, figures, strict=True)], plot, as_json=bool(flags["json"]))
    else:
        _tell(contests[0], figures[0], as_json=bool(flags["json"]))
    return 0


def check_deals(path: Path) -> Iterator[int]:
    """Replays every line of a file by the rules and compares its figures; gives the number of deals so far.

    Raises:
        LocalError: ``bad-replay``: the file cannot be read, or holds no deal, or which line is wrong and why.
    """
    count = 0
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for count, line in enumerate(file, 1):
                try:
                    replay(decode_deal(line.removesuffix("\n")))
                except NotationError as error:
                    told = _("line {number} of {path}: {reason}")
                    told = told.format(number=count, path=path, reason=translate_error(error.message))
                    raise LocalError("bad-replay", told) from error
                yield count
    except OSError as error:
        told = _("{path} cannot be read: {reason}").format(path=path, reason=error.strerror)
        raise LocalError("bad-replay", told) from error
    except UnicodeDecodeError as error:
        told = _("line {number} of {path} is not UTF-8 text").format(number=count + 1, path=path)
        raise LocalError("bad-replay", told) from error
    if not count:
        raise LocalError("bad-replay", _("{path} holds no deal").format(path=path))


def _contests(flags: Mapping[str, object], levels: tuple[str, ...]) -> tuple[Contest, ...]:
    """One; or with ``--ladder`` one a rung, of the named levels or of all that can be seated."""
    for level in levels:
        read_option("LEVEL", Choice(lambda: ENTRANTS), level)
    seed = read_number(flags, "seed", Number(0, MOST_SEED), 1)
    rules = _rules(flags)
    if flags["ladder"]:
        if len(levels) == 1:
            raise LocalError(
                "bad-setting", _("a ladder is of two levels or more, weakest first; of all if none is named")
            )
        tables = read_tables(flags)
        _check_clairvoyant(levels, tables)
        contests = tuple(ladder(levels or LEVELS, tables, seed, rules))
    else:
        if flags["seats"] is not None or flags["plot"] is not None:
            raise LocalError("bad-setting", _("--seats and --plot belong to --ladder"))
        if len(levels) not in HAND_SIZE:
            raise LocalError("bad-setting", _("name two or three levels, or a file to --replay"))
        _check_clairvoyant(levels, (len(levels),))
        contests = (Contest(levels, seed, rules),)
    if flags["regret"] and any(contest.seats != 2 for contest in contests):
        raise LocalError("bad-setting", _("--regret is reckoned at tables of two: name two levels, or --seats 2"))
    return contests


def _check_clairvoyant(levels: Sequence[str], tables: Sequence[int]) -> None:
    if CLAIRVOYANT in levels and any(seats != 2 for seats in tables):
        raise LocalError("bad-setting", _("a clairvoyant plays at tables of two: name two levels, or --seats 2"))


def _rules(flags: Mapping[str, object]) -> Rules:
    rules = Rules()
    house = flags["house"]
    for word in house if isinstance(house, list) else []:
        name, equals, value = str(word).partition("=")
        if not equals or name == "deals":
            raise LocalError("bad-setting", _("--house wants KEY=VALUE, not {value}").format(value=repr(word)))
        rules = rules.with_text(name, value)
    return rules


def _play(contest: Contest, blocks: int, jobs: int, file: TextIO | None, *, judged: bool) -> Figures:
    tally, bar = Tally(contest), Bar(blocks, sys.stderr)
    who = ", ".join(contest.levels)
    played = play_blocks(contest, blocks, jobs=jobs, recorded=file is not None, judged=judged)
    try:
        for number, block in enumerate(played, 1):
            tally.add(block)
            if file is not None:
                file.writelines(deal.line + "\n" for cast in block for deal in cast)
            bar.show(number, who)
    finally:
        bar.clear()
    return tally.figures()


def _tell(contest: Contest, figures: Figures, *, as_json: bool) -> None:
    if as_json:
        about = {"levels": contest.levels, "seed": contest.seed, **_house([contest])}
        sys.stdout.write(json.dumps(about | asdict(figures)) + "\n")
    else:
        sys.stdout.write(format_figures(contest, figures))


def _tell_ladder(rungs: Sequence[Rung], plot: Path | None, *, as_json: bool) -> None:
    if plot is not None:
        _draw(rungs, plot)
    if as_json:
        first = rungs[0].contest
        played = [{"levels": rung.contest.levels} | asdict(rung.figures) for rung in rungs]
        about = {"seed": first.seed, **_house([rung.contest for rung in rungs]), "ladder": played}
        sys.stdout.write(json.dumps(about) + "\n")
    else:
        sys.stdout.write(format_ladder(rungs))


def _house(contests: Sequence[Contest]) -> dict[str, object]:
    """The house rules, and which levels cannot bid by their tables under them."""
    return {"house": contests[0].rules.to_dict(), "bid_like_novice": levels_by_thumb(contests)}


def _draw(rungs: Sequence[Rung], path: Path) -> None:
    from hocp2p.training import plots  # matplotlib, which need not be there

    ladders = []
    for seats in dict.fromkeys(rung.seats for rung in rungs):
        drawn = []
        for rung in (rung for rung in rungs if rung.seats == seats):
            score = rung.margin.score
            parts = (
                plots.Interval(part.mean, part.half_width or 0) for part in (score.total, score.stakes, score.play)
            )
            drawn.append(plots.Rung(over(rung.margin.level, rung.margin.other), tuple(parts)))
        ladders.append(plots.Ladder(seats, tuple(drawn)))
    with writing(path):
        plots.draw_ladder(ladders, path)


def _check(path: Path, *, as_json: bool) -> int:
    deals = max(check_deals(path))
    if as_json:
        sys.stdout.write(json.dumps({"deals": deals, "correct": True}) + "\n")
    else:
        told = n_(
            "{count} deal was played again by the rules: every figure is right",
            "{count} deals were played again by the rules: every figure is right",
            deals,
        )
        sys.stdout.write(told.format(count=deals) + "\n")
    return 0


@contextmanager
def _new_file(path: Path | None) -> Iterator[TextIO | None]:
    """A file that was not there before; None without a path."""
    if path is None:
        yield None
        return
    try:
        file = path.open("x", encoding="utf-8", newline="\n")
    except FileExistsError:
        told = _("{path} exists already; choose another file for --jsonl").format(path=path)
        raise LocalError("record-exists", told) from None
    except OSError as error:
        told = _("{path} cannot be written: {reason}").format(path=path, reason=error.strerror)
        raise LocalError("record-unwritable", told) from error
    with file:
        yield file
