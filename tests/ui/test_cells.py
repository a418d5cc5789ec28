"""Measured text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from hocp2p.ui.cells import (
    ASCII,
    UNICODE,
    Fragment,
    clean,
    clip,
    fit,
    fitting,
    line_width,
    pad,
    text_of,
    text_width,
    wrap,
)


def test_every_glyph_takes_one_cell() -> None:
    for glyphs in (UNICODE, ASCII):
        flat = "".join(str("".join(getattr(glyphs, name))) for name in glyphs.__slots__ if name != "ascii")
        assert all(wcwidth(char) == 1 for char in flat)
    assert all("".join(getattr(ASCII, name)).isascii() for name in ASCII.__slots__ if name != "ascii")


@given(st.text(max_size=40))
def test_cleaned_text_is_as_wide_as_terminals_think(text: str) -> None:
    safe = clean(text)
    assert wcswidth(safe) == text_width(safe)
    assert safe.isprintable()
    assert clean(text, ascii=True).isascii()
    assert clean(safe) == safe


def test_what_is_cleaned() -> None:
    assert clean("José 電話 Ω") == "José 電話 Ω"
    assert clean("Jose\u0301") == "Jos\xe9"  # one character for letter and accent
    assert clean("a\x1b[2J\u202eb\u200d\U0001f600\ufe0f\u3000\n") == "a?[2J?b?????"
    assert clean("Žofie", ascii=True) == "?ofie"
    assert clean("\ud7b0\u1160") == "??"
    assert clean("☰ 7♠ ✓") == "? 7♠ ✓"


@given(st.text(max_size=30).map(clean), st.integers(0, 40))
def test_clip_and_pad_keep_to_their_room(text: str, cells: int) -> None:
    assert text_width(clip(text, cells)) <= cells
    assert text_width(pad(text, cells)) == cells
    assert text_width(clip(text, cells, "")) <= cells
    if text_width(text) <= cells:
        assert clip(text, cells) == text


def test_clip_marks_what_is_missing() -> None:
    assert clip("abcdef", 4) == "abc…"
    assert clip("abcdef", 4, "") == "abcd"
    assert pad("7", 3, right=True) == "  7"


@given(st.lists(st.text(max_size=12).map(clean), max_size=6), st.integers(1, 40))
def test_a_line_fits_exactly(texts: list[str], cells: int) -> None:
    line = tuple(Fragment("", text) for text in texts)
    fitted = fit(line, cells)
    assert line_width(fitted) == cells
    if line_width(line) <= cells:
        assert text_of(fitted).startswith(text_of(line))


def test_no_row_begins_with_a_sign_that_french_sets_apart() -> None:
    assert wrap("les six hocs : K♠ K♥", 12) == ["les six", "hocs : K♠ K♥"]
    assert wrap("dites « Hoc ! » ici", 12) == ["dites", "« Hoc ! »", "ici"]
    assert wrap("une commande ; ? les montre", 15) == ["une commande ;", "? les montre"]


@given(st.text(max_size=80).map(clean), st.integers(4, 40), st.integers(0, 3))
def test_wrapping_keeps_every_letter(text: str, cells: int, indent: int) -> None:
    rows = wrap(text, cells, indent=indent)
    assert all(text_width(row) <= cells for row in rows)
    assert "".join("".join(rows).split()) == "".join(text.split())


def test_the_first_that_fits_is_said() -> None:
    assert [fitting(cells, "three", "two", "1") for cells in (5, 4, 2, 0)] == ["three", "two", "1", "1"]
