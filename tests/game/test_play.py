"""The stops game: RULES 3. Seats: 0 eldest, 1 middle, 2 dealer, unless a test says otherwise."""

from __future__ import annotations

import pytest

from hocp2p.errors import RuleError
from hocp2p.game.actions import Play, Sans, Stake
from hocp2p.game.cards import Card, parse_card
from hocp2p.game.events import (
    CardHeldBack,
    CardPlayed,
    DealEnded,
    HocSaid,
    Paid,
    RunEnded,
    SansSaid,
    Source,
)
from hocp2p.game.house import DEFAULT_RULES, Rules
from hocp2p.game.play import play_of
from hocp2p.game.rules import NotHolding, Openings, required_proof
from hocp2p.game.state import Phase
from tests.support.deals import Deal, deal_from_text, play_from_text

FINED = Rules(hold_back="fined")


def assert_refused(deal: Deal, line: str, code: str) -> None:
    before = deal.state
    with pytest.raises(RuleError) as caught:
        deal.say(line)
    assert caught.value.code == code
    assert deal.state == before


# Leading and going on (3)


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_eldest_leads_any_card(dealer: int) -> None:
    deal = play_from_text(["5S KH 2D", "5H KS 3D", "5C QS 4D"], dealer)
    assert deal.state.turn == (dealer + 1) % 3
    assert len(deal.offers()) == 3
    assert all(offer.startswith("play ") for offer in deal.offers())


def test_who_leads_says_no_rank() -> None:
    """R-100."""
    deal = play_from_text(["5S", "6S"])
    assert_refused(deal, "0 sans 5", "must-lead")
    assert_refused(deal, "0 hold 5", "must-lead")


def test_the_next_higher_rank_is_called_whatever_the_suit() -> None:
    deal = play_from_text(["5S 6H 7C 2D", "8S"])
    for line in ("0 play 5S", "0 play 6H", "0 play 7C"):
        deal.say(line)
    assert play_of(deal.state).called == 8
    played = [(str(card.card), card.as_rank) for card in play_of(deal.state).run]
    assert played == [("5S", 5), ("6H", 6), ("7C", 7)]


def test_the_turn_passes_to_the_right() -> None:
    deal = play_from_text(["5S 2D", "9H 2H", "9C 2C"])
    for line, turn in (("0 play 5S", 0), ("0 sans 6", 1), ("1 sans 6", 2)):
        deal.say(line)
        assert deal.state.turn == turn


def test_a_wrong_rank_is_refused() -> None:
    """R-099."""
    deal = play_from_text(["5S 7D", "9H"])
    deal.say("0 play 5S")
    assert_refused(deal, "0 play 7D", "wrong-rank")
    assert_refused(deal, "0 sans 7", "wrong-rank")
    assert_refused(deal, "0 hold 7", "wrong-rank")


def test_only_cards_in_hand_are_played() -> None:
    """R-090."""
    deal = play_from_text(["5S 6D", "6H"])
    deal.say("0 play 5S")
    assert_refused(deal, "0 play 6H", "not-in-hand")
    assert_refused(deal, "0 play 5S", "not-in-hand")
    with pytest.raises(RuleError) as caught:
        deal.do(0, Play(51, parse_card("6C")))
    assert caught.value.code == "not-in-hand"


def test_a_card_that_was_seen_elsewhere_is_refused() -> None:
    """R-090."""
    deal = play_from_text(["5S 6D 6C", "6H"])
    deal.say("0 play 5S", "0 play 6D")
    (position,) = (held.position for held in deal.held("6C"))
    with pytest.raises(RuleError) as caught:
        deal.do(0, Play(position, parse_card("5S")))
    assert caught.value.code == "wrong-face"


@pytest.mark.parametrize("card", [Card(0, 0), Card(14, 0), Card(5, 4), Card(-1, -1)])
def test_a_face_that_does_not_exist_is_refused(card: Card) -> None:
    deal = play_from_text(["5S 6D", "6H"])
    with pytest.raises(RuleError) as caught:
        deal.do(0, Play(deal.state.hands[0][0], card))
    assert caught.value.code == "bad-card"


def test_nothing_else_is_said_in_play() -> None:
    deal = play_from_text(["5S 6D", "6H"])
    for line in ("0 good", "0 pass", "0 declare", "0 blanche", "0 go", "0 show 5S", "0 unseen", "0 announce 1/5"):
        assert_refused(deal, line, "wrong-phase")


# Fortuitous hocs (3)


def test_all_are_asked_before_a_hoc_is_fortuitous() -> None:
    deal = play_from_text(["5S 2D", "6H 2H", "9C 2C"])
    deal.say("0 play 5S", "0 sans 6", "1 play 6H", "1 sans 7", "2 sans 7")
    assert deal.state.turn == 0, "who led is asked as well"
    assert RunEnded(1, fortuitous=True) in deal.say("0 sans 7")
    assert (deal.state.turn, play_of(deal.state).called) == (1, None)
    assert len(play_of(deal.state).closed) == 1


def test_a_fortuitous_hoc_is_said_and_paid_with_the_next_lead() -> None:
    deal = play_from_text(["5S 2D 3D", "9H 2H"])
    assert HocSaid not in map(type, deal.say("0 play 5S", "0 sans 6", "1 sans 6"))
    assert deal.say("0 play 2D") == (
        CardPlayed(0, deal.held("2D")[0].position, parse_card("2D"), as_rank=2, led=True, left=1),
        HocSaid(0, fortuitous=True),
        Paid(Source.HOCS, 1, 0, 1, "fortuitous hoc"),
    )


def test_a_fortuitous_hoc_is_paid_once() -> None:
    deal = play_from_text(["5S 2D 3D AC", "9H 2H"])
    deal.say("0 play 5S", "0 sans 6", "1 sans 6", "0 play 2D", "0 play 3D")
    assert deal.pay(Source.HOCS) == (1, -1)


def test_a_fixed_hoc_led_after_a_fortuitous_one_is_paid_too() -> None:
    deal = play_from_text(["5S KD 3D", "9H 2H"])
    deal.say("0 play 5S", "0 sans 6", "1 sans 6", "0 play KD")
    assert [event.fortuitous for event in deal.events if isinstance(event, HocSaid)] == [True, False]
    assert deal.pay(Source.HOCS) == (2, -2)
    deal.say("0 play 3D")
    assert deal.pay(Source.HOCS) == (2, -2), "the king was fixed"


def test_a_fortuitous_hoc_is_paid_when_its_lead_empties_the_hand() -> None:
    deal = play_from_text(["5S 2D", "9H 2H"])
    deal.say("0 play 5S", "0 sans 6", "1 sans 6", "0 play 2D")
    assert deal.state.phase is Phase.OVER
    assert deal.pay(Source.HOCS) == (1, -1)


def test_unpaid_fortuitous_hocs_are_said_only() -> None:
    deal = play_from_text(["5S 2D", "9H 2H"], rules=Rules(fortuitous="unpaid"))
    deal.say("0 play 5S", "0 sans 6", "1 sans 6", "0 play 2D")
    assert HocSaid(0, fortuitous=True) in deal.events
    assert deal.pay(Source.HOCS) == (0, 0)


# The obligation (3.1)


def test_an_ordinary_card_of_the_rank_must_be_played() -> None:
    deal = play_from_text(["5S 6D 6C", "6H"])
    deal.say("0 play 5S")
    assert deal.offers() == ["play 6D", "play 6C"]


def test_a_fixed_hoc_may_take_its_place_or_be_withheld() -> None:
    deal = play_from_text(["5S 6D KC", "9H"])
    deal.say("0 play 5S")
    assert deal.offers() == ["play 6D", "play KC"]
    deal = play_from_text(["5S KC QS JD", "9H"])
    deal.say("0 play 5S")
    assert deal.offers() == ["play KC", "play QS", "play JD", "sans 6"]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


def test_sans_is_proven_for_the_unopened_cards_and_the_unseen_faces() -> None:
    deal = play_from_text(["6S 2D", "7H 6H 3H", "6C 2C"])
    deal.say("0 play 6S")
    assert required_proof(deal.state, 0, Sans(7)) == NotHolding(deal.state.hands[0], cards("7S 7H 7D 7C"))
    deal.say("0 sans 7", "1 play 7H", "1 sans 8", "2 sans 8", "0 sans 8", "1 play 6H")
    assert required_proof(deal.state, 1, Sans(7)) == NotHolding(deal.state.hands[1], cards("7S 7D 7C"))


@pytest.mark.parametrize(("led", "rank", "faces"), [("TC", 11, "JS JH JC"), ("JC", 12, "QH QD QC")])
def test_hocs_are_not_in_the_proof(led: str, rank: int, faces: str) -> None:
    deal = play_from_text([f"{led} 2C", "3C"])
    deal.say(f"0 play {led}")
    assert required_proof(deal.state, 0, Sans(rank)) == NotHolding(deal.state.hands[0], cards(faces))


def test_every_king_is_a_hoc_so_sans_king_needs_no_proof() -> None:
    deal = play_from_text(["QC KC", "3C"])
    deal.say("0 play QC")
    assert deal.offers() == ["play KC", "sans K"]
    assert required_proof(deal.state, 0, Sans(13)) is None
    assert_refused(deal, "0 hold K", "nothing-to-hold")


def test_a_card_needs_no_second_opening() -> None:
    deal = tierce_shown()
    assert required_proof(deal.state, 0, deal.playing("5S")) is None
    four = deal.playing("4S")
    assert required_proof(deal.state, 0, four) == Openings((four.position,), (four.card,))


def tierce_shown(rules: Rules = DEFAULT_RULES) -> Deal:
    """Everybody has seen eldest's 5 6 7 of spades; he is to lead."""
    deal = deal_from_text(["4S 5S 6S 7S 9C", "2C KC"], rules=rules)
    deal.skip_to(Stake.SEQUENCE)
    deal.say("0 declare tierce", "1 good", "0 show 5S 6S 7S", "0 pass", "1 pass", "0 go", "1 go")
    return deal


def test_an_opened_position_keeps_its_face() -> None:
    deal = tierce_shown()
    for face in ("8D", "6S"):
        with pytest.raises(RuleError) as caught:
            deal.do(0, Play(deal.held("5S")[0].position, parse_card(face)))
        assert caught.value.code == "wrong-face"


def test_sans_is_refused_while_everybody_sees_the_card() -> None:
    """R-101."""
    deal = tierce_shown()
    deal.say("0 play 4S")
    assert_refused(deal, "0 sans 5", "holds-rank")
    deal.say("0 hold 5")
    assert deal.pay(Source.FINES) == (-5, 0)


def test_open_cards_are_left_out_of_the_positions_to_prove() -> None:
    deal = tierce_shown()
    deal.say("0 play 7S")
    hidden = tuple(held.position for held in deal.held("4S 9C"))
    assert required_proof(deal.state, 0, Sans(8)) == NotHolding(hidden, cards("8S 8H 8D 8C"))


# Holding back (3.1, 4)


def test_holding_back_is_fined_and_the_turn_passes() -> None:
    deal = play_from_text(["5S 6D", "9H"])
    deal.say("0 play 5S")
    assert deal.say("0 hold 6") == (CardHeldBack(0, 6), Paid(Source.FINES, 0, None, 5, "held back"))
    assert (deal.state.turn, deal.state.fines) == (1, 5)
    deal.say("1 sans 6")
    assert deal.state.turn == 0, "nobody has played it: a fortuitous hoc"


def test_holding_back_is_offered_only_where_it_is_fined_and_there_is_a_card_to_hold() -> None:
    for rules, offers in ((DEFAULT_RULES, ["play 6D"]), (FINED, ["play 6D", "hold 6"])):
        deal = play_from_text(["5S 6D", "9H"], rules=rules)
        deal.say("0 play 5S")
        assert deal.offers() == offers
    deal.say("0 hold 6")
    assert deal.offers() == ["sans 6"]


def test_who_has_proven_sans_cannot_hold_that_rank_back() -> None:
    """R-102."""
    deal = play_from_text(["5S 5H 2D", "9H 8H"])
    deal.say("0 play 5S", "0 sans 6", "1 sans 6", "0 play 5H")
    assert_refused(deal, "0 hold 6", "nothing-to-hold")
    assert SansSaid(0, 6) in deal.say("0 sans 6")
    assert play_of(deal.state).sans == (frozenset({6}), frozenset({6}))


def test_when_all_cards_of_a_rank_were_seen_there_is_nothing_to_hold_or_prove() -> None:
    """R-102."""
    deal = play_from_text(["6S 6H 6D 6C 5S 2H", "9D"])
    for rank in "SHDC":
        deal.say(f"0 play 6{rank}", "0 sans 7", "1 sans 7")
    deal.say("0 play 5S")
    assert deal.offers() == ["sans 6"]
    assert required_proof(deal.state, 0, Sans(6)) is None
    assert_refused(deal, "0 hold 6", "nothing-to-hold")


# Fixed hocs (3.2)


@pytest.mark.parametrize("hoc", ["KC", "KS", "KH", "KD", "QS", "JD"])
def test_a_fixed_hoc_is_played_for_any_rank_paid_at_once_and_its_player_leads(hoc: str) -> None:
    deal = play_from_text(["5S 2D", f"{hoc} 3H", "4C 4D"])
    deal.say("0 play 5S", "0 sans 6")
    events = deal.say(f"1 play {hoc}")
    assert events == (
        CardPlayed(1, deal.held(hoc)[0].position, parse_card(hoc), as_rank=6, led=False, left=1),
        HocSaid(1, fortuitous=False),
        Paid(Source.HOCS, 0, 1, 1, "hoc"),
        Paid(Source.HOCS, 2, 1, 1, "hoc"),
        RunEnded(1, fortuitous=False),
    )
    assert (deal.state.turn, play_of(deal.state).called) == (1, None)


def test_a_hoc_for_its_own_rank_is_still_a_hoc() -> None:
    deal = play_from_text(["JC QS 2D", "3H"])
    deal.say("0 play JC", "0 play QS")
    assert deal.pay(Source.HOCS) == (1, -1)
    assert play_of(deal.state).called is None


def test_a_fixed_hoc_may_be_led() -> None:
    deal = play_from_text(["JD KC 2D", "3H"])
    deal.say("0 play JD", "0 play KC")
    assert deal.pay(Source.HOCS) == (2, -2)
    assert [card.as_rank for run in play_of(deal.state).closed for card in run] == [11, 13]


# The end (3.3)


def test_a_fixed_hoc_as_the_last_card_is_paid() -> None:
    deal = play_from_text(["5S KC", "3H 4H 5H"])
    deal.say("0 play 5S")
    assert deal.say("0 play KC")[-3:] == (
        Paid(Source.HOCS, 1, 0, 1, "hoc"),
        DealEnded(0, (0, 3)),
        Paid(Source.CARDS, 1, 0, 3, "3 cards left"),
    )
    assert (deal.state.phase, deal.state.turn, deal.state.winner) == (Phase.OVER, None, 0)


def test_one_card_left_is_said_in_the_singular() -> None:
    deal = play_from_text(["5S", "3H"])
    assert Paid(Source.CARDS, 1, 0, 6, "1 card left") in deal.say("0 play 5S")


def test_when_the_deal_is_over_nobody_acts() -> None:
    deal = play_from_text(["5S", "3H"])
    deal.say("0 play 5S")
    assert deal.legal() == ()
    for line in ("0 sans 6", "1 play 3H"):
        assert_refused(deal, line, "deal-over")
