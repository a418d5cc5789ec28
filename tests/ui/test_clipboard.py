"""OSC 52, plain and through what may stand between us and the terminal."""

from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.ui.clipboard import format_copy

INVITE = "hoc1-" + "0" * 56


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
