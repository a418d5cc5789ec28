"""Who is called what in a sentence: ``you``, or a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hocp2p.game.cards import Card
from hocp2p.ui.lang import _, p_
from hocp2p.ui.names import format_card_symbols, format_cards, seat_word


class Speaker(NamedTuple):
    """Who is called what.

    Args:
        names: by seat.
        you: the seat to be spoken to as ``you``; None: everybody by name.
        ascii: letters for suits.
    """

    names: Sequence[str]
    you: int | None = None
    ascii: bool = False

    def name(self, seat: int) -> str:
        """The name, also of the seat that is ``you``; a seat beyond the names is called by its number."""
        return self.names[seat] if 0 <= seat < len(self.names) else seat_word(seat)

    def says(self, seat: int, you: str, other: str, **places: object) -> str:
        """The sentence for ``you`` or, with ``{name}`` in it, that for another; both as they are in English."""
        return _(you if seat == self.you else other).format(name=self.name(seat), **places)

    def among(self, seat: int) -> str:
        """``you`` or the name, as one of several."""
        return p_("one of several", "you") if seat == self.you else self.name(seat)

    def card(self, card: Card) -> str:
        """``7♦``."""
        return format_card_symbols(card, ascii=self.ascii)

    def cards(self, cards: Sequence[Card]) -> str:
        """Cards with a space between."""
        return format_cards(cards, ascii=self.ascii)
