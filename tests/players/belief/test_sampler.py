from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hocp2p.errors import RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.house import Rules
from hocp2p.game.state import SeatView
from hocp2p.players.belief.hidden import CLASSES, Hidden
from hocp2p.players.belief.sampler import Sampler, deal_cards, generator_of
from hocp2p.players.engine.convert import deal_of, hidden_cards
from hocp2p.players.engine.masks import CLASS_OF, HOC, count_of, numbers_of
from hocp2p.players.levels import make_player
from tests.players.engine.compare import Setting
from tests.players.test_honesty import with_hidden_cards_permuted
from tests.support.table_sim import dealt, play_deal, shuffled, view_of

World = tuple[tuple[int, ...], ...]
NONE = (0,) * CLASSES


@st.composite
def few_cards(draw: st.DrawFn) -> Hidden:
    """Up to eight hidden cards, one other hand or two."""
    cards = draw(st.lists(st.integers(0, CLASSES - 1), min_size=1, max_size=8))
    assume(max(Counter(cards).values()) <= 4)
    others = draw(st.integers(1, 2))
    sizes: list[int] = []
    for _ in range(others):
        sizes.append(draw(st.integers(0, len(cards) - sum(sizes))))
    bits = st.lists(st.integers(1, CLASSES), max_size=3).map(lambda numbers: sum({1 << number for number in numbers}))
    return Hidden(
        seats=tuple(range(1, others + 1)),
        sizes=tuple(sizes),
        unseen=tuple(cards.count(column) for column in range(CLASSES)),
        barred=tuple(draw(bits) for _ in range(others)),
        known=(NONE,) * others,
    )


def all_deals(hidden: Hidden) -> Counter[World]:
    """Every way to deal the cards one by one, by what it comes to in classes."""
    cards = [column for column in range(CLASSES) for _ in range(hidden.unseen[column])]
    found: Counter[World] = Counter()

    def go_on(other: int, left: frozenset[int], hands: World) -> None:
        if other == len(hidden.sizes):
            found[hands] += 1
            return
        free = [number for number in sorted(left) if not hidden.barred[other] >> cards[number] + 1 & 1]
        for chosen in combinations(free, hidden.sizes[other]):
            hand = [cards[number] for number in chosen]
            counts = tuple(hand.count(column) for column in range(CLASSES))
            go_on(other + 1, left - set(chosen), (*hands, counts))

    go_on(0, frozenset(range(len(cards))), ())
    return found


def world_of(row: np.ndarray) -> World:
    return tuple(tuple(int(number) for number in hand) for hand in row)


@settings(max_examples=60, deadline=None)
@given(few_cards())
def test_all_worlds_are_those_that_can_be_dealt(hidden: Hidden) -> None:
    expected = all_deals(hidden)
    sampler = Sampler(hidden)
    assert sampler.ways == sum(expected.values())
    assert sampler.number == len(expected)
    if expected:
        worlds, ways = sampler.every()
        assert {world_of(row): count for row, count in zip(worlds, ways, strict=True)} == expected


@settings(max_examples=40, deadline=None)
@given(few_cards(), st.integers(1, CLASSES))
def test_chances_are_shares_of_all_deals(hidden: Hidden, class_: int) -> None:
    expected = all_deals(hidden)
    assume(expected)
    sampler = Sampler(hidden)

    def share(holds: Counter[World]) -> float:
        return sum(holds.values()) / sum(expected.values())

    for other in range(len(hidden.sizes)):
        held = Counter({world: n for world, n in expected.items() if world[other][class_ - 1]})
        assert sampler.chance_holds(other, class_) == pytest.approx(share(held))
    dead = Counter({world: n for world, n in expected.items() if not any(hand[class_ - 1] for hand in world)})
    if class_ != HOC:
        assert sampler.chance_dead(class_) == pytest.approx(share(dead))
    safe = Counter({world: n for world, n in dead.items() if not any(hand[HOC - 1] for hand in world)})
    assert sampler.chance_safe(class_) == pytest.approx(share(safe))


def test_samples_come_as_often_as_they_can_be_dealt() -> None:
    unseen = (2, 1, 0, 3, *(0,) * 8, 2)
    hidden = Hidden((1, 2), (3, 2), unseen, (1 << 4, 1 << HOC), (NONE,) * 2)
    expected = all_deals(hidden)
    total, number = sum(expected.values()), 40_000
    found = Counter(world_of(row) for row in Sampler(hidden).sample(np.random.default_rng(5), number))
    assert found.keys() == expected.keys()
    for world, count in expected.items():
        chance = count / total
        assert abs(found[world] - number * chance) < 4.5 * sqrt(number * chance)


def test_a_king_is_no_ordinary_card() -> None:
    sampler = Sampler(Hidden((1,), (1,), (0,) * 12 + (2,), (0,), (NONE,)))
    assert sampler.chance_dead(13) == 1.0
    assert sampler.chance_safe(13) == 0.0
    assert sampler.chance_holds(0, HOC) == 1.0


def test_what_is_known_is_certain() -> None:
    known = (0, 0, 1, *(0,) * 10)
    sampler = Sampler(Hidden((1, 2), (2, 2), (3,) * 5 + (0,) * 8, (0, 1 << 2), (known, NONE)))
    assert sampler.chance_holds(0, 3) == 1.0
    assert sampler.chance_dead(3) == sampler.chance_safe(3) == 0.0
    assert 0.0 < sampler.chance_holds(1, 3) < 1.0
    assert sampler.chance_holds(1, 2) == 0.0


def test_contradictions_are_refused() -> None:
    sampler = Sampler(Hidden((1,), (2,), (2, 1, *(0,) * 11), (1 << 1,), (NONE,)))
    assert sampler.ways == sampler.number == 0
    for ask in (lambda: sampler.sample(np.random.default_rng(1), 3), sampler.every, lambda: sampler.chance_dead(2)):
        with pytest.raises(RuleError) as caught:
            ask()
        assert caught.value.code == "bad-hands"


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]))
def test_hidden_cards_do_not_move_a_sample(seed: int, seats: int) -> None:
    """Permute what the seat cannot see: same seed, same worlds, same cards; all of them are possible."""
    rng = Random(seed)
    deck = shuffled(rng)
    state, _ = game_rules.start_deal(Rules(), seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())

    def watch(view: SeatView, _action: object) -> None:
        other = view_of(view.state, view.seat, with_hidden_cards_permuted(deck, view.state, view.seat, rng))
        first, second = (drawn(moment, seed) for moment in (view, other))
        assert all((one == two).all() for one, two in zip(first, second, strict=True))

    def drawn(view: SeatView, seed: int) -> tuple[np.ndarray, np.ndarray]:
        generator = generator_of(Random(seed))
        worlds = Sampler.from_view(view).sample(generator, 3)
        return worlds, deal_cards(view, worlds, generator)

    play_deal(state, deck, [make_player("novice", Random(seed + seat)) for seat in range(seats)], watch)


def test_cards_are_those_of_the_world() -> None:
    """The masks hold hidden cards of the classes drawn, and the engine takes them."""
    for seed in range(5):
        rng = Random(seed)
        setting = Setting.drawn(rng)
        state = setting.start()
        while state.turn is not None:
            view = setting.view(state, state.turn)
            generator = np.random.default_rng(seed)
            sampler = Sampler.from_view(view)
            worlds = sampler.sample(generator, 2)
            for world, masks in zip(worlds, deal_cards(view, worlds, generator).tolist(), strict=True):
                hands = dict(zip(sampler.hidden.seats, masks, strict=True))
                deal_of(view, {seat: hands.get(seat, 0) for seat in range(state.seats)})
                assert all(mask & ~hidden_cards(view) == 0 for mask in masks)
                assert [numbers_of(count_of(mask))[1:] for mask in masks] == world.tolist()
            state, _ = game_rules.apply(state, state.turn, game_rules.legal_actions(view)[0])


def test_each_card_of_a_class_is_as_likely() -> None:
    state, deck = dealt(["4S 5S KH", "", ""])
    view = view_of(state, 0, deck)
    number = 6000
    worlds = np.zeros((number, 2, CLASSES), np.uint8)
    fours = sum(CLASS_OF[index] == 4 for index in range(52) if hidden_cards(view) >> index & 1)
    worlds[:, 0, 3], worlds[:, 1, 3] = 1, 1
    masks = deal_cards(view, worlds, np.random.default_rng(2))
    found = Counter(map(tuple, masks.tolist()))
    pairs = 2 * comb(fours, 2)
    assert len(found) == pairs
    assert all(abs(times - number / pairs) < 4.5 * sqrt(number / pairs) for times in found.values())
