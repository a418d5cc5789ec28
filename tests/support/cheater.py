"""A seat that cheats at a whole table: its signed messages are changed on their way, by somebody who has its key."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from hocp2p.crypto.identity import verify_signature
from hocp2p.errors import PeerError
from hocp2p.game.state import DealState
from hocp2p.table.chain import track_label
from hocp2p.table.effects import Blame, Effect, HangUp, Notify, Persist
from hocp2p.table.events import SeatLeft, TableStopped
from hocp2p.table.snapshot import Stage
from hocp2p.table.table import Table
from hocp2p.wire.envelope import Envelope, Slot, decode_envelope, seal
from hocp2p.wire.frames import Sealed, decode_frame, encode_frame
from hocp2p.wire.messages import Leaving, Message, SeatLost, decode_message, encode_message
from tests.support.tables import StarTable

MAX_DIALS: Final = 3
FIRST_MOVE: Final = 2  # step of a deal after its shares


@dataclass
class CheatedTable(StarTable):
    """A star that remembers how much each seat had signed when it first knew that something was wrong.

    Where nothing moves any more, the seats dial whom they miss: who is told lies by the one in the middle finds out.
    """

    signed_at_fault: dict[int, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.uttered: list[list[bytes]] = [[] for _ in range(self.seats)]
        self.hung_up: list[tuple[int, int]] = []  # who, and on whom
        super().__post_init__()

    def perform(self, seat: int, effects: list[Effect]) -> None:
        for effect in effects:
            super().perform(seat, [effect])
            if isinstance(effect, HangUp):
                self.hung_up.append((seat, effect.link))
            if isinstance(effect, Persist) and effect.ours:
                self.uttered[seat].append(effect.payload)
            if isinstance(effect, Blame | Notify) and _is_fault(effect):
                self.signed_at_fault.setdefault(seat, len(self.uttered[seat]))

    def run_linked(self) -> None:
        """Runs; whoever misses somebody dials, as often as it may help."""
        self.run()
        for _ in range(MAX_DIALS):
            if not self.relink():
                return
            self.run()

    def table_of(self, seat: int) -> Table:
        """A seat's table, once it is proposed; the one that it has parted from, if it has."""
        peer = self.peers[seat]
        table = peer._before or peer.table
        assert table is not None
        return table

    def stops(self, seat: int) -> list[TableStopped]:
        """Why the table stopped, as a seat knows it."""
        return [event for event in self.events[seat] if isinstance(event, TableStopped)]

    def spoken(self, seat: int, first: int = 0) -> list[tuple[Envelope, Message]]:
        """What a seat has signed, from its envelope number ``first`` on."""
        envelopes = [decode_envelope(raw) for raw in self.uttered[seat][first:]]
        return [(each, decode_message(each.body)) for each in envelopes]


def _is_fault(effect: Blame | Notify) -> bool:
    return isinstance(effect, Blame) or isinstance(effect.event, SeatLeft | TableStopped)


@dataclass(frozen=True)
class Said:
    """One message of the cheat that is about to go over a link."""

    to: int
    envelope: Envelope
    message: Message
    cheater: Cheater

    def but(self, message: Message | None = None, **fields: Any) -> Envelope:
        """The same envelope with another message or other fields, signed again with the cheat's own key."""
        names = ("table", "track", "step", "seat", "head", "body")
        values = {name: fields.get(name, getattr(self.envelope, name)) for name in names}
        if message is not None:
            values["body"] = encode_message(message)
        return seal(**values, sign=self.cheater.sign)

    @property
    def binding(self) -> bytes:
        """What the proof in this message is bound to."""
        envelope = self.envelope
        return envelope.track.to_bytes(4, "big") + envelope.step.to_bytes(4, "big") + envelope.head

    @property
    def state(self) -> DealState | None:
        """The deal as an honest seat knows it before this message, where one stands at this step."""
        track, step = self.envelope.track, self.envelope.step
        for seat in self.cheater.honest:
            table = self.cheater.table.peers[seat].table
            deal = None if table is None or table.course.play != track else table.course.deal
            if table is not None and deal is not None and table.tracks[track].step == step:
                return deal.state
        return None


Cheat = Callable[[Said], Iterable[Envelope | bytes] | None]
"""What goes over the link instead: envelopes, or frames as bytes. None where this message gives no occasion."""


class Cheater:
    """Cheats once: in the first slot that gives occasion, on every link that the message goes over.

    Args:
        table: where; from now on the cheat's frames pass through here.
        seat: who cheats.
        cheat: how.
    """

    def __init__(self, table: CheatedTable, seat: int, cheat: Cheat) -> None:
        self.table = table
        self.seat = seat
        self.honest = [other for other in range(table.seats) if other != seat]
        self.sign = table.peers[seat].me.identity.sign
        self.slot: Slot | None = None
        self._told: Envelope | None = None  # instead of the honest one, where it is one
        self._cheat = cheat
        table.tamper = self._tamper

    def _tamper(self, frm: int, to: int, data: bytes) -> Iterable[bytes]:
        frame = decode_frame(data)
        if frm != self.seat or not isinstance(frame, Sealed):
            return [data]
        envelope = decode_envelope(frame.envelope)
        if envelope.seat != self.seat:
            return [data]
        said = Said(to, envelope, decode_message(envelope.body), self)
        if self.slot not in (None, envelope.slot):
            return [encode_frame(Sealed(self._standing_by_the_lie(said).raw))]
        instead = self._cheat(said)
        if instead is None:
            return [data]
        self.slot = envelope.slot
        instead = list(instead)
        self._told = instead[0] if len(instead) == 1 and isinstance(instead[0], Envelope) else None
        return [each if isinstance(each, bytes) else encode_frame(Sealed(each.raw)) for each in instead]

    def _standing_by_the_lie(self, said: Said) -> Envelope:
        """The next message on the track goes on from what the others were told: else a broken chain gives it away."""
        told, envelope = self._told, said.envelope
        if told is None or (envelope.track, envelope.step) != (told.track, told.step + 1):
            return envelope
        kept = self.table.table_of(self.seat).tracks[told.track]._envelopes
        others = [each for slot, each in kept.items() if slot[0] == told.step and slot[1] != self.seat]
        digests = [each.digest for each in sorted([*others, told], key=lambda each: each.seat)]
        return said.but(head=hashlib.sha256(b"hocp2p/1 step" + told.head + b"".join(digests)).digest())

    # -- what must follow ---------------------------------------------------------------------------------------------

    def verify_blamed(self, code: str, step: str | None = None) -> None:
        """Every honest seat blames the cheat, once, with evidence that stands without its word.

        Args:
            code: of the fault.
            step: where; the slot of the cheat unless given.
        """
        assert self.slot is not None, "the cheat had no occasion"
        step = step or f"{track_label(self.slot.track)}/{self.slot.step}"
        for seat in self.honest:
            blames = [(error.seat, error.code, error.step) for error in self.table.blames[seat]]
            assert blames == [(self.seat, code, step)], (seat, blames)
            self.verify_evidence(self.table.blames[seat][0])

    def verify_evidence(self, error: PeerError) -> None:
        """The evidence is envelopes of this table that the cheat has signed; two different ones for equivocation."""
        assert len(error.evidence) == (2 if error.code == "equivocation" else 1)
        envelopes = [decode_envelope(raw) for raw in error.evidence]
        for envelope in envelopes:
            assert envelope.seat == self.seat
            assert envelope.table == self.table.table_of(self.seat).terms.table
            verify_signature(self.table.peers[self.seat].me.identity.public, envelope.signed, envelope.signature)
        assert len({envelope.digest for envelope in envelopes}) == len(envelopes)
        assert len({envelope.slot for envelope in envelopes}) == 1

    def verify_nobody_blamed(self) -> None:
        """No honest seat names a seat."""
        assert [self.table.blames[seat] for seat in self.honest] == [[] for _ in self.honest]

    def verify_ended(self) -> None:
        """Two who remain go on without the cheat, as rule 5 lets them; one alone stops, and signs nothing more."""
        if len(self.honest) > 1:
            self.verify_parted()
        else:
            self.verify_silent()

    def verify_silent(self) -> None:
        """Honest seats have stopped, and since they knew have signed nothing but claims of loss and goodbyes."""
        for seat in self.honest:
            assert self.table.peers[seat].over
            spoken = self.table.spoken(seat, self.table.signed_at_fault[seat])
            assert [message for _, message in spoken if not isinstance(message, SeatLost | Leaving)] == []

    def verify_parted(self) -> None:
        """Two honest seats of three left the table alike, the deal signed without the cheat if its hands were out."""
        tables = [self.table.table_of(seat) for seat in self.honest]
        partings = [table.parting for table in tables]
        assert partings[0] is not None
        assert partings[0].lost == {self.seat}
        assert partings.count(partings[0]) == len(partings)
        cut = tables[0].losses.cut(self.seat)
        assert cut is not None
        assert tables[0].course.finished == tables[1].course.finished
        deal = (cut[0] - 2) // 2
        finished = {each.number: each for each in tables[0].course.finished}
        played_out = deal in finished and finished[deal].state.gone == {self.seat}
        assert played_out == (deal >= 1 and cut[1] >= FIRST_MOVE)
        for seat in self.honest:
            (_, message), *rest = self.table.spoken(seat, self.table.signed_at_fault[seat])
            assert isinstance(message, SeatLost)
            assert message.seat == self.seat
            after = {each.track for each, _ in rest if (each.track, each.step) >= cut}
            assert after <= ({cut[0]} if played_out else set())
        lobbies = [self.table.peers[seat].snapshot() for seat in self.honest]
        assert [(each.stage, each.parted) for each in lobbies] == [(Stage.LOBBY, True)] * 2
        assert [each.hosting for each in lobbies] == [True, False]


def beside(kind: type[Message], more: Callable[[Said], Iterable[Envelope | bytes]], track: int | None = None) -> Cheat:
    """The first message of a kind goes out as it should, and others after it."""

    def cheat(said: Said) -> Iterable[Envelope | bytes] | None:
        if not isinstance(said.message, kind) or track not in (None, said.envelope.track):
            return None
        return [said.envelope, *more(said)]

    return cheat
