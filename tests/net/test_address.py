"""Addresses as people write them, and our own."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.errors import LocalError
from hocp2p.net.address import DEFAULT_PORT, Address, local_addresses, parse_address, plain_host


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("example.org", "example.org", DEFAULT_PORT),
        ("example.org:80", "example.org", 80),
        ("  Anna-PC:65535 ", "Anna-PC", 65535),
        ("localhost", "localhost", DEFAULT_PORT),
        ("my_host.local.:1", "my_host.local.", 1),
        ("192.0.2.7", "192.0.2.7", DEFAULT_PORT),
        ("192.0.2.7:7411", "192.0.2.7", 7411),
        ("::1", "::1", DEFAULT_PORT),
        ("2001:db8::7", "2001:db8::7", DEFAULT_PORT),
        ("[::1]", "::1", DEFAULT_PORT),
        ("[2001:db8::7]:7000", "2001:db8::7", 7000),
        ("[fe80::1%eth0]:7000", "fe80::1%eth0", 7000),
    ],
)
def test_parse(text: str, host: str, port: int) -> None:
    assert parse_address(text) == Address(host, port)
    assert parse_address(str(parse_address(text))) == Address(host, port)


def test_default_port() -> None:
    assert parse_address("example.org", 99).port == 99
    assert parse_address("[::1]", 99).port == 99
    assert parse_address("example.org:98", 99).port == 98


@pytest.mark.parametrize(
    "text",
    ["", " ", ":7411", "host:", "host:0", "host:65536", "host:-1", "host:+1", "host:7e3", "host: 80", "host:٣",
     "host:000080", "a b",
     "-a", "a-", "a..b", ".a", "a" * 64, ".".join(["a" * 60] * 5), "host/path", "ws://host", "user@host", "höst",
     "1.2.3", "127.1", "999.1.1.1", "1.2.3.4.5", "1:2:3", "[::1", "::1]", "[::1]7411", "[::1]:", "[::1]:x",
     "[1.2.3.4]:1", "fe80::1%", "fe80::1%a b", "[fe80::1%\x1b]", "[]", "[host]:1", "a\x00b", "a\nb", "[::1]\n:1"],
)  # fmt: skip
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(LocalError) as caught:
        parse_address(text)
    assert caught.value.code == "bad-address"


@given(st.text(max_size=40) | st.text(":.[]0123456789abc%-", max_size=30))
def test_any_text_is_an_address_that_round_trips_or_is_refused(text: str) -> None:
    try:
        parsed = parse_address(text)
    except LocalError as error:
        assert error.code == "bad-address"
        return
    assert parse_address(str(parsed)) == parsed
    assert 1 <= parsed.port <= 65_535


@pytest.mark.parametrize(
    ("host", "plain"),
    [("::ffff:192.0.2.7", "192.0.2.7"), ("192.0.2.7", "192.0.2.7"), ("2001:db8::7", "2001:db8::7"), ("name", "name")],
)
def test_plain_host(host: str, plain: str) -> None:
    assert plain_host(host) == plain


class Probe:
    """Stands in for a datagram socket: notes what is done with it, and sends nothing."""

    calls: ClassVar[list[str]] = []
    names: ClassVar[dict[int, str]] = {}

    def __init__(self, family: int, kind: int) -> None:
        assert kind == socket.SOCK_DGRAM
        self.family = family

    def connect(self, where: tuple[str, int]) -> None:
        self.calls.append(f"connect {where[0]}")
        if self.family not in self.names:
            raise OSError("network is unreachable")

    def getsockname(self) -> tuple[str, int]:
        self.calls.append("getsockname")
        return self.names[self.family], 1

    def close(self) -> None:
        self.calls.append("close")

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a probe never uses {name}")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({}, ("127.0.0.1",)),
        ({socket.AF_INET: "192.168.1.5"}, ("192.168.1.5",)),
        ({socket.AF_INET: "192.168.1.5", socket.AF_INET6: "2001:db8::5"}, ("192.168.1.5", "2001:db8::5")),
        ({socket.AF_INET6: "2001:db8::5"}, ("2001:db8::5",)),
        ({socket.AF_INET6: "::"}, ("127.0.0.1",)),
        ({socket.AF_INET: "169.254.3.4", socket.AF_INET6: "fe80::1"}, ("127.0.0.1",)),
        ({socket.AF_INET: "127.0.0.1"}, ("127.0.0.1",)),
    ],
)
def test_local_addresses(names: dict[int, str], expected: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", Probe)
    monkeypatch.setattr(Probe, "names", names)
    monkeypatch.setattr(Probe, "calls", [])
    assert local_addresses() == expected
    assert Probe.calls.count("close") == 2
    assert [call for call in Probe.calls if call.startswith("connect")] == ["connect 192.0.2.1", "connect 2001:db8::1"]


@pytest.mark.sockets
def test_local_addresses_of_this_machine() -> None:
    found = local_addresses()
    assert found
    for host in found:
        assert not ipaddress.ip_address(host).is_unspecified
