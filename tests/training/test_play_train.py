from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hocp2p.players.net.network import read_net
from hocp2p.training.play_train import Plan, train_play

SMALL = Plan(
    hidden=(24, 12),
    games=300,
    round_games=50,
    samples=256,
    measures=3,
    measured_deals=20,
    candidates=2,
    final_deals=20,
)


@pytest.mark.parametrize("seats", [2, 3])
def test_one_seed_one_net(tmp_path: Path, seats: int) -> None:
    told: list[tuple[int, int, str]] = []
    files = []
    for seed, name in ((1, "one"), (1, "again"), (2, "other")):
        (tmp_path / name).mkdir()
        told.clear()
        curve = train_play(seats, tmp_path / name, seed, lambda *line: told.append(line), SMALL)
        files.append((tmp_path / name / f"play{seats}.npz").read_bytes())
        written = json.loads((tmp_path / name / f"play{seats}.json").read_text(encoding="utf-8"))
        assert [point["games"] for point in written["curve"]] == [100, 200, 300] == [point.games for point in curve]
        assert written["seed"] == seed
        assert written["plan"]["games"] == 300
        assert curve[-1].error > 0
    assert files[0] == files[1] != files[2]
    assert [done for done, _, _ in told] == [50, 100, 150, 200, 250, 300]
    assert sum(bool(line) for _, _, line in told) == 3
    with (tmp_path / "one" / f"play{seats}.npz").open("rb") as file:
        assert read_net(file, seats).bias.shape == (24,)


def test_it_learns(tmp_path: Path) -> None:
    plan = replace(SMALL, games=800, round_games=100, rate=4e-3, fading=0.8, measures=2, measured_deals=150)
    curve = train_play(2, tmp_path, 3, plan=plan)
    assert curve[-1].score > curve[0].score + curve[0].half_width
