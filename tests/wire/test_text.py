"""Texts that may be shown."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.wire.text import clean_text, is_showable


def test_all_that_hides_or_turns_is_refused() -> None:
    """Our own list holds at least what this Python's Unicode calls control, format or separator of lines. (R-007.)"""
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    let_through = [
        hex(point)
        for point in range(sys.maxunicode + 1)
        if unicodedata.category(chr(point)) in hidden and is_showable(f"a{chr(point)}b")
    ]
    assert let_through == []


def test_no_letter_mark_or_symbol_is_refused_without_need() -> None:
    """What is refused beyond that are the ignorable characters: Hangul fillers, selectors, joiners and the like."""
    refused = [
        point
        for point in range(sys.maxunicode + 1)
        if unicodedata.category(chr(point))[0] in "LNPS" and not is_showable(f"a{chr(point)}b")
    ]
    assert refused == [0x115F, 0x1160, 0x3164, 0xFFA0]


@pytest.mark.parametrize("text", ["", "Anna", "Zoë", "Иван", "安娜", "🂡 ace", "a b", "e\u0301", "ا"])
def test_names_of_people_pass(text: str) -> None:
    assert is_showable(text)


@pytest.mark.parametrize(
    "text",
    ["\x1b[31m", "a\x00", "a\x07", "a\r", "a\nb", "\x9b2J", "a\u202eb", "\u2066a", "a\u200bb", "\ufeffa", "a\u2028b",
     "\u3164", "a\ufe0f", "\U000e0041", "a\u00ad", " a", "a ", "\u00a0a", "a\u3000", " "],
)  # fmt: skip
def test_what_a_terminal_must_not_get(text: str) -> None:
    assert not is_showable(text)


@given(st.text(max_size=60), st.integers(0, 40))
def test_cleaned_text_is_showable_and_short(text: str, most: int) -> None:
    cleaned = clean_text(text, most)
    assert is_showable(cleaned)
    assert len(cleaned) <= most
    assert clean_text(cleaned, most) == cleaned


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [("  Anna ", "Anna"), ("a\tb\r\nc", "a b c"), ("\x1b[1mx", "[1mx"), ("abcdef", "abcd"), ("abc def", "abc")],
)
def test_cleaning(typed: str, cleaned: str) -> None:
    assert clean_text(typed, 4 if typed.startswith("abc") else 300) == cleaned
