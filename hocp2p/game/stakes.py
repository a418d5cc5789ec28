"""A stake from its opening to its settlement. RULES 2 and 2.2. What lies between is in ``auction`` and ``showdown``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hocp2p.errors import RuleError
from hocp2p.game.actions import Combination, Stake
from hocp2p.game.blanche import open_blanche
from hocp2p.game.combinations import RATES, Holding, combination_name
from hocp2p.game.events import Event, StakeClosed, StakeEnd, StakeOpened
from hocp2p.game.payments import STAKE_SOURCE, collect, take_pool
from hocp2p.game.state import AuctionState, DealState, Phase


def open_stake(state: DealState, stake: Stake, events: list[Event]) -> DealState:
    """The auction begins with eldest. A seat that is gone is out of it from the beginning (rule 5)."""
    seats = state.seats
    first = state.present[0]
    events.append(StakeOpened(stake, state.pools[stake], stake in state.doubled, first))
    auction = AuctionState(
        stake,
        opened=False,
        level=0,
        paid=(0,) * seats,
        spoken=(False,) * seats,
        out=tuple(seat in state.gone for seat in range(seats)),
        entered=(False,) * seats,
        announced=(None,) * seats,
    )
    return replace(state, phase=Phase.AUCTION, turn=first, stake=stake, auction=auction)


def carry_over(state: DealState, events: list[Event]) -> DealState:
    """Everybody passed: the pool stays on the table."""
    auction = auction_of(state)
    events.append(StakeClosed(auction.stake, StakeEnd.PASSED, None, 0))
    return _without_stake(replace(state, passed=state.passed | {auction.stake}))


def settle_unseen(state: DealState, winner: int, events: list[Event]) -> DealState:
    """A lone winner takes the pool and, unseen, his announced class at the simple rate.

    He has announced none if he never put himself in: all others have left or given up before he spoke.
    """
    stake, announced = auction_of(state).stake, auction_of(state).announced[winner]
    state = _take(state, StakeEnd.ALONE, winner, announced, events)
    if announced is not None:
        rate = RATES[announced][0]
        state = _collect(state, stake, winner, rate, combination_name(announced), events)
    return _without_stake(state)


def settle_shown(
    state: DealState, end: StakeEnd, winner: int, shown: Iterable[Holding], events: list[Event]
) -> DealState:
    """The winner takes the pool and is paid by every other player for each combination that he shows."""
    stake = auction_of(state).stake
    state = _take(state, end, winner, None, events)
    if stake is not Stake.POINT:  # Point pays the pool only
        for holding in shown:
            state = _collect(state, stake, winner, holding.payment, holding.reason, events)
    return _without_stake(state)


def go_on(state: DealState, events: list[Event]) -> DealState:
    """After a stake the next one is decided; after Tricon carte blanche is asked for."""
    decided = len(state.auctions)
    if decided < len(Stake):
        return open_stake(state, Stake(decided), events)
    return open_blanche(state, events)


def auction_of(state: DealState) -> AuctionState:
    """The auction of the stake being decided. Raises RuleError when there is none."""
    if state.auction is None:
        raise RuleError("wrong-phase", "no stake is being decided")
    return state.auction


def _take(
    state: DealState, end: StakeEnd, winner: int, announced: Combination | None, events: list[Event]
) -> DealState:
    stake = auction_of(state).stake
    events.append(StakeClosed(stake, end, winner, state.pools[stake], announced))
    return take_pool(state, stake, winner)


def _collect(state: DealState, stake: Stake, winner: int, rate: int, reason: str, events: list[Event]) -> DealState:
    amount = 2 * rate if stake in state.doubled else rate
    return collect(state, STAKE_SOURCE[stake], winner, amount, reason, events)


def _without_stake(state: DealState) -> DealState:
    auctions = (*state.auctions, auction_of(state))
    return replace(state, auctions=auctions, stake=None, auction=None, showdown=None)
