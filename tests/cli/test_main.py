"""The command line itself: help, errors, and what becomes of them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hocp2p
from hocp2p.cli import play
from hocp2p.cli.commands import COMMANDS
from hocp2p.cli.main import main
from hocp2p.errors import HocError, LinkError, LocalError, RefusedError, RuleError
from hocp2p.session import bench
from tests.cli.conftest import RunCommand

HEAVY = {"prompt_toolkit", "cryptography", "websockets", "rbcl", "msgpack", "asyncio", "platformdirs", "hocp2p.game"}


def test_without_arguments_five_lines_say_how_to_begin(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    for command in ("hocp2p host --bots 2", "hocp2p host --seats 3", "hocp2p join HOST:PORT", "hocp2p rules"):
        assert command in "\n".join(lines)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"hocp2p {hocp2p.__version__}\n"


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*command.split(), "--help"])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: hocp2p {command}".rstrip())


IMPORTED = """
import contextlib, io, json, sys
from hocp2p.cli.main import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main(sys.argv[1:])
print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize("arguments", [[], ["--help"], ["--version"], ["host", "--help"], ["bot"], ["fly"]])
def test_help_is_not_made_to_wait_for_the_game(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *arguments], capture_output=True, text=True, timeout=60, check=True
    )
    assert HEAVY & set(json.loads(done.stdout)) == set()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fly"], "invalid choice: 'fly'"),
        (["host", "--fly"], "unrecognized arguments: --fly"),
        (["host", "--seats"], "expected one argument"),
        (["host", "--seat", "3"], "unrecognized arguments: --seat 3"),  # no abbreviations: they would bind us
        (["bot"], "HOST:PORT"),
        (["bot", "127.0.0.1"], "--level"),
    ],
)
def test_a_command_that_is_none(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("hocp2p: ")
    assert error.count("\n") == 1
    assert said in error
    assert "--help" in error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["host", "--seats", "4"], "--seats must be a number from 2 to 3, not '4'"),
        (["host", "--bots", "3"], "--bots must be a number from 0 to 2, not '3'"),
        (["host", "--seats", "2", "--bots", "2"], "2 bots and you need 3 seats, not 2"),
        (["host", "--seats", "3", "--deals", "4"], "4 deals do not divide among 3 players; take a multiple"),
        (["host", "--house", "point=suits"], "--house: point is cards or pips, not 'suits'"),
        (["host", "--script", "/nonexistent"], "the script /nonexistent cannot be read: No such file or directory"),
        (["join", "a b"], "'a b' is not a host name or IP address"),
        (["join", "host:0"], "'0' is not a port: a number from 1 to 65535"),
        (["bot", "host", "--level", "genius"], "--level must be one of random, novice, club, master, not 'genius'"),
        (["bot", "host", "--level", "novice", "--name", ""], "--name must have 1 to 24 printable characters, not ''"),
    ],
)
def test_a_value_that_is_none(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"hocp2p: {said}\n"


def raising(error: BaseException) -> Callable[[object], int]:
    def run(_: object) -> int:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (LocalError("identity-permissions", "others can read it"), 2),
        (RuleError("bad-rule", "no such rule"), 2),
        (LinkError("unreachable", "there is no way"), 3),
        (LinkError("key-mismatch", "another key"), 4),
        (RefusedError("full", "the table is full"), 5),
        (RefusedError("closed", "the table is closed"), 7),
    ],
)
def test_errors_become_codes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: HocError, code: int
) -> None:
    monkeypatch.setattr(play, "host", raising(error))
    assert main(["host"]) == code
    captured = capsys.readouterr()
    assert captured.err == f"hocp2p: {error.message}\n"
    assert captured.out == ""


def test_a_bug_is_one_sentence_and_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folders: Path
) -> None:
    monkeypatch.setattr(play, "host", raising(ZeroDivisionError("oh")))
    assert main(["host"]) == 1
    (report,) = (folders / "state" / "hocp2p").glob("bug-*.txt")
    error = capsys.readouterr().err
    assert error == f"hocp2p: this is a bug (ZeroDivisionError); please send in the report {report}\n"
    assert "ZeroDivisionError: oh" in report.read_text()


def test_an_interruption(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(play, "host", raising(KeyboardInterrupt()))
    assert main(["host"]) == 130
    assert capsys.readouterr().err == ""


def test_rules_are_printed_where_nobody_pages(run_command: RunCommand) -> None:
    done = run_command("rules")
    assert done.returncode == 0
    assert done.stdout.startswith("The rules of Hoc Mazarin\n")
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert done.stderr == ""


def test_a_reader_that_has_enough_is_no_error() -> None:
    command = [sys.executable, "-m", "hocp2p", "rules"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("arguments", [[], ["--json"], ["--deals", "x"], ["--json", "--deals", "3"]])
def test_bench_gets_its_options(monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    given: list[list[str]] = []

    def run(arguments: list[str]) -> int:
        given.append(arguments)
        return 3

    monkeypatch.setattr(bench, "run", run)
    assert main(["bench", *arguments]) == 3
    assert given == [arguments]
