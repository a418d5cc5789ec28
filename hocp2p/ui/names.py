"""Names for people: cards, ranks, classes, stakes, sources, and small words that fit them together."""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from hocp2p.game.actions import Claim, Combination, Stake
from hocp2p.game.cards import ACE, JACK, KING, QUEEN, SUIT_LETTERS, SUIT_SYMBOLS, Card, format_rank
from hocp2p.game.events import Source
from hocp2p.game.state import Phase
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.lang import N_, _, n_

Key = TypeVar("Key")


class Words(Mapping[Key, str]):
    """Words by what they name; each is translated when it is looked up."""

    def __init__(self, english: Mapping[Key, str]) -> None:
        self._english = english

    def __getitem__(self, key: Key) -> str:
        return _(self._english[key])

    def __iter__(self) -> Iterator[Key]:
        return iter(self._english)

    def __len__(self) -> int:
        return len(self._english)


PRACTICE_TITLE: Final = N_("practice table")
RANK_WORDS: Final = Words({ACE: N_("ace"), JACK: N_("jack"), QUEEN: N_("queen"), KING: N_("king")})
A_RANK: Final = Words({ACE: N_("an ace"), 8: N_("an 8"), JACK: N_("a jack"), QUEEN: N_("a queen"), KING: N_("a king")})
TO_RANK: Final = Words(
    # Translators: where a run ends, after its name: "tierce to the king".
    {ACE: N_("to the ace"), JACK: N_("to the jack"), QUEEN: N_("to the queen"), KING: N_("to the king")}
)
OF_RANK: Final = Words(
    # Translators: what a tricon is made of, after its name: "brelan of kings".
    {ACE: N_("of aces"), JACK: N_("of jacks"), QUEEN: N_("of queens"), KING: N_("of kings")}
)
SUIT_WORDS: Final = Words({0: N_("spades"), 1: N_("hearts"), 2: N_("diamonds"), 3: N_("clubs")})
CLASS_NAMES: Final = Words(
    {
        Combination.TIERCE: N_("tierce"),
        Combination.QUART: N_("quart"),
        Combination.QUINT: N_("quint"),
        Combination.BRELAN: N_("brelan"),
        Combination.FREDON: N_("fredon"),
    }
)
STAKE_NAMES: Final = Words({Stake.POINT: N_("Point"), Stake.SEQUENCE: N_("Sequence"), Stake.TRICON: N_("Tricon")})
SOURCE_NAMES: Final = Words(
    {
        Source.POINT: N_("Point"),
        Source.SEQUENCE: N_("Sequence"),
        Source.TRICON: N_("Tricon"),
        Source.BLANCHE: N_("Carte blanche"),
        Source.HOCS: N_("Hocs"),
        Source.CARDS: N_("Cards left"),
        Source.FINES: N_("Fines"),
    }
)
PHASE_NAMES: Final = Words(
    {
        Phase.AUCTION: N_("AUCTION"),
        Phase.SHOWDOWN: N_("SHOWDOWN"),
        Phase.SHOW: N_("SHOW"),
        Phase.BLANCHE: N_("CARTE BLANCHE"),
        Phase.PLAY: N_("PLAY"),
        Phase.OVER: N_("SETTLEMENT"),
    }
)


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


def a_rank(rank: int) -> str:
    """With its article: ``an ace``, ``an 8``, ``a 3``."""
    return A_RANK[rank] if rank in A_RANK else _("a {rank}").format(rank=rank)


def to_rank(rank: int) -> str:
    """Where a run ends: ``to the 9``, ``to the king``."""
    return TO_RANK[rank] if rank in TO_RANK else _("to the {rank}").format(rank=rank)


def of_rank(rank: int) -> str:
    """What a tricon is made of: ``of aces``, ``of 6s``."""
    return OF_RANK[rank] if rank in OF_RANK else _("of {rank}s").format(rank=rank)


def run_class(length: int) -> Combination:
    """Class of a run of three cards or more: five and more are a quint (rule 2.1)."""
    return (Combination.TIERCE, Combination.QUART, Combination.QUINT)[min(length, 5) - 3]


def class_of(stake: Stake, claim: Claim) -> Combination:
    """The class of what is announced for Sequence or Tricon."""
    if stake is Stake.SEQUENCE:
        return run_class(max(claim.first, 3))
    return Combination.FREDON if claim.first == 4 else Combination.BRELAN


def describe_claim(stake: Stake, claim: Claim) -> str:
    """What an announcement says: ``5 cards, 29 points``, ``quart to the 9``, ``brelan of kings``."""
    if stake is Stake.POINT:
        cards, points = counted(claim.first, "card"), counted(claim.second, "point")
        return _("{cards}, {points}").format(cards=cards, points=points)
    name = CLASS_NAMES[class_of(stake, claim)]
    if stake is Stake.SEQUENCE:
        sentence = _("{combination} of {length} {to_rank}") if claim.first > 5 else _("{combination} {to_rank}")
        return sentence.format(combination=name, length=claim.first, to_rank=to_rank(claim.second))
    return _("{combination} {of_rank}").format(combination=name, of_rank=of_rank(claim.second))


_COUNTED: Final[dict[str, Callable[[int], str]]] = {
    "card": lambda count: n_("{count} card", "{count} cards", count),
    "hoc": lambda count: n_("{count} hoc", "{count} hocs", count),
    "jeton": lambda count: n_("{count} jeton", "{count} jetons", count),
    "point": lambda count: n_("{count} point", "{count} points", count),
    "shuffle": lambda count: n_("{count} shuffle", "{count} shuffles", count),
}


def counted(number: int, noun: str) -> str:
    """``1 card``, ``3 cards``; ``noun`` is the English word for one, and one of those listed above."""
    return _COUNTED[noun](number).format(count=number)


def signed(amount: int) -> str:
    """``+3``, ``-2``, ``0``."""
    return f"{amount:+d}" if amount else "0"


def joined(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(words) == 1:
        return words[0]
    return _("{words} and {last}").format(words=enumerated(words[:-1]), last=words[-1])


def capitalized(text: str) -> str:
    """As it begins a sentence; nothing else is changed."""
    return text[:1].upper() + text[1:]


def labelled(label: str, text: str) -> str:
    """``Bruno: good evening``."""
    return _("{who}: {what}").format(who=label, what=text)


def enumerated(words: Sequence[str]) -> str:
    """``a, b, c``: several facts one after the other."""
    return ", ".join(words)


def listed(parts: Iterable[str]) -> str:
    """``a; b; c``: for parts that have commas of their own."""
    first, *others = list(parts) or [""]
    for other in others:
        first = _("{told}; {more}").format(told=first, more=other)
    return first


def seat_word(seat: int) -> str:
    """What to call a seat whose name is not known: ``seat 2``; its number counts from 1."""
    return _("seat {number}").format(number=seat + 1)


def seat_names(snapshot: TableSnapshot) -> tuple[str, ...]:
    """By seat, the name to say; ``seat 2`` where a chair is free."""
    return tuple(info.name or seat_word(info.seat) for info in snapshot.seats)


_REASONS: Final = Words(
    {
        "carte blanche": N_("carte blanche"),
        "false announcement": N_("false announcement"),
        "fortuitous hoc": N_("fortuitous hoc"),
        "held back": N_("held back"),
        "hoc": N_("hoc"),
        "tierce": N_("tierce"),
        "quart": N_("quart"),
        "quint": N_("quint"),
        "brelan": N_("brelan"),
        "fredon": N_("fredon"),
        "tierce major": N_("tierce major"),
        "quart major": N_("quart major"),
        "quint major": N_("quint major"),
        "brelan major": N_("brelan major"),
        "fredon major": N_("fredon major"),
    }
)


def payment_reason(reason: str) -> str:
    """The reason of a payment, which its event has in English, in the language in use.

    One that is not known, as perhaps in a record of another version, is left as it is.
    """
    if left := re.fullmatch(r"(\d+) cards? left", reason):
        count = int(left[1])
        return n_("{count} card left", "{count} cards left", count).format(count=count)
    return _REASONS.get(reason, reason)


def table_title(title: str) -> str:
    """The title that a table was given in English, in the language in use."""
    host = title.removesuffix("'s table")
    if host != title:
        return _("{name}'s table").format(name=host)
    return _(title) if title == PRACTICE_TITLE else title
