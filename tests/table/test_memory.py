"""What is kept of a table: hands as bytes, seeds of decks that are kept, used and forgotten."""

from __future__ import annotations

import random

import pytest

from hocp2p.crypto.remembered import RememberedDeck
from hocp2p.crypto.scheme import DeckSession
from hocp2p.errors import LocalError
from hocp2p.table.deal import deal_plan
from hocp2p.table.deck import shuffle_order
from hocp2p.table.effects import Effect, ForgetSeed, KeepSeed
from hocp2p.table.memory import Decks, Memory, decode_hand, encode_hand
from tests.support.insecure_scheme import InsecureScheme


def decks(memory: Memory, signed: set[int], seed: int = 1) -> tuple[Decks, list[Effect]]:
    effects: list[Effect] = []
    return Decks(InsecureScheme(), random.Random(seed).randbytes, memory, frozenset(signed), effects.append), effects


def join(made: Decks, track: int) -> DeckSession:
    plan, order = deal_plan(2, 0), shuffle_order(2, 0)
    return made.join(track, track // 2, context=b"deck", seats=2, seat=0, plan=plan, order=order)


@pytest.mark.parametrize(("deal", "faces"), [(1, [0]), (600, list(range(15))), (65_535, [51, 0])])
def test_a_hand_is_read_back(deal: int, faces: list[int]) -> None:
    assert decode_hand(encode_hand(deal, faces)) == (deal, tuple(faces))


@pytest.mark.parametrize("data", [b"", b"\0", b"\0\1", b"\0\1\x34", b"\0\1\0\xff"])
def test_a_hand_that_is_none(data: bytes) -> None:
    with pytest.raises(LocalError) as caught:
        decode_hand(data)
    assert caught.value.code == "journal-damaged"


def test_a_new_deck_has_a_seed_of_its_own_which_is_kept_and_forgotten_once() -> None:
    made, effects = decks(Memory(), set())
    commits = [join(made, track).key_commit() for track in (1, 3)]
    assert commits[0] != commits[1]
    seeds = [effect.seed for effect in effects if isinstance(effect, KeepSeed)]
    assert len(set(seeds)) == 2
    effects.clear()
    for _ in range(2):
        made.forget(1)
    made.forget_all()
    assert effects == [ForgetSeed(1), ForgetSeed(3)]


def test_a_deck_whose_seed_was_kept_is_the_same_again() -> None:
    made, effects = decks(Memory(), set())
    commit = join(made, 3).key_commit()
    (kept,) = [effect for effect in effects if isinstance(effect, KeepSeed)]
    again, effects = decks(Memory(seeds={3: kept.seed}), {3}, seed=2)
    assert join(again, 3).key_commit() == commit
    assert effects == []
    again.forget(3)
    assert effects == [ForgetSeed(3)]


def test_a_deck_whose_seed_is_forgotten_is_only_remembered() -> None:
    made, effects = decks(Memory(hands={1: tuple(range(15))}), {3, 4})
    deck = join(made, 3)
    assert isinstance(deck, RememberedDeck)
    assert effects == []
    assert [made.remembers(track) for track in (3, 4, 5, 6)] == [True, True, False, False]


def test_a_seed_is_not_shown() -> None:
    assert "seed" not in repr(KeepSeed(3, b"seed" * 8)).replace("KeepSeed", "")
    assert "sss" not in repr(Memory(seeds={3: b"s" * 32}))
