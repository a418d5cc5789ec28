"""Cards as bits and a hand in the play as counts: what the fast engine reckons with.

A *mask* has a bit for every card, by its ``index`` (13 a suit, ace lowest). In the play suits do not matter, and one
fixed hoc is as good as another: there a card is of a *class*, the rank 1 to 12 of an ordinary card or ``HOC``, and a
hand is a *count*, a number with three bits a class. Since every king is a fixed hoc, ``HOC`` is the king's number.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from hocp2p.game.cards import ACE, DECK, DECK_SIZE, KING, RANKS, Card

SUIT_SIZE: Final = len(RANKS)
SUIT_BITS: Final = (1 << SUIT_SIZE) - 1
HOC: Final = KING
"""The class of the six fixed hocs."""

BITS: Final = tuple(1 << index for index in range(DECK_SIZE))
"""By card index, its mask."""

DECK_MASK: Final = (1 << DECK_SIZE) - 1
CLASS_OF: Final = tuple(HOC if card.is_hoc else card.rank for card in DECK)
"""By card index, its class."""

CLASS_MASKS: Final = tuple(
    sum(BITS[index] for index in range(DECK_SIZE) if CLASS_OF[index] == number) for number in range(HOC + 1)
)
"""By class, its cards; entry 0 is empty."""

ACES_MASK: Final = CLASS_MASKS[ACE]
"""Moved up by a rank less one, all cards of that rank."""

COURTS_MASK: Final = sum(BITS[card.index] for card in DECK if card.is_court)

COUNT_BITS: Final = 3
UNITS: Final = tuple(1 << COUNT_BITS * number for number in range(HOC + 1))
"""By class, what one card adds to a count."""

FIELDS: Final = tuple(unit * ((1 << COUNT_BITS) - 1) for unit in UNITS)
"""By class, the bits of a count that belong to it."""

_UNIT_OF: Final = tuple(UNITS[number] for number in CLASS_OF)


def mask_of(cards: Iterable[Card]) -> int:
    """The mask of some cards."""
    mask = 0
    for card in cards:
        mask |= BITS[card.index]
    return mask


def indices_of(mask: int) -> list[int]:
    """The card indices in a mask, ascending."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


@cache
def _indices_in_suit(suit: int, bits: int) -> tuple[int, ...]:
    return tuple(SUIT_SIZE * suit + rank for rank in range(SUIT_SIZE) if bits >> rank & 1)


def indices_by_suit(mask: int) -> tuple[int, ...]:
    """The same as :func:`indices_of`; faster for a whole hand, slower for a card or two."""
    return (
        _indices_in_suit(0, mask & SUIT_BITS)
        + _indices_in_suit(1, mask >> SUIT_SIZE & SUIT_BITS)
        + _indices_in_suit(2, mask >> 2 * SUIT_SIZE & SUIT_BITS)
        + _indices_in_suit(3, mask >> 3 * SUIT_SIZE)
    )


def cards_of(mask: int) -> list[Card]:
    """The cards of a mask, suit by suit, ascending."""
    return [DECK[index] for index in indices_of(mask)]


def _counts_of_suit(suit: int) -> tuple[int, ...]:
    """By the 13 bits of a suit, the count of those cards."""
    counts = [0]
    for index in range(SUIT_SIZE * suit, SUIT_SIZE * (suit + 1)):
        counts += [count + _UNIT_OF[index] for count in counts]
    return tuple(counts)


_SPADES, _HEARTS, _DIAMONDS, _CLUBS = (_counts_of_suit(suit) for suit in range(4))


def count_of(mask: int) -> int:
    """The count of a mask."""
    return (
        _SPADES[mask & SUIT_BITS]
        + _HEARTS[mask >> SUIT_SIZE & SUIT_BITS]
        + _DIAMONDS[mask >> 2 * SUIT_SIZE & SUIT_BITS]
        + _CLUBS[mask >> 3 * SUIT_SIZE]
    )


FULL_COUNT: Final = count_of(DECK_MASK)
"""All 52 cards."""


def number_of(count: int, class_: int) -> int:
    """How many cards of a class a count holds."""
    return (count & FIELDS[class_]) >> COUNT_BITS * class_


def numbers_of(count: int) -> list[int]:
    """By class, how many cards a count holds; entry 0 is 0."""
    return [(count >> COUNT_BITS * number) & 7 for number in range(HOC + 1)]


_EVEN: Final = sum(FIELDS[::2])
_SIX_BITS: Final = (1 << 2 * COUNT_BITS) - 1


def size_of(count: int) -> int:
    """How many cards a count holds, at most 62: the sum of its digits, taken in pairs so that none runs over."""
    return ((count & _EVEN) + (count >> COUNT_BITS & _EVEN)) % _SIX_BITS


def classes_in(count: int) -> int:
    """The set of classes that a count holds, as bits: bit 7 for a seven, bit 13 for a fixed hoc."""
    held = 0
    for number in range(1, HOC + 1):
        if count & FIELDS[number]:
            held |= 1 << number
    return held
