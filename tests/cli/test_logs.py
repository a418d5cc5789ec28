"""The log is a file of its own, for as long as a seat is played."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

import pytest

from hocp2p.cli.logs import LOG_BYTES, LOGS_KEPT, keep_log

LOGGER = logging.getLogger("hocp2p.session.test")


def test_what_is_logged_is_in_the_file_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with keep_log(tmp_path / "state"):
        LOGGER.warning("something happened")
        LOGGER.debug("a detail")
    text = (tmp_path / "state" / "hocp2p.log").read_text()
    assert "WARNING hocp2p.session.test something happened\n" in text
    assert "a detail" not in text
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "state" / "hocp2p.log").stat().st_mode) & 0o077 == 0
    assert capsys.readouterr() == ("", "")


def test_the_log_rotates(tmp_path: Path) -> None:
    with keep_log(tmp_path):
        for _ in range(6):
            LOGGER.info("x" * LOG_BYTES)
    assert len(list(tmp_path.iterdir())) == LOGS_KEPT + 1


def test_a_log_that_another_hocp2p_has_open_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, which moves no such file."""

    def refuse(*_: object) -> None:
        raise PermissionError(13, "used by another process")

    monkeypatch.setattr(os, "rename", refuse)
    with keep_log(tmp_path):
        for number in range(3):
            LOGGER.info("%d %s", number, "x" * LOG_BYTES)
    (only,) = tmp_path.iterdir()
    assert [line.split()[5] for line in only.read_text().splitlines()] == ["0", "1", "2"]


def test_a_log_that_cannot_be_written_is_done_without(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "state").write_text("in the way")
    with keep_log(tmp_path / "state"):
        LOGGER.warning("something happened")
    assert capsys.readouterr() == ("", "")


def test_afterwards_all_is_as_it_was(tmp_path: Path) -> None:
    with keep_log(tmp_path):
        assert not logging.getLogger("hocp2p").propagate
    assert logging.getLogger("hocp2p").propagate
    assert logging.getLogger("hocp2p").handlers == []
