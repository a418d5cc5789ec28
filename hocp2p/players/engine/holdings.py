"""What a hand holds for a stake, from its mask: RULES 2.1, as in :mod:`hocp2p.game.combinations`."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from hocp2p.game.actions import CLASSES, Stake
from hocp2p.game.cards import DECK, RANKS
from hocp2p.game.combinations import QUINT_LENGTH, RATES, SHORTEST, Holding
from hocp2p.players.engine.codes import CODE, code_of
from hocp2p.players.engine.masks import ACES_MASK, BITS, SUIT_BITS, SUIT_SIZE, mask_of

MOST: Final = 5
"""No hand holds more separate combinations of one stake."""


class Held(NamedTuple):
    """A combination in a hand.

    Args:
        code: of its claim.
        pay: jetons from each other player, before doubling; 0 for Point.
        mask: its cards.
    """

    code: int
    pay: int
    mask: int


SUBSETS: Final = tuple(
    tuple(
        tuple(sum(1 << number for number in chosen) for chosen in combinations(range(count), size))
        for size in range(count + 1)
    )
    for count in range(MOST + 1)
)
"""By a number of holdings and a size, the sets of that size, as bits."""

RATE: Final = tuple((0, *(RATES[combination][0] for combination in CLASSES[stake])) for stake in Stake)
"""By stake and class number, the simple payment."""


def holdings(stake: int, hand: int, *, by_pips: bool = False) -> list[Held]:
    """The separate combinations, strongest first, in the order of :func:`hocp2p.game.combinations.holdings`.

    Args:
        stake: 0 to 2.
        hand: a mask.
        by_pips: house rule ``point = pips``.
    """
    found: list[Held] = []
    if stake == Stake.TRICON:
        for rank in _thrice(hand):
            found.append(_tricon(rank, hand >> rank - 1 & ACES_MASK))
    else:
        find = _point if stake == Stake.POINT else _runs
        for suit in range(4):
            bits = hand >> SUIT_SIZE * suit & SUIT_BITS
            if bits:
                found += find(bits, suit)
    if len(found) > 1:
        found.sort(key=_pips if by_pips and stake == Stake.POINT else _code, reverse=True)
    return found


def strength(stake: int, code: int, *, by_pips: bool) -> int:
    """Orders the claims of a stake: greater beats, equal goes by position."""
    return code % CODE if by_pips and stake == Stake.POINT else code


def covers(stake: int, held: int, code: int) -> bool:
    """Whether showing a combination of the code ``held`` makes the claim ``code`` true: see ``Holding.covers``."""
    if stake == Stake.POINT:
        return held == code
    length, top = divmod(held, CODE)
    first, second = divmod(code, CODE)
    if stake == Stake.SEQUENCE:
        return second <= top and second - first >= top - length
    return second == top and first <= length


def part_shows(hand: int, code: int) -> tuple[int, ...]:
    """The parts of suits, as masks, that make the point ``code``; for a claim that no whole suit is."""
    first, second = divmod(code, CODE)
    found = []
    for suit in holdings(Stake.POINT, hand):
        ours = [card for card in DECK if suit.mask & BITS[card.index]]
        if len(ours) >= first:
            parts = combinations(ours, first)
            found += [mask_of(part) for part in parts if sum(card.pips for card in part) == second]
    return tuple(found)


def _code(held: Held) -> int:
    return held.code


def _pips(held: Held) -> int:
    return held.code % CODE


def _thrice(hand: int) -> tuple[int, ...]:
    """The ranks held three or four times."""
    spades, hearts = hand & SUIT_BITS, hand >> SUIT_SIZE & SUIT_BITS
    diamonds, clubs = hand >> 2 * SUIT_SIZE & SUIT_BITS, hand >> 3 * SUIT_SIZE
    return _ranks(spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts))


@cache
def _ranks(bits: int) -> tuple[int, ...]:
    return tuple(rank for rank in RANKS if bits >> rank - 1 & 1)


@cache
def _tricon(rank: int, bits: int) -> Held:
    """``bits``: the suits of the rank, moved down to the aces."""
    return _of(Stake.TRICON, bits << rank - 1)


@cache
def _point(bits: int, suit: int) -> tuple[Held, ...]:
    return (_of(Stake.POINT, bits << SUIT_SIZE * suit),)


@cache
def _runs(bits: int, suit: int) -> tuple[Held, ...]:
    """``bits``: the ranks held of the suit."""
    found = []
    start = 0
    for end in range(SUIT_SIZE + 1):
        if not bits >> end & 1:
            if end - start >= SHORTEST:
                found.append(_of(Stake.SEQUENCE, ((1 << end) - (1 << start)) << SUIT_SIZE * suit))
            start = end + 1
    return tuple(found)


def _of(stake: Stake, mask: int) -> Held:
    """What the rules say of a combination."""
    holding = Holding(stake, tuple(sorted(card for card in DECK if mask & BITS[card.index])))
    claim = holding.claim
    return Held(code_of(claim.first, claim.second), holding.payment, mask)


def class_number(stake: int, code: int) -> int:
    """The class number of a claim for Sequence or Tricon."""
    return 0 if stake == Stake.POINT else min(code // CODE, QUINT_LENGTH) - SHORTEST + 1
