"""``hocp2p bench``: what a deal costs on this machine, in processor time, bytes and seconds.

Times differ from machine to machine; the ratios to one multiplication in the group should not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import secrets
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from hocp2p.crypto.deck import MentalPoker
from hocp2p.crypto.group import hash_to_point, mul, mul_base, random_scalar
from hocp2p.crypto.masking import initial_deck
from hocp2p.crypto.scheme import DeckSession
from hocp2p.crypto.shuffle import prove_shuffle, verify_shuffle
from hocp2p.game.house import Rules
from hocp2p.record.identity_file import new_identity
from hocp2p.session.autopilot import drive
from hocp2p.session.bench_flood import measure_flood
from hocp2p.session.host import HostOptions, open_table
from hocp2p.session.loop import run_loop
from hocp2p.table.deal import deal_plan
from hocp2p.table.deck import shuffle_order
from hocp2p.table.events import DealSigned, TableEvent
from hocp2p.table.snapshot import TableSnapshot

TICK_S = 0.002  # how often the event loop is asked whether it is still there
HELP = (
    "-c",
    "import sys; from hocp2p.cli.main import main; sys.exit(main(['--help']))",
)  # as the installed script does
ARGPARSE = ("-c", "import argparse")
REDRAW = ("-m", "hocp2p.ui.redraw")  # by itself, since a session knows nothing of screens


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured; ``_us`` microseconds, ``_ms`` milliseconds, ``_s`` seconds, else bytes or ratios."""

    python: str
    cores: int
    multiplication_us: float
    prove_shuffle_ms: float
    verify_shuffle_ms: float
    deal_cpu_ms_a_seat_2: float
    deal_cpu_ms_a_seat_3: float
    deal_multiplications_a_seat_3: float
    deal_bytes_a_seat_2: int
    deal_bytes_a_seat_3: int
    table_of_3_s_a_deal: float
    longest_pause_ms: float
    flood_s_a_deal_ratio: float
    flood_cpu_a_deal_ratio: float
    flood_connections_a_s: float
    help_to_argparse_ratio: float
    redraw_120x36_ms: float


def run(arguments: Sequence[str]) -> int:
    """The command. Gives its exit code."""
    parser = argparse.ArgumentParser(prog="hocp2p bench", description="measure what a deal costs on this machine")
    parser.add_argument("--json", action="store_true", help="one object instead of lines")
    parser.add_argument("--deals", type=int, default=6, help="deals of the measured table, a multiple of 3")
    options = parser.parse_args(arguments)
    if options.deals < 3 or options.deals % 3:
        parser.error("--deals must be a multiple of 3")
    figures = measure(options.deals)
    if options.json:
        print(json.dumps(asdict(figures)))  # noqa: T201 # the command's output
    else:
        for name, value in asdict(figures).items():
            print(f"{name:32} {value:.2f}" if isinstance(value, float) else f"{name:32} {value}")  # noqa: T201 # the same
    return 0


def measure(deals: int) -> Figures:
    """Measures everything; about half a minute with six deals."""
    scalar, point = random_scalar(secrets.token_bytes), hash_to_point("bench", b"")
    multiplication_us = _median_s(lambda: mul(scalar, point), 500) * 1e6
    key = mul_base(scalar)
    deck = initial_deck(key)
    shuffled, proof = prove_shuffle(context=b"bench", key=key, deck=deck, randomness=secrets.token_bytes)
    cpu_2_ms, bytes_2 = _deal_without_table(2)
    cpu_3_ms, bytes_3 = _deal_without_table(3)
    a_deal_s, pause_s = run_loop(_table_of_three(deals))
    flood = run_loop(measure_flood(2 * deals))
    return Figures(
        python=platform.python_version(),
        cores=os.cpu_count() or 1,
        multiplication_us=multiplication_us,
        prove_shuffle_ms=1e3
        * _median_s(lambda: prove_shuffle(context=b"bench", key=key, deck=deck, randomness=secrets.token_bytes), 5),
        verify_shuffle_ms=1e3
        * _median_s(lambda: verify_shuffle(context=b"bench", key=key, before=deck, after=shuffled, proof=proof), 5),
        deal_cpu_ms_a_seat_2=cpu_2_ms,
        deal_cpu_ms_a_seat_3=cpu_3_ms,
        deal_multiplications_a_seat_3=1e3 * cpu_3_ms / multiplication_us,
        deal_bytes_a_seat_2=bytes_2,
        deal_bytes_a_seat_3=bytes_3,
        table_of_3_s_a_deal=a_deal_s,
        longest_pause_ms=1e3 * pause_s,
        flood_s_a_deal_ratio=flood.s_a_deal_ratio,
        flood_cpu_a_deal_ratio=flood.cpu_a_deal_ratio,
        flood_connections_a_s=flood.connections_a_s,
        help_to_argparse_ratio=_help_to_argparse(),
        redraw_120x36_ms=_redraw_ms(),
    )


def _median_s(call: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def _help_to_argparse(pairs: int = 5) -> float:
    """The time of ``hocp2p --help`` over that of a process that only imports argparse: the median of some pairs."""

    def process_s(*arguments: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)  # noqa: S603 # our own
        return time.perf_counter() - start

    return statistics.median(process_s(*HELP) / process_s(*ARGPARSE) for _ in range(pairs))


def _redraw_ms() -> float:
    """Of the 120x36 table in play, from the snapshot to the bytes for the terminal."""
    done = subprocess.run([sys.executable, *REDRAW], stdout=subprocess.PIPE, check=True)  # noqa: S603 # our own
    return float(done.stdout)


def _deal_without_table(seats: int) -> tuple[float, int]:
    """Keys, shuffles and shares of one deal: milliseconds of processor time, and bytes sent, for one seat."""
    order = shuffle_order(seats, 0)
    sessions: list[DeckSession] = [
        MentalPoker().join(
            context=b"bench",
            seats=seats,
            seat=seat,
            plan=deal_plan(seats, 0),
            order=order,
            randomness=secrets.token_bytes,
        )
        for seat in range(seats)
    ]
    sent = 0
    start = time.process_time()

    def together(payloads: list[bytes], accept: Callable[[DeckSession, list[bytes]], None]) -> None:
        nonlocal sent
        sent += sum(map(len, payloads))
        for session in sessions:
            accept(session, payloads)

    together([each.key_commit() for each in sessions], lambda s, p: s.accept_key_commits(p))
    together([each.key_reveal() for each in sessions], lambda s, p: s.accept_key_reveals(p))
    for seat in order:
        together([sessions[seat].shuffle()], lambda s, p, seat=seat: s.accept_shuffle(seat, p[0]))  # type: ignore[misc] # a default binds this seat
    together([each.deck_digest() for each in sessions], lambda s, p: s.accept_deck_digests(p))
    together([each.share_commit() for each in sessions], lambda s, p: s.accept_share_commits(p))
    together([each.share_reveal() for each in sessions], lambda s, p: s.accept_share_reveals(p))
    return (time.process_time() - start) / seats * 1e3, sent // seats


async def _table_of_three(deals: int) -> tuple[float, float]:
    """A whole table in this process: seconds of wall time a deal, and the longest pause of the event loop."""
    signed: list[float] = []
    pauses = [0.0]

    def note(_: TableSnapshot, events: tuple[TableEvent, ...]) -> None:
        signed.extend(time.perf_counter() for event in events if isinstance(event, DealSigned))

    async def watch() -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(TICK_S)
            pauses.append(time.perf_counter() - start - TICK_S)

    options = HostOptions(3, 2, "novice", Rules(deals=deals))
    watching = asyncio.create_task(watch())
    start = time.perf_counter()
    async with open_table(options, new_identity()) as client:
        client.listen(note)
        await drive(client, "novice")
    watching.cancel()
    return (signed[-1] - start) / len(signed), max(pauses)
