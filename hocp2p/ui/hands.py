"""Our hand as a player looks at it: order, combinations worth naming, what follows a card. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from hocp2p.game.actions import Action, Play, Sans
from hocp2p.game.cards import KING, Card
from hocp2p.game.combinations import runs, tricons
from hocp2p.game.state import SeatView
from hocp2p.ui.local import Sort

Group = tuple[Card, ...]


def by_suit(cards: Sequence[Card]) -> list[Group]:
    """One group for each suit that is held, ranks ascending."""
    ordered = sorted(cards, key=lambda card: (card.suit, card.rank))
    return [tuple(group) for _, group in groupby(ordered, key=lambda card: card.suit)]


def grouped(cards: Sequence[Card], sort: Sort) -> list[Group]:
    """The hand in display order, in groups with a gap between."""
    if sort is Sort.SUIT:
        return by_suit(cards)
    if sort is Sort.RANK:
        return [tuple(sorted(cards))] if cards else []
    groups: list[Group] = []
    left = set(cards)
    for group in sorted((held.cards for held in runs(cards) + tricons(cards)), key=len, reverse=True):
        if left.issuperset(group):
            groups.append(tuple(sorted(group)))
            left.difference_update(group)
    return groups + by_suit(tuple(left))


def in_order(cards: Sequence[Card], sort: Sort) -> Group:
    """The hand in display order."""
    return tuple(card for group in grouped(cards, sort) for card in group)


def playable(legal: Sequence[Action]) -> dict[Card, Play]:
    """Cards that may be played now, with the action that plays each."""
    return {action.card: action for action in legal if isinstance(action, Play)}


def follow_up(view: SeatView, card: Card) -> tuple[Action, ...]:
    """Playing this card and every ordinary card that follows, then the *sans* where nothing else is left to say.

    Stops before a fixed hoc, since playing it or not is a choice, and before a *sans* that a fixed hoc could replace.
    """
    positions = {view.own[position]: position for position in view.state.hands[view.seat]}
    plan: list[Action] = [Play(positions.pop(card), card)]
    rank = card.rank
    if card.is_hoc:
        return tuple(plan)
    while rank < KING:
        rank += 1
        ordinary = sorted(held for held in positions if held.rank == rank and not held.is_hoc)
        if not ordinary:
            break
        plan.append(Play(positions.pop(ordinary[0]), ordinary[0]))
    if positions and not any(held.is_hoc for held in positions):
        plan.append(Sans(rank))
    return tuple(plan)
