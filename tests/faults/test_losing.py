"""A seat that the others go on without: faults while they vote and part, and what who was left behind sees."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from hocp2p.cli.exits import Exit
from tests.support.dying import HOLD, RETRY, UNTOLD
from tests.support.homes import (
    NEVER,
    Home,
    Running,
    count_divergences,
    free_port,
    open_homes,
    signed_balances,
    verify_ended_equally,
)
from tests.support.mesh import FACE, MOVE, open_mesh
from tests.support.tcp_proxy import open_proxy

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

NAMES: Final = ("anna", "bruno", "carla")
HOLD_S: Final = "1"
PACE: Final = ("--pace", "0.05")
GONE: Final = '"linked": false'
PARTED: Final = '"event": "table_parted"'
SIGNED: Final = '"event": "deal_signed"'
KILLED: Final = -9


def verify_went_on(homes: Sequence[Home], processes: Sequence[Running]) -> None:
    """Two have ended the session alike, at the table without the third and at the next one."""
    for process in processes:
        assert process.wait() == Exit.OK, process.errors
    last = [process.events[-1] for process in processes]
    assert last[0] == last[1]
    assert last[0]["event"] == "session_ended"
    assert count_divergences(homes) == 0
    kept = [signed_balances(home) for home in homes]
    assert kept[0] == kept[1]
    assert all(len(set(by_seat.values())) == 1 for by_seat in kept[0].values())
    assert len({table for table, _ in kept[0]}) == 2


@pytest.mark.parametrize(
    ("victim", "moment"), [("bruno", "vote-kept"), ("anna", "claim-kept"), ("bruno", "word-before:2")]
)
def test_one_of_the_two_who_stay_is_killed(tmp_path: Path, victim: str, moment: str) -> None:
    """When its vote, its claim or its word for the next table is kept and not sent; or the latter not kept either."""
    with open_mesh(tmp_path, *NAMES) as mesh:
        for home in mesh.homes.values():
            home.env[HOLD] = HOLD_S
        mesh.begin(deals=3, modules={victim: ("tests.support.dying", moment)})
        mesh.running["carla"].kill()
        assert mesh.running[victim].wait() == KILLED
        mesh.resume(victim)
        staying = ("anna", "bruno")
        verify_went_on([mesh.homes[name] for name in staying], [mesh.running[name] for name in staying])


def test_who_was_cut_off_is_told_so_also_by_those_who_were_killed(tmp_path: Path) -> None:
    """The others come back to the next table in the meantime, and know nothing of the one before."""
    with open_mesh(tmp_path, *NAMES, pace_s=0.05) as mesh:
        for home in mesh.homes.values():
            home.env[HOLD] = HOLD_S
        mesh.begin(deals=3)
        mesh.isolate("carla")
        for name in ("anna", "bruno"):
            process = mesh.running[name]
            process.wait_for(PARTED)
            process.wait_for('"event": "deal_started"', 2)
            process.kill()
            mesh.resume(name)
        mesh.bring_back("carla")
        carla = mesh.running["carla"]
        assert carla.wait() == Exit.LOST
        assert "the others have gone on without you" in carla.errors
        assert carla.events[-1]["code"] == "cut-off"
        assert mesh.resume("carla").wait() != Exit.OK  # there is no seat to go back to
        staying = ("anna", "bruno")
        verify_went_on([mesh.homes[name] for name in staying], [mesh.running[name] for name in staying])


def test_two_who_lose_each_other_keep_what_was_signed_and_go_on_another_day(tmp_path: Path) -> None:
    port = free_port()
    with open_homes(tmp_path, "anna", "bruno") as homes, open_proxy(port) as proxy:
        anna, bruno = homes
        for home in homes:
            home.env |= {HOLD: HOLD_S, UNTOLD: "1", RETRY: "0.3"}
        table = ("--seats", "2", "--deals", "2", "--port", str(port), "--open", "--no-lan")
        host = anna.start("host", *table, *PACE, *FACE, module=NEVER)
        host.wait_for('"event": "table"')
        guest = bruno.start("join", f"127.0.0.1:{proxy.port}", *PACE, *FACE, module=NEVER)
        for process in (host, guest):
            process.wait_for(SIGNED)
        proxy.cut()
        for process in (host, guest):
            process.wait_for(GONE)
            assert process.terminate() == Exit.INTERRUPTED
            assert "your seat is kept" in process.errors
        kept = [signed_balances(home) for home in homes]
        assert kept[0] == kept[1]
        assert [len(by_seat) for by_seat in kept[0].values()] == [2]
        proxy.mend()
        again = [home.start("resume", *FACE, module=NEVER) for home in homes]
        assert [process.wait() for process in again] == [Exit.OK, Exit.OK]
        verify_ended_equally(homes, deals=2, seats=2)


def test_by_the_invite_of_a_guest_the_others_go_on_without_the_host(tmp_path: Path) -> None:
    """The host was the only link of both guests. One comes back by the word that the other shows; then they vote."""
    port = str(free_port())
    with open_homes(tmp_path, *NAMES) as homes:
        anna, bruno, carla = homes
        for home in homes:
            home.env |= {HOLD: HOLD_S, UNTOLD: "1"}
        host = anna.start("host", "--seats", "3", "--deals", "3", "--port", port, "--open", "--no-lan", *FACE)
        host.wait_for('"event": "table"')
        stays, moves = (home.start("join", f"127.0.0.1:{port}", *FACE, module=NEVER) for home in (bruno, carla))
        stays.wait_for(MOVE)
        host.kill()
        stays.wait_for(GONE, 2)
        stays.type("invite")
        stays.wait_for("resume --at")
        invite = re.search(r"hocp2p resume --at (hoc1-\w+)", stays.output)
        assert invite is not None
        moves.kill()
        back = carla.start("resume", "--at", invite[1], *FACE, module=NEVER)
        verify_went_on((bruno, carla), (stays, back))
