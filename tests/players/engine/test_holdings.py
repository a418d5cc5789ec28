from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.game import combinations as by_rules
from hocp2p.game.actions import CLASSES, Claim, Stake
from hocp2p.game.cards import DECK, Card
from hocp2p.game.combinations import RATES
from hocp2p.game.house import Rules
from hocp2p.players.engine.codes import CODE, code_of
from hocp2p.players.engine.holdings import RATE, SUBSETS, class_number, covers, holdings, part_shows, strength
from hocp2p.players.engine.masks import cards_of, mask_of
from tests.support.table_sim import cards

hands = st.frozensets(st.sampled_from(DECK), min_size=1, max_size=15)
dense = st.tuples(hands, st.frozensets(st.sampled_from(DECK[:26:2] + DECK[5:18]), max_size=12)).map(
    lambda pair: frozenset(list(pair[0] | pair[1])[:15])
)
"""Hands with more runs and tricons than chance gives."""


@given(hands | dense, st.sampled_from(Stake), st.sampled_from(["cards", "pips"]))
def test_holdings_are_those_of_the_rules(hand: frozenset[Card], stake: Stake, point: str) -> None:
    rules = Rules().with_text("point", point)
    theirs = by_rules.holdings(stake, hand, rules)
    ours = holdings(stake, mask_of(hand), by_pips=point == "pips")
    assert [held.mask for held in ours] == [mask_of(holding.cards) for holding in theirs]
    assert [divmod(held.code, CODE) for held in ours] == [(h.claim.first, h.claim.second) for h in theirs]
    assert [held.pay for held in ours] == [holding.payment for holding in theirs]
    for held, holding in zip(ours, theirs, strict=True):
        combination = holding.combination
        number = 0 if combination is None else CLASSES[stake].index(combination) + 1
        assert class_number(stake, held.code) == number
        claims = [Claim(first, second) for first in range(1, 8) for second in range(1, 32)]
        for claim in claims:
            assert covers(stake, held.code, code_of(claim.first, claim.second)) == holding.covers(claim)


@given(st.sampled_from(Stake), st.booleans(), *[st.integers(1, 13)] * 4)
def test_strength_orders_as_the_rules_do(stake: Stake, by_pips: bool, a: int, b: int, c: int, d: int) -> None:
    rules = Rules().with_text("point", "pips" if by_pips else "cards")
    theirs = by_rules.claim_strength(rules, stake, Claim(a, b)), by_rules.claim_strength(rules, stake, Claim(c, d))
    ours = strength(stake, code_of(a, b), by_pips=by_pips), strength(stake, code_of(c, d), by_pips=by_pips)
    assert (ours[0] > ours[1], ours[0] == ours[1]) == (theirs[0] > theirs[1], theirs[0] == theirs[1])


def test_rates() -> None:
    for stake in Stake:
        assert RATE[stake] == (0, *(RATES[combination][0] for combination in CLASSES[stake]))


def test_subsets_by_size() -> None:
    assert SUBSETS[3] == ((0,), (1, 2, 4), (3, 5, 6), (7,))
    assert SUBSETS[0] == ((0,),)


@pytest.mark.parametrize(
    ("claim", "parts"),
    [
        ((2, 11), ["AS TS", "AS JS", "2H 9H"]),  # the stronger suit first
        ((3, 21), ["AS TS JS"]),
        ((4, 21), []),
        ((2, 20), ["TS JS"]),
    ],
)
def test_parts_of_a_suit_that_make_a_point(claim: tuple[int, int], parts: list[str]) -> None:
    hand = mask_of(cards("AS TS JS 2H 9H 5D"))
    found = part_shows(hand, code_of(*claim))
    assert [set(cards_of(part)) for part in found] == [set(cards(part)) for part in parts]
