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
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK, InvalidURI, WebSocketException
from websockets.frames import CloseCode
from websockets.protocol import State
from websockets.typing import Subprotocol

from hocp2p.errors import LinkError
from hocp2p.net.address import Address, plain_host, verify_port
from hocp2p.net.binding import bind
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

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._peer = _peer_name(connection)
        self._failure: LinkError | None = None

    @property
    def peer(self) -> str:
        return self._peer

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


class _BoundedClient(ClientConnection):
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        _bound_backlog(self)


class _BoundedServer(ServerConnection):
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        _bound_backlog(self)


def _bound_backlog(connection: Connection) -> None:
    """Pings are answered without anybody sending: a peer that pings and never reads must not fill our memory."""
    if _backlog_bytes(connection) > MAX_BACKLOG_BYTES:
        connection.transport.abort()


async def dial(host: str, port: int, timeout_s: float = OPEN_TIMEOUT_S) -> Link:
    """Opens a link to a listening table.

    Args:
        host: name or IP address; all addresses of a name are tried.
        port: TCP port 1..65535.
        timeout_s: for everything together: looking the name up, connecting, shaking hands.

    Raises:
        LinkError: ``no-such-host``, ``refused-connection`` (nobody listens), ``unreachable``, ``timeout``,
            ``bad-handshake`` (somebody listens, but no hocp2p table that has room).
        LocalError: ``bad-address``, the port is none.
    """
    verify_port(port)
    where = Address(host, port)
    uri = f"ws://{Address(host.partition('%')[0], port)}/"
    try:
        connection = await connect(
            uri,
            host=host,  # given apart from the URI, so a redirect cannot lead us elsewhere
            port=port,
            happy_eyeballs_delay=0.25,
            proxy=None,
            user_agent_header=None,
            open_timeout=timeout_s,
            create_connection=_BoundedClient,
            **_OPTIONS,
        )
    except (OSError, WebSocketException, ValueError) as error:
        raise _dial_error(where, error) from error
    if connection.subprotocol != SUBPROTOCOL:
        await connection.close()
        raise LinkError("bad-handshake", f"what listens at {where} is not hocp2p; check host and port")
    return WebSocketLink(connection)


def _dial_error(where: Address, error: Exception) -> LinkError:
    """One sentence that says what is wrong and what to do."""
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

    async def open(self, bound: socket.socket, open_timeout_s: float) -> None:
        """Serves on a bound socket. Called by :func:`listen`, once."""
        listener = self

        class Guarded(_BoundedServer):
            """Passes the gate before a byte is read, and is counted until its end."""

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                self._admitted = listener._enter(self)
                if not self._admitted:
                    self.transport.abort()

            def connection_lost(self, exc: Exception | None) -> None:
                super().connection_lost(exc)
                if self._admitted:
                    listener._leave(self)

        self._addresses = (Address(*bound.getsockname()[:2]),)
        self._server = await serve(
            self._handle,
            sock=bound,
            origins=[None],
            server_header=None,
            open_timeout=open_timeout_s,
            create_connection=Guarded,
            **_OPTIONS,
        )

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
        try:
            await self._on_link(WebSocketLink(connection))
        except LinkError as error:
            _LOGGER.info("link ended: %s", error.code)

    def _enter(self, connection: ServerConnection) -> bool:
        if not self._gate.admit(_host_of(connection)):
            return False
        self._connections.add(connection)
        return True

    def _leave(self, connection: ServerConnection) -> None:
        self._connections.discard(connection)
        self._gate.leave(_host_of(connection))


def _host_of(connection: ServerConnection) -> str:
    address = connection.remote_address  # may be None, see _peer_name
    return str(address[0]) if address else "unknown"


async def listen(
    host: str,
    port: int,
    on_link: OnLink,
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
        gate: limits of what is let in; the usual ones where none is given.
        open_timeout_s: a peer that has not finished its handshake by then is dropped.

    Raises:
        LinkError, LocalError: as :func:`hocp2p.net.binding.bind`.
    """
    listener = Listener(on_link, gate or Gate(time.monotonic))
    bound = await bind(host, port)
    try:
        await listener.open(bound, open_timeout_s)
    except BaseException:
        bound.close()
        raise
    return listener
