from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from hocp2p.errors import RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.house import Rules
from hocp2p.players.engine.batch import FULL_DECK
from hocp2p.players.engine.places import NOBODY
from hocp2p.players.net.observation import Observation, observe, observe_view
from tests.players.net.moments import batch_at, moments
from tests.support.table_sim import dealt, ending, view_of


def verify_equal(one: Observation, other: Observation) -> None:
    """Raises AssertionError unless all figures are the same."""
    for field in fields(Observation):
        assert np.array_equal(getattr(one, field.name), getattr(other, field.name)), field.name


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("fortuitous", ["paid", "unpaid"])
def test_a_view_and_a_batch_tell_the_same(seats: int, fortuitous: str) -> None:
    shown = 0
    for view, deck in moments(seats, 8, 1, Rules().with_text("fortuitous", fortuitous)):
        observed = observe_view(view)
        verify_equal(observed, observe(batch_at(view, deck)))
        shown += int(observed.known.sum())
        play = view.state.play
        assert play is not None
        played = FULL_DECK - observed.unseen - observed.own - observed.known.sum(axis=1)
        assert played.sum() == sum(len(run) for run in (*play.closed, play.run))
    assert shown > 10


def test_opponents_stand_in_turn_order() -> None:
    sans = [frozenset({9}), frozenset[int](), frozenset({2, 6})]
    state, deck = ending(["3S 4S 5S", "6S", "7S 8S"], turn=1, called=6, last=0, sans=sans)
    observed = observe_view(view_of(state, 1, deck))
    assert observed.left.tolist() == [[2, 3]]
    assert observed.sans.tolist() == [[1 << 2 | 1 << 6, 1 << 9]]
    assert observed.last.tolist() == [2]
    assert observed.called.tolist() == [6]
    assert observed.own[0].tolist() == [0] * 5 + [1] + [0] * 7


def test_who_leads_follows_nobody() -> None:
    state, deck = ending(["3S 4S", "6S"])
    assert observe_view(view_of(state, 0, deck)).last.tolist() == [NOBODY]


def test_a_seat_that_is_gone_is_no_opponent() -> None:
    state, deck = ending(["3S 4S 5S", "6S", "7S 8S"], turn=1, called=6, last=0)
    state, _ = game_rules.leave(state, 0)
    observed = observe_view(view_of(state, 1, deck))
    assert observed.left.tolist() == [[2]]
    assert observed.last.tolist() == [NOBODY]


def test_only_in_the_play_and_in_turn() -> None:
    state, deck = dealt(["", ""])
    with pytest.raises(RuleError, match="not begun"):
        observe_view(view_of(state, 0, deck))
    state, deck = ending(["3S 4S", "6S"])
    with pytest.raises(RuleError, match="another seat"):
        observe_view(view_of(state, 1, deck))


def test_some_of_the_observations() -> None:
    (first, *_), (deck, *_) = zip(*moments(2, 1, 1), strict=True)
    batch = batch_at(first, deck)
    verify_equal(observe(batch.take(np.array([0, 0]))).take(np.array([False, True])), observe(batch))
