"""Deals for training the play: hands at random, some of their cards shown as the first phase shows them."""

from __future__ import annotations

from typing import Final

import numpy as np

from hocp2p.game.actions import Stake
from hocp2p.game.cards import DECK, DECK_SIZE, RANKS
from hocp2p.game.combinations import SHORTEST
from hocp2p.game.house import HAND_SIZE
from hocp2p.players.engine.batch import CLASSES, Batch, Bools, Bytes, Ints
from hocp2p.players.engine.masks import CLASS_OF

SHOWN: Final = {Stake.POINT: 0.6, Stake.SEQUENCE: 0.35, Stake.TRICON: 0.5}
"""How often a stake ends with cards on the table where somebody has any to show: about as among players by rules of
thumb, who show 6 cards a deal of two and 5 of three.
"""

CONTESTS: Final = 0.8
"""How often a place does not give up a stake that it has cards for."""

UNPAID: Final = 0.15
"""Share of the games in which fortuitous hocs are not paid (house rule ``fortuitous``)."""

_SUITS: Final = 4
_CLASS: Final = np.eye(CLASSES, dtype=np.int8)[np.array(CLASS_OF) - 1]
_PIPS: Final = np.array([card.pips for card in DECK])


def deal_games(seats: int, games: int, generator: np.random.Generator, unpaid: float = UNPAID) -> Batch:
    """New games, before the first lead.

    Args:
        seats: 2 or 3.
        games: how many.
        generator: shuffles, and draws what is shown.
        unpaid: share of them in which fortuitous hocs are not paid.
    """
    size = HAND_SIZE[seats]
    order = generator.random((games, DECK_SIZE), dtype=np.float32).argsort(axis=1)
    dealt = order[:, : seats * size].reshape(games, seats, size)
    held = np.zeros((games, seats, DECK_SIZE), bool)
    np.put_along_axis(held, dealt, True, axis=2)
    shown = shown_cards(held, generator)
    return Batch(held @ _CLASS, generator.random(games) >= unpaid, shown @ _CLASS)


def shown_cards(held: Bools, generator: np.random.Generator) -> Bools:
    """What the winners of the stakes have shown, drawn at random.

    Args:
        held: ``[N, P, 52]`` by card index, the hands dealt.
        generator: draws which stakes are shown, and who contests them.

    Returns:
        ``[N, P, 52]``, a part of ``held``: the longest suit of the best in Point, all runs of the best in Sequence,
        all brelans and fredons of the best in Tricon.
    """
    suits = held.reshape(*held.shape[:2], _SUITS, len(RANKS))
    shown = np.zeros_like(suits)
    for stake, (strength, cards) in {
        Stake.POINT: _points(suits),
        Stake.SEQUENCE: _runs(suits),
        Stake.TRICON: _tricons(suits),
    }.items():
        draws = generator.random((len(held), held.shape[1] + 1))
        strength = np.where(draws[:, 1:] < CONTESTS, strength, 0)
        games = np.flatnonzero((draws[:, 0] < SHOWN[stake]) & strength.any(axis=1))
        winner = strength[games].argmax(axis=1)  # the best position of equals
        shown[games, winner] |= cards[games, winner]
    return shown.reshape(held.shape)


def _points(suits: Bools) -> tuple[Ints, Bools]:
    """``[N, P]``, the strength of each hand, and ``[N, P, 4, 13]``, its cards for the stake."""
    pips = _PIPS.reshape(_SUITS, -1)
    strength = (suits * (DECK_SIZE * pips.max() + pips)).sum(axis=3)
    best = strength.argmax(axis=2)
    return strength.max(axis=2), suits & (np.arange(_SUITS) == best[:, :, None])[..., None]


def _runs(suits: Bools) -> tuple[Ints, Bools]:
    """The same for the runs: the longest counts, of equals the highest."""
    length = np.zeros(suits.shape, np.int8)
    length[..., 0] = suits[..., 0]
    for rank in range(1, len(RANKS)):
        length[..., rank] = (length[..., rank - 1] + 1) * suits[..., rank]
    inside = length >= SHORTEST
    for _ in range(SHORTEST - 1):  # the cards below one that makes three
        inside[..., :-1] |= (inside[..., 1:] & suits[..., :-1]) & (length[..., :-1] == length[..., 1:] - 1)
    strength = np.where(length >= SHORTEST, length.astype(np.intp) * DECK_SIZE + np.arange(len(RANKS)), 0)
    return strength.max(axis=(2, 3)), inside


def _tricons(suits: Bools) -> tuple[Ints, Bools]:
    """The same for three or four of a rank."""
    counts: Bytes = suits.sum(axis=2, dtype=np.int8)
    many = counts >= SHORTEST
    strength = np.where(many, counts.astype(np.intp) * DECK_SIZE + np.arange(len(RANKS)), 0)
    return strength.max(axis=2), suits & many[:, :, None, :]
