"""A deck of which only the cards are left: it takes what is remembered, and can say nothing any more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hocp2p.crypto.remembered import RememberedDeck
from hocp2p.crypto.scheme import DeckSession
from hocp2p.errors import LocalError
from hocp2p.table.deal import deal_plan

PLAN = deal_plan(3, 0)
FACES = tuple(range(12))

SPEAKING: dict[str, Callable[[DeckSession], object]] = {
    "key-commit": lambda deck: deck.key_commit(),
    "key-reveal": lambda deck: deck.key_reveal(),
    "shuffle": lambda deck: deck.shuffle(),
    "deck-digest": lambda deck: deck.deck_digest(),
    "share-commit": lambda deck: deck.share_commit(),
    "share-reveal": lambda deck: deck.share_reveal(),
    "open": lambda deck: deck.open([0], b"step"),
    "prove-not-holding": lambda deck: deck.prove_not_holding([0], [1], b"step"),
}


@pytest.mark.parametrize("name", SPEAKING)
def test_it_can_say_nothing(name: str) -> None:
    with pytest.raises(LocalError) as caught:
        SPEAKING[name](RememberedDeck(PLAN, 1, FACES))
    assert caught.value.code == "erased"


def test_it_takes_what_was_verified_when_it_came() -> None:
    deck: DeckSession = RememberedDeck(PLAN, 1, FACES)
    deck.accept_key_commits([b""] * 3)
    deck.accept_key_reveals([b""] * 3)
    deck.accept_shuffle(0, b"")
    deck.accept_deck_digests([b""] * 3)
    deck.accept_share_commits([b""] * 3)
    deck.accept_share_reveals([b""] * 3)
    deck.verify_open(0, [1], [2], b"", b"step")
    deck.verify_not_holding(0, [1], [2], b"", b"step")
    deck.erase()
    assert deck.faces() == dict(zip(PLAN.positions_of(1), FACES, strict=True))


@pytest.mark.parametrize("faces", [None, (), FACES[:-1], (*FACES, 12)])
def test_cards_that_were_not_kept(faces: tuple[int, ...] | None) -> None:
    with pytest.raises(LocalError) as caught:
        RememberedDeck(PLAN, 1, faces).faces()
    assert caught.value.code == "journal-damaged"
