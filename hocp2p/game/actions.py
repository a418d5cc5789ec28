"""What a seat can do, as frozen values. Imperative names; RULES 2, 3 and 7.

An action that shows cards names both the deck *position* and the *face* that it opens to: the public state knows
positions only, and the opening proof ties the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from hocp2p.game.cards import Card


class Stake(IntEnum):
    """The three stakes, in the order in which they are decided."""

    POINT = 0
    SEQUENCE = 1
    TRICON = 2


class Combination(IntEnum):
    """Announced classes. Within a stake, higher beats lower."""

    TIERCE = 0
    QUART = 1
    QUINT = 2
    BRELAN = 3
    FREDON = 4


CLASSES: dict[Stake, tuple[Combination, ...]] = {
    Stake.POINT: (),
    Stake.SEQUENCE: (Combination.TIERCE, Combination.QUART, Combination.QUINT),
    Stake.TRICON: (Combination.BRELAN, Combination.FREDON),
}


@dataclass(frozen=True, slots=True, order=True)
class Claim:
    """What an announcement at a showdown says; compares by strength within one stake (not under ``point = pips``).

    Args:
        first: Point: number of cards; Sequence: length of the run; Tricon: 3 brelan, 4 fredon.
        second: Point: card points of those cards; Sequence: top rank; Tricon: rank.
    """

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Held:
    """A card as shown: the position it lay at and its face."""

    position: int
    card: Card


@dataclass(frozen=True, slots=True)
class Pass:
    """*Je passe*: says nothing while nobody has opened."""


@dataclass(frozen=True, slots=True)
class Declare:
    """*J'accuse*: opens at level 0."""

    announced: Combination | None = None


@dataclass(frozen=True, slots=True)
class Raise:
    """*Je renvie*: the level rises by ``by`` jetons."""

    by: int
    announced: Combination | None = None


@dataclass(frozen=True, slots=True)
class Stay:
    """*Je tiens*: puts in what is missing to the level."""

    announced: Combination | None = None


@dataclass(frozen=True, slots=True)
class Good:
    """*C'est bon*: gives the stake up; in a showdown, has nothing or nothing better; asked to show, cannot."""


@dataclass(frozen=True, slots=True)
class Announce:
    """In a showdown: says what one has."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class Show:
    """The winner shows the cards that he is paid for, all runs or tricons together."""

    cards: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Unseen:
    """A lone winner of Sequence or Tricon takes his announced class unseen."""


@dataclass(frozen=True, slots=True)
class Blanche:
    """Claims carte blanche; proven by not holding any court."""


@dataclass(frozen=True, slots=True)
class Go:
    """Does not claim carte blanche."""


@dataclass(frozen=True, slots=True)
class Play:
    """Plays one card, as the called rank or as a lead; a fixed hoc stands for any rank."""

    position: int
    card: Card


@dataclass(frozen=True, slots=True)
class Sans:
    """Holds no ordinary card of the called rank, with proof; ends the turn."""

    rank: int


@dataclass(frozen=True, slots=True)
class Hold:
    """Lets the turn go by without proof: fined."""

    rank: int


Action = (
    Pass | Declare | Raise | Stay | Good | Announce | Show | Unseen | Blanche | Go | Play | Sans | Hold
)  # fmt: skip
