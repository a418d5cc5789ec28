"""What a track asks for and is told, and what everybody knows of a session besides its chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from protocol.generate.deal import Table
from protocol.generate.game import START_BALANCE, Deal
from protocol.generate.wire import Envelope, track_name

Heard = dict[int, tuple[str, list[Any]]]
"""Message names and fields by seat."""


@dataclass(frozen=True)
class Step:
    """Who must speak, and which messages they may say."""

    speakers: tuple[int, ...]
    expects: frozenset[str]


@dataclass(frozen=True)
class Said:
    """What closed a step: what was heard and the binding of the step; or the seat that was lost in place of it."""

    heard: Heard
    binding: bytes = b""
    lost: int | None = None


Steps = Generator[Step, Said, None]


@dataclass
class Track:
    """One chain."""

    number: int
    head: bytes
    steps: Steps
    present: Step | None
    step: int = 0
    slots: dict[tuple[int, int], Envelope] = field(default_factory=dict)
    cuts: set[int] = field(default_factory=set)

    @property
    def label(self) -> str:
        """For people."""
        return f"{track_name(self.number)}/{self.step}"


@dataclass
class Signed:
    """The deal that was signed last, in case somebody shows his hand."""

    number: int
    deal: Deal
    deck: Table
    binding: bytes
    shown: set[int] = field(default_factory=set)


class Standing:
    """Where a session stands.

    Args:
        table: the table id.
        seats, rules: as proposed.
    """

    def __init__(self, table: bytes, seats: int, rules: dict[str, str]) -> None:
        self.table, self.seats, self.rules = table, seats, rules
        self.everybody = tuple(range(seats))
        self.keys: list[bytes] = []  # of identities, by seat
        self.heads: dict[int, bytes] = {}  # final ones, by track
        self.checked: Counter[str] = Counter()
        self.dealer = 0  # of the deal that is played or comes next
        self.number = 0  # its number; 0 while the dealer is drawn
        self.balances = [START_BALANCE] * seats
        self.pools = [0, 0, 0]
        self.doubled: set[int] = set()
        self.begun: dict[int, Table] = {}  # decks by number of the deal, 0 for the draw
        self.decks: dict[int, Table] = {}  # those that all have signed
        self.deal: Deal | None = None  # with its hands dealt
        self.last: Signed | None = None
        self.lost: set[int] = set()
        self.first = 1  # number of the first deal at this table
        self.continued: list[Any] | None = None  # what the proposal says of the table before
