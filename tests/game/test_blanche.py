"""Carte blanche: RULES 2.3."""

from __future__ import annotations

import pytest

from hocp2p.errors import RuleError
from hocp2p.game.actions import Blanche, Go, Stake
from hocp2p.game.cards import COURTS
from hocp2p.game.events import BlancheClaimed, Paid, PlayOpened, Source
from hocp2p.game.rules import NotHolding, required_proof
from hocp2p.game.state import Phase
from tests.support.deals import Deal, deal_from_text


def blanche_of(hands: list[str], dealer: int = -1) -> Deal:
    """All stakes are passed; carte blanche is asked for."""
    deal = deal_from_text(hands, dealer)
    deal.skip_to(Stake.TRICON)
    for _ in hands:
        deal.say(f"{deal.state.turn} pass")
    return deal


def test_everybody_speaks_eldest_first() -> None:
    deal = blanche_of(["2S", "3S", "4S"], dealer=0)
    for seat in (1, 2, 0):
        assert (deal.state.phase, deal.state.turn) == (Phase.BLANCHE, seat)
        assert deal.offers() == ["blanche", "go"]
        deal.do(seat, Go())
    assert (deal.state.phase, deal.state.turn) == (Phase.PLAY, 1)


def test_a_hand_with_a_court_is_offered_nothing_else_than_to_go_on() -> None:
    assert blanche_of(["2S JH", "3S"]).offers() == ["go"]


def test_a_single_claim_is_paid_and_eldest_leads() -> None:
    deal = blanche_of(["2S", "KS", "4S"])
    events = deal.say("0 blanche", "1 go", "2 go")
    assert events == (
        BlancheClaimed(0),
        Paid(Source.BLANCHE, 1, 0, 10, "carte blanche"),
        Paid(Source.BLANCHE, 2, 0, 10, "carte blanche"),
        PlayOpened(0),
    )


def test_it_is_never_doubled() -> None:
    deal = deal_from_text(["2S", "KS"], carry=(2, 2, 2), doubled=frozenset(Stake))
    while deal.state.phase is Phase.AUCTION:
        deal.say(f"{deal.state.turn} pass")
    deal.say("0 blanche", "1 go")
    assert deal.pay(Source.BLANCHE) == (10, -10)


def test_three_claims_pay_nothing() -> None:
    deal = blanche_of(["2S", "3S", "4S"])
    deal.say("0 blanche", "1 blanche", "2 blanche")
    assert deal.pay(Source.BLANCHE) == (0, 0, 0)


def test_the_proof_is_about_the_dealt_hand_and_all_courts() -> None:
    deal = blanche_of(["2S 3S", "4S 5S"])
    assert required_proof(deal.state, 0, Blanche()) == NotHolding(deal.state.dealt[0], COURTS)
    assert required_proof(deal.state, 0, Go()) is None


def test_what_everybody_has_seen_is_left_out_of_the_proof() -> None:
    deal = deal_from_text(["2S 3S 4S 9C", "TH JH QH"])
    deal.skip_to(Stake.SEQUENCE)
    deal.say("0 declare tierce", "1 stay tierce", "0 announce 3/4", "1 announce 3/Q", "1 show TH JH QH")
    deal.say("0 declare brelan", "1 good", "0 unseen")
    proof = required_proof(deal.state, 0, Blanche())
    assert proof == NotHolding(deal.state.dealt[0], tuple(card for card in COURTS if str(card) not in ("JH", "QH")))
    deal.say("0 blanche")
    with pytest.raises(RuleError) as caught:
        deal.say("1 blanche")
    assert caught.value.code == "holds-court"


def test_a_hand_that_is_all_open_has_nothing_to_prove() -> None:
    deal = deal_from_text(["2S 3S 4S", "TH JH KH"])
    deal.skip_to(Stake.SEQUENCE)
    deal.say("0 declare tierce", "1 good", "0 show 2S 3S 4S", "0 pass", "1 pass")
    assert required_proof(deal.state, 0, Blanche()) is None
    deal.say("0 blanche")


def test_nothing_else_can_be_said() -> None:
    deal = blanche_of(["2S", "3S"])
    for line in ("0 pass", "0 good", "0 play 2S", "0 sans 2"):
        assert not deal.may_say(line)
