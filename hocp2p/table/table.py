"""One table from the signed proposal to the last receipt: the same machine on every peer, without any I/O.

Signed envelopes and our own decisions go in; effects come out. Here is what goes in, and how we come back. How a seat
is lost is in ``losing``, how steps close in ``replica``; what they are is in ``course``, ``deck``, ``draw``, ``deal``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hocp2p.crypto.identity import verify_signature
from hocp2p.errors import CryptoError, LocalError, PeerError, RuleError, WireError
from hocp2p.game.actions import Action
from hocp2p.table.agreement import SETUP_TRACK
from hocp2p.table.asides import MAX_RECORDED, TALK_TRACK, verify_aside
from hocp2p.table.course import deck_track, play_track
from hocp2p.table.effects import ENVELOPE, HAND, Effect, ForgetSeed, KeepSeed, Notify, Persist, Record, Send
from hocp2p.table.events import SeatReady, TableStopped
from hocp2p.table.losing import LEFT, NO_HEAD, LosingReplica
from hocp2p.table.losses import LOSS_TRACK
from hocp2p.table.memory import Memory, decode_hand
from hocp2p.table.snapshot import Stage
from hocp2p.table.terms import HOST
from hocp2p.wire.envelope import Envelope, Slot, decode_envelope
from hocp2p.wire.frames import Sealed, Standing, encode_frame
from hocp2p.wire.messages import (
    MAX_STEP,
    Leaving,
    Presence,
    Reachable,
    Talk,
)


class Table(LosingReplica):
    """The replicated state machine of one table.

    Args:
        terms: the proposal.
        us: our seat.
        identity: ours.
        scheme: the deal protocol.
        randomness: for our keys and shuffles.
        memory: what we kept of this table, if we come back to it; to be gone through with :meth:`remember`.
    """

    # -- what goes in -------------------------------------------------------------------------------------------------

    def receive(self, raw: bytes, link: int | None = None) -> None:
        """Takes an envelope from a link, passes it on if it is new, and goes as far as it leads.

        Raises WireError or CryptoError when the bytes are nobody's: then the link is at fault, not a seat.
        """
        envelope = decode_envelope(raw)
        if envelope.table != self.terms.table or self.stopped is not None:
            return
        if envelope.seat >= self.seats:
            raise WireError("bad-seat", "an envelope from a seat that the table does not have")
        verify_signature(self.terms.keys[envelope.seat], envelope.signed, envelope.signature)
        if self.over and envelope.track != TALK_TRACK:
            return
        with self._faults():
            self._take(envelope, link)
            self._advance()

    def ready(self) -> None:
        """Signs the proposal, or is ready for the next deal. Raises LocalError when that has been said."""
        deal = self.course.deal
        if deal is not None and deal.gathering and not self.over:
            deal.ready()
        else:
            self.course.agreement.ready()
        with self._faults():
            self._advance()

    def act(self, action: Action) -> None:
        """Makes our move. Raises LocalError or RuleError, nothing changed, when it is not ours or not legal."""
        deal, play = self.course.deal, self.course.play
        if deal is None or play is None or not self.asks:
            raise LocalError("not-your-turn", "it is not your turn")
        deal.act(action, self.tracks[play].binding())
        with self._faults():
            self._advance()

    def say(self, text: str) -> None:
        """Talk. Raises LocalError for a text that cannot be sent."""
        self._say_aside(Talk(text))

    def be_away(self, away: bool) -> None:
        """Tells the others that our player does not answer, or is back."""
        if not self.over and away != (self.us in self.asides.away):
            self._say_aside(Presence(int(away)))

    def show_hand(self) -> None:
        """Shows our hand of the deal signed last. Raises LocalError when there is nothing to show."""
        last = self.course.last
        if last is None or self.stopped is not None:
            raise LocalError("nothing-to-show", "there is no hand to show")
        self._say_aside(last.show_hand())

    def leave(self) -> None:
        """We leave for good and say so."""
        if not self.over:
            self._utter(TALK_TRACK, self.asides.numbers[self.us], NO_HEAD, Leaving())
            self.stop(TableStopped("left", "you have left the table"))

    def be_reachable(self, addresses: tuple[str, ...]) -> None:
        """Tells the others where we can be dialled."""
        if not self.over and addresses != self.asides.addresses[self.us]:
            self._say_aside(Reachable(addresses))

    # -- coming back, and helping others to ---------------------------------------------------------------------------

    def remember(self, memory: Memory) -> None:
        """Goes through all that was kept before we came back, then says what we have to say now.

        ``memory`` is the one that this table was made with. Raises LocalError ``journal-damaged`` where it does not
        lead anywhere.
        """
        for raw in memory.envelopes:
            try:
                self.receive(raw)
            except (WireError, CryptoError) as error:
                raise LocalError("journal-damaged", f"the journal holds an envelope that is none: {error}") from error
        if self.stopped is not None:
            raise LocalError(self.stopped.code, self.stopped.message)
        if any(slot.track < LOSS_TRACK for slot in self._signed) or self._has_a_gap():
            raise LocalError("journal-damaged", "the journal does not lead to what we have signed")
        self._effects = [each for each in self._effects if _is_news(each, memory)]
        self._remembering = False
        for loss in self._losing:
            self.lose(*loss)
        with self._faults():
            self._advance()

    def _has_a_gap(self) -> bool:
        """Whether we have signed what follows on something of ours that is not here: it must not be said anew."""
        for track, steps in self.tracks:
            step = steps.present
            if step is None or self.us not in step.speakers or track.has(self.us):
                continue
            if any(_follows(slot, track.number, track.step) for slot in self._signed_before):
                return True
        return False

    def standing(self) -> Standing:
        """How far we are."""
        heard = tuple(min(number, MAX_STEP) for number in self.asides.numbers)
        return Standing(self.terms.table, self.tracks.standing(), heard)

    def is_level(self, theirs: Standing) -> bool:
        """Whether another, who stands so, has ended the last deal as we have."""
        return self.over and theirs.table == self.terms.table and theirs.tracks[-1] == self.tracks.standing()[-1]

    def missing(self, theirs: Standing) -> list[bytes]:
        """Frames with what another, who stands so, has not got."""
        return [encode_frame(Sealed(raw)) for raw in self._known(dict(theirs.tracks), theirs.heard)]

    def _known(self, tracks: Mapping[int, int], heard: Sequence[int]) -> list[bytes]:
        said = [each.raw for each in self.tracks.missing(tracks)]
        beside = self.asides.since(heard or (0,) * self.seats)
        return [*said, *self._evidence, *self.losses.envelopes, *beside]

    # -- how it stands ------------------------------------------------------------------------------------------------

    @property
    def agreed(self) -> bool:
        """Whether all seats have signed the proposal."""
        return self.course.stage is not Stage.READY

    @property
    def signed(self) -> bool:
        """Whether we have signed the proposal: then we come back to this table and to no other."""
        return self.agreed or self.tracks[SETUP_TRACK].has(self.us)

    @property
    def begun(self) -> bool:
        """Whether the host, too, has gone on from the agreement: till then it may have lost a guest and ask anew."""
        deck = deck_track(0 if self.terms.continued is None else self.course.first_deal)
        return self.agreed and not (deck in self.tracks and self.tracks[deck].waits_for(HOST))

    def ready_seats(self) -> frozenset[int]:
        """Who has signed the proposal, or is ready for the next deal."""
        deal = self.course.deal
        if not self.agreed:
            track, ours = self.tracks[SETUP_TRACK], self.course.agreement.is_ready
        elif deal is not None and deal.gathering and not self.over:
            track, ours = self.tracks[play_track(deal.match.number)], deal.is_ready
        else:
            return frozenset(range(self.seats))
        return frozenset(seat for seat in range(self.seats) if track.has(seat) or (seat == self.us and ours))

    @property
    def asks(self) -> bool:
        """Whether the deal waits for our player."""
        deal = self.course.deal
        return (
            deal is not None
            and self.course.play is not None
            and deal.asks
            and not self.over
            and not self.losses.holds(self.us)
        )

    # -- sorting ------------------------------------------------------------------------------------------------------

    def _take(self, envelope: Envelope, link: int | None) -> None:
        """Drops doubles, passes on what is new, and puts it where it belongs."""
        passed_on = Send(encode_frame(Sealed(envelope.raw)), but=link)
        match envelope.track:
            case number if number == TALK_TRACK:
                new = self._is_new_aside(envelope)
            case number if number == LOSS_TRACK:
                new = self.losses.hear(envelope.seat, envelope.step)
            case _:
                new = self._sort(envelope)
        if not new:
            return
        if envelope.track != TALK_TRACK or envelope.step < MAX_RECORDED or envelope.seat == self.us:
            self._effects.append(Persist(ENVELOPE, envelope.raw))
            self._record_aside(envelope)
        self._effects.append(passed_on)
        if envelope.track == TALK_TRACK:
            self._hear(envelope)
        elif envelope.track == LOSS_TRACK:
            self._hear_claim(envelope)
        elif envelope.track == SETUP_TRACK:
            self._notify([SeatReady(envelope.seat)])

    def _sort(self, envelope: Envelope) -> bool:
        """Puts an envelope into its track."""
        if envelope.seat in self.losses.lost:
            return False  # all that it said before it left is here
        try:
            new = self.tracks.sort(envelope)
            self._signed.pop(envelope.slot, None)
            return new
        except LocalError:
            if envelope.seat in self._at_fault:
                return False  # what it says out of turn is passed over, in whatever history
            raise

    def _is_new_aside(self, envelope: Envelope) -> bool:
        """Whether it was not heard before. Raises PeerError for what cannot be said beside the game.

        Such a fault, and a goodbye, count whenever they come: not all hear the same in the same order, and all have to
        come to the same end.
        """
        message = self._decode(envelope, "talk")
        try:
            verify_aside(envelope.seat, message, self.seats)
        except RuleError as error:
            raise PeerError(envelope.seat, "talk", error.code, error.message, (envelope.raw,)) from error
        if isinstance(message, Leaving) and envelope.seat not in self._goodbyes:
            return True
        return envelope.step >= self.asides.numbers[envelope.seat]

    def _hear(self, envelope: Envelope) -> None:
        """Talk and the like, votes, and goodbyes."""
        self.asides.heard(envelope)
        message = self._decode(envelope, "talk")
        if isinstance(message, Leaving):
            self._goodbyes.add(envelope.seat)
            self._evidence.append(envelope.raw)
            if self.begun:
                self.lose(envelope.seat, LEFT)
            return
        self._take_aside(envelope.seat, message)
        self._count_votes()


def _follows(slot: Slot, track: int, step: int) -> bool:
    """Whether a slot can only be filled after this step of this track; the next deck is made beside a deal."""
    if slot.track == track:
        return slot.step > step
    beside = track if track % 2 or track == SETUP_TRACK else track + 1
    return beside < slot.track < LOSS_TRACK


def _is_news(effect: Effect, memory: Memory) -> bool:
    """Whether an effect is to be carried out though it comes from our memory: all else was, before we came back."""
    if isinstance(effect, Persist):
        return effect.kind == HAND and decode_hand(effect.payload)[0] not in memory.hands
    return isinstance(effect, Notify | Record | KeepSeed | ForgetSeed)
