from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import LocalError
from hocp2p.game.cards import parse_card
from hocp2p.players.engine.chance import random_deck
from hocp2p.players.engine.masks import BITS, count_of, mask_of
from hocp2p.players.engine.play import HOLD, SANS, Play
from hocp2p.players.search.exact import Solver


def small_play(rng: Random, seats: int, most: int, fortuitous: bool, hold_back: bool = False) -> Play:
    """Some way into a play of few cards; now and then at its beginning."""
    deck = random_deck(rng)
    hands = []
    for _ in range(seats):
        size = rng.randrange(1, most + 1)
        hands.append(count_of(sum(BITS[index] for index in deck[:size])))
        deck = deck[size:]
    play = Play(hands, fortuitous=fortuitous, hold_back=hold_back)
    for _ in range(rng.randrange(8)):
        after = play.copy()
        after.apply(rng.choice([action for action in play.legal() if action != HOLD]))
        if after.turn < 0:
            break
        play = after
    return play


def best(play: Play) -> tuple[int, ...]:
    """The final figures when everybody plays for himself, by looking at everything; of equal actions the first."""
    if play.turn < 0:
        return tuple(play.net())
    found: tuple[int, ...] | None = None
    for action in play.legal():
        if action == HOLD:
            continue
        after = play.copy()
        after.apply(action)
        value = best(after)
        if found is None or value[play.turn] > found[play.turn]:
            found = value
    assert found is not None
    return found


def expected(play: Play) -> dict[int, tuple[int, ...]]:
    values = {}
    for action in play.legal():
        if action != HOLD:
            after = play.copy()
            after.apply(action)
            values[action] = tuple(end - now for end, now in zip(best(after), play.net(), strict=True))
    return values


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_two_players_as_by_looking_at_everything(seed: int, fortuitous: bool, hold_back: bool) -> None:
    rng = Random(seed)
    solver = Solver(fortuitous=fortuitous)
    for _ in range(2):  # the second with what is known of the first
        play = small_play(rng, 2, 5, fortuitous, hold_back)
        values = expected(play)
        assert solver.values(play) == values
        assert all(sum(value) == 0 for value in values.values())


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_the_best_action_and_the_value_of_one(seed: int, fortuitous: bool, hold_back: bool) -> None:
    rng = Random(seed)
    solver = Solver(fortuitous=fortuitous)
    for _ in range(2):
        play = small_play(rng, 2, 5, fortuitous, hold_back)
        values = {action: value[play.turn] for action, value in expected(play).items()}
        found = solver.best(play)
        assert found is not None
        assert found[1] == values[found[0]] == max(values.values())
        assert {action: solver.value(play, action) for action in values} == values


def test_the_best_action_takes_fewer_nodes() -> None:
    play = play_of("AS 3H 5C 7D 9S JH KH", "2S 4H 6C 8D TS QH KS")
    all_of_them, best = Solver(), Solver()
    assert all_of_them.values(play) is not None
    assert best.best(play) is not None
    assert best.nodes < all_of_them.nodes
    assert Solver(most_nodes=20).best(play) is None
    assert Solver(most_nodes=20).value(play, 1) is None


def test_no_best_action_is_told_among_three() -> None:
    play = play_of("AS", "2H", "3H")
    for ask in (Solver().best, lambda play: Solver().value(play, 1)):
        with pytest.raises(LocalError) as caught:
            ask(play)
        assert caught.value.code == "not-solvable"


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_three_players_as_by_looking_at_everything(seed: int, fortuitous: bool) -> None:
    rng = Random(seed)
    solver = Solver(fortuitous=fortuitous)
    for _ in range(2):
        play = small_play(rng, 3, 3, fortuitous)
        assert solver.values(play) == expected(play)


def play_of(*hands: str) -> Play:
    return Play([count_of(mask_of(map(parse_card, hand.split()))) for hand in hands])


def test_the_worked_example_of_the_rules() -> None:
    """RULES 6, 11: with K♥ for the ten E wins 12 in all; by *sans* he would lose 9."""
    play = play_of("6C 7D KH 2S", "8S 9D 3C", "8H QS 5C 5D")
    for action in (6, 7, SANS, 8, 9, SANS, SANS):
        play.apply(action)
    values = Solver().values(play)
    assert values is not None
    assert values[13] == (12, -7, -5)
    assert values[SANS] == (-9, 14, -5)


def test_two_cards_left_cost_more_than_three() -> None:
    """Rule 3.3 is not monotone: whoever cannot help the end keeps three cards and not two."""
    play = play_of("AS 5H 9C", "TS")
    play.turn, play.called, play.last = 0, 0, 0
    values = Solver().values(play)
    assert values is not None
    assert values[9] == (-8, 8)  # his ten goes on the nine, and two cards are left


def test_a_position_that_takes_too_long_is_given_up() -> None:
    play = play_of("AS 3H 5C 7D 9S JH KH", "2S 4H 6C 8D TS QH KS")
    solver = Solver(most_nodes=20)
    assert solver.values(play) is None
    assert solver.nodes == 21
    assert Solver(most_nodes=100_000).values(play) == Solver().values(play)
    assert Solver(most_nodes=3).values(play_of("AS 3S 5S 7S", "2H 4H 6H 8H", "9S JS KH QS")) is None


def test_what_cannot_be_solved_is_refused() -> None:
    over = play_of("KH", "KS")
    over.apply(13)
    gone = Play([1 << 3, 1 << 6, 1 << 9], gone=1)
    for play, solver in ((over, Solver()), (gone, Solver()), (play_of("2S", "3S"), Solver(fortuitous=False))):
        with pytest.raises(LocalError) as caught:
            solver.values(play)
        assert caught.value.code == "not-solvable"
