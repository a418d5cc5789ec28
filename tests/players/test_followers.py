from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.game.cards import DECK, RANKS
from hocp2p.game.state import SeatView
from hocp2p.players.followers import chance_none_holds
from tests.support.table_sim import ending, shuffled, view_of


def counted_chance(view: SeatView, rank: int) -> float:
    """By dealing the unseen cards in every way that fits."""
    state = view.state
    assert state.play is not None
    faces = state.faces()
    unseen = sorted(set(DECK) - set(view.own.values()) - set(faces.values()))
    rivals = [seat for seat in state.present if seat != view.seat]
    free = [sum(position not in faces for position in state.hands[seat]) for seat in rivals]
    fits = none = 0
    for first in combinations(unseen, free[0]):
        rest = [card for card in unseen if card not in first]
        for second in combinations(rest, free[1]) if len(rivals) > 1 else [()]:
            drawn = dict(zip(rivals, (first, second), strict=False))
            if any(not c.is_hoc and c.rank in state.play.sans[seat] for seat in rivals for c in drawn[seat]):
                continue
            fits += 1
            known = [faces[place] for seat in rivals for place in state.hands[seat] if place in faces]
            held = [*first, *second, *known]
            none += not any(card.rank == rank and not card.is_hoc for card in held)
    return none / fits


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]))
def test_the_chance_is_the_share_of_the_deals_that_fit(seed: int, seats: int) -> None:
    rng = Random(seed)
    deck = iter(shuffled(rng))
    hands = [[next(deck) for _ in range(rng.randint(1, 2))] for _ in range(seats)]
    held = [{card.rank for card in hand if not card.is_hoc} for hand in hands]
    sans = [frozenset(rank for rank in rng.sample(RANKS, 5) if rank not in ranks) for ranks in held]
    state, faces = ending([" ".join(map(str, hand)) for hand in hands], sans=sans)
    view = view_of(state, 0, faces)
    assert state.play is not None
    for rank in RANKS:
        assert chance_none_holds(view, state.play, rank) == pytest.approx(counted_chance(view, rank))


def test_no_king_is_ordinary() -> None:
    state, deck = ending(["2S 3S", "KS KH", "KD KC"])
    assert state.play is not None
    assert chance_none_holds(view_of(state, 0, deck), state.play, 13) == 1


def test_a_card_that_was_shown_is_known() -> None:
    state, deck = ending(["2S 3S", "7H 8H", "KD KC"])
    shown = tuple((position, deck[position]) for position in state.hands[1])
    assert state.play is not None
    opened = view_of(replace(state, opened=state.opened + shown), 0, deck)
    assert chance_none_holds(opened, state.play, 8) == 0
    assert 0 < chance_none_holds(opened, state.play, 9) <= 1
