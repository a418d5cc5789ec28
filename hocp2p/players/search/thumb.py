"""The rules of thumb of :func:`hocp2p.players.shedding.choose_play` with hocs kept, by bits: for rollouts.

Both choose the same class of card, unless a hoc and another lead are worth the same (a test compares them). This one
looks at a :class:`~hocp2p.players.engine.play.Play` in which nobody is gone, and of its cards only at those that the
player knows: its own hand and what was played.

A hand is taken apart into *layers*: the ranks of which it has an ordinary card, those of which it has two, and so on.
Within a layer ranks in a row make a chain, so that all its ordinary cards are as many chains as its layers have.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from hocp2p.game.cards import DECK_SIZE, KING, RANKS
from hocp2p.players.engine.masks import COUNT_BITS, FULL_COUNT, HOC, classes_in, number_of
from hocp2p.players.engine.play import CARDS_DUE, SANS, Play
from hocp2p.players.shedding import DEARER, NEAR_OUT

Layers = tuple[int, ...]
"""Ranks as bits (bit 7 for a seven): those of which a hand has one ordinary card or more, two or more, and so on."""

_RANKS: Final = ((1 << HOC) - 1) ^ 1
_ALWAYS_DEAD: Final = 1 << KING  # there is no ordinary king
_ANY_HOC: Final = 1 << HOC
_OF_A_RANK: Final = DECK_SIZE // len(RANKS)
_LOST: Final = -1000  # jetons; every lead is worth more
_HOCS_AT: Final = COUNT_BITS * HOC


def choose_by_thumb(play: Play, legal: tuple[int, ...]) -> int:
    """One of several legal actions; never *hold*."""
    turn, called = play.turn, play.called
    hand, held, sans = play.hands[turn], play.held[turn], play.sans
    if called and called < KING and held >> called & 1:
        return called
    if play.seats == 2:
        fewest, denied = play.left[1 - turn], sans[1 - turn]
    else:
        fewest = min(play.left[turn - 1], play.left[turn - 2])
        denied = sans[turn - 1] & sans[turn - 2]
    loose = _classes_in(FULL_COUNT - play.played - hand)
    dead = _RANKS & (~loose | denied) | _ALWAYS_DEAD
    safe = 0 if loose & _ANY_HOC else dead
    if called:
        if HOC in legal and _is_worth_a_hoc(hand, called, play.last == turn, safe, fewest, play.seats - 1):
            return HOC
        return SANS
    return _lead(hand, dead, safe, fewest, play.seats - 1, play.fortuitous)


_classes_in = lru_cache(maxsize=1 << 16)(classes_in)


@lru_cache(maxsize=1 << 16)
def _layers(hand: int) -> Layers:
    numbers = [number_of(hand, rank) for rank in range(HOC)]
    return tuple(sum(1 << rank for rank in range(1, HOC) if numbers[rank] > height) for height in range(_OF_A_RANK))


@lru_cache(maxsize=1 << 16)
def _lead(hand: int, dead: int, safe: int, fewest: int, others: int, fortuitous: bool) -> int:
    """First what surely goes out, then what likely does, then what is worth more, then the lower card."""
    layers, hocs = _layers(hand), hand >> _HOCS_AT
    size = sum(map(int.bit_count, layers)) + hocs
    near = fewest <= NEAR_OUT
    best, most = HOC, (False, False, _LOST, 0)
    if hocs:
        surely = size == 1 or _goes_out_leading(layers, hocs - 1, safe)
        most = surely, surely, others + CARDS_DUE[size] - CARDS_DUE[size - 1] if near else -1, -HOC
    for rank in range(1, HOC):
        if not layers[0] >> rank & 1:
            continue
        called = _end_of_chain(layers[0], rank)
        value = length = called - rank
        if fortuitous and called < KING and dead >> called & 1:
            value += others
        if near:
            value -= CARDS_DUE[size - length] - CARDS_DUE[size]
        rest = _without(layers, (1 << called) - (1 << rank))
        surely = length == size or _goes_out_after(rest, hocs, called, safe)
        likely = surely or _goes_out_after(rest, hocs, called, dead)
        order = surely, likely, value, -rank
        if order > most:
            best, most = rank, order
    return best


@lru_cache(maxsize=1 << 14)
def _is_worth_a_hoc(hand: int, called: int, ours: bool, safe: int, fewest: int, others: int) -> bool:
    """Whether a player without the called rank plays a hoc for it. ``ours``: the last card was his."""
    layers, hocs = _layers(hand), hand >> _HOCS_AT
    if ours and safe >> called & 1 and _goes_out_leading(layers, hocs, safe):
        return False  # the lead comes back without it
    size = sum(map(int.bit_count, layers)) + hocs - 1
    if not size or _goes_out_leading(layers, hocs - 1, safe):
        return True
    if fewest <= NEAR_OUT + (others == 1):
        left = [size + rank - _end_of_chain(layers[0], rank) for rank in range(1, HOC) if layers[0] >> rank & 1]
        return CARDS_DUE[min(left, default=size - 1)] - CARDS_DUE[size + 1] < DEARER
    return False


def _goes_out_leading(layers: Layers, hocs: int, safe: int) -> bool:
    """Whether its holder, who leads, gets rid of every card whatever the others do: see ``hand.Hand.stops``."""
    stops = 0
    for layer in layers:
        stops += (layer & ~(layer >> 1) & ~(safe >> 1)).bit_count()
    return stops <= hocs + 1


def _goes_out_after(rest: Layers, hocs: int, called: int, safe: int) -> bool:
    """The same of who has just played the card before ``called``, and has some left."""
    if safe >> called & 1 and _goes_out_leading(rest, hocs, safe):
        return True
    return hocs > 0 and _goes_out_leading(rest, hocs - 1, safe)


def _end_of_chain(held: int, rank: int) -> int:
    """The rank that is called after ``rank`` is led and all is played that can be."""
    row = held >> rank
    return rank + (~row & (row + 1)).bit_length() - 1


def _without(layers: Layers, ranks: int) -> Layers:
    """A card less of each of these ranks."""
    rest = []
    for layer in reversed(layers):
        rest.append(layer & ~ranks)
        ranks &= ~layer
    return tuple(rest[::-1])
