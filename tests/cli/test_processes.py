"""Real processes with the real session between them: scripts, autopilots, bots, and the ways in which it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import pytest

from tests.cli.conftest import RunCommand

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(120)]


class Process:
    """``hocp2p`` with its output read line by line."""

    def __init__(self, *arguments: str, folder: Path | None = None) -> None:
        environ = dict(os.environ) | {"HOCP2P_BIND": "127.0.0.1"}
        if folder is not None:  # somebody else's home
            environ |= {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "DATA", "STATE")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hocp2p", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environ,
        )
        self.told: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def wait_for(self, event: str) -> dict[str, Any]:
        """Reads on until an event."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.told.append(json.loads(line))
            if self.told[-1]["event"] == event:
                return self.told[-1]
        raise AssertionError(f"no {event}: {self.told}, {self.end()}")

    def type(self, line: str) -> None:
        """One command."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def signal(self, number: int) -> None:
        """Sends a signal."""
        self._process.send_signal(number)

    def end(self) -> tuple[int, str]:
        """Reads to the end: exit code and standard error."""
        out, err = self._process.communicate(timeout=100)
        self.told += [json.loads(line) for line in out.splitlines()]
        return self._process.returncode, err


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


HERE = ["--port", "0", "--no-lan", "--json"]


def open_host(stack: ExitStack, *arguments: str) -> tuple[Process, str]:
    """A host, and the invite to his table."""
    host = stack.enter_context(Process("host", *HERE, *arguments))
    return host, str(host.wait_for("table")["invite"])


def test_a_table_of_bots_runs_by_itself(run_command: RunCommand) -> None:
    done = run_command("host", "--bots", "2", "--autopilot", "random", "--deals", "3", "--plain", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    last = json.loads(done.stdout.splitlines()[-1])
    assert list(last) == ["event", "net"]
    assert last["event"] == "session_ended"
    assert sum(last["net"]) == 0


def test_host_join_and_bot_agree(stack: ExitStack, folders: Path) -> None:
    host, address = open_host(stack, "--seats", "3", "--deals", "3", "--autopilot", "novice", "--name", "Anna")
    guest = stack.enter_context(
        Process("join", address, "--autopilot", "random", "--json", "--name", "Bruno", folder=folders / "guest")
    )
    bot = stack.enter_context(Process("bot", address, "--level", "novice", "--json", folder=folders / "bot"))
    ends = [process.end() for process in (host, guest, bot)]
    assert ends == [(0, "")] * 3
    last = [process.told[-1] for process in (host, guest, bot)]
    assert last[0]["event"] == "session_ended"
    assert last[0] == last[1] == last[2]
    signed = [[one["outcome"] for one in process.told if one["event"] == "deal_signed"] for process in (host, guest)]
    assert signed[0] == signed[1]
    assert len(signed[0]) == 3


def test_a_deal_by_commands_over_a_pipe(stack: ExitStack) -> None:
    """A program reads JSON and answers each turn."""
    process = stack.enter_context(Process("host", "--bots", "1", "--deals", "2", "--json", "--level", "random"))
    process.type("ready")
    while True:
        turn = process.wait_for("turn")
        plays = [word for word in turn["legal"] if word.startswith("play")]
        process.type((plays or turn["legal"])[0])
        if len([one for one in process.told if one["event"] == "deal_signed"]):
            break
    process.type("quit")
    assert process.end() == (0, "")
    assert process.told[-1]["event"] == "table_stopped"
    assert process.told[-1]["code"] == "left"


def test_two_seats_of_one_machine_are_two_people(stack: ExitStack) -> None:
    host, address = open_host(stack, "--deals", "2", "--autopilot", "random")
    guest = stack.enter_context(Process("join", address, "--autopilot", "random", "--json"))
    code, error = guest.end()
    assert code == 0
    assert "this seat has an identity for this table only" in error
    assert host.end() == (0, "")


def test_nobody_listens(run_command: RunCommand) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and never listens
        done = run_command("join", f"127.0.0.1:{taken.getsockname()[1]}")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("hocp2p: nobody listens at 127.0.0.1:")


def test_a_port_in_use(run_command: RunCommand) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run_command("host", "--bind", "127.0.0.1", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "--port" in done.stderr


def test_a_full_table(stack: ExitStack, run_command: RunCommand) -> None:
    _, address = open_host(stack)
    guest = stack.enter_context(Process("join", address, "--json"))
    guest.wait_for("table_proposed")
    done = run_command("join", address, "--plain")
    assert done.returncode == 5
    assert done.stderr.splitlines()[-1] == "hocp2p: the table is full"


def test_a_host_that_closes_the_table(stack: ExitStack) -> None:
    host, address = open_host(stack)
    guest = stack.enter_context(Process("join", address, "--json"))
    guest.wait_for("table_proposed")
    host.type("quit")
    assert host.end() == (0, "")
    guest.wait_for("table_stopped")
    code, error = guest.end()
    assert code == 7
    assert error.count("\n") == 2  # the note on the identity, and why it ended


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_the_lobby_closes_the_table(stack: ExitStack, number: int) -> None:
    host, address = open_host(stack)
    guest = stack.enter_context(Process("join", address, "--json"))
    guest.wait_for("table_proposed")
    host.signal(number)
    assert host.end() == (130, "")
    guest.wait_for("table_stopped")


def test_an_output_that_nobody_reads_any_more(stack: ExitStack) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "hocp2p", "host", "--bots", "2", "--autopilot", "random", "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    stack.enter_context(process)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    kept = b"hocp2p: your seat is kept; go back to it with: hocp2p resume\n"  # where the game had begun by then
    assert process.stderr.read() in (b"", kept)
    assert process.wait(timeout=60) == 0
