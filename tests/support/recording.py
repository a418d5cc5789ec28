"""Sessions as records (``protocol/SPEC.md``, 17): written from a table in memory, and replayed by a real ``Table``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hocp2p.crypto.deck import MentalPoker, MentalPokerSession
from hocp2p.crypto.identity import Identity
from hocp2p.crypto.scheme import DealPlan, Randomness
from hocp2p.errors import PeerError
from hocp2p.table.effects import Blame, Effect, Record, Send
from hocp2p.table.moves import MOVES, decode_action
from hocp2p.table.table import Table
from hocp2p.table.terms import read_proposal
from hocp2p.wire.envelope import Envelope, decode_envelope
from hocp2p.wire.frames import Proposal, Sealed, decode_frame
from hocp2p.wire.messages import Leaving, Presence, Reachable, SeatLost, ShownHand, Talk, Vote, decode_message
from tests.support.tables import HOST, StarTable

MAGIC = b"hocp2p-record-1\n"


def write_record(entries: Iterable[tuple[int, bytes]]) -> bytes:
    """A record: length (4 bytes, of what follows), kind (1 byte) and payload of every entry."""
    return MAGIC + b"".join((1 + len(data)).to_bytes(4, "big") + bytes([kind]) + data for kind, data in entries)


class RecordingTable(StarTable):
    """A table in memory that keeps what the host, or another, writes into the public record."""

    keeper = HOST

    def __post_init__(self) -> None:
        self.recorded: list[tuple[int, bytes]] = []
        super().__post_init__()

    def perform(self, seat: int, effects: list[Effect]) -> None:
        """See ``StarTable.perform``."""
        if seat == self.keeper:
            self.recorded += [(effect.kind, effect.payload) for effect in effects if isinstance(effect, Record)]
        super().perform(seat, effects)

    @property
    def record(self) -> bytes:
        """The file."""
        return write_record(self.recorded)


class PinnedScheme:
    """The real deal with randomness that is the same in every run: a stream for each deck and seat.

    Args:
        streams: gives the stream for the number of a deal (0 for the draw) and a seat.
    """

    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    def join(
        self, *, context: bytes, seats: int, seat: int, plan: DealPlan, order: Sequence[int], randomness: Randomness
    ) -> MentalPokerSession:
        """See ``DealScheme.join``; ``randomness`` is not used."""
        del randomness
        number = (int.from_bytes(context[-4:], "big") - 1) // 2
        stream = self._streams.of(number, seat)
        return MentalPoker().join(context=context, seats=seats, seat=seat, plan=plan, order=order, randomness=stream)


class Streams:
    """Where pinned randomness comes from; see ``PinnedScheme``."""

    def of(self, number: int, seat: int) -> Randomness:
        """The stream of one seat in one deck."""
        raise NotImplementedError


@dataclass
class Replay:
    """One seat's real ``Table``, led through a recorded session.

    Args:
        proposal: as recorded.
        seat: ours.
        seed: of our identity.
        streams: of our decks.
    """

    proposal: bytes
    seat: int
    seed: bytes
    streams: Streams
    said: set[bytes] = field(default_factory=set)
    blames: list[PeerError] = field(default_factory=list)

    def __post_init__(self) -> None:
        frame = decode_frame(self.proposal)
        assert isinstance(frame, Proposal)
        terms = read_proposal(frame, self.proposal)
        identity = Identity.from_seed(self.seed)
        self.table = Table(terms, self.seat, identity, PinnedScheme(self.streams), zeros)

    def feed(self, raw: bytes) -> None:
        """The next envelope: another seat's is received; our own is said, and must come out in these very bytes."""
        envelope = decode_envelope(raw)
        if envelope.seat == self.seat:
            self._say(envelope)
        else:
            self.table.receive(raw)
        self._collect()
        assert envelope.seat != self.seat or raw in self.said, f"we say something else at {envelope.slot}"

    def _say(self, envelope: Envelope) -> None:
        self._collect()
        if envelope.raw in self.said:
            return
        message = decode_message(envelope.body)
        if isinstance(message, MOVES):
            self.table.act(decode_action(message)[0])
        elif isinstance(message, Talk):
            self.table.say(message.text)
        elif isinstance(message, Presence):
            self.table.be_away(bool(message.away))
        elif isinstance(message, ShownHand):
            self.table.show_hand()
        elif isinstance(message, Reachable):
            self.table.be_reachable(message.addresses)
        elif isinstance(message, Vote):
            self.table.vote(message.seat, go_on=bool(message.go_on))
        elif isinstance(message, Leaving):
            self.table.leave()
        elif isinstance(message, SeatLost):
            self.table.lose(message.seat, "left")
        elif self.seat not in self.table.ready_seats():
            self.table.ready()

    def _collect(self) -> None:
        for effect in self.table.drain():
            if isinstance(effect, Send):
                frame = decode_frame(effect.frame)
                assert isinstance(frame, Sealed)
                self.said.add(frame.envelope)
            elif isinstance(effect, Blame):
                self.blames.append(effect.error)


def zeros(size_bytes: int) -> bytes:
    """Seeds for decks whose scheme is pinned, and which do not use them."""
    return bytes(size_bytes)
