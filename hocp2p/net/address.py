"""Addresses: where a table listens, where a guest dials."""

from __future__ import annotations

import ipaddress
import re
import socket
from contextlib import closing
from typing import Final, NamedTuple

from hocp2p.errors import LocalError

DEFAULT_PORT: Final = 7411
_HOST_NAME: Final = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9_-]{1,63}(?<!-))*\.?")
_ZONE: Final = re.compile(r"[A-Za-z0-9._-]{1,32}")
_BRACKETED: Final = re.compile(r"\[([^\[\]]*)\](?::(.*))?", re.DOTALL)
# Reserved for documentation (RFC 5737, RFC 3849): nobody has them, so the way to them is the default route.
_ELSEWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


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


def local_addresses() -> tuple[str, ...]:
    """Our own IP addresses that others in the same network most likely reach, IPv4 first; else ``127.0.0.1``.

    Connecting a datagram socket sends nothing: it only asks the kernel which way it would go, and works offline.
    """
    found = tuple(host for family, elsewhere in _ELSEWHERE if (host := _source_address(family, elsewhere)) is not None)
    return found or ("127.0.0.1",)


def _source_address(family: socket.AddressFamily, elsewhere: str) -> str | None:
    try:
        with closing(socket.socket(family, socket.SOCK_DGRAM)) as probe:
            probe.connect((elsewhere, 9))
            host = str(probe.getsockname()[0])
    except OSError:
        return None
    address = ipaddress.ip_address(host)
    return None if address.is_unspecified or address.is_link_local or address.is_loopback else host
