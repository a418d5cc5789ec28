"""What the auctions say about a seat's hand: for the play, where it is guessed who holds what.

For every stake decided: how likely the tables would have said what the seat said with a hand; whether the hand is no
better than what it lost a showdown to; whether it is as good as what it showed. Words are free, and a seat need not
think as the tables do, so nothing is taken for certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hocp2p.game.actions import Stake
from hocp2p.game.house import ANTE
from hocp2p.game.payments import SOURCES, STAKE_SOURCE
from hocp2p.game.state import AuctionState, DealState, Phase, SeatView
from hocp2p.players.auction.buckets import Floats, Ints, figures
from hocp2p.players.auction.policy import moment_of, scale_of, table_of
from hocp2p.players.auction.served import serves
from hocp2p.players.auction.tables import load_tables
from hocp2p.players.engine.convert import place_of
from hocp2p.players.engine.masks import COURTS_MASK, mask_of
from hocp2p.players.engine.places import NOBODY

Flags = NDArray[np.bool_]

LEAST: Final = 0.02
"""The least likelihood of what a seat said, against that with the hand that fits best."""


def bid_likelihood(view: SeatView, seat: int, hands: Sequence[int]) -> list[float]:
    """How well hands fit what a seat has bid, announced and shown: up to a factor that is the same for all hands.

    Args:
        view: who asks; nothing but its public part is looked at.
        seat: another one.
        hands: masks of whole dealt hands that the seat may hold.

    Returns:
        by hand, a number above 0 and at most 1; all 1 where the tables do not serve.
    """
    state, rules = view.state, view.state.rules
    likely = np.ones(len(hands))
    for auction in (*state.auctions, *([state.auction] if state.auction else ())):
        stake = auction.stake
        strengths, payments = figures(stake, hands, by_pips=rules.point == "pips", lesser=rules.lesser == "on")
        likely *= _of_words(state, auction, seat, strengths, payments)
        if auction in state.auctions:
            likely[~_is_possible(state, auction, seat, strengths, payments)] *= LEAST
    claimed = state.blanche[seat] if state.blanche else None
    if claimed is not None:
        without = np.array([not hand & COURTS_MASK for hand in hands], bool)
        likely[without != claimed] *= LEAST
    return [float(chance) for chance in likely]


def _of_words(state: DealState, auction: AuctionState, seat: int, strengths: Ints, payments: Ints) -> Floats:
    """By hand, the chance that the tables say what the seat has said."""
    if not serves(state.rules) or state.gone:
        return np.ones(len(strengths))
    table = table_of(state, auction.stake)
    ended = state.phase is not Phase.AUCTION or auction in state.auctions
    turn = NOBODY if state.turn is None or ended else place_of(state, state.turn)
    node = table.nearest(moment_of(state, auction, scale_of(state, auction, table), turn))
    if node is None:
        return np.ones(len(strengths))
    reach = table.reaches[place_of(state, seat), node]
    if not reach.any():  # the tables never come here
        return np.ones(len(strengths))
    likely = np.maximum(reach / reach.max(), LEAST)
    by_pips = state.rules.point == "pips" and auction.stake is Stake.POINT
    buckets = load_tables(state.seats).pips if by_pips else table.buckets
    found: Floats = likely[buckets.of_hands(strengths, payments)]
    return found


def _is_possible(state: DealState, auction: AuctionState, seat: int, strengths: Ints, payments: Ints) -> Flags:
    """By hand, whether the seat, if it is honest in showdowns and takes what it can get, ended this stake as it did."""
    stake = auction.stake
    pay = state.pay[SOURCES.index(STAKE_SOURCE[stake])]
    contestants = [other for other in state.turn_order if not auction.out[other]]
    if not auction.opened or seat not in contestants or len(set(pay)) == 1:
        return np.ones(len(strengths), bool)
    winner = max(contestants, key=lambda other: pay[other])
    loser = next(other for other in state.turn_order if other != winner)
    due = -(pay[loser] + ANTE + auction.paid[loser]) // (2 if stake in state.doubled else 1)
    known = mask_of(face for position, face in state.opened if position in state.dealt[winner])
    shown = int(figures(stake, [known], by_pips=state.rules.point == "pips")[0][0])
    if seat != winner:
        wins_ties = state.turn_order.index(seat) < state.turn_order.index(winner)
        return strengths < shown if wins_ties and shown else strengths <= shown
    fits: Flags = payments <= due
    return fits & (strengths == shown) if len(contestants) > 1 else fits
