"""Hands put into few buckets by what counts for a stake: strength, and payments when shown (RULES 2.1, 2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hocp2p.game.actions import Stake
from hocp2p.game.combinations import SHORTEST
from hocp2p.players.engine.holdings import holdings, strength
from hocp2p.players.engine.masks import SUIT_BITS, SUIT_SIZE

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NO_LIMIT: Final = 1000
"""Stands where a group is one bucket: no hand is paid so much."""


@dataclass(frozen=True, slots=True)
class Buckets:
    """The buckets of a stake.

    Hands are first put into groups of ascending strength; for Sequence and Tricon the first holds those without a
    combination. A group may be two buckets: those that are paid little when they show, then those that are paid more.

    Args:
        edges: by group but the first, the least strength in it.
        chances: by group but the first, the chance that a random hand is weaker than any in it.
        limits: by group, the highest payment in its first bucket; ``NO_LIMIT`` where there is one only.
        firsts: by group, the number of its first bucket.
    """

    edges: Ints
    chances: Floats
    limits: Ints
    firsts: Ints

    @property
    def count(self) -> int:
        """How many buckets there are."""
        return int(self.firsts[-1]) + (1 if self.limits[-1] == NO_LIMIT else 2)

    def of_hands(self, strengths: Ints, payments: Ints) -> Ints:
        """The buckets of hands, as their figures say (see :func:`figures`)."""
        groups = np.searchsorted(self.edges, strengths, side="right")
        found: Ints = self.firsts[groups] + (payments > self.limits[groups])
        return found

    def at(self, chance: float, payment: int, *, held: bool) -> int:
        """The bucket of one hand.

        Args:
            chance: that a random hand of another seat is weaker, equal hands counting half.
            payment: jetons from each other player when it shows, before doubling.
            held: whether it holds a combination at all.
        """
        group = int(np.searchsorted(self.chances, chance, side="right")) if held else 0
        return int(self.firsts[group]) + int(payment > self.limits[group])


def figures(
    stake: Stake, hands: Sequence[int] | NDArray[np.uint64], *, by_pips: bool = False, lesser: bool = True
) -> tuple[Ints, Ints]:
    """Strength and payment of many hands.

    Args:
        stake: what is compared.
        hands: masks.
        by_pips: house rule ``point = pips``.
        lesser: house rule; without it only the strongest combination is paid.

    Returns:
        two arrays as long as ``hands``: strength, 0 without a combination, the greater the better; jetons from each
        other player for everything that the hand can show, before doubling.
    """
    masks = np.asarray(hands, dtype=np.uint64)
    suits = [(masks >> np.uint64(SUIT_SIZE * suit) & np.uint64(SUIT_BITS)).astype(np.int64) for suit in range(4)]
    strengths, payments = np.zeros(masks.shape, np.int64), np.zeros(masks.shape, np.int64)
    if stake is Stake.TRICON:
        parts = [(sum(bits >> rank & 1 for bits in suits), tricon_figures(rank + 1)) for rank in range(SUIT_SIZE)]
    else:
        parts = [(bits, suit_figures(stake, by_pips)) for bits in suits]
    for held, (strength_of, payment_of, best_of) in parts:
        if lesser:
            payments += payment_of[held]
        else:
            payments = np.where(strength_of[held] > strengths, best_of[held], payments)
        strengths = np.maximum(strengths, strength_of[held])
    return strengths, payments


@cache
def suit_figures(stake: Stake, by_pips: bool) -> tuple[Ints, Ints, Ints]:
    """By the 13 bits of one suit: its strength for Point or Sequence, its payment, and that of its best part alone."""
    found = [holdings(stake, bits) for bits in range(1 << SUIT_SIZE)]
    strengths = [strength(stake, held[0].code, by_pips=by_pips) if held else 0 for held in found]
    payments = [sum(part.pay for part in held) for held in found]
    return np.array(strengths), np.array(payments), np.array([held[0].pay if held else 0 for held in found])


@cache
def tricon_figures(rank: int) -> tuple[Ints, Ints, Ints]:
    """By number of cards of a rank, 0 to 4: its strength for Tricon, and its payment twice, as above."""
    strengths, payments = np.zeros(5, np.int64), np.zeros(5, np.int64)
    for number in range(SHORTEST, 5):
        hand = sum(1 << SUIT_SIZE * suit + rank - 1 for suit in range(number))
        strengths[number], payments[number] = holdings(Stake.TRICON, hand)[0][:2]
    return strengths, payments, payments
