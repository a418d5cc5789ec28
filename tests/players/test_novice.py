from __future__ import annotations

from random import Random

import pytest

from hocp2p.game.actions import (
    Action,
    Announce,
    Blanche,
    Claim,
    Combination,
    Declare,
    Go,
    Good,
    Pass,
    Raise,
    Show,
    Stake,
    Stay,
    Unseen,
)
from hocp2p.game.cards import Card
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState, Phase
from hocp2p.players.levels import make_player
from tests.support.table_sim import Deck, act, cards, dealt, view_of

NO_COURT = "2S 4S 7S 9H TH AH 3D 8D TD 5C 8C 6C"
MIXED = "2S 4S 7S 9H JH AH 3D 8D TD 5C QC 6C"


def decision(state: DealState, deck: Deck, seed: int = 1) -> Action:
    assert state.turn is not None
    return make_player("novice", Random(seed)).decide(view_of(state, state.turn, deck))


def after(hands: list[str], stake: Stake, *words: Action, rules: Rules | None = None) -> tuple[DealState, Deck]:
    """These words said in the auction of a stake, those before it passed."""
    state, deck = dealt(hands, rules)
    while state.stake is not stake:
        assert state.turn is not None
        state = act(state, state.turn, Pass(), deck)
    for word in words:
        assert state.turn is not None
        state = act(state, state.turn, word, deck)
    return state, deck


def shown(action: Action) -> set[Card]:
    assert isinstance(action, Show)
    return {held.card for held in action.cards}


def test_announces_the_best_it_holds() -> None:
    hands = ["7S 8S 9S TH JH QH KH 2D 4D 3C 5C 6C", "", ""]
    words: list[Action] = [Declare(Combination.TIERCE), Stay(Combination.TIERCE), Good()]
    state, deck = after(hands, Stake.SEQUENCE, *words)
    assert state.phase is Phase.SHOWDOWN
    assert decision(state, deck) == Announce(Claim(4, 13))


def test_says_good_to_a_better_announcement() -> None:
    hands = ["7S 8S 9S TS 2H 4H JD QD 3C 5C 6H 8C", "2D 3D 4D 6S 8H TH QH AC JS KS 4C 7C", ""]
    words: list[Action] = [Declare(Combination.QUART), Stay(Combination.TIERCE), Good()]
    state, deck = after(hands, Stake.SEQUENCE, *words, Announce(Claim(4, 10)))
    assert state.phase is Phase.SHOWDOWN
    assert decision(state, deck) == Good()


def test_says_good_after_a_bluff_that_was_called() -> None:
    state, deck = after([MIXED, "", ""], Stake.SEQUENCE, Raise(3, Combination.TIERCE), Stay(Combination.TIERCE), Good())
    assert decision(state, deck) == Good()


@pytest.mark.parametrize(("lesser", "text"), [("on", "4C 5C 6C 7C JD QD KD"), ("off", "4C 5C 6C 7C")])
def test_shows_everything_that_is_paid(lesser: str, text: str) -> None:
    hands = ["4C 5C 6C 7C JD QD KD 2H 9H TS AS 3S", "", ""]
    words: list[Action] = [Declare(Combination.QUART), Stay(Combination.TIERCE), Good()]
    rules = Rules().with_text("lesser", lesser)
    state, deck = after(hands, Stake.SEQUENCE, *words, Announce(Claim(4, 7)), Good(), rules=rules)
    assert state.phase is Phase.SHOW
    assert shown(decision(state, deck)) == set(cards(text))


@pytest.mark.parametrize(
    ("hand", "announced", "text"),
    [
        ("7S 8S 9S JH AH 3D 8D TD 5C QC 2C 4H", Combination.TIERCE, ""),
        ("JS QS KS JH AH 3D 8D TD 5C QC 2C 4H", Combination.TIERCE, "JS QS KS"),
        ("7S 8S 9S TS AH 3D 8D TD 5C QC 2C 4H", Combination.TIERCE, "7S 8S 9S TS"),
        ("7S 8S 9S JH AH 3D 8D TD 5C QC 2C 4H", Combination.QUINT, ""),
        (MIXED, Combination.TIERCE, ""),
    ],
    ids=["the same", "major", "higher class", "said too much", "bluff"],
)
def test_alone_takes_unseen_or_shows_what_pays_more(hand: str, announced: Combination, text: str) -> None:
    state, deck = after([hand, "", ""], Stake.SEQUENCE, Declare(announced), Good(), Good())
    assert state.phase is Phase.SHOW
    said = decision(state, deck)
    if text:
        assert shown(said) == set(cards(text))
    else:
        assert said == Unseen()


@pytest.mark.parametrize(("hand", "said"), [(NO_COURT, Blanche()), (MIXED, Go())])
def test_claims_carte_blanche_whenever_it_holds_it(hand: str, said: Action) -> None:
    state, deck = after([hand, "", ""], Stake.TRICON, Pass(), Pass(), Pass())
    assert state.phase is Phase.BLANCHE
    assert decision(state, deck) == said
