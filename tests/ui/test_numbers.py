"""Figures in every language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hocp2p.ui.lang import use_language
from hocp2p.ui.numbers import decimal, per_cent, whole


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use_language("en")


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ["999", "1,000", "1,234,567", "0.50", "+6.30", "-1.00", "1.90%"]),
        ("fr", ["999", "1 000", "1 234 567", "0,50", "+6,30", "-1,00", "1,90 %"]),
        ("ru", ["999", "1 000", "1 234 567", "0,50", "+6,30", "-1,00", "1,90 %"]),
    ],
)
def test_figures_are_written_as_the_language_does(language: str, written: list[str]) -> None:
    use_language(language)
    figures = [*map(whole, (999, 1000, 1234567)), decimal(0.5, 2), decimal(6.3, 2, sign=True), decimal(-1, 2)]
    assert [*figures, per_cent(0.019, 2)] == written
