from __future__ import annotations

import numpy as np
import pytest

from hocp2p.game.actions import Stake
from hocp2p.players.auction.buckets import NO_LIMIT, figures
from hocp2p.players.engine.holdings import class_number
from hocp2p.players.engine.masks import DECK_MASK
from hocp2p.training.auction_chance import GROUPS, deal_hands, make_buckets

MOST = {2: 26, 3: 13}


@pytest.mark.parametrize(("seats", "size"), [(2, 15), (3, 12)])
def test_deals_are_of_different_cards(seats: int, size: int) -> None:
    for hands in deal_hands(seats, 50, np.random.default_rng(1)).tolist():
        assert [hand.bit_count() for hand in hands] == [size] * seats
        assert sum(hands).bit_count() == size * seats  # without a card in two of them, nothing is carried over
        assert sum(hands) <= DECK_MASK


def test_the_same_seed_deals_the_same() -> None:
    first, same, other = (deal_hands(3, 10, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("stake", Stake)
def test_buckets_do_not_mix_classes(seats: int, stake: Stake) -> None:
    strengths, payments = (array.ravel() for array in figures(stake, deal_hands(seats, 5000, np.random.default_rng(1))))
    buckets = make_buckets(seats, stake, strengths, payments)
    assert sum(GROUPS[seats][stake]) <= buckets.count <= MOST[seats]
    found = buckets.of_hands(strengths, payments)
    assert sorted(set(found.tolist())) == list(range(buckets.count))
    groups = np.searchsorted(buckets.firsts, found, side="right")
    assert np.all(np.diff(groups[np.argsort(strengths, kind="stable")]) >= 0)  # the stronger, the higher
    if stake is Stake.POINT:
        assert set(buckets.limits.tolist()) == {NO_LIMIT}
        return
    for bucket in range(buckets.count):
        numbers = {class_number(stake, int(code)) if code else 0 for code in strengths[found == bucket]}
        assert len(numbers) == 1
        assert numbers == {0} or bucket > 0


def test_the_chance_of_a_group_is_that_of_a_weaker_hand() -> None:
    strengths, payments = (
        array.ravel() for array in figures(Stake.POINT, deal_hands(2, 5000, np.random.default_rng(1)))
    )
    buckets = make_buckets(2, Stake.POINT, strengths, payments)
    for edge, chance in zip(buckets.edges, buckets.chances, strict=True):
        assert chance == pytest.approx((strengths < edge).mean())
