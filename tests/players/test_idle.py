"""The player whose time is out: it never pays of its own will, and always does something legal."""

from __future__ import annotations

import random

import pytest

from hocp2p.game.actions import Declare, Hold, Play, Raise, Stay
from hocp2p.game.house import Rules
from hocp2p.game.rules import legal_actions
from hocp2p.players.idle import Idle
from tests.support.deals import random_deal


@pytest.mark.parametrize("seats", [2, 3])
def test_it_plays_every_deal_out_and_never_bids(seats: int) -> None:
    idle = Idle()
    for seed in range(60):
        deal = random_deal(random.Random(seed), seats, seed % seats, Rules(deals=seats, hold_back="fined"))
        while (seat := deal.state.turn) is not None:
            view = deal.view(seat)
            action = idle.decide(view)
            legal = legal_actions(view)
            assert action in legal
            assert not isinstance(action, Declare | Raise | Stay | Hold)
            if isinstance(action, Play) and action.card.is_hoc:
                assert all(not isinstance(other, Play) or other.card.is_hoc for other in legal)
            deal.do(seat, action)
