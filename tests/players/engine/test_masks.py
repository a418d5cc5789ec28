from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hocp2p.game.cards import DECK, HOCS, Card
from hocp2p.players.engine.masks import (
    BITS,
    CLASS_MASKS,
    CLASS_OF,
    DECK_MASK,
    FULL_COUNT,
    HOC,
    UNITS,
    cards_of,
    classes_in,
    count_of,
    indices_by_suit,
    indices_of,
    mask_of,
    number_of,
    numbers_of,
    size_of,
)

card_sets = st.frozensets(st.sampled_from(DECK))


@given(card_sets)
def test_a_mask_holds_its_cards(cards: frozenset[Card]) -> None:
    mask = mask_of(cards)
    assert set(cards_of(mask)) == cards
    assert indices_of(mask) == sorted(card.index for card in cards)
    assert indices_by_suit(mask) == tuple(indices_of(mask))
    assert mask.bit_count() == len(cards)


@given(card_sets)
def test_a_count_forgets_suits_only(cards: frozenset[Card]) -> None:
    count = count_of(mask_of(cards))
    expected = [0] * (HOC + 1)
    for card in cards:
        expected[HOC if card in HOCS else card.rank] += 1
    assert numbers_of(count) == expected
    assert [number_of(count, class_) for class_ in range(1, HOC + 1)] == expected[1:]
    assert classes_in(count) == sum(1 << class_ for class_, number in enumerate(expected) if number)
    assert size_of(count) == len(cards)
    assert count == sum(UNITS[CLASS_OF[card.index]] for card in cards)


def test_the_classes_part_the_deck() -> None:
    assert sum(CLASS_MASKS) == DECK_MASK == sum(BITS)
    assert set(cards_of(CLASS_MASKS[HOC])) == HOCS
    assert numbers_of(FULL_COUNT) == [0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 6]
