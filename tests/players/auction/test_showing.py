from __future__ import annotations

import pytest

from hocp2p.game import rules as game_rules
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
from hocp2p.game.state import DealState
from hocp2p.players.auction.showing import choose_showing
from tests.players.auction.test_policy import WEAK, at_stake
from tests.support.table_sim import Deck, act, dealt, view_of


def show(state: DealState, deck: Deck) -> Action:
    assert state.turn is not None
    view = view_of(state, state.turn, deck)
    return choose_showing(view, game_rules.legal_actions(view))


def alone_with(hand: str, announced: Combination) -> Action:
    """What eldest does when the others give up."""
    stake = Stake.SEQUENCE if announced <= Combination.QUINT else Stake.TRICON
    return show(*at_stake(stake, [hand, "", ""], Raise(20, announced), Good(), Good()))


@pytest.mark.parametrize(
    ("hand", "announced", "shown"),
    [
        (WEAK, Combination.QUINT, 0),
        ("4S 5S 6S 9H JH AH 3D 8D TD 5C QC 6C", Combination.TIERCE, 0),  # as much is paid unseen
        ("4S 5S 6S 9H JH AH 3D 8D TD 5C QC 6C", Combination.QUINT, 0),  # more is
        ("JS QS KS 9H JH AH 3D 8D TD 5C QC 6C", Combination.TIERCE, 3),  # a major
        ("4S 5S 6S 9H TH JH 3D 8D TD 5C QC 7C", Combination.TIERCE, 6),  # both runs
        ("KS KH KD 2S 4S 7S 9H JH AH 3C 8D TD", Combination.BRELAN, 3),
    ],
)
def test_shows_where_it_pays_more(hand: str, announced: Combination, shown: int) -> None:
    action = alone_with(hand, announced)
    if shown:
        assert isinstance(action, Show)
        assert len(action.cards) == shown
    else:
        assert action == Unseen()


def test_announces_the_truth_where_it_beats() -> None:
    run = "4S 5S 6S 9H JH AH 3D 8D TD 5C QC 6C"
    words = (Declare(Combination.QUINT), Stay(Combination.QUINT), Good())
    state, deck = at_stake(Stake.SEQUENCE, [WEAK, run, ""], *words)
    assert show(state, deck) == Good()  # a lie is fined
    state = act(state, 0, Good(), deck)
    assert show(state, deck) == Announce(Claim(3, 6))


def test_claims_carte_blanche_where_it_can() -> None:
    state, deck = dealt(["2S 4S 7S 9H TH AH 3D 8D TD 5C 2C 6C", "KS", ""])
    while state.stake is not None:
        assert state.turn is not None
        state = act(state, state.turn, Pass(), deck)
    assert show(state, deck) == Blanche()
    state = act(state, 0, Blanche(), deck)
    assert show(state, deck) == Go()
