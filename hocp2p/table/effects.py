"""What the table wants done. The parts of ``table/`` return these and never call each other's owners."""

from __future__ import annotations

from dataclasses import dataclass

from hocp2p.errors import PeerError
from hocp2p.table.snapshot import TableEvent


@dataclass(frozen=True, slots=True)
class Send:
    """Put a frame on one link (``to``), or on every link except ``but``."""

    frame: bytes
    to: int | None = None
    but: int | None = None


@dataclass(frozen=True, slots=True)
class HangUp:
    """Close a link, after what was sent on it."""

    link: int
    why: str


@dataclass(frozen=True, slots=True)
class Notify:
    """Something happened that the screen wants to know."""

    event: TableEvent


@dataclass(frozen=True, slots=True)
class Blame:
    """A seat broke the protocol; the error holds the evidence."""

    error: PeerError


PROPOSAL, ENVELOPE = 1, 2
"""Kinds of what is recorded."""


@dataclass(frozen=True, slots=True)
class Record:
    """Belongs into the public record of the session: the proposal when all have signed, then every envelope."""

    kind: int
    payload: bytes


Effect = Send | HangUp | Notify | Blame | Record
