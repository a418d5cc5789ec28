"""The network, as far as this machine alone can tell: its addresses, the table's port, and what each way in needs."""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from hocp2p.cli.finding import Finding, note, ok
from hocp2p.net.address import Address, local_addresses
from hocp2p.ui.lang import N_, _

TOPIC: Final = N_("network")
LOOPBACK: Final = "127.0.0.1"
SHARED: Final = ipaddress.ip_network("100.64.0.0/10")
"""Between a carrier and its customers (RFC 6598); also used by some virtual private networks."""


def check_network(port: int) -> Iterator[Finding]:
    """A finding for each address, the likeliest first, the port, and each way in. Nothing is sent.

    Args:
        port: of the table; 0: any.
    """
    hosts = local_addresses()
    yield from (_check_address(host, port) for host in hosts)
    yield _check_port(port)
    if hosts != (LOOPBACK,):
        yield ok(TOPIC, _("from your own network: guests join by an address above; let a firewall pass the port"))
    yield note(
        TOPIC,
        _(
            "from outside: this version opens no router (no UPnP); forward the port in it, "
            "or share a virtual private network or a tunnel"
        ),
    )
    yield ok(TOPIC, _("to join somebody's table no port has to be open"))


def _check_address(host: str, port: int) -> Finding:
    """Who reaches an address of ours."""
    address = ipaddress.ip_address(host)
    shown = str(Address(host, port)) if port else host
    if address.is_loopback:
        return note(TOPIC, _("no network was found: only this machine itself can join a table here"))
    if address.version == 4 and address in SHARED:
        told = _("{address}: for those in the same virtual private network; or your carrier shares it out")
        return note(TOPIC, told.format(address=shown))
    if address.is_private:
        return ok(TOPIC, _("{address}: for those in the same network").format(address=shown))
    told = _("{address}: also from outside, where routers and firewalls let the port pass")
    return ok(TOPIC, told.format(address=shown))


def _check_port(port: int) -> Finding:
    """Takes it for a moment, on the loopback alone."""
    if port == 0:
        return ok(TOPIC, _("port: any free one, as port is set to 0"))
    try:
        with closing(socket.create_server((LOOPBACK, port))):
            return ok(TOPIC, _("port: {port} is free").format(port=port))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            told = _("port: {port} is in use, perhaps by a table of yours; choose another with --port")
        else:
            told = _("port: {port} cannot be had ({reason}); choose another with --port")
        return note(TOPIC, told.format(port=port, reason=error.strerror))
