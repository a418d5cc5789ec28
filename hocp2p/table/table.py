"""One table from the signed proposal to the last receipt: the same machine on every peer, without any I/O.

Signed envelopes and our own decisions go in; effects come out. The table owns the tracks: the agreement, the draw of
the first dealer, and for every deal its deck and its play. What each step means is in ``deck``, ``draw`` and ``deal``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from hocp2p.crypto.identity import Identity, verify_signature
from hocp2p.crypto.scheme import DealPlan, DealScheme, DeckSession, Randomness, SeatError
from hocp2p.errors import CryptoError, LocalError, PeerError, RuleError, WireError
from hocp2p.game.actions import Action
from hocp2p.game.match import Closing, Match, start_match
from hocp2p.table.agreement import SETUP_TRACK, AgreementSteps
from hocp2p.table.chain import Track, first_head, track_label
from hocp2p.table.deal import DealSteps, deal_plan
from hocp2p.table.deck import DeckSteps, shuffle_order
from hocp2p.table.draw import DRAW_TRACK, DrawSteps, draw_plan
from hocp2p.table.effects import Blame, Effect, Notify, Send
from hocp2p.table.losses import LOSS_TRACK, Losses
from hocp2p.table.snapshot import (
    FinishedDeal,
    SeatLeft,
    SeatReady,
    SessionEnded,
    Stage,
    TableEvent,
    TableStopped,
    TalkSaid,
)
from hocp2p.table.steps import Step, Steps
from hocp2p.table.terms import Terms
from hocp2p.wire.envelope import Envelope, decode_envelope, seal
from hocp2p.wire.frames import Sealed, encode_frame
from hocp2p.wire.messages import Agreement, Leaving, Message, SeatLost, Talk, decode_message, encode_message

HOST: Final = 0  # the host's seat: all links lead to it
TALK_TRACK: Final = 5000
MAX_EARLY: Final = 64  # envelopes of tracks that we have not reached yet


def deck_track(deal: int) -> int:
    """Track of the keys and shuffles of a deal; deal 0 is the draw of the first dealer."""
    return 2 * deal + 1


def play_track(deal: int) -> int:
    """Track of the shares, actions and receipts of a deal."""
    return 2 * deal + 2


class Table:
    """The replicated state machine of one table.

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
        self.stage = Stage.READY
        self.stopped: TableStopped | None = None
        self.closing: Closing | None = None
        self.match: Match | None = None
        self.deal: DealSteps | None = None
        self.finished: list[FinishedDeal] = []
        self.losses = Losses(self.seats)
        self._identity = identity
        self._scheme = scheme
        self._randomness = randomness
        self._effects: list[Effect] = []
        self._early: dict[int, list[Envelope]] = defaultdict(list)
        self._tracks: dict[int, tuple[Track, Steps]] = {}
        self._decks: dict[int, DeckSession] = {}  # prepared, not yet played
        self._heads: dict[int, bytes] = {}  # final heads of finished tracks
        self._talk = [0] * self.seats  # next step of each seat on the talk track
        self._agreement = AgreementSteps(self.seats)
        self._start(SETUP_TRACK, self._agreement)

    # -- what goes in -------------------------------------------------------------------------------------------------

    def receive(self, raw: bytes, link: int | None = None) -> None:
        """Takes an envelope from a link, passes it on if it is new, and goes as far as it leads.

        Raises WireError or CryptoError when the bytes are nobody's: then the link is at fault, not a seat.
        """
        envelope = decode_envelope(raw)
        if envelope.table != self.terms.table or self.over:
            return
        if envelope.seat >= self.seats:
            raise WireError("bad-seat", "an envelope from a seat that the table does not have")
        verify_signature(self.terms.keys[envelope.seat], envelope.signed, envelope.signature)
        try:
            if self._sort(envelope):
                self._effects.append(Send(encode_frame(Sealed(raw)), but=link))
                self._advance()
        except PeerError as error:
            self._blame(error)
        except LocalError as error:
            self.stop(TableStopped(error.code, error.message))

    def ready(self) -> None:
        """Signs the proposal. Raises LocalError when that has been done."""
        self._agreement.ready()
        self._go_on()

    def act(self, action: Action) -> None:
        """Makes our move. Raises LocalError or RuleError, nothing changed, when it is not ours or not legal."""
        if self.deal is None or self.over or self._frozen():
            raise LocalError("not-your-turn", "it is not your turn")
        track, _ = self._tracks[play_track(self.deal.match.number)]
        self.deal.act(action, track.binding())
        self._go_on()

    def say(self, text: str) -> None:
        """Talk. Raises LocalError for a text that cannot be sent."""
        self._utter(TALK_TRACK, self._talk[self.us], bytes(32), Talk(text))
        self._notify([TalkSaid(self.us, text)])
        self._talk[self.us] += 1

    def leave(self) -> None:
        """We leave for good and say so."""
        if not self.over:
            self._utter(TALK_TRACK, self._talk[self.us], bytes(32), Leaving())
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
        goes_on = self.deal is not None and self.deal.view is not None and not self.deal.signed
        if self.deal is None or not goes_on or seat == HOST or len(self.losses.remaining() - {seat}) < 2:
            why = f"{self.terms.seats[seat].name} {why}; the table cannot go on"
            self.stop(TableStopped(code, why, seat, step))
            return
        self._notify([SeatLeft(seat, why, code, step)])
        track, _ = self._tracks[play_track(self.deal.match.number)]
        claim = SeatLost(seat, track.number, track.step)
        self._utter(LOSS_TRACK, seat, bytes(32), claim)
        self.losses.add(self.us, claim)
        self._go_on()

    def drain(self) -> list[Effect]:
        """The effects since the last call."""
        effects, self._effects = self._effects, []
        return effects

    @property
    def over(self) -> bool:
        """Whether the table has ended, one way or the other."""
        return self.stage in (Stage.ENDED, Stage.STOPPED)

    @property
    def agreed(self) -> bool:
        """Whether all seats have signed the proposal."""
        return self.stage is not Stage.READY

    def ready_seats(self) -> frozenset[int]:
        """Who has signed the proposal so far."""
        if self.agreed:
            return frozenset(range(self.seats))
        track, _ = self._tracks[SETUP_TRACK]
        return frozenset(seat for seat in range(self.seats) if track.has(seat))

    @property
    def dealing(self) -> str:
        """A phrase for the status line while the deal protocol runs, else empty."""
        for number in sorted(self._tracks, reverse=True):
            step = self._tracks[number][1].present
            if step is not None and step.what in ("keys", "shuffle", "digest", "shares", "draw"):
                return step.what if len(step.speakers) > 1 else f"{self.terms.seats[step.speakers[0]].name} shuffles"
        return ""

    @property
    def proved(self) -> tuple[str, ...]:
        """What was proven of the present deal, a phrase each."""
        if self.deal is None or self.deal.view is None:
            return ()
        return (f"{self.seats} keys", f"{self.seats} shuffles", f"{self.seats} sets of shares", *self.deal.proved)

    def stop(self, why: TableStopped) -> None:
        """Ends the table early; secrets are forgotten."""
        if not self.over:
            self.stage = Stage.STOPPED
            self.stopped = why
            self._forget()
            self._notify([why])

    # -- sorting ------------------------------------------------------------------------------------------------------

    def _sort(self, envelope: Envelope) -> bool:
        """Puts a verified envelope where it belongs; False for a double."""
        number = envelope.track
        if number == TALK_TRACK:
            return self._hear(envelope)
        if number == LOSS_TRACK:
            return self._hear_claim(envelope)
        if number in self._tracks:
            new = self._tracks[number][0].add(envelope)
            if new and number == SETUP_TRACK:
                self._notify([SeatReady(envelope.seat)])
            return new
        if number in self._heads:
            return False  # a late double of a finished track
        return self._keep_early(envelope)

    def _keep_early(self, envelope: Envelope) -> bool:
        early = self._early[envelope.track]
        if any(kept.raw == envelope.raw for kept in early):
            return False
        label = f"{track_label(envelope.track)}/{envelope.step}"
        if envelope.track > max(self._tracks, default=0) + 4 or len(early) >= MAX_EARLY:
            raise PeerError(envelope.seat, label, "too-early", "is further ahead than the game can be", (envelope.raw,))
        early.append(envelope)
        return True

    def _hear(self, envelope: Envelope) -> bool:
        """Talk and goodbyes: each seat numbers its own; they are not part of the agreed history."""
        if envelope.step < self._talk[envelope.seat]:
            return False
        self._talk[envelope.seat] = envelope.step + 1
        match self._decode(envelope, "talk"):
            case Talk(text):
                self._notify([TalkSaid(envelope.seat, text)])
            case Leaving():
                self._effects.append(Send(encode_frame(Sealed(envelope.raw))))  # before our own claim
                self.lose(envelope.seat, "left the table")
                return False
            case _:
                raise PeerError(envelope.seat, "talk", "unexpected-message", "sent a move as talk", (envelope.raw,))
        return True

    def _hear_claim(self, envelope: Envelope) -> bool:
        claim = self._decode(envelope, "loss")
        if not isinstance(claim, SeatLost) or claim.seat != envelope.step or claim.seat == envelope.seat:
            raise PeerError(envelope.seat, "loss", "unexpected-message", "made no claim of a loss", (envelope.raw,))
        if self.losses.claimed(envelope.seat, claim.seat):
            return False
        if claim.seat == self.us:
            self.stop(TableStopped("cut-off", "the others go on without you: they no longer hear you"))
            return False
        if claim.seat >= self.seats or self.deal is None or claim.track != play_track(self.deal.match.number):
            raise LocalError("claims-differ", f"seat {envelope.seat} claims a loss at a point that we do not know")
        self.losses.add(envelope.seat, claim)
        if envelope.seat == HOST or self.losses.claimed(
            self.us, claim.seat
        ):  # the host hears everybody; we hear the host
            self.lose(claim.seat, "is no longer heard by the host")
        elif self.us == HOST:
            raise LocalError("claims-differ", f"seat {envelope.seat} claims that seat {claim.seat} is lost; it is here")
        return True

    # -- going on -----------------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        try:
            self._advance()
        except PeerError as error:
            self._blame(error)
        except LocalError as error:
            self.stop(TableStopped(error.code, error.message))

    def _advance(self) -> None:
        """Closes every step that can be closed, and says what we have to say, until nothing moves."""
        moved = True
        while moved and not self.over:
            moved = self._cut_losses()
            for number in sorted(self._tracks):
                if number in self._tracks and not self.over:
                    moved = self._try_step(number) or moved

    def _try_step(self, number: int) -> bool:
        track, steps = self._tracks[number]
        step = steps.present
        if step is None or self._holds(track):
            return False
        if self.us in step.speakers and not track.has(self.us):
            message = step.speak(track.binding())
            if message is not None:
                track.add(self._utter(number, track.step, track.head, message))
        envelopes = track.collect(step.speakers)
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
        steps.close_step()
        track.close_step(envelopes)
        self._notify(events)
        if steps.present is None:
            self._finish(track, steps)

    def _finish(self, track: Track, steps: Steps) -> None:
        """A track has ended: what follows from it begins."""
        self._heads[track.number] = track.head
        del self._tracks[track.number]
        match steps:
            case AgreementSteps():
                self.stage = Stage.DRAW
                self._start_deck(0, 0, draw_plan(self.seats))
            case DeckSteps(number=0, session=session):
                self._start(DRAW_TRACK, DrawSteps(session, self.seats, self.us), self._heads[deck_track(0)])
            case DrawSteps(dealer=int(dealer)):
                self.match = start_match(self.terms.rules, self.seats, dealer)
                self.stage = Stage.DEALING
                self._prepare(self.match.number)
            case DeckSteps(number=number, session=session):
                self._decks[number] = session
                self._start_deal()
            case DealSteps():
                self._end_deal(steps)

    def _prepare(self, number: int) -> None:
        """Starts the deck of a deal: its dealer is known as soon as the one before it begins."""
        if self.match is not None and number <= self.terms.rules.deals:
            dealer = (self.match.dealer + number - self.match.number) % self.seats
            self._start_deck(number, dealer, deal_plan(self.seats, dealer))

    def _start_deck(self, number: int, dealer: int, plan: DealPlan) -> None:
        track = deck_track(number)
        session = self._scheme.join(
            context=b"hocp2p/1 deck" + self.terms.table + track.to_bytes(4, "big"),
            seats=self.seats,
            seat=self.us,
            plan=plan,
            order=shuffle_order(self.seats, dealer),
            randomness=self._randomness,
        )
        self._start(track, DeckSteps(number, session, self.seats, dealer))

    def _start_deal(self) -> None:
        """The next deal begins when its deck is ready and the one before is signed."""
        match = self.match
        if match is None or match.number not in self._decks or (self.deal is not None and not self.deal.signed):
            return
        number = match.number
        before = (self._heads[deck_track(number)], self._heads[play_track(number - 1)])
        self.deal = DealSteps(match, self._decks.pop(number), self.us)
        self.stage = Stage.DEAL
        self._start(play_track(number), self.deal, *before)
        self._prepare(number + 1)

    def _end_deal(self, deal: DealSteps) -> None:
        finished = deal.finished
        self.finished.append(finished)
        self.match = deal.match.after(finished.outcome)
        if self.match.is_over or self.losses.lost:
            self.closing = self.match.close()
            self._forget()
            if self.match.is_over:
                self.stage = Stage.ENDED
                self._notify([SessionEnded(self.closing.net)])
            else:
                gone = " and ".join(self.terms.seats[seat].name for seat in sorted(self.losses.lost))
                why = f"{gone} is gone; the deal was played out and signed, and the session is closed"
                self.stop(TableStopped("seat-lost", why, min(self.losses.lost)))
        else:
            self._start_deal()

    def _start(self, number: int, steps: Steps, *before: bytes) -> None:
        track = Track(number, first_head(self.terms.table, number, *before))
        self._tracks[number] = (track, steps)
        for envelope in self._early.pop(number, []):
            track.add(envelope)

    # -- losing a seat ------------------------------------------------------------------------------------------------

    def _frozen(self) -> bool:
        return any(self.losses.claimed(self.us, seat) for seat in self.losses.claimed_seats())

    def _holds(self, track: Track) -> bool:
        """Whether a claimed loss keeps this track where it is: the play up to the cut, the next deck for good."""
        if not self._frozen() and not self.losses.lost:
            return False
        if self.deal is None or track.number != play_track(self.deal.match.number):
            return True
        cuts = [self.losses.cut(seat) for seat in self.losses.claimed_seats()]
        return any(cut is None or (track.number, track.step) >= cut for cut in cuts)

    def _cut_losses(self) -> bool:
        """Lets a lost seat leave the deal at the agreed step."""
        if self.deal is None or play_track(self.deal.match.number) not in self._tracks:
            return False
        track, _ = self._tracks[play_track(self.deal.match.number)]
        for seat in self.losses.claimed_seats():
            if self.losses.cut(seat) == (track.number, track.step):
                self.losses.lost.add(seat)
                track.cut(seat)
                self._notify(self.deal.lose(seat))
                return True
        return False

    def _blame(self, error: PeerError) -> None:
        """The one place where a fault of a peer becomes its end."""
        self._effects.append(Blame(error))
        self.lose(error.seat, f"broke the protocol at {error.step}: {error.message}", error.code, error.step)

    # -- small things -------------------------------------------------------------------------------------------------

    def _utter(self, track: int, step: int, head: bytes, message: Message) -> Envelope:
        envelope = seal(self.terms.table, track, step, self.us, head, encode_message(message), self._identity.sign)
        self._effects.append(Send(encode_frame(Sealed(envelope.raw))))
        if isinstance(message, Agreement):
            self._notify([SeatReady(self.us)])
        return envelope

    def _decode(self, envelope: Envelope, label: str) -> Message:
        try:
            return decode_message(envelope.body)
        except WireError as error:
            raise PeerError(envelope.seat, label, error.code, error.message, (envelope.raw,)) from error

    def _notify(self, events: Sequence[TableEvent]) -> None:
        self._effects.extend(Notify(event) for event in events)

    def _forget(self) -> None:
        """Erases the keys of every deck that is still open."""
        for session in self._decks.values():
            session.erase()
        for _, steps in self._tracks.values():
            if isinstance(steps, DeckSteps | DrawSteps | DealSteps):
                steps.session.erase()
