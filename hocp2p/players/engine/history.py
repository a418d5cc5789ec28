"""What was done in the play so far, move by move, read off a seat's view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hocp2p.game.state import DealState, PlayState, SeatView
from hocp2p.players.engine.convert import hands_of, place_of
from hocp2p.players.engine.house import House
from hocp2p.players.engine.masks import CLASS_OF, UNITS, count_of
from hocp2p.players.engine.play import HOLD, SANS, Play


class Move(NamedTuple):
    """What somebody did in the play, as everybody saw it.

    Args:
        place: who.
        action: of :class:`Play`: a class, ``SANS`` or ``HOLD``.
        card: the index of the card; -1 for none.
    """

    place: int
    action: int
    card: int


def opening_of(view: SeatView, hidden: Mapping[int, int] | Sequence[int]) -> Play:
    """The play at its beginning, before any of :func:`moves_of`; the view must be in the play."""
    state = view.state
    counts = [count_of(mask) for mask in hands_of(view, hidden)]
    for move in moves_of(state):
        if move.card >= 0:
            counts[move.place] += UNITS[move.action]
    house = House.of(state.rules, state.seats)
    return Play(counts, hold_back=house.hold_back, fortuitous=house.fortuitous)


def moves_of(state: DealState) -> list[Move]:
    """All moves of the play so far, in order.

    Performed one after the other from :func:`opening_of` they give the present moment, unless a seat was lost on the
    way: the turns that it did not take are not told. Where a seat held a card back and said *sans* to the same rank
    later, both are told as *sans*.
    """
    play = state.play
    if play is None:
        return []
    found: list[Move] = []
    for number, run in enumerate((*play.closed, play.run)):
        is_open = number == len(play.closed)
        for step, played in enumerate(run):
            index = played.card.index
            found.append(Move(place_of(state, played.seat), CLASS_OF[index], index))
            if played.card.is_hoc:
                continue
            if step + 1 < len(run):
                passed = (run[step + 1].seat - played.seat) % state.seats
            else:
                passed = _seats_asked(state, play, played.seat) if is_open else state.seats
            found += _passes(state, play, played.seat, passed, played.card.rank + 1)
    return found


def _seats_asked(state: DealState, play: PlayState, last: int) -> int:
    """How many turns of the open run, from that of its last card's player on, have ended without a card."""
    if state.turn is None or not play.refused:
        return 0
    return (state.turn - last) % state.seats


def _passes(state: DealState, play: PlayState, first: int, count: int, rank: int) -> list[Move]:
    """``count`` turns from the seat ``first`` on that ended without a card when ``rank`` was called."""
    found = []
    for step in range(count):
        seat = (first + step) % state.seats
        if rank in play.sans[seat]:
            found.append(Move(place_of(state, seat), SANS, -1))
        elif seat not in state.gone:
            found.append(Move(place_of(state, seat), HOLD, -1))
    return found
