"""Links over WebSocket and TLS: what both ends have in common. ``dialling`` opens them, ``listening`` takes them in.

WebSocket is used as a framing of bytes that proxies and tunnels understand, with its pings to notice a dead peer; what
the bytes are is not looked at, and never logged. The subprotocol ``hocp2p`` tells a table from any other server, and
requests that a web page makes (they carry an ``Origin``) are refused.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK
from websockets.frames import CloseCode
from websockets.typing import Subprotocol

from hocp2p.errors import LinkError
from hocp2p.net.address import Address, plain_host
from hocp2p.net.link import MAX_FRAME_BYTES, verify_frame

SUBPROTOCOL: Final = Subprotocol("hocp2p")
OPEN_TIMEOUT_S: Final = 10.0
SEND_TIMEOUT_S: Final = 10.0
# The library pings so long after the last answer, waits so long for the next, and then so long for a polite end: a dead
# link is given up after the sum of the three, 14 s.
PING_INTERVAL_S: Final = 3.0
PING_TIMEOUT_S: Final = 9.0
CLOSE_TIMEOUT_S: Final = 2.0
WRITE_LIMIT_BYTES: Final = 65_536
"""Bytes that may wait before ``send`` waits too."""
MAX_BACKLOG_BYTES: Final = 1_048_576
"""Bytes that may wait in all, whoever sends them; beyond it the link is closed."""
MAX_QUEUE_FRAMES: Final = 16

LOGGER: Final = logging.getLogger("hocp2p.net.websocket")
LOGGER.setLevel(logging.INFO)  # at DEBUG the library logs what the frames hold

OPTIONS: Final[dict[str, Any]] = {
    "subprotocols": [SUBPROTOCOL],
    "compression": None,
    "ping_interval": PING_INTERVAL_S,
    "ping_timeout": PING_TIMEOUT_S,
    "close_timeout": CLOSE_TIMEOUT_S,
    "max_size": MAX_FRAME_BYTES,
    "max_queue": MAX_QUEUE_FRAMES,
    "write_limit": WRITE_LIMIT_BYTES,
    "logger": LOGGER,
}
"""Of the library, at both ends."""


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


def bound_backlog(connection: Connection) -> None:
    """Pings are answered without anybody sending: a peer that pings and never reads must not fill our memory."""
    if _backlog_bytes(connection) > MAX_BACKLOG_BYTES:
        connection.transport.abort()
