"""Order of the hand, and what follows a card."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hocp2p.game.actions import Play, Sans
from hocp2p.game.cards import DECK, Card, parse_card
from hocp2p.ui.hands import follow_up, grouped, in_order
from hocp2p.ui.local import Sort
from tests.ui.scenes import Story

HAND = tuple(parse_card(card) for card in ("9C", "2S", "5S", "7C", "KD", "KS", "4S", "KH", "8C", "3S"))


def names(sort: Sort) -> list[str]:
    return [" ".join(map(str, group)) for group in grouped(HAND, sort)]


def test_by_suit_rank_and_combination() -> None:
    assert names(Sort.SUIT) == ["2S 3S 4S 5S KS", "KH", "KD", "7C 8C 9C"]
    assert names(Sort.RANK) == ["2S 3S 4S 5S 7C 8C 9C KS KH KD"]
    assert names(Sort.COMBINATION) == ["2S 3S 4S 5S", "7C 8C 9C", "KS KH KD"]
    assert grouped((), Sort.RANK) == []


@given(st.sets(st.sampled_from(DECK), max_size=15), st.sampled_from(Sort))
def test_an_order_loses_no_card(hand: set[Card], sort: Sort) -> None:
    held = tuple(card for card in DECK if card in hand)
    assert sorted(in_order(held, sort)) == sorted(held)
    assert all(grouped(held, sort))


def follow(story: Story, card: str) -> list[str]:
    view = story.now.view
    assert view is not None
    plan = follow_up(view, parse_card(card))
    return [
        str(step.card) if isinstance(step, Play) else f"sans {step.rank}"
        for step in plan
        if isinstance(step, Play | Sans)
    ]


def test_what_follows_stops_where_a_hoc_could_be_played() -> None:
    story = Story("play AH", "play 2D", "sans 3").to_play()
    assert follow(story, "3D") == ["3D", "4H", "5S", "6S", "7S", "8C", "9C"]
    assert follow(story, "JD") == ["JD"]
    assert follow(story, "JH") == ["JH", "QC"]


def test_without_a_hoc_it_ends_with_sans() -> None:
    story = Story("play AH", "play 2D", "sans 3").to_play().say("play JD")
    assert follow(story, "3D") == ["3D", "4H", "5S", "6S", "7S", "8C", "9C", "sans 10"]
    assert follow(story, "2S") == ["2S", "3D", "4H", "5S", "6S", "7S", "8C", "9C", "sans 10"]


def test_the_last_card_needs_no_sans() -> None:
    story = Story("play AH", "play 2D", "sans 3").to_play().say("play JD")
    for card in ("2S", "3D", "4H", "5S", "6S", "7S", "8C", "9C", "sans 10"):
        story.say(card if card.startswith("sans") else f"play {card}")
    left = story.now.view
    assert left is not None
    assert {str(card) for card in left.hand} == {"JH", "7C", "QC"}
    assert follow(story, "JH") == ["JH", "QC", "sans 13"]
