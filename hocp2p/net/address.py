"""Addresses: where a table listens, where a guest dials."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from enum import Enum
from typing import Final, NamedTuple

import ifaddr

from hocp2p.errors import LocalError

DEFAULT_PORT: Final = 7411
_HOST_NAME: Final = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9_-]{1,63}(?<!-))*\.?")
_ZONE: Final = re.compile(r"[A-Za-z0-9._-]{1,32}")
_BRACKETED: Final = re.compile(r"\[([^\[\]]*)\](?::(.*))?", re.DOTALL)
# Reserved for documentation (RFC 5737, RFC 3849): nobody has them, so the way to them is the default route.
_ELSEWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
MAX_LOCAL_ADDRESSES: Final = 16
_SHARED: Final = ipaddress.ip_network("100.64.0.0/10")
_TAILSCALE: Final = ipaddress.ip_network("fd7a:115c:a1e0::/48")
# How systems and programs name the interfaces that they make; on Windows it is what the driver calls itself.
_VPN_INTERFACE: Final = re.compile(
    r"u?tun\d|tap[\d-]|wg|ppp\d|ipsec|tailscale|wireguard|wintun|zt|zerotier|nordlynx|proton|openvpn|vpn"
    r"|(logmein )?hamachi|(famatech )?radmin",
    re.IGNORECASE,
)
_CONTAINER_INTERFACE: Final = re.compile(
    r"docker|br-|virbr|veth|vethernet|hyper-v|lxc|lxdbr|podman|cni|cali|flannel|vboxnet|virtualbox|vmnet|vmware|bridge\d",
    re.IGNORECASE,
)


class Address(NamedTuple):
    """A host (name or IP address, IPv6 without brackets) and a TCP port 0..65535. ``str`` gives what we parse."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str, default_port: int = DEFAULT_PORT) -> Address:
    """``HOST``, ``HOST:PORT``, ``[IPv6]``, ``[IPv6]:PORT``; a bare IPv6 address is a host.

    Raises:
        LocalError: ``bad-address``, with what to write instead.
    """
    text = text.strip()
    bracketed = _BRACKETED.fullmatch(text)
    if bracketed:
        host, port = bracketed.groups()
        if not _is_ipv6(host):
            raise LocalError("bad-address", f"{host!r} in brackets is not an IPv6 address")
    elif text.count(":") > 1:
        host, port = text, None
        if not _is_ipv6(host):
            raise LocalError("bad-address", f"{text!r} is not an address: write HOST:PORT, or [IPv6]:PORT")
    else:
        host, colon, rest = text.partition(":")
        port = rest if colon else None
        if len(host) > 253 or not _HOST_NAME.fullmatch(host) or _is_misspelt_ipv4(host):
            raise LocalError("bad-address", f"{host!r} is not a host name or IP address")
    return Address(host, default_port if port is None else _parse_port(port))


def _parse_port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65_535):
        raise LocalError("bad-address", f"{text!r} is not a port: a number from 1 to 65535")
    return int(text)


def verify_port(port: int, least: int = 1) -> None:
    """Raises LocalError ``bad-address`` unless ``port`` is from ``least`` to 65535; least 0 lets the system choose."""
    if not least <= port <= 65_535:
        raise LocalError("bad-address", f"{port} is not a port: a number from {least} to 65535")


def _is_ipv6(host: str) -> bool:
    """With or without the zone of a link-local address, ``fe80::1%eth0``."""
    plain, percent, zone = host.partition("%")
    if percent and not _ZONE.fullmatch(zone):
        return False
    try:
        ipaddress.IPv6Address(plain)
    except ValueError:
        return False
    return True


def is_numeric(host: str) -> bool:
    """Whether it is an IP address, for which nobody has to be asked."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _is_misspelt_ipv4(host: str) -> bool:
    """Digits and dots that are no IPv4 address; resolvers would read ``127.1`` as one in their own way."""
    if not re.fullmatch(r"[0-9.]+", host):
        return False
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        return True
    return False


def plain_host(host: str) -> str:
    """An IPv4 peer of an IPv6 socket (``::ffff:192.0.2.7``) written as IPv4; any other host as it is."""
    try:
        mapped = ipaddress.IPv6Address(host).ipv4_mapped
    except ValueError:
        return host
    return host if mapped is None else str(mapped)


class AddressKind(Enum):
    """Who can reach an address of ours; the better ones to give away come first. The value is a word for people."""

    LAN = "LAN"
    """Those in the same network."""
    INTERNET = "Internet"
    """Everybody, by IPv4, where firewalls let the port pass."""
    IPV6 = "IPv6"
    """Everybody who has IPv6, where firewalls let the port pass."""
    VPN = "VPN"
    """Those in the same virtual private network; or nobody, where a carrier shares addresses out (RFC 6598)."""
    CONTAINERS = "containers"
    """Containers and virtual machines on this machine."""
    LINK_LOCAL = "link-local"
    """Those on the same wire, who must name their own interface; no invite can hold it."""
    LOOPBACK = "loopback"
    """Ourselves."""


class LocalAddress(NamedTuple):
    """An IP address of this machine; that of a link has its zone, ``fe80::1%eth0``."""

    host: str
    kind: AddressKind


# What may be given away first: an ordinary network, be it private or public; then in the order of the kinds.
_RANKS: Final = {kind: max(1, rank) for rank, kind in enumerate(AddressKind)}


def ranked_addresses() -> tuple[LocalAddress, ...]:
    """The addresses of all interfaces of this machine, those that others most likely reach first. Sends nothing.

    Among equals IPv4 comes first, then what the way to the Internet begins with. Where there is no network it is
    ``127.0.0.1`` alone.
    """
    preferred = {host for family, elsewhere in _ELSEWHERE if (host := _source_address(family, elsewhere)) is not None}
    found = {}
    for name, host in _interface_addresses():
        # A bridge that leads to the Internet is our own network, such as an external switch of Hyper-V.
        own = host in preferred and _CONTAINER_INTERFACE.match(name)
        found[host] = LocalAddress(host, kind_of(host, "" if own else name))
    for host in preferred:  # where interfaces cannot be listed
        found.setdefault(host, LocalAddress(host, kind_of(host, "")))
    ranked = sorted(
        (each for each in found.values() if each.kind is not AddressKind.LOOPBACK),
        key=lambda each: (_RANKS[each.kind], ":" in each.host, each.host not in preferred),
    )
    return tuple(ranked[:MAX_LOCAL_ADDRESSES]) or (LocalAddress("127.0.0.1", AddressKind.LOOPBACK),)


def is_shared(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether it is one that a carrier shares out (RFC 6598); some virtual private networks use them, too."""
    return address.version == 4 and address in _SHARED


def _interface_addresses() -> Iterator[tuple[str, str]]:
    """The name of an interface, as people see it, and an address of it. Nothing where the system does not tell."""
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return
    for adapter in adapters:
        for each in adapter.ips:
            host = each.ip if isinstance(each.ip, str) else each.ip[0]
            address = ipaddress.ip_address(host)
            if address.version == 6 and address.is_link_local:
                host = f"{host}%{adapter.name if _ZONE.fullmatch(adapter.name) else adapter.index}"
            if not address.is_unspecified:
                yield adapter.nice_name, host


def kind_of(host: str, interface: str = "") -> AddressKind:
    """Who can reach an address of ours, as far as it and the name of its interface tell."""
    address = ipaddress.ip_address(host)
    if address.is_loopback:
        return AddressKind.LOOPBACK
    if address.is_link_local:
        return AddressKind.LINK_LOCAL
    if _CONTAINER_INTERFACE.match(interface):
        return AddressKind.CONTAINERS
    if _VPN_INTERFACE.match(interface) or is_shared(address) or (address.version == 6 and address in _TAILSCALE):
        return AddressKind.VPN
    if address.is_private:
        return AddressKind.LAN
    return AddressKind.IPV6 if address.version == 6 else AddressKind.INTERNET


def _source_address(family: socket.AddressFamily, elsewhere: str) -> str | None:
    """With which address we would go there. Connecting a datagram socket sends nothing, it only asks the kernel."""
    try:
        with closing(socket.socket(family, socket.SOCK_DGRAM)) as probe:
            probe.connect((elsewhere, 9))
            host = str(probe.getsockname()[0])
    except OSError:
        return None
    address = ipaddress.ip_address(host)
    return None if address.is_unspecified or address.is_link_local or address.is_loopback else host
