from __future__ import annotations

import numpy as np
import pytest

from hocp2p.players.engine.batch import Batch, Ints
from hocp2p.training.play_match import Score, play_match
from hocp2p.training.play_rules import ThumbRules


class Careless:
    """Plays the lowest class, and a hoc wherever it can."""

    def greedy(self, batch: Batch) -> Ints:
        """The highest of the legal actions that are no ordinary card, else the lowest."""
        legal = batch.legal()
        actions: Ints = np.where(legal[:, 13], 13, legal.argmax(axis=1))
        return actions


@pytest.mark.parametrize("seats", [2, 3])
def test_equals_win_nothing_of_each_other(seats: int) -> None:
    """With two exactly nothing, since each deal is played from both seats."""
    score = play_match(ThumbRules(True), ThumbRules(True), seats, 200, np.random.default_rng(1))
    assert score.mean == pytest.approx(0, abs=1e-9)
    assert score.half_width == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_better_wins_either_way(seats: int) -> None:
    rules, careless = ThumbRules(True), Careless()
    one = play_match(rules, careless, seats, 300, np.random.default_rng(1))
    other = play_match(careless, rules, seats, 300, np.random.default_rng(1))
    assert one.mean > one.half_width > 0
    assert other.mean < -other.half_width
    if seats == 2:
        assert one.mean == pytest.approx(-other.mean)


def test_a_score_reads_well() -> None:
    assert str(Score(1.234, 0.1)) == "+1.23 ± 0.10"
