"""Deep Monte-Carlo: games against itself, and the steps by which a net learns from them.

Zha et al., *DouZero: Mastering DouDizhu with Self-Play Deep Reinforcement Learning* (2021): the net plays all seats,
now and then at random, and every action is trained towards what its player has won from it to the end of the deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from hocp2p.players.engine.batch import ACTIONS, Batch, rounds
from hocp2p.players.net.features import Floats, action_features, chances, prospects, state_features
from hocp2p.players.net.network import SCALE, Net
from hocp2p.players.net.observation import observe

_MOMENTUM: Final = 0.9
_SQUARES: Final = 0.999
_TINY: Final = 1e-8
"""Of Adam, as Kingma and Ba (2015) advise."""


class Samples(NamedTuple):
    """Decisions, and what came of them.

    Args:
        state: ``[D, F]``.
        action: ``[D, A]``, of the action that was done.
        target: ``[D]``, what its player won from there on, in units of ``SCALE`` jetons.
    """

    state: Floats
    action: Floats
    target: Floats


def self_play(net: Net, batch: Batch, explore: float, generator: np.random.Generator) -> Samples:
    """Plays games to their ends and keeps all decisions in which there was a choice.

    Args:
        net: plays all places.
        batch: new games; is changed.
        explore: how often an action is drawn at random.
        generator: draws.
    """
    end = np.zeros(batch.left.shape, np.intp)
    kept: list[tuple[Floats, Floats]] = []
    movers: list[np.ndarray[tuple[int, int], np.dtype[np.intp]]] = []
    for rows, playing in rounds(batch, end):
        legal = playing.legal()
        chosen = legal.argmax(axis=1)
        free = np.flatnonzero(legal.sum(axis=1) > 1)
        if len(free):
            observed = observe(playing).take(free)
            around = chances(observed)
            after = prospects(observed, around, legal[free])
            state, action = state_features(observed, around), action_features(observed, around, after)
            values = np.full(legal[free].shape, -np.inf)
            values[after.rows, after.actions] = net.forward(state, action, after.rows)
            wandering = generator.random(len(free)) < explore
            values[wandering] = np.where(legal[free][wandering], generator.random((wandering.sum(), ACTIONS)), -1)
            chosen[free] = values.argmax(axis=1)
            kept.append((state, action[chosen[free][after.rows] == after.actions]))
            turn = playing.turn[free]
            movers.append(np.stack([rows[free], turn, playing.hoc_pay()[free, turn]]))
        playing.apply(chosen)
    game, place, before = np.concatenate(movers, axis=1)
    return Samples(
        state=np.concatenate([state for state, _ in kept]),
        action=np.concatenate([action for _, action in kept]),
        target=((end[game, place] - before) / SCALE).astype(np.float32),
    )


def gradients(net: Net, samples: Samples) -> tuple[float, list[Floats]]:
    """Of half the mean squared error, for the weights in the order of ``net.weights``; first the mean squared error."""
    first = np.maximum(samples.state @ net.state + samples.action @ net.action + net.bias, 0)
    second = np.maximum(first @ net.middle + net.middle_bias, 0)
    error = second @ net.last + net.last_bias - samples.target
    back = (error / len(error)).astype(np.float32)
    to_second = np.outer(back, net.last) * (second > 0)
    to_first = (to_second @ net.middle.T) * (first > 0)
    return float((error * error).mean()), [
        samples.state.T @ to_first,
        samples.action.T @ to_first,
        to_first.sum(axis=0),
        first.T @ to_second,
        to_second.sum(axis=0),
        back @ second,
        back.sum(keepdims=True),
    ]


@dataclass(slots=True)
class Adam:
    """Steps down the gradient, each weight at its own pace (Kingma and Ba 2015).

    Args:
        mean, square: running means of the gradients and of their squares.
        steps: taken so far.
    """

    mean: list[Floats]
    square: list[Floats]
    steps: int = 0

    @classmethod
    def of(cls, net: Net) -> Adam:
        """Before the first step."""
        return cls([np.zeros_like(weight) for weight in net.weights], [np.zeros_like(weight) for weight in net.weights])

    def step(self, net: Net, slopes: list[Floats], rate: float) -> None:
        """Changes the weights by about ``rate`` each."""
        self.steps += 1
        pace = np.float32(rate * np.sqrt(1 - _SQUARES**self.steps) / (1 - _MOMENTUM**self.steps))
        for weight, mean, square, slope in zip(net.weights, self.mean, self.square, slopes, strict=True):
            mean += (1 - _MOMENTUM) * (slope - mean)
            square += (1 - _SQUARES) * (slope * slope - square)
            weight -= pace * mean / (np.sqrt(square) + _TINY)
