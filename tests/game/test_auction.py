"""The auction of a stake: RULES 2. Seats: 0 eldest, 1 middle, 2 dealer, unless a test says otherwise."""

from __future__ import annotations

import pytest

from hocp2p.errors import RuleError
from hocp2p.game.actions import Combination, Declare, Raise, Stake
from hocp2p.game.events import Called, ShowdownOpened, Source, StakeClosed, StakeEnd, StakeOpened
from hocp2p.game.house import Rules
from hocp2p.game.rules import outcome
from hocp2p.game.state import Phase
from tests.support.deals import Deal, deal_from_text

HANDS = ["2S 3S 4S", "2H 3H 5H", "2D 4D 6D"]


def auction_of(stake: Stake, rules: Rules | None = None) -> Deal:
    deal = deal_from_text(HANDS, rules=rules or Rules())
    deal.skip_to(stake)
    return deal


def assert_refused(deal: Deal, line: str, code: str) -> None:
    before = deal.state
    with pytest.raises(RuleError) as caught:
        deal.say(line)
    assert caught.value.code == code
    assert deal.state == before


@pytest.mark.parametrize(("dealer", "order"), [(2, "012"), (0, "120"), (1, "201")])
def test_eldest_speaks_first_and_the_dealer_last(dealer: int, order: str) -> None:
    deal = deal_from_text(HANDS, dealer)
    assert StakeOpened(Stake.POINT, 3, False, int(order[0])) in deal.events
    for seat in order:
        assert deal.state.turn == int(seat)
        deal.say(f"{seat} pass")
    assert deal.state.stake is Stake.SEQUENCE


def test_only_the_seat_whose_turn_it_is_may_speak() -> None:
    assert_refused(auction_of(Stake.POINT), "1 declare", "not-your-turn")


def test_before_the_opening_nobody_stays_or_says_good() -> None:
    """R-092."""
    deal = auction_of(Stake.POINT)
    assert_refused(deal, "0 stay", "not-opened")
    assert_refused(deal, "0 good", "not-opened")


def test_after_the_opening_nobody_passes_or_declares() -> None:
    """R-092."""
    deal = auction_of(Stake.POINT)
    deal.say("0 declare")
    assert_refused(deal, "1 pass", "opened")
    assert_refused(deal, "1 declare", "opened")


def test_cards_are_not_played_in_an_auction() -> None:
    deal = auction_of(Stake.POINT)
    for line in ("0 play 2S", "0 sans 3", "0 blanche", "0 unseen", "0 announce 3/9", "0 show 2S 3S 4S"):
        assert_refused(deal, line, "wrong-phase")


def test_declaring_adds_nothing_and_raising_adds_to_the_level() -> None:
    deal = auction_of(Stake.POINT)
    events = deal.say("0 declare", "1 raise 5", "2 raise 3", "0 stay")
    paid = [(event.seat, event.paid, event.level) for event in events if isinstance(event, Called)]
    assert paid == [(0, 0, 0), (1, 5, 5), (2, 8, 8), (0, 8, 8)]
    assert deal.state.pools[Stake.POINT] == 3 + 5 + 8 + 8


def test_a_raise_opens() -> None:
    deal = auction_of(Stake.POINT)
    deal.say("0 raise 1")
    assert deal.offers()[:2] == ["good", "stay"]


@pytest.mark.parametrize("by", [0, -1, 21])
def test_a_raise_is_from_one_to_the_cap(by: int) -> None:
    """R-092."""
    deal = auction_of(Stake.POINT)
    with pytest.raises(RuleError) as caught:
        deal.do(0, Raise(by))
    assert caught.value.code == "bad-raise"


def test_the_cap_is_a_house_rule() -> None:
    deal = auction_of(Stake.POINT, Rules(raise_cap=3))
    assert deal.offers() == ["pass", "declare", "raise 1", "raise 2", "raise 3"]
    assert_refused(deal, "0 raise 4", "bad-raise")


def test_a_passer_may_act_once_somebody_opens() -> None:
    deal = auction_of(Stake.POINT)
    deal.say("0 pass", "1 pass", "2 declare")
    assert deal.state.turn == 0
    deal.say("0 raise 2", "1 stay", "2 stay")
    assert deal.state.phase is Phase.SHOWDOWN


def test_the_auction_ends_when_all_have_matched_since_the_last_raise() -> None:
    deal = auction_of(Stake.POINT)
    deal.say("0 declare", "1 stay")
    assert deal.state.phase is Phase.AUCTION, "the dealer has not spoken"
    deal.say("2 raise 1", "0 stay", "1 raise 1")
    assert deal.state.turn == 2
    deal.say("2 stay")
    assert deal.state.turn == 0
    events = deal.say("0 stay")
    assert ShowdownOpened(Stake.POINT, (0, 1, 2)) in events


def test_raises_are_not_limited_in_number() -> None:
    deal = auction_of(Stake.POINT)
    deal.say("0 declare", "1 raise 20", "2 good")
    for _ in range(10):
        deal.say("0 raise 20", "1 raise 20")
    deal.say("0 stay")
    assert deal.state.pools[Stake.POINT] == 3 + 2 * 21 * 20


def test_good_is_for_good_and_what_was_put_in_stays() -> None:
    deal = auction_of(Stake.POINT)
    deal.say("0 raise 4", "1 raise 1", "2 good", "0 good")
    assert deal.pay(Source.POINT) == (-5, 3 + 4 + 5 - 1 - 5, -1)
    assert deal.state.stake is Stake.SEQUENCE


def test_the_last_one_left_wins_at_once_and_takes_the_point_without_a_word() -> None:
    deal = auction_of(Stake.POINT)
    (closed,) = (e for e in deal.say("0 declare", "1 good", "2 good") if isinstance(e, StakeClosed))
    assert closed == StakeClosed(Stake.POINT, StakeEnd.ALONE, 0, 3)
    assert deal.pay(Source.POINT) == (2, -1, -1)


def test_everybody_passes_and_the_pool_stays() -> None:
    deal = auction_of(Stake.POINT)
    events = deal.say("0 pass", "1 pass", "2 pass")
    assert events[-2:] == (
        StakeClosed(Stake.POINT, StakeEnd.PASSED, None, 0),
        StakeOpened(Stake.SEQUENCE, 3, False, 0),
    )
    assert deal.state.pools == (3, 3, 3)


# Classes


def test_point_announces_no_class() -> None:
    deal = auction_of(Stake.POINT)
    for action in (Declare(Combination.TIERCE), Raise(1, Combination.BRELAN)):
        with pytest.raises(RuleError) as caught:
            deal.do(0, action)
        assert caught.value.code == "bad-class"


@pytest.mark.parametrize("line", ["0 declare", "0 raise 2"])
def test_who_puts_himself_in_announces_a_class(line: str) -> None:
    """R-093."""
    assert_refused(auction_of(Stake.SEQUENCE), line, "no-class")


def test_who_stays_for_the_first_time_announces_a_class() -> None:
    deal = auction_of(Stake.TRICON)
    deal.say("0 declare brelan")
    assert_refused(deal, "1 stay", "no-class")
    assert_refused(deal, "1 raise 3", "no-class")


@pytest.mark.parametrize(("stake", "line"), [(Stake.SEQUENCE, "0 declare brelan"), (Stake.TRICON, "0 declare quint")])
def test_the_class_belongs_to_the_stake(stake: Stake, line: str) -> None:
    assert_refused(auction_of(stake), line, "bad-class")


def test_the_class_may_be_a_lie_and_lower_than_another_player_s() -> None:
    deal = auction_of(Stake.SEQUENCE)
    deal.say("0 declare quint", "1 raise 1 tierce")
    assert deal.state.auction is not None
    assert deal.state.auction.announced == (Combination.QUINT, Combination.TIERCE, None)


def test_a_higher_class_may_come_with_a_later_raise_only() -> None:
    """R-093."""
    deal = auction_of(Stake.SEQUENCE)
    deal.say("0 declare quart", "1 raise 1 tierce", "2 good")
    assert_refused(deal, "0 stay quint", "bad-class")
    assert_refused(deal, "0 raise 1 quart", "bad-class")
    assert_refused(deal, "0 raise 1 tierce", "bad-class")
    deal.say("0 raise 1 quint", "1 raise 1")
    assert deal.state.auction is not None
    assert deal.state.auction.announced == (Combination.QUINT, Combination.TIERCE, None)


def test_what_is_offered_in_order() -> None:
    deal = auction_of(Stake.TRICON, Rules(raise_cap=2))
    assert deal.offers() == [
        "pass", "declare brelan", "declare fredon",
        "raise 1 brelan", "raise 1 fredon", "raise 2 brelan", "raise 2 fredon",
    ]  # fmt: skip
    deal.say("0 declare brelan", "1 raise 1 fredon")
    assert deal.offers()[:3] == ["good", "stay brelan", "stay fredon"]
    deal.say("2 good")
    assert deal.offers() == ["good", "stay", "raise 1", "raise 1 fredon", "raise 2", "raise 2 fredon"]
    deal.say("0 raise 1")
    assert deal.offers() == ["good", "stay", "raise 1", "raise 2"]


# Carrying and doubling


def finish(deal: Deal, passed: set[Stake]) -> None:
    """Plays a deal to its end in which exactly these stakes are passed; eldest takes the others alone."""
    words = {Stake.POINT: "declare", Stake.SEQUENCE: "declare tierce", Stake.TRICON: "declare brelan"}
    while (stake := deal.state.stake) is not None:
        if stake in passed:
            deal.say("0 pass", "1 pass", "2 pass")
        else:
            deal.say(f"0 {words[stake]}", "1 good", "2 good")
            if stake is not Stake.POINT:
                deal.say("0 unseen")
    while deal.state.turn is not None:
        deal.do(deal.state.turn, deal.legal()[0])


ALL = set(Stake)


@pytest.mark.parametrize(
    ("double", "passed", "doubled"),
    [
        ("per_stake", set(), set()),
        ("per_stake", {Stake.SEQUENCE}, {Stake.SEQUENCE}),
        ("per_stake", ALL, ALL),
        ("all_three", {Stake.POINT, Stake.TRICON}, set()),
        ("all_three", ALL, ALL),
        ("never", ALL, set()),
    ],
)
def test_passed_stakes_are_carried_and_doubled(double: str, passed: set[Stake], doubled: set[Stake]) -> None:
    deal = deal_from_text(HANDS, rules=Rules().with_text("double", double))
    finish(deal, passed)
    assert deal.state.passed == passed
    result = outcome(deal.state)
    assert result.carry_after == tuple(3 if stake in passed else 0 for stake in Stake)
    assert result.doubled_after == doubled


def test_a_stake_passed_again_grows_and_is_still_only_doubled() -> None:
    deal = deal_from_text(HANDS, carry=(6, 0, 0), doubled=frozenset({Stake.POINT}))
    finish(deal, {Stake.POINT})
    assert outcome(deal.state).carry_after == (9, 0, 0)
    assert outcome(deal.state).doubled_after == {Stake.POINT}


def test_a_doubled_class_is_paid_twice_unseen() -> None:
    deal = deal_from_text(HANDS, carry=(0, 0, 3), doubled=frozenset({Stake.TRICON}))
    deal.skip_to(Stake.TRICON)
    deal.say("0 declare fredon", "1 good", "2 good", "0 unseen")
    assert deal.pay(Source.TRICON) == (-1 + 6 + 16, -9, -9)
