"""People with homes of their own on this machine, whose ``hocp2p`` processes are real ones, and what they have kept.

    with open_homes(folder, "anna", "bruno") as (anna, bruno):
        host = anna.start("host", "--port", "7411")
        assert host.wait() == 0

Everything that was started is killed at the end. Nothing but 127.0.0.1 is used.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hocp2p.record.journal import read_journal
from hocp2p.record.sessions import open_seats
from hocp2p.table.effects import ENVELOPE
from hocp2p.wire.envelope import Envelope, decode_envelope
from hocp2p.wire.messages import Receipt, decode_message

ROOT: Final = Path(__file__).parents[2]
HOCP2P: Final = ("hocp2p",)
DYING: Final = ("tests.support.dying", "every")
NEVER: Final = ("tests.support.dying", "never")
WAIT_S: Final = 100.0
LOOK_S: Final = 0.05
REPORTED: Final = 3000  # characters of each file


class Running:
    """A process with its whole group; its output is in files.

    Args:
        command: with its arguments.
        folder: of the files.
        name: of the files.
        env: its environment.
    """

    def __init__(self, command: Sequence[str], folder: Path, name: str, env: dict[str, str]) -> None:
        self._out, self._err = folder / f"{name}.out", folder / f"{name}.err"
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=out, stderr=err, env=env, cwd=ROOT, start_new_session=True
            )

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    @property
    def errors(self) -> str:
        """What it has written on its error output."""
        return self._err.read_text(encoding="utf-8")

    @property
    def output(self) -> str:
        """What it has written on its standard output."""
        return self._out.read_text(encoding="utf-8", errors="replace")

    @property
    def events(self) -> list[dict[str, Any]]:
        """What it has written with ``--json``; a line that is not whole belongs to a life that was cut short."""
        found = []
        for line in self.output.splitlines(keepends=True):
            if line.startswith("{") and line.endswith("}\n"):
                found.append(json.loads(line))
        return found

    def wait(self, limit_s: float = WAIT_S) -> int:
        """Its exit code. Raises AssertionError where it runs for longer."""
        try:
            return self._process.wait(limit_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it runs on after {limit_s} s: {self.errors}\n{self.output[-2000:]}") from None

    def wait_for(self, what: str, count: int = 1, limit_s: float = WAIT_S) -> None:
        """Waits until ``what`` stands ``count`` times in its output. Raises AssertionError where it does not come."""
        until(lambda: self.output.count(what) >= count or not self.runs, f"{what} does not come", limit_s)
        assert self.output.count(what) >= count, f"it ended before {what}: {self.errors}\n{self.output[-2000:]}"

    def type(self, line: str) -> None:
        """Types a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def kill(self) -> None:
        """Kills it and all that it started, and waits for its end."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(WAIT_S)
        if self._process.stdin is not None:
            self._process.stdin.close()

    def terminate(self) -> int:
        """Asks it to go; its exit code."""
        self._process.terminate()
        return self.wait()


@dataclass
class Home:
    """One person.

    Args:
        name: lower case.
        folder: where all that is hers lies.
        env: more for the environment of her processes.
    """

    name: str
    folder: Path
    env: dict[str, str] = field(default_factory=dict)
    processes: list[Running] = field(default_factory=list)

    def start(self, *arguments: str, module: Sequence[str] = HOCP2P, prefix: Sequence[str] = ()) -> Running:
        """Starts ``hocp2p`` with these arguments.

        Args:
            arguments: of ``hocp2p``.
            module: what runs it: ``HOCP2P``, ``DYING`` or ``NEVER``.
            prefix: words before the command.
        """
        homes = {f"XDG_{each}_HOME": str(self.folder / each.lower()) for each in ("DATA", "STATE", "CONFIG")}
        env = {**os.environ, **homes, "HOCP2P_BIND": "127.0.0.1", "LC_ALL": "C.UTF-8", **self.env}
        command = [*prefix, sys.executable, "-m", *module, *arguments]
        name = f"process{len(self.processes)}"
        self.processes.append(Running(command, self.folder, name, env))
        return self.processes[-1]

    @property
    def has_open_seat(self) -> bool:
        """Whether there is a seat to go back to."""
        return bool(open_seats(self._sessions))

    @property
    def _sessions(self) -> Path:
        return self.folder / "data" / "hocp2p" / "sessions"

    def report(self) -> str:
        """The end of what her last process said, and of her log."""
        last = self.processes[-1]
        logs = [path.read_text(encoding="utf-8", errors="replace") for path in self.folder.rglob("*.log")]
        parts = [last.output, last.errors, *logs]
        return f"-- {self.name}, {len(self.processes)} processes --\n" + "\n".join(part[-REPORTED:] for part in parts)

    def envelopes(self) -> list[tuple[int, Envelope]]:
        """All that is kept: by which seat, and what."""
        found = []
        for path in sorted(self._sessions.glob("*/journal")):
            seat = int(path.parent.name.rpartition("-")[2])
            records = read_journal(path)
            found += [(seat, decode_envelope(payload)) for kind, payload in records if kind == ENVELOPE]
        return found


@contextmanager
def open_homes(folder: Path, *names: str) -> Iterator[tuple[Home, ...]]:
    """A home for each name, in ``folder``; all that runs there is killed at the end."""
    homes = tuple(Home(name, folder / name) for name in names)
    for home in homes:
        home.folder.mkdir()
    try:
        yield homes
    finally:
        for home in homes:
            for process in home.processes:
                process.kill()


def until(holds: Callable[[], bool], otherwise: str, limit_s: float = WAIT_S) -> None:
    """Looks again and again until ``holds``. Raises AssertionError ``otherwise``."""
    end_s = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < end_s, otherwise
        time.sleep(LOOK_S)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def count_divergences(homes: Sequence[Home]) -> int:
    """Slots for which two different messages were signed, as far as anybody has kept them."""
    signed: dict[tuple[bytes, int, int, int], set[bytes]] = {}
    for home in homes:
        for _, envelope in home.envelopes():
            place = (envelope.table, *envelope.slot)
            signed.setdefault(place, set()).add(envelope.digest)
    return sum(len(different) > 1 for different in signed.values())


def signed_balances(home: Home) -> dict[tuple[bytes, int], dict[int, tuple[int, ...]]]:
    """By table and track of a deal, what each seat has signed as its end, as this home has kept it."""
    found: dict[tuple[bytes, int], dict[int, tuple[int, ...]]] = {}
    for _, envelope in home.envelopes():
        message = decode_message(envelope.body)
        if isinstance(message, Receipt):
            found.setdefault((envelope.table, envelope.track), {})[envelope.seat] = message.balances
    return found


def verify_ended_equally(homes: Sequence[Home], deals: int, seats: int) -> None:
    """Raises AssertionError unless every home has kept the same ``deals`` deals, each signed by all with one balance.

    And nobody has signed twice for one slot.
    """
    assert count_divergences(homes) == 0
    kept = [signed_balances(home) for home in homes]
    assert all(each == kept[0] for each in kept), f"the homes have kept different receipts: {kept}"
    assert len(kept[0]) == deals, f"{len(kept[0])} deals of {deals} are signed"
    for place, by_seat in kept[0].items():
        assert len(by_seat) == seats, f"only {sorted(by_seat)} have signed the end of track {place[1]}"
        assert len(set(by_seat.values())) == 1, f"they differ on track {place[1]}: {by_seat}"
