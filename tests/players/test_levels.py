from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from hocp2p.errors import LocalError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action
from hocp2p.game.house import CHOICES, Rules
from hocp2p.game.state import SeatView
from hocp2p.players.levels import LEVELS, TRAINED, YARDSTICKS, bids_by_thumb, make_player
from tests.support.table_sim import act, play_deal, play_match, rotated_margin, shuffled, view_of

HOUSES = [Rules(), Rules(raise_cap=1), Rules(raise_cap=300)] + [
    Rules().with_text(name, choice) for name, choices in CHOICES.items() for choice in choices[1:]
]


DEALS = {"random": 90, "novice": 60, "club": 12, "master": 6}
"""How many are played in a row where that is the test; those who think for long play fewer."""


def test_levels_from_weak_to_strong() -> None:
    assert LEVELS == ("random", "novice", "club", "master")
    assert not set(YARDSTICKS) & set(LEVELS)
    assert set(YARDSTICKS) <= TRAINED


@pytest.mark.parametrize("level", [*LEVELS, *YARDSTICKS])
@pytest.mark.parametrize("rules", [*HOUSES, Rules(raise_cap=4), Rules(raise_cap=5)], ids=str)
def test_only_low_raises_take_the_tables_from_a_level(level: str, rules: Rules) -> None:
    assert bids_by_thumb(level, rules) == (level not in ("random", "novice") and rules.raise_cap < 5)


@pytest.mark.parametrize("level", ["club", "master"])
def test_who_bids_by_thumb_bids_as_the_novice_does(level: str) -> None:
    """Thirty times the first word of a deal; and not where the same level has its tables."""
    for rules in (Rules(raise_cap=4), Rules(raise_cap=5)):
        same = [_bid(level, rules, seed) == _bid("novice", rules, seed) for seed in range(30)]
        assert all(same) == bids_by_thumb(level, rules)


def _bid(level: str, rules: Rules, seed: int) -> Action:
    """The first word of a deal by its number."""
    rng = Random(seed)
    state, _ = game_rules.start_deal(rules, 2, 1, [100, 100], (0, 0, 0), frozenset())
    return make_player(level, rng).decide(view_of(state, 0, shuffled(Random(seed))))


def test_unknown_level_is_refused_with_the_list() -> None:
    with pytest.raises(LocalError, match="random, novice, club, master") as caught:
        make_player("grandmaster", Random(1))
    assert caught.value.code == "unknown-level"


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_finishes_many_deals(level: str, seats: int) -> None:
    rng = Random(7)
    deals = DEALS[level]
    played = play_match(Rules(deals=deals), [make_player(level, rng) for _ in range(seats)], seed=11)
    assert len(played.deals) == deals
    assert sum(played.closing.net) == 0


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: f"{house.digest().hex()[:6]}")
@pytest.mark.parametrize(
    ("levels", "sessions"),
    [
        (("random", "novice"), 4),
        (("novice", "random", "novice"), 4),
        (("club", "random"), 1),
        (("novice", "club", "random"), 1),
    ],
    ids=str,
)
def test_every_house_rule(house: Rules, levels: tuple[str, ...], sessions: int) -> None:
    """Mixed levels, sessions with different first dealers."""
    if "club" in levels:
        house = replace(house, deals=len(levels))
    for seed in range(sessions):
        players = [make_player(level, Random(f"{seed} {seat}")) for seat, level in enumerate(levels)]
        played = play_match(house, players, seed, first_dealer=seed % len(levels))
        assert sum(played.closing.net) == 0


@pytest.mark.parametrize("level", LEVELS)
def test_plays_on_when_a_seat_is_lost(level: str) -> None:
    """At any moment of a deal one of three seats is gone; the other two end it."""
    for seed in range(DEALS[level] // 3 + 1):
        rng = Random(seed)
        deck = shuffled(rng)
        players = [make_player(level, rng) for _ in range(3)]
        state, _ = game_rules.start_deal(Rules(), 3, seed % 3, [100] * 3, (0, 0, 0), frozenset())
        for _ in range(rng.randrange(50)):
            if state.turn is not None:
                seat = state.turn
                state = act(state, seat, players[seat].decide(view_of(state, seat, deck)), deck)
        if state.turn is not None:
            state, _ = game_rules.leave(state, rng.randrange(3))
        assert play_deal(state, deck, players).winner is not None


@pytest.mark.parametrize("level", [*LEVELS[1:], *YARDSTICKS])
def test_a_seed_gives_the_same_game(level: str) -> None:
    def once() -> list[str]:
        said: list[str] = []
        rng = Random(5)
        players = [make_player(level, rng), make_player("novice", rng)]
        play_match(Rules(deals=2), players, seed=2, watch=lambda _view, action: said.append(repr(action)))
        return said

    assert once() == once()


@pytest.mark.parametrize(("seats", "margin"), [(2, 7.0), (3, 7.0)])
def test_novice_beats_random_clearly(seats: int, margin: float) -> None:
    assert rotated_margin("novice", "random", seats, deals=60, seed=100) > margin


def test_players_see_nothing_but_their_view() -> None:
    """The view's own fields are the state and this seat's faces."""
    seen: list[SeatView] = []
    players = [make_player("novice", Random(seat)) for seat in range(3)]
    play_match(Rules(deals=3), players, seed=4, watch=lambda view, _action: seen.append(view))
    assert all(set(view.own) == set(view.state.dealt[view.seat]) for view in seen)
