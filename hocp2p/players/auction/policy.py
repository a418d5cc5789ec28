"""What is said in an auction, drawn from the tables (RULES 2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from hocp2p.game.actions import CLASSES, Action, Combination, Declare, Good, Pass, Raise, Stake, Stay
from hocp2p.game.auction import announceable
from hocp2p.game.house import ANTE
from hocp2p.game.state import AuctionState, DealState, SeatView
from hocp2p.players.auction.buckets import Floats
from hocp2p.players.auction.equity import chance_weaker
from hocp2p.players.auction.served import serves
from hocp2p.players.auction.tables import Moment, Table, load_tables
from hocp2p.players.auction.tree import DECLARE, GOOD, PASS, RAISE, STAY, Node, Word
from hocp2p.players.bidding import choose_bid
from hocp2p.players.engine.coding import number_of_class
from hocp2p.players.engine.convert import by_place, hidden_cards, known_in_hand, place_of
from hocp2p.players.engine.holdings import holdings, strength
from hocp2p.players.engine.masks import mask_of
from hocp2p.players.engine.places import set_of
from hocp2p.players.player import Rng

USUAL_PAYMENT: Final = {Stake.POINT: 0.0, Stake.SEQUENCE: 2.0, Stake.TRICON: 3.0}
"""About what each other player pays the winner, before doubling: for the measure of an unusual pool."""

SAFE: Final = 40
"""Under ``ruin = on`` a seat with fewer jetons bids as the novice does, who keeps his raises below what he has."""

STEEP: Final = 1.5
"""A call so many times dearer than that of the nearest moment in the tables is decided by the odds."""


def choose_word(view: SeatView, auction: AuctionState, legal: Collection[Action], rng: Rng) -> Action:
    """A word in an auction, one of ``legal``, which is not empty.

    Where the tables do not serve (house rules, a seat that is gone, ruin near) it is the novice's.
    """
    state = view.state
    near_ruin = state.rules.ruin == "on" and state.balances[view.seat] < SAFE
    if not serves(state.rules) or state.gone or near_ruin:
        return choose_bid(view, auction, legal, rng)
    table = table_of(state, auction.stake)
    scale = scale_of(state, auction, table)
    moment = moment_of(state, auction, scale, place_of(state, view.seat))
    number = table.nearest(moment)
    if number is None:
        return choose_bid(view, auction, legal, rng)
    node, bucket = table.nodes[number], own_bucket(view, auction, table)
    word = node.words[_draw(rng, table.strategy[node.first : node.first + len(node.words), bucket])]
    to_call = auction.level - auction.paid[view.seat]
    if word.kind == GOOD and to_call == 0:
        word = Word(STAY)  # it costs nothing, and one might win
    elif auction.opened and _is_steep(node, to_call / scale) and not _defends(view, auction, table, number, bucket):
        word = Word(GOOD)
    return _spoken(word, view, auction, scale)


def table_of(state: DealState, stake: Stake) -> Table:
    """The table for a stake of this deal."""
    return load_tables(state.seats).of(stake, doubled=stake in state.doubled)


def scale_of(state: DealState, auction: AuctionState, table: Table) -> float:
    """How many jetons are one of the table's, by what there is to win before any raise."""
    due = _usual_payments(state, auction.stake)
    pool = state.carry_in[auction.stake] + ANTE * state.seats
    return (pool + due) / (table.pool + due)


def _usual_payments(state: DealState, stake: Stake) -> float:
    """About what all others together pay the winner."""
    return (state.seats - 1) * USUAL_PAYMENT[stake] * (2 if stake in state.doubled else 1)


def moment_of(state: DealState, auction: AuctionState, scale: float, turn: int) -> Moment:
    """The auction as the tables see it.

    Args:
        state, auction: the deal, and its auction, which may have ended.
        scale: see :func:`scale_of`.
        turn: the place that speaks; ``NOBODY`` when the auction has ended.
    """
    numbers = [number_of_class(announced) for announced in by_place(state, auction.announced)]
    return Moment(
        turn,
        auction.opened,
        set_of(by_place(state, auction.spoken)),
        set_of(by_place(state, auction.out)),
        set_of(by_place(state, auction.entered)),
        tuple(paid / scale for paid in by_place(state, auction.paid)),
        tuple(numbers),
    )


def own_bucket(view: SeatView, auction: AuctionState, table: Table) -> int:
    """The bucket of the view's hand, by its chance against those who may still contest and the cards that lie open."""
    state, stake = view.state, auction.stake
    by_pips = state.rules.point == "pips"
    hand, unseen = mask_of(view.own.values()), hidden_cards(view)
    held = holdings(stake, hand, by_pips=by_pips)
    paid_for = held if state.rules.lesser == "on" else held[:1]
    payment = sum(holding.pay for holding in paid_for)
    rivals = [seat for seat in state.present if seat != view.seat and not auction.out[seat]]
    chance = 1.0
    for rival in rivals:
        shown = known_in_hand(state, rival)
        draws = len(state.dealt[rival]) - shown.bit_count()
        mine = strength(stake, held[0].code, by_pips=by_pips) if held else 0
        chance *= chance_weaker(stake, mine, shown, unseen, draws, by_pips=by_pips)
    return table.buckets.at(chance ** (1 / max(1, len(rivals))), payment, held=bool(held))


def _is_steep(node: Node, to_call: float) -> bool:
    return to_call > STEEP * max(1, node.level - node.paid[node.turn])


def _defends(view: SeatView, auction: AuctionState, table: Table, number: int, bucket: int) -> bool:
    """Whether a raise beyond the tables is met: by the best of the hands that come here, as many as keep a bluff with
    nothing from winning."""
    state, place = view.state, table.nodes[number].turn
    to_call = auction.level - auction.paid[view.seat]
    pot = state.pools[auction.stake] + _usual_payments(state, auction.stake) - to_call
    come: Floats = table.reaches[place, number] * table.shares
    better = come[bucket + 1 :].sum() / max(float(come.sum()), 1e-9)
    return bool(better < pot / (pot + to_call))


def _draw(rng: Rng, chances: Floats) -> int:
    """A number with these chances."""
    found = int(np.searchsorted(np.cumsum(chances), rng.random(), side="right"))
    return min(found, len(chances) - 1)


def _spoken(word: Word, view: SeatView, auction: AuctionState, scale: float) -> Action:
    """The word at the real table."""
    if word.kind == PASS:
        return Pass()
    if word.kind == GOOD:
        return Good()
    options = announceable(auction, view.seat, raising=word.kind == RAISE)
    announced = _class_among(options, CLASSES[auction.stake], word.announced)
    if word.kind == DECLARE:
        return Declare(announced)
    if word.kind == STAY:
        return Stay(announced)
    by = max(1, min(view.state.rules.raise_cap, round(word.by * scale)))
    return Raise(by, announced)


def _class_among(
    options: Sequence[Combination | None], classes: Sequence[Combination], number: int
) -> Combination | None:
    """The class to announce: that of the word; the highest with a stay, which says nothing then; none where none is
    due."""
    wanted = classes[number - 1] if number else classes[-1] if classes and None not in options else None
    return wanted if wanted in options else options[0]
