"""Who wins a stake and who is paid: RULES 2.2 and 4. Seats: 0 eldest, 1 middle, 2 dealer."""

from __future__ import annotations

import pytest

from hocp2p.errors import RuleError
from hocp2p.game.actions import Announce, Claim, Held, Show, Stake
from hocp2p.game.cards import parse_card
from hocp2p.game.events import (
    Announced,
    CardsShown,
    FalselyAnnounced,
    Paid,
    ShowdownOpened,
    Source,
    StakeClosed,
    StakeEnd,
)
from hocp2p.game.house import DEFAULT_RULES, Rules
from hocp2p.game.rules import Openings, outcome, required_proof
from hocp2p.game.state import Phase
from tests.support.deals import Deal, deal_from_text

SEQUENCES = ["7S 8S 9S 2S", "4C 5C 6C 7C JD QD KD AD", "7D 8D 9D 2D"]


def showdown_of(stake: Stake, hands: list[str], rules: Rules = DEFAULT_RULES, staying: str = "012") -> Deal:
    """The showdown of a stake that these seats contest at level 0."""
    deal = deal_from_text(hands, rules=rules)
    deal.skip_to(stake)
    announced = {Stake.POINT: "", Stake.SEQUENCE: " tierce", Stake.TRICON: " brelan"}[stake]
    word = "declare"
    for seat in range(len(hands)):
        if str(seat) in staying:
            deal.say(f"{seat} {word}{announced}")
            word = "stay"
        else:
            deal.say(f"{seat} {'pass' if word == 'declare' else 'good'}")
    while deal.state.phase is Phase.AUCTION and deal.state.stake is stake:
        deal.say(f"{deal.state.turn} good")
    return deal


def assert_refused(deal: Deal, line: str, code: str) -> None:
    before = deal.state
    with pytest.raises(RuleError) as caught:
        deal.say(line)
    assert caught.value.code == code
    assert deal.state == before


# Announcing


def test_contestants_announce_in_turn_order() -> None:
    deal = showdown_of(Stake.SEQUENCE, SEQUENCES)
    events = deal.say("0 announce 3/9", "1 announce 4/7", "2 good")
    assert events == (
        Announced(0, Stake.SEQUENCE, Claim(3, 9)),
        Announced(1, Stake.SEQUENCE, Claim(4, 7)),
        Announced(2, Stake.SEQUENCE, None),
    )
    assert (deal.state.phase, deal.state.turn) == (Phase.SHOW, 1)


def test_who_gave_up_in_the_auction_is_not_asked() -> None:
    deal = showdown_of(Stake.SEQUENCE, SEQUENCES, staying="12")
    assert ShowdownOpened(Stake.SEQUENCE, (1, 2)) in deal.events
    assert deal.state.turn == 1


def test_an_announcement_must_beat_the_best_so_far() -> None:
    """R-095."""
    deal = showdown_of(Stake.SEQUENCE, SEQUENCES)
    deal.say("0 announce 3/9")
    assert_refused(deal, "1 announce 3/9", "not-better")
    assert_refused(deal, "1 announce 3/8", "not-better")
    deal.say("1 announce 3/K")


@pytest.mark.parametrize("claim", [Claim(2, 9), Claim(5, 4), Claim(9, 9), Claim(3, 14)])
def test_an_announcement_must_be_possible_with_so_many_cards(claim: Claim) -> None:
    """R-094."""
    deal = showdown_of(Stake.SEQUENCE, SEQUENCES)
    with pytest.raises(RuleError) as caught:
        deal.do(0, Announce(claim))
    assert caught.value.code == "bad-claim"


def test_nothing_else_is_said_at_a_showdown() -> None:
    deal = showdown_of(Stake.SEQUENCE, SEQUENCES)
    for line in ("0 pass", "0 stay", "0 raise 1", "0 show 7S 8S 9S", "0 unseen", "0 play 7S"):
        assert_refused(deal, line, "wrong-phase")


def test_true_announcements_are_offered_best_first_and_good() -> None:
    deal = showdown_of(Stake.SEQUENCE, SEQUENCES)
    assert deal.offers() == ["announce 3/9", "good"]
    deal.say("0 announce 3/9")
    assert deal.offers() == ["announce 4/7", "announce 3/K", "good"]
    deal.say("1 announce 4/7")
    assert deal.offers() == ["good"]


def test_every_suit_is_offered_for_point() -> None:
    deal = showdown_of(Stake.POINT, ["2S 3S KH QH AC", "2C", "4D"])
    assert deal.offers() == ["announce 2/20", "announce 2/5", "announce 1/1", "good"]


def test_by_pips_a_shorter_suit_may_beat_a_longer_one() -> None:
    deal = showdown_of(Stake.POINT, ["2S 3S 4S", "KH", "JD"], Rules(point="pips"))
    deal.say("0 announce 3/9", "1 announce 1/10")
    assert_refused(deal, "2 announce 1/10", "not-better")
    deal.say("2 good", "1 show KH")
    assert deal.pay(Source.POINT) == (-1, 2, -1)


def test_all_say_good_and_the_best_position_takes_the_pool() -> None:
    deal = showdown_of(Stake.TRICON, ["2S", "3S", "4S"], staying="12")
    deal.say("1 good")
    assert StakeClosed(Stake.TRICON, StakeEnd.NOTHING, 1, 3) in deal.say("2 good")
    assert deal.pay(Source.TRICON) == (-1, 2, -1)


# Showing


def shown_04(rules: Rules = DEFAULT_RULES) -> Deal:
    deal = showdown_of(Stake.SEQUENCE, SEQUENCES, rules)
    deal.say("0 announce 3/9", "1 announce 4/7", "2 good")
    return deal


def test_the_fullest_show_is_offered_first() -> None:
    assert shown_04().offers() == ["show 4C 5C 6C 7C JD QD KD", "show 4C 5C 6C 7C"]


def test_only_the_announced_one_without_lesser() -> None:
    deal = shown_04(Rules(lesser="off"))
    assert deal.offers() == ["show 4C 5C 6C 7C"]
    assert_refused(deal, "1 show 4C 5C 6C 7C JD QD KD", "bad-show")


def test_every_other_player_pays_for_every_combination_shown() -> None:
    deal = shown_04()
    events = deal.say("1 show 4C 5C 6C 7C JD QD KD")
    paid = [event for event in events if isinstance(event, Paid)]
    assert paid == [
        Paid(Source.SEQUENCE, 0, 1, 2, "quart"),
        Paid(Source.SEQUENCE, 2, 1, 2, "quart"),
        Paid(Source.SEQUENCE, 0, 1, 2, "tierce major"),
        Paid(Source.SEQUENCE, 2, 1, 2, "tierce major"),
    ]
    assert StakeClosed(Stake.SEQUENCE, StakeEnd.SHOWN, 1, 3) in events
    assert isinstance(events[0], CardsShown)


def test_a_lesser_combination_may_be_kept_back() -> None:
    deal = shown_04()
    deal.say("1 show 4C 5C 6C 7C")
    assert deal.pay(Source.SEQUENCE) == (-3, 6, -3)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("1 show JD QD KD", "not-announced"),
        ("1 show 5C 6C 7C", "not-announced"),
        ("1 show 4C 5C 6C 7C AD", "bad-show"),
        ("1 show 4C 5C", "bad-show"),
        ("1 show 7D 8D 9D", "not-in-hand"),
        ("1 unseen", "wrong-phase"),
        ("1 announce 4/7", "wrong-phase"),
        ("0 good", "not-your-turn"),
    ],
)
def test_what_the_winner_may_not_do(line: str, code: str) -> None:
    """R-096, R-097."""
    assert_refused(shown_04(), line, code)


def test_a_show_names_each_position_once_and_real_cards() -> None:
    deal = shown_04()
    cards = deal.held("4C 5C 6C 7C")
    cases = {
        "not-in-hand": (cards[0], *cards[:3]),
        "bad-show": (),
    }
    for code, shown in cases.items():
        with pytest.raises(RuleError) as caught:
            deal.do(1, Show(shown))
        assert caught.value.code == code


def test_cards_shown_are_open_and_need_no_second_proof() -> None:
    deal = shown_04()
    show = deal.showing("4C 5C 6C 7C")
    assert required_proof(deal.state, 1, show) == Openings(
        tuple(held.position for held in show.cards), tuple(held.card for held in show.cards)
    )
    deal.do(1, show)
    assert {str(card) for _, card in deal.state.opened} == {"4C", "5C", "6C", "7C"}
    more = deal.showing("6C 7C AD")
    assert required_proof(deal.state, 1, more) == Openings((more.cards[2].position,), (more.cards[2].card,))
    assert required_proof(deal.state, 1, show) is None


def test_an_opened_position_keeps_its_face() -> None:
    deal = deal_from_text(["7S 7H 7D 8S", "7C 9C"])
    deal.say("0 declare", "1 stay", "0 announce 2/15", "1 announce 2/16", "1 show 7C 9C")
    deal.say("0 declare tierce", "1 good", "0 unseen", "0 declare brelan", "1 good")
    positions = [held.position for held in deal.held("7S 7H 7D")]
    lie = tuple(Held(position, parse_card(text)) for position, text in zip(positions, ("7S", "7H", "7C"), strict=True))
    with pytest.raises(RuleError) as caught:
        deal.do(0, Show(lie))
    assert caught.value.code == "wrong-face"


def test_a_fredon_may_be_announced_as_a_brelan_and_is_paid_as_shown() -> None:
    deal = showdown_of(Stake.TRICON, ["7S 7H 7D 7C", "2S", "3S"], staying="01")
    deal.say("0 announce brelan/7", "1 good")
    assert deal.offers() == ["show 7S 7H 7D 7C"]
    deal.say("0 show 7S 7H 7D 7C")
    assert deal.pay(Source.TRICON) == (2 + 8, -5, -5)


def test_a_part_of_a_suit_announced_for_point_can_be_shown() -> None:
    deal = showdown_of(Stake.POINT, ["2S 3S KS", "2C"])
    deal.do(0, Announce(Claim(2, 13)))
    deal.say("1 good")
    assert deal.offers() == ["show 3S KS"]
    assert_refused(deal, "0 show 2S 3S KS", "not-announced")
    deal.say("0 show 3S KS")
    assert deal.pay(Source.POINT) == (1, -1)


def test_equal_runs_in_two_suits_leave_the_choice_which_to_show() -> None:
    deal = showdown_of(Stake.SEQUENCE, ["5S 6S 7S 5H 6H 7H", "2C"], Rules(lesser="off"))
    deal.say("0 announce 3/7", "1 good")
    assert deal.offers() == ["show 5S 6S 7S", "show 5H 6H 7H"]


# Alone


def test_a_lone_winner_chooses_unseen_or_any_show() -> None:
    deal = showdown_of(Stake.SEQUENCE, SEQUENCES, staying="1")
    assert deal.offers() == ["unseen", "show 4C 5C 6C 7C JD QD KD", "show 4C 5C 6C 7C", "show JD QD KD"]


def test_a_lone_winner_without_lesser_shows_one() -> None:
    deal = showdown_of(Stake.SEQUENCE, SEQUENCES, Rules(lesser="off"), staying="1")
    assert deal.offers() == ["unseen", "show 4C 5C 6C 7C", "show JD QD KD"]


def test_a_lone_winner_is_paid_his_announced_class_unseen() -> None:
    deal = showdown_of(Stake.SEQUENCE, SEQUENCES, staying="1")
    events = deal.say("1 unseen")
    assert Paid(Source.SEQUENCE, 0, 1, 1, "tierce") in events
    assert deal.pay(Source.SEQUENCE) == (-2, 4, -2)
    assert deal.state.opened == ()


def test_a_lone_winner_is_paid_for_what_he_shows_instead() -> None:
    deal = showdown_of(Stake.SEQUENCE, SEQUENCES, staying="1")
    assert StakeClosed(Stake.SEQUENCE, StakeEnd.ALONE, 1, 3) in deal.say("1 show 4C 5C 6C 7C JD QD KD")
    assert deal.pay(Source.SEQUENCE) == (-5, 10, -5)


def test_a_lone_winner_admits_nothing() -> None:
    assert_refused(showdown_of(Stake.SEQUENCE, SEQUENCES, staying="1"), "1 good", "wrong-phase")


# False announcements


def bluffed() -> Deal:
    """Middle has announced a quint that he has not, and is asked to show."""
    deal = showdown_of(Stake.SEQUENCE, ["7S 8S 9S", "2C 4C 6C 7H 8D", "7D 8C 9D"])
    deal.say("0 announce 3/9", "1 announce 5/J", "2 good")
    return deal


def test_only_good_is_offered_to_who_cannot_show() -> None:
    assert bluffed().offers() == ["good"]


def test_a_false_announcement_is_fined_and_the_others_announce_afresh() -> None:
    deal = bluffed()
    assert deal.say("1 good") == (
        FalselyAnnounced(1, Stake.SEQUENCE),
        Paid(Source.FINES, 1, None, 5, "false announcement"),
        ShowdownOpened(Stake.SEQUENCE, (0, 2)),
    )
    assert (deal.state.fines, deal.pay(Source.FINES)) == (5, (0, -5, 0))
    assert (deal.state.phase, deal.state.turn) == (Phase.SHOWDOWN, 0)
    deal.say("0 announce 3/9", "2 good", "0 show 7S 8S 9S")
    assert deal.pay(Source.SEQUENCE) == (2 + 2, -2, -2)


def test_the_only_one_left_after_false_announcements_still_shows_to_be_paid() -> None:
    deal = showdown_of(Stake.SEQUENCE, ["7S 8S 9S", "2C", "3C"], staying="01")
    deal.say("0 good", "1 good")
    assert deal.pay(Source.SEQUENCE) == (2, -1, -1)
    deal = showdown_of(Stake.SEQUENCE, ["7S 8S 9S 9H TH JH", "2C 4C 6C 8C TC", "3C"], staying="01")
    deal.say("0 announce 3/J", "1 announce 5/T", "1 good")
    assert deal.offers() == ["announce 3/J", "announce 3/9", "good"]
    deal.say("0 announce 3/9", "0 show 7S 8S 9S 9H TH JH")
    assert deal.pay(Source.SEQUENCE) == (2 + 4, -3, -3)


def test_when_all_have_announced_falsely_the_best_position_takes_the_pool() -> None:
    deal = showdown_of(Stake.SEQUENCE, ["2S 4S 6S", "2C 4C 6C", "2D 4D 6D"], staying="12")
    deal.say("1 announce 3/9", "2 announce 3/T", "2 good", "1 announce 3/5")
    assert StakeClosed(Stake.SEQUENCE, StakeEnd.NOTHING, 1, 3) in deal.say("1 good")
    assert deal.pay(Source.FINES) == (0, -5, -5)
    assert deal.pay(Source.SEQUENCE) == (-1, 2, -1)


def test_who_announced_falsely_is_out_even_with_the_best_position() -> None:
    deal = showdown_of(Stake.SEQUENCE, ["2S 4S 6S", "2C 4C 6C", "2D 4D 6D"])
    deal.say("0 announce 3/9", "1 good", "2 good", "0 good", "1 good")
    assert StakeClosed(Stake.SEQUENCE, StakeEnd.NOTHING, 1, 3) in deal.say("2 good")


def test_fines_go_to_the_next_deal_s_point() -> None:
    deal = bluffed()
    deal.say("1 good", "0 good", "2 good")
    while deal.state.turn is not None:
        deal.do(deal.state.turn, deal.legal()[-1 if deal.state.phase is Phase.BLANCHE else 0])
    assert outcome(deal.state).carry_after == (3 + 5, 0, 3)
    assert sum(outcome(deal.state).net) == -(3 + 5 + 3)
