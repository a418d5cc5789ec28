"""The manual page says what the parsers say, and troff can read it."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from hocp2p.cli.commands import COMMANDS, build_parser, each_command
from hocp2p.cli.exits import Exit
from hocp2p.cli.main import USAGE, main
from hocp2p.cli.manpage import _escape, format_man_page
from hocp2p.cli.settings import NAMES

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "FILES", "ENVIRONMENT", "EXAMPLES"]
READABLE = re.sub(r"\\f[BIR]", "", format_man_page()).replace(r"\-", "-").replace(r"\(ti", "~")


def test_it_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(".TH HOCP2P 6 ")
    assert out == format_man_page()


def test_every_section_stands_once() -> None:
    heads = [line.removeprefix(".SH ") for line in READABLE.splitlines() if line.startswith(".SH ")]
    assert sorted(heads) == sorted([*SECTIONS, "EXIT STATUS"])


def test_every_command_with_each_of_its_options() -> None:
    assert [name for name, _ in each_command(build_parser())] == list(COMMANDS)
    for name, command in each_command(build_parser()):
        start = READABLE.index(f"\n.SS {name}\n")
        text = re.split(r"\n\.S[HS] ", READABLE[start + 1 :])[0]
        assert f"hocp2p {name}" in READABLE
        for action in command._actions:
            if action.dest != "help":
                assert action.help
                assert action.help in text
                for option in action.option_strings or [str(action.metavar)]:
                    assert option in text


def test_variables_codes_and_examples() -> None:
    for name in NAMES:
        assert f"\nHOCP2P_{name.upper()}\n" in READABLE
    for code in Exit:
        assert f"\n{int(code)}\n" in READABLE.split(".SH EXIT STATUS")[1]
    examples = READABLE.split(".SH EXAMPLES")[1]
    assert examples.count(".TP") == len(USAGE.splitlines()) - 1  # but for the name
    assert "hocp2p join HOST:PORT\njoin somebody's table\n" in examples
    assert "hocp2p host --bots 2\nplay against two bots\n" in examples


def test_the_page_names_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    for kind in ("CONFIG", "DATA", "STATE"):
        monkeypatch.delenv(f"XDG_{kind}_HOME")
    assert "anna" not in format_man_page().replace("Anna", "")


@pytest.mark.parametrize(
    ("text", "source"), [(".x", r"\&.x"), ("'x", r"\&'x"), ("a-b", r"a\-b"), ("a\\b", r"a\eb"), ("~/x", r"\(ti/x")]
)
def test_what_troff_would_take_for_its_own(text: str, source: str) -> None:
    assert _escape(text) == source


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
def test_troff_has_nothing_to_say_against_it() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-Wbreak", "-P-c"],  # noqa: S607 # whichever is there
        input=format_man_page(),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    text = re.sub(".\b", "", done.stdout)
    assert "SYNOPSIS" in text
    assert "hocp2p join [options]" in text
