"""What the public state says about a hand: positions, and the faces of those that were opened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hocp2p.errors import RuleError
from hocp2p.game.actions import Held
from hocp2p.game.cards import DECK, ORDINARY, Card
from hocp2p.game.state import DealState

_FACES = frozenset(DECK)


def verify_held(state: DealState, seat: int, cards: Iterable[Held]) -> None:
    """Raises RuleError unless ``seat`` may hold these cards at these positions, as far as everybody can tell.

    A position must still be in its hand; a face must be the one it was opened to before, or one nobody has seen.
    """
    faces = state.faces()
    seen = {card: position for position, card in faces.items()}
    asked: set[int] = set()
    for held in cards:
        if held.card not in _FACES:
            raise RuleError("bad-card", "there is no such card")
        if held.position not in state.hands[seat] or held.position in asked:
            raise RuleError("not-in-hand", f"position {held.position} is not in that hand, or is named twice")
        if faces.get(held.position, held.card) != held.card:
            raise RuleError("wrong-face", f"position {held.position} was opened before and is not {held.card}")
        if seen.setdefault(held.card, held.position) != held.position:
            raise RuleError("wrong-face", f"{held.card} lies elsewhere")
        asked.add(held.position)


def with_opened(state: DealState, cards: Iterable[Held]) -> DealState:
    """The state in which these cards are open to all."""
    faces = state.faces()
    new = tuple((held.position, held.card) for held in cards if held.position not in faces)
    return replace(state, opened=state.opened + new) if new else state


def hidden(state: DealState, positions: Iterable[int]) -> tuple[int, ...]:
    """Those positions that were not opened."""
    faces = state.faces()
    return tuple(position for position in positions if position not in faces)


def unseen(state: DealState, cards: Iterable[Card]) -> tuple[Card, ...]:
    """Those faces that were not opened anywhere."""
    seen = {card for _, card in state.opened}
    return tuple(card for card in cards if card not in seen)


def shows_ordinary(state: DealState, seat: int, rank: int) -> bool:
    """Whether everybody has seen an ordinary card of ``rank`` that is still in that hand."""
    hand = state.hands[seat]
    return any(card in ORDINARY[rank] and position in hand for position, card in state.opened)
