"""How likely a hand is to be the best: exact counts over the cards that a seat cannot see.

An opponent's hand is some cards that he has shown and ``draws`` cards out of the unseen ones, every choice equally
likely. For each suit (Point, Sequence) or rank (Tricon) we count, by number of cards drawn from it, the choices that do
not beat a claim; the product of these polynomials, read at ``draws`` cards, over all choices, is the chance. What the
bidding says about the other hands is not in it: the caller weighs that.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final

from hocp2p.game.actions import Claim, Stake
from hocp2p.game.cards import RANKS, Card
from hocp2p.game.combinations import SHORTEST

NOTHING: Final = Claim(0, 0)
"""Stands for a hand without a valid combination: every combination beats it."""


@lru_cache(maxsize=512)
def chance_unbeaten(
    stake: Stake,
    claim: Claim,
    *,
    by_pips: bool,
    wins_ties: bool,
    shown: frozenset[Card],
    unseen: frozenset[Card],
    draws: int,
) -> float:
    """The chance that one opponent cannot beat ``claim`` (rule 2.1).

    Args:
        stake: what is compared.
        claim: ours; ``NOTHING`` where we hold none.
        by_pips: the house rule ``point = pips``.
        wins_ties: we have the better position.
        shown: cards that the opponent is known to hold.
        unseen: cards that may be anywhere, his hand included.
        draws: how many of his cards are not known, at most ``len(unseen)``.
    """
    ways = [1]
    for known, free in _groups(stake, shown, unseen):
        if stake is Stake.POINT:
            group = _point_ways(claim, by_pips, wins_ties, known, free)
        elif stake is Stake.SEQUENCE:
            group = _sequence_ways(claim, wins_ties, known, free)
        else:
            group = _tricon_ways(claim, wins_ties, known, free)
        ways = _product(ways, group, draws)
    return (ways[draws] if draws < len(ways) else 0) / comb(len(unseen), draws)


def _groups(stake: Stake, shown: frozenset[Card], unseen: frozenset[Card]) -> list[tuple[list[Card], list[Card]]]:
    """Shown and unseen cards by suit, or by rank for Tricon; no combination reaches beyond its group."""
    if stake is Stake.TRICON:
        keys = list(RANKS)
        return [([c for c in shown if c.rank == key], [c for c in unseen if c.rank == key]) for key in keys]
    return [([c for c in shown if c.suit == key], [c for c in unseen if c.suit == key]) for key in range(4)]


def _product(left: list[int], right: list[int], degree: int) -> list[int]:
    """Product of two polynomials, cut after ``degree``."""
    result = [0] * min(len(left) + len(right) - 1, degree + 1)
    for i, a in enumerate(left):
        if a:
            for j, b in enumerate(right[: degree + 1 - i]):
                result[i + j] += a * b
    return result


def _point_ways(claim: Claim, by_pips: bool, wins_ties: bool, known: list[Card], free: list[Card]) -> list[int]:
    """By number of cards drawn from one suit, the choices whose cards of this suit do not beat the claim."""
    base = sum(card.pips for card in known)
    pips = [card.pips for card in free]
    limit = claim.second - base if wins_ties else claim.second - base - 1
    ways = []
    for drawn in range(len(free) + 1):
        longer = len(known) + drawn - claim.first
        if by_pips or longer == 0:
            ways.append(sum(sum(chosen) <= limit for chosen in combinations(pips, drawn)))
        else:
            ways.append(comb(len(free), drawn) if longer < 0 else 0)
    return ways


def _sequence_ways(claim: Claim, wins_ties: bool, known: list[Card], free: list[Card]) -> list[int]:
    """By number of cards drawn from one suit, the choices without a run that beats the claim.

    Goes up the ranks and counts by (cards drawn, length of the run that ends here).
    """
    held, loose = {card.rank for card in known}, {card.rank for card in free}
    states = Counter({(0, 0): 1})
    for rank in RANKS:
        after: Counter[tuple[int, int]] = Counter()
        for (drawn, run), count in states.items():
            if rank not in held:
                after[drawn, 0] += count
            if (rank in held or rank in loose) and not _beats(run + 1, rank, claim, wins_ties):
                after[drawn + (rank in loose), run + 1] += count
        states = after
    ways = [0] * (len(free) + 1)
    for (drawn, _), count in states.items():
        ways[drawn] += count
    return ways


def _tricon_ways(claim: Claim, wins_ties: bool, known: list[Card], free: list[Card]) -> list[int]:
    """By number of cards drawn from one rank, the choices that are no tricon better than the claim."""
    rank = (known + free)[0].rank if known or free else 0
    return [
        0 if _beats(len(known) + drawn, rank, claim, wins_ties) else comb(len(free), drawn)
        for drawn in range(len(free) + 1)
    ]


def _beats(first: int, second: int, claim: Claim, wins_ties: bool) -> bool:
    """Whether a run or tricon is a combination at all and beats the claim."""
    if first < SHORTEST:
        return False
    return (first, second) > (claim.first, claim.second) or (
        not wins_ties and (first, second) == (claim.first, claim.second)
    )
