from __future__ import annotations

from random import Random

import numpy as np
import pytest

from hocp2p.game.actions import Action
from hocp2p.players.engine.batch import Batch, Ints, play_out
from hocp2p.players.net.policy import Policy
from hocp2p.players.search.one_ply import Effort, Search
from hocp2p.players.search.rollouts import Rollouts, Thinking, play_together, think_alone
from tests.players.engine.test_batch import counts_of, random_plays
from tests.players.search.moments import choices, small_net

LITTLE = Effort(drawn=12, worlds=6, margin=50.0, exact_worlds=0)


def games(seed: int, number: int) -> Batch:
    """New games of two."""
    return Batch(counts_of(random_plays(seed, 2, number, fortuitous=True)))


def other_net() -> Policy:
    net = small_net(2)
    net.last[:] *= -1
    return Policy(net)


def test_each_is_answered_as_if_it_had_asked_alone() -> None:
    """Whatever the number of its games, and whose net plays them."""
    policies = (Policy(small_net(2)), other_net())
    asked = [(seed, number, policies[net]) for seed, number, net in [(1, 3, 0), (2, 1, 1), (3, 7, 0), (4, 2, 1)]]
    alone = [play_out(games(seed, number), policy.greedy) for seed, number, policy in asked]
    together = play_together([Rollouts(games(seed, number), policy) for seed, number, policy in asked])
    assert [won.shape for won in together] == [(number, 2) for _, number, _ in asked]
    for mine, theirs in zip(together, alone, strict=True):
        assert np.array_equal(mine, theirs)
    swapped = play_together([Rollouts(games(1, 3), policies[1]), Rollouts(games(2, 1), policies[0])])
    assert not np.array_equal(swapped[0], alone[0])  # the nets do not play the same


@pytest.mark.parametrize("seats", [2, 3])
def test_searches_decide_the_same_alone_and_together(seats: int) -> None:
    search = Search(Policy(small_net(seats)), LITTLE)
    views = [view for view, _ in choices(5, seats)][::3]
    alone = [search.choose(view, Random(number)) for number, view in enumerate(views)]
    thinking = [search.think(view, Random(number)) for number, view in enumerate(views)]
    decided: dict[int, Action] = {}
    asked: dict[int, Rollouts] = {}

    def go_on(number: int, won: Ints | None = None) -> None:
        try:
            asked[number] = next(thinking[number]) if won is None else thinking[number].send(won)
        except StopIteration as end:
            decided[number] = end.value

    for number in range(len(views)):
        go_on(number)
    assert len(asked) > 2
    waiting, answers = list(asked), play_together(list(asked.values()))
    asked.clear()
    for number, won in zip(waiting, answers, strict=True):
        go_on(number, won)
    assert not asked  # a search asks once
    assert [decided[number] for number in range(len(views))] == alone


def test_who_asks_for_nothing_decides_at_once() -> None:
    (view, _), *_ = choices(5, 2)

    def thinking() -> Thinking:
        yield from ()
        return Search(Policy(small_net(2)), LITTLE).choose(view, Random(1))

    assert think_alone(thinking()) == Search(Policy(small_net(2)), LITTLE).choose(view, Random(1))
