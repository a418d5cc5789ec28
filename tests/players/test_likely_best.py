from __future__ import annotations

from random import Random

import pytest

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Combination, Pass, Raise, Stake
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState
from hocp2p.players.bidding import Prospect
from hocp2p.players.likely_best import SURELY, chance_best
from tests.support.table_sim import Deck, act, dealt, shuffled, view_of


def chance(state: DealState, deck: Deck, seed: int = 1) -> float:
    """Of the seat whose turn it is."""
    assert state.turn is not None and state.auction is not None
    return chance_best(view_of(state, state.turn, deck), state.auction, Random(seed))


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("point", ["cards", "pips"])
def test_before_anybody_has_spoken_it_is_the_exact_chance(seats: int, point: str) -> None:
    rules = Rules().with_text("point", point)
    for seed in range(15):
        state, _ = game_rules.start_deal(rules, seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())
        deck = shuffled(Random(seed))
        assert state.auction is not None
        exact = Prospect.of(view_of(state, 0, deck), state.auction).chance
        assert chance(state, deck) == pytest.approx(exact, abs=0.1)


def test_who_raises_a_raise_is_better_than_who_passes() -> None:
    hand = "4C 5C 6C 8C JD QD 2D AH 2S 4S 9H TH 6H 8S TS"
    state, deck = dealt(["", hand])
    while state.stake is not Stake.SEQUENCE:
        assert state.turn is not None
        state = act(state, state.turn, Pass(), deck)
    state = act(state, 0, Pass(), deck)
    before = chance(state, deck)
    for seat, by in ((1, 5), (0, 20)):
        state = act(state, seat, Raise(by, Combination.QUINT), deck)
    assert chance(state, deck) < before - 0.2


def test_nothing_is_certain_and_the_same_is_said_again() -> None:
    state, deck = dealt(["AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "2H 3H 4H 5H 2D 3D 4D 5D 2C 3C 4C 5C", ""])
    assert chance(state, deck) == SURELY
    state, _ = game_rules.apply(state, 0, Pass())
    assert 1 - SURELY <= chance(state, deck) < 0.2
    assert chance(state, deck, 2) == chance(state, deck, 2)
