"""A decision in the play, and the worlds in which it may have to be made, as states of the engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hocp2p.errors import RuleError
from hocp2p.game.state import SeatView
from hocp2p.players.belief.sampler import Sampler, Worlds, deal_cards
from hocp2p.players.engine.batch import CLASSES, Batch
from hocp2p.players.engine.convert import deal_of, hand_of, known_in_hand, place_of
from hocp2p.players.engine.masks import UNITS, count_of, numbers_of
from hocp2p.players.engine.play import Play

_UNITS = np.array(UNITS[1:], np.int64)


@dataclass(frozen=True, slots=True)
class Moment:
    """What a seat must decide.

    Args:
        view: of the seat whose turn it is, in the play.
        sampler: of the hidden cards.
        play: the moment in one of the worlds.
        places: by other seat, its place.
        sure: ``[P, 13]``, by place, the cards in hand that the seat is sure of: its own, and those that were shown.
        known: ``[P, 13]``, those that everybody is sure of.
    """

    view: SeatView
    sampler: Sampler
    play: Play
    places: list[int]
    sure: NDArray[np.int8]
    known: NDArray[np.int8]

    @classmethod
    def of(cls, view: SeatView, generator: np.random.Generator) -> Moment:
        """Raises RuleError ``wrong-phase`` outside the play, ``not-your-turn`` in the turn of another seat."""
        state = view.state
        if state.turn != view.seat:
            raise RuleError("not-your-turn", "it is the turn of another seat")
        sampler = Sampler.from_view(view)
        masks = deal_cards(view, sampler.sample(generator, 1), generator)[0].tolist()
        hidden = dict(zip(sampler.hidden.seats, masks, strict=True))
        play = deal_of(view, hidden).play
        if play is None:
            raise RuleError("wrong-phase", "the play has not begun")
        known = np.zeros((state.seats, CLASSES), np.int8)
        places = [place_of(state, seat) for seat in sampler.hidden.seats]
        known[places] = sampler.hidden.known
        known[play.turn] = numbers_of(count_of(known_in_hand(state, view.seat)))[1:]
        sure = known.copy()
        sure[play.turn] = numbers_of(count_of(hand_of(view)))[1:]
        return cls(view, sampler, play, places, sure, known)

    def hands(self, worlds: Worlds) -> NDArray[np.int8]:
        """``[N, P, 13]``: the cards in all hands, by world and place."""
        hands = np.repeat(self.sure[None], len(worlds), axis=0)
        hands[:, self.places] += worlds.astype(np.int8)
        return hands

    def batch(self, worlds: Worlds) -> Batch:
        """The moment in each world, all at once."""
        return Batch.of(self.play, self.hands(worlds), self.known)

    def plays(self, worlds: Worlds) -> Iterator[Play]:
        """The moment in each world, one after the other."""
        for counts in (self.hands(worlds) @ _UNITS).tolist():
            yield self.play.with_hands(counts)
