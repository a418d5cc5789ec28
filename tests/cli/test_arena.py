from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from hocp2p.cli import arena
from hocp2p.cli.bar import Bar
from hocp2p.cli.main import main
from hocp2p.session import arena_open

Capture = pytest.CaptureFixture[str]


def run_json(capsys: Capture, *arguments: str) -> dict[str, object]:
    assert main(["arena", *arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_a_table_of_figures(capsys: Capture) -> None:
    assert main(["arena", "novice", "random", "--deals", "6", "--jobs", "1", "--seed", "7"]) == 0
    out, err = capsys.readouterr()
    assert err == ""  # no bar where nobody looks
    lines = out.splitlines()
    assert lines[0] == "seed 7, deals from every seat: 6"
    assert "novice, random" in lines
    assert sum(line.startswith(("novice ", "random ")) for line in lines) == 5
    assert sum("±" in line for line in lines) == 3
    assert "novice over random" in out


def test_one_deal_has_no_interval(capsys: Capture) -> None:
    assert main(["arena", "novice", "random", "--deals", "1"]) == 0
    assert "±" not in capsys.readouterr().out


def test_json_is_the_same_with_any_number_of_processes(capsys: Capture) -> None:
    arguments = ("novice", "random", "random", "--deals", "3", "--house", "point=pips", "double=never")
    alone = run_json(capsys, *arguments, "--jobs", "1")
    together = run_json(capsys, *arguments, "--jobs", "2")
    assert alone.pop("times").keys() == together.pop("times").keys()  # type: ignore[attr-defined] # an object
    assert alone == together
    assert alone["levels"] == ["novice", "random", "random"]
    assert alone["blocks"] == 3
    house = alone["house"]
    assert isinstance(house, dict)
    assert (house["point"], house["double"]) == ("pips", "never")


@pytest.mark.parametrize("kind", [("novice", "club"), ("novice", "club", "--ladder", "--seats", "2")])
def test_levels_that_bid_by_rules_of_thumb_under_these_rules_are_named(kind: tuple[str, ...], capsys: Capture) -> None:
    arguments = (*kind, "--deals", "1", "--jobs", "1", "--house", "raise_cap=4")
    assert main(["arena", *arguments]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "raises up to 4: club bids like the novice"
    assert run_json(capsys, *arguments)["bid_like_novice"] == ["club"]
    usual = (*arguments[:-1], "raise_cap=5")
    assert main(["arena", *usual]) == 0
    assert "like the novice" not in capsys.readouterr().out
    assert run_json(capsys, *usual)["bid_like_novice"] == []


LADDER = ("random", "novice", "--ladder", "--deals", "3")


def test_a_ladder_at_both_tables(capsys: Capture) -> None:
    assert main(["arena", *LADDER, "--jobs", "1", "--seed", "7"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "seed 7, deals from every seat: 3"
    assert [line for line in lines if line.startswith("a table")] == [
        "a table of 2, seat against seat",
        "a table of 3, seat against seat",
    ]
    rows = [line for line in lines if line.startswith("novice over random ")]
    assert len(rows) == 2
    for row in rows:
        assert row.count("±") == 3
        assert row.endswith(" ms")
        assert len(row) == len(lines[3])  # as wide as its head


def test_the_ladder_is_of_all_levels_that_can_be_seated(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(arena, "LEVELS", ("random", "novice"))
    arguments = ("--ladder", "--seats", "2", "--deals", "2", "--house", "point=pips")
    alone, together = (run_json(capsys, *arguments, "--jobs", jobs) for jobs in ("1", "2"))
    rungs: list[dict[str, Any]] = []
    for found in (alone, together):
        assert isinstance(found["ladder"], list)
        rungs += found["ladder"]
    rung, _same = rungs
    assert [set(each.pop("times")) for each in rungs] == [{"random", "novice"}] * 2
    assert alone == together
    assert rung["levels"] == ["novice", "random"]
    assert (rung["blocks"], rung["regrets"]) == (2, {})
    (margin,) = rung["margins"]
    assert (margin["level"], margin["other"]) == ("novice", "random")
    assert alone["seed"] == 1
    assert alone["house"]["point"] == "pips"  # type: ignore[index] # an object


def test_a_ladder_is_written_down_and_drawn(tmp_path: Path, capsys: Capture) -> None:
    plot, path = tmp_path / "ladder.svg", tmp_path / "deals.jsonl"
    assert main(["arena", *LADDER, "--jobs", "1", "--plot", str(plot), "--jsonl", str(path)]) == 0
    assert "novice over random" in plot.read_text(encoding="utf-8")
    assert main(["arena", "--replay", str(path)]) == 0
    assert f"{3 * (2 + 6)} deals were played again" in capsys.readouterr().out


def test_regret_in_words_and_in_json(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(arena_open, "MOST_NODES", 300)
    arguments = ("novice", "random", "--deals", "2", "--jobs", "1", "--regret")
    assert main(["arena", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    told = lines[lines.index("against the best play with open cards") + 1 :]
    regrets = run_json(capsys, *arguments)["regrets"]
    assert isinstance(regrets, dict)
    assert [line.split()[0] for line in told] == list(regrets) == ["novice", "random"]
    for line, regret in zip(told, regrets.values(), strict=True):
        assert f" {regret['mean']:.3f} jetons lost a decision; 6 or more by {regret['blunders']:.2%}; " in line
        assert line.endswith(f" {regret['decisions']} decisions, {regret['unsolved']} too hard to solve")


@pytest.fixture
def deals(tmp_path: Path, capsys: Capture) -> Path:
    """Six deals that the arena wrote down."""
    path = tmp_path / "deals.jsonl"
    assert main(["arena", "novice", "random", "--deals", "3", "--jobs", "1", "--jsonl", str(path)]) == 0
    capsys.readouterr()
    return path


def test_deals_written_down_are_right(capsys: Capture, deals: Path) -> None:
    assert len(deals.read_text(encoding="utf-8").splitlines()) == 6
    assert main(["arena", "--replay", str(deals)]) == 0
    assert capsys.readouterr().out == "6 deals were played again by the rules: every figure is right\n"
    assert run_json(capsys, "--replay", str(deals)) == {"deals": 6, "correct": True}


def test_a_file_is_never_overwritten(capsys: Capture, deals: Path) -> None:
    before = deals.read_bytes()
    assert main(["arena", "novice", "random", "--deals", "1", "--jsonl", str(deals)]) == 2
    assert "exists already; choose another file for --jsonl" in capsys.readouterr().err
    assert deals.read_bytes() == before


def spoilt(line: str, how: str) -> str:
    """One deal made wrong."""
    record = json.loads(line)
    if how == "figure":
        record["pay"]["cards"][0] += 1
    elif how == "action":
        record["actions"][0] = "1 good"
    elif how == "short":
        record["actions"].pop()
    elif how == "card":
        record["hands"][0] = record["hands"][1]
    elif how == "key":
        del record["net"]
    return json.dumps(record) if how != "text" else line[:-2]


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("figure", "pay of cards is"),
        ("action", "action 1 (1 good): it is seat 0's turn"),
        ("short", "the deal is not over after action"),
        ("card", "lies in two places"),
        ("key", "the deal lacks net"),
        ("text", "not a JSON object"),
    ],
)
def test_a_wrong_deal_is_named_with_line_and_reason(capsys: Capture, deals: Path, how: str, reason: str) -> None:
    lines = deals.read_text(encoding="utf-8").splitlines()
    lines[3] = spoilt(lines[3], how)
    deals.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["arena", "--replay", str(deals)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"hocp2p: line 4 of {deals}: ")
    assert reason in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "holds no deal"), (b"\n", "line 1 of"), (b"\xff\xfe\n", "line 1 of {path} is not UTF-8 text")],
)
def test_files_that_are_none(capsys: Capture, tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "deals.jsonl"
    path.write_bytes(content)
    assert main(["arena", "--replay", str(path)]) == 2
    assert reason.format(path=path) in capsys.readouterr().err


def test_a_file_that_is_not_there(capsys: Capture, tmp_path: Path) -> None:
    assert main(["arena", "--replay", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.endswith("cannot be read: No such file or directory\n")
    assert main(["arena", "novice", "random", "--deals", "1", "--jsonl", str(tmp_path / "no" / "file")]) == 2
    assert capsys.readouterr().err.endswith("cannot be written: No such file or directory\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name two or three levels, or a file to --replay"),
        (["novice"], "name two or three levels, or a file to --replay"),
        (["novice", "random"] * 2, "name two or three levels, or a file to --replay"),
        (["novice", "novice"], "two or three levels play, at least two of them different"),
        (["novice", "genius"], "LEVEL must be one of random, novice, club, master, ismcts, clairvoyant, not 'genius'"),
        (["novice", "random", "--deals", "0"], "--deals must be a number from 1 to 10000000, not '0'"),
        (["novice", "random", "--jobs", "0"], "--jobs must be a number from 1 to 256, not '0'"),
        (["novice", "random", "--seed", "-1"], "--seed must be a number from 0 to 999999999, not '-1'"),
        (["novice", "random", "--house", "point=suits"], "point is cards or pips, not 'suits'"),
        (["novice", "random", "--house", "point"], "--house wants KEY=VALUE, not 'point'"),
        (["novice", "random", "--house", "deals=6"], "--house wants KEY=VALUE, not 'deals=6'"),
        (["novice", "--replay", "x"], "--replay checks a file and plays nothing: leave out the rest"),
        (["--ladder", "--replay", "x"], "--replay checks a file and plays nothing: leave out the rest"),
        (["--seats", "2", "--replay", "x"], "--replay checks a file and plays nothing: leave out the rest"),
        (["--ladder", "novice"], "a ladder is of two levels or more, weakest first; of all if none is named"),
        (["--ladder", "novice", "novice"], "two or three levels play, at least two of them different"),
        (["--ladder", "--seats", "4"], "--seats must be a number from 2 to 3, not '4'"),
        (["novice", "random", "--seats", "2"], "--seats and --plot belong to --ladder"),
        (["novice", "random", "--plot", "x.svg"], "--seats and --plot belong to --ladder"),
        (["--ladder", "--plot", "x.png"], "--plot draws SVG: name a file that ends in .svg, not 'x.png'"),
        (["novice", "random", "random", "--regret"], "--regret is reckoned at tables of two"),
        (["clairvoyant", "novice", "novice"], "a clairvoyant plays at tables of two"),
        (["--ladder", "novice", "clairvoyant"], "a clairvoyant plays at tables of two"),
        (["--ladder", "--regret"], "--regret is reckoned at tables of two"),
    ],
)
def test_what_cannot_be_done_is_said(capsys: Capture, arguments: list[str], said: str) -> None:
    assert main(["arena", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"hocp2p: {said}")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal() -> None:
    stream = Terminal()
    bar = Bar(4, stream)
    bar.show(4, "novice, random")
    assert "[########################] 4/4  0:00 left  novice, random\x1b[K" in stream.getvalue()
    bar.clear()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_a_bar_stays_on_one_line() -> None:
    stream = Terminal()
    Bar(4, stream).show(4, 100 * "x")
    line = stream.getvalue().removeprefix("\r").removesuffix("\x1b[K")
    assert len(line) == 79
    assert line.endswith("xxx")


def test_a_bar_is_not_drawn_more_often_than_can_be_seen() -> None:
    stream = Terminal()
    bar = Bar(1000, stream)
    for done in range(1, 100):
        bar.show(done)
    assert stream.getvalue().count("\r") <= 2


def test_no_bar_elsewhere() -> None:
    stream = io.StringIO()
    bar = Bar(4, stream)
    bar.show(4)
    bar.clear()
    assert stream.getvalue() == ""
