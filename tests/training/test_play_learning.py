from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest

from hocp2p.players.engine.batch import play_out
from hocp2p.players.net.features import ACTION_SIZE, state_size
from hocp2p.players.net.network import SCALE, Net
from hocp2p.players.net.policy import Policy
from hocp2p.training.play_deals import deal_games
from hocp2p.training.play_learning import Adam, Samples, gradients, self_play


def drawn(seats: int, seed: int) -> Net:
    """A net of random weights, the output included."""
    generator = np.random.default_rng(seed)
    net = Net.drawn(seats, (12, 6), generator)
    net.last[:] = generator.standard_normal(6)
    return net


def made_up(size: int) -> Samples:
    """Samples at random."""
    generator = np.random.default_rng(1)
    state, action = generator.standard_normal((size, state_size(2))), generator.standard_normal((size, ACTION_SIZE))
    return Samples(
        state.astype(np.float32), action.astype(np.float32), generator.standard_normal(size).astype(np.float32)
    )


def test_gradients_are_the_slopes_of_the_error() -> None:
    """Against differences, in double precision."""
    net, samples = drawn(2, 1), made_up(7)
    for name in ("state", "action", "bias", "middle", "middle_bias", "last", "last_bias"):
        setattr(net, name, getattr(net, name).astype(np.float64))
    samples = Samples(*(array.astype(np.float64) for array in samples))  # type: ignore[arg-type] # meant
    _, slopes = gradients(net, samples)
    generator, small = np.random.default_rng(2), 1e-6
    for weight, slope in zip(net.weights, slopes, strict=True):
        assert weight.shape == slope.shape
        for at in generator.integers(weight.size, size=5):
            around = []
            for step in (small, -small):
                weight.reshape(-1)[at] += step
                around.append(gradients(net, samples)[0] / 2)
                weight.reshape(-1)[at] -= step
            assert (around[0] - around[1]) / (2 * small) == pytest.approx(slope.reshape(-1)[at], rel=1e-2, abs=1e-6)


def test_steps_bring_the_error_down() -> None:
    net, samples = drawn(2, 1), made_up(50)
    adam = Adam.of(net)
    before, slopes = gradients(net, samples)
    for _ in range(60):
        adam.step(net, slopes, 3e-3)
        after, slopes = gradients(net, samples)
    assert after < before / 3
    assert adam.steps == 60


@pytest.mark.parametrize("seats", [2, 3])
def test_without_exploring_it_plays_as_the_policy_does(seats: int) -> None:
    """What was won from the first decision on is what the place won in all."""
    net = drawn(seats, 3)
    batch = deal_games(seats, 40, np.random.default_rng(4))
    samples = self_play(net, deepcopy(batch), 0, np.random.default_rng(5))
    net_jetons = play_out(batch, Policy(net).greedy)
    assert samples.target[:40] * SCALE == pytest.approx(net_jetons[:, 0])  # eldest leads from a hand of many classes
    assert samples.state.shape == (len(samples.target), state_size(seats))
    assert samples.action.shape == (len(samples.target), ACTION_SIZE)
    assert len(samples.target) > 200


def test_exploring_changes_what_is_done() -> None:
    net, batch = drawn(2, 3), deal_games(2, 40, np.random.default_rng(4))
    greedy = self_play(net, deepcopy(batch), 0, np.random.default_rng(5))
    first = self_play(net, deepcopy(batch), 0.5, np.random.default_rng(5))
    again = self_play(net, deepcopy(batch), 0.5, np.random.default_rng(5))
    assert np.array_equal(first.action, again.action)
    changed = (first.action[:40] != greedy.action[:40]).any(axis=1).sum()
    assert 5 < changed < 30
