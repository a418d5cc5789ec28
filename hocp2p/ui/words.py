"""Words for people: cards, calls, reasons and one short sentence for everything that happens. No terminal in here."""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hocp2p.game.actions import (
    Action,
    Announce,
    Blanche,
    Declare,
    Go,
    Good,
    Hold,
    Pass,
    Play,
    Raise,
    Sans,
    Show,
    Stake,
    Stay,
    Unseen,
)
from hocp2p.game.cards import Card
from hocp2p.game.events import (
    Announced,
    Anted,
    BlancheClaimed,
    Called,
    CardHeldBack,
    CardPlayed,
    CardsShown,
    DealEnded,
    FalselyAnnounced,
    HocSaid,
    Paid,
    PlayOpened,
    RunEnded,
    SansSaid,
    SeatGone,
    ShowdownOpened,
    StakeClosed,
    StakeEnd,
    StakeOpened,
)
from hocp2p.game.state import Phase, SeatView
from hocp2p.table.snapshot import (
    AnotherWanted,
    AwayChanged,
    CardDrawn,
    DealerChosen,
    DealSigned,
    DealStarted,
    DeckStep,
    HandDealt,
    HandShown,
    SeatFreed,
    SeatLeft,
    SeatReady,
    SeatTaken,
    SessionEnded,
    TableEvent,
    TableProposed,
    TableStopped,
    TalkSaid,
)
from hocp2p.ui.names import (
    CLASS_NAMES,
    PHASE_NAMES,
    SOURCE_NAMES,
    STAKE_NAMES,
    a_rank,
    card_words,
    counted,
    describe_claim,
    format_card_symbols,
    format_cards,
    joined,
    rank_plural,
    rank_word,
    seat_names,
    signed,
)

__all__ = [
    "CLASS_NAMES",
    "PHASE_NAMES",
    "SOURCE_NAMES",
    "STAKE_NAMES",
    "a_rank",
    "card_words",
    "counted",
    "describe_action",
    "describe_claim",
    "describe_event",
    "format_card_symbols",
    "format_cards",
    "joined",
    "rank_plural",
    "rank_word",
    "seat_names",
    "signed",
    "why_not",
]


def describe_action(action: Action, *, stake: Stake | None = None, ascii: bool = False) -> str:
    """A call or move as a short phrase in the imperative: ``raise 5, tierce``, ``play 7♦``, ``sans 8``.

    ``stake`` tells what an announced claim is about; without it only its numbers are given.
    """
    match action:
        case Declare(announced) | Stay(announced) if announced is not None:
            return f"{_CALLS[type(action)]}, {CLASS_NAMES[announced]}"
        case Raise(by, announced):
            return f"raise {by}" + (f", {CLASS_NAMES[announced]}" if announced is not None else "")
        case Announce(claim) if stake is not None:
            return f"announce {describe_claim(stake, claim)}"
        case Announce(claim):
            return f"announce {claim.first}/{claim.second}"
        case Show(cards):
            return "show " + format_cards([held.card for held in cards], ascii=ascii)
        case Play(_, card):
            return "play " + format_card_symbols(card, ascii=ascii)
        case Sans(rank):
            return f"sans {rank_word(rank)}"
        case Hold(rank):
            return f"hold back the {rank_word(rank)}"
        case _:
            return _CALLS[type(action)]


_CALLS: Final[dict[type[Action], str]] = {
    Pass: "pass",
    Declare: "declare",
    Stay: "stay",
    Good: "good",
    Unseen: "take it unseen",
    Blanche: "claim carte blanche",
    Go: "go on without",
}


def why_not(view: SeatView, card: Card, *, ascii: bool = False) -> str | None:
    """Why this card cannot be played now, as one sentence without its full stop; None when it can (rules 3 to 3.2)."""
    name = format_card_symbols(card, ascii=ascii)
    state = view.state
    if card not in view.hand:
        return f"you do not hold {name}"
    if state.phase is Phase.OVER:
        return "the deal is over"
    if state.phase is not Phase.PLAY or state.play is None:
        return "cards are played only after the three stakes"
    if state.turn != view.seat:
        return "it is not your turn"
    called = state.play.called
    if called is None or card.rank == called or card.is_hoc:
        return None
    return f"{a_rank(called)} is called: {name} is neither that nor one of the six hocs"


def describe_event(
    event: TableEvent, names: Sequence[str], *, ascii: bool = False, you: int | None = None
) -> str | None:
    """What happened, as one short sentence without its full stop; None where nothing needs saying.

    Args:
        event: of the deal or of the table.
        names: by seat.
        ascii: letters for suits.
        you: the seat to be spoken to as ``you``; None: everybody by name.
    """
    return _Teller(names, ascii, you).tell(event)


class _Teller:
    """Turns events into sentences, with the verbs made to fit ``you`` or a name."""

    def __init__(self, names: Sequence[str], ascii: bool, you: int | None) -> None:
        self._names = names
        self._ascii = ascii
        self._you = you

    def tell(self, event: TableEvent) -> str | None:
        for part in (self._auction, self._showdown, self._play, self._table, self._session):
            if text := part(event):
                return text[0].upper() + text[1:]
        return None

    def _name(self, seat: int) -> str:
        if seat == self._you:
            return "you"
        return self._names[seat] if 0 <= seat < len(self._names) else f"seat {seat + 1}"

    def _does(self, seat: int, verb: str, rest: str = "") -> str:
        """``Bruno raises 5``, ``you raise 5``."""
        if seat != self._you:
            irregular = {"have": "has", "are": "is"}
            verb = irregular.get(verb, verb + ("es" if verb.endswith(("s", "sh", "ch", "o")) else "s"))
        return f"{self._name(seat)} {verb} {rest}".rstrip()

    def _card(self, card: Card) -> str:
        return format_card_symbols(card, ascii=self._ascii)

    def _auction(self, event: TableEvent) -> str | None:
        match event:
            case Anted():
                return "everybody antes 3, one into each pool"
            case StakeOpened(stake, pool, doubled, first):
                twice = ", payments doubled" if doubled else ""
                in_pool = f"{STAKE_NAMES[stake]}: {counted(pool, 'jeton')} in the pool{twice}"
                return f"{in_pool}; {self._does(first, 'speak')} first"
            case Called(seat, _, action, paid, level):
                return self._call(seat, action, paid, level)
            case StakeClosed(stake, StakeEnd.PASSED):
                return f"everybody passes: the {STAKE_NAMES[stake]} pool stays on the table"
            case StakeClosed(stake, StakeEnd.ALONE, winner, pool) if winner is not None:
                return f"{self._does(winner, 'take')} the {STAKE_NAMES[stake]} pool of {pool}, alone in it"
            case StakeClosed(stake, StakeEnd.SHOWN, winner, pool) if winner is not None:
                return f"{self._does(winner, 'win')} {STAKE_NAMES[stake]} and its pool of {pool}"
            case StakeClosed(stake, StakeEnd.NOTHING, winner, pool) if winner is not None:
                return f"nobody has a {STAKE_NAMES[stake]}: {self._does(winner, 'take')} the {pool} by position"
            case _:
                return None

    def _call(self, seat: int, action: Action, paid: int, level: int) -> str:
        announced = getattr(action, "announced", None)
        named = f": {CLASS_NAMES[announced]}" if announced is not None else ""
        match action:
            case Pass():
                return self._does(seat, "pass")
            case Good():
                return self._does(seat, "say", "good")
            case Declare():
                return self._does(seat, "declare") + named
            case Raise(by):
                return self._does(seat, "raise", str(by)) + (named or f", to {level}")
            case _:
                return self._does(seat, "stay") + (f" for {paid}" if paid else "") + named

    def _showdown(self, event: TableEvent) -> str | None:
        match event:
            case ShowdownOpened(_, seats):
                return f"showdown between {joined([self._name(seat) for seat in seats])}"
            case Announced(seat, _, None):
                return self._does(seat, "say", "good")
            case Announced(seat, stake, claim) if claim is not None:
                return self._does(seat, "announce", describe_claim(stake, claim))
            case CardsShown(seat, _, cards):
                return self._does(seat, "show", format_cards([held.card for held in cards], ascii=self._ascii))
            case FalselyAnnounced(seat, _):
                return f"{self._name(seat)} cannot show it: a false announcement"
            case BlancheClaimed(seat):
                return self._does(seat, "claim", "carte blanche: not one court, proved")
            case Paid(_, seat, None, amount, reason):
                return f"{self._does(seat, 'pay', str(amount))} into the next Point pool: {reason}"
            case Paid(_, seat, to, amount, reason) if to is not None:
                return f"{self._does(seat, 'pay')} {self._name(to)} {amount}: {reason}"
            case _:
                return None

    def _play(self, event: TableEvent) -> str | None:
        match event:
            case PlayOpened(seat):
                return f"the play begins: {self._does(seat, 'lead')}"
            case CardPlayed(seat, _, card, as_rank, led, _):
                stands = f" as the {rank_word(as_rank)}" if as_rank != card.rank else ""
                return self._does(seat, "lead" if led else "play", self._card(card)) + stands
            case SansSaid(seat, rank):
                return self._does(seat, "say", f"sans {rank_word(rank)}")
            case CardHeldBack(seat, rank):
                return self._does(seat, "let", f"the {rank_word(rank)} go by without proof")
            case RunEnded(seat, True):
                return f"nobody goes on: {self._does(seat, 'lead')} anew"
            case RunEnded(seat, False):
                return self._does(seat, "lead", "anew")
            case HocSaid(seat, fortuitous):
                return self._does(seat, "say", "Hoc! (fortuitous)" if fortuitous else "Hoc!")
            case SeatGone(seat):
                return self._does(seat, "are", "gone for good")
            case DealEnded(winner, _) if winner is not None:
                return self._does(winner, "are", "out: the deal is over")
            case DealEnded():
                return "nobody is left to play: the deal is over"
            case _:
                return None

    def _table(self, event: TableEvent) -> str | None:
        match event:
            case SeatTaken(seat, name):
                return f"{name} takes seat {seat + 1}"
            case SeatFreed(seat, name):
                return f"{name} leaves seat {seat + 1}"
            case TableProposed():
                return "all seats are filled: read the rules and say ready"
            case SeatReady(seat):
                return self._does(seat, "are", "ready")
            case AwayChanged(seat, away):
                return self._does(seat, "are", "away: the free choices are made without waiting" if away else "back")
            case SeatLeft(seat, why):
                return f"{self._name(seat)} {why}"
            case TalkSaid(seat, text):
                return f"{self._name(seat)}: {text}"
            case TableStopped(_, message):
                return f"the table stopped: {message}"
            case _:
                return None

    def _session(self, event: TableEvent) -> str | None:
        match event:
            case CardDrawn(seat, card):
                return self._does(seat, "draw", self._card(card))
            case DealerChosen(seat):
                return self._does(seat, "deal", "first")
            case DealStarted(number, dealer):
                return f"deal {number}: {self._does(dealer, 'deal')}"
            case DeckStep(_, "shuffle", seat) if seat is not None:
                return self._does(seat, "shuffle")
            case HandDealt(cards):
                return f"your hand: {format_cards(sorted(cards), ascii=self._ascii)}"
            case DealSigned(number, _):
                return f"deal {number} is signed by all"
            case HandShown(seat, _, cards):
                return self._does(seat, "show", f"the hand: {format_cards(sorted(cards), ascii=self._ascii)}")
            case AnotherWanted(seat):
                return f"{self._name(seat)} would play another match"
            case SessionEnded(net):
                figures = joined([f"{self._name(seat)} {signed(amount)}" for seat, amount in enumerate(net)])
                return f"the session is over: {figures}"
            case _:
                return None
