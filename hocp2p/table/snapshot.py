"""What an outsider may see of a table: public state plus our own overlay, frozen. It cannot hold a secret."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hocp2p.game.actions import Action, Stake
from hocp2p.game.cards import Card
from hocp2p.game.events import Event
from hocp2p.game.house import Rules
from hocp2p.game.state import DealOutcome, DealState, SeatView
from hocp2p.table.events import TableEvent, TableStopped


class Stage(Enum):
    """Where a table stands."""

    LOBBY = "lobby"  # seats are being filled
    READY = "ready"  # seats are full; every seat reads the proposal and says ready
    DRAW = "draw"  # the first dealer is drawn
    DEALING = "dealing"  # keys, shuffles, shares
    DEAL = "deal"  # auctions and play: ``view`` is set
    ENDED = "ended"  # all deals played and signed
    STOPPED = "stopped"  # ended early: ``stopped`` says why


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """One chair as shown to everybody.

    Args:
        seat: index in turn order.
        name: as the player calls himself; empty where the chair is free.
        bot_level: level of a bot, or None for a person.
        owner: name of the person who runs the bot, or None.
        identity: the whole identity key, 32 bytes; empty where free.
        key: 8 characters of the identity key's fingerprint, ``5k2m-q7rt``; empty where free.
        ready: has signed the proposal, or is ready for the next deal.
        present: not lost.
        linked: heard, by ourselves or by somebody whom we hear; our own seat is.
        votes: seats that would go on without it.
        away: its player does not answer, and its client plays on for him.
    """

    seat: int
    name: str
    bot_level: str | None = None
    owner: str | None = None
    key: str = ""
    ready: bool = False
    present: bool = True
    away: bool = False
    linked: bool = True
    votes: frozenset[int] = frozenset()
    identity: bytes = b""


@dataclass(frozen=True, slots=True)
class FinishedDeal:
    """A deal that is over: its last state (who holds how many, what was opened), its figures, and hands shown since.

    ``shown``: seat and whole hand, where a seat showed it by choice. ``proved``: as in ``TableSnapshot``, to the end.
    """

    number: int
    state: DealState
    outcome: DealOutcome
    events: tuple[Event, ...]
    shown: tuple[tuple[int, tuple[Card, ...]], ...] = ()
    proved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """A way by which others reach us.

    Args:
        kind: ``LAN``, ``IPv6``, ``VPN``, ``UPnP``, ``tunnel``.
        address: ``HOST:PORT``; empty where the way is not open.
        note: what is to be said about it, a phrase; empty: nothing.
    """

    kind: str
    address: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Knock:
    """Somebody without an invite who asks the host for a chair.

    Args:
        number: by which the host answers.
        name: as he calls himself.
        key: 8 characters of his identity key's fingerprint, to be compared.
    """

    number: int
    name: str
    key: str


@dataclass(frozen=True, slots=True)
class Clock:
    """Who is waited for, and how much time is left. Seconds on the event loop's clock, as our own client counts them.

    Args:
        awaited: seats whose time runs; empty where nobody has to hurry.
        since_s: when their time began to run.
        turn_s: how long a turn may take before the bank is touched.
        banks_s: what was left in the bank of each seat then.
    """

    awaited: frozenset[int]
    since_s: float
    turn_s: float
    banks_s: tuple[float, ...]

    def turn_left_s(self, seat: int, now_s: float) -> float:
        """What is left of the seat's turn before its bank is touched; the whole turn where it is not its turn."""
        return max(0.0, self.turn_s - self._spent_s(seat, now_s))

    def bank_left_s(self, seat: int, now_s: float) -> float:
        """What is left in the seat's bank."""
        return max(0.0, self.banks_s[seat] - max(0.0, self._spent_s(seat, now_s) - self.turn_s))

    def _spent_s(self, seat: int, now_s: float) -> float:
        return now_s - self.since_s if seat in self.awaited else 0.0


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """The whole picture.

    Args:
        stage: see Stage.
        title: for instance ``anna's table``.
        address: where others can join (host only), else the host's address.
        seats: all chairs in turn order.
        our_seat: ours; None before one is given.
        hosting: whether we host.
        rules: agreed or proposed house rules.
        deal: number of the current deal from 1; 0 before the first.
        dealer: seat, or None before the draw.
        balances: jetons by seat.
        carry, doubled: of the coming or present deal, see ``game.state``.
        dealing: one phrase while the deal protocol runs (``Bruno shuffles``), else empty.
        view: what we see of the present deal (after its end until the next begins, too), or None.
        legal: what we may do now; empty when it is not our turn.
        may_ready: the proposal, or the next deal, waits for our word.
        may_show: our hand of the last deal can be shown to the table.
        may_manage: we host, and chairs and rules can still be changed.
        may_again: the session is over, and we may ask for another.
        again: seats that would play another.
        knocks: who asks to be let in (host only).
        parted: the session goes on here after a seat was lost at the table before; its chair is to be filled, or two
            go on without it.
        may_resize: two may go on (host only).
        may_give_up: seats that have not been heard for so long that one may vote to go on without them.
        settled: the session is over and all others have said that they have it signed, too.
        invite: the word that brings others to us; empty where nobody can come.
        ways: by which they come, the best first.
        clock: who is waited for and how long yet; None before the game.
        finished: all deals that are over, oldest first.
        events: of the whole session, oldest first, deal events and table events alike.
        proved: what was proven in the present deal, a phrase each (``3 shuffles``, ``4 times sans``).
        net: at the end, change of balance by seat.
        stopped: why the table ended early, or None.
    """

    stage: Stage
    title: str
    address: str
    seats: tuple[SeatInfo, ...]
    our_seat: int | None
    hosting: bool
    rules: Rules
    deal: int = 0
    dealer: int | None = None
    balances: tuple[int, ...] = ()
    carry: tuple[int, int, int] = (0, 0, 0)
    doubled: frozenset[Stake] = frozenset()
    dealing: str = ""
    view: SeatView | None = None
    legal: tuple[Action, ...] = ()
    may_ready: bool = False
    may_show: bool = False
    may_manage: bool = False
    may_again: bool = False
    again: frozenset[int] = frozenset()
    knocks: tuple[Knock, ...] = ()
    parted: bool = False
    may_resize: bool = False
    may_give_up: frozenset[int] = frozenset()
    settled: bool = False
    invite: str = ""
    ways: tuple[Way, ...] = ()
    clock: Clock | None = None
    finished: tuple[FinishedDeal, ...] = ()
    events: tuple[TableEvent, ...] = ()
    proved: tuple[str, ...] = ()
    net: tuple[int, ...] | None = None
    stopped: TableStopped | None = None
