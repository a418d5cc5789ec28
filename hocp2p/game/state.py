"""The public state of one deal: deck positions, not faces, except where they were opened. Frozen throughout."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from hocp2p.game.actions import Claim, Combination, Stake
from hocp2p.game.cards import Card
from hocp2p.game.house import Rules


class Phase(Enum):
    """Order of a deal (rule 1)."""

    AUCTION = "auction"
    SHOWDOWN = "showdown"  # seats announce
    SHOW = "show"  # the winner shows (or takes his class unseen)
    BLANCHE = "blanche"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class AuctionState:
    """One auction. Tuples are by seat.

    Args:
        stake: what is bid for.
        opened: whether anybody has declared or raised.
        level: jetons that each contestant has to match.
        paid: jetons put in beyond the ante.
        spoken: who has spoken since the last raise (or since the beginning).
        out: who has said *good*.
        entered: who has put himself in.
        announced: the class last announced, Sequence and Tricon only.
    """

    stake: Stake
    opened: bool
    level: int
    paid: tuple[int, ...]
    spoken: tuple[bool, ...]
    out: tuple[bool, ...]
    entered: tuple[bool, ...]
    announced: tuple[Combination | None, ...]


@dataclass(frozen=True, slots=True)
class ShowdownState:
    """Announcements in turn order from eldest.

    Args:
        contestants: seats still in this showdown, in turn order from eldest.
        claims: by seat; None for *good* or not yet announced.
        spoken: by seat.
        winner: the seat asked to show, once all have spoken (a lone winner: at once).
    """

    contestants: tuple[int, ...]
    claims: tuple[Claim | None, ...]
    spoken: tuple[bool, ...]
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """One card on the table."""

    seat: int
    position: int
    card: Card
    as_rank: int


@dataclass(frozen=True, slots=True)
class PlayState:
    """The stops game.

    Args:
        called: rank asked for; None when ``turn`` leads.
        run: cards of the open run.
        closed: earlier runs, oldest first.
        sans: by seat, ranks for which the seat has proven to hold no ordinary card.
        refused: how many turns in a row have ended without a card since the last one.
        hoc_due: the leader's last card was a fortuitous hoc that he announces with his next lead.
    """

    called: int | None
    run: tuple[PlayedCard, ...]
    closed: tuple[tuple[PlayedCard, ...], ...]
    sans: tuple[frozenset[int], ...]
    refused: int
    hoc_due: bool


@dataclass(frozen=True, slots=True)
class DealState:
    """All that every seat knows of one deal.

    Args:
        rules, seats, dealer: the table; ``seats`` 2 or 3.
        phase, turn: who must act (None when over).
        hands: by seat, the positions still in hand, in dealt order.
        dealt: by seat, the positions dealt.
        opened: position and face of every card that was shown or played, in order of showing.
        pools: jetons in Point, Sequence and Tricon.
        carry_in: what lay in the pools before the antes.
        doubled: stakes whose payments are doubled in this deal.
        balances: jetons by seat, now.
        pay: change of balance by source (order of ``Source``), then by seat.
        fines: jetons fined so far, due to the next deal's Point pool.
        stake: the stake being decided; None after Tricon.
        auction: of the stake being decided, until it is closed.
        showdown: while seats announce or one shows. A lone winner is its only contestant and has no claim.
        play: from the first lead on; kept when the deal is over.
        auctions: finished auctions in order of stakes.
        blanche: by seat: True claimed, False did not, None has not spoken (or was gone before).
        passed: stakes that everybody passed.
        gone: seats lost for good.
        winner: seat whose hand became empty.
    """

    rules: Rules
    seats: int
    dealer: int
    phase: Phase
    turn: int | None
    hands: tuple[tuple[int, ...], ...]
    dealt: tuple[tuple[int, ...], ...]
    balances: tuple[int, ...]
    pools: tuple[int, int, int]
    carry_in: tuple[int, int, int]
    pay: tuple[tuple[int, ...], ...]
    doubled: frozenset[Stake] = frozenset()
    opened: tuple[tuple[int, Card], ...] = ()
    fines: int = 0
    stake: Stake | None = None
    auction: AuctionState | None = None
    auctions: tuple[AuctionState, ...] = ()
    showdown: ShowdownState | None = None
    play: PlayState | None = None
    blanche: tuple[bool | None, ...] = ()
    passed: frozenset[Stake] = frozenset()
    gone: frozenset[int] = frozenset()
    winner: int | None = None

    @property
    def eldest(self) -> int:
        """First hand: the seat at the dealer's right, the next in turn order."""
        return (self.dealer + 1) % self.seats

    @property
    def turn_order(self) -> tuple[int, ...]:
        """All seats from eldest to dealer: best position first."""
        return tuple((self.dealer + 1 + k) % self.seats for k in range(self.seats))

    @property
    def present(self) -> tuple[int, ...]:
        """Seats that are not gone, from eldest to dealer."""
        return tuple(seat for seat in self.turn_order if seat not in self.gone)

    def faces(self) -> dict[int, Card]:
        """Faces of all opened positions."""
        return dict(self.opened)


@dataclass(frozen=True, slots=True)
class DealOutcome:
    """A finished deal (RULES 7).

    Args:
        pay: by source name (``point`` ... ``fines``), change of balance by seat.
        net: sum of all sources by seat.
        balances: jetons by seat after the deal.
        carry_after: what lies in the three pools for the next deal, fines included in Point.
        doubled_after: stakes whose payments are doubled in the next deal.
    """

    pay: dict[str, tuple[int, ...]]
    net: tuple[int, ...]
    balances: tuple[int, ...]
    carry_after: tuple[int, int, int]
    doubled_after: frozenset[Stake]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one seat may know: the public state and the faces of its own dealt positions. Nothing else reaches a player.

    Args:
        state: public.
        seat: whose view.
        own: position to face, for every position dealt to this seat.
    """

    state: DealState
    seat: int
    own: dict[int, Card] = field(hash=False)

    @property
    def hand(self) -> tuple[Card, ...]:
        """Faces still in hand, in dealt order."""
        return tuple(self.own[position] for position in self.state.hands[self.seat])
