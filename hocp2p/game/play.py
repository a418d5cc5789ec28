"""The stops game: leading, going on, *sans*, hocs, the end. RULES 3."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hocp2p.errors import RuleError
from hocp2p.game.actions import Action, Held, Hold, Play, Sans
from hocp2p.game.cards import ORDINARY, Card, format_rank
from hocp2p.game.events import (
    CardHeldBack,
    CardPlayed,
    DealEnded,
    Event,
    HocSaid,
    PlayOpened,
    RunEnded,
    SansSaid,
    Source,
)
from hocp2p.game.hands import shows_ordinary, unseen, verify_held, with_opened
from hocp2p.game.payments import cards_left_due, collect, collect_each, fine
from hocp2p.game.state import DealState, Phase, PlayedCard, PlayState

HOC_PAY: Final = 1  # jetons from each opponent (rules 3 and 3.2)


def open_play(state: DealState, events: list[Event]) -> DealState:
    """Eldest leads; if he is gone, the next in turn."""
    leader = state.present[0]
    events.append(PlayOpened(leader))
    play = PlayState(None, (), (), (frozenset(),) * state.seats, refused=0, hoc_due=False)
    return replace(state, phase=Phase.PLAY, turn=leader, play=play)


def verify_move(state: DealState, seat: int, action: Action) -> None:
    """Raises RuleError unless the seat whose turn it is may do this.

    *Hold* is let through where the hand may hold a card of the rank, since it costs a fine; elsewhere *sans* is said.
    """
    play = play_of(state)
    match action:
        case Play(position, card):
            verify_held(state, seat, [Held(position, card)])
            if play.called is not None and card.rank != play.called and not card.is_hoc:
                raise RuleError("wrong-rank", f"{format_rank(play.called)} is called, {card} is neither that nor a hoc")
        case Sans(rank):
            _verify_called(play, rank)
            if shows_ordinary(state, seat, rank):
                raise RuleError("holds-rank", f"everybody has seen a {format_rank(rank)} in that hand")
        case Hold(rank):
            _verify_called(play, rank)
            if not can_hold_back(state, seat, rank):
                raise RuleError("nothing-to-hold", f"that hand has no {format_rank(rank)} to hold back: say sans")
        case _:
            raise RuleError("wrong-phase", "the cards are being played: play a card or say sans")


def can_hold_back(state: DealState, seat: int, rank: int) -> bool:
    """Whether, for all that everybody knows, the hand may hold an ordinary card of ``rank``."""
    if shows_ordinary(state, seat, rank):
        return True
    return rank not in play_of(state).sans[seat] and bool(unseen(state, ORDINARY[rank]))


def perform_move(state: DealState, seat: int, action: Action, events: list[Event]) -> DealState:
    """Performs a verified action."""
    play = play_of(state)
    match action:
        case Play(position, card):
            return _play_card(state, seat, position, card, events)
        case Sans(rank):
            events.append(SansSaid(seat, rank))
            sans = tuple(ranks | {rank} if other == seat else ranks for other, ranks in enumerate(play.sans))
            play = replace(play, sans=sans, refused=play.refused + 1)
        case Hold(rank):
            events.append(CardHeldBack(seat, rank))
            state = fine(state, seat, "held back", events)
            play = replace(play, refused=play.refused + 1)
    return pass_turn(replace(state, play=play), seat, events)


def pass_turn(state: DealState, seat: int, events: list[Event]) -> DealState:
    """The turn passes on from ``seat`` to the right; back at the last card's player, nobody has gone on."""
    play = play_of(state)
    last = play.run[-1].seat
    other = (seat + 1) % state.seats
    while other != last and other in state.gone:
        other = (other + 1) % state.seats
    if other == last:
        return _end_run(state, last, fortuitous=True, events=events)
    return replace(state, turn=other)


def leave_play(state: DealState, seat: int, events: list[Event]) -> DealState:
    """A seat that is gone is passed over; if it was to lead, the next one does, and no hoc is due (rule 5)."""
    if state.turn != seat:
        return state
    play = play_of(state)
    if play.called is not None:
        return pass_turn(state, seat, events)
    return replace(state, turn=_next_present(state, seat), play=replace(play, hoc_due=False))


def end_deal(state: DealState, winner: int | None, events: list[Event]) -> DealState:
    """Every opponent pays the winner for the cards he still holds (rule 3.3); without a winner nobody pays."""
    left = tuple(len(hand) for hand in state.hands)
    events.append(DealEnded(winner, left))
    if winner is not None:
        dues = [(cards_left_due(count), f"{count} card{'s' if count > 1 else ''} left") for count in left]
        state = collect_each(state, Source.CARDS, winner, dues, events)
    return replace(state, phase=Phase.OVER, turn=None, winner=winner)


def play_of(state: DealState) -> PlayState:
    """The stops game. Raises RuleError before it begins."""
    if state.play is None:
        raise RuleError("wrong-phase", "the play has not begun")
    return state.play


def _verify_called(play: PlayState, rank: int) -> None:
    if play.called is None:
        raise RuleError("must-lead", "no rank is called: lead any card")
    if play.called != rank:
        raise RuleError("wrong-rank", f"the rank called is {format_rank(play.called)}")


def _play_card(state: DealState, seat: int, position: int, card: Card, events: list[Event]) -> DealState:
    play = play_of(state)
    led = play.called is None
    as_rank = card.rank if play.called is None else play.called
    hand = tuple(other for other in state.hands[seat] if other != position)
    hands = tuple(hand if other == seat else cards for other, cards in enumerate(state.hands))
    state = with_opened(replace(state, hands=hands), [Held(position, card)])
    events.append(CardPlayed(seat, position, card, as_rank, led, len(hand)))
    if play.hoc_due:  # he leads the run that follows his fortuitous hoc: now it is said and paid
        state = _say_hoc(state, seat, fortuitous=True, events=events)
    if card.is_hoc:
        state = _say_hoc(state, seat, fortuitous=False, events=events)
    run = (*play.run, PlayedCard(seat, position, card, as_rank))
    called = None if card.is_hoc else card.rank + 1  # kings are hocs, so a king can still follow
    state = replace(state, play=replace(play, called=called, run=run, refused=0, hoc_due=False))
    if not hand:
        return end_deal(state, seat, events)
    return _end_run(state, seat, fortuitous=False, events=events) if card.is_hoc else state


def _say_hoc(state: DealState, seat: int, *, fortuitous: bool, events: list[Event]) -> DealState:
    events.append(HocSaid(seat, fortuitous))
    if not fortuitous:
        return collect(state, Source.HOCS, seat, HOC_PAY, "hoc", events)
    if state.rules.fortuitous == "unpaid":
        return state
    return collect(state, Source.HOCS, seat, HOC_PAY, "fortuitous hoc", events)


def _end_run(state: DealState, last: int, *, fortuitous: bool, events: list[Event]) -> DealState:
    """Whoever played the last card leads; if he is gone, the next one does, and no hoc is due."""
    play = play_of(state)
    leader = last if last not in state.gone else _next_present(state, last)
    events.append(RunEnded(leader, fortuitous))
    closed = (*play.closed, play.run)
    play = replace(play, called=None, run=(), closed=closed, refused=0, hoc_due=fortuitous and leader == last)
    return replace(state, turn=leader, play=play)


def _next_present(state: DealState, seat: int) -> int:
    others = ((seat + step) % state.seats for step in range(1, state.seats))
    return next(other for other in others if other not in state.gone)
