"""The open links of one seat: each is read one frame at a time and written from a queue of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from hocp2p.errors import LinkError
from hocp2p.net.link import Link
from hocp2p.table.effects import Effect
from hocp2p.table.peer import Peer

logger = logging.getLogger(__name__)

MAX_WAITING_FRAMES: Final = 1024  # per link; a peer that reads no faster is cut off
FIRST_FRAME_S: Final = 15.0
FLUSH_S: Final = 5.0  # how long the last frames may take at the end

Input = Callable[[], list[Effect]]


class _Wire:
    """One attached link and its queue of frames to send; None closes it after those before."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.outgoing: asyncio.Queue[bytes | None] = asyncio.Queue()


class Wires:
    """Links by number.

    Args:
        peer: what is told of links and frames.
        put: queues an input of the peer; its event is set when the effects have been carried out.
    """

    def __init__(self, peer: Peer, put: Callable[[Input], asyncio.Event]) -> None:
        self._peer = peer
        self._put = put
        self._wires: dict[int, _Wire] = {}
        self._next_link = 0
        self._writers: set[asyncio.Task[None]] = set()
        self._readers: set[asyncio.Task[None]] = set()
        self._closing = False

    def attach(self, link: Link, *, dialled: bool = False) -> asyncio.Task[None]:
        """Takes a link over, which we have dialled or not, and reads it until it is down. The task ends with the link.

        When the table is over the link is closed at once.
        """
        if self._closing:
            return asyncio.create_task(link.close())
        number = self._next_link
        self._next_link += 1
        wire = self._wires[number] = _Wire(link)
        writer = asyncio.create_task(self._write(wire), name=f"write {link.peer}")
        opened = self._put(partial(self._peer.link_opened, number, dialled=dialled, certificate=link.key))
        reader = asyncio.create_task(self._read(number, wire, opened), name=f"read {link.peer}")
        self._writers.add(writer)
        self._readers.add(reader)
        writer.add_done_callback(self._writers.discard)
        reader.add_done_callback(self._readers.discard)
        return reader

    async def _read(self, number: int, wire: _Wire, opened: asyncio.Event) -> None:
        """Reads a link, one frame at a time: the next is taken when the last has been worked off."""
        await opened.wait()
        try:
            frame = await self._first_frame(wire.link)
            while True:
                await self._put(partial(self._peer.receive, number, frame)).wait()
                frame = await wire.link.receive()
        except LinkError as error:
            logger.info("link %s is down: %s", wire.link.peer, error.message)
        self.hang_up(number)
        await wire.link.close()
        if not self._closing:
            await self._put(lambda: self._peer.link_closed(number)).wait()

    async def _first_frame(self, link: Link) -> bytes:
        """A peer that links and then says nothing is not waited for."""
        try:
            async with asyncio.timeout(FIRST_FRAME_S):  # wait_for of Python 3.11 can lose a cancellation
                return await link.receive()
        except TimeoutError:
            raise LinkError("silent", "the other side does not say who it is") from None

    async def _write(self, wire: _Wire) -> None:
        with contextlib.suppress(LinkError):  # the reader learns of it too, and tells
            while (frame := await wire.outgoing.get()) is not None:
                await wire.link.send(frame)
        await wire.link.close()

    def send(self, number: int, frame: bytes) -> None:
        """Queues a frame; a link that does not keep up is closed."""
        wire = self._wires.get(number)
        if wire is None:
            return
        if wire.outgoing.qsize() >= MAX_WAITING_FRAMES:
            logger.warning("link %s does not keep up; it is closed", wire.link.peer)
            self.hang_up(number)
        else:
            wire.outgoing.put_nowait(frame)

    def hang_up(self, number: int) -> None:
        """Closes a link after what was sent on it."""
        wire = self._wires.pop(number, None)
        if wire is not None:
            wire.outgoing.put_nowait(None)

    async def close(self) -> None:
        """Lets the last frames go out, then ends every link and task."""
        self._closing = True
        for number in list(self._wires):
            self.hang_up(number)
        if self._writers:
            await asyncio.wait(self._writers, timeout=FLUSH_S)
        tasks = [*self._readers, *self._writers]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
