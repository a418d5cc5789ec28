"""What a player may know in the play, as arrays: the public state and his own hand, nothing else.

It is made either from a seat's view or, for the player whose turn it is, from a batch of games. Whatever a net or a
rule of thumb computes, it computes from this. ``N`` is the number of observations, ``O`` that of the opponents, who
stand in turn order after the player; classes are columns as in :mod:`hocp2p.players.engine.batch`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from hocp2p.errors import RuleError
from hocp2p.game.state import SeatView
from hocp2p.players.engine.batch import FULL_DECK, Batch, Bools, Bytes, Ints
from hocp2p.players.engine.convert import hand_of, hidden_cards, known_in_hand
from hocp2p.players.engine.masks import count_of, numbers_of
from hocp2p.players.engine.places import NOBODY


@dataclass(frozen=True, slots=True)
class Observation:
    """What the players to move know.

    Args:
        own: ``[N, 13]``, own cards in hand by class.
        unseen: ``[N, 13]``, cards that the player has not seen: in other hands, or asleep.
        left: ``[N, O]``, cards in each opponent's hand.
        known: ``[N, O, 13]``, those of them that were shown.
        sans: ``[N, O]``, the ranks to which an opponent has said *sans*, as bits: he holds no ordinary card of them.
        called: ``[N]``, the rank called; 0: the player leads.
        last: ``[N]``, who played the last card of the open run: 0 the player, 1 the next opponent, 2 the one after;
            ``NOBODY`` when he leads.
        due: ``[N]``, whether his lead will tell a fortuitous hoc.
        fortuitous: ``[N]``, whether such a hoc is paid.
    """

    own: Bytes
    unseen: Bytes
    left: Ints
    known: Bytes
    sans: Ints
    called: Ints
    last: Ints
    due: Bools
    fortuitous: Bools

    def __len__(self) -> int:
        return len(self.called)

    def take(self, rows: Ints | Bools) -> Observation:
        """Some of the observations, by number or by a mask."""
        return Observation(*(getattr(self, field.name)[rows] for field in fields(self)))


def observe(batch: Batch) -> Observation:
    """What those whose turn it is know. No game of the batch may be over."""
    seats, rows = batch.seats, np.arange(len(batch))
    others = (batch.turn[:, None] + np.arange(1, seats)) % seats
    flat = rows[:, None] * seats + others
    own = batch.hand()
    known: Bytes = batch.known.reshape(-1, own.shape[1])[flat]
    called = batch.called
    return Observation(
        own=own,
        unseen=FULL_DECK - batch.played - own - known.sum(axis=1, dtype=np.int8),
        left=batch.left.reshape(-1)[flat],
        known=known,
        sans=batch.sans.reshape(-1)[flat].astype(np.intp),
        called=called,
        last=np.where(called > 0, (batch.last - batch.turn) % seats, NOBODY),
        due=batch.due,
        fortuitous=batch.fortuitous,
    )


def observe_view(view: SeatView) -> Observation:
    """What a seat knows whose turn it is in the play; ``N`` is 1, and seats that are gone are no opponents.

    Raises RuleError ``wrong-phase`` before the play, ``not-your-turn`` in the turn of somebody else.
    """
    state, play = view.state, view.state.play
    if play is None:
        raise RuleError("wrong-phase", "the play has not begun")
    if state.turn != view.seat:
        raise RuleError("not-your-turn", "it is the turn of another seat")
    others = [(view.seat + step) % state.seats for step in range(1, state.seats)]
    others = [seat for seat in others if seat not in state.gone]
    last = NOBODY
    if play.called is not None:
        player = play.run[-1].seat
        if player not in state.gone:
            last = 0 if player == view.seat else others.index(player) + 1
    return Observation(
        own=_counts(hand_of(view)),
        unseen=_counts(hidden_cards(view)),
        left=np.array([[len(state.hands[seat]) for seat in others]], np.intp),
        known=np.stack([_counts(known_in_hand(state, seat)) for seat in others], axis=1),
        sans=np.array([[sum(1 << rank for rank in play.sans[seat]) for seat in others]], np.intp),
        called=np.array([play.called or 0], np.intp),
        last=np.array([last], np.intp),
        due=np.array([play.hoc_due]),
        fortuitous=np.array([state.rules.fortuitous == "paid"]),
    )


def _counts(mask: int) -> Bytes:
    """``[1, 13]`` of a mask."""
    return np.array([numbers_of(count_of(mask))[1:]], np.int8)
