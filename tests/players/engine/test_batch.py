from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.game.house import DEFAULT_RULES
from hocp2p.players.engine.batch import FULL_DECK, Batch, Ints, play_out
from hocp2p.players.engine.chance import random_play
from hocp2p.players.engine.house import House
from hocp2p.players.engine.masks import numbers_of
from hocp2p.players.engine.play import Play


def random_plays(seed: int, seats: int, games: int, *, fortuitous: bool) -> list[Play]:
    """New games at random."""
    house = House.of(DEFAULT_RULES.with_text("fortuitous", "paid" if fortuitous else "unpaid"), seats)
    rng = Random(seed)
    return [random_play(house, rng) for _ in range(games)]


def counts_of(plays: list[Play]) -> Ints:
    """``[N, P, 13]`` of their hands."""
    return np.array([[numbers_of(hand)[1:] for hand in play.hands] for play in plays])


def verify_equal(batch: Batch, plays: list[Play]) -> None:
    """Raises AssertionError unless every figure of every game is the same."""
    assert np.array_equal(batch.counts, counts_of(plays))
    assert batch.played.tolist() == [numbers_of(play.played)[1:] for play in plays]
    for name in ("left", "turn", "last", "due", "sans", "hocs", "winner"):
        assert getattr(batch, name).tolist() == [getattr(play, name) for play in plays], name
    called = [play.called if play.turn >= 0 else ours for play, ours in zip(plays, batch.called.tolist(), strict=True)]
    assert batch.called.tolist() == called
    legal = [np.flatnonzero(row).tolist() for row in batch.legal()]
    assert legal == [sorted(play.legal()) for play in plays]
    assert batch.hoc_pay().tolist() == [play.hoc_pay() for play in plays]
    assert batch.cards_pay().tolist() == [play.cards_pay() for play in plays]
    assert batch.net().tolist() == [play.net() for play in plays]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]), st.booleans())
def test_a_batch_plays_as_the_scalar_engine_does(seed: int, seats: int, fortuitous: bool) -> None:
    """Move for move, over random games; games that are over are taken out as they end."""
    plays = random_plays(seed, seats, 20, fortuitous=fortuitous)
    batch = Batch(counts_of(plays), fortuitous)
    rng = Random(seed)
    while plays:
        verify_equal(batch, plays)
        going = [play.turn >= 0 for play in plays]
        batch, plays = batch.take(np.array(going)), [play for play in plays if play.turn >= 0]
        actions = [rng.choice(play.legal()) for play in plays]
        for play, action in zip(plays, actions, strict=True):
            play.apply(action)
        batch.apply(np.array(actions, np.intp))


def lowest(batch: Batch) -> Ints:
    """The legal action of the lowest number."""
    actions: Ints = batch.legal().argmax(axis=1)
    return actions


@pytest.mark.parametrize("seats", [2, 3])
def test_play_out_gives_what_the_ends_come_to(seats: int) -> None:
    plays = random_plays(1, seats, 50, fortuitous=True)
    net = play_out(Batch(counts_of(plays)), lowest)
    assert (net.sum(axis=1) == 0).all()
    for play, line in zip(plays, net.tolist(), strict=True):
        play.play_out(lambda _, legal: min(legal))
        assert play.net() == line


@pytest.mark.parametrize("seats", [2, 3])
def test_many_worlds_of_one_moment(seats: int) -> None:
    """The state of a scalar play with the cards of others, who play on as they would have from there."""
    (play,) = random_plays(3, seats, 1, fortuitous=True)
    rng = Random(3)
    for _ in range(12):
        play.apply(rng.choice(play.legal()))
    counts = counts_of([play, play, play])
    counts[1, 1] = counts[1, 1][::-1]
    known = np.zeros((seats, 13), int)
    batch = Batch.of(play, counts, known)
    worlds = [play.copy(), play.with_hands(play.hands), play.copy()]
    verify_equal(batch.take(np.array([0, 2])), [worlds[0], worlds[2]])
    assert batch.counts[1, 1].tolist() == counts[1, 1].tolist()
    assert len(batch) == 3


def test_shown_cards_are_known_until_they_are_played() -> None:
    counts = np.zeros((1, 2, 13), int)
    counts[0, 0, [4, 5]] = 2, 1  # 5 5 6
    counts[0, 1, 7] = 3
    known = np.zeros_like(counts)
    known[0, 0, 4] = known[0, 1, 7] = 1
    batch = Batch(counts, known=known.astype(np.int8))
    batch.apply(np.array([5]))
    assert batch.known[0, :, 4].tolist() == [0, 0]
    assert batch.played[0, 4] == 1
    batch.apply(np.array([6]))
    assert batch.known.sum() == batch.known[0, 1, 7] == 1


def test_the_deck_by_class() -> None:
    assert FULL_DECK.tolist() == [4] * 10 + [3, 3, 6]


@pytest.mark.parametrize("seats", [2, 3])
def test_batches_together_are_all_their_games(seats: int) -> None:
    """In order, in whatever state; and they go on by themselves."""
    plays = random_plays(3, seats, 9, fortuitous=True)
    batches = [Batch(counts_of(plays[:2])), Batch(counts_of(plays[2:3])), Batch(counts_of(plays[3:]))]
    batches[2].apply(batches[2].legal().argmax(axis=1))
    together = Batch.together(batches)
    first = np.concatenate([batch.counts for batch in batches])
    assert len(together) == 9
    assert np.array_equal(together.counts, first)
    for name in ("left", "turn", "called", "last", "due", "sans", "hocs", "winner", "fortuitous", "played", "known"):
        assert np.array_equal(getattr(together, name), np.concatenate([getattr(batch, name) for batch in batches])), (
            name
        )
    together.apply(together.legal().argmax(axis=1))
    assert np.array_equal(np.concatenate([batch.counts for batch in batches]), first)
    assert not np.array_equal(together.counts, first)
