"""One table from the signed proposal to the last receipt: the same machine on every peer, without any I/O.

Signed envelopes and our own decisions go in; effects come out. Here is what goes in, and how a seat is lost. How steps
close is in ``replica``; what the steps are is in ``course``, ``deck``, ``draw`` and ``deal``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hocp2p.crypto.identity import Identity, verify_signature
from hocp2p.crypto.scheme import DealScheme, Randomness, SeatError
from hocp2p.errors import CryptoError, LocalError, PeerError, RuleError, WireError
from hocp2p.game.actions import Action
from hocp2p.table.agreement import SETUP_TRACK
from hocp2p.table.asides import TALK_TRACK, Asides
from hocp2p.table.course import deck_track, play_track
from hocp2p.table.effects import ENVELOPE, HAND, Effect, ForgetSeed, KeepSeed, Notify, Persist, Record, Send
from hocp2p.table.losses import LOSS_TRACK, can_be_at
from hocp2p.table.memory import Memory, decode_hand
from hocp2p.table.replica import Replica
from hocp2p.table.snapshot import SeatLeft, SeatReady, Stage, TableStopped, Voted
from hocp2p.table.terms import HOST, Terms
from hocp2p.wire.envelope import Envelope, Slot, decode_envelope
from hocp2p.wire.frames import Sealed, Standing, encode_frame
from hocp2p.wire.messages import (
    Leaving,
    Message,
    Presence,
    Reachable,
    Receipt,
    SeatLost,
    Talk,
    Vote,
)

LEFT: Final = "left the table"
NO_HEAD: Final = bytes(32)  # talk and losses stand outside the agreed history


class Table(Replica):
    """The replicated state machine of one table.

    Args:
        terms: the proposal.
        us: our seat.
        identity: ours.
        scheme: the deal protocol.
        randomness: for our keys and shuffles.
        memory: what we kept of this table, if we come back to it; to be gone through with :meth:`remember`.
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
        super().__init__(terms, us, identity, scheme, randomness, memory)
        self.asides = Asides(self.seats, self.course)
        self._goodbyes: set[int] = set()  # seats that said that they leave
        self._losing: list[tuple[int, str, str, str]] = []  # losses that our memory led to

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

    def vote(self, seat: int, *, go_on: bool) -> None:
        """We would go on without a seat, or wait for it. Raises LocalError where there is nothing to vote on."""
        if self.over or seat == self.us or seat not in self.losses.remaining() or self.losses.claimed(self.us, seat):
            raise LocalError("no-vote", "there is nothing to vote on")
        if go_on == (self.us in self.losses.voters(seat)):
            return
        self._say_aside(Vote(seat, int(go_on)))
        with self._faults():
            self._count_votes()
            self._advance()

    def heard(self, seat: int) -> None:
        """A seat is heard again: what was voted about it counts no more, as long as nobody has claimed its loss."""
        if self.over:
            return
        if self.us in self.losses.voters(seat):
            self._say_aside(Vote(seat, 0))
        self.losses.forget_votes(seat)

    def lose(self, seat: int, why: str, code: str = "seat-lost", step: str = "") -> None:
        """A seat is lost: it left, it broke the protocol, or all others would go on without it.

        Where two remain they agree on where it leaves (rule 5); else the table stops.

        Args:
            seat: which.
            why: a clause for people.
            code, step: of the fault, where it is one.
        """
        if self.over or seat in self.losses.lost or self.losses.claimed(self.us, seat):
            return
        name = self.terms.seats[seat].name
        others = {each for each in self.losses.remaining() - {seat} if not self.losses.claimed(self.us, each)}
        if len(others) < 2:
            with self._faults():
                self._take_last_receipts()
            self.stop(TableStopped(code, f"{name} {why}; the table cannot go on", seat, step))
            return
        if self._remembering:
            self._losing.append((seat, why, code, step))  # our claim comes out of our memory, or is made after it
            return
        self._notify([SeatLeft(seat, why, code, step)])
        claim = SeatLost(seat, *self.course.place)
        self.losses.add(self.us, claim, self._utter(LOSS_TRACK, seat, NO_HEAD, claim).raw)
        with self._faults():
            self._advance()

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
        return Standing(self.terms.table, self.tracks.standing(), self.asides.numbers)

    def is_level(self, theirs: Standing) -> bool:
        """Whether another, who stands so, has ended the last deal as we have."""
        return self.over and theirs.table == self.terms.table and theirs.tracks[-1] == self.tracks.standing()[-1]

    def missing(self, theirs: Standing) -> list[bytes]:
        """Frames with what another, who stands so, has not got."""
        return [encode_frame(Sealed(raw)) for raw in self._known(dict(theirs.tracks), theirs.heard)]

    def _known(self, tracks: Mapping[int, int], heard: Sequence[int]) -> list[bytes]:
        said = [each.raw for each in self.tracks.missing(tracks)]
        return [*said, *self.losses.envelopes, *self.asides.since(heard or (0,) * self.seats)]

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
                new = envelope.step >= self.asides.numbers[envelope.seat]
            case number if number == LOSS_TRACK:
                new = not self.losses.claimed(envelope.seat, envelope.step)
            case _:
                new = self._sort(envelope, passed_on)
        if not new:
            return
        self._effects.append(Persist(ENVELOPE, envelope.raw))
        self._effects.append(passed_on)
        self._record_aside(envelope)
        if envelope.track == TALK_TRACK:
            self._hear(envelope)
        elif envelope.track == LOSS_TRACK:
            self._hear_claim(envelope)
        elif envelope.track == SETUP_TRACK:
            self._notify([SeatReady(envelope.seat)])

    def _sort(self, envelope: Envelope, passed_on: Send) -> bool:
        """Puts an envelope into its track. What proves a fault is passed on too: the others shall see it themselves."""
        if envelope.seat in self.losses.lost:
            return False  # all that it said before it left is here
        try:
            new = self.tracks.sort(envelope)
            self._signed.pop(envelope.slot, None)
            return new
        except PeerError:
            if envelope.seat not in self._at_fault:
                self._effects.append(passed_on)
            raise
        except LocalError:
            if envelope.seat in self._at_fault:
                return False  # what it says out of turn is passed over, in whatever history
            raise

    def _hear(self, envelope: Envelope) -> None:
        """Talk and the like, votes, and goodbyes."""
        self.asides.heard(envelope)
        message = self._decode(envelope, "talk")
        if isinstance(message, Leaving):
            self._goodbyes.add(envelope.seat)
            if self.begun:
                self.lose(envelope.seat, LEFT)
            return
        try:
            self._take_aside(envelope.seat, message)
        except (SeatError, RuleError) as error:
            raise PeerError(envelope.seat, "talk", error.code, error.message, (envelope.raw,)) from error
        self._count_votes()

    def _take_aside(self, seat: int, message: Message) -> None:
        if isinstance(message, Vote):
            if message.seat >= self.seats or message.seat == seat:
                raise RuleError("bad-seat", "votes about a seat that is none, or about itself")
            self.losses.vote(seat, message.seat, go_on=bool(message.go_on))
            self._notify([Voted(seat, message.seat, bool(message.go_on))])
        else:
            self._notify(self.asides.take(seat, message))

    def _count_votes(self) -> None:
        """When all others would go on without a seat, it is lost."""
        for seat in sorted(self.losses.remaining() - {self.us}):
            if self.losses.is_voted(seat):
                self.lose(seat, "was not heard any more, and the others go on without it")

    def _hear_claim(self, envelope: Envelope) -> None:
        claim = self._decode(envelope, "loss")
        if not isinstance(claim, SeatLost) or claim.seat != envelope.step or claim.seat == envelope.seat:
            raise PeerError(envelope.seat, "loss", "unexpected-message", "made no claim of a loss", (envelope.raw,))
        if claim.seat >= self.seats:
            raise PeerError(
                envelope.seat, "loss", "bad-seat", "claims the loss of a seat that is none", (envelope.raw,)
            )
        if not can_be_at(self.course.place, claim):
            raise PeerError(
                envelope.seat, "loss", "too-early", "claims to be where the game cannot be", (envelope.raw,)
            )
        self.losses.add(envelope.seat, claim, envelope.raw)
        if claim.seat == self.us:
            self._when_cut_off()
        elif claim.seat in self._goodbyes:
            self.lose(claim.seat, LEFT)
        elif self.losses.has_agreed(self.us, claim.seat):
            self.lose(claim.seat, "was not heard any more, and the others go on without it")

    def _when_cut_off(self) -> None:
        """All others go on without us: we have to believe them, since two of them could have agreed on anything."""
        if self.losses.cut(self.us) is not None:
            self.stop(TableStopped("cut-off", "the others no longer hear you and go on without you"))

    # -- losing a seat ------------------------------------------------------------------------------------------------

    def _before_steps(self) -> bool:
        """Lets a lost seat leave the deal at the agreed step, or leaves a table whose hands are not dealt."""
        for seat in self.losses.pending():
            if seat != self.us and self.losses.claimed(self.us, seat) and self.losses.cut(seat) == self.course.place:
                self.losses.lost.add(seat)
                self._leave_without(seat)
                return True
        return False

    def _leave_without(self, seat: int) -> None:
        play, deal = self.course.play, self.course.deal
        if play is None or deal is None:
            self.part()
        else:
            self.tracks[play].cut(seat)
            self._notify(deal.lose(seat))

    def _take_last_receipts(self) -> None:
        """What all have signed is signed, even where our claim holds us and nobody is left to agree with."""
        for track, steps in self.tracks:
            step = steps.present
            if track.number == self.course.play and step is not None and step.expects == (Receipt,):
                envelopes = track.collect(step.speakers, self._at_fault)
                if envelopes is not None:
                    self._close_step(track, steps, step, envelopes)

    def _after_track(self) -> None:
        """After the deal in which a seat was lost the session goes on at another table, if a deal is left."""
        if self.losses.lost and self.course.play is None and not self.over:
            self.part()

    def _say_aside(self, message: Message) -> None:
        """Says something outside the agreed history."""
        self.asides.heard(self._utter(TALK_TRACK, self.asides.numbers[self.us], NO_HEAD, message))
        self._take_aside(self.us, message)


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
