"""What is a terminal, here and on Windows, where it is the console that has to be asked."""

from __future__ import annotations

import errno
import io
import sys
from typing import TextIO

import pytest

from hocp2p.cli import console
from hocp2p.cli.console import ENABLE_VIRTUAL_TERMINAL_PROCESSING, is_terminal, is_unread, takes_escapes


class Stream(io.StringIO):
    """One that says of itself whether it is a terminal."""

    def __init__(self, says: bool = True) -> None:
        super().__init__()
        self._says = says

    def isatty(self) -> bool:
        return not self.closed and self._says


def closed() -> TextIO:
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize(
    ("stream", "terminal"), [(None, False), (closed(), False), (Stream(says=False), False), (Stream(), True)]
)
def test_who_is_one(stream: TextIO | None, terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert is_terminal(stream) is terminal


@pytest.mark.parametrize(("mode", "terminal"), [(3, True), (0, True), (None, False)])
def test_nul_of_windows_is_none(mode: int | None, terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(console, "_mode", lambda _stream: mode)
    assert is_terminal(Stream()) is terminal


@pytest.mark.parametrize("knows", [True, False])
def test_windows_is_asked_to_heed_control_sequences(knows: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def set_mode(_stream: TextIO, mode: int) -> bool:
        asked.append(mode)
        return knows

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(console, "_mode", lambda _stream: 3)
    monkeypatch.setattr(console, "_set_mode", set_mode)
    assert takes_escapes(Stream()) is knows
    assert asked == [3 | ENABLE_VIRTUAL_TERMINAL_PROCESSING]


def test_elsewhere_nobody_has_to_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert takes_escapes(Stream())


@pytest.mark.parametrize(
    ("error", "platform", "unread"),
    [
        (BrokenPipeError(), "linux", True),
        (BrokenPipeError(), "win32", True),
        (OSError(errno.EINVAL, "Invalid argument"), "win32", True),
        (OSError(errno.EINVAL, "Invalid argument"), "linux", False),
        (OSError(errno.EINVAL, "Invalid argument", "a:b?"), "win32", False),
        (OSError(errno.ENOSPC, "No space left on device"), "win32", False),
        (ValueError(), "win32", False),
    ],
)
def test_a_reader_who_has_gone(error: Exception, platform: str, unread: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert is_unread(error) is unread
