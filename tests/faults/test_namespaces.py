"""Several hosts on one network: a guest behind a NAT joins by invite, another finds the table in the list."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.support.homes import HOCP2P, Home, open_homes, verify_ended_equally
from tests.support.namespaces import open_lan, why_not

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.timeout(200),
    pytest.mark.skipif(why_not(nat=True) is not None, reason=why_not(nat=True) or ""),
]

FACE: Final = ("--autopilot", "novice", "--plain")
TABLE: Final = ("host", "--seats", "2", "--deals", "2", "--pace", "0", "--autopilot", "novice")


def everywhere(*homes: Home) -> None:
    """All addresses of the namespace may be used."""
    for home in homes:
        home.env["HOCP2P_BIND"] = ""


def test_guest_behind_a_nat_joins_by_invite(tmp_path: Path) -> None:
    with open_lan("anna", nat=("bruno",)) as lan, open_homes(tmp_path, "anna", "bruno") as (anna, bruno):
        everywhere(anna, bruno)
        inside = {host.name: host.command([]) for host in lan.hosts}
        host = anna.start(*TABLE, "--print-invite", "--no-lan", prefix=inside["anna"])
        host.wait_for("\n")
        guest = bruno.start("join", host.output.strip(), *FACE, "--json", prefix=inside["bruno"])
        assert [guest.wait(), host.wait()] == [0, 0], host.errors + guest.errors
        assert guest.events[-1]["event"] == "session_ended"
        verify_ended_equally((anna, bruno), 2, seats=2)


def test_guest_finds_the_table_in_the_list(tmp_path: Path) -> None:
    with open_lan("anna", "bruno") as lan, open_homes(tmp_path, "anna", "bruno") as (anna, bruno):
        everywhere(anna, bruno)
        inside = {host.name: host.command([]) for host in lan.hosts}
        host = anna.start(*TABLE, "--name", "Anna", "--plain", "--json", "--open", "--lan", prefix=inside["anna"])
        host.wait_for('"event": "table"')
        guest = bruno.start("join", "--lan", "anna", *FACE, "--json", prefix=inside["bruno"], module=HOCP2P)
        assert guest.wait() == 0, guest.errors
        assert host.wait() == 0, host.errors
        assert "Anna's table" in guest.errors  # the list
        assert guest.events[-1] == host.events[-1]
        verify_ended_equally((anna, bruno), 2, seats=2)
