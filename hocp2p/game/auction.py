"""The auction of one stake. RULES 2."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from hocp2p.errors import RuleError
from hocp2p.game.actions import CLASSES, Action, Combination, Declare, Good, Pass, Raise, Stay
from hocp2p.game.events import Called, Event
from hocp2p.game.payments import pay_in
from hocp2p.game.showdown import open_showdown, win_alone
from hocp2p.game.stakes import auction_of, carry_over, go_on
from hocp2p.game.state import AuctionState, DealState

_T = TypeVar("_T")


def verify_call(state: DealState, seat: int, action: Action) -> None:
    """Raises RuleError unless the seat whose turn it is may say this. The class may be a lie."""
    auction = auction_of(state)
    match action:
        case Pass():
            _verify_unopened(auction)
        case Declare(announced):
            _verify_unopened(auction)
            _verify_class(auction, seat, announced, may_rise=False)
        case Raise(by, announced):
            if not 1 <= by <= state.rules.raise_cap:
                raise RuleError("bad-raise", f"a raise is from 1 to {state.rules.raise_cap} jetons, not {by}")
            _verify_class(auction, seat, announced, may_rise=True)
        case Stay(announced):
            _verify_opened(auction)
            _verify_class(auction, seat, announced, may_rise=False)
        case Good():
            _verify_opened(auction)
        case _:
            raise RuleError("wrong-phase", "a stake is being bid for")


def perform_call(state: DealState, seat: int, action: Action, events: list[Event]) -> DealState:
    """Performs a verified action."""
    auction = auction_of(state)
    match action:
        case Declare(announced):
            auction = _put_in(_opened_by(auction, seat), seat, announced)
        case Raise(by, announced):
            auction = replace(_opened_by(auction, seat), level=auction.level + by)
            auction = _put_in(auction, seat, announced)
        case Stay(announced):
            auction = _put_in(auction, seat, announced)
        case Good():
            auction = replace(auction, out=_set(auction.out, seat, True))
    auction = replace(auction, spoken=_set(auction.spoken, seat, True))
    added = [new - old for new, old in zip(auction.paid, auction_of(state).paid, strict=True)]
    events.append(Called(seat, auction.stake, action, added[seat], auction.level))
    state = pay_in(replace(state, auction=auction), auction.stake, added)
    return _pass_on(state, seat, events)


def leave_auction(state: DealState, seat: int, events: list[Event]) -> DealState:
    """A seat that is gone is out of the stake (rule 5); what it put in stays in the pool."""
    auction = auction_of(state)
    if auction.out[seat]:
        return state
    state = replace(state, auction=replace(auction, out=_set(auction.out, seat, True)))
    return _pass_on(state, seat if state.turn == seat else None, events)


def announceable(auction: AuctionState, seat: int, *, raising: bool) -> tuple[Combination | None, ...]:
    """The classes with which a seat may declare or stay, or raise: None stands for saying none.

    A class must be announced the first time the seat puts itself in; a higher one may be with a later raise.
    """
    classes = CLASSES[auction.stake]
    if not classes:
        return (None,)
    if not auction.entered[seat]:
        return classes
    before = auction.announced[seat]
    if not raising or before is None:
        return (None,)
    return (None, *(higher for higher in classes if higher > before))


def _verify_opened(auction: AuctionState) -> None:
    if not auction.opened:
        raise RuleError("not-opened", "nobody has opened yet: pass, declare or raise")


def _verify_unopened(auction: AuctionState) -> None:
    if auction.opened:
        raise RuleError("opened", "somebody has opened: stay, raise or say good")


def _verify_class(auction: AuctionState, seat: int, announced: Combination | None, *, may_rise: bool) -> None:
    if announced in announceable(auction, seat, raising=may_rise):
        return
    if announced is None:
        raise RuleError("no-class", "a class must be announced with it")
    raise RuleError("bad-class", "that class cannot be announced here")


def _opened_by(auction: AuctionState, seat: int) -> AuctionState:
    """Opened or raised: everybody else has to speak again."""
    return replace(auction, opened=True, spoken=tuple(other == seat for other in range(len(auction.spoken))))


def _put_in(auction: AuctionState, seat: int, announced: Combination | None) -> AuctionState:
    """The seat matches the level, and announces where it has to or wants to."""
    return replace(
        auction,
        paid=_set(auction.paid, seat, auction.level),
        entered=_set(auction.entered, seat, True),
        announced=auction.announced if announced is None else _set(auction.announced, seat, announced),
    )


def _pass_on(state: DealState, seat: int | None, events: list[Event]) -> DealState:
    """After ``seat`` the next one who has to speak; or the auction has ended. None: nobody's turn was used up."""
    auction = auction_of(state)
    still_in = [other for other in state.turn_order if not auction.out[other]]
    if len(still_in) == 1:
        return win_alone(state, still_in[0], events)
    waiting = [other for other in still_in if not auction.spoken[other]]
    if not waiting:
        if auction.opened:
            return open_showdown(state, still_in, events)
        return go_on(carry_over(state, events), events)
    if seat is None:
        return state
    return replace(state, turn=min(waiting, key=lambda other: (other - seat) % state.seats))


def _set(values: tuple[_T, ...], seat: int, value: _T) -> tuple[_T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
