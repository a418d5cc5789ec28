"""Names for people: cards, ranks, classes, stakes, sources, and small words that fit them together."""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hocp2p.game.actions import Claim, Combination, Stake
from hocp2p.game.cards import ACE, JACK, KING, QUEEN, SUIT_LETTERS, SUIT_SYMBOLS, Card, format_rank
from hocp2p.game.events import Source
from hocp2p.game.state import Phase
from hocp2p.table.snapshot import TableSnapshot

RANK_WORDS: Final = {ACE: "ace", JACK: "jack", QUEEN: "queen", KING: "king"}
SUIT_WORDS: Final = ("spades", "hearts", "diamonds", "clubs")
CLASS_NAMES: Final = {
    Combination.TIERCE: "tierce",
    Combination.QUART: "quart",
    Combination.QUINT: "quint",
    Combination.BRELAN: "brelan",
    Combination.FREDON: "fredon",
}
STAKE_NAMES: Final = {Stake.POINT: "Point", Stake.SEQUENCE: "Sequence", Stake.TRICON: "Tricon"}
SOURCE_NAMES: Final = {
    Source.POINT: "Point",
    Source.SEQUENCE: "Sequence",
    Source.TRICON: "Tricon",
    Source.BLANCHE: "Carte blanche",
    Source.HOCS: "Hocs",
    Source.CARDS: "Cards left",
    Source.FINES: "Fines",
}
PHASE_NAMES: Final = {
    Phase.AUCTION: "AUCTION",
    Phase.SHOWDOWN: "SHOWDOWN",
    Phase.SHOW: "SHOW",
    Phase.BLANCHE: "CARTE BLANCHE",
    Phase.PLAY: "PLAY",
    Phase.OVER: "SETTLEMENT",
}


def format_suit(suit: int, *, ascii: bool = False) -> str:
    """``♠`` or ``S``: one cell either way."""
    return (SUIT_LETTERS if ascii else SUIT_SYMBOLS)[suit]


def format_card_symbols(card: Card, *, ascii: bool = False) -> str:
    """``7♦``, or ``7D`` with ``ascii``: two cells either way (a ten is ``T``)."""
    return format_rank(card.rank) + format_suit(card.suit, ascii=ascii)


def format_cards(cards: Sequence[Card], *, ascii: bool = False) -> str:
    """Cards with a space between."""
    return " ".join(format_card_symbols(card, ascii=ascii) for card in cards)


def rank_word(rank: int) -> str:
    """``ace``, ``7``, ``10``, ``king``."""
    return RANK_WORDS.get(rank, str(rank))


def rank_plural(rank: int) -> str:
    """``aces``, ``7s``, ``kings``."""
    return rank_word(rank) + "s"


def a_rank(rank: int) -> str:
    """With its article: ``an ace``, ``an 8``, ``a 3``."""
    return ("an " if rank in (ACE, 8) else "a ") + rank_word(rank)


def card_words(card: Card) -> str:
    """``7 of diamonds``."""
    return f"{rank_word(card.rank)} of {SUIT_WORDS[card.suit]}"


def run_class(length: int) -> Combination:
    """Class of a run of three cards or more: five and more are a quint (rule 2.1)."""
    return (Combination.TIERCE, Combination.QUART, Combination.QUINT)[min(length, 5) - 3]


def describe_claim(stake: Stake, claim: Claim) -> str:
    """What an announcement says: ``5 cards, 29 points``, ``quart to the 9``, ``brelan of kings``."""
    if stake is Stake.POINT:
        return f"{counted(claim.first, 'card')}, {counted(claim.second, 'point')}"
    if stake is Stake.SEQUENCE:
        longer = f" of {claim.first}" if claim.first > 5 else ""
        return f"{CLASS_NAMES[run_class(max(claim.first, 3))]}{longer} to the {rank_word(claim.second)}"
    name = CLASS_NAMES[Combination.FREDON if claim.first == 4 else Combination.BRELAN]
    return f"{name} of {rank_plural(claim.second)}"


def counted(number: int, noun: str) -> str:
    """``1 card``, ``3 cards``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def signed(amount: int) -> str:
    """``+3``, ``-2``, ``0``."""
    return f"{amount:+d}" if amount else "0"


def joined(words: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def seat_names(snapshot: TableSnapshot) -> tuple[str, ...]:
    """By seat, the name to say; ``seat 2`` where a chair is free."""
    return tuple(info.name or f"seat {info.seat + 1}" for info in snapshot.seats)
