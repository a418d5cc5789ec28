from __future__ import annotations

from random import Random

import numpy as np
import pytest

from hocp2p.game.actions import Stake
from hocp2p.game.cards import DECK
from hocp2p.players.auction.buckets import NO_LIMIT, Buckets, figures
from hocp2p.players.engine.holdings import holdings, strength
from hocp2p.players.engine.masks import mask_of


def hands(count: int, size: int = 15) -> list[int]:
    rng = Random(count)
    return [mask_of(rng.sample(DECK, size)) for _ in range(count)]


@pytest.mark.parametrize("stake", Stake)
@pytest.mark.parametrize("by_pips", [False, True])
@pytest.mark.parametrize("lesser", [False, True])
def test_figures_are_those_of_the_holdings(stake: Stake, by_pips: bool, lesser: bool) -> None:
    many = hands(300)
    strengths, payments = figures(stake, many, by_pips=by_pips, lesser=lesser)
    for hand, strong, paid in zip(many, strengths, payments, strict=True):
        held = holdings(stake, hand, by_pips=by_pips)
        assert strong == (strength(stake, held[0].code, by_pips=by_pips) if held else 0)
        assert paid == sum(part.pay for part in (held if lesser else held[:1]))


def buckets() -> Buckets:
    """Nothing; a weak group that is one bucket; a strong one that is two, paid up to 3 and more."""
    return Buckets(np.array([100, 200]), np.array([0.4, 0.7]), np.array([NO_LIMIT, NO_LIMIT, 3]), np.array([0, 1, 2]))


def test_a_bucket_is_a_group_and_a_payment() -> None:
    assert buckets().count == 4
    found = buckets().of_hands(np.array([0, 99, 100, 199, 200, 200]), np.array([0, 0, 9, 1, 3, 4]))
    assert found.tolist() == [0, 0, 1, 1, 2, 3]


def test_a_live_hand_is_put_where_its_chance_is() -> None:
    assert buckets().at(0.55, 2, held=True) == 1
    assert buckets().at(0.7, 3, held=True) == 2
    assert buckets().at(0.9, 4, held=True) == 3
    assert buckets().at(0.1, 4, held=True) == 0  # it is known to be beaten
    assert buckets().at(0.9, 0, held=False) == 0
