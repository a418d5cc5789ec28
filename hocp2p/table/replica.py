"""The heart of a table: closes the steps of its tracks, says what we have to say, names who is at fault.

What holds for every message is here: its body is decoded after its signature was verified, it must be of a kind that
the step expects, the step applies it, and only then does the history move over it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from hocp2p.crypto.identity import Identity
from hocp2p.crypto.scheme import DealScheme, Randomness, SeatError
from hocp2p.errors import CryptoError, LocalError, PeerError, RuleError, WireError
from hocp2p.table.agreement import SETUP_TRACK
from hocp2p.table.asides import TALK_TRACK, Asides
from hocp2p.table.chain import Track
from hocp2p.table.course import Course
from hocp2p.table.effects import ENVELOPE, HAND, PROPOSAL, Begin, Blame, Effect, Notify, Persist, Record, Send
from hocp2p.table.events import HandDealt, SeatLeft, SeatReady, TableEvent, TableParted, TableStopped
from hocp2p.table.losses import LOSS_TRACK, Losses
from hocp2p.table.memory import Decks, Memory, encode_hand
from hocp2p.table.parting import Parting
from hocp2p.table.snapshot import Stage
from hocp2p.table.steps import Step, Steps
from hocp2p.table.terms import HOST, Terms
from hocp2p.table.tracks import Tracks
from hocp2p.wire.envelope import Envelope, Slot, decode_envelope, seal
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
        memory: what we kept of this table, if we come back to it; see ``table.Table.remember``.
    """

    def __init__(
        self,
        terms: Terms,
        us: int,
        identity: Identity,
        scheme: DealScheme,
        randomness: Randomness,
        memory: Memory | None = None,
    ) -> None:
        self.terms = terms
        self.us = us
        self.seats = len(terms.seats)
        self.stopped: TableStopped | None = None
        self.parting: Parting | None = None  # how the table was left, if it was
        self.losses = Losses(self.seats)
        self.tracks = Tracks(terms.table, terms.tracks_before)
        self._identity = identity
        self._effects: list[Effect] = []
        self._at_fault: dict[int, tuple[str, str, str]] = {}  # seats that were blamed, each once: why, code and step
        self._evidence: list[bytes] = []  # envelopes of faults and goodbyes, for whoever links to us
        memory = memory or Memory()
        ours = _signed_by(us, memory)
        self._signed = {each.slot: each for each in ours}  # before we came back, and not yet said again
        self._signed_before = frozenset(self._signed)
        self._came_back = self._remembering = bool(memory.envelopes)
        self._said_before: list[bytes] = []  # beside the game, before all had signed the proposal
        self._spoken: set[Slot] = set()  # what we said since we came, on tracks that run
        tracks = frozenset(each.track for each in ours)
        decks = Decks(scheme, randomness, memory, tracks, lambda effect: self._effects.append(effect))
        self._decks = decks
        self.course = Course(terms, us, self.tracks, decks)
        self.asides = Asides(self.seats, self.course)
        self._goodbyes: set[int] = set()  # seats that said that they leave
        self._losing: list[tuple[int, str, str, str]] = []  # losses that our memory led to

    @property
    @abstractmethod
    def begun(self) -> bool:
        """Whether the host, too, has gone on from the agreement: till then it may have lost a guest and ask anew."""

    @abstractmethod
    def lose(self, seat: int, why: str, code: str, step: str) -> None:
        """A seat is known to be lost."""

    @abstractmethod
    def _known(self, tracks: Mapping[int, int], heard: Sequence[int]) -> list[bytes]:
        """Every envelope that we have and that is missing where tracks and talk stand so; see ``Standing``."""

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
        return self.parting is not None or self.stage in (Stage.ENDED, Stage.STOPPED)

    def part(self) -> None:
        """Leaves the table where it was last signed by all who remain: the session goes on at another (rule 5)."""
        match, lost = self.course.match, frozenset(self.losses.lost)
        self.parting = Parting(self.terms, match, self.tracks.head_of_play(match), lost)
        self.course.close()
        self._notify([TableParted(tuple(sorted(lost)))])

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
            self._speak(track, step)
        envelopes = track.collect(step.speakers, self._at_fault)
        if envelopes is None:
            return False
        self._close_step(track, steps, step, envelopes)
        return True

    def _speak(self, track: Track, step: Step) -> None:
        """Says what we have to say; never anew what was signed before we came back."""
        signed = self._signed.pop(Slot(track.number, track.step, self.us), None)
        if signed is not None:
            track.add(signed)
        elif not self._remembering:
            message = step.speak(track.binding())
            if message is not None:
                track.add(self._utter(track.number, track.step, track.head, message))

    def _remake(self, track: Track, step: Step, envelopes: tuple[Envelope, ...]) -> None:
        """Our part in the deal protocol goes through what we had said, unless the deck is only remembered.

        Raises LocalError ``journal-differs`` where we would say something else: then we must not go on.
        """
        slot = Slot(track.number, track.step, self.us)
        ours = next((each for each in envelopes if each.seat == self.us), None)
        if step.remake is None or ours is None or slot in self._spoken or self._decks.remembers(track.number):
            return
        if encode_message(step.remake()) != ours.body:
            raise LocalError("journal-differs", f"we would say something else at {track.label} than we have signed")

    def _close_step(self, track: Track, steps: Steps, step: Step, envelopes: tuple[Envelope, ...]) -> None:
        self._remake(track, step, envelopes)
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
            self._effects.extend(Record(ENVELOPE, raw) for raw in self._said_before)
        self._effects.extend(Record(ENVELOPE, each.raw) for each in envelopes)
        steps.close_step()
        track.close_step(envelopes)
        for event in events:
            if isinstance(event, HandDealt) and self.course.deal is not None:
                hand = encode_hand(self.course.deal.match.number, [card.index for card in event.cards])
                self._effects.append(Persist(HAND, hand))
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
        """A seat is blamed once; whatever else it does belongs to that. We are not lost to ourselves: we stop.

        A guest at fault before the game has begun is no loss for the table: the host frees its chair. Whether the host
        has gone on from there we may not know yet; if so, it claims the loss, and we follow.
        """
        if error.seat == self.us:
            told = f"our own message at {error.step} does not hold: {error.message}"
            self.stop(TableStopped(error.code, told, self.us, error.step))
        elif error.seat not in self._at_fault:
            why = (f"broke the protocol at {error.step}: {error.message}", error.code, error.step)
            self._at_fault[error.seat] = why
            self._effects.append(Blame(error))
            if self.begun or error.seat == HOST:
                self.lose(error.seat, *why)
            else:
                self._notify([SeatLeft(error.seat, *why)])
            for raw in error.evidence:  # all have to judge alike, who links to us later, too
                self._evidence.append(raw)
                self._effects += [Persist(ENVELOPE, raw), Send(encode_frame(Sealed(raw)))]

    def _utter(self, track: int, step: int, head: bytes, message: Message) -> Envelope:
        envelope = seal(self.terms.table, track, step, self.us, head, encode_message(message), self._identity.sign)
        if not self._spoken and not self._came_back:
            self._effects.append(Begin(self.terms.table, self.us, self.terms.encoded))
            self._effects.extend(Persist(ENVELOPE, raw) for raw in self._known({}, ()))
        self._spoken.add(envelope.slot)
        self._effects.append(Persist(ENVELOPE, envelope.raw, ours=True))
        self._effects.append(Send(encode_frame(Sealed(envelope.raw))))
        if track == SETUP_TRACK:
            self._notify([SeatReady(self.us)])
        self._record_aside(envelope)
        return envelope

    def _record_aside(self, envelope: Envelope) -> None:
        """What stands outside the agreed history is recorded as it comes; the rest when its step closes."""
        if envelope.track in (TALK_TRACK, LOSS_TRACK) and SETUP_TRACK in self.tracks:
            self._said_before.append(envelope.raw)  # a record begins with the proposal that all have signed
        elif envelope.track in (TALK_TRACK, LOSS_TRACK):
            self._effects.append(Record(ENVELOPE, envelope.raw))

    def _decode(self, envelope: Envelope, label: str) -> Message:
        try:
            return decode_message(envelope.body)
        except WireError as error:
            raise PeerError(envelope.seat, label, error.code, error.message, (envelope.raw,)) from error

    def _notify(self, events: Sequence[TableEvent]) -> None:
        self._effects.extend(Notify(event) for event in events)


def _signed_by(seat: int, memory: Memory) -> list[Envelope]:
    """What a seat has signed of what was kept. Raises LocalError ``journal-damaged``."""
    try:
        return [each for each in map(decode_envelope, memory.envelopes) if each.seat == seat]
    except WireError as error:
        raise LocalError("journal-damaged", f"the journal holds an envelope that is none: {error}") from error
