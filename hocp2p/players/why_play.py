"""What speaks for a card, or for *sans*. See ``advice``."""

from __future__ import annotations

from dataclasses import dataclass

from hocp2p.game.actions import Action, Play
from hocp2p.game.cards import Card
from hocp2p.game.payments import cards_left_due
from hocp2p.game.play import HOC, play_of
from hocp2p.game.state import PlayState, SeatView
from hocp2p.players.followers import chance_none_holds
from hocp2p.players.hand import Hand
from hocp2p.players.reasons import (
    CannotBeStopped,
    GoesOn,
    HocTakesOne,
    KeepsHoc,
    KeepsLead,
    LongestRun,
    MustPlay,
    NearOut,
    NothingFits,
    OnlyHocFollows,
    OnlyHocStops,
    Reason,
    RunIsDead,
    WinsNow,
)
from hocp2p.players.shedding import NEAR_OUT, Table


def why_play(view: SeatView, action: Action) -> tuple[Reason, ...]:
    """A lead, a card for the called rank, or *sans*."""
    play = play_of(view.state)
    expert = _Expert(view, play, Table.seen_by(view, play), Hand.of(view.hand))
    if not isinstance(action, Play):
        return expert.why_sans()
    return expert.why_hoc(action.card) if action.card.is_hoc else expert.why_ordinary(action.card)


@dataclass(frozen=True, slots=True)
class _Expert:
    """A seat's view of the play, and what it knows from it."""

    view: SeatView
    play: PlayState
    table: Table
    hand: Hand

    def why_ordinary(self, card: Card) -> tuple[Reason, ...]:
        """An ordinary card, led or called."""
        chain = self._chain(card)
        if out := self._takes_out(chain):
            return (WinsNow(out),)
        leads = self.play.called is None
        reasons = [*self._outlook(card)] if leads else [*self._outlook(card), MustPlay(card.rank)]
        if len(chain) > 1:
            longest = leads and len(chain) == max(self.hand.chain(other.rank) for other in self._ordinary())
            reasons.append(LongestRun(chain) if longest else GoesOn(chain))
        if leads:
            reasons += self._near_out()
        return (*reasons, self._after(chain[-1].rank + 1))

    def why_hoc(self, card: Card) -> tuple[Reason, ...]:
        """A fixed hoc, led or for the called rank."""
        ordinary = self._ordinary()
        hocs = [other for other in self.view.hand if other.is_hoc and other != card]
        out = (card, *hocs, *(self._chain(ordinary[0]) if ordinary else ()))
        if len(out) == self.hand.size:
            return (WinsNow(out),)
        takes = HocTakesOne(HOC * (self.view.state.seats - 1))
        rest = self.hand.after_hoc()
        if rest.goes_out_leading(self.table.safe):
            return CannotBeStopped(), takes
        return (*self._near_out(), takes)

    def why_sans(self) -> tuple[Reason, ...]:
        """No card for the called rank."""
        called = self.play.called
        if called is None:
            return ()
        ours = bool(self.play.run) and self.play.run[-1].seat == self.view.seat
        if ours and called in self.table.safe and self.hand.goes_out_leading(self.table.safe):
            return RunIsDead(called), CannotBeStopped()
        first = KeepsHoc(self.hand.hocs) if self.hand.hocs else NothingFits(called)
        return (first, self._after(called)) if ours else (first,)

    def _ordinary(self) -> list[Card]:
        return sorted(card for card in self.view.hand if not card.is_hoc)

    def _chain(self, card: Card) -> tuple[Card, ...]:
        """The card and the ordinary cards that follow it, of each rank the first suit."""
        by_rank = {other.rank: other for other in reversed(self._ordinary())}
        length = self.hand.chain(card.rank)
        return (card, *(by_rank[rank] for rank in range(card.rank + 1, card.rank + length)))

    def _takes_out(self, chain: tuple[Card, ...]) -> tuple[Card, ...]:
        """The whole hand where it goes down in this turn: a chain, then hocs, the first for the next rank."""
        left = [card for card in self.view.hand if card not in chain]
        return (*chain, *left) if all(card.is_hoc for card in left) else ()

    def _outlook(self, card: Card) -> tuple[Reason, ...]:
        """Whether the hand goes out by this card and what follows it."""
        if self.hand.goes_out_called(card.rank, self.table.safe, comes_back=False):
            return (CannotBeStopped(),)
        if self.hand.goes_out_called(card.rank, self.table.dead, comes_back=False):
            return (OnlyHocStops(),)
        return ()

    def _near_out(self) -> tuple[Reason, ...]:
        """Who has fewest cards, where they are few."""
        state = self.view.state
        counts = {seat: len(state.hands[seat]) for seat in state.present if seat != self.view.seat}
        rival = min(counts, key=lambda seat: counts[seat])
        if counts[rival] > NEAR_OUT + (self.table.opponents == 1):
            return ()
        left = self.hand.size
        return (NearOut(rival, counts[rival], left, cards_left_due(left)),)

    def _after(self, called: int) -> Reason:
        """What becomes of the lead when the others are asked for this rank."""
        if called in self.table.safe:
            return RunIsDead(called)
        chance = chance_none_holds(self.view, self.play, called)
        if called in self.table.dead or chance == 1:
            return OnlyHocFollows(called)
        return KeepsLead(called, chance)
