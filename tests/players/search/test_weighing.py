from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from random import Random

import numpy as np
import pytest

from hocp2p.errors import LocalError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Hold
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase, SeatView
from hocp2p.players.belief.sampler import Sampler
from hocp2p.players.engine.coding import encode_move
from hocp2p.players.engine.convert import place_of
from hocp2p.players.engine.masks import count_of, numbers_of
from hocp2p.players.engine.play import SANS
from hocp2p.players.net.observation import Observation, observe_view
from hocp2p.players.search.moment import Moment
from hocp2p.players.search.weighing import (
    Weighing,
    bid_log_likelihood,
    choices_of,
    play_likelihood,
    resampled,
    seen_then,
    shown_before,
)
from tests.players.engine.compare import Setting
from tests.players.search.moments import choices, small_net


def same(one: Observation, other: Observation) -> bool:
    return all(np.array_equal(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))


@pytest.mark.parametrize("hold_back", ["refused", "fined"])
def test_in_the_true_world_they_saw_what_they_saw(hold_back: str) -> None:
    """What each opponent knew at each of his turns is told as it was, and what he did."""
    compared = shown = 0
    for seed in range(12):
        rng = Random(seed)
        setting = Setting.drawn(rng, Rules().with_text("hold_back", hold_back))
        state = setting.start()
        seen: list[tuple[int, Observation, int]] = []
        while state.turn is not None:
            view = setting.view(state, state.turn)
            actions = game_rules.legal_actions(view)
            action = rng.choice(actions)
            if state.phase is Phase.AUCTION:
                action = actions[rng.random() < 0.7]  # into showdowns, without an end of raises
            if state.phase is Phase.PLAY:
                if state.play is not None and len(state.play.closed) == 2:
                    moment = Moment.of(view, np.random.default_rng(seed))
                    true = setting.hidden(state)
                    world = np.array([[numbers_of(count_of(true[s]))[1:] for s in moment.sampler.hidden.seats]])
                    hands = moment.hands(world.astype(np.uint8))
                    told = list(choices_of(moment))
                    made = [entry for entry in seen if entry[0] != moment.play.turn]
                    assert [(choice.move.place, choice.move.action) for choice in told] == [m[::2] for m in made]
                    for choice, (_, observation, _) in zip(told, made, strict=True):
                        own = hands[:, choice.move.place] + choice.later[choice.move.place]
                        assert same(seen_then(choice, own), observation)
                        compared += 1
                        shown += int(observation.known.any())
                if not isinstance(action, Hold):
                    seen.append((place_of(state, state.turn), observe_view(view), encode_move(action)))
            state, _ = game_rules.apply(state, state.turn, action)
    assert compared > 100
    assert shown > 10


def test_what_was_shown_before_the_play() -> None:
    """All that lies open at the first lead; unless it is played in the very order in which it was shown."""
    told = 0
    for seed in range(30):
        rng = Random(seed)
        setting = Setting.drawn(rng, Rules())
        state = setting.start()
        shown: frozenset[int] = frozenset()
        while state.turn is not None:
            actions = game_rules.legal_actions(setting.view(state, state.turn))
            if state.play is None or not (state.play.run or state.play.closed):
                shown = frozenset(card.index for _, card in state.opened)
            elif shown and rng.random() < 0.2:
                told += shown_before(state) == shown
                assert shown_before(state) <= shown
            action = actions[rng.random() < 0.7] if state.phase is Phase.AUCTION else rng.choice(actions)
            state, _ = game_rules.apply(state, state.turn, action)
    assert told > 100


def test_chances_follow_the_values() -> None:
    values = np.array([[3.0, 1.0, -np.inf, 0.0]] * 3, np.float32)
    legal = np.isfinite(values)
    weighing = Weighing(temperature=2.0, floor=0.1)
    chances = weighing.chances(values, legal, np.array([0, 1, 3]))
    assert chances.sum() == pytest.approx(1)
    blind = 0.1 / 3
    assert (chances[0] - blind) / (chances[1] - blind) == pytest.approx(np.e)
    assert Weighing(0.01, 0.3).chances(values, legal, np.array([0, 1, 3])) == pytest.approx([0.8, 0.1, 0.1])


@pytest.mark.parametrize("figures", [(0.0,), (1.0, -0.1), (1.0, 1.1), (1.0, 0.1, 2.0), (1.0, 0.1, 1.0, -1.0)])
def test_odd_figures_are_refused(figures: tuple[float, ...]) -> None:
    with pytest.raises(LocalError) as caught:
        Weighing(*figures)
    assert caught.value.code == "bad-search"


def test_worlds_are_weighed_one_by_one() -> None:
    """The same weights whatever other worlds there are; and the net's values count."""
    view = late_view(2)
    net = small_net(2)
    moment = Moment.of(view, np.random.default_rng(1))
    worlds = moment.sampler.sample(np.random.default_rng(2), 12)
    together = play_likelihood(moment, worlds, net, Weighing(0.2))
    alone = [float(play_likelihood(moment, worlds[i : i + 1], net, Weighing(0.2))[0]) for i in range(12)]
    assert together == pytest.approx(alone, abs=1e-4)
    assert together.std() > 0
    assert (together < 0).all()
    assert play_likelihood(moment, worlds, net, Weighing(0.2, 1.0)).tolist() != together.tolist()


def late_view(seats: int) -> SeatView:
    """One in which an opponent had choices."""
    return choices(8, seats)[-3][0]


def test_bids_are_asked_for_whole_hands() -> None:
    view = late_view(3)
    sampler = Sampler.from_view(view)
    worlds = sampler.sample(np.random.default_rng(3), 6)
    asked: dict[int, Sequence[int]] = {}

    def bids(asked_view: SeatView, seat: int, hands: Sequence[int]) -> list[float]:
        assert asked_view is view
        asked[seat] = hands
        return [0.0 if number == 0 else 2.0 for number in range(len(hands))]

    found = bid_log_likelihood(view, worlds, sampler.hidden.seats, bids, np.random.default_rng(4))
    assert tuple(asked) == sampler.hidden.seats
    for seat, hands in asked.items():
        assert len(hands) == 6
        known = [card.index for position, card in view.state.opened if position in view.state.dealt[seat]]
        for hand in hands:
            assert hand.bit_count() == len(view.state.dealt[seat])
            assert all(hand >> index & 1 for index in known)
            assert not any(hand >> card.index & 1 for card in view.own.values())
    assert found[1:] == pytest.approx([2 * np.log(2)] * 5)
    assert found[0] < -20


def test_resampling_is_even() -> None:
    weights = np.array([0.0, 0.5, 0.125, 0.0, 0.375, 0.0])
    for seed in range(20):
        found, shares = resampled(weights, 8, np.random.default_rng(seed))
        assert found.tolist() == [1, 2, 4]
        assert shares.tolist() == [0.5, 0.125, 0.375]
    drawn = [resampled(weights, 1, np.random.default_rng(seed))[0][0] for seed in range(200)]
    assert 70 < drawn.count(1) < 130
    assert SANS not in drawn
