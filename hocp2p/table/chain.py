"""Sorts the signed envelopes of one track: early ones wait, doubles are dropped, two for one slot are evidence.

A *track* is a sequence of steps with a hash chain of its own. A step names the seats that must speak; when every one
of them has filled its slot the step closes, its envelopes are applied in the order of seats, and the head moves on
over exactly those envelopes. Arrival decides nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Final

from hocp2p.errors import LocalError, PeerError
from hocp2p.wire.envelope import Envelope

MAX_EARLY_STEPS: Final = 256  # how far ahead of us an honest peer can be: the others' moves of one deal
TRACK_NAMES: Final = ("deck", "play")


def track_label(track: int) -> str:
    """``setup``, ``draw deck``, ``draw``, ``deck 2``, ``play 2``: a track's name for people and evidence."""
    if track == 0:
        return "setup"
    deal, part = divmod(track - 1, 2)
    if deal == 0:
        return ("draw deck", "draw")[part]
    return f"{TRACK_NAMES[part]} {deal}"


def first_head(table: bytes, track: int, *before: bytes) -> bytes:
    """Head of a track before its first step: binds the table, the track's number and the tracks it builds on.

    Args:
        table: id of the table, 32 bytes.
        track: number of the track.
        before: final heads (32 bytes each) of earlier tracks.
    """
    return hashlib.sha256(b"hocp2p/1 track" + table + track.to_bytes(4, "big") + b"".join(before)).digest()


class Track:
    """The envelopes and the chain of one track.

    Args:
        number: of the track.
        head: before the first step, see :func:`first_head`.
    """

    def __init__(self, number: int, head: bytes) -> None:
        self.number = number
        self.head = head
        self.step = 0
        self.ended = False
        self._heads = [head]  # before each step so far
        self._cuts: set[int] = set()
        self._envelopes: dict[tuple[int, int], Envelope] = {}

    @property
    def label(self) -> str:
        """Where the track stands, for instance ``play 2/17``."""
        return f"{track_label(self.number)}/{self.step}"

    def add(self, envelope: Envelope) -> bool:
        """Takes an envelope whose signature was verified; False if it was here already, or is too far ahead.

        Raises PeerError ``equivocation`` for a second, different one in the same slot, ``out-of-turn`` for a slot of
        a step that closed without this seat or that never comes; LocalError ``history-differs`` as :meth:`collect`.
        """
        slot = (envelope.step, envelope.seat)
        known = self._envelopes.get(slot)
        if known is not None:
            if known.digest == envelope.digest:
                return False
            raise self._fault(envelope, "equivocation", "signed two different messages for one slot", known)
        if envelope.step in self._cuts:
            return False  # void, and it may have been on its way for long
        if envelope.step < self.step or self.ended:
            self._verify_same_history(envelope)
            raise self._fault(envelope, "out-of-turn", "spoke in a step that was not its own")
        if envelope.step > self.step + MAX_EARLY_STEPS:
            return False  # no honest seat is there; but another, a step before us, could not tell, so nobody is blamed
        self._envelopes[slot] = envelope
        return True

    def has(self, seat: int) -> bool:
        """Whether ``seat`` has filled its slot of the present step."""
        return (self.step, seat) in self._envelopes

    def waits_for(self, seat: int) -> bool:
        """Whether ``seat`` has said nothing on this track yet."""
        return self.step == 0 and not self.has(seat)

    def since(self, step: int) -> list[Envelope]:
        """What was said at ``step`` and later, as far as it still counts, in the order of slots."""
        return [
            envelope for slot, envelope in sorted(self._envelopes.items(), key=lambda kept: kept[0]) if slot[0] >= step
        ]

    def collect(
        self, speakers: Collection[int], at_fault: Collection[int] = frozenset()
    ) -> tuple[Envelope, ...] | None:
        """The envelopes of the present step in the order of seats, or None while one of ``speakers`` is missing.

        Args:
            speakers: seats that are asked.
            at_fault: seats that have been blamed: what they say out of turn is passed over.

        Raises PeerError ``out-of-turn`` when a seat that is not asked has spoken, LocalError ``history-differs``
        when a seat signed another history than ours (a fault somewhere, which accuses nobody).
        """
        present = {seat: envelope for (step, seat), envelope in self._envelopes.items() if step == self.step}
        for seat, envelope in present.items():
            if seat not in speakers and seat not in at_fault:
                self._verify_same_history(envelope)
                raise self._fault(envelope, "out-of-turn", "spoke in a step that was not its own")
        present = {seat: envelope for seat, envelope in present.items() if seat in speakers}
        if len(present) < len(speakers):
            return None
        for _, envelope in sorted(present.items()):
            self._verify_same_history(envelope)
        return tuple(envelope for _, envelope in sorted(present.items()))

    def close_step(self, envelopes: tuple[Envelope, ...]) -> None:
        """Moves the head over the envelopes of the present step."""
        self.head = hashlib.sha256(
            b"hocp2p/1 step" + self.head + b"".join(envelope.digest for envelope in envelopes)
        ).digest()
        self._heads.append(self.head)
        self.step += 1

    def cut(self, seat: int) -> None:
        """``seat`` leaves in place of the present step: what was said for it, and what ``seat`` said later, is void."""
        self._envelopes = {
            slot: envelope
            for slot, envelope in self._envelopes.items()
            if slot[0] != self.step and not (slot[1] == seat and slot[0] > self.step)
        }
        self.head = hashlib.sha256(b"hocp2p/1 loss" + self.head + seat.to_bytes(1, "big")).digest()
        self._heads.append(self.head)
        self._cuts.add(self.step)
        self.step += 1

    def binding(self) -> bytes:
        """What the proofs of the present step are bound to: track, step and the agreed history before it."""
        return self.number.to_bytes(4, "big") + self.step.to_bytes(4, "big") + self.head

    def _verify_same_history(self, envelope: Envelope) -> None:
        """Raises LocalError unless its head is ours before its step: in another history it may be right."""
        if self._heads[envelope.step : envelope.step + 1] != [envelope.head]:
            where = f"{track_label(self.number)}/{envelope.step}"
            raise LocalError("history-differs", f"seat {envelope.seat} has another history than ours at {where}")

    def _fault(self, envelope: Envelope, code: str, message: str, *others: Envelope) -> PeerError:
        label = f"{track_label(self.number)}/{envelope.step}"
        evidence = tuple(each.raw for each in (*others, envelope))
        return PeerError(envelope.seat, label, code, message, evidence)
