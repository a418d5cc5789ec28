"""What the table wants done. The parts of ``table/`` return these and never call each other's owners."""

from __future__ import annotations

from dataclasses import dataclass, field

from hocp2p.errors import PeerError
from hocp2p.table.events import TableEvent


@dataclass(frozen=True, slots=True)
class Send:
    """Put a frame on one link (``to``), or on every link to a seat of the table except ``but``."""

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


PROPOSAL, ENVELOPE, HAND = 1, 2, 3
"""Kinds of what is recorded and kept; a hand is kept only."""


@dataclass(frozen=True, slots=True)
class Record:
    """Belongs into the public record of the session: the proposal when all have signed, then every envelope."""

    kind: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Begin:
    """We are about to sign for a table: from here on what happens at it is kept.

    Args:
        table: its id, 32 bytes.
        seat: ours.
        proposal: as it was sent.
    """

    table: bytes
    seat: int
    proposal: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Persist:
    """To be kept, so that we can come back; what is ``ours`` has to be on the disk before anything else is sent."""

    kind: int
    payload: bytes = field(repr=False)
    ours: bool = False


@dataclass(frozen=True, slots=True)
class KeepSeed:
    """The secret seed of a deck, to be kept apart; on the disk before anything else is sent."""

    track: int
    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ForgetSeed:
    """The deck of a track is over: its seed is to be destroyed."""

    track: int


@dataclass(frozen=True, slots=True)
class Redescribe:
    """What is kept beside the journal about our seat is true no more: its invites have another secret."""


Effect = Send | HangUp | Notify | Blame | Record | Begin | Persist | KeepSeed | ForgetSeed | Redescribe
