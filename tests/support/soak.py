"""Real sessions with random cuts and kills, until enough deals are signed.

    python -m tests.support.soak --deals 500 [--seed S]
    python -m tests.support.soak --kill-every-step

The first plays one session after another, by two people and by three in turn, each in a process of his own, through a
proxy that is cut and frozen while they are killed and brought back. It prints one line a session: deals, kills, cuts,
divergences (slots for which somebody signed twice, deals whose ends differ) and lost deals so far. It fails unless the
last two are 0. The second plays a session of three seats,
of which the host's process has two, and kills the host, then a guest, at every envelope of theirs.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import Final

from tests.support.dying import RETRY, UNTOLD
from tests.support.homes import (
    DYING,
    LOOK_S,
    NEVER,
    Home,
    Running,
    count_divergences,
    free_port,
    open_homes,
    signed_balances,
    verify_ended_equally,
)
from tests.support.tcp_proxy import Proxy, open_proxy

FACE: Final = ("--autopilot", "novice", "--plain", "--json")
NAMES: Final = ("anna", "bruno", "carla")
SESSION_DEALS: Final = 12  # or 6 where fewer are left; a multiple of both numbers of seats
SESSION_S: Final = 400.0
QUIET_S: Final = 120.0  # the last part of a session's time is without faults
STEP_S: Final = 1500.0
MOST_EVENTS: Final = 1200  # between two faults; a deal of three has about 700 for all of them
QUIET_EVENTS_S: Final = 8.0  # without any, the next fault comes: others are waited for, or nothing goes on


class Session:
    """One session of so many people, with faults from ``rng``, counted in ``figures``."""

    def __init__(self, folder: Path, seats: int, deals: int, rng: random.Random, figures: Counter[str]) -> None:
        self._folder, self._seats, self._deals, self._rng, self._figures = folder, seats, deals, rng, figures

    def play(self) -> None:
        """Plays it to its end and adds to the figures. Raises AssertionError where it does not end."""
        port = free_port()
        with open_homes(self._folder, *NAMES[: self._seats]) as homes, open_proxy(port) as proxy:
            for home in homes:
                home.env |= {UNTOLD: "1", RETRY: "0.5"}
            anna, *guests = homes
            table = ("--seats", str(self._seats), "--deals", str(self._deals), "--port", str(port))
            running = [anna.start("host", *table, "--open", "--no-lan", "--pace", "0", *FACE, module=NEVER)]
            running[0].wait_for('"event": "table"')
            running += [guest.start("join", f"127.0.0.1:{proxy.port}", *FACE, module=NEVER) for guest in guests]
            try:
                for process in running:
                    process.wait_for('"event": "deal_started"')  # before it there is no game to come back to
                self._disturb(homes, proxy, running)
                self._count(homes)
            except AssertionError:
                for home in homes:
                    sys.stderr.write(home.report())
                raise

    def _disturb(self, homes: tuple[Home, ...], proxy: Proxy, running: list[Running]) -> None:
        end_s = time.monotonic() + SESSION_S
        over: list[int] = []
        while any(process.runs for process in running) and time.monotonic() < end_s - QUIET_S:
            self._watch(running, self._rng.randrange(MOST_EVENTS), end_s)
            victim = self._rng.randrange(2 * self._seats)
            if victim >= self._seats:
                self._figures["cuts"] += 1
                (proxy.freeze if self._rng.random() < 0.2 else proxy.cut)()
                time.sleep(self._rng.uniform(0.1, 1.5))
                proxy.mend()
            elif running[victim].runs:
                self._figures["kills"] += 1
                running[victim].kill()
                time.sleep(self._rng.uniform(0.0, 1.0))
                if not homes[victim].has_open_seat:
                    over.append(victim)  # it was about to end: all have the end signed
                    continue
                running[victim] = homes[victim].start("resume", "--pace", "0", *FACE, module=NEVER)
        for number, process in enumerate(running):
            assert number in over or process.wait(QUIET_S) == 0, process.errors

    def _watch(self, running: list[Running], events: int, end_s: float) -> None:
        """Waits until so many more events were written by all, or nothing has come for a while, or all is over."""
        written = count_events(running)
        last, since_s = written, time.monotonic()
        while any(process.runs for process in running):
            now, now_s = count_events(running), time.monotonic()
            if now != last:
                last, since_s = now, now_s
            if now >= written + events or now_s > min(since_s + QUIET_EVENTS_S, end_s):
                return
            time.sleep(LOOK_S)

    def _count(self, homes: tuple[Home, ...]) -> None:
        kept = [signed_balances(home) for home in homes]
        signed = [by_seat for by_seat in kept[0].values() if len(by_seat) == len(homes)]
        places = {place for by_place in kept for place in by_place}
        differing = sum(by_place.get(place) != kept[0].get(place) for by_place in kept for place in places)
        differing += sum(len(set(by_seat.values())) != 1 for by_seat in signed)
        self._figures["deals"] += len(signed)
        self._figures["divergences"] += count_divergences(homes) + differing
        self._figures["lost deals"] += self._deals - len(signed)


def count_events(running: list[Running]) -> int:
    """Lines that the processes have written."""
    return sum(process.output.count("\n") for process in running)


def soak(deals: int, seed: int) -> Counter[str]:
    """Plays until at least ``deals`` deals are signed or were lost, and reports session by session.

    Raises AssertionError where a session comes to no end.
    """
    rng = random.Random(seed)
    figures = Counter(dict.fromkeys(("deals", "kills", "cuts", "divergences", "lost deals"), 0))
    seats = cycle((2, 3))
    while (left := deals - figures["deals"] - figures["lost deals"]) > 0:
        with tempfile.TemporaryDirectory() as name:
            of_this = SESSION_DEALS if left > SESSION_DEALS // 2 else SESSION_DEALS // 2
            Session(Path(name), next(seats), of_this, rng, figures).play()
        sys.stdout.write(", ".join(f"{number} {name}" for name, number in figures.items()) + "\n")
        sys.stdout.flush()
    return figures


def kill_every_step(victim: str) -> None:
    """A session of three seats in which the process of ``victim`` (host or guest) is killed at every step."""
    port = free_port()
    with tempfile.TemporaryDirectory() as name, open_homes(Path(name), "anna", "bruno") as (anna, bruno):
        bruno.env[RETRY] = "0.2"
        table = ("--seats", "3", "--bots", "1", "--deals", "3", "--port", str(port), "--open", "--no-lan")
        host = anna.start("host", *table, "--pace", "0", *FACE, module=DYING if victim == "host" else NEVER)
        host.wait_for('"event": "table"')
        guest = bruno.start("join", f"127.0.0.1:{port}", *FACE, module=DYING if victim == "guest" else NEVER)
        for process in (guest, host):
            assert process.wait(STEP_S) == 0, process.errors
        verify_ended_equally((anna, bruno), 3, seats=3)
        sys.stdout.write(
            f"{victim} killed at every step: {(host if victim == 'host' else guest).errors.split()[-1]} lives\n"
        )


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kill-every-step", action="store_true")
    given = parser.parse_args()
    if given.kill_every_step:
        for victim in ("host", "guest"):
            kill_every_step(victim)
        return 0
    figures = soak(given.deals, given.seed)
    return 0 if figures["divergences"] == figures["lost deals"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
