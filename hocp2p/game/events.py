"""What happened in a deal, as frozen values in the past tense. Emitted by ``rules.apply``; shown, logged, recorded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hocp2p.game.actions import Action, Claim, Combination, Held, Stake
from hocp2p.game.cards import Card


class Source(Enum):
    """Where a change of balance comes from: the lines of the score sheet (RULES 7, ``pay``)."""

    POINT = "point"
    SEQUENCE = "sequence"
    TRICON = "tricon"
    BLANCHE = "blanche"
    HOCS = "hocs"
    CARDS = "cards"
    FINES = "fines"


class StakeEnd(Enum):
    """How a stake ended."""

    PASSED = "passed"  # everybody passed: the pool stays
    ALONE = "alone"  # one player left in
    SHOWN = "shown"  # won at the showdown
    NOTHING = "nothing"  # nobody in the showdown holds a combination: best position


@dataclass(frozen=True, slots=True)
class Anted:
    """Every seat has put one jeton into each pool."""

    pools: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class StakeOpened:
    """The auction of a stake begins. ``first`` speaks first."""

    stake: Stake
    pool: int
    doubled: bool
    first: int


@dataclass(frozen=True, slots=True)
class Called:
    """A seat spoke in an auction. ``paid`` jetons went in, the level is now ``level``."""

    seat: int
    stake: Stake
    action: Action
    paid: int
    level: int


@dataclass(frozen=True, slots=True)
class ShowdownOpened:
    """Two or more are left in. ``seats`` in the order in which they announce."""

    stake: Stake
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Announced:
    """A seat announced at a showdown; ``claim`` None: it said *good*."""

    seat: int
    stake: Stake
    claim: Claim | None


@dataclass(frozen=True, slots=True)
class CardsShown:
    """A winner showed cards."""

    seat: int
    stake: Stake
    cards: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class FalselyAnnounced:
    """A seat could not show what it announced: fined, out of this showdown; the others announce afresh."""

    seat: int
    stake: Stake


@dataclass(frozen=True, slots=True)
class Paid:
    """Jetons changed hands: ``seat`` gives ``amount`` to ``to`` (None: to the pool of the next deal's Point).

    ``reason`` is one short English phrase, for instance ``tierce major``, ``hoc``, ``4 cards left``.
    """

    source: Source
    seat: int
    to: int | None
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class StakeClosed:
    """A stake ended; ``winner`` took ``pool`` (None, 0: it stays on the table). ``announced``: class paid unseen."""

    stake: Stake
    end: StakeEnd
    winner: int | None
    pool: int
    announced: Combination | None = None


@dataclass(frozen=True, slots=True)
class BlancheClaimed:
    """A seat claimed carte blanche, with proof."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayOpened:
    """The play begins; ``seat`` leads."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played. ``as_rank``: the rank it stands for (differs from its own only for a fixed hoc)."""

    seat: int
    position: int
    card: Card
    as_rank: int
    led: bool
    left: int


@dataclass(frozen=True, slots=True)
class SansSaid:
    """A seat said, with proof where one is needed, that it holds no ordinary card of the rank."""

    seat: int
    rank: int


@dataclass(frozen=True, slots=True)
class CardHeldBack:
    """A seat let the turn go by without proof."""

    seat: int
    rank: int


@dataclass(frozen=True, slots=True)
class RunEnded:
    """Nobody went on (``fortuitous``), or a fixed hoc ended the run. ``seat`` leads anew."""

    seat: int
    fortuitous: bool


@dataclass(frozen=True, slots=True)
class HocSaid:
    """*Hoc!* The payments follow as ``Paid``."""

    seat: int
    fortuitous: bool


@dataclass(frozen=True, slots=True)
class SeatGone:
    """A seat is lost for good (rule 5)."""

    seat: int


@dataclass(frozen=True, slots=True)
class DealEnded:
    """A hand is empty (``winner``), or nobody is left who could play (None)."""

    winner: int | None
    left: tuple[int, ...]


Event = (
    Anted | StakeOpened | Called | ShowdownOpened | Announced | CardsShown | FalselyAnnounced | Paid | StakeClosed
    | BlancheClaimed | PlayOpened | CardPlayed | SansSaid | CardHeldBack | RunEnded | HocSaid | SeatGone | DealEnded
)  # fmt: skip
