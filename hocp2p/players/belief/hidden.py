"""What a seat can be sure of about the cards that it does not see, by class: read off its view and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from hocp2p.errors import RuleError
from hocp2p.game.cards import JACK, KING
from hocp2p.game.state import DealState, SeatView
from hocp2p.players.engine.convert import hidden_cards, known_in_hand
from hocp2p.players.engine.masks import HOC, count_of, numbers_of

CLASSES: Final = HOC
"""How many classes there are. In all tables of this package class ``c`` stands in column ``c - 1``."""

NO_COURTS: Final = sum(1 << number for number in range(JACK, HOC + 1))
"""The classes barred to a hand without courts, as bits: every fixed hoc is a court, too."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """The hidden cards: who may hold how many of which. What no seat holds is asleep.

    Args:
        seats: the other seats, in turn order after ours.
        sizes: by other seat (in this order, here and below), how many cards of its hand are not known.
        unseen: by class, how many cards are hidden; ``CLASSES`` entries.
        barred: by other seat, the classes that no hidden card of its hand is of, as bits (bit 7 for a seven).
        known: by other seat, by class, the cards that everybody knows to be in its hand.

    Raises:
        RuleError: ``bad-hands`` when the hands are to hold more cards than are hidden.
    """

    seats: tuple[int, ...]
    sizes: tuple[int, ...]
    unseen: tuple[int, ...]
    barred: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if sum(self.sizes) > sum(self.unseen):
            raise RuleError("bad-hands", f"{sum(self.sizes)} hidden cards in hand, and only {sum(self.unseen)} hidden")

    @classmethod
    def from_view(cls, view: SeatView) -> Hidden:
        """What the view's seat can be sure of. Nobody draws a card, so a rank once denied is never held again."""
        state = view.state
        seats = tuple((view.seat + step) % state.seats for step in range(1, state.seats))
        masks = [known_in_hand(state, seat) for seat in seats]
        return cls(
            seats=seats,
            sizes=tuple(len(state.hands[seat]) - mask.bit_count() for seat, mask in zip(seats, masks, strict=True)),
            unseen=_by_class(hidden_cards(view)),
            barred=tuple(_barred(state, seat) for seat in seats),
            known=tuple(_by_class(mask) for mask in masks),
        )

    def barring(self, other: int, classes: int) -> Hidden:
        """The same, and the ``other``-th of the others has none of these ``classes`` (bits) either."""
        barred = list(self.barred)
        barred[other] |= classes
        return replace(self, barred=tuple(barred))


def _by_class(mask: int) -> tuple[int, ...]:
    return tuple(numbers_of(count_of(mask))[1:])


def _barred(state: DealState, seat: int) -> int:
    """Ranks denied by *sans*, and the courts after a claim of carte blanche: both were proven."""
    ranks = state.play.sans[seat] if state.play is not None else frozenset[int]()
    barred = sum(1 << rank for rank in ranks if rank != KING)  # a king is a hoc, and hocs may be withheld
    return barred | NO_COURTS if state.blanche and state.blanche[seat] else barred
