from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from hocp2p.errors import RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Play, Sans
from hocp2p.game.cards import parse_card
from hocp2p.game.house import Rules
from hocp2p.players.engine.batch import play_out
from hocp2p.players.engine.coding import encode_move
from hocp2p.players.net.network import Net
from hocp2p.players.net.policy import Policy, action_of, choose_value
from hocp2p.training.play_deals import deal_games
from tests.players.net.moments import batch_at, moments
from tests.players.test_honesty import with_hidden_cards_permuted
from tests.support.table_sim import ending, view_of


def drawn(seats: int) -> Policy:
    """A policy of random weights."""
    generator = np.random.default_rng(1)
    net = Net.drawn(seats, (16, 8), generator)
    net.last[:] = generator.standard_normal(8)
    return Policy(net)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("hold_back", ["refused", "fined"])
def test_values_are_of_what_is_legal(seats: int, hold_back: str) -> None:
    """The same from the view and from the batch; nothing is held back."""
    policy = drawn(seats)
    for view, deck in moments(seats, 4, 7, Rules().with_text("hold_back", hold_back)):
        values = policy.values_of(view)
        legal = {encode_move(action) for action in game_rules.legal_actions(view)} - {14}
        assert set(values) == legal
        batch = batch_at(view, deck)
        (row,) = policy.values(batch)
        assert values == pytest.approx({action: row[action] for action in values}, rel=1e-4)
        assert np.isfinite(row).sum() == len(values)
        assert policy.greedy(batch).tolist() == [max(values, key=values.__getitem__)]
        action = policy.choose(view, Random(1))
        assert action in game_rules.legal_actions(view)
        assert encode_move(action) == max(values, key=values.__getitem__)


@pytest.mark.parametrize("seats", [2, 3])
def test_hidden_cards_do_not_move_a_value(seats: int) -> None:
    policy, moved = drawn(seats), 0
    rng = Random(8)
    for view, deck in moments(seats, 4, 8):
        other = with_hidden_cards_permuted(deck, view.state, view.seat, rng)
        moved += other != deck
        batch, permuted = batch_at(view, deck), batch_at(view_of(view.state, view.seat, other), other)
        moved += not np.array_equal(batch.counts, permuted.counts)
        assert np.array_equal(policy.values(batch), policy.values(permuted))
        assert policy.values_of(view_of(view.state, view.seat, other)) == policy.values_of(view)
    assert moved > 100


@pytest.mark.parametrize("seats", [2, 3])
def test_many_games_at_once(seats: int) -> None:
    """Greedy everywhere, and the same game in company as alone."""
    batch = deal_games(seats, 30, np.random.default_rng(2))
    policy = drawn(seats)
    alone = play_out(batch.take(np.array([7])), policy.greedy)
    values = policy.values(batch)
    assert np.array_equal(np.isfinite(values), batch.legal())
    assert policy.greedy(batch).tolist() == values.argmax(axis=1).tolist()
    assert play_out(batch, policy.greedy)[7].tolist() == alone[0].tolist()


def test_one_is_gone() -> None:
    """The net for two serves those who are left."""
    state, deck = ending(["3S 4S 5S", "6S 9H", "7S 8S"], turn=1)
    state, _ = game_rules.leave(state, 0)
    assert set(drawn(2).values_of(view_of(state, 1, deck))) == {6, 9}


def test_the_warmer_the_freer() -> None:
    values = {3: 1.0, 5: 0.0, 13: -2.0}
    rng = Random(1)
    shares = []
    for temperature in (0, 0.5, 2, 100):
        drawn = [choose_value(values, rng, temperature) for _ in range(600)]
        shares.append(drawn.count(3) / 600)
    assert shares[0] == 1
    assert all(one > other for one, other in pairwise(shares))
    assert shares[2] == pytest.approx(1 / (1 + np.exp(-0.5) + np.exp(-1.5)), abs=0.06)


def test_a_seed_gives_the_same_choice() -> None:
    policy = drawn(2)
    choices = set()
    for view, _ in moments(2, 2, 9):
        first = policy.choose(view, Random(5), 3.0)
        assert policy.choose(view, Random(5), 3.0) == first
        choices.add(first == policy.choose(view, Random(6), 3.0))
    assert choices == {True, False}


def test_what_was_shown_is_played_first() -> None:
    state, deck = ending(["3S 3H 3D", "6S"])
    view = view_of(state, 0, deck)
    assert action_of(view, 3) == Play(state.hands[0][0], parse_card("3S"))
    position = state.hands[0][2]
    shown = view_of(replace(state, opened=(*state.opened, (position, deck[position]))), 0, deck)
    assert action_of(shown, 3) == Play(position, parse_card("3D"))


def test_what_is_not_there_is_not_played() -> None:
    state, deck = ending(["3S 4S", "6S"])
    with pytest.raises(RuleError, match="class 9"):
        action_of(view_of(state, 0, deck), 9)
    with pytest.raises(RuleError, match="lead"):
        action_of(view_of(state, 0, deck), 0)
    state, deck = ending(["3S 4S", "6S"], called=9)
    assert action_of(view_of(state, 0, deck), 0) == Sans(9)
