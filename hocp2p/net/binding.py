"""Taking a port to listen on."""

from __future__ import annotations

import asyncio
import errno
import socket

from hocp2p.errors import LinkError
from hocp2p.net.address import verify_port


async def bind(host: str, port: int) -> socket.socket:
    """A listening TCP socket.

    Args:
        host: IP address or name of one interface; empty for all, IPv4 and IPv6 alike.
        port: 1..65535; 0 lets the system choose.

    Raises:
        LinkError: ``port-in-use``, ``bad-port`` (not allowed to us), ``no-such-host`` (not an address of this machine).
        LocalError: ``bad-address``, the port is none.
    """
    verify_port(port, least=0)
    try:
        if not host:
            return _bind_all(port)
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, _, _, _, address = found[0]
        return socket.create_server(address, family=family)
    except (socket.gaierror, UnicodeError) as error:
        raise LinkError("no-such-host", f"{host!r} is not an address of this machine") from error
    except OSError as error:
        raise _bind_error(host, port, error) from error


def _bind_error(host: str, port: int, error: OSError) -> LinkError:
    """One sentence that says what is wrong and what to do."""
    if error.errno == errno.EADDRINUSE:
        return LinkError("port-in-use", f"port {port} is in use, perhaps by another table; choose another with --port")
    if error.errno == errno.EADDRNOTAVAIL:
        return LinkError("no-such-host", f"{host!r} is not an address of this machine")
    return LinkError("bad-port", f"cannot listen on port {port}; choose another with --port")


def _bind_all(port: int) -> socket.socket:
    """One socket for both families where the system can, so that both have the same port; else IPv4 alone."""
    if socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        except OSError as error:
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                raise
    return socket.create_server(("", port))
