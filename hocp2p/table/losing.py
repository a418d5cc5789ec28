"""Losing a seat at a table: votes, goodbyes, claims, and how the deal or the session goes on without it (rule 5).

What the claims come to is in ``losses``; the table that goes on is described in ``parting``.
"""

from __future__ import annotations

from typing import Final

from hocp2p.errors import LocalError, PeerError
from hocp2p.table.asides import TALK_TRACK
from hocp2p.table.events import SeatLeft, TableStopped, Voted
from hocp2p.table.losses import LOSS_TRACK, can_be_at
from hocp2p.table.replica import Replica
from hocp2p.wire.envelope import Envelope
from hocp2p.wire.messages import Message, Receipt, SeatLost, Vote

LEFT: Final = "left the table"
UNHEARD: Final = "was not heard any more, and the others go on without it"
NO_HEAD: Final = bytes(32)  # what stands outside the agreed history


class LosingReplica(Replica):
    """A copy of the table that can lose a seat; see ``replica.Replica``."""

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
            self._verify_claims(seat)
            self._advance()

    # -- what is said of it -------------------------------------------------------------------------------------------

    def _take_aside(self, seat: int, message: Message) -> None:
        if isinstance(message, Vote):
            self.losses.vote(seat, message.seat, go_on=bool(message.go_on))
            self._notify([Voted(seat, message.seat, bool(message.go_on))])
        else:
            self._notify(self.asides.take(seat, message))

    def _count_votes(self) -> None:
        """When all others would go on without a seat, or one has claimed its loss and we would, it is lost."""
        for seat in sorted(self.losses.remaining() - {self.us}):
            is_followed = self.losses.has_agreed(self.us, seat) and bool(self.losses.claims(seat))
            if is_followed or self.losses.is_voted(seat):
                self.lose(seat, UNHEARD)

    def _hear_claim(self, envelope: Envelope) -> None:
        claim = self._decode(envelope, "loss")
        if not isinstance(claim, SeatLost) or claim.seat != envelope.step or claim.seat == envelope.seat:
            raise PeerError(envelope.seat, "loss", "unexpected-message", "made no claim of a loss", (envelope.raw,))
        if claim.seat >= self.seats:
            raise PeerError(
                envelope.seat, "loss", "bad-seat", "claims the loss of a seat that is none", (envelope.raw,)
            )
        self.losses.add(envelope.seat, claim, envelope.raw)
        if claim.seat == self.us:
            self._when_cut_off()
        elif claim.seat in self._goodbyes:
            self.lose(claim.seat, LEFT)
        elif claim.seat in self._at_fault:
            self.lose(claim.seat, *self._at_fault[claim.seat])
        elif self.losses.has_agreed(self.us, claim.seat):
            self.lose(claim.seat, UNHEARD)
        self._verify_claims(claim.seat)

    def _verify_claims(self, seat: int) -> None:
        """Raises PeerError for a claim from where no honest seat can be: the deal would never come there.

        It counts once we have claimed the loss, too: then nobody is left who stands elsewhere and judges otherwise.
        """
        for claimant, claim, raw in self.losses.claims(seat) if self.losses.claimed(self.us, seat) else ():
            if claimant != self.us and not can_be_at(self.course.place, claim):
                raise PeerError(claimant, "loss", "too-early", "claims to be where the game cannot be", (raw,))

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
