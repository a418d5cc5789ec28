"""Rollouts: games that a search wants played on by the net to their ends.

A search asks for them and waits, so that those of many searches can be played in step: numpy takes little longer for a
thousand games than for a hundred. At a table a search is alone; in the arena many think at once.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from hocp2p.game.actions import Action
from hocp2p.players.engine.batch import Batch, Ints, play_out
from hocp2p.players.net.policy import Policy


@dataclass(frozen=True, slots=True)
class Rollouts:
    """What a search asks for.

    Args:
        games: are played on by the one who answers, and changed by it.
        policy: plays for every place.
    """

    games: Batch
    policy: Policy


Thought = TypeVar("Thought")

Asking = Generator[Rollouts, Ints, Thought]
"""What asks for rollouts: each is answered by ``[N, P]``, what every place has won in the end."""

Thinking = Asking[Action]
"""A decision that asks for them."""


def play_together(asked: Sequence[Rollouts]) -> list[Ints]:
    """The answers to all, played in step where it is the same net that plays. At least one must be asked."""
    answers: list[Ints] = [np.zeros((0, 0), np.intp)] * len(asked)
    for policy in {id(one.policy.net): one.policy for one in asked}.values():
        mine = [number for number, one in enumerate(asked) if one.policy.net is policy.net]
        games = Batch.together([asked[number].games for number in mine])
        ends = np.cumsum([len(asked[number].games) for number in mine])
        for number, won in zip(mine, np.split(play_out(games, policy.greedy), ends[:-1]), strict=True):
            answers[number] = won
    return answers


def think_alone(thinking: Asking[Thought]) -> Thought:
    """What comes of it when nobody else thinks."""
    try:
        asked = next(thinking)
        while True:
            asked = thinking.send(play_out(asked.games, asked.policy.greedy))
    except StopIteration as end:
        thought: Thought = end.value
        return thought
