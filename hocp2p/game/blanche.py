"""Carte blanche: a hand dealt without a court. RULES 2.3."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hocp2p.errors import RuleError
from hocp2p.game.actions import Action, Blanche, Go
from hocp2p.game.events import BlancheClaimed, Event, Source
from hocp2p.game.payments import collect
from hocp2p.game.play import open_play
from hocp2p.game.state import DealState, Phase

BLANCHE_PAY: Final = 10  # jetons from each other player


def open_blanche(state: DealState, events: list[Event]) -> DealState:
    """Everybody speaks, eldest first."""
    return _go_on(replace(state, phase=Phase.BLANCHE), events)


def verify_blanche(state: DealState, seat: int, action: Action) -> None:
    """Raises RuleError unless the seat whose turn it is may say this."""
    match action:
        case Blanche():
            dealt = state.dealt[seat]
            if any(card.is_court and position in dealt for position, card in state.opened):
                raise RuleError("holds-court", "everybody has seen a court in that hand")
        case Go():
            pass
        case _:
            raise RuleError("wrong-phase", "carte blanche is asked for: claim it or go on")


def perform_blanche(state: DealState, seat: int, action: Action, events: list[Event]) -> DealState:
    """Performs a verified action."""
    claimed = isinstance(action, Blanche)
    if claimed:
        events.append(BlancheClaimed(seat))
    answers = tuple(claimed if other == seat else said for other, said in enumerate(state.blanche))
    return _go_on(replace(state, blanche=answers), events)


def leave_blanche(state: DealState, _seat: int, events: list[Event]) -> DealState:
    """A seat that is gone is not asked any more; a claim already made stands (rule 5)."""
    return _go_on(state, events)


def _go_on(state: DealState, events: list[Event]) -> DealState:
    """The next seat that is not gone speaks; after the last, a single claim is paid and the play begins."""
    for seat in state.present:
        if state.blanche[seat] is None:
            return replace(state, turn=seat)
    claimants = [seat for seat, claimed in enumerate(state.blanche) if claimed]
    if len(claimants) == 1:
        state = collect(state, Source.BLANCHE, claimants[0], BLANCHE_PAY, "carte blanche", events)
    return open_play(state, events)
