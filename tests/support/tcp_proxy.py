"""A TCP proxy on 127.0.0.1 that stands for the network in between: it can be cut, frozen and mended.

with open_proxy(7411) as proxy:
    ... dial 127.0.0.1:{proxy.port} ...
    proxy.cut()     # every connection is reset, new ones too
    proxy.freeze()  # connections stay and nothing arrives any more
    proxy.mend()    # those that have lost something are reset, new ones work
"""

from __future__ import annotations

import contextlib
import enum
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

CHUNK_BYTES: Final = 65_536
DIAL_S: Final = 5.0
JOIN_S: Final = 10.0


class _State(enum.Enum):
    OPEN = enum.auto()
    CUT = enum.auto()
    FROZEN = enum.auto()


class Proxy:
    """Passes on what comes to ``port``; made by :func:`open_proxy`."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.carried = 0  # connections that have come through since the network was mended
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self._lock = threading.Lock()
        self._state = _State.OPEN
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def cut(self) -> None:
        """Resets every connection, and from now on every new one at once."""
        with self._lock:
            self._state = _State.CUT
            self._reset_all()

    def freeze(self) -> None:
        """From now on nothing arrives; connections are taken and seem to hold."""
        with self._lock:
            self._state = _State.FROZEN

    def mend(self) -> None:
        """Passes on again; connections that may have lost something are reset."""
        with self._lock:
            self._state = _State.OPEN
            self.carried = 0
            self._reset_all()

    def close(self) -> None:
        """Ends everything."""
        self.cut()
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)  # wakes whoever accepts
        self._server.close()
        for thread in self._threads:
            thread.join(JOIN_S)

    def _start(self, work: object, *arguments: object) -> None:
        assert callable(work)
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:  # closed
                return
            if self._is_cut():
                _reset(near)
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.target), DIAL_S)
            except OSError:
                _reset(near)
                continue
            far.settimeout(None)
            with self._lock:
                self._pairs.append((near, far))
                self.carried += 1
                if self._is_cut():  # while we dialled
                    self._reset_all()
            self._start(self._pump, near, far)
            self._start(self._pump, far, near)

    def _is_cut(self) -> bool:
        return self._state is _State.CUT

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while chunk := source.recv(CHUNK_BYTES):
                if self._state is _State.OPEN:
                    sink.sendall(chunk)
            if self._state is _State.OPEN:
                sink.shutdown(socket.SHUT_WR)
        except OSError:
            _reset(source)
            _reset(sink)

    def _reset_all(self) -> None:
        for near, far in self._pairs:
            _reset(near)
            _reset(far)
        self._pairs.clear()


def _reset(end: socket.socket) -> None:
    """Ends a connection the hard way, and wakes whoever reads from it."""
    with contextlib.suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.shutdown(socket.SHUT_RD)
    with contextlib.suppress(OSError):
        end.close()


@contextmanager
def open_proxy(target: int) -> Iterator[Proxy]:
    """A proxy to a port of 127.0.0.1 while the context lasts."""
    proxy = Proxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
