"""Links over WebSocket: dialling a table, and listening for guests.

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
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK, InvalidURI, ProxyError, WebSocketException
from websockets.frames import CloseCode
from websockets.protocol import State
from websockets.typing import Subprotocol

from hocp2p.errors import LinkError, LocalError
from hocp2p.net.address import Address, parse_address, plain_host, verify_port
from hocp2p.net.binding import bind
from hocp2p.net.certificate import Certificate, client_context, read_certificate, server_context
from hocp2p.net.gate import Gate
from hocp2p.net.link import MAX_FRAME_BYTES, Link, verify_frame

SUBPROTOCOL: Final = Subprotocol("hocp2p")
OPEN_TIMEOUT_S: Final = 10.0
CLOSE_TIMEOUT_S: Final = 3.0
SEND_TIMEOUT_S: Final = 10.0
PING_INTERVAL_S: Final = 5.0
PING_TIMEOUT_S: Final = 10.0
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
        self._peer = _peer_name(connection)
        self._failure: LinkError | None = None

    @property
    def peer(self) -> str:
        return self._peer

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
            self._failure = LinkError("bad-frame", f"{self._peer} sent a frame that is text or empty")
            await self._connection.close(CloseCode.UNSUPPORTED_DATA)
            raise self._failure
        return frame

    async def close(self) -> None:
        await self._connection.close()

    def _drop_slow_peer(self) -> LinkError:
        self._failure = LinkError("slow-peer", f"{self._peer} does not take what we send; the link was closed")
        self._connection.transport.abort()
        return self._failure


def _peer_name(connection: Connection) -> str:
    address = connection.remote_address  # None where the peer was gone before we could ask
    return str(Address(plain_host(address[0]), address[1])) if address else "unknown"


def _backlog_bytes(connection: Connection) -> int:
    return connection.transport.get_write_buffer_size()


def _closed_error(error: ConnectionClosed) -> LinkError:
    if isinstance(error, ConnectionClosedOK):
        return LinkError("closed", "the link is closed")
    if error.sent is not None and error.sent.code == CloseCode.MESSAGE_TOO_BIG:
        return LinkError("too-large", f"the other side sent a frame of more than {MAX_FRAME_BYTES} bytes")
    return LinkError("lost", "the link is lost: the other side is gone or does not answer")


@dataclass(frozen=True, slots=True)
class Trust:
    """Who has to answer: what is given has to hold.

    Args:
        pin: first 16 bytes of the SHA-256 of the certificate.
        key: identity key in it, 32 bytes.
    """

    pin: bytes | None = None
    key: bytes | None = None

    def verify(self, certificate: Certificate) -> None:
        """Raises LinkError ``key-mismatch`` for somebody else's certificate."""
        if self.pin not in (None, certificate.pin) or self.key not in (None, certificate.key):
            raise LinkError(
                "key-mismatch",
                "SOMEBODY ELSE ANSWERS at that address: its key is not the expected one, and nothing was sent to it; "
                "ask the host for a new invite by another way",
            )


ANYBODY: Final = Trust()


class _BoundedClient(ClientConnection):
    trust: Trust = ANYBODY
    certificate: Certificate | None = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        _bound_backlog(self)

    async def handshake(self, *given: Any, **named: Any) -> None:
        """The HTTP handshake, begun only when the certificate is the right one."""
        der = self.transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
        certificate = read_certificate(der or b"")
        self.trust.verify(certificate)
        self.certificate = certificate
        await super().handshake(*given, **named)


class _BoundedServer(ServerConnection):
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        _bound_backlog(self)


def _bound_backlog(connection: Connection) -> None:
    """Pings are answered without anybody sending: a peer that pings and never reads must not fill our memory."""
    if _backlog_bytes(connection) > MAX_BACKLOG_BYTES:
        connection.transport.abort()


async def dial(
    address: Address, trust: Trust = ANYBODY, *, via: str | None = None, timeout_s: float = OPEN_TIMEOUT_S
) -> Link:
    """Opens a link to somebody who listens. Nothing is said to him before his certificate was compared.

    Args:
        address: a name or an IP address, all addresses of a name are tried; and a TCP port 1..65535.
        trust: who has to answer.
        via: a proxy, ``http://HOST:PORT`` or ``socks5://HOST:PORT``; None: directly.
        timeout_s: for everything together: looking the name up, connecting, shaking hands.

    Raises:
        LinkError: ``no-such-host``, ``refused-connection`` (nobody listens), ``unreachable``, ``timeout``,
            ``bad-handshake`` (somebody listens, but no hocp2p table that has room), ``bad-certificate``,
            ``key-mismatch``, ``bad-proxy``.
        LocalError: ``bad-address``, the port is none; ``bad-proxy``, it is none.
    """
    host, port = address
    verify_port(port)
    uri = f"wss://{Address(host.partition('%')[0], port)}/"

    # Given apart from the URI, so that a redirect cannot lead us elsewhere; a proxy is told the address itself.
    apart: dict[str, Any] = {"proxy": verify_proxy(via)} if via is not None else {
        "proxy": None, "host": host, "port": port, "happy_eyeballs_delay": 0.25,
    }  # fmt: skip
    try:
        connection = await connect(
            uri,
            ssl=client_context(),
            server_hostname="hocp2p" if via is None else None,
            user_agent_header=None,
            open_timeout=timeout_s,
            create_connection=type("_Trusting", (_BoundedClient,), {"trust": trust}),
            **apart,
            **_OPTIONS,
        )
    except ImportError as error:
        raise LocalError(
            "bad-proxy", "SOCKS proxies need the package python-socks: pip install hocp2p[socks]"
        ) from error
    except (OSError, WebSocketException, ValueError) as error:
        raise _dial_error(address, error, via) from error
    if connection.subprotocol != SUBPROTOCOL:
        await connection.close()
        raise LinkError("bad-handshake", f"what listens at {address} is not hocp2p; check host and port")
    certificate = getattr(connection, "certificate", None)
    return WebSocketLink(connection, None if certificate is None else certificate.key)


def verify_proxy(via: str) -> str:
    """A proxy as it is written. Raises LocalError ``bad-proxy``."""
    scheme, _, where = via.partition("://")
    if scheme not in ("http", "socks5", "socks5h"):
        raise LocalError("bad-proxy", f"{via!r} is no proxy: write http://HOST:PORT or socks5://HOST:PORT")
    parse_address(where.rpartition("@")[2].rstrip("/"))
    return via


def _dial_error(where: Address, error: Exception, via: str | None) -> LinkError:
    """One sentence that says what is wrong and what to do."""
    if isinstance(error, ProxyError):
        return LinkError("bad-proxy", f"the proxy {via} does not lead to {where}: {error}")
    if isinstance(error, ssl.SSLError):
        return LinkError("bad-handshake", f"what listens at {where} is not hocp2p; check host and port")
    if isinstance(error, (socket.gaierror, UnicodeError, InvalidURI)):  # not found, or no name at all
        return LinkError("no-such-host", f"there is no host {where.host!r}; check the name")
    if isinstance(error, TimeoutError):
        return LinkError("timeout", f"{where} does not answer; check the address, or a firewall is in the way")
    # ValueError: a redirect to elsewhere, which we do not follow.
    if isinstance(error, (WebSocketException, ValueError, ConnectionResetError, BrokenPipeError)):
        return LinkError("bad-handshake", f"what listens at {where} is not hocp2p, or has no room; check host and port")
    # When several addresses failed each in its own words, asyncio keeps their words only.
    if isinstance(error, ConnectionRefusedError) or f"[Errno {errno.ECONNREFUSED}]" in str(error):
        return LinkError("refused-connection", f"nobody listens at {where}; is the table open?")
    return LinkError("unreachable", f"there is no way to {where}; check the address and your network")


OnLink = Callable[[Link], Awaitable[None]]


class _Counted(socket.socket):
    """An accepted connection that the gate counts until it is closed, whatever becomes of its handshakes."""

    gate: Gate
    host: str
    shaken = False

    def close(self) -> None:
        if self.fileno() != -1:
            self.gate.leave(self.host, shaken=self.shaken)
        super().close()


class _Gated(socket.socket):
    """A listening socket that shuts out, before a byte is read, whom the gate does not admit."""

    gate: Gate

    def accept(self) -> tuple[socket.socket, Any]:
        while True:
            handle, address = self._accept()  # type: ignore[attr-defined] # as socket.accept does, for another class
            connection = _Counted(self.family, self.type, self.proto, fileno=handle)
            connection.gate, connection.host = self.gate, str(address[0])
            if self.gate.admit(connection.host):
                connection.setblocking(False)
                return connection, address
            socket.socket.close(connection)


class Listener:
    """A listening socket and the links that came in by it. Also an asynchronous context manager that closes it."""

    def __init__(self, on_link: OnLink, gate: Gate) -> None:
        self._on_link = on_link
        self._gate = gate
        self._connections: set[ServerConnection] = set()
        self._server: Server
        self._addresses: tuple[Address, ...] = ()

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where it listens; ``::`` or ``0.0.0.0`` for every interface."""
        return self._addresses

    async def open(self, bound: socket.socket, seed: bytes, open_timeout_s: float) -> None:
        """Serves on a bound socket. Called by :func:`listen`, once."""
        listener = self

        class Tracked(_BoundedServer):
            """Is known until its end, so that a half-open one can be cut off when we close."""

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                listener._connections.add(self)

            def connection_lost(self, exc: Exception | None) -> None:
                super().connection_lost(exc)
                listener._connections.discard(self)

        self._addresses = (Address(*bound.getsockname()[:2]),)
        gated = _Gated(bound.family, bound.type, bound.proto, fileno=bound.detach())
        gated.gate = self._gate
        try:
            self._server = await serve(
                self._handle,
                sock=gated,
                ssl=server_context(seed),
                ssl_handshake_timeout=open_timeout_s,
                origins=[None],
                server_header=None,
                open_timeout=open_timeout_s,
                create_connection=Tracked,
                **_OPTIONS,
            )
        except BaseException:
            gated.close()
            raise

    async def close(self) -> None:
        """Listens no more, closes all links and waits for their handlers. Idempotent."""
        self._server.close()
        for connection in tuple(self._connections):
            if connection.state is State.CONNECTING:
                connection.transport.abort()
        await self._server.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _handle(self, connection: ServerConnection) -> None:
        counted = getattr(connection.transport.get_extra_info("socket"), "_sock", None)
        if isinstance(counted, _Counted):
            counted.shaken = True
            self._gate.shaken(counted.host)
        try:
            await self._on_link(WebSocketLink(connection))
        except LinkError as error:
            _LOGGER.info("link ended: %s", error.code)


async def listen(
    host: str,
    port: int,
    on_link: OnLink,
    seed: bytes,
    *,
    gate: Gate | None = None,
    open_timeout_s: float = OPEN_TIMEOUT_S,
) -> Listener:
    """Listens for guests: ``async with await listen("", 7411, on_link) as listener: ...``.

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
