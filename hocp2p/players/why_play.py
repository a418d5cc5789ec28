"""What speaks for a card, or for *sans*. See ``advice``."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from hocp2p.game.actions import Action, Play, Sans
from hocp2p.game.cards import Card
from hocp2p.game.payments import cards_left_due
from hocp2p.game.play import HOC_PAY, play_of
from hocp2p.game.state import PlayState, SeatView
from hocp2p.players.belief.hidden import Hidden
from hocp2p.players.belief.sampler import Sampler
from hocp2p.players.going_out import GoingOut, without
from hocp2p.players.hand import Hand
from hocp2p.players.reasons import (
    CannotBeStopped,
    Expects,
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
from hocp2p.players.shedding import NEAR_OUT, Others


def why_play(view: SeatView, action: Action, expects: Expects | None = None) -> tuple[Reason, ...]:
    """A lead, a card for the called rank, or *sans*; the weightiest reason first.

    Args:
        view: of the seat whose turn it is, in the play.
        action: what is advised.
        expects: what it is expected to win, where there is a choice and somebody who can tell.
    """
    return _Expert.of(view).why(action, expects)


def goes_on_to(view: SeatView, action: Action) -> Card | None:
    """The last of the ordinary cards in hand that follow the ordinary card of ``action``; None where none does."""
    if not isinstance(action, Play) or action.card.is_hoc:
        return None
    _first, *others = _Expert.of(view).chain(action.card)
    return others[-1] if others else None


def sure_ways_out(view: SeatView, actions: Collection[Action]) -> list[Action]:
    """Those of the legal actions after which the seat can go out next, whatever the others hold or do."""
    expert = _Expert.of(view)
    return [action for action in actions if expert.goes_out(action, expert.surely)]


@dataclass(frozen=True, slots=True)
class _Expert:
    """A seat's view of the play, and what it knows from it.

    Args:
        view, play: the view, and the stops game in it.
        others: what the others can hold.
        hand: the cards in hand.
        surely, but_for_hocs: ways out past everything that the others can play, and past their ordinary cards alone.
    """

    view: SeatView
    play: PlayState
    others: Others
    hand: Hand
    surely: GoingOut
    but_for_hocs: GoingOut

    @classmethod
    def of(cls, view: SeatView) -> _Expert:
        play = play_of(view.state)
        others = Others.seen_by(view, play)
        return cls(view, play, others, Hand.of(view.hand), GoingOut(others.safe), GoingOut(others.dead))

    def why(self, action: Action, expects: Expects | None) -> tuple[Reason, ...]:
        """See :func:`why_play`."""
        expected = () if expects is None else (expects,)
        if not isinstance(action, Play):
            return self._why_sans(action, expected)
        if out := self._takes_out(action.card):
            return (WinsNow(out),)
        return self._why_hoc(action, expected) if action.card.is_hoc else self._why_ordinary(action, expected)

    def goes_out(self, action: Action, ways: GoingOut) -> bool:
        """Whether the hand can go out next when it has done this."""
        match action:
            case Play(_, card) if card.is_hoc:
                return ways.from_here(self.hand.after_hoc(), None)
            case Play(_, card):
                return ways.from_here(without(self.hand, card.rank), card.rank + 1)
            case Sans(called):
                return self._is_ours and called in ways.blocked and ways.from_here(self.hand, None)
            case _:
                return False

    def chain(self, card: Card) -> tuple[Card, ...]:
        """The card and the ordinary cards that follow it, of each rank the first suit."""
        by_rank = {other.rank: other for other in reversed(self._ordinary())}
        length = self.hand.chain(card.rank)
        return (card, *(by_rank[rank] for rank in range(card.rank + 1, card.rank + length)))

    def _why_ordinary(self, action: Play, expected: tuple[Reason, ...]) -> tuple[Reason, ...]:
        """An ordinary card, led or called."""
        chain = self.chain(action.card)
        leads = self.play.called is None
        reasons = [*self._outlook(action, expected)]
        if not leads and not expected:
            reasons.append(MustPlay(action.card.rank, hoc=self.hand.hocs > 0))
        longest = max(self.hand.chain(other.rank) for other in self._ordinary())
        if leads and not expected and 1 < len(chain) == longest:
            reasons.append(LongestRun())
        near_out = self._near_out() if leads else ()
        return (*reasons, *(near_out or (self._after(chain[-1].rank + 1),)))

    def _why_hoc(self, action: Play, expected: tuple[Reason, ...]) -> tuple[Reason, ...]:
        """A fixed hoc, led or for the called rank."""
        takes = HocTakesOne(HOC_PAY * (self.view.state.seats - 1))
        if self.goes_out(action, self.surely):
            return CannotBeStopped(), takes
        return (*expected, *self._near_out(), takes)

    def _why_sans(self, action: Action, expected: tuple[Reason, ...]) -> tuple[Reason, ...]:
        """No card for the called rank."""
        called = self.play.called
        if called is None:
            return ()
        if self.goes_out(action, self.surely):
            return RunIsDead(called), CannotBeStopped()
        after = (self._after(called),) if self._is_ours else ()
        if expected:
            return (*expected, *after, KeepsHoc(self.hand.hocs))
        return (KeepsHoc(self.hand.hocs) if self.hand.hocs else NothingFits(called), *after)

    @property
    def _is_ours(self) -> bool:
        """Whether the last card of the run is our own."""
        return bool(self.play.run) and self.play.run[-1].seat == self.view.seat

    def _ordinary(self) -> list[Card]:
        return sorted(card for card in self.view.hand if not card.is_hoc)

    def _takes_out(self, card: Card) -> tuple[Card, ...]:
        """The whole hand in the order in which it goes down in this turn, if it does.

        That is a chain and then hocs, the first of them for the next rank; or a hoc, the others, and then a chain.
        """
        hocs = [other for other in self.view.hand if other.is_hoc and other != card]
        if not card.is_hoc:
            out = (*self.chain(card), *hocs)
        else:
            ordinary = self._ordinary()
            out = (card, *hocs, *(self.chain(ordinary[0]) if ordinary else ()))
        return out if len(out) == self.hand.size else ()

    def _outlook(self, action: Play, expected: tuple[Reason, ...]) -> tuple[Reason, ...]:
        """Whether the hand goes out by an ordinary card and what follows it; unless that is sure, what is expected."""
        if self.goes_out(action, self.surely):
            return (CannotBeStopped(),)
        return (*expected, OnlyHocStops()) if self.goes_out(action, self.but_for_hocs) else expected

    def _near_out(self) -> tuple[Reason, ...]:
        """Who has fewest cards, where they are few."""
        state = self.view.state
        counts = {seat: len(state.hands[seat]) for seat in state.present if seat != self.view.seat}
        rival = min(counts, key=lambda seat: counts[seat])
        if counts[rival] > NEAR_OUT + (self.others.opponents == 1):
            return ()
        left = self.hand.size
        return (NearOut(rival, counts[rival], left, cards_left_due(left)),)

    def _after(self, called: int) -> Reason:
        """What becomes of the lead when the others are asked for this rank."""
        if called in self.others.safe:
            return RunIsDead(called)
        sampler = Sampler(_without(Hidden.from_view(self.view), self.view.state.gone))
        dead, stays = sampler.chance_dead(called), sampler.chance_safe(called)
        if stays == 1:
            return RunIsDead(called)
        return OnlyHocFollows(called, stays) if dead == 1 else KeepsLead(called, dead, stays)


def _without(hidden: Hidden, gone: Collection[int]) -> Hidden:
    """The cards of seats that are gone are as good as asleep."""
    others = [other for other, seat in enumerate(hidden.seats) if seat not in gone]
    return replace(
        hidden,
        seats=tuple(hidden.seats[other] for other in others),
        sizes=tuple(hidden.sizes[other] for other in others),
        barred=tuple(hidden.barred[other] for other in others),
        known=tuple(hidden.known[other] for other in others),
    )
