from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from hocp2p.game.house import HAND_SIZE, Rules
from hocp2p.players.engine.chance import finish, finish_by_card, play_out, random_deal, random_deck, random_play
from hocp2p.players.engine.deal import Deal
from hocp2p.players.engine.house import House
from hocp2p.players.engine.masks import count_of, size_of
from hocp2p.players.engine.play import Play
from tests.players.engine.speed import measure


def test_a_random_deck_is_a_deck_and_any_card_may_lie_anywhere() -> None:
    rng = Random(1)
    first = Counter(random_deck(rng)[0] for _ in range(5200))
    assert sorted(random_deck(rng)) == list(range(52))
    assert len(first) == 52
    assert max(first.values()) < 2 * min(first.values()) + 30


@pytest.mark.parametrize("seats", [2, 3])
def test_the_same_generator_gives_the_same_deal(seats: int) -> None:
    house = House.of(Rules(), seats)

    def once() -> object:
        rng = Random(5)
        deal = random_deal(house, rng, (1, 2, 3), 0b010)
        finish(deal, rng)
        return deal.settle()

    assert once() == once()


@pytest.mark.parametrize("seats", [2, 3])
def test_card_by_card_the_hands_are_played(seats: int) -> None:
    """The masks that stay are the cards that are left."""
    for seed in range(50):
        rng = Random(seed)
        deal = random_deal(House.of(Rules(), seats), rng)
        finish_by_card(deal, rng)
        assert deal.play is not None
        assert [hand.bit_count() for hand in deal.hands] == deal.play.left
        assert [count_of(hand) for hand in deal.hands] == deal.play.hands
        assert min(deal.play.left) == 0


@pytest.mark.parametrize("seats", [2, 3])
def test_deals_played_out_are_over_and_balanced(seats: int) -> None:
    house = House.of(Rules(), seats)
    winners: Counter[int] = Counter()
    for seed in range(200):
        rng = Random(seed)
        deal: Deal = random_deal(house, rng, (3, 0, 0))
        assert [hand.bit_count() for hand in deal.hands] == [HAND_SIZE[seats]] * seats
        finish(deal, rng)
        assert deal.turn == -1
        settled = deal.settle()
        assert sum(settled.net) + sum(settled.carry_after) == 3
        play: Play = random_play(house, rng)
        assert [size_of(count) for count in play.hands] == play.left == [HAND_SIZE[seats]] * seats
        play_out(play, rng)
        assert sum(play.net()) == 0
        winners[play.winner] += 1
    assert len(winners) == seats


def test_speed_is_measured() -> None:
    figures = measure(3)
    assert set(figures) == {
        f"{what}_a_s_{seats}" for what in ("deals", "deals_by_card", "rollouts", "copies") for seats in (2, 3)
    }
    assert min(figures.values()) > 0
