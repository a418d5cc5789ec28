"""How likely it is that somebody has to go on with a rank."""

from __future__ import annotations

from math import comb

from hocp2p.game.cards import DECK, ORDINARY, Card
from hocp2p.game.state import PlayState, SeatView

_Deal = tuple[frozenset[Card], int]


def chance_none_holds(view: SeatView, play: PlayState, rank: int) -> float:
    """The chance that no opponent holds an ordinary card of ``rank``, so that nobody has to play it (rule 3.1).

    Every way to deal the unseen cards that fits the hand sizes, the cards that were shown and each *sans* is equally
    likely; what the bidding and the withheld hocs tell is not in it.

    Args:
        view, play: the seat's view and the stops game in it.
        rank: 1 to 13; no king is an ordinary card, so the chance is 1 for 13.
    """
    state = view.state
    faces = state.faces()
    unseen = frozenset(DECK).difference(view.own.values(), faces.values())
    wanted = frozenset(ORDINARY[rank])
    deals: list[_Deal] = []
    for seat in state.present:
        if seat == view.seat:
            continue
        known = [faces[position] for position in state.hands[seat] if position in faces]
        if not wanted.isdisjoint(known):
            return 0.0
        excluded = {card for other in play.sans[seat] for card in ORDINARY[other]}
        deals.append((unseen - excluded, len(state.hands[seat]) - len(known)))
    without = [(may_hold - wanted, draws) for may_hold, draws in deals]
    return _ways(without) / _ways(deals)


def _ways(deals: list[_Deal]) -> int:
    """In how many ways one or two hands draw so many cards, each out of those that it may hold."""
    (first, draws), *others = deals
    if not others:
        return comb(len(first), draws)
    second, other_draws = others[0]
    both = len(first & second)
    return sum(
        comb(len(first) - both, draws - shared) * comb(both, shared) * comb(len(second) - shared, other_draws)
        for shared in range(min(draws, both) + 1)
    )
