"""What the cards bring in an auction, counted over sampled deals: the buckets, and who wins what from whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hocp2p.game.actions import Stake
from hocp2p.game.cards import DECK_SIZE
from hocp2p.game.house import HAND_SIZE
from hocp2p.players.auction.buckets import NO_LIMIT, Buckets, Floats, Ints
from hocp2p.players.auction.tree import Menu
from hocp2p.players.engine.holdings import RATE, class_number

CHUNK: Final = 20_000  # deals shuffled at once

GROUPS: Final[Mapping[int, tuple[tuple[int, ...], ...]]] = {
    2: ((24,), (6, 3, 4), (10, 2)),
    3: ((12,), (4, 2, 1), (7, 1)),
}
"""By seats and stake, the number of groups of a class: see :class:`Buckets`. Point knows no classes."""

LEAST_PART: Final = 0.15
"""A group is made two buckets where each has at least this share of it."""


def deal_hands(seats: int, deals: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Random hands: masks, deals x seats."""
    size = HAND_SIZE[seats]
    bits = np.uint64(1) << np.arange(DECK_SIZE, dtype=np.uint64)
    hands = np.empty((deals, seats), np.uint64)
    for first in range(0, deals, CHUNK):
        count = min(CHUNK, deals - first)
        order = np.argsort(rng.random((count, DECK_SIZE)), axis=1)[:, : size * seats]
        hands[first : first + count] = bits[order].reshape(count, seats, size).sum(axis=2, dtype=np.uint64)
    return hands


def make_buckets(seats: int, stake: Stake, strengths: Ints, payments: Ints) -> Buckets:
    """Groups of about equal weight within a class, and by payment.

    Args:
        seats: 2 or 3.
        stake: what is compared.
        strengths, payments: of random hands, as :func:`~hocp2p.players.auction.buckets.figures` gives them.
    """
    edges: list[int] = []
    classes = _classes(stake, strengths)
    for number, groups in enumerate(GROUPS[seats][stake], 1):
        parts = np.arange(groups) / groups
        if stake is Stake.POINT:
            parts = 1 - (1 - parts[1:]) ** 1.5  # finer at the top, where the raises are high
        of_class = strengths[classes == number]
        edges += [int(np.quantile(of_class, part, method="lower")) for part in parts]
    cuts = np.unique(np.array(edges, np.int64))
    chances = np.searchsorted(np.sort(strengths), cuts, side="left") / len(strengths)
    in_group = np.searchsorted(cuts, strengths, side="right")
    limits = np.array([_limit(payments[in_group == group]) for group in range(len(cuts) + 1)])
    widths = np.where(limits == NO_LIMIT, 1, 2)
    return Buckets(cuts, chances, limits, np.cumsum(widths) - widths)


def _classes(stake: Stake, strengths: Ints) -> Ints:
    """The class numbers of strengths, 0 without a combination; 1 everywhere for Point."""
    if stake is Stake.POINT:
        return np.ones_like(strengths)
    known, places = np.unique(strengths, return_inverse=True)
    numbers = [class_number(stake, int(code)) if code else 0 for code in known]
    return np.array(numbers)[places].reshape(strengths.shape)


def _limit(payments: Ints) -> int:
    """The payment that parts a group best; ``NO_LIMIT`` where a part would be too small."""
    best = (1.0, NO_LIMIT)
    for limit in np.unique(payments)[:-1]:
        share = float((payments <= limit).mean())
        if LEAST_PART <= share <= 1 - LEAST_PART:
            best = min(best, (abs(share - 0.5), int(limit)))
    return best[1]


@dataclass(frozen=True, slots=True)
class Chance:
    """Sums over deals, divided by their number. Every tensor has one axis a place: its bucket.

    Args:
        seats, count: places; buckets of each.
        joint: how often these buckets meet.
        wins: by (contestants, place), how often this place wins the showdown.
        shown: by (contestants, place), its net payment there.
        alone: by (winner, class number), what each other place pays when he is left alone with it.
    """

    seats: int
    count: int
    joint: Floats
    wins: dict[tuple[int, int], Floats]
    shown: dict[tuple[int, int], Floats]
    alone: dict[tuple[int, int], Floats]


def count_chances(menu: Menu, stake: Stake, buckets: Buckets, strengths: Ints, payments: Ints, factor: int) -> Chance:
    """Counts every deal in every seating.

    Args:
        menu: what may be said.
        stake: what is bid for.
        buckets: of this stake.
        strengths, payments: deals x seats.
        factor: 2 where payments are doubled, else 1.
    """
    seats = menu.seats
    orders = list(permutations(range(seats)))
    strong = np.concatenate([strengths[:, order] for order in orders])
    paid = np.concatenate([payments[:, order] for order in orders]) * factor
    cells = np.zeros(len(strong), np.int64)
    for place in range(seats):
        cells = cells * buckets.count + buckets.of_hands(strong[:, place], paid[:, place] // factor)

    def tally(weights: NDArray[np.float64] | NDArray[np.bool_] | Ints) -> Floats:
        sums = np.bincount(cells, weights=weights, minlength=buckets.count**seats)
        result: Floats = sums.reshape((buckets.count,) * seats) / len(strong)
        return result

    wins, shown = {}, {}
    for contestants in range(1 << seats):
        places = [place for place in range(seats) if contestants >> place & 1]
        if len(places) < 2:
            continue
        winner = np.array(places)[np.argmax(strong[:, places], axis=1)]  # the first of equals: the best position
        due = np.take_along_axis(paid, winner[:, None], axis=1)[:, 0]
        for place in range(seats):
            wins[contestants, place] = tally(winner == place)
            shown[contestants, place] = tally(np.where(winner == place, (seats - 1) * due, -due))
    alone = {
        (place, number): tally(np.maximum(paid[:, place], factor * RATE[stake][number]))
        for place, number in product(range(seats), menu.classes or (0,))
    }
    return Chance(seats, buckets.count, tally(np.ones(len(strong))), wins, shown, alone)
