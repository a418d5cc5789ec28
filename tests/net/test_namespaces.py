"""What fault tests rely on: hosts in namespaces reach each other, a NAT lets nobody in, and nothing is left over."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import pytest

from tests.support.namespaces import Host, open_lan, why_not

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.skipif(why_not(nat=True) is not None, reason=why_not(nat=True) or ""),
]

SERVE: Final = """
import socket
server = socket.create_server(("", 7000))
print("listens", flush=True)
while True:
    connection, peer = server.accept()
    connection.sendall(peer[0].encode())
    connection.close()
"""
DIAL: Final = """
import socket, sys
with socket.create_connection((sys.argv[1], 7000), 1) as connection:
    print(connection.recv(99).decode())
"""


def seen_as(guest: Host, address: str) -> str:
    """Dials; gives the address that the server saw, or the name of the error."""
    try:
        return guest.run([sys.executable, "-c", DIAL, address]).stdout.strip()
    except subprocess.CalledProcessError as error:
        return str(error.stderr).splitlines()[-1].partition(":")[0]


def test_a_lan_with_a_guest_behind_a_nat() -> None:
    with open_lan("anna", "bruno", nat=("carla",)) as lan:
        anna, bruno, carla = lan.hosts
        with anna.start([sys.executable, "-c", SERVE]) as server:
            assert server.stdout is not None
            assert server.stdout.readline() == "listens\n"
            assert anna.processes() == [server.pid]
            assert seen_as(bruno, anna.address) == bruno.address
            assert seen_as(carla, anna.address) == carla.outside != carla.address
            for host in (bruno, carla):
                host.cut()
                assert seen_as(host, anna.address) in ("TimeoutError", "OSError")
                host.mend()
                assert seen_as(host, anna.address) == host.outside
        assert server.returncode is not None
        with carla.start([sys.executable, "-c", SERVE]) as server:
            assert server.stdout is not None
            assert server.stdout.readline() == "listens\n"
            assert seen_as(carla, carla.address) == carla.address
            assert seen_as(bruno, carla.address) == "TimeoutError"
            assert seen_as(bruno, carla.outside) == "ConnectionRefusedError"


def test_nothing_is_left_over() -> None:
    with pytest.raises(KeyError), open_lan("anna", "bruno") as lan:
        namespace = lan.host("anna").namespace
        left = subprocess.Popen(lan.host("anna").command(["sleep", "60"]))
        raise KeyError
    assert left.wait(10) < 0
    assert namespace not in subprocess.run(["ip", "netns"], check=True, capture_output=True, text=True).stdout  # noqa: S607 # where ip lies differs
