"""A decision depends on the seat's view and the generator, on nothing else."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action
from hocp2p.game.cards import DECK
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState, SeatView
from hocp2p.players.levels import LEVELS, make_player
from tests.support.table_sim import Deck, play_deal, shuffled, view_of


def with_hidden_cards_permuted(deck: Deck, state: DealState, seat: int, rng: Random) -> Deck:
    """Another deal that ``seat`` cannot tell from this one by the faces that it has seen."""
    seen = set(state.dealt[seat]) | set(state.faces())
    hidden = [position for position in range(len(DECK)) if position not in seen]
    moved = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    return tuple(deck[moved.get(position, position)] for position in range(len(DECK)))


@pytest.mark.parametrize(
    ("level", "examples", "every"),
    [("random", 8, 1), ("novice", 12, 1), ("club", 6, 1), ("master", 4, 3), ("ismcts", 2, 25)],
)
def test_hidden_cards_do_not_move_a_decision(level: str, examples: int, every: int) -> None:
    """At every decision of a deal, or every third ...: permute what the seat cannot see, let the others think about
    their own new cards in between, and ask again with the same seed."""

    @settings(max_examples=examples, deadline=None)
    @given(st.integers(0, 2**32), st.sampled_from([2, 3]))
    def hold(seed: int, seats: int) -> None:
        verify_hidden_cards_do_not_move(level, seats, seed, every)

    hold()


def verify_hidden_cards_do_not_move(level: str, seats: int, seed: int, every: int) -> None:
    """One deal. Raises AssertionError."""
    rng = Random(seed)
    deck = shuffled(rng)
    state, _ = game_rules.start_deal(Rules(), seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())
    moved = number = 0

    def watch(view: SeatView, _action: Action) -> None:
        nonlocal moved, number
        number += 1
        if number % every:
            return
        other_deck = with_hidden_cards_permuted(deck, view.state, view.seat, rng)
        moved += other_deck != deck
        other_view = view_of(view.state, view.seat, other_deck)
        assert other_view == view
        first = make_player(level, Random(seed)).decide(view)
        for rival in range(seats):
            if rival != view.seat:
                asked = replace(view.state, turn=rival)
                make_player(level, Random(seed)).decide(view_of(asked, rival, other_deck))
        assert make_player(level, Random(seed)).decide(other_view) == first

    play_deal(state, deck, [make_player("novice", Random(seed + seat)) for seat in range(seats)], watch)
    assert moved > 10 // every


@pytest.mark.parametrize("level", LEVELS)
def test_a_decision_leaves_the_view_as_it_was(level: str) -> None:
    deck = shuffled(Random(9))
    state, _ = game_rules.start_deal(Rules(), 3, 2, [100] * 3, (0, 0, 0), frozenset())

    def watch(view: SeatView, _action: Action) -> None:
        before = deepcopy(view)
        make_player(level, Random(1)).decide(view)
        assert view == before

    play_deal(state, deck, [make_player(level, Random(seat)) for seat in range(3)], watch)


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_uses_its_generator(level: str) -> None:
    """Other seeds, other words: the generator is not an ornament."""
    deck = shuffled(Random(3))
    state, _ = game_rules.start_deal(Rules(), 3, 2, [100] * 3, (0, 0, 0), frozenset())
    ends = set()
    for seed in range(20):
        ends.add(play_deal(state, deck, [make_player(level, Random(f"{seed} {seat}")) for seat in range(3)]).auctions)
        if len(ends) > 1:
            break
    assert len(ends) > 1
