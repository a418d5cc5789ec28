from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.game.cards import DECK, Card
from hocp2p.players.hand import Hand
from tests.support.table_sim import cards

NOTHING_SAFE: frozenset[int] = frozenset()


def hand(text: str) -> Hand:
    return Hand.of(cards(text))


def test_fixed_hocs_are_counted_apart() -> None:
    held = hand("KC KS QS JD QH JH 2C 2D")
    assert held.hocs == 4
    assert [held.counts[rank] for rank in (2, 11, 12, 13)] == [2, 1, 1, 0]
    assert held.size == 8


@pytest.mark.parametrize(
    ("text", "stops"),
    [("5H 6C 7D", 1), ("5H 6C 6D 7D", 2), ("5H 5C 6D 7D 7S", 3), ("AH 3H 5H", 3), ("KC JD", 0), ("QH QD QC", 3)],
)
def test_fewest_chains(text: str, stops: int) -> None:
    assert hand(text).stops(NOTHING_SAFE) == stops


def test_a_chain_before_a_safe_rank_comes_back() -> None:
    held = hand("5H 6C 9D JH")
    assert held.stops(NOTHING_SAFE) == 3
    assert held.stops({7}) == 2
    assert held.goes_out_leading({7, 10})
    assert not held.goes_out_leading({7})


@pytest.mark.parametrize(
    ("text", "goes_out"), [("5H 6C", True), ("5H 6C 9D", False), ("5H 6C 9D KC", True), ("KC KS QS", True)]
)
def test_going_out_when_leading(text: str, goes_out: bool) -> None:
    assert hand(text).goes_out_leading(NOTHING_SAFE) is goes_out


@pytest.mark.parametrize(
    ("text", "rank", "goes_out"),
    [
        ("8H", 8, True),
        ("8H 9C TD", 8, True),
        ("8H 9C JH", 8, False),
        ("8H 9C JH KC", 8, True),
        ("3H 4C KC", 8, True),
        ("3H 4C", 8, False),
        ("KC", 8, True),
        ("8H 2C 4C KC", 8, False),
        ("8H 2C 4C KC KS", 8, True),
    ],
)
def test_going_out_when_called(text: str, rank: int, goes_out: bool) -> None:
    assert hand(text).goes_out_called(rank, NOTHING_SAFE, comes_back=False) is goes_out


def test_sans_that_wins_the_lead_back_needs_no_hoc() -> None:
    assert hand("3H 4C").goes_out_called(8, NOTHING_SAFE, comes_back=True)
    assert hand("7S 3H 4C").goes_out_called(7, {8}, comes_back=False)


def fewest_chains_by_search(counts: tuple[int, ...]) -> int:
    """Tries every lead."""
    if not any(counts):
        return 0
    held = Hand(counts, 0)
    return 1 + min(fewest_chains_by_search(held.after_chain(rank).counts) for rank in range(1, 14) if counts[rank])


@given(st.lists(st.sampled_from([card for card in DECK if not card.is_hoc]), max_size=6, unique=True))
def test_no_order_of_leads_has_fewer_stops(held: list[Card]) -> None:
    counted = Hand.of(held)
    assert counted.stops(NOTHING_SAFE) == fewest_chains_by_search(counted.counts)
