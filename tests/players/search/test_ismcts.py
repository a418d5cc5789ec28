from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import LocalError, RuleError
from hocp2p.game.actions import Play, Sans
from hocp2p.game.cards import parse_card
from hocp2p.game.house import Rules
from hocp2p.players.search.ismcts import TreeSearch
from tests.players.search.moments import choices, verify_decision
from tests.support.table_sim import dealt, ending, view_of


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]), st.sampled_from(["refused", "fined"]))
def test_every_decision_is_legal_and_honest(seed: int, seats: int, hold_back: str) -> None:
    for view, deck in choices(seed, seats, Rules().with_text("hold_back", hold_back)):
        verify_decision(TreeSearch(20).choose, view, deck, seed)


def test_other_seeds_may_choose_otherwise() -> None:
    view, _ = choices(3, 2)[0]
    assert len({TreeSearch(20).choose(view, Random(seed)) for seed in range(20)}) > 1


@pytest.mark.parametrize("seats", [2, 3])
def test_it_sees_the_end(seats: int) -> None:
    """The king for the ten, then the two: nobody can stop it. *Sans* lets the others go out."""
    state, deck = ending(["KH 2S", "TS 3C", "8H 5C"][:seats], called=9, last=seats - 1)
    action = TreeSearch(100).choose(view_of(state, 0, deck), Random(1))
    assert isinstance(action, Play)
    assert action.card == parse_card("KH")


def test_it_remembers_sans() -> None:
    """The last card of the other cannot be a nine: so the eight leads to a fortuitous hoc and to the end."""
    said = [frozenset[int](), frozenset({9})]
    state, deck = ending(["8S 3H", "4C"], turn=0, sans=said)
    action = TreeSearch(200).choose(view_of(state, 0, deck), Random(2))
    assert isinstance(action, Play)
    assert action.card == parse_card("8S")


def test_what_is_forced_takes_no_search() -> None:
    state, deck = ending(["2S 3S", "TS 3C"], called=9, last=1)
    assert TreeSearch(10**9).choose(view_of(state, 0, deck), Random(1)) == Sans(9)


def test_only_who_is_to_play_is_asked() -> None:
    state, deck = dealt(["", ""])
    with pytest.raises(RuleError) as caught:
        TreeSearch(5).choose(view_of(state, 0, deck), Random(1))
    assert caught.value.code == "wrong-phase"
    state, deck = ending(["2S 3S", "TS 3C"])
    with pytest.raises(RuleError) as caught:
        TreeSearch(5).choose(view_of(state, 1, deck), Random(1))
    assert caught.value.code == "not-your-turn"


@pytest.mark.parametrize(("iterations", "exploration"), [(0, 1.0), (5, -1.0)])
def test_odd_figures_are_refused(iterations: int, exploration: float) -> None:
    with pytest.raises(LocalError) as caught:
        TreeSearch(iterations, exploration)
    assert caught.value.code == "bad-search"
