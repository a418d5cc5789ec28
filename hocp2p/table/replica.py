"""The heart of a table: closes the steps of its tracks, says what we have to say, names who is at fault.

What holds for every message is here: its body is decoded after its signature was verified, it must be of a kind that
the step expects, the step applies it, and only then does the history move over it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hocp2p.crypto.identity import Identity
from hocp2p.crypto.scheme import DealScheme, Randomness, SeatError
from hocp2p.errors import CryptoError, LocalError, PeerError, RuleError, WireError
from hocp2p.table.agreement import SETUP_TRACK
from hocp2p.table.asides import TALK_TRACK
from hocp2p.table.chain import Track
from hocp2p.table.course import Course
from hocp2p.table.effects import ENVELOPE, PROPOSAL, Blame, Effect, Notify, Record, Send
from hocp2p.table.losses import LOSS_TRACK, Losses
from hocp2p.table.snapshot import SeatReady, Stage, TableEvent, TableStopped
from hocp2p.table.steps import Step, Steps
from hocp2p.table.terms import Terms
from hocp2p.table.tracks import Tracks
from hocp2p.wire.envelope import Envelope, seal
from hocp2p.wire.frames import Sealed, encode_frame
from hocp2p.wire.messages import Message, decode_message, encode_message


class Replica(ABC):
    """One seat's copy of the table. ``table.Table`` adds what goes in and how a seat is lost.

    Args:
        terms: the proposal.
        us: our seat.
        identity: ours.
        scheme: the deal protocol.
        randomness: for our keys and shuffles.
    """

    def __init__(self, terms: Terms, us: int, identity: Identity, scheme: DealScheme, randomness: Randomness) -> None:
        self.terms = terms
        self.us = us
        self.seats = len(terms.seats)
        self.stopped: TableStopped | None = None
        self.losses = Losses(self.seats)
        self.tracks = Tracks(terms.table)
        self.course = Course(terms, us, self.tracks, scheme, randomness)
        self._identity = identity
        self._effects: list[Effect] = []
        self._at_fault: set[int] = set()  # seats that were blamed, each once

    @abstractmethod
    def lose(self, seat: int, why: str, code: str, step: str) -> None:
        """A seat is known to be lost."""

    @abstractmethod
    def _before_steps(self) -> bool:
        """Done before each round over the tracks; whether it moved anything."""

    @abstractmethod
    def _after_track(self) -> None:
        """Done when a track has ended and what follows from it has begun."""

    @property
    def stage(self) -> Stage:
        """See ``Stage``."""
        return Stage.STOPPED if self.stopped is not None else self.course.stage

    @property
    def over(self) -> bool:
        """Whether the table has ended, one way or the other."""
        return self.stage in (Stage.ENDED, Stage.STOPPED)

    def stop(self, why: TableStopped) -> None:
        """Ends the table early, where it was last signed by all."""
        if not self.over:
            self.stopped = why
            self.course.close()
            self._notify([why])

    def drain(self) -> list[Effect]:
        """The effects since the last call."""
        effects, self._effects = self._effects, []
        return effects

    # -- going on -----------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Closes every step that can be closed, and says what we have to say, until nothing moves."""
        moved = True
        while moved and not self.over:
            moved = self._before_steps()
            for track, steps in self.tracks:
                moved = (not self.over and self._try_step(track, steps)) or moved

    def _try_step(self, track: Track, steps: Steps) -> bool:
        step = steps.present
        if step is None or self.losses.hold(self.us, track, self.course.play):
            return False
        if self.us in step.speakers and not track.has(self.us):
            message = step.speak(track.binding())
            if message is not None:
                track.add(self._utter(track.number, track.step, track.head, message))
        envelopes = track.collect(step.speakers, self._at_fault)
        if envelopes is None:
            return False
        self._close_step(track, steps, step, envelopes)
        return True

    def _close_step(self, track: Track, steps: Steps, step: Step, envelopes: tuple[Envelope, ...]) -> None:
        messages = {each.seat: self._decode(each, track.label) for each in envelopes}
        for each in envelopes:
            if not isinstance(messages[each.seat], step.expects):
                raise PeerError(each.seat, track.label, "unexpected-message", "sent what was not asked", (each.raw,))
        try:
            events = step.accept(track.binding(), messages)
        except (SeatError, PeerError, RuleError, WireError, CryptoError) as error:
            seat = error.seat if isinstance(error, SeatError | PeerError) else envelopes[0].seat
            evidence = tuple(each.raw for each in envelopes if each.seat == seat)
            raise PeerError(seat, track.label, error.code, error.message, evidence) from error
        if track.number == SETUP_TRACK:
            self._effects.append(Record(PROPOSAL, self.terms.encoded))
        self._effects.extend(Record(ENVELOPE, each.raw) for each in envelopes)
        steps.close_step()
        track.close_step(envelopes)
        self._notify(events)
        if steps.present is None:
            self.tracks.finish(track)
            self._notify(self.course.follow(steps))
            self._after_track()

    # -- faults, and what we say --------------------------------------------------------------------------------------

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """The one place where a fault becomes its end: the seat at fault is lost, or the table stops."""
        try:
            yield
        except PeerError as error:
            self._blame(error)
        except LocalError as error:
            self.stop(TableStopped(error.code, error.message))

    def _blame(self, error: PeerError) -> None:
        """A seat is blamed once; whatever else it does belongs to that. We are not lost to ourselves: we stop."""
        if error.seat == self.us:
            why = f"our own message at {error.step} does not hold: {error.message}"
            self.stop(TableStopped(error.code, why, self.us, error.step))
        elif error.seat not in self._at_fault:
            self._at_fault.add(error.seat)
            self._effects.append(Blame(error))
            self.lose(error.seat, f"broke the protocol at {error.step}: {error.message}", error.code, error.step)

    def _utter(self, track: int, step: int, head: bytes, message: Message) -> Envelope:
        envelope = seal(self.terms.table, track, step, self.us, head, encode_message(message), self._identity.sign)
        self._effects.append(Send(encode_frame(Sealed(envelope.raw))))
        if track == SETUP_TRACK:
            self._notify([SeatReady(self.us)])
        self._record_aside(envelope)
        return envelope

    def _record_aside(self, envelope: Envelope) -> None:
        """What stands outside the agreed history is recorded as it comes; the rest when its step closes."""
        if envelope.track in (TALK_TRACK, LOSS_TRACK):
            self._effects.append(Record(ENVELOPE, envelope.raw))

    def _decode(self, envelope: Envelope, label: str) -> Message:
        try:
            return decode_message(envelope.body)
        except WireError as error:
            raise PeerError(envelope.seat, label, error.code, error.message, (envelope.raw,)) from error

    def _notify(self, events: Sequence[TableEvent]) -> None:
        self._effects.extend(Notify(event) for event in events)
