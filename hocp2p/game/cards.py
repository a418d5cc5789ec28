"""Cards: ranks, suits, faces. RULES 1 and 3.2.

A *face* is a card's rank and suit. Its ``index`` 0..51 is what the deal protocol knows it by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hocp2p.errors import NotationError

ACE: Final = 1
JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13
RANKS: Final = range(ACE, KING + 1)
RANK_LETTERS: Final = "A23456789TJQK"
SUIT_LETTERS: Final = "SHDC"
SUIT_SYMBOLS: Final = "♠♥♦♣"
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
DECK_SIZE: Final = 52


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One face. Orders by rank, then suit.

    Args:
        rank: 1 (ace) to 13 (king); ace is low.
        suit: 0 spades, 1 hearts, 2 diamonds, 3 clubs.
    """

    rank: int
    suit: int

    @property
    def index(self) -> int:
        """0..51, suit by suit: ``13 * suit + rank - 1``."""
        return 13 * self.suit + self.rank - 1

    @property
    def is_court(self) -> bool:
        """Jack, queen or king."""
        return self.rank >= JACK

    @property
    def is_hoc(self) -> bool:
        """One of the six fixed hocs K♣ K♠ K♥ K♦ Q♠ J♦ (rule 3.2)."""
        return self.rank == KING or self in (QUEEN_OF_SPADES, JACK_OF_DIAMONDS)

    @property
    def pips(self) -> int:
        """Card points: courts and tens 10, pips their number, aces 1 (rule 2.1)."""
        return min(self.rank, 10)

    def __str__(self) -> str:
        return RANK_LETTERS[self.rank - 1] + SUIT_LETTERS[self.suit]


QUEEN_OF_SPADES: Final = Card(QUEEN, SPADES)
JACK_OF_DIAMONDS: Final = Card(JACK, DIAMONDS)
DECK: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for suit in range(4) for rank in RANKS)
HOCS: Final[frozenset[Card]] = frozenset(card for card in DECK if card.is_hoc)
COURTS: Final[tuple[Card, ...]] = tuple(card for card in DECK if card.is_court)
ORDINARY: Final[dict[int, tuple[Card, ...]]] = {
    rank: tuple(card for card in DECK if card.rank == rank and not card.is_hoc) for rank in RANKS
}
"""By rank, its cards that are not fixed hocs: the ones that must be played when the rank is called (rule 3.1)."""


def card_of(index: int) -> Card:
    """The face with this index (0..51). Raises IndexError outside."""
    if index < 0:
        raise IndexError(index)
    return DECK[index]


def parse_rank(text: str) -> int:
    """``A 2..9 T J Q K``, either case, ``10`` too. Raises NotationError."""
    letter = "T" if text == "10" else text.upper()
    if len(letter) != 1 or letter not in RANK_LETTERS:
        raise NotationError("bad-rank", f"{text!r} is not a rank: A 2 to 9 T J Q K")
    return RANK_LETTERS.index(letter) + 1


def format_rank(rank: int) -> str:
    """One letter for a rank 1..13."""
    return RANK_LETTERS[rank - 1]


def parse_card(text: str) -> Card:
    """Rank and suit, for instance ``7D`` or ``td``. Raises NotationError."""
    if len(text) < 2 or text[-1].upper() not in SUIT_LETTERS:
        raise NotationError("bad-card", f"{text!r} is not a card: rank and suit, for instance 7D")
    return Card(parse_rank(text[:-1]), SUIT_LETTERS.index(text[-1].upper()))


def format_card(card: Card) -> str:
    """``7D``; the inverse of :func:`parse_card`."""
    return str(card)
