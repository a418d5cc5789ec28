"""Which language a command speaks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hocp2p.cli.language import speak, speak_early
from hocp2p.cli.main import main
from hocp2p.cli.settings import Settings
from hocp2p.ui import lang


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    yield
    lang.use_language("en")


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Every language that was chosen; None: that of the system."""
    chosen: list[str | None] = []

    def choose(language: str | None) -> str:
        chosen.append(language)
        return language or "en"

    monkeypatch.setattr("hocp2p.cli.language.use_language", choose)
    return chosen


@pytest.mark.parametrize(
    ("argv", "environ", "expected"),
    [
        ([], {}, None),
        ([], {"HOCP2P_LANG": "fr"}, "fr"),
        (["host", "--lang", "ru"], {"HOCP2P_LANG": "fr"}, "ru"),
        (["host", "--lang=ru"], {}, "ru"),
        (["host", "--lang"], {}, None),
        (["host", "--lang", "klingon"], {}, None),
        (["host", "--json"], {"HOCP2P_LANG": "fr"}, "en"),
        (["host", "--ascii", "--lang", "ru"], {}, "en"),
    ],
)
def test_before_the_arguments_are_understood(
    spoken: list[str | None], argv: list[str], environ: dict[str, str], expected: str | None
) -> None:
    speak_early(argv, environ)
    assert spoken == [expected]


def test_the_settings_have_the_last_word(spoken: list[str | None]) -> None:
    speak(Settings())
    speak(Settings(lang="fr"))
    speak(Settings(lang="fr", json=True))
    speak(Settings(lang="ru", ascii=True))
    assert spoken == ["fr", "en", "en"]


@pytest.mark.parametrize(("language", "word"), [("fr", "votre"), ("ru", "ваше")])
def test_help_is_translated(folders: Path, capsys: pytest.CaptureFixture[str], language: str, word: str) -> None:
    assert folders
    told = {}
    for spoken_language in ("en", language):
        with pytest.raises(SystemExit) as ended:
            main(["host", "--lang", spoken_language, "--help"])
        assert ended.value.code == 0
        told[spoken_language] = capsys.readouterr().out
    assert "your name" in told["en"]
    assert "your name" not in told[language]
    assert word in told[language]
