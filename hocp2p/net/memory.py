"""Two ends of a link within one process: for simulations, and for tests of everything above."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from hocp2p.errors import LinkError
from hocp2p.net.link import Link, verify_frame

DEFAULT_LIMIT: Final = 1024


def memory_pair(limit: int = DEFAULT_LIMIT) -> tuple[Link, Link]:
    """Two linked ends.

    Args:
        limit: frames that may wait in either direction; then ``send`` waits until the peer reads.
    """
    there, back = _Pipe(limit), _Pipe(limit)
    return MemoryLink(there, back), MemoryLink(back, there)


class _Pipe:
    """One direction: a bounded queue that can be closed while somebody waits at either end."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._frames: deque[bytes] = deque()
        self._open = True
        self._changed = asyncio.Condition()

    async def put(self, frame: bytes) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: not self._open or len(self._frames) < self._limit)
            if not self._open:
                raise LinkError("closed", "the link is closed")
            self._frames.append(frame)
            self._changed.notify_all()

    async def get(self) -> bytes:
        async with self._changed:
            await self._changed.wait_for(lambda: bool(self._frames) or not self._open)
            if not self._frames:
                raise LinkError("closed", "the link is closed")
            frame = self._frames.popleft()
            self._changed.notify_all()
            return frame

    async def close(self) -> None:
        async with self._changed:
            self._open = False
            self._changed.notify_all()


class MemoryLink:
    """One end; see :class:`hocp2p.net.link.Link`."""

    def __init__(self, outgoing: _Pipe, incoming: _Pipe) -> None:
        self._outgoing = outgoing
        self._incoming = incoming

    @property
    def peer(self) -> str:
        return "memory"

    @property
    def host(self) -> str:
        return ""

    @property
    def key(self) -> bytes | None:
        return None

    async def send(self, frame: bytes) -> None:
        verify_frame(frame)
        await self._outgoing.put(frame)

    async def receive(self) -> bytes:
        return await self._incoming.get()

    async def close(self) -> None:
        await self._outgoing.close()
        await self._incoming.close()
