"""One table from the signed proposal to the last receipt: the same machine on every peer, without any I/O.

Signed envelopes and our own decisions go in; effects come out. Here is what goes in, and how a seat is lost. How steps
close is in ``replica``; what the steps are is in ``course``, ``deck``, ``draw`` and ``deal``.
"""

from __future__ import annotations

from typing import Final

from hocp2p.crypto.identity import Identity, verify_signature
from hocp2p.crypto.scheme import DealScheme, Randomness, SeatError
from hocp2p.errors import LocalError, PeerError, RuleError, WireError
from hocp2p.game.actions import Action
from hocp2p.table.agreement import SETUP_TRACK
from hocp2p.table.asides import TALK_TRACK, Asides
from hocp2p.table.course import deck_track, play_track
from hocp2p.table.effects import Send
from hocp2p.table.losses import LOSS_TRACK
from hocp2p.table.replica import Replica
from hocp2p.table.snapshot import SeatLeft, SeatReady, Stage, TableStopped
from hocp2p.table.terms import Terms
from hocp2p.wire.envelope import Envelope, decode_envelope
from hocp2p.wire.frames import Sealed, encode_frame
from hocp2p.wire.messages import (
    Leaving,
    Message,
    Presence,
    Receipt,
    SeatLost,
    Talk,
)

HOST: Final = 0  # the host's seat: all links lead to it
NO_HEAD: Final = bytes(32)  # talk and losses stand outside the agreed history


class Table(Replica):
    """The replicated state machine of one table.

    Args:
        terms: the proposal.
        us: our seat.
        identity: ours.
        scheme: the deal protocol.
        randomness: for our keys and shuffles.
    """

    def __init__(self, terms: Terms, us: int, identity: Identity, scheme: DealScheme, randomness: Randomness) -> None:
        super().__init__(terms, us, identity, scheme, randomness)
        self.asides = Asides(self.seats, self.course)

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
            self._utter(TALK_TRACK, self.asides.next_step(self.us), NO_HEAD, Leaving())
            self.stop(TableStopped("left", "you have left the table"))

    def lose(self, seat: int, why: str, code: str = "seat-lost", step: str = "") -> None:
        """A seat is known to be lost: its link is down, it left, it broke the protocol.

        The deal goes on without it where two remain who can hear each other and the hands are out (rule 5); else the
        table stops.

        Args:
            seat: which.
            why: a clause for people.
            code, step: of the fault, where it is one.
        """
        if self.over or seat in self.losses.lost or self.losses.claimed(self.us, seat):
            return
        name = self.terms.seats[seat].name
        if seat == HOST or self.course.match is None or len(self.losses.remaining() - {seat}) < 2:
            with self._faults():
                self._take_last_receipts()
            self.stop(TableStopped(code, f"{name} {why}; the table cannot go on", seat, step))
            return
        self._notify([SeatLeft(seat, why, code, step)])
        play = self.course.play
        here = (play, self.tracks[play].step) if play is not None else (play_track(self.course.match.number), 0)
        claim = SeatLost(seat, *here)
        self._utter(LOSS_TRACK, seat, NO_HEAD, claim)
        self.losses.add(self.us, claim)
        if play is None:
            self.stop(TableStopped(code, f"{name} {why} before the hands were dealt; the table cannot go on", seat))
            return
        with self._faults():
            self._advance()

    # -- how it stands ------------------------------------------------------------------------------------------------

    @property
    def agreed(self) -> bool:
        """Whether all seats have signed the proposal."""
        return self.course.stage is not Stage.READY

    @property
    def begun(self) -> bool:
        """Whether the host, too, has gone on from the agreement: till then it may have lost a guest and ask anew."""
        deck = deck_track(0)
        return self.agreed and not (deck in self.tracks and self.tracks[deck].waits_for(HOST))

    def ready_seats(self) -> frozenset[int]:
        """Who has signed the proposal, or is ready for the next deal."""
        deal = self.course.deal
        if not self.agreed:
            track = self.tracks[SETUP_TRACK]
        elif deal is not None and deal.gathering and not self.over:
            track = self.tracks[play_track(deal.match.number)]
        else:
            return frozenset(range(self.seats))
        return frozenset(seat for seat in range(self.seats) if track.has(seat))

    @property
    def asks(self) -> bool:
        """Whether the deal waits for our player."""
        deal = self.course.deal
        return (
            deal is not None
            and self.course.play is not None
            and deal.asks
            and not self.over
            and not self.losses.freeze(self.us)
        )

    # -- sorting ------------------------------------------------------------------------------------------------------

    def _take(self, envelope: Envelope, link: int | None) -> None:
        """Drops doubles, passes on what is new, and puts it where it belongs."""
        passed_on = Send(encode_frame(Sealed(envelope.raw)), but=link)
        match envelope.track:
            case number if number == TALK_TRACK:
                new = envelope.step >= self.asides.next_step(envelope.seat)
            case number if number == LOSS_TRACK:
                new = not self.losses.claimed(envelope.seat, envelope.step)
            case _:
                new = self._sort(envelope, passed_on)
        if not new:
            return
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
            return self.tracks.sort(envelope)
        except PeerError:
            if envelope.seat not in self._at_fault:
                self._effects.append(passed_on)
            raise
        except LocalError:
            if envelope.seat in self._at_fault:
                return False  # what it says out of turn is passed over, in whatever history
            raise

    def _hear(self, envelope: Envelope) -> None:
        """Talk and the like, and goodbyes."""
        self.asides.heard(envelope.seat, envelope.step)
        message = self._decode(envelope, "talk")
        if isinstance(message, Leaving):
            self.lose(envelope.seat, "left the table")
            return
        try:
            self._notify(self.asides.take(envelope.seat, message))
        except (SeatError, RuleError) as error:
            raise PeerError(envelope.seat, "talk", error.code, error.message, (envelope.raw,)) from error

    def _hear_claim(self, envelope: Envelope) -> None:
        claim = self._decode(envelope, "loss")
        if not isinstance(claim, SeatLost) or claim.seat != envelope.step or claim.seat in (envelope.seat, HOST):
            raise PeerError(envelope.seat, "loss", "unexpected-message", "made no claim of a loss", (envelope.raw,))
        if claim.seat == self.us:
            self.stop(TableStopped("cut-off", "the others no longer hear you and go on without you"))
            return
        if claim.seat >= self.seats:
            raise PeerError(
                envelope.seat, "loss", "bad-seat", "claims the loss of a seat that is none", (envelope.raw,)
            )
        play = self.course.play
        if play is not None and not self.tracks[play].can_be_at(claim.track, claim.step):
            raise PeerError(
                envelope.seat, "loss", "too-early", "claims to be where the game cannot be", (envelope.raw,)
            )
        self.losses.add(envelope.seat, claim)
        # The host hears everybody; the others hear the host.
        if envelope.seat == HOST:
            self.lose(claim.seat, "is no longer heard by the host")
        elif self.us == HOST and not self.losses.claimed(HOST, claim.seat):
            raise LocalError("claims-differ", "a guest claims that a seat is lost which is here")

    # -- losing a seat ------------------------------------------------------------------------------------------------

    def _before_steps(self) -> bool:
        """Lets a lost seat leave the deal at the agreed step."""
        play, deal = self.course.play, self.course.deal
        if play is None or deal is None:
            return False
        track = self.tracks[play]
        for seat in self.losses.pending():
            if self.losses.cut(seat) == (track.number, track.step):
                self.losses.lost.add(seat)
                track.cut(seat)
                self._notify(deal.lose(seat))
                return True
        return False

    def _take_last_receipts(self) -> None:
        """What all have signed is signed, even where our claim holds us and nobody is left to agree with."""
        for track, steps in self.tracks:
            step = steps.present
            if track.number == self.course.play and step is not None and step.expects == (Receipt,):
                envelopes = track.collect(step.speakers, self._at_fault)
                if envelopes is not None:
                    self._close_step(track, steps, step, envelopes)

    def _after_track(self) -> None:
        """After the deal in which a seat was lost the session ends."""
        gone = self.losses.lost.union(self.losses.pending())
        if gone and self.course.play is None:
            names = " and ".join(self.terms.seats[seat].name for seat in sorted(gone))
            why = f"{names} is gone; the deal was played out and signed, and the session is closed"
            self.stop(TableStopped("seat-lost", why, min(gone)))

    def _say_aside(self, message: Message) -> None:
        """Says something outside the agreed history."""
        step = self.asides.next_step(self.us)
        self._utter(TALK_TRACK, step, NO_HEAD, message)
        self.asides.heard(self.us, step)
        self._notify(self.asides.take(self.us, message))
