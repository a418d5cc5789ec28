"""A real session of three processes over 127.0.0.1: a host, a guest and a bot, all on autopilot.

``python -m tests.support.three_processes [PYTHON]`` plays it with the package that PYTHON (this one by default) has
installed, and fails unless all seats end with the same balances, 300 jetons in all.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from typing import Any, Final

START_BALANCE: Final = 100
DEALS: Final = 6
LIMIT_S: Final = 240.0


@dataclass
class Process:
    """A hocp2p process whose events are read as they come.

    Args:
        command: with its arguments.
        folder: where its error output goes.
    """

    name: str
    command: list[str]
    folder: Path
    events: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._errors = (self.folder / f"{self.name}.txt").open("w+")
        self._process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors, text=True
        )
        self._lines: Queue[str] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def wait_for(self, kind: str) -> dict[str, Any]:
        """The next event of a kind. Raises AssertionError when the process ends or falls silent without it."""
        while True:
            try:
                line = self._lines.get(timeout=LIMIT_S)
            except Empty:
                raise AssertionError(f"{self.name} fell silent before {kind}") from None
            if not line:
                raise AssertionError(f"{self.name} ended before {kind}: {self.errors()}")
            self.events.append(json.loads(line))
            if self.events[-1]["event"] == kind:
                return self.events[-1]

    def finish(self) -> int:
        """Reads the rest; the exit code."""
        code = self._process.wait(LIMIT_S)
        self._reader.join(LIMIT_S)
        while line := self._lines.get(timeout=LIMIT_S):
            self.events.append(json.loads(line))
        return code

    def errors(self) -> str:
        """What it wrote to its error output."""
        self._errors.flush()
        return Path(self._errors.name).read_text()

    def close(self) -> None:
        """Ends it if it still runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait(LIMIT_S)
        self._reader.join(LIMIT_S)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()


def play(python: str, deals: int = DEALS) -> tuple[int, ...]:
    """Plays the session; the balances that all three processes agree on."""
    program = [python, "-m", "hocp2p"]
    autopilot = ["--autopilot", "novice", "--plain", "--json"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        processes: list[Process] = []

        def start(who: str, *arguments: str) -> Process:
            identity = ["--identity", str(folder / f"{who}.key")]
            processes.append(Process(who, [*program, *arguments, *identity], folder))
            return processes[-1]

        try:
            table = ["--seats", "3", "--deals", str(deals), "--bind", "127.0.0.1", "--port", "0", "--no-lan"]
            host = start("host", "host", *table, "--name", "Anna", *autopilot)
            invite = host.wait_for("table")["invite"]
            here = ["--bind", "127.0.0.1"]
            start("guest", "join", invite, *here, "--name", "Bruno", *autopilot)
            start("bot", "bot", invite, *here, "--level", "novice", "--json")
            for process in reversed(processes):  # the host last: it waits for the others
                if (code := process.finish()) != 0:
                    raise AssertionError(f"{process.name} ended with exit code {code}: {process.errors()}")
            last = [process.events[-1] for process in processes]
        finally:
            for process in processes:
                process.close()
    return agreed_balances(last)


def agreed_balances(last: list[dict[str, Any]]) -> tuple[int, ...]:
    """The balances that three last events agree on. Raises AssertionError where they do not, or do not sum to 300."""
    if any(event["event"] != "session_ended" for event in last) or any(event != last[0] for event in last):
        raise AssertionError(f"the seats do not agree: {last}")
    balances = tuple(START_BALANCE + change for change in last[0]["net"])
    if len(balances) != 3 or sum(balances) != 3 * START_BALANCE:
        raise AssertionError(f"jetons were made or lost: {balances}")
    return balances


if __name__ == "__main__":
    result = play(sys.argv[1] if len(sys.argv) > 1 else sys.executable)
    print(f"three processes agree: {result}, {sum(result)} in all")  # noqa: T201 # the command's output
