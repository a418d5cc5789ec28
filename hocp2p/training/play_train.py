"""Trains the net of the play for two or three players: one seed, the same weights on the same machine.

The net that is kept is a running mean of the one that learns. Which of its states is shipped is decided by a tournament
between the last of them, since the score against one opponent goes flat early.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from hocp2p.players.net.network import SCALE, Net, save_net
from hocp2p.players.net.policy import Policy
from hocp2p.training.play_deals import deal_games
from hocp2p.training.play_learning import Adam, Samples, gradients, self_play
from hocp2p.training.play_match import Score, play_match
from hocp2p.training.play_rules import ThumbRules

Progress = Callable[[int, int, str], None]
"""Is told how many games were played, of how many, and a line about it (empty when nothing was measured)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is trained, and how.

    Args:
        hidden: units of the hidden layers.
        games: in all.
        round_games: games that are played before the net learns from them.
        samples: decisions that one step is taken on.
        rate: pace of the first steps; falls to nothing by half a cosine.
        explore: how often an action is drawn at random at first, and at the end.
        fading: of the running mean: weight of what was before, a step.
        measures: how often the net is measured against rules of thumb; each is a candidate.
        measured_deals: for one measure.
        candidates: how many of the last measured nets go into the tournament.
        final_deals: for each pair of the tournament.
    """

    hidden: tuple[int, int] = (192, 96)
    games: int = 1_000_000
    round_games: int = 1_000
    samples: int = 512
    rate: float = 1e-3
    explore: tuple[float, float] = (0.1, 0.02)
    fading: float = 0.999
    measures: int = 25
    measured_deals: int = 2_000
    candidates: int = 4
    final_deals: int = 4_000


DEFAULT_PLAN: Final = Plan()


@dataclass(frozen=True, slots=True)
class Measure:
    """A point of the learning curve.

    Args:
        games: played so far.
        error: mean squared error of the net on new games, in square jetons.
        score: jetons a deal, alone against rules of thumb that keep their hocs.
        half_width: of its 95 % interval.
    """

    games: int
    error: float
    score: float
    half_width: float


def train_play(
    seats: int, out_dir: Path, seed: int, progress: Progress | None = None, plan: Plan = DEFAULT_PLAN
) -> list[Measure]:
    """Trains and writes ``play2.npz`` or ``play3.npz``, and beside it the learning curve as ``play2.json``.

    Args:
        seats: 2 or 3.
        out_dir: an existing directory.
        seed: of everything.
        progress: is called after every round of games.
        plan: how much is trained.

    Returns:
        The learning curve, as it is written.
    """
    generator = np.random.default_rng([seed, seats])
    net = Net.drawn(seats, plan.hidden, generator)
    kept, adam = deepcopy(net), Adam.of(net)
    rounds_in_all = plan.games // plan.round_games
    every = max(1, rounds_in_all // plan.measures)
    curve: list[Measure] = []
    candidates: list[Net] = []
    for number in range(1, rounds_in_all + 1):
        done = number / rounds_in_all
        explore = plan.explore[0] + done * (plan.explore[1] - plan.explore[0])
        rate = plan.rate * (1 + np.cos(np.pi * done)) / 2
        samples = self_play(net, deal_games(seats, plan.round_games, generator), explore, generator)
        error = _learn(net, kept, adam, samples, rate, plan, generator)
        line = ""
        if number % every == 0 or number == rounds_in_all:
            candidates = [*candidates, deepcopy(kept)][-plan.candidates :]
            score = play_match(Policy(kept), ThumbRules(True), seats, plan.measured_deals, np.random.default_rng(seed))
            curve.append(Measure(number * plan.round_games, error, score.mean, score.half_width))
            line = f"{score} jetons a deal against rules of thumb"
        if progress is not None:
            progress(number * plan.round_games, plan.games, line)
    best = _best_of(candidates, seats, plan, seed)
    with (out_dir / f"play{seats}.npz").open("wb") as file:
        save_net(best, seats, file)
    text = json.dumps({"seats": seats, "seed": seed, "plan": asdict(plan), "curve": [asdict(point) for point in curve]})
    (out_dir / f"play{seats}.json").write_text(text + "\n", encoding="utf-8")
    return curve


def _learn(
    net: Net,
    kept: Net,
    adam: Adam,
    samples: Samples,
    rate: float,
    plan: Plan,
    generator: np.random.Generator,
) -> float:
    """One pass through the samples in random order; gives the mean squared error, in square jetons."""
    order = generator.permutation(len(samples.target))
    errors = []
    for first in range(0, len(order), plan.samples):
        some = order[first : first + plan.samples]
        error, slopes = gradients(net, Samples(*(array[some] for array in samples)))
        adam.step(net, slopes, rate)
        fading = min(plan.fading, adam.steps / (adam.steps + 10))  # at first there is little to remember
        for mean, weight in zip(kept.weights, net.weights, strict=True):
            mean += np.float32(1 - fading) * (weight - mean)
        errors.append(error)
    return float(np.mean(errors)) * SCALE**2


def _best_of(candidates: list[Net], seats: int, plan: Plan, seed: int) -> Net:
    """Who wins most in a tournament of each against each."""
    won = np.zeros(len(candidates))
    for number, (one, other) in enumerate(combinations(range(len(candidates)), 2)):
        players = Policy(candidates[one]), Policy(candidates[other])
        generator = np.random.default_rng([seed, seats, number])
        scores: list[Score] = [
            play_match(players[0], players[1], seats, plan.final_deals, generator),
            play_match(players[1], players[0], seats, plan.final_deals, generator),
        ]
        won[one] += scores[0].mean - scores[1].mean
        won[other] += scores[1].mean - scores[0].mean
    return candidates[int(won.argmax())]
