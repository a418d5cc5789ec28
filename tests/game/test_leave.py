"""A seat that is gone: RULES 5. Seats: 0 eldest, 1 middle, 2 dealer."""

from __future__ import annotations

import pytest

from hocp2p.errors import RuleError
from hocp2p.game.actions import Stake
from hocp2p.game.events import DealEnded, HocSaid, Paid, SeatGone, ShowdownOpened, Source, StakeClosed, StakeEnd
from hocp2p.game.play import play_of
from hocp2p.game.rules import outcome
from hocp2p.game.state import Phase
from tests.support.deals import Deal, deal_from_text, play_from_text

HANDS = ["7S 8S 9S 2S", "4C 5C 6C 7C", "7D 8D 9D 2D"]


def stake_of(stake: Stake, hands: list[str] | None = None) -> Deal:
    deal = deal_from_text(hands or HANDS)
    deal.skip_to(stake)
    return deal


def total(deal: Deal) -> int:
    return sum(deal.state.balances) + sum(deal.state.pools) + deal.state.fines


# In an auction


def test_a_seat_that_is_gone_is_passed_over_in_every_auction() -> None:
    deal = stake_of(Stake.POINT)
    assert deal.leave(0) == (SeatGone(0),)
    assert deal.state.turn == 1
    deal.say("1 pass", "2 pass")
    assert deal.state.stake is Stake.SEQUENCE
    assert deal.state.turn == 1
    deal.say("1 declare quart", "2 good")
    assert (deal.state.phase, deal.state.turn) == (Phase.SHOW, 1)


def test_a_seat_lost_before_the_deal_antes_and_is_passed_over() -> None:
    deal = deal_from_text(HANDS, gone=frozenset({0}))
    assert deal.state.pools == (3, 3, 3)
    assert deal.state.turn == 1


def test_what_a_seat_put_in_stays_in_the_pool() -> None:
    deal = stake_of(Stake.POINT)
    deal.say("0 raise 5", "1 stay")
    deal.leave(0)
    assert deal.state.turn == 2
    deal.say("2 good")
    assert deal.pay(Source.POINT) == (-6, 3 + 10 - 6, -1)


def test_when_a_seat_leaves_the_other_may_be_the_last_one_left() -> None:
    deal = stake_of(Stake.POINT)
    deal.say("0 declare", "1 good")
    (gone, closed, *_) = deal.leave(2)
    assert gone == SeatGone(2)
    assert closed == StakeClosed(Stake.POINT, StakeEnd.ALONE, 0, 3)


def test_the_last_one_left_may_not_have_spoken_and_has_no_class_to_be_paid() -> None:
    deal = stake_of(Stake.SEQUENCE)
    deal.say("0 declare tierce", "1 good")
    deal.leave(0)
    assert (deal.state.phase, deal.state.turn) == (Phase.SHOW, 2)
    assert deal.offers() == ["unseen", "show 7D 8D 9D"]
    deal.say("2 unseen")
    assert deal.pay(Source.SEQUENCE) == (-1, -1, 2)


def test_all_who_are_left_have_passed() -> None:
    deal = stake_of(Stake.POINT)
    deal.say("0 pass", "1 pass")
    assert StakeClosed(Stake.POINT, StakeEnd.PASSED, None, 0) in deal.leave(2)
    assert deal.state.stake is Stake.SEQUENCE


def test_all_who_are_left_have_matched() -> None:
    deal = stake_of(Stake.POINT)
    deal.say("0 declare", "1 stay")
    assert ShowdownOpened(Stake.POINT, (0, 1)) in deal.leave(2)


def test_who_has_said_good_leaves_and_nothing_changes() -> None:
    deal = stake_of(Stake.POINT)
    deal.say("0 declare", "1 good")
    before = deal.state.auction
    deal.leave(1)
    assert (deal.state.auction, deal.state.turn) == (before, 2)


def test_out_of_turn_the_turn_stays_where_it_is() -> None:
    deal = stake_of(Stake.POINT)
    deal.leave(2)
    assert deal.state.turn == 0
    deal.say("0 declare", "1 stay")
    assert deal.state.phase is Phase.SHOWDOWN


# In a showdown


def showdown() -> Deal:
    deal = stake_of(Stake.SEQUENCE)
    deal.say("0 declare tierce", "1 stay quart", "2 stay tierce")
    return deal


def test_a_seat_that_has_not_announced_says_good() -> None:
    deal = showdown()
    deal.leave(0)
    assert deal.state.turn == 1
    deal.say("1 good")
    assert deal.state.turn == 2
    deal = showdown()
    deal.leave(2)
    deal.say("0 announce 3/9", "1 good")
    assert (deal.state.phase, deal.state.turn) == (Phase.SHOW, 0)


def test_when_the_best_announcement_leaves_the_others_announce_afresh() -> None:
    deal = showdown()
    deal.say("0 announce 3/9", "1 announce 4/7")
    assert ShowdownOpened(Stake.SEQUENCE, (0, 2)) in deal.leave(1)
    assert deal.state.turn == 0
    assert deal.state.showdown is not None
    assert deal.state.showdown.claims == (None, None, None)


def test_the_one_asked_to_show_leaves_without_a_fine() -> None:
    deal = showdown()
    deal.say("0 announce 3/9", "1 announce 4/7", "2 good")
    deal.leave(1)
    assert (deal.state.phase, deal.state.turn, deal.state.fines) == (Phase.SHOWDOWN, 0, 0)
    deal.say("0 announce 3/9", "2 good", "0 show 7S 8S 9S")
    assert deal.pay(Source.SEQUENCE) == (4, -2, -2), "who is gone pays too"


def test_a_beaten_announcement_leaves_and_nothing_changes() -> None:
    deal = showdown()
    deal.say("0 announce 3/9", "1 announce 4/7")
    deal.leave(0)
    assert (deal.state.phase, deal.state.turn) == (Phase.SHOWDOWN, 2)
    deal.say("2 good", "1 show 4C 5C 6C 7C")
    deal = showdown()
    deal.say("0 announce 3/9", "1 announce 4/7", "2 good")
    deal.leave(0)
    assert (deal.state.phase, deal.state.turn) == (Phase.SHOW, 1)


def test_who_had_given_up_leaves_and_nothing_changes() -> None:
    deal = stake_of(Stake.SEQUENCE)
    deal.say("0 declare tierce", "1 good", "2 stay tierce")
    before = deal.state.showdown
    deal.leave(1)
    assert (deal.state.showdown, deal.state.turn) == (before, 0)


def test_a_lone_winner_who_leaves_takes_his_class_unseen() -> None:
    deal = stake_of(Stake.SEQUENCE)
    deal.say("0 pass", "1 declare quart", "2 good", "0 good")
    deal.leave(1)
    assert deal.pay(Source.SEQUENCE) == (-3, 6, -3)
    assert (deal.state.stake, deal.state.turn) == (Stake.TRICON, 0)


# Carte blanche


def blanche() -> Deal:
    deal = stake_of(Stake.TRICON)
    deal.say("0 pass", "1 pass", "2 pass")
    return deal


def test_who_is_gone_does_not_claim() -> None:
    deal = blanche()
    deal.leave(0)
    assert deal.state.turn == 1
    deal.say("1 blanche", "2 go")
    assert deal.pay(Source.BLANCHE) == (-10, 20, -10)
    assert (deal.state.phase, deal.state.turn) == (Phase.PLAY, 1)


def test_the_last_to_speak_leaves_and_the_play_begins() -> None:
    deal = blanche()
    deal.say("0 blanche", "1 go")
    deal.leave(2)
    assert deal.pay(Source.BLANCHE) == (20, -10, -10)
    assert (deal.state.phase, deal.state.turn) == (Phase.PLAY, 0)


def test_a_claim_that_was_made_stands() -> None:
    deal = blanche()
    deal.say("0 blanche")
    deal.leave(0)
    deal.say("1 go", "2 go")
    assert deal.pay(Source.BLANCHE) == (20, -10, -10)


# In play


def test_the_leader_leaves_and_the_next_one_leads() -> None:
    deal = play_from_text(HANDS)
    deal.leave(0)
    assert (deal.state.turn, play_of(deal.state).called) == (1, None)


def test_who_has_a_fortuitous_hoc_due_leaves_and_none_is_paid() -> None:
    deal = play_from_text(["5S 2S", "3C 2C 4C", "3D 2D"])
    deal.say("0 play 5S", "0 sans 6", "1 sans 6", "2 sans 6")
    deal.leave(0)
    deal.say("1 play 3C")
    assert HocSaid not in map(type, deal.events)


def test_who_is_gone_is_passed_over_without_a_fine() -> None:
    deal = play_from_text(["5S 2S", "6C 2C", "3D 2D"])
    deal.say("0 play 5S")
    deal.leave(1)
    deal.say("0 sans 6")
    assert deal.state.turn == 2
    deal.say("2 sans 6")
    assert (deal.state.turn, play_of(deal.state).hoc_due, deal.state.fines) == (0, True, 0)


def test_leaving_in_turn_passes_the_turn() -> None:
    deal = play_from_text(["5S 2S", "6C 2C", "3D 2D"])
    deal.say("0 play 5S", "0 sans 6")
    deal.leave(1)
    assert (deal.state.turn, play_of(deal.state).called) == (2, 6)


def test_the_player_of_the_last_card_leaves_and_the_others_are_still_asked() -> None:
    deal = play_from_text(["5S 2S", "9C 2C", "3D 2D"])
    deal.say("0 play 5S", "0 sans 6")
    deal.leave(0)
    deal.say("1 sans 6")
    assert (deal.state.turn, play_of(deal.state).called) == (2, 6)
    deal.say("2 sans 6")
    assert (deal.state.turn, play_of(deal.state).called) == (1, None)
    assert not play_of(deal.state).hoc_due, "who led is gone: no hoc is due"


def test_the_last_one_to_be_asked_leaves_and_the_run_ends() -> None:
    deal = play_from_text(["5S 2S", "9C 2C", "3D 2D"])
    deal.say("0 play 5S", "0 sans 6", "1 sans 6")
    deal.leave(2)
    assert (deal.state.turn, play_of(deal.state).hoc_due) == (0, True)


def test_who_is_gone_pays_for_hocs_and_for_the_cards_left() -> None:
    deal = play_from_text(["KS 2S", "9C 2C", "3D 2D 4D"])
    deal.leave(2)
    deal.say("0 play KS", "0 play 2S")
    assert deal.pay(Source.HOCS) == (2, -1, -1)
    assert Paid(Source.CARDS, 2, 0, 3, "3 cards left") in deal.events


# Fewer than two left


def test_with_one_seat_left_the_deal_is_over_and_nobody_pays_for_cards() -> None:
    deal = play_from_text(["5S 2S", "9C 2C"])
    assert deal.leave(1) == (SeatGone(1), DealEnded(None, (2, 2)))
    assert (deal.state.phase, deal.state.turn, deal.state.winner) == (Phase.OVER, None, None)
    assert deal.pay(Source.CARDS) == (0, 0)
    assert outcome(deal.state).carry_after == (2, 2, 2)


def test_a_stake_nobody_has_opened_stays_on_the_table() -> None:
    deal = deal_from_text(HANDS[:2])
    deal.say("0 pass")
    deal.leave(1)
    assert outcome(deal.state).carry_after == (2, 2, 2)
    assert outcome(deal.state).doubled_after == frozenset()


def test_the_open_stake_goes_to_who_is_left() -> None:
    deal = deal_from_text(HANDS[:2])
    deal.skip_to(Stake.SEQUENCE)
    deal.say("0 declare tierce", "1 raise 20 quint")
    deal.leave(1)
    assert deal.pay(Source.SEQUENCE) == (-1 + 22 + 1, -21 - 1), "with the class he announced"
    assert outcome(deal.state).carry_after == (2, 0, 2)


def test_the_open_stake_stays_when_who_is_left_had_given_it_up() -> None:
    deal = stake_of(Stake.POINT)
    deal.say("0 pass", "1 declare", "2 stay", "0 good")
    deal.leave(1)
    deal.leave(2)
    assert outcome(deal.state).carry_after == (3, 3, 3)


@pytest.mark.parametrize("leaver", [0, 1])
def test_a_lone_winner_keeps_his_stake_whoever_leaves(leaver: int) -> None:
    deal = deal_from_text(HANDS[:2])
    deal.skip_to(Stake.SEQUENCE)
    deal.say("0 declare quart", "1 good")
    deal.leave(leaver)
    assert deal.pay(Source.SEQUENCE) == (1 + 2, -1 - 2)
    assert deal.state.phase is Phase.OVER


# At any time


def test_leaving_twice_or_from_no_seat_is_refused() -> None:
    deal = stake_of(Stake.POINT)
    deal.leave(0)
    for seat in (0, 3, -1):
        with pytest.raises(RuleError):
            deal.leave(seat)


def test_leaving_after_the_end_changes_nothing_else() -> None:
    deal = play_from_text(["5S", "3H"])
    deal.say("0 play 5S")
    before = outcome(deal.state)
    assert deal.leave(1) == (SeatGone(1),)
    assert outcome(deal.state) == before


def test_nothing_is_lost_when_seats_leave() -> None:
    deal = showdown()
    start = total(deal)
    deal.say("0 announce 3/9", "1 announce 4/7", "2 good")
    for seat in (1, 0):
        deal.leave(seat)
        assert total(deal) == start
    assert deal.state.phase is Phase.OVER
