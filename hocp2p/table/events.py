"""Events of the table itself; those of the deal are in ``game.events``. What they have led to is in ``snapshot``."""

from __future__ import annotations

from dataclasses import dataclass

from hocp2p.game.cards import Card
from hocp2p.game.events import Event
from hocp2p.game.house import Rules
from hocp2p.game.state import DealOutcome


@dataclass(frozen=True, slots=True)
class SeatTaken:
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class SeatFreed:
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The host changed the house rules before the game; nobody is ready any more."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class TableProposed:
    """All seats are filled; rules and seats are fixed in the proposal."""


@dataclass(frozen=True, slots=True)
class SeatReady:
    seat: int


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew a card for the first deal."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class DealerChosen:
    seat: int


@dataclass(frozen=True, slots=True)
class DealStarted:
    """Deal ``number`` (from 1) begins; the deck has been proved and is being dealt."""

    number: int
    dealer: int


@dataclass(frozen=True, slots=True)
class DeckStep:
    """Progress of the deal protocol, for a status line: ``keys``, ``shuffle``, ``digest``, ``shares``, ``dealt``."""

    number: int
    what: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class HandDealt:
    """Our own hand is readable. Never sent to anybody."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DealSigned:
    """All seats have signed the same balances and the same history."""

    number: int
    outcome: DealOutcome


@dataclass(frozen=True, slots=True)
class HandShown:
    """A seat showed its hand to the table after deal ``number``, by choice and with proof."""

    seat: int
    number: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class AnotherWanted:
    """A seat would play another session."""

    seat: int


@dataclass(frozen=True, slots=True)
class TalkSaid:
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat is lost for good; ``why`` is a clause (``left the table``), ``code`` and ``step`` name a fault."""

    seat: int
    why: str
    code: str
    step: str = ""


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """A seat is not heard any more, or is heard again."""

    seat: int
    linked: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """A seat will not have us, or its table has stopped."""

    seat: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Voted:
    """``voter`` would go on without ``seat``, or would wait for it after all."""

    voter: int
    seat: int
    go_on: bool


@dataclass(frozen=True, slots=True)
class TableParted:
    """The session goes on at another table without the seats that are lost, or with others in their chairs."""

    lost: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KeyChanged:
    """A seat has a name that we have met with another identity key; keys as in ``SeatInfo``, the day ISO 8601."""

    seat: int
    key: str
    before: str
    last_met: str


@dataclass(frozen=True, slots=True)
class Knocked:
    """Somebody without an invite asks the host for a chair; ``key`` as in ``SeatInfo``."""

    number: int
    name: str
    key: str


@dataclass(frozen=True, slots=True)
class RecordEnded:
    """The public record of the session can be written no more, for this reason; the game goes on."""

    reason: str


@dataclass(frozen=True, slots=True)
class AwayChanged:
    """A seat's player does not answer any more (``away``), or is back."""

    seat: int
    away: bool


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """``net``: change of balance by seat over the session, pools divided; sums to 0."""

    net: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableStopped:
    """The table ended early. ``seat`` and ``step`` where a seat is to blame; ``code`` as in ``errors``."""

    code: str
    message: str
    seat: int | None = None
    step: str = ""


TableEvent = (
    SeatTaken | SeatFreed | RulesChanged | TableProposed | SeatReady | CardDrawn | DealerChosen | DealStarted | DeckStep
    | HandDealt | DealSigned | HandShown | AnotherWanted | AwayChanged | LinkChanged | Refused | Voted | Knocked
    | KeyChanged | RecordEnded | TalkSaid | SeatLeft | TableParted | SessionEnded | TableStopped | Event
)  # fmt: skip
