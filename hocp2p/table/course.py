"""The course of a session: agreement, draw of the first dealer, then for every deal its deck and its play.

The deck of the next deal is made while the present one is played: its dealer is known by then.
"""

from __future__ import annotations

from collections.abc import Sequence

from hocp2p.crypto.scheme import DealPlan, DeckSession
from hocp2p.errors import LocalError
from hocp2p.game.actions import Stake
from hocp2p.game.match import Closing, Match, start_match
from hocp2p.table.agreement import SETUP_TRACK, AgreementSteps
from hocp2p.table.deal import GATHERING, DealSteps, deal_plan
from hocp2p.table.deck import DeckSteps, shuffle_order
from hocp2p.table.draw import DRAW_TRACK, DrawSteps, draw_plan
from hocp2p.table.events import SessionEnded, TableEvent
from hocp2p.table.memory import Decks
from hocp2p.table.snapshot import FinishedDeal, Stage
from hocp2p.table.steps import Steps
from hocp2p.table.terms import Terms
from hocp2p.table.tracks import Tracks
from hocp2p.wire.messages import ShownHand


def deck_track(deal: int) -> int:
    """Track of the keys and shuffles of a deal; deal 0 is the draw of the first dealer."""
    return 2 * deal + 1


def play_track(deal: int) -> int:
    """Track of the shares, actions and receipts of a deal."""
    return 2 * deal + 2


class Course:
    """Where a session stands, and what begins when a track ends.

    Args:
        terms: the proposal.
        us: our seat.
        tracks: where tracks are started; the agreement is started here.
        decks: joins the decks.
    """

    def __init__(self, terms: Terms, us: int, tracks: Tracks, decks: Decks) -> None:
        self.stage = Stage.READY
        self.agreement = AgreementSteps(len(terms.seats))
        self.match = None if terms.continued is None else continued_match(terms)
        self.deal: DealSteps | None = None
        self.last: DealSteps | None = None  # the deal that was signed last
        self.finished: list[FinishedDeal] = []
        self.closing: Closing | None = None
        self._terms = terms
        self._seats = len(terms.seats)
        self._us = us
        self._tracks = tracks
        self._joins = decks
        self._decks: dict[int, DeckSession] = {}  # made, not yet dealt
        tracks.start(SETUP_TRACK, self.agreement)

    def follow(self, steps: Steps) -> Sequence[TableEvent]:
        """``steps`` have ended: starts what comes next."""
        match steps:
            case AgreementSteps() if self.match is not None:
                self._go_on(self.match)
            case AgreementSteps():
                self.stage = Stage.DRAW
                self._start_deck(0, 0, draw_plan(self._seats))
            case DeckSteps(number=0, session=session):
                self._tracks.start(DRAW_TRACK, DrawSteps(session, self._seats, self._us), deck_track(0))
            case DrawSteps(dealer=int(dealer)):
                self._joins.forget(deck_track(0))
                self._go_on(start_match(self._terms.rules, self._seats, dealer))
            case DeckSteps(number=number, session=session):
                self._decks[number] = session
                self._start_deal()
            case DealSteps():
                return self._end_deal(steps)
        return []

    def _go_on(self, match: Match) -> None:
        self.stage = Stage.DEALING
        self.match = match
        self._make_deck(match, match.number)

    @property
    def place(self) -> tuple[int, int]:
        """Track and step where the deal stands that is played or comes next; the draw before there is one."""
        track = DRAW_TRACK if self.match is None else play_track(self.match.number)
        return track, self._tracks[track].step if track in self._tracks else 0

    @property
    def play(self) -> int | None:
        """Track of the deal that is being played, hands dealt and not yet signed; else None."""
        if self.deal is None or self.deal.view is None or self.deal.signed:
            return None
        return play_track(self.deal.match.number)

    @property
    def dealing(self) -> str:
        """What the deal protocol is doing, for a status line; empty while a deal is played or waits for its seats."""
        if self.stage not in (Stage.DRAW, Stage.DEALING, Stage.DEAL) or self.play is not None:
            return ""
        for _, steps in self._tracks:
            step = steps.present
            if step is not None and step.what == "shuffle":
                return f"{self._terms.seats[step.speakers[0]].name} shuffles"
            if step is not None:
                return "" if step.what == GATHERING else step.what
        return ""

    @property
    def proved(self) -> tuple[str, ...]:
        """What was proven of the present deal, a phrase each."""
        return self.deal.proved if self.deal is not None else ()

    def show(self, seat: int, hand: ShownHand) -> Sequence[TableEvent]:
        """A seat shows its hand of the deal signed last; of any other it is too late. See ``DealSteps.accept_hand``."""
        if self.last is None or self.last.match.number != hand.deal:
            return []
        event = self.last.accept_hand(seat, hand)
        if event is None:
            return []
        self.finished[-1] = self.last.finished
        return [event]

    def close(self) -> None:
        """Ends the session where it was last signed by all: divides the pools, erases the keys of every open deck."""
        if self.match is not None:
            self.closing = self.match.close()
        for session in self._decks.values():
            session.erase()
        for _, steps in self._tracks:
            if isinstance(steps, DeckSteps | DrawSteps | DealSteps):
                steps.session.erase()
        self._joins.forget_all()

    def _make_deck(self, match: Match, number: int) -> None:
        if number <= self._terms.rules.deals:
            dealer = (match.dealer + number - match.number) % self._seats
            self._start_deck(number, dealer, deal_plan(self._seats, dealer))

    def _start_deck(self, number: int, dealer: int, plan: DealPlan) -> None:
        track = deck_track(number)
        session = self._joins.join(
            track,
            number,
            context=b"hocp2p/1 deck" + self._terms.table + track.to_bytes(4, "big"),
            seats=self._seats,
            seat=self._us,
            plan=plan,
            order=shuffle_order(self._seats, dealer),
        )
        self._tracks.start(track, DeckSteps(number, session, self._seats, dealer))

    def _start_deal(self) -> None:
        """The next deal begins when its deck is made and the one before it is signed."""
        match = self.match
        if match is None or match.number not in self._decks or (self.deal is not None and not self.deal.signed):
            return
        number = match.number
        self.stage = Stage.DEAL
        is_first = number == self.first_deal
        self.deal = DealSteps(match, self._decks.pop(number), self._us, is_first=is_first)
        before = SETUP_TRACK if is_first and self._terms.continued is not None else play_track(number - 1)
        self._tracks.start(play_track(number), self.deal, deck_track(number), before)
        self._make_deck(match, number + 1)

    @property
    def first_deal(self) -> int:
        """Number of the first deal at this table."""
        return 1 if self._terms.continued is None else self._terms.continued.number

    def _end_deal(self, deal: DealSteps) -> Sequence[TableEvent]:
        finished = deal.finished
        self._joins.forget(deck_track(finished.number))
        self.last = deal
        self.finished.append(finished)
        self.match = deal.match.after(finished.outcome)
        if not self.match.is_over:
            if not deal.state.gone:  # else the table is left
                self._start_deal()
            return []
        self.stage = Stage.ENDED
        self.close()
        return [SessionEnded(self.match.close().net)]


def continued_match(terms: Terms) -> Match:
    """Where a session stands that goes on at this table (rule 5). Raises LocalError for a session of its own."""
    continued = terms.continued
    if continued is None:
        raise LocalError("not-continued", "this table does not go on with another")
    first, second, third = continued.carry
    return Match(
        terms.rules,
        len(terms.seats),
        continued.balances,
        continued.dealer,
        continued.number,
        (first, second, third),
        frozenset(Stake(stake) for stake in continued.doubled),
    )
