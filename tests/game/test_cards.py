"""Faces: RULES 1 and 3.2."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.errors import NotationError
from hocp2p.game.cards import (
    COURTS,
    DECK,
    HOCS,
    ORDINARY,
    RANKS,
    Card,
    card_of,
    format_card,
    format_rank,
    parse_card,
    parse_rank,
)


def test_the_deck_has_52_faces_numbered_in_order() -> None:
    assert len(set(DECK)) == 52
    assert [card.index for card in DECK] == list(range(52))
    assert [card_of(index) for index in range(52)] == list(DECK)


@pytest.mark.parametrize("index", [-1, 52])
def test_there_is_no_face_outside(index: int) -> None:
    with pytest.raises(IndexError):
        card_of(index)


def test_the_six_fixed_hocs() -> None:
    assert {parse_card(text) for text in ("KC", "KS", "KH", "KD", "QS", "JD")} == HOCS


def test_ordinary_cards_are_the_rest_by_rank() -> None:
    counts = {rank: len(cards) for rank, cards in ORDINARY.items()}
    assert counts == dict.fromkeys(range(1, 11), 4) | {11: 3, 12: 3, 13: 0}
    assert {card for cards in ORDINARY.values() for card in cards} == set(DECK) - HOCS


def test_courts() -> None:
    assert {card.rank for card in COURTS} == {11, 12, 13}
    assert len(COURTS) == 12


@pytest.mark.parametrize(("text", "pips"), [("AS", 1), ("2H", 2), ("9D", 9), ("TC", 10), ("JS", 10), ("KD", 10)])
def test_card_points(text: str, pips: int) -> None:
    assert parse_card(text).pips == pips


@given(st.sampled_from(DECK))
def test_card_text_round_trips(card: Card) -> None:
    assert parse_card(format_card(card)) == card
    assert parse_card(format_card(card).lower()) == card


@given(st.sampled_from(RANKS))
def test_rank_text_round_trips(rank: int) -> None:
    assert parse_rank(format_rank(rank)) == rank


def test_ten_may_be_written_in_two_digits() -> None:
    assert parse_card("10d") == parse_card("TD")


@pytest.mark.parametrize("text", ["", "7", "D", "1D", "11D", "7X", "7DD", " 7D", "ß7", "A♠", "TT"])
def test_bad_cards_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_card(text)


def test_cards_order_by_rank_then_suit() -> None:
    assert parse_card("2S") < parse_card("2H") < parse_card("3S")
