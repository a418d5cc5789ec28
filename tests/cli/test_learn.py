"""``hocp2p learn`` as a process: in lines, as JSON, and the beginning of the full screen in a terminal."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import pytest

from tests.cli.conftest import RunCommand

pytestmark = [pytest.mark.timeout(120)]


def test_in_lines_the_deal_is_explained_and_can_be_left(run_command: RunCommand) -> None:
    done = run_command("learn", "--ascii", "--name", "Anna", input="open\nhand\nlesson\nquit\n")
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "practice table, 1 of 3 seated"
    assert lines[1] == "lesson: Welcome to the table"
    assert "open: no cards are dealt yet" in lines
    assert lines[-1] == "the table stopped: you have left the table"
    assert done.stdout.isascii()


def test_a_script_plays_along(run_command: RunCommand, tmp_path: Any) -> None:
    script = tmp_path / "first steps"
    script.write_text("raise 20\nopen\nlesson\nquit\n", encoding="utf-8")
    done = run_command("learn", "--ascii", "--script", str(script))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    turn = next(at for at, line in enumerate(lines) if line.startswith("turn you, point"))
    for title in ("Welcome to the table", "Your hand", "The first stake: Point"):
        assert f"lesson: {title}" in lines[:turn]
    assert "ok raise 20" in lines[turn:]
    assert sum(line.startswith(("open bot 1: ", "open bot 2: ")) for line in lines[turn:]) == 2


def test_json_is_one_object_a_line(run_command: RunCommand, tmp_path: Any) -> None:
    script = tmp_path / "script"
    script.write_text("raise 1\nopen\nquit\n", encoding="utf-8")
    done = run_command("learn", "--json", "--script", str(script))
    assert done.returncode == 0
    told = [json.loads(line) for line in done.stdout.splitlines()]
    replies = [one for one in told if one["event"] == "reply"]
    assert replies[0]["command"] == "lesson"
    assert replies[0]["lines"][0] == "lesson: Welcome to the table"
    assert [len(one["lines"]) for one in replies if one["command"] == "open"] == [2]


def test_an_unknown_level_is_a_mistake_in_use(run_command: RunCommand) -> None:
    done = run_command("learn", "--level", "grandmaster")
    assert done.returncode == 2
    assert "grandmaster" in done.stderr


@pytest.mark.terminal
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo terminals of POSIX")
def test_the_beginning_in_a_terminal() -> None:
    pexpect = pytest.importorskip("pexpect")
    child = pexpect.spawn(
        sys.executable,
        ["-m", "hocp2p", "learn", "--name", "Anna", "--pace", "0"],
        env={**os.environ, "TERM": "xterm-256color"},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=30,
    )
    try:
        child.expect_exact("\x1b[?1049h")
        child.expect_exact("Welcome to the table")
        child.send("\r")
        child.expect_exact("You hold")
        child.send("\x11")
        child.expect_exact("Leave the table for good?")
        child.send("y")
        child.expect_exact("\x1b[?1049l")
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == 0
    finally:
        child.close(force=True)
