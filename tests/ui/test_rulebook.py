"""The rules for players: complete, and as wide as asked."""

from __future__ import annotations

import pytest

from hocp2p.game.cards import HOCS, RANK_LETTERS, SUIT_SYMBOLS
from hocp2p.game.combinations import RATES
from hocp2p.game.house import CHOICES, FINE, Rules
from hocp2p.game.payments import cards_left_due
from hocp2p.ui.lang import use_language
from hocp2p.ui.rulebook import MIN_WIDTH, SECTIONS, SWITCHES, Term, format_rulebook

FLAT = " ".join(format_rulebook(80).split())


@pytest.mark.parametrize("width", [MIN_WIDTH, 40, 60, 80, 120, 200])
def test_no_line_is_longer_than_the_width(width: int) -> None:
    lines = format_rulebook(width).splitlines()
    assert max(map(len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)


def test_the_text_is_the_same_at_every_width() -> None:
    assert " ".join(format_rulebook(40).split()) == FLAT == " ".join(format_rulebook(1000).split())


@pytest.mark.parametrize("width", [24, 40, 61, 80])
def test_no_line_of_the_french_begins_with_a_sign(width: int) -> None:
    use_language("fr")
    lines = format_rulebook(width).splitlines()
    use_language("en")
    assert any(" : " in line for line in lines)
    assert [line for line in lines if line.lstrip().startswith((":", ";", "!", "?", "»"))] == []


def test_a_width_too_small_to_read_is_widened() -> None:
    assert format_rulebook(0) == format_rulebook(-5) == format_rulebook(MIN_WIDTH)


def test_every_house_rule_is_told_with_each_of_its_settings() -> None:
    assert set(SWITCHES) == set(Rules().to_dict())
    for name, default in Rules().to_dict().items():
        choices = CHOICES.get(name, (str(default),))
        assert f"{name} = {' | '.join(choices)}." in FLAT
        assert choices[0] == default or str(default) == choices[0]
        assert tuple(SWITCHES[name].settings) == CHOICES.get(name, ())
        for setting, meaning in SWITCHES[name].settings.items():
            assert f"{setting}: {meaning}" in FLAT


def test_the_figures_are_those_of_the_rules() -> None:
    for combination, (simple, major) in RATES.items():
        assert f"{combination.name.lower()}: simple {simple}, major {major}." in FLAT
    assert (cards_left_due(1), cards_left_due(2)) == (6, 8)
    assert {left: cards_left_due(left) for left in (3, 9, 10, 15)} == {3: 3, 9: 9, 10: 20, 15: 30}
    for phrase in ("1 card: 6 jetons.", "2 cards: 8 jetons in all.", "3 to 9 cards: 1 ", "10 cards and more: 2 "):
        assert phrase in FLAT
    assert f"each with {FINE} jetons" in FLAT
    for card in HOCS:
        assert RANK_LETTERS[card.rank - 1] + SUIT_SYMBOLS[card.suit] in FLAT


def test_every_section_has_its_text_and_every_word_of_the_auction_its_meaning() -> None:
    for number, section in enumerate(SECTIONS, 1):
        assert f"{number}. {section.title.upper()} " in FLAT
        assert isinstance(section.body[0], str)
        for part in section.body:
            assert (part if isinstance(part, str) else f"{part.word}: {part.meaning}") in FLAT
    words = {part.word for section in SECTIONS for part in section.body if isinstance(part, Term)}
    assert {"pass", "declare", "raise", "stay", "good"} <= words


def test_choices_of_ours_are_marked() -> None:
    assert FLAT.count("(our choice)") >= 5
    assert "the choice is ours" in FLAT
