"""Addresses as people write them, and our own."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar

import ifaddr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.errors import LocalError
from hocp2p.net.address import (
    DEFAULT_PORT,
    MAX_LOCAL_ADDRESSES,
    Address,
    AddressKind,
    LocalAddress,
    is_numeric,
    parse_address,
    plain_host,
    ranked_addresses,
)


def local_addresses() -> tuple[str, ...]:
    return tuple(host for host, _ in ranked_addresses())


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


class Interface:
    """As ifaddr tells of one."""

    def __init__(self, name: str, *hosts: str) -> None:
        self.name = self.nice_name = name
        self.index = 7
        self.ips = [SimpleNamespace(ip=(host, 0, 7) if ":" in host else host) for host in hosts]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A machine with these interfaces, and these ways to the Internet."""

    def set_up(*interfaces: Interface, default4: str = "", default6: str = "") -> None:
        monkeypatch.setattr(socket, "socket", Probe)
        names = {socket.AF_INET: default4, socket.AF_INET6: default6}
        monkeypatch.setattr(Probe, "names", {family: host for family, host in names.items() if host})
        monkeypatch.setattr(Probe, "calls", [])
        monkeypatch.setattr(ifaddr, "get_adapters", lambda: interfaces)

    return set_up


LO = Interface("lo", "127.0.0.1", "::1")


@pytest.mark.parametrize(
    ("host", "numeric"),
    [("127.0.0.1", True), ("::1", True), ("fe80::1%eth0", True), ("localhost", False), ("127.1", False), ("", False)],
)
def test_is_numeric(host: str, numeric: bool) -> None:
    assert is_numeric(host) is numeric


def test_the_likeliest_addresses_come_first(machine: Callable[..., None]) -> None:
    machine(
        LO,
        Interface("docker0", "172.17.0.1"),
        Interface("tailscale0", "100.101.102.103", "fd7a:115c:a1e0::5"),
        Interface("wg0", "10.9.0.2"),
        Interface("eth1", "192.168.7.5"),
        Interface("wlan0", "192.168.1.5", "fd00::5", "2a02::1", "2a02::2", "fe80::1"),
        default4="192.168.1.5",
        default6="2a02::2",
    )
    assert ranked_addresses() == (
        LocalAddress("192.168.1.5", AddressKind.LAN),
        LocalAddress("192.168.7.5", AddressKind.LAN),
        LocalAddress("fd00::5", AddressKind.LAN),
        LocalAddress("2a02::2", AddressKind.IPV6),
        LocalAddress("2a02::1", AddressKind.IPV6),
        LocalAddress("100.101.102.103", AddressKind.VPN),
        LocalAddress("10.9.0.2", AddressKind.VPN),
        LocalAddress("fd7a:115c:a1e0::5", AddressKind.VPN),
        LocalAddress("172.17.0.1", AddressKind.CONTAINERS),
        LocalAddress("fe80::1%wlan0", AddressKind.LINK_LOCAL),
    )
    assert Probe.calls.count("close") == 2
    assert [call for call in Probe.calls if call.startswith("connect")] == ["connect 192.0.2.1", "connect 2001:db8::1"]
    assert local_addresses()[0] == "192.168.1.5"
    for host in local_addresses():
        assert parse_address(host).host == host


@pytest.mark.parametrize(
    ("interface", "host", "kind"),
    [
        ("eth0", "10.0.0.1", AddressKind.LAN),
        ("br0", "10.0.0.1", AddressKind.LAN),
        ("eth0", "8.8.8.8", AddressKind.INTERNET),
        ("eth0", "2a02::7", AddressKind.IPV6),
        ("eth0", "100.64.0.1", AddressKind.VPN),
        ("tun0", "8.8.8.8", AddressKind.VPN),
        ("utun3", "10.0.0.1", AddressKind.VPN),
        ("Tailscale", "10.0.0.1", AddressKind.VPN),
        ("ztabcdef", "10.0.0.1", AddressKind.VPN),
        ("br-0123456789ab", "172.18.0.1", AddressKind.CONTAINERS),
        ("vEthernet (WSL)", "172.18.0.1", AddressKind.CONTAINERS),
        ("Hyper-V Virtual Ethernet Adapter", "172.18.0.1", AddressKind.CONTAINERS),
        ("VMware Virtual Ethernet Adapter for VMnet1", "192.168.5.1", AddressKind.CONTAINERS),
        ("TAP-Windows Adapter V9", "10.8.0.6", AddressKind.VPN),
        ("Wintun Userspace Tunnel", "10.8.0.6", AddressKind.VPN),
        ("LogMeIn Hamachi Virtual Ethernet Adapter", "25.1.2.3", AddressKind.VPN),
        ("Famatech Radmin VPN Ethernet Adapter", "26.1.2.3", AddressKind.VPN),
        ("Intel(R) Wi-Fi 6 AX200 160MHz", "192.168.1.5", AddressKind.LAN),
        ("virbr0", "192.168.122.1", AddressKind.CONTAINERS),
        ("docker0", "169.254.1.1", AddressKind.LINK_LOCAL),
        ("eth0", "169.254.1.1", AddressKind.LINK_LOCAL),
    ],
)
def test_kinds(machine: Callable[..., None], interface: str, host: str, kind: AddressKind) -> None:
    machine(LO, Interface(interface, host))
    assert ranked_addresses() == (LocalAddress(host, kind),)


def test_a_bridge_that_leads_to_the_internet_is_the_network_of_this_machine(machine: Callable[..., None]) -> None:
    name = "Hyper-V Virtual Ethernet Adapter"
    machine(Interface(name, "172.18.0.1"), Interface(f"{name} #2", "192.168.1.5"), default4="192.168.1.5")
    assert ranked_addresses() == (
        LocalAddress("192.168.1.5", AddressKind.LAN),
        LocalAddress("172.18.0.1", AddressKind.CONTAINERS),
    )


def test_a_full_tunnel_is_not_put_first(machine: Callable[..., None]) -> None:
    machine(Interface("tun0", "10.8.0.2"), Interface("eth0", "192.168.1.5"), default4="10.8.0.2")
    assert local_addresses() == ("192.168.1.5", "10.8.0.2")


def test_without_a_network(machine: Callable[..., None]) -> None:
    machine(LO, Interface("eth0"), Interface("wlan0", "0.0.0.0"))  # noqa: S104 # nothing is bound
    assert ranked_addresses() == (LocalAddress("127.0.0.1", AddressKind.LOOPBACK),)


def test_a_name_of_an_interface_that_no_zone_can_have(machine: Callable[..., None]) -> None:
    machine(Interface("{4D36-E972}", "fe80::1"))
    assert local_addresses() == ("fe80::1%7",)


def test_addresses_are_bounded(machine: Callable[..., None]) -> None:
    machine(Interface("eth0", *(f"10.0.0.{number}" for number in range(1, 99))), default4="10.0.0.98")
    assert len(local_addresses()) == MAX_LOCAL_ADDRESSES
    assert local_addresses()[0] == "10.0.0.98"


@pytest.mark.parametrize(
    ("default4", "default6", "expected"),
    [
        ("", "", ("127.0.0.1",)),
        ("192.168.1.5", "2001:db8::5", ("192.168.1.5", "2001:db8::5")),
        ("", "::", ("127.0.0.1",)),
        ("169.254.3.4", "fe80::1", ("127.0.0.1",)),
        ("127.0.0.1", "", ("127.0.0.1",)),
    ],
)
def test_where_interfaces_cannot_be_listed(
    machine: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    default4: str,
    default6: str,
    expected: tuple[str, ...],
) -> None:
    def refuse() -> None:
        raise OSError("not here")

    machine(default4=default4, default6=default6)
    monkeypatch.setattr(ifaddr, "get_adapters", refuse)
    assert local_addresses() == expected


@pytest.mark.sockets
def test_local_addresses_of_this_machine() -> None:
    found = ranked_addresses()
    assert found
    for host, kind in found:
        assert not ipaddress.ip_address(host).is_unspecified
        assert (kind is AddressKind.LOOPBACK) == ipaddress.ip_address(host).is_loopback
