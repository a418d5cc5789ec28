"""The table told line by line, one fact a line: ``deal 2 play run 2: bot 3 ace hearts, 2 diamonds, sans 3``.

The cards that one seat plays in one go are one line, which is told once the go is over.
"""

from __future__ import annotations

from collections.abc import Sequence

from hocp2p.game.actions import Action, Announce, Good, Hold, Play, Sans, Show
from hocp2p.game.cards import Card
from hocp2p.game.events import (
    Announced,
    BlancheClaimed,
    Called,
    CardHeldBack,
    CardPlayed,
    CardsShown,
    DealEnded,
    PlayOpened,
    RunEnded,
    SansSaid,
    StakeOpened,
)
from hocp2p.game.state import Phase, SeatView
from hocp2p.table.events import (
    DealSigned,
    DealStarted,
    DeckStep,
    SeatFreed,
    SeatLeft,
    SeatTaken,
    SessionEnded,
    TableEvent,
    TableStopped,
    TalkSaid,
)
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.lang import N_, _
from hocp2p.ui.names import STAKE_NAMES, SUIT_WORDS, enumerated, joined, rank_word, seat_names, signed
from hocp2p.ui.sentences import describe_event, describe_opening
from hocp2p.ui.speaker import Speaker
from hocp2p.ui.words import describe_action

TURN_EVENTS = (Called, Announced, CardsShown, CardPlayed, SansSaid, CardHeldBack)

BESIDE_THE_DEAL = (TalkSaid, SeatLeft, SessionEnded, TableStopped)


class Narrator:
    """Turns events into lines, in order.

    Args:
        ascii: letters for suits.
    """

    def __init__(self, *, ascii: bool) -> None:  # noqa: A002 - the option's name for people
        self._ascii = ascii
        self._deal = 0
        self._where = ""
        self._run = 1
        self._go: list[str] = []
        self._go_seat: int | None = None
        self._answered: type[TableEvent] | None = None

    def answer(self, view: SeatView, action: Action) -> str:
        """The line that says that our own action is done; the event that it causes is not told a second time."""
        self._answered = _event_of(action, view.state.phase)
        if not isinstance(action, Play):
            done = describe_action(action, stake=view.state.stake, ascii=self._ascii)
            return _("ok {action}").format(action=done)
        card = say_card(action.card)
        if len(view.hand) == 1:
            return _("ok {card}. your last card").format(card=card)
        if action.card.is_hoc:
            return _("ok {card}, hoc. you lead").format(card=card)
        return _("ok {card}. run wants {rank}").format(card=card, rank=rank_word(action.card.rank + 1))

    def tell(self, event: TableEvent, snapshot: TableSnapshot) -> list[str]:
        """The lines of an event; none where nothing needs saying yet."""
        ours = getattr(event, "seat", None) == snapshot.our_seat
        if ours and isinstance(event, TURN_EVENTS) and type(event) is self._answered:
            self._answered = None
            return self.flush(snapshot)
        if isinstance(event, CardPlayed | SansSaid):
            return self._tell_go(event, snapshot)
        lines = self.flush(snapshot)
        self._move(event)
        if text := self._text(event, snapshot):
            lines.append(text if isinstance(event, BESIDE_THE_DEAL) else self._prefix() + text)
        if isinstance(event, RunEnded):
            self._run += 1
            self._where = _run_word(self._run)
        return lines

    def flush(self, snapshot: TableSnapshot) -> list[str]:
        """What was kept back because the go might have gone on."""
        if self._go_seat is None:
            return []
        speaker = Speaker(seat_names(snapshot), snapshot.our_seat)
        told = speaker.says(self._go_seat, N_("you {cards}"), N_("{name} {cards}"), cards=enumerated(self._go))
        self._go, self._go_seat = [], None
        return [self._prefix() + told]

    def _tell_go(self, event: CardPlayed | SansSaid, snapshot: TableSnapshot) -> list[str]:
        lines = [] if event.seat == self._go_seat else self.flush(snapshot)
        self._go_seat = event.seat
        if isinstance(event, SansSaid):
            self._go.append(_("sans {rank}").format(rank=rank_word(event.rank)))
            return lines + self.flush(snapshot)
        said = say_card(event.card)
        if event.as_rank != event.card.rank:
            said = _("{card} as {rank}").format(card=said, rank=rank_word(event.as_rank))
        self._go.append(said)
        return lines

    def _move(self, event: TableEvent) -> None:
        """Keeps track of what the prefix says."""
        match event:
            case DealStarted(number, _dealer):
                self._deal, self._where = number, ""
            case StakeOpened(stake):
                self._where = STAKE_NAMES[stake].lower()
            case BlancheClaimed():
                self._where = _("carte blanche")
            case PlayOpened():
                self._run, self._where = 1, _run_word(1)
            case DealEnded():
                self._where = _("settlement")
            case DealSigned():
                self._where = ""
            case SessionEnded():  # what comes now is of no deal
                self._deal = 0

    def _prefix(self) -> str:
        if not self._deal:
            return ""
        told = _("deal {number} {where}:") if self._where else _("deal {number}:")
        return told.format(number=self._deal, where=self._where) + " "

    def _text(self, event: TableEvent, snapshot: TableSnapshot) -> str | None:
        names = seat_names(snapshot)
        match event:
            case DeckStep():
                return None  # felt only as "it just starts"
            case DealStarted(_number, dealer):
                return Speaker(names, snapshot.our_seat).says(dealer, N_("you deal"), N_("{name} deals"))
            case DealSigned(_number, outcome):
                figures = [f"{name} {signed(net)}" for name, net in zip(names, outcome.net, strict=True)]
                balances = enumerated([str(balance) for balance in outcome.balances])
                sentence = _("signed by all: {figures}. balances {balances}")
                return sentence.format(figures=joined(figures), balances=balances)
            case StakeOpened():  # the prefix has said which
                return describe_opening(event, names, you=snapshot.our_seat)
        told = describe_event(event, names, ascii=self._ascii, you=snapshot.our_seat)
        if told is None or isinstance(event, TalkSaid):
            return told
        if isinstance(event, SeatTaken):
            seated = sum(1 for info in snapshot.seats if info.name)
            told = _("{told}, {seated} of {seats} seated").format(told=told, seated=seated, seats=len(snapshot.seats))
        return _in_small(told, [*names, event.name] if isinstance(event, SeatFreed) else names)


def _in_small(told: str, names: Sequence[str]) -> str:
    """A sentence that goes on after the prefix: its first letter small again, unless it begins a name."""
    for name in names:
        if told[1:].startswith(name[1:]) and told[:1].lower() == name[:1].lower():
            return name + told[len(name) :]
    return told[:1].lower() + told[1:]


def say_card(card: Card) -> str:
    """``3 diamonds``: as it is said at the table."""
    return _("{rank} {suit}").format(rank=rank_word(card.rank), suit=SUIT_WORDS[card.suit])


def _run_word(number: int) -> str:
    return _("play run {number}").format(number=number)


def _event_of(action: Action, phase: Phase) -> type[TableEvent] | None:
    """The event that tells of an action; None where only what follows is told."""
    match action:
        case Good():
            return {Phase.AUCTION: Called, Phase.SHOWDOWN: Announced}.get(phase)
        case Announce():
            return Announced
        case Show():
            return CardsShown
        case Play():
            return CardPlayed
        case Sans():
            return SansSaid
        case Hold():
            return CardHeldBack
        case _:
            return Called if phase is Phase.AUCTION else None
