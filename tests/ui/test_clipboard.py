"""OSC 52, plain and through what may stand between us and the terminal."""

from __future__ import annotations

import base64
import io
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.vt100 import Vt100_Output

from hocp2p.ui import clipboard
from hocp2p.ui.clipboard import copy, format_copy, system_copier

INVITE = "hoc1-" + "0" * 56


def wait_until(done: Callable[[], bool]) -> None:
    """Fails where it does not come about."""
    end_s = time.monotonic() + 30
    while not done():
        assert time.monotonic() < end_s
        time.sleep(0.01)


def copied(sequence: str) -> str:
    """What a terminal that understands the sequence, and nothing around it, would copy."""
    found = re.fullmatch(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", sequence)
    assert found is not None
    return base64.b64decode(found[1]).decode()


@given(st.text())
def test_plain(text: str) -> None:
    assert copied(format_copy(text, {"TERM": "xterm-256color"})) == text


@pytest.mark.parametrize("environ", [{"TMUX": "/run/tmux,1,0", "TERM": "screen"}, {"TERM": "tmux-256color"}])
def test_tmux_gets_both(environ: dict[str, str]) -> None:
    sequence = format_copy(INVITE, environ)
    plain, wrapped = sequence.split("\x1bPtmux;")
    assert copied(plain) == INVITE
    assert wrapped.endswith("\x1b\\")
    assert "\x1b\x1b" in wrapped
    assert copied(wrapped.removesuffix("\x1b\\").replace("\x1b\x1b", "\x1b")) == INVITE


@pytest.mark.parametrize("environ", [{"TERM": "screen-256color"}, {"STY": "1.tty", "TERM": "xterm"}])
@pytest.mark.parametrize("text", [INVITE, "long " * 200])
def test_screen_gets_short_pieces(environ: dict[str, str], text: str) -> None:
    pieces = re.findall(r"\x1bP(.*?)\x1b\\", format_copy(text, environ), re.DOTALL)
    assert all(len(piece) < 256 for piece in pieces)
    assert copied("".join(pieces)) == text


def test_without_any_environment() -> None:
    assert copied(format_copy(INVITE, {})) == INVITE


@pytest.mark.parametrize(
    ("platform", "environ", "command"),
    [
        ("linux", {}, None),
        ("darwin", {}, "/usr/bin/pbcopy"),
        ("darwin", {"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}, None),
        ("win32", {"SystemRoot": r"D:\Windows"}, r"D:\Windows\System32\clip.exe"),
        ("win32", {}, r"C:\Windows\System32\clip.exe"),
    ],
)
def test_the_program_of_a_system_whose_terminals_copy_nothing(
    platform: str, environ: dict[str, str], command: str | None
) -> None:
    assert system_copier(platform, environ) == command


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script")
def test_the_terminal_and_the_program_are_both_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, heard, told = tmp_path / "program", tmp_path / "heard", io.StringIO()
    program.write_text(f"#!/bin/sh\ncat > {heard}.new\nmv {heard}.new {heard}\n")
    program.chmod(0o700)
    monkeypatch.setattr(clipboard, "system_copier", lambda _platform, _environ: str(program))
    copy(INVITE, Vt100_Output(told, lambda: Size(24, 80)), {})
    assert copied(told.getvalue()) == INVITE
    wait_until(heard.exists)
    assert heard.read_text() == INVITE


def test_a_program_that_is_not_there_is_done_without(tmp_path: Path) -> None:
    clipboard._feed(str(tmp_path / "nowhere"), b"text")
