from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import LocalError, RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Play, Sans
from hocp2p.game.cards import parse_card
from hocp2p.game.house import Rules
from hocp2p.game.state import SeatView
from hocp2p.players.engine.coding import encode_move
from hocp2p.players.net.policy import Policy
from hocp2p.players.search.one_ply import EFFORT, Effort, Search
from hocp2p.players.search.weighing import Weighing
from tests.players.search.moments import choices, small_net, verify_decision
from tests.support.table_sim import dealt, ending, view_of

LITTLE = Effort(drawn=12, worlds=6, margin=50.0)


def search(seats: int, effort: Effort = LITTLE) -> Search:
    return Search(Policy(small_net(seats)), effort)


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]), st.sampled_from(["refused", "fined"]))
def test_every_decision_is_legal_and_honest(seed: int, seats: int, hold_back: str) -> None:
    for view, deck in choices(seed, seats, Rules().with_text("hold_back", hold_back))[::4]:
        verify_decision(search(seats).choose, view, deck, seed)


def test_worlds_decide_and_not_the_net_alone() -> None:
    """With all trust in the net its best is chosen; without, something else now and then."""
    views = [view for seed in range(3) for view, _ in choices(seed, 2)[::4]]
    net = Policy(small_net(2))
    others = 0
    for view in views:
        best = net.choose(view, Random(0))
        assert search(2, replace(LITTLE, trust=1.0, exact_worlds=0)).choose(view, Random(1)) == best
        assert search(2, replace(LITTLE, actions=1)).choose(view, Random(1)) == best
        assert search(2, replace(LITTLE, margin=0.0)).choose(view, Random(1)) == best
        others += search(2, replace(LITTLE, trust=0.0)).choose(view, Random(1)) != best
    assert others > 2


@pytest.mark.parametrize("seats", [2, 3])
def test_what_it_expects_it_does(seats: int) -> None:
    """All actions in order, the one that is chosen first; what was not looked into is by the net, and never above."""
    looked_into = 0
    for view, _ in choices(4, seats)[::3]:
        values = Policy(small_net(seats)).values_of(view)
        for effort in (LITTLE, replace(LITTLE, actions=2)):
            expected = search(seats, effort).expects(view, Random(1))
            assert next(iter(expected)) == search(seats, effort).choose(view, Random(1))
            assert {encode_move(action) for action in expected} == values.keys()
            assert list(expected.values()) == sorted(expected.values(), reverse=True)
            by_the_net = {action for action, value in expected.items() if value == values[encode_move(action)]}
            looked_into += len(expected) - len(by_the_net)
    assert looked_into > 10


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("exact_worlds", [0, 10_000])
def test_it_sees_the_end(seats: int, exact_worlds: int) -> None:
    """The king for the ten, then the two: nobody can stop it. *Sans* lets the others go out."""
    state, deck = ending(["KH 2S", "TS", "8H"][:seats], called=9, last=seats - 1)
    effort = Effort(drawn=200, trust=0.0, margin=100.0, exact_worlds=exact_worlds, exact_nodes=10_000)
    action = search(seats, effort).choose(view_of(state, 0, deck), Random(1))
    assert isinstance(action, Play)
    assert action.card == parse_card("KH")


def test_the_end_is_solved_only_where_it_is_small() -> None:
    """With too many worlds, cards or nodes the actions are played out: then the net, with all trust, decides."""
    state, deck = ending(["KH 2S", "TS"], called=9, last=1)
    view = view_of(state, 0, deck)
    net = Policy(small_net(2))
    values = net.values_of(view)
    worst = 1.0 if values[0] > values[13] else -1.0  # makes the net think ill of the king
    net.net.last[:] *= worst
    net.net.last_bias[:] *= worst
    assert net.choose(view, Random(0)) == Sans(9)
    solves = Effort(drawn=200, trust=1.0, margin=100.0, exact_worlds=200, exact_nodes=10_000)
    assert isinstance(Search(net, solves).choose(view, Random(1)), Play)
    for effort in (
        replace(solves, exact_worlds=1),
        replace(solves, exact_cards=2),
        replace(solves, exact_nodes=0),
    ):
        assert Search(net, effort).choose(view, Random(1)) == Sans(9)


def test_bids_weigh_the_worlds() -> None:
    """A likelihood that names the one card of the other decides between two leads."""
    state, deck = ending(["8S 3H", "4C"], turn=0)
    view = view_of(state, 0, deck)

    def told(rank: int) -> Action:
        def bids(_view: SeatView, seat: int, hands: Sequence[int]) -> list[float]:
            gone = [card.index for position, card in state.opened if position in state.dealt[seat]]
            open_ = sum(1 << index for index in gone)
            return [1.0 if (hand & ~open_).bit_length() % 13 == rank % 13 else 0.0 for hand in hands]

        effort = Effort(
            drawn=200,
            trust=0.0,
            margin=100.0,
            exact_worlds=200,
            exact_nodes=10_000,
            weighing=Weighing(play=0.0, bids=1.0),
        )
        return Search(Policy(small_net(2)), effort, bids).choose(view, Random(1))

    nine, four = told(9), told(4)
    assert isinstance(nine, Play)
    assert isinstance(four, Play)
    assert nine.card == parse_card("3H")
    assert four.card == parse_card("8S")


def test_what_is_forced_takes_no_search() -> None:
    state, deck = ending(["2S 3S", "TS 3C"], called=9, last=1)
    assert search(2, Effort(drawn=10**9)).choose(view_of(state, 0, deck), Random(1)) == Sans(9)


def test_where_a_seat_is_gone_the_net_decides() -> None:
    view, deck = choices(4, 3)[0]
    state, _ = game_rules.leave(view.state, (view.seat + 1) % 3)
    left = view_of(state, view.seat, deck)
    net = Policy(small_net(2))
    assert Search(net, Effort(drawn=10**9)).choose(left, Random(1)) == net.choose(left, Random(1))


def test_only_who_is_to_play_is_asked() -> None:
    state, deck = dealt(["", ""])
    with pytest.raises(RuleError) as caught:
        search(2).choose(view_of(state, 0, deck), Random(1))
    assert caught.value.code == "wrong-phase"


@pytest.mark.parametrize("seats", [2, 3])
def test_the_effort_is_that_for_the_table_unless_told(seats: int) -> None:
    net = Policy(small_net(seats))
    for view, _ in choices(6, seats)[3:20:4]:
        assert Search(net).choose(view, Random(5)) == Search(net, EFFORT[seats]).choose(view, Random(5))


@pytest.mark.parametrize("figures", [{"drawn": 0}, {"worlds": 0}, {"actions": 0}, {"margin": -1.0}, {"trust": 1.5}])
def test_odd_figures_are_refused(figures: dict[str, float]) -> None:
    with pytest.raises(LocalError) as caught:
        replace(LITTLE, **figures)  # type: ignore[arg-type] # names and values belong together
    assert caught.value.code == "bad-search"
