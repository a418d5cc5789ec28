"""The files for shells, and what bash makes of them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hocp2p.cli.commands import COMMANDS
from hocp2p.cli.main import main
from hocp2p.game.house import CHOICES
from hocp2p.players.levels import LEVELS
from hocp2p.ui.theme import THEMES

shtab = pytest.importorskip("shtab")


def script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    assert main(["completion", shell]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_every_shell_gets_commands_options_and_values(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    text = script(capsys, shell)
    for word in (*COMMANDS, *LEVELS, *THEMES, "suit-colours", "no-mouse", "point=pips", "raise_cap=20"):
        assert word in text


@pytest.mark.parametrize("shell", shtab.SUPPORTED_SHELLS)
def test_every_shell_that_shtab_knows(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert "hocp2p" in script(capsys, shell)


def test_a_shell_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "korn"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("hocp2p: there are completions for bash, zsh")
    assert error.endswith("not for 'korn'\n")


def test_without_shtab_one_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    error = capsys.readouterr().err
    assert error == "hocp2p: completions are written by shtab; install it with: python -m pip install shtab\n"


COMPLETE = r"""
compopt() { :; }
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(( $# - 1 ))
_hocp2p
printf '%s\n' "${COMPREPLY[@]}"
"""


@pytest.mark.skipif(shutil.which("bash") is None or sys.platform == "win32", reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "replies"),  # as bash splits the line; what it puts in the place of the last word
    [
        ([""], set(COMMANDS)),
        (["do"], {"doctor"}),
        (["host", "--the"], {"--theme"}),
        (["host", "--no"], {f"--no-{name}" for name in ("mouse", "bell", "hints", "auto-sans", "open", "lan", "upnp")}),
        (["host", "--theme", ""], set(THEMES)),
        (["host", "--theme", "=", "l"], {"light"}),
        (["host", "--theme", "="], set(THEMES)),
        (["bot", "host:1", "--level", ""], set(LEVELS)),
        (["join", "host:1", "--autopilot", "n"], {level for level in LEVELS if level.startswith("n")}),
        (["host", "--seats", ""], {"2", "3"}),
        (["host", "--house", "po"], {"point=cards", "point=pips"}),
        (["host", "--house", "point", "="], set(CHOICES["point"])),
        (["host", "--house", "point", "=", "p"], {"pips"}),
        (["host", "--house", "point", "=", "pips", "ru"], {"ruin=off", "ruin=on"}),
        (["host", "--house", "point", "=", "pips", "ruin", "=", "o"], {"off", "on"}),
        (["host", "--house", "point", "=", "pips", "--the"], {"--theme"}),
        (["completion", "z"], {"zsh"}),
        (["man", "x"], set()),
    ],
)
def test_what_bash_completes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], replies: set[str]
) -> None:
    path = tmp_path / "completion"
    path.write_text(script(capsys, "bash"), encoding="utf-8")
    done = subprocess.run(
        ["bash", "--norc", "-c", COMPLETE, "bash", str(path), "hocp2p", *words],  # noqa: S607 # whichever is there
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    assert set(done.stdout.split()) == replies
