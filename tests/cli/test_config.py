"""``hocp2p config``: what is set and where, and the file to begin with."""

from __future__ import annotations

import io
import json
import re
import sys
import tomllib
from dataclasses import asdict
from pathlib import Path

import pytest

from hocp2p.cli.config import EXAMPLES, FLAGS_ONLY, format_example, format_toml, meanings
from hocp2p.cli.main import main
from hocp2p.cli.settings import NAMES, Settings, read_settings
from hocp2p.game.house import Rules
from hocp2p.ui.lang import use_language


@pytest.fixture
def config(folders: Path) -> Path:
    path = folders / "config" / "hocp2p" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


def show(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["config", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_every_setting_is_a_line(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = show(capsys)
    assert out.startswith(f"file is {config} (there is none; hocp2p config --example prints one)\n")
    rules = {f"house.{name}" for name in Rules().to_dict() if name != "deals"}
    assert [line.split()[0] for line in out.splitlines()[1:]] == [
        *(name for name in Settings.__slots__ if name != "house"),
        *(f"house.{name}" for name in Rules().to_dict() if f"house.{name}" in rules),
    ]
    config.write_text('theme = "light"\nport = 1\n[house]\npoint = "pips"\n', encoding="utf-8")
    monkeypatch.setenv("HOCP2P_PORT", "2")
    lines = [re.sub(" +", " ", line) for line in show(capsys).splitlines()]
    assert lines[0] == f"file is {config}"
    for line in ('theme "light" file', "port 2 HOCP2P_PORT", 'house.point "pips" file', "deals 6 default"):
        assert line in lines
    assert "name not set: your login name" in lines
    assert "autopilot not set" in lines


def test_as_json(config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown = json.loads(show(capsys, "--json"))
    assert (shown["file"], shown["exists"]) == (str(config), False)
    assert shown["settings"]["seats"] == {"value": None, "from": "default"}
    config.write_text("seats = 2\njson = true\n", encoding="utf-8")
    monkeypatch.setenv("HOCP2P_IDENTITY", "/a key")
    shown = json.loads(show(capsys))  # as the file has it
    assert shown["exists"] is True
    assert shown["settings"]["seats"] == {"value": 2, "from": "file"}
    assert shown["settings"]["identity"] == {"value": "/a key", "from": "HOCP2P_IDENTITY"}


@pytest.mark.parametrize("text", ["seats = 4", "sits = 3", "seats = "])
def test_a_wrong_file(config: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    config.write_text(text, encoding="utf-8")
    assert main(["config"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert str(config) in captured.err


def test_the_example_changes_nothing(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text(show(capsys, "--example"), encoding="utf-8")
    assert read_settings({}, {}, config) == Settings()


def test_the_example_with_its_lines_taken_in_sets_everything(config: Path) -> None:
    text = re.sub(r"(?m)^#(?=\w+ = )", "", format_example())
    config.write_text(text, encoding="utf-8")
    content = tomllib.loads(text)
    assert set(content) == NAMES - set(FLAGS_ONLY)
    assert content["house"] == {name: value for name, value in Rules().to_dict().items() if name != "deals"}
    settings = read_settings({}, {}, config)
    for name, default in asdict(Settings()).items():
        if name not in EXAMPLES and name != "house":
            assert getattr(settings, name) == default
        elif name != "house":
            assert default in (None, "")  # where there is a default, it is the example


def test_every_setting_has_a_meaning() -> None:
    assert set(meanings()) >= NAMES


@pytest.mark.parametrize("value", [True, 0, 0.5, "Anna", 'a "quoted" \\ name', "Алёна 🂡", Path("/a b")])
def test_values_as_toml_has_them(value: object) -> None:
    expected = str(value) if isinstance(value, Path) else value
    assert tomllib.loads(f"x = {format_toml(value)}") == {"x": expected}


def test_the_example_is_utf_8_wherever_it_goes(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A redirection in Windows would write it as the system writes texts."""
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="cp1252"))
    monkeypatch.setenv("HOCP2P_LANG", "ru")
    try:
        assert main(["config", "--example"]) == 0
    finally:
        use_language("en")
    config.write_bytes(out.getvalue())
    assert "# " in config.read_text(encoding="utf-8")
    assert not config.read_text(encoding="utf-8").isascii()
    assert read_settings({}, {}, config) == Settings()
