"""A link carries frames (bytes) between two peers, in order, and knows nothing of what they mean."""

from __future__ import annotations

from typing import Final, Protocol

from hocp2p.errors import LocalError

MAX_FRAME_BYTES: Final = 65_536
"""What a link carries at most; the frames of the protocol are bounded by themselves (``wire.frames``)."""


class Link(Protocol):
    """One open connection. Safe to send from one task and receive in another."""

    @property
    def peer(self) -> str:
        """Where it leads, for people: ``127.0.0.1:40112`` or ``memory``."""

    @property
    def host(self) -> str:
        """IP address of the other end, without port and brackets; empty where there is none."""

    @property
    def key(self) -> bytes | None:
        """Identity key (32 bytes) that the other end of a link that we dialled has proved by its certificate.

        None for links that we did not dial, and within one process.
        """

    async def send(self, frame: bytes) -> None:
        """Sends one frame of 1 to MAX_FRAME_BYTES bytes, waiting while the peer is slow.

        Raises:
            LinkError: the link is down, or was closed because the peer takes nothing any more (``slow-peer``).
            LocalError: the frame is empty or too large.
        """

    async def receive(self) -> bytes:
        """The next frame. Raises LinkError when the link is down and nothing is left to read."""

    async def close(self) -> None:
        """Closes both directions; idempotent. Frames already sent are delivered if the peer still reads."""


def verify_frame(frame: bytes) -> None:
    """Raises LocalError, ``empty-frame`` or ``too-large``, unless ``frame`` may be sent."""
    if not frame:
        raise LocalError("empty-frame", "a frame has at least one byte")
    if len(frame) > MAX_FRAME_BYTES:
        raise LocalError("too-large", f"a frame has at most {MAX_FRAME_BYTES} bytes, not {len(frame)}")
