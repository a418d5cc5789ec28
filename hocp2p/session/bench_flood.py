"""What a flood of connections that nobody finishes costs a table: two seats over 127.0.0.1, with it and without.

The flood is a process of its own that connects as fast as it can, says nothing or the first bytes of a TLS handshake,
and keeps some hundred connections open.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import socket
import time
from collections import deque
from collections.abc import AsyncIterator
from ctypes import c_ulong
from dataclasses import dataclass
from typing import Any, Final

from hocp2p.game.house import Rules
from hocp2p.net.address import Address, parse_address
from hocp2p.record.identity_file import new_identity
from hocp2p.session.autopilot import drive
from hocp2p.session.guest import JoinOptions, join_table
from hocp2p.session.host import HostOptions, open_table
from hocp2p.table.events import DealSigned, TableEvent
from hocp2p.table.snapshot import TableSnapshot

HELD: Final = 256  # connections that the flood keeps open
BEGUN: Final = bytes.fromhex("16030100c8010000c40303")  # of a ClientHello
PAUSE_S: Final = 0.001  # where the system has no port left for it
START_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class FloodFigures:
    """What was measured.

    Args:
        s_a_deal_ratio: seconds of wall time a deal with the flood to those without.
        cpu_a_deal_ratio: the same of processor time of the process in which both seats play.
        connections_a_s: how fast the flood was.
    """

    s_a_deal_ratio: float
    cpu_a_deal_ratio: float
    connections_a_s: float


@dataclass(slots=True)
class _Spent:
    wall_s: float = 0.0
    cpu_s: float = 0.0
    connections: int = 0


async def measure_flood(deals: int, rounds: int = 2) -> FloodFigures:
    """Plays sessions without and with the flood by turns.

    Args:
        deals: of each session, a multiple of 2.
        rounds: sessions of each kind.
    """
    quiet, flooded = _Spent(), _Spent()
    for _ in range(rounds):
        await _play(deals, quiet, flood=False)
        await _play(deals, flooded, flood=True)
    return FloodFigures(
        flooded.wall_s / quiet.wall_s, flooded.cpu_s / quiet.cpu_s, flooded.connections / flooded.wall_s
    )


async def _play(deals: int, spent: _Spent, *, flood: bool) -> None:
    """One session; adds what it took from the moment when both are seated to its last deal."""
    ended: list[tuple[float, float]] = []

    def note(_: TableSnapshot, events: tuple[TableEvent, ...]) -> None:
        ended.extend((time.perf_counter(), time.process_time()) for event in events if isinstance(event, DealSigned))

    options = HostOptions(2, 0, "novice", Rules(deals=deals), bind="127.0.0.1", port=0)
    async with open_table(options, new_identity()) as host:
        host.listen(note)
        where = parse_address(host.snapshot.address)
        async with (
            join_table(JoinOptions(*where, "guest"), new_identity()) as guest,
            _flooded(where if flood else None) as opened,
        ):
            wall_s, cpu_s, before = time.perf_counter(), time.process_time(), opened.value
            await asyncio.gather(drive(host, "novice"), drive(guest, "novice"))
            spent.connections += opened.value - before
    spent.wall_s += ended[-1][0] - wall_s
    spent.cpu_s += ended[-1][1] - cpu_s


@contextlib.asynccontextmanager
async def _flooded(where: Address | None) -> AsyncIterator[Any]:
    """Somebody floods an address while the context lasts, nobody where it is None; gives how often he has connected."""
    context = multiprocessing.get_context("spawn")
    opened = context.Value(c_ulong, 0, lock=False)
    if where is None:
        yield opened
        return
    begun = context.Event()
    process = context.Process(target=_flood, args=(where, opened, begun), daemon=True)
    process.start()
    try:
        await asyncio.to_thread(begun.wait, START_S)
        yield opened
    finally:
        process.kill()
        process.join()


def _flood(where: Address, opened: Any, begun: Any) -> None:
    """Connects for ever; ``opened.value`` counts."""
    held: deque[socket.socket] = deque()
    begun.set()
    while True:
        end = socket.socket()
        end.settimeout(0)
        try:
            with contextlib.suppress(BlockingIOError):
                end.connect((where.host, where.port))
            if opened.value % 2:
                end.send(BEGUN)
        except OSError:  # no port is left, or the other side was faster
            time.sleep(PAUSE_S)
        opened.value += 1
        held.append(end)
        if len(held) > HELD:
            held.popleft().close()
