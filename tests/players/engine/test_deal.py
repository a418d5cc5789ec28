"""The engine against the rules, and what it is by itself."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Combination, Declare, Good, Pass, Stake
from hocp2p.game.cards import DECK
from hocp2p.game.house import Rules
from hocp2p.players.engine import codes
from hocp2p.players.engine.coding import decode_action, encode_action
from hocp2p.players.engine.convert import deal_of
from hocp2p.players.engine.deal import Deal, doubled_after
from hocp2p.players.engine.house import House
from hocp2p.players.engine.masks import mask_of
from hocp2p.players.engine.stakes import OVER
from tests.players.engine.compare import HOUSES, Setting, choose, compare, verify_figures
from tests.support.table_sim import dealt, view_of


@pytest.mark.parametrize("part", range(4))
def test_the_same_as_the_rules_over_all_house_rules(part: int) -> None:
    """Every house rule with two and with three seats, and some once more with a seat that is lost."""
    for number, rules in enumerate(HOUSES):
        if number % 4 == part:
            for attempt in range(2):
                rng = Random(f"{number} {attempt}")
                assert compare(Setting.drawn(rng, rules), rng, leaves=0.2) > 5


@settings(max_examples=80)
@given(st.integers(0, 2**40), st.sampled_from(HOUSES))
def test_the_same_as_the_rules(seed: int, rules: Rules) -> None:
    rng = Random(seed)
    compare(Setting.drawn(rng, rules), rng, converts=0.3, leaves=0.3)


def test_a_difference_is_found() -> None:
    """The comparison is one: an engine of other house rules does not pass."""

    class Wrong(Setting):
        def start_engine(self) -> Deal:
            house = House.of(self.rules.with_text("lesser", "off").with_text("fortuitous", "unpaid"), self.seats)
            return Deal.of(house, [card.index for card in self.deck], self.carry, sum(1 << s for s in self.doubled))

    caught = 0
    for seed in range(20):
        rng = Random(seed)
        drawn = Setting.drawn(rng, Rules())
        wrong = Wrong(drawn.rules, drawn.seats, drawn.dealer, drawn.carry, drawn.doubled, drawn.deck)
        try:
            compare(wrong, rng, converts=0.0)
        except AssertionError:
            caught += 1
    assert caught > 5


def test_a_copy_goes_its_own_way() -> None:
    """At every moment of many deals: playing a copy to its end leaves the original as it was."""
    for seed in range(60):
        rng = Random(seed)
        deal = Setting.drawn(rng).start_engine()
        while deal.turn >= 0:
            before = (deal.legal(), deal.settle(), deal.turn, list(deal.hands))
            other = deal.copy()
            while other.turn >= 0:
                other.apply(choose(rng, other, other.legal()))
            assert other.phase == OVER
            assert (deal.legal(), deal.settle(), deal.turn, deal.hands) == before
            deal.apply(choose(rng, deal, before[0]))
        assert deal.legal() == ()


def test_jetons_are_neither_made_nor_lost() -> None:
    for seed in range(200):
        rng = Random(seed)
        setting = Setting.drawn(rng)
        deal = setting.start_engine()
        while deal.turn >= 0:
            deal.apply(choose(rng, deal, deal.legal()))
            settled = deal.settle()
            assert sum(settled.net) + sum(settled.carry_after) == sum(setting.carry)


@pytest.mark.parametrize(
    ("double", "passed", "doubled"),
    [("per_stake", 0b101, 0b101), ("all_three", 0b101, 0), ("all_three", 0b111, 0b111), ("never", 0b111, 0)],
)
def test_what_is_doubled_next(double: str, passed: int, doubled: int) -> None:
    assert doubled_after(Rules().with_text("double", double), passed) == doubled


def test_numbers_of_actions_do_not_collide() -> None:
    """All that an auction may offer, with the highest raise cap, and all claims."""
    deal = Deal.of(House.of(Rules(raise_cap=1000), 2), list(range(52)))
    seen: set[int] = set()
    state, _ = game_rules.start_deal(Rules(raise_cap=1000), 2, 1, (100, 100), (0, 0, 0), frozenset())
    setting = Setting(Rules(), 2, 1, (0, 0, 0), frozenset(), DECK)
    offered = game_rules.legal_actions(setting.view(state, 0))
    seen |= {encode_action(deal, action) for action in offered}
    assert len(seen) == len(offered) == 1002
    assert max(codes.RAISE + codes.CLASSES * 1000 + 3, codes.ANNOUNCE + codes.code_of(13, 85)) < codes.SHOW_PART
    assert codes.ANNOUNCE + codes.code_of(13, 85) < codes.RAISE
    assert codes.SHOW + 31 < codes.ANNOUNCE
    assert len(Stake) == 3


def test_a_lone_winner_may_show_any_of_five_tricons() -> None:
    """More a hand cannot hold."""
    state, deck = dealt(["AS AH AD 2S 2H 2D 3S 3H 3D 4S 4H 4D 5S 5H 5D", ""])
    for word in (Pass(), Pass(), Pass(), Pass(), Declare(Combination.BRELAN), Good()):
        assert state.turn is not None
        state, _ = game_rules.apply(state, state.turn, word)
    view = view_of(state, 0, deck)
    deal = deal_of(view, [0, mask_of(deck[position] for position in state.hands[1])])
    offered = game_rules.legal_actions(view)
    assert tuple(decode_action(view, code) for code in deal.legal()) == offered
    assert len(offered) == 2**5
    deal.apply(deal.legal()[1])  # all of them
    state, _ = game_rules.apply(state, 0, offered[1])
    verify_figures(state, deal)
