"""Matches in the play alone, thousands of deals at once: every deal from every seat, so that luck cancels out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from hocp2p.players.engine.batch import Batch, Ints, rounds
from hocp2p.training.play_deals import deal_games

_WIDTH: Final = 1.96  # standard errors on each side of a 95 % interval


class Player(Protocol):
    """Who plays many games at once."""

    def greedy(self, batch: Batch) -> Ints:
        """``[N]``: a legal action in every game, none of which is over."""


@dataclass(frozen=True, slots=True)
class Score:
    """Jetons a deal, and half the width of the 95 % interval. The unit is the deal in all its seatings."""

    mean: float
    half_width: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.half_width:.2f}"


def play_match(
    one: Player, others: Player, seats: int, deals: int, generator: np.random.Generator, unpaid: float = 0
) -> Score:
    """``one`` alone against ``others`` in all other seats.

    Args:
        one, others: they play what they think best.
        seats: 2 or 3.
        deals: each is played once from every seat.
        generator: deals.
        unpaid: share of the deals in which fortuitous hocs are not paid.

    Returns:
        What ``one`` wins a deal.
    """
    dealt = deal_games(seats, deals, generator, unpaid)
    won = np.zeros((seats, deals))
    for place in range(seats):
        won[place] = _play(one, others, dealt.take(np.arange(deals)), place)[:, place]
    blocks = won.mean(axis=0)
    return Score(float(blocks.mean()), float(_WIDTH * blocks.std(ddof=1) / np.sqrt(deals)))


def _play(one: Player, others: Player, batch: Batch, place: int) -> Ints:
    """``[N, P]``: what each place wins when ``one`` sits at ``place``."""
    net = np.zeros(batch.left.shape, np.intp)
    for rows, playing in rounds(batch, net):
        actions = np.empty(len(rows), np.intp)
        ours = playing.turn == place
        for player, mine in ((one, ours), (others, ~ours)):
            if mine.any():
                actions[mine] = player.greedy(playing.take(mine))
        playing.apply(actions)
    return net
