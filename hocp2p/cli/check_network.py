"""The network: this machine's addresses, the table's port, and what each way in needs or gives.

What can be told without sending anything is always told. Whether multicast passes and what the router says is found
out only where that is asked for, as others in the network can see it.
"""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from hocp2p.cli.finding import Finding, note, ok
from hocp2p.errors import LinkError
from hocp2p.net.address import Address, AddressKind, LocalAddress, is_shared, ranked_addresses
from hocp2p.net.discovery import browse
from hocp2p.net.port_mapping import can_map_ports, find_router
from hocp2p.session.loop import run_loop
from hocp2p.ui.lang import N_, _

TOPIC: Final = N_("network")
LOOPBACK: Final = "127.0.0.1"
# Who reaches an address of ours, and whether that is as good as it can be.
_REACH: Final = {
    AddressKind.LAN: (ok, N_("{address}: for those in the same network")),
    AddressKind.INTERNET: (ok, N_("{address}: also from outside, where routers and firewalls let the port pass")),
    AddressKind.IPV6: (ok, N_("{address}: also from outside, where routers and firewalls let the port pass")),
    AddressKind.VPN: (ok, N_("{address}: for those in the same virtual private network")),
    AddressKind.CONTAINERS: (note, N_("{address}: for containers and virtual machines of this machine alone")),
    AddressKind.LINK_LOCAL: (note, N_("{address}: for those on the same wire alone, and no invite can hold it")),
    AddressKind.LOOPBACK: (note, N_("no network was found: only this machine itself can join a table here")),
}
_SHARED_OUT: Final = N_("{address}: for those in the same virtual private network; or your carrier shares it out")


def check_network(port: int, *, ask: bool = False) -> Iterator[Finding]:
    """A finding for each address, the likeliest first, the port, and each way in.

    Args:
        port: of the table; 0: any.
        ask: whether tables and a router are asked for in the network, which takes some seconds. Nothing is sent else,
            and nothing is opened or announced in any case.
    """
    addresses = ranked_addresses()
    yield from (_check_address(each, port) for each in addresses)
    yield _check_port(port)
    if addresses[0].kind is not AddressKind.LOOPBACK:
        yield ok(TOPIC, _("from your own network: guests join by an address above; let a firewall pass the port"))
        yield (
            _check_list()
            if ask
            else note(TOPIC, _("list of tables in your network: not tried; {hint}").format(hint=_hint()))
        )
        yield _check_ipv6(addresses)
        yield _check_upnp(ask)
        yield _forward_by_hand(addresses[0].host, port)
        told = _(
            "from outside by a tunnel or a virtual private network of yours: give guests its address; not looked for"
        )
        yield note(TOPIC, told)
    yield ok(TOPIC, _("to join somebody's table no port has to be open"))


def _hint() -> str:
    """How to have it tried."""
    return _("that sends something, and hocp2p doctor --network does it")


def _check_address(each: LocalAddress, port: int) -> Finding:
    """Who reaches it."""
    shown = str(Address(each.host, port)) if port else each.host
    if is_shared(ipaddress.ip_address(each.host)):
        return note(TOPIC, _(_SHARED_OUT).format(address=shown))
    level, told = _REACH[each.kind]
    return level(TOPIC, _(told).format(address=shown))


def _check_list() -> Finding:
    """Listens for tables. That none is heard proves nothing, so it is not called a fault."""
    try:
        found = run_loop(browse())
    except LinkError as error:
        return note(TOPIC, _("list of tables in your network: {reason}").format(reason=error.message))
    told = _("list of tables in your network: asked by multicast; tables heard: {count}")
    return ok(TOPIC, told.format(count=len(found)))


def _check_ipv6(addresses: tuple[LocalAddress, ...]) -> Finding:
    """Whether there is an address that the whole Internet knows. Whether it passes the router only a guest can tell."""
    if any(each.kind is AddressKind.IPV6 for each in addresses):
        told = _("from outside by IPv6: this machine has an address; the router's firewall must let the port pass")
        return ok(TOPIC, told)
    return note(TOPIC, _("from outside by IPv6: not possible, as this machine has no public IPv6 address"))


def _check_upnp(ask: bool) -> Finding:
    """Whether a router would open a port. None is opened."""
    if not can_map_ports():
        told = _("from outside by UPnP: not installed; that is done by: {command}")
        return note(TOPIC, told.format(command='python -m pip install "hocp2p[upnp]"'))
    if not ask:
        return note(TOPIC, _("from outside by UPnP: installed, not tried; {hint}").format(hint=_hint()))
    try:
        host = run_loop(_external_host())
    except LinkError as error:
        return note(TOPIC, _("from outside by UPnP: {reason}").format(reason=error.message))
    told = _("from outside by UPnP: a router answers, its outside address is {address}; no port was opened")
    return ok(TOPIC, told.format(address=host))


async def _external_host() -> str:
    return await (await find_router()).external_host()


def _forward_by_hand(host: str, port: int) -> Finding:
    """What always works where the router is one's own and the carrier has no NAT."""
    if port == 0:
        return note(TOPIC, _("from outside by hand: choose a port with --port, and forward it in the router"))
    told = _("from outside by hand: forward TCP port {port} in the router to {address}; not looked for")
    return note(TOPIC, told.format(port=port, address=Address(host, port)))


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
