"""Dialling a table: over WebSocket and TLS, directly or through a proxy, and only whom we trust."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidURI, ProxyError, WebSocketException

from hocp2p.errors import LinkError
from hocp2p.net.address import Address, is_numeric, verify_port
from hocp2p.net.link import Link
from hocp2p.net.proxy import Proxy, parse_proxy
from hocp2p.net.tls import ANYBODY, SERVER_NAME, Trust, client_context
from hocp2p.net.websocket import OPEN_TIMEOUT_S, OPTIONS, SUBPROTOCOL, WebSocketLink, bound_backlog

BUSY_DELAYS_S: Final = (0.2, 0.3, 0.5, 0.6, 0.9)
"""Between dials of a table that hangs up at once; together more than ``gate.STALE_S``."""


class _BoundedClient(ClientConnection):
    """Speaks only to whom it trusts."""

    trust: Trust
    key: bytes

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        bound_backlog(self)

    async def handshake(self, *given: Any, **named: Any) -> None:
        """The HTTP handshake, begun when the one of TLS is over and the certificate is the right one."""
        der = self.transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
        self.key = self.trust.verify(der or b"")
        await super().handshake(*given, **named)


class _Connect(connect):
    """Follows no redirects: nobody leads us elsewhere."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


async def dial(
    address: Address, trust: Trust = ANYBODY, *, via: str | None = None, timeout_s: float = OPEN_TIMEOUT_S
) -> Link:
    """Opens a link to somebody who listens. Nothing is said to him before his certificate was compared.

    One connection does: the certificate is compared between the handshakes of TLS and of HTTP. A connection made before
    only to look at it would be two for the other side's gate to count, and would say nothing about the second one.

    Args:
        address: a name or an IP address, all addresses of a name are tried; and a TCP port 1..65535.
        trust: who has to answer.
        via: a proxy, see :func:`hocp2p.net.proxy.parse_proxy`; None: directly, whatever the system's settings are.
        timeout_s: for everything together: looking the name up, connecting, shaking hands, dialling again where the
            other side hangs up at once, because it is busy with another of our address.

    Raises:
        LinkError: ``no-such-host``, ``refused-connection`` (nobody listens), ``unreachable``, ``timeout``,
            ``bad-handshake`` (somebody listens, but no hocp2p table that has room), ``bad-certificate`` (no player's),
            ``key-mismatch`` (another player's), ``bad-proxy`` (it does not lead there).
        LocalError: ``bad-address``, the port is none; ``bad-proxy``, it is none, or its package is not installed.
    """
    verify_port(address.port)
    proxy = None if via is None else parse_proxy(via)
    try:
        async with asyncio.timeout(timeout_s):
            for delay_s in BUSY_DELAYS_S:
                try:
                    return await _dial_once(address, trust, proxy)
                except (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, ssl.SSLEOFError):
                    await asyncio.sleep(delay_s)
            return await _dial_once(address, trust, proxy)
    except (OSError, WebSocketException, UnicodeError) as error:
        raise _dial_error(address, error, proxy) from error


async def _dial_once(address: Address, trust: Trust, proxy: Proxy | None) -> Link:
    class Trusting(_BoundedClient):
        pass

    Trusting.trust = trust
    # A proxy is told the address in the URI; the zone of a link-local one cannot stand there.
    where: dict[str, Any] = {"host": address.host, "port": address.port}
    if not is_numeric(address.host):  # several addresses may have to be tried; the race of asyncio, when it is
        where["happy_eyeballs_delay"] = 0.25  # cancelled, can leave a socket behind, so it is run only where it helps
    connection = await _Connect(
        f"wss://{Address(address.host.partition('%')[0], address.port)}/",
        ssl=client_context(),
        server_hostname=SERVER_NAME,
        user_agent_header=None,
        open_timeout=None,
        create_connection=Trusting,
        proxy=None if proxy is None else proxy.url,
        **(where if proxy is None else {}),
        **OPTIONS,
    )
    if connection.subprotocol != SUBPROTOCOL or not isinstance(connection, Trusting):
        await connection.close()
        raise LinkError("bad-handshake", f"what listens at {address} is not hocp2p; check host and port")
    return WebSocketLink(connection, connection.key)


def _dial_error(where: Address, error: Exception, proxy: Proxy | None) -> LinkError:
    """One sentence that says what is wrong and what to do."""
    if isinstance(error, TimeoutError):
        return LinkError("timeout", f"{where} does not answer; check the address, or a firewall is in the way")
    if isinstance(error, (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, ssl.SSLEOFError)):
        return LinkError("bad-handshake", f"what listens at {where} hangs up: no room, or not hocp2p; try again later")
    if proxy is not None and isinstance(error, ProxyError):
        return LinkError("bad-proxy", f"the proxy {proxy} does not lead to {where}; check both")
    if isinstance(error, InvalidURI):
        return LinkError("no-such-host", f"there is no host {where.host!r}; check the name")
    if isinstance(error, (ssl.SSLError, WebSocketException)):
        return LinkError("bad-handshake", f"what listens at {where} is not hocp2p; check host and port")
    if proxy is not None:
        return LinkError("bad-proxy", f"the proxy {proxy} is not there; check its address")
    if isinstance(error, (socket.gaierror, UnicodeError)):  # not found, or no name at all
        return LinkError("no-such-host", f"there is no host {where.host!r}; check the name")
    # When several addresses failed each in its own words, asyncio keeps their words only.
    refused = f"Errno {errno.ECONNREFUSED}]", f"WinError {errno.ECONNREFUSED}]"
    if isinstance(error, ConnectionRefusedError) or any(words in str(error) for words in refused):
        return LinkError("refused-connection", f"nobody listens at {where}; is the table open?")
    return LinkError("unreachable", f"there is no way to {where}; check the address and your network")
