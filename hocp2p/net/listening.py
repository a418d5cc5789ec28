"""Listening for guests: a socket behind a gate, and the links that come in by it over TLS and WebSocket."""

from __future__ import annotations

import socket
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

from websockets.asyncio.server import Server, ServerConnection, serve

from hocp2p.errors import LinkError
from hocp2p.net.address import Address
from hocp2p.net.binding import GatedSocket, bind
from hocp2p.net.gate import Admission, Gate
from hocp2p.net.link import Link
from hocp2p.net.tls import server_context
from hocp2p.net.websocket import CLOSE_TIMEOUT_S, LOGGER, OPEN_TIMEOUT_S, OPTIONS, WebSocketLink, bound_backlog

OnLink = Callable[[Link], Awaitable[None]]


class _BoundedServer(ServerConnection):
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        bound_backlog(self)


class _AcceptedLink(WebSocketLink):
    """A stranger's, until his first frame has come."""

    def __init__(self, connection: ServerConnection, admission: Admission) -> None:
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
                **OPTIONS,
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
        if admission is None:  # cut off meanwhile
            return
        self._open.add(admission)
        try:
            await self._on_link(_AcceptedLink(connection, admission))
        except LinkError as error:
            LOGGER.info("link ended: %s", error.code)
        finally:
            self._open.discard(admission)


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
