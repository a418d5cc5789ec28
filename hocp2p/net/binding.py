"""Taking a port to listen on, and who comes in by it before a byte of his is read."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import selectors
import socket
import time
from typing import Any, Final

from hocp2p.errors import LinkError
from hocp2p.net.address import verify_port
from hocp2p.net.gate import Admission, Gate

REFUSALS_AT_ONCE: Final = 16
REFUSING_SHARE: Final = 0.1
"""Part of our time that goes to those who are turned away, at most."""
ALLOWANCE_S: Final = 0.005
"""Shorter rests are not worth one."""


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


class GatedSocket(socket.socket):
    """A listening socket that turns away whom a gate does not admit: closed before a byte was read or written.

    A flood of them does not slow those who play: between refusals it rests, while the system keeps those who wait. For
    that the event loop watches a selector in which this socket is or is not; Windows has none that can be watched.

    Args:
        bound: a listening socket, which is taken over.
        gate: counts each connection until it is closed, whatever becomes of its handshakes.
    """

    def __init__(self, bound: socket.socket, gate: Gate) -> None:
        super().__init__(bound.family, bound.type, bound.proto, fileno=bound.detach())
        self._gate = gate
        self._inside: dict[int, Admission] = {}  # by file descriptor
        self._rested_s = 0.0  # when refusals will have taken no more than their share
        self._rest: asyncio.TimerHandle | None = None
        self._watched: Any = selectors.DefaultSelector()
        self._number = super().fileno()
        self._watch()

    def fileno(self) -> int:
        """What the event loop has to watch; -1 when closed."""
        number = super().fileno()
        return int(self._watched.fileno()) if number != -1 and hasattr(self._watched, "fileno") else number

    def accept(self) -> tuple[socket.socket, Any]:
        """As of any socket, for those who are admitted. Raises BlockingIOError where nobody waits.

        After some refusals it says that nobody waits, so that a flood of them does not keep the event loop here.
        """
        began_s, refused = time.monotonic(), False
        self._watched.select(0)  # on macOS it looks readable until it has been asked: filt_kqueue in XNU's kern_event.c
        try:
            for _ in range(0 if self._rest else REFUSALS_AT_ONCE):
                number, address = self._accept()  # type: ignore[attr-defined] # as socket.accept does, for a class of ours
                connection = _Accepted(self.family, self.type, self.proto, fileno=number)
                admission = self._gate.admit(str(address[0]), connection.cut)
                if admission is not None:
                    connection.inside = self._inside
                    self._inside[number] = admission
                    return connection, address
                connection.close()
                refused = True
        finally:
            if refused:
                self._rest_after(began_s)
        raise BlockingIOError(errno.EAGAIN, "too many were turned away at once")

    def _rest_after(self, began_s: float) -> None:
        """Refusals have taken our time since then: rests where that was more than their share."""
        now_s = time.monotonic()
        self._rested_s = max(self._rested_s, began_s) + (now_s - began_s) / REFUSING_SHARE
        rest_s = self._rested_s - now_s
        if rest_s > ALLOWANCE_S and self._rest is None and hasattr(self._watched, "fileno"):
            self._watched.unregister(self._number)
            self._rest = asyncio.get_running_loop().call_later(rest_s, self._watch)

    def _watch(self) -> None:
        """Looks at who comes from now on."""
        self._rest = None
        self._watched.register(self._number, selectors.EVENT_READ)

    def close(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
        super().close()
        self._watched.close()

    def admission_of(self, number: int) -> Admission | None:
        """Of the open connection with this file descriptor; None where it has been cut off."""
        return self._inside.get(number)

    @property
    def admissions(self) -> tuple[Admission, ...]:
        """Of all that are open."""
        return tuple(self._inside.values())


class _Accepted(socket.socket):
    """A connection that came in."""

    inside: dict[int, Admission] | None = None

    def cut(self) -> None:
        """Ends it under whoever uses it; he learns of it as of any link that is lost.

        On Windows, who waits for bytes of a silent other end is told by nobody: there the time of a handshake ends it.
        """
        with contextlib.suppress(OSError):  # the other end was faster
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        admission = None if self.inside is None else self.inside.pop(self.fileno(), None)
        if admission is not None:
            admission.leave()
        super().close()
