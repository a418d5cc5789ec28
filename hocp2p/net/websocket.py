"""Links over WebSocket and TLS: dialling a table, and listening for guests.

WebSocket is used as a framing of bytes that proxies and tunnels understand, with its pings to notice a dead peer; what
the bytes are is not looked at, and never logged. The subprotocol ``hocp2p`` tells a table from any other server, and
requests that a web page makes (they carry an ``Origin``) are refused.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import ssl
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK, InvalidURI, ProxyError, WebSocketException
from websockets.frames import CloseCode
from websockets.typing import Subprotocol

from hocp2p.errors import LinkError
from hocp2p.net.address import Address, is_numeric, plain_host, verify_port
from hocp2p.net.binding import GatedSocket, bind
from hocp2p.net.gate import Admission, Gate
from hocp2p.net.link import MAX_FRAME_BYTES, Link, verify_frame
from hocp2p.net.proxy import Proxy, parse_proxy
from hocp2p.net.tls import ANYBODY, SERVER_NAME, Trust, client_context, server_context

__all__ = ["ANYBODY", "Listener", "OnLink", "Trust", "WebSocketLink", "dial", "listen"]

SUBPROTOCOL: Final = Subprotocol("hocp2p")
OPEN_TIMEOUT_S: Final = 10.0
SEND_TIMEOUT_S: Final = 10.0
# The library pings so long after the last answer, waits so long for the next, and then so long for a polite end: a dead
# link is given up after the sum of the three, 14 s.
PING_INTERVAL_S: Final = 3.0
PING_TIMEOUT_S: Final = 9.0
CLOSE_TIMEOUT_S: Final = 2.0
BUSY_DELAYS_S: Final = (0.2, 0.3, 0.5, 0.6, 0.9)
"""Between dials of a table that hangs up at once; together more than ``gate.STALE_S``."""
WRITE_LIMIT_BYTES: Final = 65_536
"""Bytes that may wait before ``send`` waits too."""
MAX_BACKLOG_BYTES: Final = 1_048_576
"""Bytes that may wait in all, whoever sends them; beyond it the link is closed."""
MAX_QUEUE_FRAMES: Final = 16

_LOGGER: Final = logging.getLogger("hocp2p.net.websocket")
_LOGGER.setLevel(logging.INFO)  # at DEBUG the library logs what the frames hold

_OPTIONS: Final[dict[str, Any]] = {
    "subprotocols": [SUBPROTOCOL],
    "compression": None,
    "ping_interval": PING_INTERVAL_S,
    "ping_timeout": PING_TIMEOUT_S,
    "close_timeout": CLOSE_TIMEOUT_S,
    "max_size": MAX_FRAME_BYTES,
    "max_queue": MAX_QUEUE_FRAMES,
    "write_limit": WRITE_LIMIT_BYTES,
    "logger": _LOGGER,
}


class WebSocketLink:
    """One end of an open connection; see :class:`hocp2p.net.link.Link`."""

    def __init__(self, connection: Connection, key: bytes | None = None) -> None:
        self._connection = connection
        self._key = key
        self._address = _far_address(connection)
        self._failure: LinkError | None = None

    @property
    def peer(self) -> str:
        return "unknown" if self._address is None else str(self._address)

    @property
    def host(self) -> str:
        return "" if self._address is None else self._address.host

    @property
    def key(self) -> bytes | None:
        return self._key

    async def send(self, frame: bytes) -> None:
        verify_frame(frame)
        if self._failure is None and _backlog_bytes(self._connection) + len(frame) > MAX_BACKLOG_BYTES:
            self._drop_slow_peer()
        if self._failure is not None:
            raise self._failure
        try:
            async with asyncio.timeout(SEND_TIMEOUT_S):
                await self._connection.send(frame)
        except TimeoutError:
            raise self._drop_slow_peer() from None
        except ConnectionClosed as error:
            raise self._failure or _closed_error(error) from error

    async def receive(self) -> bytes:
        try:
            frame = await self._connection.recv()
        except ConnectionClosed as error:
            raise self._failure or _closed_error(error) from error
        if isinstance(frame, str) or not frame:
            self._failure = LinkError("bad-frame", f"{self.peer} sent a frame that is text or empty")
            await self._connection.close(CloseCode.UNSUPPORTED_DATA)
            raise self._failure
        return frame

    async def close(self) -> None:
        await self._connection.close()

    def _drop_slow_peer(self) -> LinkError:
        self._failure = LinkError("slow-peer", f"{self.peer} does not take what we send; the link was closed")
        self._connection.transport.abort()
        return self._failure


def _far_address(connection: Connection) -> Address | None:
    address = connection.remote_address  # None where the peer was gone before we could ask
    return Address(plain_host(address[0]), address[1]) if address else None


def _backlog_bytes(connection: Connection) -> int:
    return connection.transport.get_write_buffer_size()


def _closed_error(error: ConnectionClosed) -> LinkError:
    if isinstance(error, ConnectionClosedOK):
        return LinkError("closed", "the link is closed")
    if error.sent is not None and error.sent.code == CloseCode.MESSAGE_TOO_BIG:
        return LinkError("too-large", f"the other side sent a frame of more than {MAX_FRAME_BYTES} bytes")
    return LinkError("lost", "the link is lost: the other side is gone or does not answer")


class _BoundedServer(ServerConnection):
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        _bound_backlog(self)


class _BoundedClient(ClientConnection):
    """Speaks only to whom it trusts."""

    trust: Trust
    key: bytes

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        _bound_backlog(self)

    async def handshake(self, *given: Any, **named: Any) -> None:
        """The HTTP handshake, begun when the one of TLS is over and the certificate is the right one."""
        der = self.transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
        self.key = self.trust.verify(der or b"")
        await super().handshake(*given, **named)


def _bound_backlog(connection: Connection) -> None:
    """Pings are answered without anybody sending: a peer that pings and never reads must not fill our memory."""
    if _backlog_bytes(connection) > MAX_BACKLOG_BYTES:
        connection.transport.abort()


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
        **_OPTIONS,
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
    if isinstance(error, ConnectionRefusedError) or f"[Errno {errno.ECONNREFUSED}]" in str(error):
        return LinkError("refused-connection", f"nobody listens at {where}; is the table open?")
    return LinkError("unreachable", f"there is no way to {where}; check the address and your network")


OnLink = Callable[[Link], Awaitable[None]]


class _AcceptedLink(WebSocketLink):
    """A stranger's, until his first frame has come."""

    def __init__(self, connection: Connection, admission: Admission) -> None:
        super().__init__(connection)
        self._admission = admission

    async def receive(self) -> bytes:
        frame = await super().receive()
        self._admission.settle()
        return frame


class Listener:
    """A listening socket and the links that came in by it. Also an asynchronous context manager that closes it."""

    def __init__(self, on_link: OnLink, gate: Gate) -> None:
        self._on_link = on_link
        self._gate = gate
        self._open: set[Admission] = set()  # their handshakes are done
        self._socket: GatedSocket
        self._server: Server
        self._addresses: tuple[Address, ...] = ()

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where it listens; ``::`` or ``0.0.0.0`` for every interface."""
        return self._addresses

    async def open(self, bound: socket.socket, seed: bytes, open_timeout_s: float) -> None:
        """Serves on a bound socket, which is taken over. Called by :func:`listen`, once."""
        self._addresses = (Address(*bound.getsockname()[:2]),)
        self._socket = GatedSocket(bound, self._gate)
        try:
            self._server = await serve(
                self._handle,
                sock=self._socket,
                ssl=server_context(seed),
                ssl_handshake_timeout=open_timeout_s,
                ssl_shutdown_timeout=CLOSE_TIMEOUT_S,
                origins=[None],
                server_header=None,
                open_timeout=open_timeout_s,
                create_connection=_BoundedServer,
                **_OPTIONS,
            )
        except BaseException:
            self._socket.close()
            raise

    async def close(self) -> None:
        """Listens no more, closes all links and waits for their handlers. Idempotent."""
        self._server.close()
        for admission in self._socket.admissions:
            if admission not in self._open:
                admission.drop()
        await self._server.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _handle(self, connection: ServerConnection) -> None:
        admission = self._socket.admission_of(connection.transport.get_extra_info("socket").fileno())
        late = None
        if admission is None:  # the event loop of Windows accepts without asking the socket: better late than never
            host, _ = connection.remote_address[:2] if connection.remote_address else ("", 0)
            admission = late = self._gate.admit(host, connection.transport.abort)
        if admission is None:
            return
        self._open.add(admission)
        try:
            await self._on_link(_AcceptedLink(connection, admission))
        except LinkError as error:
            _LOGGER.info("link ended: %s", error.code)
        finally:
            self._open.discard(admission)
            if late is not None:
                late.leave()


async def listen(
    host: str,
    port: int,
    on_link: OnLink,
    seed: bytes,
    *,
    gate: Gate | None = None,
    open_timeout_s: float = OPEN_TIMEOUT_S,
) -> Listener:
    """Listens for guests: ``async with await listen("", 7411, on_link, seed) as listener: ...``.

    Args:
        host: IP address or name of one interface; empty for all, IPv4 and IPv6 alike.
        port: TCP port; 0 lets the system choose (see ``addresses``).
        on_link: called once for each link, in a task of its own; the link is closed when it returns. It should end
            soon after its link is closed, since :meth:`Listener.close` waits for it.
        seed: of the identity whose certificate we show, 32 secret bytes.
        gate: limits of what is let in; the usual ones where none is given.
        open_timeout_s: a peer that has not finished its handshake by then is dropped.

    Raises:
        LinkError, LocalError: as :func:`hocp2p.net.binding.bind`.
    """
    listener = Listener(on_link, gate or Gate(time.monotonic))
    bound = await bind(host, port)
    try:
        await listener.open(bound, seed, open_timeout_s)
    except BaseException:
        bound.close()
        raise
    return listener
