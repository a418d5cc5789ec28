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
    ("variables", "expected"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "ru_RU.KOI8-R"}, "ru"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "en_GB", "LANGUAGE": "fr:en"}, "fr"),
        ({"LANG": "fri"}, "en"),
        ({"LANG": "French_France"}, "fr"),
    ],
)
def test_the_system_chooses_where_nobody_else_does(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: str
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("locale.getlocale", lambda: (None, None))
    assert lang._of_the_system() == expected


def test_windows_names_its_locale_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("locale.getlocale", lambda: ("Russian_Russia", "1251"))
    assert lang._of_the_system() == "ru"
