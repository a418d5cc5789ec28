"""Networks that are cut, links that die in silence, hosts that move, and a seat that never comes back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.support.dying import HOLD, RETRY, UNTOLD
from tests.support.homes import (
    NEVER,
    Home,
    Running,
    count_divergences,
    free_port,
    open_homes,
    signed_balances,
    until,
    verify_ended_equally,
)
from tests.support.tcp_proxy import Proxy, open_proxy

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

FACE: Final = ("--autopilot", "novice", "--plain", "--json")
PACE: Final = ("--pace", "0")
SEEN_S: Final = 20.0  # a dead link is seen after 15 s of silence
MOVE: Final = '"event": "card_played"'
GONE: Final = '"linked": false'


def host_table(home: Home, port: int, seats: int, deals: int, *more: str) -> Running:
    table = ("--seats", str(seats), "--deals", str(deals), "--port", str(port), "--open", "--no-lan")
    host = home.start("host", *table, *PACE, *FACE, *more, module=NEVER)
    host.wait_for('"event": "table"')
    return host


def join_table(home: Home, port: int, *more: str) -> Running:
    home.env.setdefault(RETRY, "0.3")
    return home.start("join", f"127.0.0.1:{port}", *PACE, *FACE, *more, module=NEVER)


def resume(home: Home, *more: str) -> Running:
    return home.start("resume", "--pace", "0", *FACE, *more, module=NEVER)


def verify_end(homes: Sequence[Home], processes: Sequence[Running], deals: int, seats: int) -> None:
    for process in processes:
        assert process.wait() == 0, process.errors
    last = [process.events[-1] for process in processes]
    assert all(event == last[0] for event in last)
    assert last[0]["event"] == "session_ended"
    verify_ended_equally(homes, deals, seats)


@pytest.mark.parametrize("way", ["cut", "freeze"])
def test_network_that_fails_for_a_while(tmp_path: Path, way: str) -> None:
    port = free_port()
    with open_homes(tmp_path, "anna", "bruno") as (anna, bruno), open_proxy(port) as proxy:
        for home in (anna, bruno):
            home.env[UNTOLD] = "1"
        host = host_table(anna, port, 2, 2)
        guest = join_table(bruno, proxy.port)
        host.wait_for(MOVE)
        fail(proxy, way, (host, guest))
        guest.wait_for('"linked": true')
        verify_end((anna, bruno), (host, guest), deals=2, seats=2)


def fail(proxy: Proxy, way: str, processes: Sequence[Running]) -> None:
    """The network goes for at least a second, and comes back when both sides have seen it."""
    began_s = time.monotonic()
    (proxy.cut if way == "cut" else proxy.freeze)()
    for process in processes:
        process.wait_for(GONE, limit_s=SEEN_S)
    time.sleep(max(0.0, 1.0 - (time.monotonic() - began_s)))
    proxy.mend()


@pytest.mark.parametrize("found", ["dialled by the host", "told by --at"])
def test_host_with_another_address(tmp_path: Path, found: str) -> None:
    port, other = free_port(), free_port()
    with open_homes(tmp_path, "anna", "bruno") as (anna, bruno):
        direct = found == "dialled by the host"
        host = host_table(anna, port, 2, 2)
        guest = join_table(bruno, port, "--direct" if direct else "--no-direct")
        guest.wait_for(MOVE)
        host.kill()
        guest.wait_for(GONE)
        host = resume(anna, "--port", str(other))
        if not direct:
            guest.kill()
            guest = resume(bruno, "--no-direct", "--at", f"127.0.0.1:{other}")
        verify_end((anna, bruno), (host, guest), deals=2, seats=2)


def test_all_are_killed_and_come_back(tmp_path: Path) -> None:
    port = free_port()
    with open_homes(tmp_path, "anna", "bruno", "carla") as homes:
        anna, *guests = homes
        running = [host_table(anna, port, 3, 3), *(join_table(guest, port) for guest in guests)]
        running[0].wait_for(MOVE)
        for process in running:
            process.kill()
        running = [resume(home) for home in homes]
        verify_end(homes, running, deals=3, seats=3)


def test_seat_that_is_lost_for_good(tmp_path: Path) -> None:
    port = free_port()
    with open_homes(tmp_path, "anna", "bruno", "carla") as homes:
        anna, bruno, carla = homes
        for home in homes:
            home.env[HOLD] = "1"
        host = host_table(anna, port, 3, 3)
        stays = join_table(bruno, port)
        goes = join_table(carla, port)
        host.wait_for(MOVE)
        goes.kill()
        for process in (host, stays):
            assert process.wait() == 0, process.errors
        last = [process.events[-1] for process in (host, stays)]
        assert last[0] == last[1]
        assert last[0]["event"] == "session_ended"
        assert count_divergences(homes) == 0
        kept = signed_balances(anna)
        assert kept == signed_balances(bruno)
        assert {len(by_seat) for by_seat in kept.values()} == {2}  # all were signed by the two who stayed
        assert all(len(set(by_seat.values())) == 1 for by_seat in kept.values())
        assert len({table for table, _ in kept}) == 2  # the deal without her, and the others at a table of two


def test_nobody_waits_for_ever_in_these_tests() -> None:
    with pytest.raises(AssertionError, match="never"):
        until(lambda: False, "never", limit_s=0.1)
