from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import pytest

from hocp2p.training.learning import AuctionCurve, Curves, PlayCurve
from hocp2p.training.play_train import Measure
from hocp2p.training.plots import Interval, Ladder, Rung, draw_curves, draw_ladder

CURVES = Curves(
    tuple(PlayCurve(seats, (Measure(1000, 40, -1, 0.5), Measure(2000, 30, 2, 0.25))) for seats in (2, 3)),
    tuple(AuctionCurve(2, stake, factor, ((1, 0.5), (10, 0.1))) for stake in ("point", "tricon") for factor in (1, 2)),
)


def ladders(mean: float = 1.5) -> list[Ladder]:
    rungs = tuple(
        Rung(label, (Interval(mean, 0.25), Interval(0.5, 0.125), Interval(1, 0.125)))
        for label in ("b over a", "c over b")
    )
    return [Ladder(2, rungs), Ladder(3, rungs)]


def said(path: Path) -> list[str]:
    """The texts of a plot, which stand before their glyphs."""
    return re.findall(r"<!-- (.*?) -->", path.read_text(encoding="utf-8"))


def test_a_ladder_shows_each_rung_at_each_table(tmp_path: Path) -> None:
    path = tmp_path / "ladder.svg"
    draw_ladder(ladders(), path)
    texts = said(path)
    for text in ("2 players", "3 players"):
        assert texts.count(text) == 1
    for text in ("b over a", "c over b"):
        assert texts.count(text) == 2
    assert texts.count("+1.50") == 4  # a bar each, with its figure
    for text in ("whole deals", "the stakes", "the play"):
        assert texts.count(text) == 1


def test_curves_show_nets_and_tables(tmp_path: Path) -> None:
    path = tmp_path / "curves.svg"
    draw_curves(CURVES, path)
    texts = said(path)
    for text in ("the play, 2 players", "the play, 3 players", "the auctions, 2 players", "point, doubled", "tricon"):
        assert texts.count(text) == 1


@pytest.mark.parametrize("curves", [Curves(CURVES.play[:1], ()), Curves((), CURVES.auctions)])
def test_one_kind_alone_can_be_drawn(tmp_path: Path, curves: Curves) -> None:
    path = tmp_path / "curves.svg"
    draw_curves(curves, path)
    assert sum("players" in text for text in said(path)) == 1


def test_the_same_figures_give_the_same_file_whatever_is_set(tmp_path: Path) -> None:
    first, again, other = (tmp_path / f"{number}.svg" for number in range(3))
    draw_ladder(ladders(), first)
    with mpl.rc_context({"font.size": 20, "svg.hashsalt": None, "axes.facecolor": "red"}):
        draw_ladder(ladders(), again)
    draw_ladder(ladders(mean=2), other)
    assert first.read_bytes() == again.read_bytes() != other.read_bytes()
    text = first.read_text(encoding="utf-8")
    assert "<dc:date>" not in text
    assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 # our own file


def test_a_file_is_whole_or_the_one_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ladder.svg"
    path.write_text("before", encoding="utf-8")

    def fail(_figure: object, at: Path, **_options: object) -> None:
        at.write_text("half", encoding="utf-8")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", fail)
    with pytest.raises(OSError, match="No space"):
        draw_ladder(ladders(), path)
    assert path.read_text(encoding="utf-8") == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["ladder.svg"]
