"""Jetons moving between balances, pools and the score sheet: RULES 3.3, 4 and 7."""

from __future__ import annotations

import pytest

from hocp2p.game.actions import Stake
from hocp2p.game.events import Event, Paid, Source
from hocp2p.game.payments import STAKE_SOURCE, cards_left_due, collect, collect_each, fine, pay_in, take_pool
from tests.support.deals import deal_from_text

STATE = deal_from_text(["2S", "3S", "4S"], dealer=0).state


@pytest.mark.parametrize(("left", "due"), [(0, 0), (1, 6), (2, 8), (3, 3), (9, 9), (10, 20), (15, 30)])
def test_the_price_of_cards_left(left: int, due: int) -> None:
    assert cards_left_due(left) == due


def test_collecting_goes_round_in_turn_order() -> None:
    events: list[Event] = []
    state = collect(STATE, Source.HOCS, 2, 1, "hoc", events)
    assert events == [Paid(Source.HOCS, 1, 2, 1, "hoc"), Paid(Source.HOCS, 0, 2, 1, "hoc")]
    assert state.balances == (96, 96, 99)
    assert state.pools == STATE.pools


def test_each_pays_his_own_due() -> None:
    state = collect_each(STATE, Source.CARDS, 0, [(99, "ignored"), (6, "one"), (8, "two")], [])
    assert state.balances == (97 + 14, 97 - 6, 97 - 8)


@pytest.mark.parametrize("stake", Stake)
def test_in_and_out_of_a_pool(stake: Stake) -> None:
    state = pay_in(STATE, stake, (4, 0, 2))
    assert state.pools[stake] == 9
    state = take_pool(state, stake, 1)
    assert state.pools[stake] == 0
    assert state.balances == (93, 106, 95)
    assert STAKE_SOURCE[stake].value == stake.name.lower()


def test_fines_lie_apart_from_this_deal_s_pools() -> None:
    events: list[Event] = []
    state = fine(STATE, 1, "held back", events)
    assert events == [Paid(Source.FINES, 1, None, 5, "held back")]
    assert (state.balances, state.pools, state.fines) == ((97, 92, 97), STATE.pools, 5)
