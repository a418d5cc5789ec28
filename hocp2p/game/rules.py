"""The one place that says what is legal and what follows (rules 1 to 5). Pure functions over :class:`DealState`.

It only dispatches: the auction is in ``auction``, winning a stake in ``showdown`` and ``stakes``, carte blanche in
``blanche``, the stops game in ``play``, jetons in ``payments``, what a client offers in ``legal``.

Legal or not is judged from public state alone, with the proofs that :func:`required_proof` names. Two infractions
that the rules punish instead of forbidding are legal in this sense and cost a fine (rule 4): ``Hold``, and a false
announcement, which the winner admits by saying ``Good`` when he is asked to show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hocp2p.errors import RuleError
from hocp2p.game import auction, blanche, legal, play, showdown, stakes
from hocp2p.game.actions import Action, Blanche, Held, Play, Sans, Show, Stake
from hocp2p.game.cards import COURTS, ORDINARY, Card
from hocp2p.game.events import Anted, Event, SeatGone
from hocp2p.game.hands import hidden, unseen
from hocp2p.game.house import ANTE, HAND_SIZE, Rules
from hocp2p.game.payments import SOURCES, pay_in
from hocp2p.game.state import DealOutcome, DealState, Phase, SeatView


@dataclass(frozen=True, slots=True)
class Openings:
    """The action needs a proof that these positions of the actor open to these faces."""

    positions: tuple[int, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class NotHolding:
    """The action needs a proof that none of these positions of the actor is one of these faces; both ascending."""

    positions: tuple[int, ...]
    cards: tuple[Card, ...]


def deal_positions(seats: int, dealer: int) -> tuple[tuple[int, ...], ...]:
    """By seat, the deck positions dealt: one at a time in turn order from eldest; the rest sleeps (rule 1).

    Raises RuleError unless two or three play and ``dealer`` is one of them.
    """
    if seats not in HAND_SIZE:
        raise RuleError("bad-seats", f"two or three play, not {seats}")
    if not 0 <= dealer < seats:
        raise RuleError("bad-seats", f"there is no seat {dealer}")
    dealt = range(seats * HAND_SIZE[seats])
    return tuple(tuple(dealt[(seat - dealer - 1) % seats :: seats]) for seat in range(seats))


def start_deal(
    rules: Rules,
    seats: int,
    dealer: int,
    balances: Sequence[int],
    carry: tuple[int, int, int],
    doubled: frozenset[Stake],
    gone: frozenset[int] = frozenset(),
) -> tuple[DealState, tuple[Event, ...]]:
    """Antes are in, the auction of Point is open.

    Args:
        rules: the house rules of the table.
        seats: 2 or 3.
        dealer: speaks last.
        balances: jetons by seat before the antes.
        carry: jetons that lie in Point, Sequence and Tricon.
        doubled: stakes whose payments are doubled in this deal.
        gone: seats already lost; they ante, and leave before the first word.

    Raises RuleError for figures that do not fit the seats.
    """
    dealt = deal_positions(seats, dealer)
    if len(balances) != seats or min(carry) < 0:
        raise RuleError("bad-seats", "a balance for each seat is needed, and no pool may be negative")
    state = DealState(
        rules=rules,
        seats=seats,
        dealer=dealer,
        phase=Phase.AUCTION,
        turn=None,
        hands=dealt,
        dealt=dealt,
        balances=tuple(balances),
        pools=carry,
        carry_in=carry,
        pay=((0,) * seats,) * len(SOURCES),
        doubled=doubled,
        blanche=(None,) * seats,
    )
    for stake in Stake:
        state = pay_in(state, stake, (ANTE,) * seats)
    events: list[Event] = [Anted(state.pools)]
    state = stakes.open_stake(state, Stake.POINT, events)
    for seat in sorted(gone):
        state, more = leave(state, seat)
        events += more
    return state, tuple(events)


def verify_action(state: DealState, seat: int, action: Action) -> None:
    """Raises RuleError unless ``seat`` may do this now, judged from public state alone (its proof is checked apart)."""
    if state.turn is None:
        raise RuleError("deal-over", "the deal is over")
    if seat != state.turn:
        raise RuleError("not-your-turn", f"it is seat {state.turn}'s turn")
    verify, _ = _PHASES[state.phase]
    verify(state, seat, action)


def required_proof(state: DealState, seat: int, action: Action) -> Openings | NotHolding | None:
    """What has to be proven with a legal action, derived from public state by prover and verifier alike.

    Cards that everybody has seen need no proof any more. None: nothing is left to prove.
    """
    match action:
        case Play(position, card):
            return _openings(state, (Held(position, card),))
        case Show(cards):
            return _openings(state, cards)
        case Sans(rank):
            return _not_holding(state, state.hands[seat], ORDINARY[rank])
        case Blanche():
            return _not_holding(state, state.dealt[seat], COURTS)
        case _:
            return None


def apply(state: DealState, seat: int, action: Action) -> tuple[DealState, tuple[Event, ...]]:
    """Verifies and performs an action. Raises RuleError, and the state is as it was, when it is not legal."""
    verify_action(state, seat, action)
    _, perform = _PHASES[state.phase]
    events: list[Event] = []
    state = perform(state, seat, action, events)
    return state, tuple(events)


def leave(state: DealState, seat: int) -> tuple[DealState, tuple[Event, ...]]:
    """The seat is lost for good (rule 5): it passes, says good, is passed over.

    When fewer than two seats are left, the deal is over without a winner and nobody pays for cards. A stake that was
    open then goes to the lone winner, else to the seat that is left if it had not given the stake up; all other
    pools stay on the table.

    Raises RuleError when there is no such seat, or it is gone already.
    """
    if not 0 <= seat < state.seats or seat in state.gone:
        raise RuleError("bad-seats", f"there is no seat {seat} that could leave")
    state = replace(state, gone=state.gone | {seat})
    events: list[Event] = [SeatGone(seat)]
    if state.phase is Phase.OVER:
        pass
    elif len(state.present) < 2:
        state = _abandon(state, events)
    else:
        state = _LEAVE[state.phase](state, seat, events)
    return state, tuple(events)


def legal_actions(view: SeatView) -> tuple[Action, ...]:
    """What the client offers to this seat, in a stable order; empty when it is not its turn.

    Everything that a rule-abiding player may do. *Hold* is offered only under ``hold_back = fined``.
    """
    if view.seat != view.state.turn:
        return ()
    return legal.OFFERS[view.state.phase](view)


def outcome(state: DealState) -> DealOutcome:
    """The figures of a finished deal. Raises RuleError while it is not over.

    Fines are due to the next deal's Point (rule 4). Stakes that everybody passed are doubled in the next deal, by
    themselves or only all three together (rule 2, house rule ``double``).
    """
    if state.phase is not Phase.OVER:
        raise RuleError("not-over", "the deal is not over")
    point, sequence, tricon = state.pools
    doubles = state.rules.double == "per_stake" or (
        state.rules.double == "all_three" and len(state.passed) == len(Stake)
    )
    return DealOutcome(
        pay={source.value: line for source, line in zip(SOURCES, state.pay, strict=True)},
        net=tuple(sum(column) for column in zip(*state.pay, strict=True)),
        balances=state.balances,
        carry_after=(point + state.fines, sequence, tricon),
        doubled_after=state.passed if doubles else frozenset(),
    )


_Verify = Callable[[DealState, int, Action], None]
_Perform = Callable[[DealState, int, Action, list[Event]], DealState]

_PHASES: dict[Phase, tuple[_Verify, _Perform]] = {
    Phase.AUCTION: (auction.verify_call, auction.perform_call),
    Phase.SHOWDOWN: (showdown.verify_announcement, showdown.perform_announcement),
    Phase.SHOW: (showdown.verify_show, showdown.perform_show),
    Phase.BLANCHE: (blanche.verify_blanche, blanche.perform_blanche),
    Phase.PLAY: (play.verify_move, play.perform_move),
}

_LEAVE: dict[Phase, Callable[[DealState, int, list[Event]], DealState]] = {
    Phase.AUCTION: auction.leave_auction,
    Phase.SHOWDOWN: showdown.leave_showdown,
    Phase.SHOW: showdown.leave_showdown,
    Phase.BLANCHE: blanche.leave_blanche,
    Phase.PLAY: play.leave_play,
}


def _openings(state: DealState, cards: Sequence[Held]) -> Openings | None:
    faces = state.faces()
    new = [held for held in cards if held.position not in faces]
    if not new:
        return None
    return Openings(tuple(held.position for held in new), tuple(held.card for held in new))


def _not_holding(state: DealState, positions: Sequence[int], cards: Sequence[Card]) -> NotHolding | None:
    where, what = hidden(state, positions), unseen(state, cards)
    return NotHolding(where, what) if where and what else None


def _abandon(state: DealState, events: list[Event]) -> DealState:
    heir = _heir(state)
    if heir is not None:
        state = stakes.settle_unseen(state, heir, events)
    return play.end_deal(state, None, events)


def _heir(state: DealState) -> int | None:
    """Who takes the open stake when play cannot go on: the lone winner, else who is left and has not given it up."""
    if state.auction is None or not state.auction.opened:
        return None
    if state.phase is Phase.SHOW and showdown.is_alone(state):
        return state.turn
    return next((seat for seat in state.present if not state.auction.out[seat]), None)
