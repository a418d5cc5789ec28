from __future__ import annotations

import json
from pathlib import Path

import pytest

from hocp2p.game.actions import Stake
from hocp2p.players.auction.tables import read_tables
from hocp2p.training.auction_train import train_auction


def train(folder: Path, seats: int, seed: int) -> tuple[Path, list[str]]:
    told: list[str] = []
    folder.mkdir(exist_ok=True)
    return train_auction(seats, folder, seed, told.append, deals=1000, iterations=(1, 2)), told


def test_one_seed_makes_one_file(tmp_path: Path) -> None:
    first, same, other = (train(tmp_path / str(run), 2, seed)[0].read_bytes() for run, seed in enumerate((1, 1, 2)))
    assert first == same != other


@pytest.mark.parametrize("seats", [2, 3])
def test_tables_and_a_report_are_written(tmp_path: Path, seats: int) -> None:
    path, told = train(tmp_path, seats, 1)
    assert read_tables(path, seats).of(Stake.TRICON, doubled=True).pool == 2 * seats
    report = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert len(report) == 6
    for line in report.values():
        (_, first), (last, now) = line["curve"]
        assert (last, now) == (2, pytest.approx(sum(line["gains"]), abs=1e-4))
        assert first > 0
        assert line["kept"] == pytest.approx(now, abs=0.2)
        assert len(line["worth"]) == seats
    assert len(told) == 2 * len(report)
