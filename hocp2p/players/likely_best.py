"""How likely a hand is the best of a stake, when the others' words are taken as the auction tables say them.

Hands are drawn and weighed. By the cards alone it is counted exactly, in :mod:`hocp2p.players.estimates` (for the
novice, without numpy) and in :mod:`hocp2p.players.auction.equity` (with it, for every decision by the tables).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hocp2p.game.state import AuctionState, SeatView
from hocp2p.players.auction.buckets import figures
from hocp2p.players.auction.ranges import bid_likelihood
from hocp2p.players.belief.sampler import generator_of
from hocp2p.players.engine.convert import hidden_cards, known_in_hand
from hocp2p.players.engine.masks import indices_of, mask_of
from hocp2p.players.player import Rng

HANDS: Final = 500
"""So many hands are drawn for each rival."""

SURELY: Final = 0.995
"""What is drawn is never certain: no chance is higher than this, or lower than the rest of it."""


def chance_best(view: SeatView, auction: AuctionState, rng: Rng) -> float:
    """The chance that the view's hand beats all who may still contest (rule 2.1), each for himself.

    Args:
        view: of a seat in the auction.
        auction: the same auction.
        rng: draws their hands.
    """
    state, stake, by_pips = view.state, auction.stake, view.state.rules.point == "pips"
    generator, order = generator_of(rng), state.turn_order
    (mine,), _ = figures(stake, [mask_of(view.own.values())], by_pips=by_pips)
    chance = 1.0
    for rival in state.present:
        if rival == view.seat or auction.out[rival]:
            continue
        hands = _hands_of(view, rival, generator)
        weights = np.array(bid_likelihood(view, rival, hands.tolist()))
        theirs, _ = figures(stake, hands, by_pips=by_pips)
        beaten = theirs >= mine if order.index(rival) < order.index(view.seat) else theirs > mine
        chance *= 1 - float(weights[beaten].sum() / weights.sum())
    return min(max(chance, 1 - SURELY), SURELY)


def _hands_of(view: SeatView, rival: int, generator: np.random.Generator) -> NDArray[np.uint64]:
    """Hands that the rival may hold, as masks: what he has shown, and hidden cards, any as likely as others."""
    shown = known_in_hand(view.state, rival)
    bits = np.uint64(1) << np.array(indices_of(hidden_cards(view)), np.uint64)
    draws = len(view.state.dealt[rival]) - shown.bit_count()
    chosen = np.argsort(generator.random((HANDS, len(bits))), axis=1)[:, :draws]
    hands: NDArray[np.uint64] = np.bitwise_or.reduce(bits[chosen], axis=1) | np.uint64(shown)
    return hands
