"""RULES 1: a session of agreed deals, and the division at its end."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Stake
from hocp2p.game.cards import card_of, parse_card
from hocp2p.game.house import START_BALANCE, Rules
from hocp2p.game.match import Match, lowest_draw, start_match
from hocp2p.game.state import DealOutcome
from tests.support.choosing import play_wildly

NO_PAY: dict[str, tuple[int, ...]] = {}


def outcome_of(
    balances: tuple[int, ...], carry: tuple[int, int, int] = (0, 0, 0), doubled: frozenset[Stake] = frozenset()
) -> DealOutcome:
    return DealOutcome(NO_PAY, tuple(balance - START_BALANCE for balance in balances), balances, carry, doubled)


def played(match: Match, rng: random.Random, leaving: float = 0.0) -> Match:
    """The match after one deal at random."""
    state, _ = match.start_deal()
    faces = dict(enumerate(card_of(index) for index in rng.sample(range(52), 52)))
    state, _, gone = play_wildly(state, faces, rng, leaving)
    for seat, _ in gone:
        match = match.without(seat)
    return match.after(game_rules.outcome(state))


def test_a_session_begins_with_100_jetons_each() -> None:
    match = start_match(Rules(), 3, first_dealer=1)
    assert match == Match(Rules(), 3, (100, 100, 100), dealer=1, number=1)
    state, events = match.start_deal()
    assert (state.dealer, state.balances, state.pools) == (1, (97, 97, 97), (3, 3, 3))
    assert events


@pytest.mark.parametrize(("seats", "deals"), [(3, 4), (2, 3), (1, 6), (4, 8)])
def test_a_session_is_a_multiple_of_the_players(seats: int, deals: int) -> None:
    with pytest.raises(RuleError):
        start_match(Rules(deals=deals), seats, 0)


@pytest.mark.parametrize("dealer", [-1, 2])
def test_the_first_dealer_sits_at_the_table(dealer: int) -> None:
    with pytest.raises(RuleError):
        start_match(Rules(), 2, dealer)


def test_eldest_deals_the_next_deal() -> None:
    match = start_match(Rules(), 3, first_dealer=1)
    dealers = []
    while not match.is_over:
        dealers.append(match.dealer)
        eldest = match.start_deal()[0].eldest
        match = match.after(outcome_of(match.balances))
        assert match.dealer == eldest
    assert dealers == [1, 2, 0, 1, 2, 0]


def test_pools_and_doubling_go_on_to_the_next_deal() -> None:
    match = start_match(Rules(), 3, 0).after(outcome_of((97, 97, 98), (5, 3, 0), frozenset({Stake.SEQUENCE})))
    state, _ = match.start_deal()
    assert state.carry_in == (5, 3, 0)
    assert state.pools == (8, 6, 3)
    assert state.doubled == {Stake.SEQUENCE}
    assert state.balances == (94, 94, 95)


def test_an_outcome_that_makes_or_loses_jetons_is_refused() -> None:
    match = start_match(Rules(), 2, 0)
    for balances, carry in (((101, 100), (0, 0, 0)), ((100, 100), (0, 1, 0)), ((99, 100), (0, 0, 0))):
        with pytest.raises(RuleError) as caught:
            match.after(outcome_of(balances, carry))
        assert caught.value.code == "bad-outcome"
    with pytest.raises(RuleError):
        match.after(outcome_of((100, 50, 50)))


@pytest.mark.parametrize(
    ("seats", "last_dealer", "carry", "shares"),
    [
        (3, 2, (3, 0, 3), (2, 2, 2)),
        (3, 2, (4, 0, 3), (3, 2, 2)),  # eldest is seat 0
        (3, 2, (5, 0, 3), (3, 3, 2)),
        (3, 0, (4, 0, 0), (1, 2, 1)),  # eldest is seat 1
        (3, 1, (5, 0, 0), (2, 1, 2)),  # eldest is seat 2, then 0
        (2, 0, (5, 0, 0), (2, 3)),
        (2, 1, (5, 2, 0), (4, 3)),
        (2, 1, (0, 0, 0), (0, 0)),
    ],
)
def test_what_is_carried_at_the_end_is_divided(
    seats: int, last_dealer: int, carry: tuple[int, int, int], shares: tuple[int, ...]
) -> None:
    rules = Rules(deals=seats)
    match = replace(start_match(rules, seats, last_dealer), number=seats)
    before = (START_BALANCE - sum(carry), *(START_BALANCE,) * (seats - 1))
    closing = match.after(outcome_of(before, carry)).close()
    assert closing.shares == shares
    assert closing.balances == tuple(map(sum, zip(before, shares, strict=True)))
    assert closing.net == tuple(balance - START_BALANCE for balance in closing.balances)
    assert sum(closing.net) == 0


def test_a_session_may_be_closed_early() -> None:
    match = start_match(Rules(), 2, 0)
    assert match.close().net == (0, 0)
    match = match.after(outcome_of((90, 105), (5, 0, 0)))
    assert match.close().net == (-8, 8)  # eldest of the one deal was seat 1


def test_a_session_does_not_go_on_after_its_end() -> None:
    match = start_match(Rules(deals=2), 2, 0)
    match = match.after(outcome_of((100, 100))).after(outcome_of((100, 100)))
    assert match.is_over
    for attempt in (match.start_deal, lambda: match.after(outcome_of((100, 100)))):
        with pytest.raises(RuleError) as caught:
            attempt()
        assert caught.value.code == "match-over"


@pytest.mark.parametrize(("ruin", "balances", "over"), [
    ("off", (-50, 250), False),
    ("on", (-1, 201), True),
    ("on", (0, 200), False),
])  # fmt: skip
def test_ruin_ends_the_session_below_zero(ruin: str, balances: tuple[int, int], over: bool) -> None:
    match = start_match(Rules().with_text("ruin", ruin), 2, 0).after(outcome_of(balances))
    assert match.is_over is over
    if over:
        assert match.close().net == (-101, 101)


def test_with_one_seat_left_the_session_is_over() -> None:
    match = start_match(Rules(), 3, 0).without(1)
    assert not match.is_over
    assert match.start_deal()[0].gone == {1}
    assert match.without(1) == match
    assert match.without(2).is_over
    assert start_match(Rules(), 2, 0).without(0).is_over
    with pytest.raises(RuleError):
        match.without(2).start_deal()
    with pytest.raises(RuleError):
        match.without(3)


def test_a_seat_lost_in_a_deal_is_taken_out_before_or_after_its_outcome() -> None:
    match, outcome = start_match(Rules(), 2, 0), outcome_of((99, 99), (2, 0, 0))
    assert match.without(1).after(outcome) == match.after(outcome).without(1)


def test_a_lost_seat_gets_its_part_and_its_turn_as_dealer() -> None:
    match = start_match(Rules(deals=3), 3, 0).without(1)
    match = match.after(outcome_of((97, 97, 97), (3, 3, 3)))
    assert match.dealer == 1
    match = match.after(outcome_of((97, 97, 97), (3, 3, 3))).after(outcome_of((97, 97, 97), (3, 3, 3)))
    assert match.close().shares == (3, 3, 3)
    assert match.close().net == (0, 0, 0)


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]), st.sampled_from(["off", "on"]), st.booleans())
def test_a_whole_session_sums_to_zero(seed: int, seats: int, ruin: str, leaving: bool) -> None:
    rng = random.Random(seed)
    rules = Rules(deals=seats, raise_cap=30).with_text("ruin", ruin)
    match = start_match(rules, seats, rng.randrange(seats))
    while not match.is_over:
        assert sum(match.balances) + sum(match.carry) == seats * START_BALANCE
        match = played(match, rng, leaving=0.01 if leaving else 0.0)
    closing = match.close()
    assert sum(closing.net) == 0
    assert sum(closing.balances) == seats * START_BALANCE
    assert sum(closing.shares) == sum(match.carry)
    assert max(closing.shares) - min(closing.shares) <= 1


@pytest.mark.parametrize(
    ("drawn", "lowest"),
    [
        ({0: "7S", 1: "2D", 2: "KC"}, (1,)),
        ({0: "2S", 1: "2D", 2: "KC"}, (0, 1)),
        ({0: "QS", 1: "QD", 2: "QC"}, (0, 1, 2)),
        ({0: "AS", 1: "2D"}, (0,)),
        ({2: "3S", 0: "3D"}, (0, 2)),
    ],
)
def test_the_lowest_draw_deals_and_ties_draw_again(drawn: dict[int, str], lowest: tuple[int, ...]) -> None:
    assert lowest_draw({seat: parse_card(text) for seat, text in drawn.items()}) == lowest
