from __future__ import annotations

import numpy as np
import pytest

from hocp2p.game.cards import KING
from hocp2p.players.engine.batch import ACTIONS
from hocp2p.players.engine.masks import HOC
from hocp2p.players.engine.play import SANS
from hocp2p.players.hand import Hand
from hocp2p.players.net.features import (
    ACTION_SIZE,
    Prospects,
    action_features,
    chances,
    prospects,
    state_features,
    state_size,
)
from hocp2p.players.net.observation import Observation, observe, observe_view
from hocp2p.players.shedding import Others
from tests.players.net.moments import batch_at, moments
from tests.support.table_sim import ending, view_of


def seen(*hands: str, **words: int) -> tuple[Observation, Prospects]:
    """What the first of some hands may know, and what it can do."""
    state, deck = ending(hands, **words)  # type: ignore[arg-type] # turn, called and last are numbers
    observed = observe_view(view_of(state, state.turn or 0, deck))
    return observed, prospects(observed, chances(observed))


@pytest.mark.parametrize("seats", [2, 3])
def test_prospects_are_those_of_the_rules_of_thumb(seats: int) -> None:
    """Chains, stops, dead ranks and who goes out for sure, against :mod:`hocp2p.players.hand`, at real moments."""
    surely = 0
    for view, _ in moments(seats, 15, 2):
        play = view.state.play
        assert play is not None
        observed = observe_view(view)
        around = chances(observed)
        after = prospects(observed, around)
        others, hand = Others.seen_by(view, play), Hand.of(view.hand)
        assert set(np.flatnonzero(around.dead[0, 1:]) + 1) == others.dead
        assert bool(around.safe[0]) == bool(others.safe)
        for number, action in enumerate(after.actions.tolist()):
            if action == SANS:
                rest, out = hand, False
                if observed.last[0] == 0 and play.called in others.safe:
                    out = hand.goes_out_leading(others.safe)
            elif action == HOC:
                rest = hand.after_hoc()
                out = rest.size == 0 or rest.goes_out_leading(others.safe)
            else:
                rest = hand.after_chain(action)
                out = hand.goes_out_called(action, others.safe, comes_back=False)
                assert after.called[number] == action + hand.chain(action) <= KING
                assert bool(after.likely[number]) == hand.goes_out_called(action, others.dead, comes_back=False)
            assert after.size[number] == rest.size == after.rest[number].sum()
            assert after.stops[number] == rest.stops(frozenset())
            assert after.open_stops[number] == rest.stops(others.dead)
            assert bool(after.surely[number]) == out
            surely += out
    assert surely > 15


def test_chances_by_hand() -> None:
    """Two hold 2 and 1 cards; of those who might, the cards that are not shown are dealt at random."""
    observed, _ = seen("3S 4S 5S", "6S 7S", "8S")
    around = chances(observed)
    room = observed.unseen.sum()
    three = observed.unseen[0, 2]
    assert around.likely[0, :, 2] == pytest.approx([1 - (1 - 2 / room) ** three, 1 - (1 - 1 / room) ** three])
    assert around.alone[0, 3] == pytest.approx((1 - 2 / room) ** three * (1 - 1 / room) ** three)
    assert around.alone[0, KING] == 1
    assert not around.safe[0]


def test_sans_and_shown_cards_are_certain() -> None:
    for view, _ in moments(3, 10, 4):
        observed = observe_view(view)
        around = chances(observed)
        ordinary = (observed.sans[:, :, None] >> np.arange(1, KING)) & 1 == 1
        assert not around.possible[:, :, : HOC - 1][ordinary].any()
        assert not around.likely[:, :, : HOC - 1][ordinary].any()
        assert (around.likely[observed.known > 0] == 1).all()
        assert (around.likely <= 1).all()
        assert (around.likely >= 0).all()
        assert ((around.likely > 0) <= around.possible).all()


def test_what_may_be_asked_for() -> None:
    observed, after = seen("3S 4S 5S", "6S 7S")
    assert after.actions.tolist() == [3, 4, 5]
    some = np.zeros((1, ACTIONS), bool)
    some[0, 4] = True
    assert prospects(observed, chances(observed), some).actions.tolist() == [4]


@pytest.mark.parametrize("seats", [2, 3])
def test_shapes_and_bounds(seats: int) -> None:
    for view, deck in moments(seats, 4, 3):
        observed = observe(batch_at(view, deck).take(np.array([0, 0])))
        around = chances(observed)
        after = prospects(observed, around)
        state, action = state_features(observed, around), action_features(observed, around, after)
        assert state.shape == (2, state_size(seats))
        assert action.shape == (len(after.rows), ACTION_SIZE)
        assert state.dtype == action.dtype == np.float32
        assert np.array_equal(state[0], state[1])
        assert np.isfinite(state).all()
        assert np.isfinite(action).all()
        assert abs(state).max() <= 3
        assert abs(action).max() <= 3.5
