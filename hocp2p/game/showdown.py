"""Who wins a stake: announcing, showing, false announcements, the lone winner. RULES 2.2."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hocp2p.errors import RuleError
from hocp2p.game.actions import Action, Announce, Claim, Good, Held, Show, Stake, Unseen
from hocp2p.game.combinations import Holding, claim_strength, holdings, verify_claim
from hocp2p.game.events import Announced, CardsShown, Event, FalselyAnnounced, ShowdownOpened, StakeEnd
from hocp2p.game.hands import verify_held, with_opened
from hocp2p.game.payments import fine
from hocp2p.game.stakes import auction_of, go_on, settle_shown, settle_unseen
from hocp2p.game.state import DealState, Phase, ShowdownState


def open_showdown(state: DealState, contestants: Iterable[int], events: list[Event]) -> DealState:
    """The contestants announce, in turn order from eldest; also afresh, when one of them has fallen out."""
    order = tuple(contestants)
    events.append(ShowdownOpened(auction_of(state).stake, order))
    showdown = ShowdownState(order, (None,) * state.seats, (False,) * state.seats)
    return _go_on_announcing(replace(state, phase=Phase.SHOWDOWN, showdown=showdown), events)


def win_alone(state: DealState, winner: int, events: list[Event]) -> DealState:
    """One player is left in. Point: he takes the pool. Sequence, Tricon: he chooses, unseen or shown."""
    if auction_of(state).stake is Stake.POINT:
        return go_on(settle_unseen(state, winner, events), events)
    nobody = (False,) * state.seats
    showdown = ShowdownState((winner,), (None,) * state.seats, nobody, winner)
    return replace(state, phase=Phase.SHOW, turn=winner, showdown=showdown)


def best_claimant(showdown: ShowdownState) -> int | None:
    """Who made the best announcement so far: the latest, since each has to beat those before it."""
    claimants = [seat for seat in showdown.contestants if showdown.claims[seat] is not None]
    return claimants[-1] if claimants else None


def beats(state: DealState, claim: Claim) -> bool:
    """Whether ``claim`` beats every announcement so far. Equal does not: those who spoke have the better position."""
    showdown, stake = showdown_of(state), auction_of(state).stake
    claimant = best_claimant(showdown)
    best = None if claimant is None else showdown.claims[claimant]
    return best is None or claim_strength(state.rules, stake, claim) > claim_strength(state.rules, stake, best)


def verify_announcement(state: DealState, seat: int, action: Action) -> None:
    """Raises RuleError unless the seat whose turn it is may say this; nobody can tell yet whether it is true."""
    match action:
        case Announce(claim):
            verify_claim(auction_of(state).stake, claim, len(state.dealt[seat]))
            if not beats(state, claim):
                raise RuleError("not-better", "that does not beat the best announcement so far: say good")
        case Good():
            pass
        case _:
            raise RuleError("wrong-phase", "this is the showdown: announce, or say good")


def perform_announcement(state: DealState, seat: int, action: Action, events: list[Event]) -> DealState:
    """Performs a verified action."""
    showdown = showdown_of(state)
    claim = action.claim if isinstance(action, Announce) else None
    events.append(Announced(seat, auction_of(state).stake, claim))
    claims = tuple(claim if other == seat else old for other, old in enumerate(showdown.claims))
    spoken = tuple(other == seat or old for other, old in enumerate(showdown.spoken))
    return _go_on_announcing(replace(state, showdown=replace(showdown, claims=claims, spoken=spoken)), events)


def verify_show(state: DealState, seat: int, action: Action) -> None:
    """Raises RuleError unless the winner may do this.

    What was announced must be among what is shown. *Good* instead of showing is let through: it costs a fine.
    """
    claim = showdown_of(state).claims[seat]
    match action:
        case Show(cards):
            verify_held(state, seat, cards)
            shown = shown_holdings(state, cards)
            if claim is not None and not any(holding.covers(claim) for holding in shown):
                raise RuleError("not-announced", "what was announced is not among these cards")
        case Unseen() if claim is None:
            pass
        case Good() if claim is not None:
            pass
        case _:
            choice = "show, or take the class unseen" if claim is None else "show what was announced"
            raise RuleError("wrong-phase", f"the winner is asked to show: {choice}")


def shown_holdings(state: DealState, cards: Iterable[Held]) -> tuple[Holding, ...]:
    """The combinations that shown cards make, strongest first.

    Raises RuleError unless every card belongs to one, and there is at least one; only one for Point and under
    ``lesser = off``.
    """
    faces = [held.card for held in cards]
    found = holdings(auction_of(state).stake, faces)
    if not found or sum(len(holding.cards) for holding in found) != len(faces):
        raise RuleError("bad-show", "every card shown must belong to a combination of this stake")
    if len(found) > 1 and (auction_of(state).stake is Stake.POINT or state.rules.lesser == "off"):
        raise RuleError("bad-show", "only the one combination is shown")
    return found


def perform_show(state: DealState, seat: int, action: Action, events: list[Event]) -> DealState:
    """Performs a verified action."""
    match action:
        case Show(cards):
            end = StakeEnd.ALONE if is_alone(state) else StakeEnd.SHOWN
            events.append(CardsShown(seat, auction_of(state).stake, cards))
            state = settle_shown(with_opened(state, cards), end, seat, shown_holdings(state, cards), events)
            return go_on(state, events)
        case Unseen():
            return go_on(settle_unseen(state, seat, events), events)
        case _:
            events.append(FalselyAnnounced(seat, auction_of(state).stake))
            state = fine(state, seat, "false announcement", events)
            return _announce_afresh(state, seat, events)


def is_alone(state: DealState) -> bool:
    """Whether the winner asked to show is the only one left in, and so has announced nothing at a showdown."""
    showdown = showdown_of(state)
    return showdown.winner is not None and showdown.claims[showdown.winner] is None


def leave_showdown(state: DealState, seat: int, events: list[Event]) -> DealState:
    """A seat that is gone says good (rule 5).

    If its announcement was the best, the others announce afresh; it is not fined. A lone winner takes his class unseen.
    """
    showdown = showdown_of(state)
    if seat not in showdown.contestants:
        return state
    if is_alone(state):
        return go_on(settle_unseen(state, seat, events), events)
    if best_claimant(showdown) == seat:
        return _announce_afresh(state, seat, events)
    contestants = tuple(other for other in showdown.contestants if other != seat)
    state = replace(state, showdown=replace(showdown, contestants=contestants))
    return _go_on_announcing(state, events)


def showdown_of(state: DealState) -> ShowdownState:
    """The showdown. Raises RuleError when there is none."""
    if state.showdown is None:
        raise RuleError("wrong-phase", "there is no showdown")
    return state.showdown


def _announce_afresh(state: DealState, without: int, events: list[Event]) -> DealState:
    others = [seat for seat in showdown_of(state).contestants if seat != without]
    return open_showdown(state, others, events) if others else _nothing_shown(state, (), events)


def _go_on_announcing(state: DealState, events: list[Event]) -> DealState:
    """The next contestant announces; after the last, the best announcement is asked to show."""
    showdown = showdown_of(state)
    for seat in showdown.contestants:
        if not showdown.spoken[seat]:
            return replace(state, turn=seat)
    winner = best_claimant(showdown)
    if winner is None:
        return _nothing_shown(state, showdown.contestants, events)
    return replace(state, phase=Phase.SHOW, turn=winner, showdown=replace(showdown, winner=winner))


def _nothing_shown(state: DealState, contestants: tuple[int, ...], events: list[Event]) -> DealState:
    """Nobody holds a combination: the best position among those still in the showdown takes the pool.

    If nobody is still in it (all have announced falsely, or are gone): of those who did not give up in the auction.
    """
    auction = auction_of(state)
    stayed = [seat for seat in state.present if not auction.out[seat]]
    winner = next(iter(contestants), stayed[0])
    return go_on(settle_shown(state, StakeEnd.NOTHING, winner, (), events), events)
