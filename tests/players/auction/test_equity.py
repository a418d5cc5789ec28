from __future__ import annotations

from random import Random

import pytest

from hocp2p.game.actions import Stake
from hocp2p.game.cards import DECK
from hocp2p.game.combinations import holdings
from hocp2p.game.house import Rules
from hocp2p.players.auction.buckets import figures
from hocp2p.players.auction.equity import chance_weaker
from hocp2p.players.engine.masks import mask_of
from hocp2p.players.estimates import chance_unbeaten


@pytest.mark.parametrize("stake", Stake)
@pytest.mark.parametrize("rules", [Rules(), Rules(point="pips")])
def test_is_the_estimate_with_ties_half(stake: Stake, rules: Rules) -> None:
    rng = Random(stake)
    compared = 0
    for _ in range(25):
        cards = rng.sample(DECK, len(DECK))
        size = rng.choice([12, 15])
        known = rng.randrange(7)
        own, shown, unseen = cards[:size], cards[size : size + known], cards[size + known :]
        held = holdings(stake, own, rules)
        if not held:
            continue
        compared += 1
        by_pips = rules.point == "pips"
        either = [
            chance_unbeaten(
                stake,
                held[0].claim,
                by_pips=by_pips,
                wins_ties=wins_ties,
                shown=frozenset(shown),
                unseen=frozenset(unseen),
                draws=size - known,
            )
            for wins_ties in (True, False)
        ]
        strength = int(figures(stake, [mask_of(own)], by_pips=by_pips)[0][0])
        chance = chance_weaker(stake, strength, mask_of(shown), mask_of(unseen), size - known, by_pips=by_pips)
        assert chance == pytest.approx(sum(either) / 2)
    assert compared > 5


def test_of_nothing_only_the_half_of_nothing_is_weaker() -> None:
    unseen = mask_of(card for card in DECK if card.rank <= 6)  # 24 cards; two can be no tricon
    assert chance_weaker(Stake.TRICON, 0, 0, unseen, 2, by_pips=False) == 0.5


def test_what_is_shown_beats_for_certain() -> None:
    shown = mask_of(card for card in DECK if card.rank == 9)
    unseen = mask_of(card for card in DECK if card.rank < 9)
    weaker_fredon = int(figures(Stake.TRICON, [mask_of(card for card in DECK if card.rank == 3)])[0][0])
    assert chance_weaker(Stake.TRICON, weaker_fredon, shown, unseen, 4, by_pips=False) == 0
