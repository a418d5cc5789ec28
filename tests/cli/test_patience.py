"""The line that comes before what takes time."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from hocp2p.cli.patience import OPENING, ask_for_patience
from hocp2p.errors import LocalError
from hocp2p.ui.lang import use_language

STREAMS = ("stdin", "stdout", "stderr")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def said(monkeypatch: pytest.MonkeyPatch, *, terminals: tuple[str, ...] = STREAMS, **flags: object) -> str:
    """What is written to standard error."""
    streams = {name: Terminal() if name in terminals else io.StringIO() for name in STREAMS}
    for name, stream in streams.items():
        monkeypatch.setattr(sys, name, stream)
    try:
        ask_for_patience(flags, OPENING)
    finally:
        use_language("en")
    assert streams["stdout"].getvalue() == ""
    return streams["stderr"].getvalue()


def test_somebody_at_a_terminal_reads_at_once_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch) == "Opening the table ...\n"


@pytest.mark.parametrize("missing", STREAMS)
def test_nothing_is_said_where_nobody_looks(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, terminals=tuple(name for name in STREAMS if name != missing)) == ""


def test_nothing_is_said_to_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, json=True) == ""


def test_it_is_in_the_language_of_the_file(monkeypatch: pytest.MonkeyPatch, folders: Path) -> None:
    config = folders / "config" / "hocp2p" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('lang = "fr"\n', encoding="utf-8")
    assert said(monkeypatch) == "La table s'ouvre...\n"


def test_a_wrong_setting_is_refused_as_by_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LocalError) as caught:
        said(monkeypatch, theme="pink")
    assert caught.value.code == "bad-setting"
