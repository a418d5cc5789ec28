"""The chance that another hand is weaker: exact counts as in :mod:`hocp2p.players.estimates`, quick enough for every
decision, since all sets of cards of a suit are looked at in one go."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final

import numpy as np

from hocp2p.game.actions import Stake
from hocp2p.players.auction.buckets import Floats, suit_figures, tricon_figures
from hocp2p.players.engine.masks import ACES_MASK, SUIT_BITS, SUIT_SIZE

_SETS: Final = np.arange(1 << SUIT_SIZE)
_SIZES: Final = np.array([bits.bit_count() for bits in range(1 << SUIT_SIZE)])


@lru_cache(maxsize=512)
def chance_weaker(stake: Stake, strength: int, shown: int, unseen: int, draws: int, *, by_pips: bool) -> float:
    """The chance that one opponent's hand is weaker for a stake, an equal one counting half.

    Args:
        stake: what is compared.
        strength: ours, as :func:`~hocp2p.players.auction.buckets.figures` gives it.
        shown: mask of cards that the opponent is known to hold.
        unseen: mask of cards that may be anywhere, his hand included.
        draws: how many of his cards are not known.
        by_pips: house rule ``point = pips``.
    """
    # two polynomials in the number of cards drawn: choices that are not stronger, and that are weaker
    ways = [np.ones(1), np.ones(1)]
    for highest, way in ((strength, 0), (strength - 1, 1)):
        for part in range(SUIT_SIZE if stake is Stake.TRICON else 4):
            if stake is Stake.TRICON:
                group = _of_rank(part, highest, shown, unseen)
            else:
                group = _of_suit(stake, part, highest, shown, unseen, by_pips)
            ways[way] = np.convolve(ways[way], group)[: draws + 1]
    return float(sum(way[draws] for way in ways if len(way) > draws)) / (2 * comb(unseen.bit_count(), draws))


def _of_suit(stake: Stake, suit: int, highest: int, shown: int, unseen: int, by_pips: bool) -> Floats:
    """By number of cards drawn from a suit, the choices that make the suit no stronger than ``highest``."""
    known, free = (mask >> SUIT_SIZE * suit & SUIT_BITS for mask in (shown, unseen))
    strengths = suit_figures(stake, by_pips)[0]
    fits = (_SETS & ~free == known) & (strengths <= highest)
    return np.bincount(_SIZES[fits] - known.bit_count(), minlength=1).astype(float)


def _of_rank(part: int, highest: int, shown: int, unseen: int) -> Floats:
    """The same for a rank."""
    known, free = ((mask >> part & ACES_MASK).bit_count() for mask in (shown, unseen))
    strengths = tricon_figures(part + 1)[0]
    return np.array([comb(free, drawn) * (strengths[known + drawn] <= highest) for drawn in range(free + 1)], float)
