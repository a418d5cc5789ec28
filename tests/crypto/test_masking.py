"""Faces, the deck before the first shuffle, re-masking, and decks as bytes."""

from __future__ import annotations

import pytest

from hocp2p.crypto.group import BASE, Point, hash_to_point, mul, mul_base, sub
from hocp2p.crypto.masking import DECK_SIZE, FACE_OF_POINT, FACES, Deck, decode_deck, initial_deck, remask
from hocp2p.errors import CryptoError
from tests.support.rfc_vectors import BAD_POINTS

SECRET = 0xFACADE
KEY = mul_base(SECRET)


def faces_of(deck: Deck) -> list[int]:
    return [FACE_OF_POINT[sub(c, mul(SECRET, a))] for a, c in zip(deck.a, deck.c, strict=True)]


def test_faces_are_hashed_and_distinct() -> None:
    """R-015."""
    assert len(set(FACES)) == len(FACE_OF_POINT) == DECK_SIZE == 52
    assert all(FACES[face] == hash_to_point("card", bytes([face])) for face in range(52))
    assert not set(FACES) & {mul_base(factor) for factor in range(200)}


def test_the_first_deck_is_every_face_in_order_under_the_key() -> None:
    deck = initial_deck(KEY)
    assert len(deck) == 52
    assert set(deck.a) == {BASE}
    assert faces_of(deck) == list(range(52))


def test_remasking_permutes_and_changes_every_point() -> None:
    before = initial_deck(KEY)
    permutation = [*range(10, 52), *range(10)]
    after = remask(KEY, before, permutation, range(2, 54))
    assert faces_of(after) == permutation
    assert not {*after.a, *after.c} & {*before.a, *before.c}
    with pytest.raises(ValueError, match="zip"):
        remask(KEY, before, permutation, [1])


def test_decks_round_trip_and_digests_tell_them_apart() -> None:
    deck = initial_deck(KEY)
    assert decode_deck(deck.encode()) == deck
    assert len(deck.encode()) == 3_328
    swapped = Deck(deck.c, deck.a)
    moved = Deck(deck.a, (*deck.c[1:], deck.c[0]))
    assert len({deck.digest(), swapped.digest(), moved.digest(), initial_deck(mul_base(2)).digest()}) == 4
    assert len(deck.digest()) == 32


@pytest.mark.parametrize("cards", [0, 51, 53])
def test_decks_have_52_cards(cards: int) -> None:
    with pytest.raises(CryptoError) as caught:
        decode_deck((BASE * 2) * cards)
    assert caught.value.code == "bad-length"


@pytest.mark.parametrize("at", [0, 51, 52, 103])
def test_every_point_of_a_deck_is_looked_at(at: int) -> None:
    """R-066."""
    data = initial_deck(KEY).encode()
    for point, code in [(bytes(32), "identity-point"), *((bad, "bad-point") for bad in BAD_POINTS)]:
        with pytest.raises(CryptoError) as caught:
            decode_deck(data[: 32 * at] + point + data[32 * (at + 1) :])
        assert caught.value.code == code


def test_a_deck_pairs_its_halves() -> None:
    with pytest.raises(CryptoError) as caught:
        Deck((Point(BASE),), ())
    assert caught.value.code == "bad-length"
