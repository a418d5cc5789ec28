"""The one place that says what is legal and what follows (rules 1 to 5). Pure functions over :class:`DealState`.

(interface agreed first; bodies follow)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hocp2p.game.actions import Action, Stake
from hocp2p.game.cards import Card
from hocp2p.game.events import Event
from hocp2p.game.house import Rules
from hocp2p.game.state import DealOutcome, DealState, SeatView


@dataclass(frozen=True, slots=True)
class Openings:
    """The action needs a proof that these positions of the actor open to these faces."""

    positions: tuple[int, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class NotHolding:
    """The action needs a proof that none of these positions of the actor is one of these faces (none: no proof)."""

    positions: tuple[int, ...]
    cards: tuple[Card, ...]


def deal_positions(seats: int, dealer: int) -> tuple[tuple[int, ...], ...]:
    """By seat, the deck positions dealt: one at a time in turn order from eldest; the rest sleeps."""
    raise NotImplementedError


def start_deal(
    rules: Rules,
    seats: int,
    dealer: int,
    balances: Sequence[int],
    carry: tuple[int, int, int],
    doubled: frozenset[Stake],
    gone: frozenset[int] = frozenset(),
) -> tuple[DealState, tuple[Event, ...]]:
    """Antes are in, the auction of Point is open."""
    raise NotImplementedError


def verify_action(state: DealState, seat: int, action: Action) -> None:
    """Raises RuleError unless ``seat`` may do this now, judged from public state alone (its proof is checked apart)."""
    raise NotImplementedError


def required_proof(state: DealState, seat: int, action: Action) -> Openings | NotHolding | None:
    """What has to be proven with a legal action, derived from public state by prover and verifier alike."""
    raise NotImplementedError


def apply(state: DealState, seat: int, action: Action) -> tuple[DealState, tuple[Event, ...]]:
    """Verifies and performs an action."""
    raise NotImplementedError


def leave(state: DealState, seat: int) -> tuple[DealState, tuple[Event, ...]]:
    """The seat is lost for good (rule 5): it passes, says good, is passed over."""
    raise NotImplementedError


def legal_actions(view: SeatView) -> tuple[Action, ...]:
    """What the client offers to this seat, in a stable order; empty when it is not its turn."""
    raise NotImplementedError


def outcome(state: DealState) -> DealOutcome:
    """The figures of a finished deal. Raises RuleError while it is not over."""
    raise NotImplementedError
