from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.game.actions import Claim, Stake
from hocp2p.game.cards import DECK, RANKS, Card, parse_card
from hocp2p.players.estimates import NOTHING, chance_unbeaten


def cards(text: str) -> frozenset[Card]:
    return frozenset(parse_card(word) for word in text.split())


def strengths(stake: Stake, hand: frozenset[Card]) -> list[tuple[int, int]]:
    """All that a hand could announce, found card by card; written apart from the counting under test."""
    if stake is Stake.POINT:
        suits = [[card for card in hand if card.suit == suit] for suit in range(4)]
        return [(len(suit), sum(card.pips for card in suit)) for suit in suits]
    if stake is Stake.TRICON:
        counts = [(sum(card.rank == rank for card in hand), rank) for rank in RANKS]
        return [(count, rank) for count, rank in counts if count >= 3]
    return [
        (length, top)
        for length in range(3, 14)
        for top in range(length, 14)
        for suit in range(4)
        if all(Card(rank, suit) in hand for rank in range(top - length + 1, top + 1))
    ]


def is_beaten(stake: Stake, hand: frozenset[Card], claim: Claim, by_pips: bool, wins_ties: bool) -> bool:
    ours = (claim.first, claim.second)
    theirs = strengths(stake, hand)
    if by_pips and stake is Stake.POINT:
        ours, theirs = (0, ours[1]), [(0, pips) for _, pips in theirs]
    return any(other > ours or (other == ours and not wins_ties) for other in theirs)


@st.composite
def questions(draw: st.DrawFn) -> tuple[Stake, Claim, bool, bool, frozenset[Card], frozenset[Card], int]:
    """A claim against few unseen cards, near each other, so that every hand can be looked at."""
    stake = draw(st.sampled_from(Stake))
    near = [card for card in DECK if card.rank >= 9] if draw(st.booleans()) else list(DECK[:18])
    known = draw(st.sets(st.sampled_from(near), min_size=4, max_size=14))
    shown = draw(st.sets(st.sampled_from(sorted(known)), max_size=3))
    unseen = known - shown
    draws = draw(st.integers(0, min(len(unseen), 6)))
    if stake is Stake.POINT:
        claim = Claim(draw(st.integers(1, 6)), draw(st.integers(1, 60)))
    elif draw(st.booleans()):
        claim = NOTHING
    else:
        most = 6 if stake is Stake.SEQUENCE else 4
        claim = Claim(draw(st.integers(3, most)), draw(st.integers(1, 13)))
    return stake, claim, draw(st.booleans()), draw(st.booleans()), frozenset(shown), frozenset(unseen), draws


@settings(max_examples=150, deadline=None)
@given(questions())
def test_chance_is_the_share_of_hands_that_do_not_beat_the_claim(
    question: tuple[Stake, Claim, bool, bool, frozenset[Card], frozenset[Card], int],
) -> None:
    stake, claim, by_pips, wins_ties, shown, unseen, draws = question
    hands = [shown | set(chosen) for chosen in combinations(sorted(unseen), draws)]
    safe = sum(not is_beaten(stake, hand, claim, by_pips, wins_ties) for hand in hands)
    chance = chance_unbeaten(
        stake, claim, by_pips=by_pips, wins_ties=wins_ties, shown=shown, unseen=unseen, draws=draws
    )
    assert chance == pytest.approx(safe / len(hands))


@pytest.mark.parametrize(
    ("stake", "draws", "percent"),
    [(Stake.SEQUENCE, 15, 42.5), (Stake.SEQUENCE, 12, 66.7), (Stake.TRICON, 15, 33.2), (Stake.TRICON, 12, 60.1)],
)
def test_how_often_a_hand_holds_nothing(stake: Stake, draws: int, percent: float) -> None:
    """Measured apart, by dealing hands."""
    chance = chance_unbeaten(
        stake, NOTHING, by_pips=False, wins_ties=True, shown=frozenset(), unseen=frozenset(DECK), draws=draws
    )
    assert 100 * chance == pytest.approx(percent, abs=0.5)


@pytest.mark.parametrize("by_pips", [False, True])
def test_point_over_whole_hands_agrees_with_dealing(by_pips: bool) -> None:
    rng = Random(3)
    own = cards("KH 9H 6H 3H AH 2C 5C 7D 8D JS QS 4S")
    unseen = frozenset(DECK) - own
    claim = Claim(5, 29)
    hands = [frozenset(rng.sample(sorted(unseen), 12)) for _ in range(2000)]
    safe = sum(not is_beaten(Stake.POINT, hand, claim, by_pips, True) for hand in hands)
    chance = chance_unbeaten(
        Stake.POINT, claim, by_pips=by_pips, wins_ties=True, shown=frozenset(), unseen=unseen, draws=12
    )
    assert chance == pytest.approx(safe / 2000, abs=0.04)


def test_more_draws_than_can_be_safe_is_no_chance() -> None:
    chance = chance_unbeaten(
        Stake.POINT,
        Claim(1, 1),
        by_pips=False,
        wins_ties=True,
        shown=frozenset(),
        unseen=cards("2S 3S 4S"),
        draws=3,
    )
    assert chance == 0


@pytest.mark.parametrize(("shown", "chance"), [("2S 3S 9C", 1), ("2S 3S 5S", 0.75)])
def test_shown_cards_count_against_us(shown: str, chance: float) -> None:
    """Only the four of spades makes the second hand a quart."""
    assert chance == chance_unbeaten(
        Stake.SEQUENCE,
        Claim(3, 13),
        by_pips=False,
        wins_ties=True,
        shown=cards(shown),
        unseen=cards("4S 6S 8H 9D"),
        draws=1,
    )
