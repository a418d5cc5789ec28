"""What wins a stake and what it is worth: RULES 2.1 and the table of 2.2."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.errors import RuleError
from hocp2p.game.actions import Claim, Stake
from hocp2p.game.cards import DECK, RANKS, Card
from hocp2p.game.combinations import (
    Holding,
    best_point,
    claim_strength,
    holdings,
    points,
    runs,
    tricons,
    verify_claim,
)
from hocp2p.game.house import Rules
from tests.support.deals import parse_hand

BY_PIPS = Rules(point="pips")
hands = st.lists(st.sampled_from(DECK), unique=True, max_size=15)


def texts(found: tuple[Holding, ...]) -> list[str]:
    return [" ".join(map(str, holding.cards)) for holding in found]


def test_point_is_the_most_cards_of_a_suit() -> None:
    best = best_point(parse_hand("2S 3S 4S KH QH"))
    assert best is not None
    assert best.claim == Claim(3, 9)


def test_equal_numbers_go_by_card_points() -> None:
    assert texts(points(parse_hand("2S 3S KH AH TC 9C"))) == ["9C TC", "AH KH", "2S 3S"]


def test_by_pips_the_highest_total_wins_whatever_the_number() -> None:
    hand = parse_hand("2S 3S 4S KH QH")
    assert texts(points(hand, BY_PIPS)) == ["QH KH", "2S 3S 4S"]
    assert claim_strength(BY_PIPS, Stake.POINT, Claim(3, 20)) == claim_strength(BY_PIPS, Stake.POINT, Claim(2, 20))


def test_pips_change_the_point_only() -> None:
    assert claim_strength(BY_PIPS, Stake.SEQUENCE, Claim(4, 7)) > claim_strength(BY_PIPS, Stake.SEQUENCE, Claim(3, 13))


def test_no_cards_no_point() -> None:
    assert best_point([]) is None


def test_longer_runs_first_then_higher() -> None:
    hand = parse_hand("AS 2S 3S 7H 8H 9H TH JC QC KC")
    assert texts(runs(hand)) == ["7H 8H 9H TH", "JC QC KC", "AS 2S 3S"]


def test_runs_do_not_go_round_the_corner() -> None:
    assert runs(parse_hand("QS KS AS 2S")) == ()


def test_runs_need_one_suit_and_three_cards() -> None:
    assert runs(parse_hand("5S 6S 7H 8H TD")) == ()


def test_two_runs_in_one_suit_are_separate() -> None:
    assert texts(runs(parse_hand("AS 2S 3S 5S 6S 7S"))) == ["5S 6S 7S", "AS 2S 3S"]


def test_fredon_beats_brelan_then_the_higher_rank() -> None:
    hand = parse_hand("KS KH KD 4S 4H 4D 4C 5S 5H 9S 9H 9D")
    assert texts(tricons(hand)) == ["4S 4H 4D 4C", "KS KH KD", "9S 9H 9D"]


@pytest.mark.parametrize(
    ("stake", "cards", "payment", "reason"),
    [
        (Stake.SEQUENCE, "7D 8D 9D", 1, "tierce"),
        (Stake.SEQUENCE, "7D 8D 9D TD", 2, "quart"),
        (Stake.SEQUENCE, "7D 8D 9D TD JD", 3, "quint"),
        (Stake.SEQUENCE, "7D 8D 9D TD JD QD", 3, "quint"),
        (Stake.SEQUENCE, "JD QD KD", 2, "tierce major"),
        (Stake.SEQUENCE, "TD JD QD KD", 3, "quart major"),
        (Stake.SEQUENCE, "8D 9D TD JD QD KD", 4, "quint major"),
        (Stake.TRICON, "QS QH QD", 2, "brelan"),
        (Stake.TRICON, "AS AH AD AC", 4, "fredon"),
        (Stake.TRICON, "KS KH KD", 4, "brelan major"),
        (Stake.TRICON, "KS KH KD KC", 8, "fredon major"),
        (Stake.POINT, "JD QD KD", 0, "point"),
    ],
)
def test_payments(stake: Stake, cards: str, payment: int, reason: str) -> None:
    (holding,) = holdings(stake, parse_hand(cards))
    assert (holding.payment, holding.reason) == (payment, reason)


@pytest.mark.parametrize(
    ("stake", "cards", "claim", "covered"),
    [
        (Stake.POINT, "2S 3S 4S", Claim(3, 9), True),
        (Stake.POINT, "2S 3S 4S", Claim(2, 7), False),
        (Stake.SEQUENCE, "4C 5C 6C 7C", Claim(4, 7), True),
        (Stake.SEQUENCE, "4C 5C 6C 7C", Claim(3, 6), True),
        (Stake.SEQUENCE, "4C 5C 6C 7C", Claim(3, 7), True),
        (Stake.SEQUENCE, "4C 5C 6C 7C", Claim(3, 5), False),
        (Stake.SEQUENCE, "4C 5C 6C 7C", Claim(3, 8), False),
        (Stake.SEQUENCE, "4C 5C 6C 7C", Claim(5, 7), False),
        (Stake.TRICON, "4C 4S 4H 4D", Claim(3, 4), True),
        (Stake.TRICON, "4C 4S 4H", Claim(4, 4), False),
        (Stake.TRICON, "4C 4S 4H", Claim(3, 3), False),
    ],
)
def test_what_a_show_makes_true(stake: Stake, cards: str, claim: Claim, covered: bool) -> None:
    (holding,) = holdings(stake, parse_hand(cards))
    assert holding.covers(claim) is covered


@given(hands)
def test_runs_are_all_runs_that_cannot_be_longer(hand: list[Card]) -> None:
    """Against a search through all of them by definition."""
    held = set(hand)
    expected = set()
    for suit in range(4):
        for low, high in combinations(RANKS, 2):
            run = [Card(rank, suit) for rank in range(low, high + 1)]
            longer = {Card(low - 1, suit), Card(high + 1, suit)}
            if len(run) >= 3 and held.issuperset(run) and not longer & held:
                expected.add(tuple(run))
    found = runs(hand)
    assert {holding.cards for holding in found} == expected
    assert [holding.claim for holding in found] == sorted((holding.claim for holding in found), reverse=True)


@given(hands)
def test_tricons_are_all_ranks_held_three_times_or_more(hand: list[Card]) -> None:
    expected = {rank for rank in RANKS if sum(card.rank == rank for card in hand) >= 3}
    found = tricons(hand)
    assert {holding.cards[0].rank for holding in found} == expected
    assert all(set(holding.cards) == {card for card in hand if card.rank == holding.claim.second} for holding in found)


@given(hands, st.sampled_from([Rules(), BY_PIPS]), st.sampled_from(Stake))
def test_what_a_hand_holds_is_well_claimed_and_strongest_first(hand: list[Card], rules: Rules, stake: Stake) -> None:
    found = holdings(stake, hand, rules)
    for holding in found:
        verify_claim(stake, holding.claim, len(hand))
        assert holding.covers(holding.claim)
        assert set(holding.cards) <= set(hand)
    strengths = [claim_strength(rules, stake, holding.claim) for holding in found]
    assert strengths == sorted(strengths, reverse=True)


@given(hands)
def test_finding_does_not_depend_on_the_order_of_the_hand(hand: list[Card]) -> None:
    for stake in Stake:
        assert holdings(stake, hand) == holdings(stake, hand[::-1])


@pytest.mark.parametrize(
    ("stake", "claim"),
    [
        (Stake.POINT, Claim(0, 0)),
        (Stake.POINT, Claim(13, 85)),
        (Stake.POINT, Claim(1, 0)),
        (Stake.POINT, Claim(1, 11)),
        (Stake.POINT, Claim(4, 41)),
        (Stake.POINT, Claim(4, 9)),
        (Stake.POINT, Claim(-1, 5)),
        (Stake.SEQUENCE, Claim(2, 7)),
        (Stake.SEQUENCE, Claim(4, 3)),
        (Stake.SEQUENCE, Claim(3, 14)),
        (Stake.SEQUENCE, Claim(13, 13)),
        (Stake.TRICON, Claim(2, 7)),
        (Stake.TRICON, Claim(5, 7)),
        (Stake.TRICON, Claim(3, 0)),
        (Stake.TRICON, Claim(3, 14)),
    ],
)
def test_claims_that_no_hand_of_twelve_can_hold_are_refused(stake: Stake, claim: Claim) -> None:
    with pytest.raises(RuleError) as caught:
        verify_claim(stake, claim, 12)
    assert caught.value.code == "bad-claim"


def test_a_hand_of_fifteen_may_hold_a_whole_suit() -> None:
    verify_claim(Stake.POINT, Claim(13, 85), 15)
    verify_claim(Stake.SEQUENCE, Claim(13, 13), 15)
