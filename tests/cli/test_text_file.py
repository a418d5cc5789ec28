"""Files that a person has written."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocp2p.cli.settings import find_settings
from hocp2p.cli.text_file import read_text
from hocp2p.cli.typed import load_script

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_whatever_the_editor_makes_of_it(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "file"
    path.write_text("say Grüße ♠\r\n", encoding=encoding, newline="")
    assert read_text(path) == "say Grüße ♠\r\n"


@pytest.mark.parametrize("content", [b"\xff", b"\x80", b"\xff\xfe\x00"])
def test_what_is_no_text(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(UnicodeDecodeError):
        read_text(tmp_path / "file")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_settings_and_scripts_are_such_files(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text('name = "Zoé"\r\nport = 7500\r\n', encoding=encoding, newline="")
    assert find_settings({}, {}, path)["name"][0] == "Zoé"
    path.write_text("ready\r\npass\r\n", encoding=encoding, newline="")
    assert load_script(path) == ["ready", "pass"]
