"""The language in use, and the catalogues."""

from __future__ import annotations

import pytest

from hocp2p.errors import LocalError
from hocp2p.ui import lang


def test_english_is_what_stands_in_the_code() -> None:
    assert lang.use_language("en") == "en"
    assert lang._("declare") == "declare"
    assert lang.n_("one card", "cards", 2) == "cards"
    assert lang.p_("card", "good") == "good"
    assert lang._("") == ""


def test_a_language_that_we_do_not_speak_is_refused() -> None:
    with pytest.raises(LocalError) as caught:
        lang.use_language("xx")
    assert caught.value.code == "bad-language"


@pytest.mark.parametrize(
    ("system", "expected"), [("fr_FR", "fr"), ("ru_RU", "ru"), ("de_DE", "en"), (None, "en"), ("C", "en")]
)
def test_the_system_chooses_where_nobody_else_does(
    monkeypatch: pytest.MonkeyPatch, system: str | None, expected: str
) -> None:
    monkeypatch.setattr("locale.getlocale", lambda _category: (system, "UTF-8"))
    assert lang._of_the_system() == expected
