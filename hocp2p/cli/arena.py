"""``hocp2p arena``: levels of bots against each other, in figures; and the check of deals that it wrote down."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final, TextIO

from hocp2p.cli.faces import is_terminal
from hocp2p.cli.language import speak
from hocp2p.cli.settings import read_settings
from hocp2p.cli.values import READERS, Number, Reader
from hocp2p.errors import HocError, LocalError, NotationError
from hocp2p.game.deal_record import decode_deal
from hocp2p.game.house import HAND_SIZE, Rules
from hocp2p.game.replay import replay
from hocp2p.record.paths import config_file
from hocp2p.session.arena import Contest, play_blocks
from hocp2p.session.arena_figures import Estimate, Figures, Score, Tally
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import _, n_

DEFAULT_DEALS: Final = 1000
MOST_DEALS: Final = 10_000_000
MOST_JOBS: Final = 256
MOST_SEED: Final = 999_999_999
BAR_CELLS: Final = 24
REDRAW_S: Final = 0.2


def run_arena(flags: Mapping[str, object]) -> int:
    """Plays, or checks a file, and prints what comes of it.

    Raises:
        LocalError: ``bad-setting``, ``bad-contest``, ``unknown-level``; ``record-exists``, ``record-unwritable`` for
            the file to be written; ``bad-replay`` for the one to be read.
    """
    speak(read_settings({"json": flags["json"]}, os.environ, config_file()))
    given = flags["levels"]
    levels = tuple(map(str, given)) if isinstance(given, list) else ()
    if flags["replay"] is not None:
        if levels or flags["jsonl"] is not None:
            raise LocalError("bad-setting", _("--replay checks a file and plays nothing: leave out the rest"))
        return _check(Path(str(flags["replay"])), as_json=bool(flags["json"]))
    contest = _contest(flags, levels)
    blocks = _number(flags, "deals", Number(1, MOST_DEALS), DEFAULT_DEALS)
    jobs = min(blocks, _number(flags, "jobs", Number(1, MOST_JOBS), _cores()))
    figures = _play(contest, blocks, jobs, Path(str(flags["jsonl"])) if flags["jsonl"] is not None else None)
    if flags["json"]:
        about = {"levels": contest.levels, "seed": contest.seed, "house": contest.rules.to_dict()}
        sys.stdout.write(json.dumps(about | asdict(figures)) + "\n")
    else:
        sys.stdout.write(format_figures(contest, figures))
    return 0


def format_figures(contest: Contest, figures: Figures) -> str:
    """The figures as a table: jetons a deal with 95 % intervals, and decision times."""
    columns = (_("a deal"), _("in the stakes"), _("in the play"))
    names = [level for cast in figures.casts for level in cast.levels]
    margins = [
        (_("{level} over {other}").format(level=margin.level, other=margin.other), margin.score)
        for margin in figures.margins
    ]
    width = 2 + max(len(name) for name in (*names, *(name for name, _score in margins)))
    cells = max(15, *(2 + len(column) for column in columns))
    head = "".join(f"{column:>{cells}}" for column in columns)
    lines = [_("seed {seed}, deals from every seat: {blocks}").format(seed=contest.seed, blocks=f"{figures.blocks:,}")]
    for cast in figures.casts:
        lines += ["", ", ".join(cast.levels), f"{'':{width}}{head}"]
        lines += [_row(level, score, width, cells) for level, score in cast.scores.items()]
    lines += ["", _("seat against seat"), *(_row(name, score, width, cells) for name, score in margins)]
    lines += ["", _("decisions in milliseconds: middle, 95 of 100, longest")]
    for level, times in figures.times.items():
        lines.append(f"{level:{width}}{times.p50_ms:{cells}.2f}{times.p95_ms:{cells}.2f}{times.longest_ms:{cells}.2f}")
    return "\n".join(lines) + "\n"


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


class Bar:
    """How far the work is, on a terminal; elsewhere nothing.

    Args:
        whole: how much there is to do.
        stream: where it is drawn.
    """

    def __init__(self, whole: int, stream: TextIO) -> None:
        self._whole = whole
        self._stream = stream if is_terminal(stream) else None
        self._began_s = self._drawn_s = time.monotonic()

    def show(self, done: int) -> None:
        """Draws it again, unless that was just done."""
        now_s = time.monotonic()
        if self._stream is None or (now_s - self._drawn_s < REDRAW_S and done < self._whole):
            return
        self._drawn_s = now_s
        left_s = round((now_s - self._began_s) * (self._whole - done) / done)
        full = BAR_CELLS * done // self._whole
        left = _("{minutes}:{seconds:02} left").format(minutes=left_s // 60, seconds=left_s % 60)
        bar = "#" * full + "." * (BAR_CELLS - full)
        self._stream.write(f"\r[{bar}] {done:,}/{self._whole:,}  {left}\x1b[K")
        self._stream.flush()

    def clear(self) -> None:
        """Takes it away."""
        if self._stream is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def _contest(flags: Mapping[str, object], levels: tuple[str, ...]) -> Contest:
    if len(levels) not in HAND_SIZE:
        raise LocalError("bad-setting", _("name two or three levels, or a file to --replay"))
    for level in levels:
        _read("LEVEL", READERS["level"], level)
    rules = Rules()
    house = flags["house"]
    for word in house if isinstance(house, list) else []:
        name, equals, value = str(word).partition("=")
        if not equals or name == "deals":
            raise LocalError("bad-setting", _("--house wants KEY=VALUE, not {value}").format(value=repr(word)))
        rules = rules.with_text(name, value)
    return Contest(levels, _number(flags, "seed", Number(0, MOST_SEED), 1), rules)


def _play(contest: Contest, blocks: int, jobs: int, path: Path | None) -> Figures:
    tally, bar = Tally(contest), Bar(blocks, sys.stderr)
    try:
        with _new_file(path) as file:
            for number, block in enumerate(play_blocks(contest, blocks, jobs=jobs, recorded=file is not None), 1):
                tally.add(block)
                if file is not None:
                    file.writelines(deal.line + "\n" for cast in block for deal in cast)
                bar.show(number)
    finally:
        bar.clear()
    return tally.figures()


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


def _row(name: str, score: Score, width: int, cells: int) -> str:
    parts = (score.total, score.stakes, score.play)
    return f"{name:{width}}" + "".join(f"{_estimate(part):>{cells}}" for part in parts)


def _estimate(estimate: Estimate) -> str:
    around = "" if estimate.half_width is None else f" ±{estimate.half_width:.2f}"
    return f"{estimate.mean:+.2f}{around}"


def _number(flags: Mapping[str, object], name: str, reader: Number, default: int) -> int:
    text = flags[name]
    return default if text is None else int(str(_read(f"--{name}", reader, str(text))))


def _read(what: str, reader: Reader, text: str) -> object:
    """The value of an option, or what it must be."""
    try:
        return reader(text)
    except HocError as error:
        told = _("{setting} {message}").format(setting=what, message=translate_error(error.message))
        raise LocalError("bad-setting", told) from error


def _cores() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
