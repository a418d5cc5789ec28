from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from hocp2p.players.net.network import Net, read_net
from hocp2p.players.net.policy import Policy
from hocp2p.training.play_match import play_match
from hocp2p.training.play_rules import ThumbRules
from hocp2p.training.play_train import Measure, Plan, train_play

SMALL = Plan(
    hidden=(24, 12),
    games=120,
    round_games=30,
    samples=256,
    measures=2,
    measured_deals=10,
    candidates=2,
    final_deals=10,
)


def trained(folder: Path, seats: int, seed: int) -> tuple[bytes, list[Measure]]:
    """The file of weights, and the learning curve."""
    folder.mkdir()
    curve = train_play(seats, folder, seed, plan=SMALL)
    return (folder / f"play{seats}.npz").read_bytes(), curve


def test_one_seed_one_net(tmp_path: Path) -> None:
    one, curve = trained(tmp_path / "one", 2, 1)
    assert trained(tmp_path / "again", 2, 1) == (one, curve)
    assert trained(tmp_path / "other", 2, 2)[0] != one


def test_what_is_written_and_told(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    curve = train_play(3, tmp_path, 1, lambda *line: told.append(line), SMALL)
    written = json.loads((tmp_path / "play3.json").read_text(encoding="utf-8"))
    assert [Measure(**point) for point in written["curve"]] == curve
    assert (written["seats"], written["seed"], written["plan"]["games"]) == (3, 1, 120)
    assert [point.games for point in curve] == [60, 120]
    assert [(done, of, bool(line)) for done, of, line in told] == [
        (30, 120, False),
        (60, 120, True),
        (90, 120, False),
        (120, 120, True),
    ]
    with (tmp_path / "play3.npz").open("rb") as file:
        assert read_net(file, 3).bias.shape == (24,)


def test_it_learns(tmp_path: Path) -> None:
    plan = replace(SMALL, games=600, round_games=60, rate=4e-3, fading=0.8, measures=1, measured_deals=100)
    (point,) = train_play(2, tmp_path, 3, plan=plan)
    untrained = Policy(Net.drawn(2, plan.hidden, np.random.default_rng(3)))
    before = play_match(untrained, ThumbRules(True), 2, 100, np.random.default_rng(3))
    assert point.score - point.half_width > before.mean + before.half_width
