"""Events told as a story: what one seat plays in a go, and what all others pay alike, is one sentence each. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeGuard

from hocp2p.game.events import CardPlayed, Paid, PlayOpened, RunEnded, SansSaid
from hocp2p.table.events import DeckStep, RulesChanged, SeatFreed, TableEvent, TableProposed
from hocp2p.ui.lang import N_, _
from hocp2p.ui.look import Look
from hocp2p.ui.names import capitalized, payment_reason, rank_word
from hocp2p.ui.speaker import Speaker

BY_KEY: Final[dict[type[TableEvent], str]] = {
    TableProposed: N_("All seats are filled: read the rules and press Enter"),
    RulesChanged: N_("The host has changed the rules: read them and press Enter"),
}
"""What asks for a command in the line mode asks for a key here."""


class Told(NamedTuple):
    """A sentence without its full stop, and the event that it begins with."""

    sentence: str
    event: TableEvent


def tell_all(look: Look, events: Sequence[TableEvent]) -> list[Told]:
    """What happened, oldest first; steps of the deal protocol and what needs no saying left out."""
    told: list[Told] = []
    looks = _looks(look, events)
    at = 0
    while at < len(events):
        first, look = events[at], looks[at]
        count = _length(events, at)
        same = events[at : at + count]
        at += count
        if isinstance(first, DeckStep):
            continue
        if isinstance(first, CardPlayed):
            sentence = _go(look, same)
        elif isinstance(first, Paid) and first.to is not None and count > 1:
            sentence = _collected(look, first.to, first)
        elif isinstance(first, PlayOpened | RunEnded) and _leads(first.seat, events[at:]):
            sentence = _before_lead(first)
        elif type(first) in BY_KEY:
            sentence = _(BY_KEY[type(first)])
        else:
            sentence = look.tell(first)
        if sentence:
            told.append(Told(sentence, first))
    return told


def _looks(look: Look, events: Sequence[TableEvent]) -> list[Look]:
    """The picture for each event, in which who has left his chair since is still called by his name.

    ``events`` are some of those of the picture, in their order.
    """
    looks: list[Look] = []
    later = reversed(look.snapshot.events)
    for event in reversed(events):
        for known in later:
            if known is event:
                break
            look = _before(look, known)
        looks.append(look)
        look = _before(look, event)
    return looks[::-1]


def _before(look: Look, event: TableEvent) -> Look:
    """The picture before the event, as far as names go."""
    if not isinstance(event, SeatFreed):
        return look
    seats = tuple(replace(info, name=event.name) if info.seat == event.seat else info for info in look.snapshot.seats)
    return replace(look, snapshot=replace(look.snapshot, seats=seats))


def _length(events: Sequence[TableEvent], at: int) -> int:
    """How many events from ``at`` belong to one sentence."""
    first = events[at]
    end = at + 1
    if isinstance(first, CardPlayed):
        while end < len(events) and _goes_on(first.seat, events[end]):
            end += 1
            if isinstance(events[end - 1], SansSaid):
                break
    elif isinstance(first, Paid) and first.to is not None:
        payers = {first.seat}
        for event in events[end:]:
            if not _same_payment(event, first, payers):
                break
            payers.add(event.seat)
            end += 1
    return end - at


def _goes_on(seat: int, event: TableEvent) -> bool:
    if isinstance(event, CardPlayed):
        return event.seat == seat and not event.led
    return isinstance(event, SansSaid) and event.seat == seat


def _leads(seat: int, events: Sequence[TableEvent]) -> bool:
    """Whether the next event is that seat's lead, which says who leads."""
    return bool(events) and isinstance(events[0], CardPlayed) and events[0].seat == seat


def _before_lead(event: PlayOpened | RunEnded) -> str:
    """What else there is to say of it; empty: nothing."""
    if isinstance(event, PlayOpened):
        return _("The play begins")
    return _("Nobody goes on") if event.fortuitous else ""


def _same_payment(event: TableEvent, first: Paid, payers: set[int]) -> TypeGuard[Paid]:
    """Whether one more pays the same; who pays twice, as for two brelans, begins a sentence of his own."""
    if not isinstance(event, Paid) or event.seat in payers:
        return False
    return (event.to, event.amount, event.reason) == (first.to, first.amount, first.reason)


def _go(look: Look, events: Sequence[TableEvent]) -> str:
    """``Bruno leads A♠ 2♥ 3♠, sans 4``."""
    sentence = look.tell(events[0])
    for event in events[1:]:
        if isinstance(event, CardPlayed):
            sentence += f" {_card(look, event)}"
        elif isinstance(event, SansSaid):
            sentence = _("{go}, sans {rank}").format(go=sentence, rank=rank_word(event.rank))
    return sentence


def _card(look: Look, played: CardPlayed) -> str:
    card = look.card(played.card)
    if played.as_rank == played.card.rank:
        return card
    return _("{card} as the {rank}").format(card=card, rank=rank_word(played.as_rank))


def _collected(look: Look, to: int, paid: Paid) -> str:
    """``Bruno takes 1 from each: hoc``."""
    sentence = Speaker(look.names, look.us).says(
        to,
        N_("you take {amount} from each: {reason}"),
        N_("{name} takes {amount} from each: {reason}"),
        amount=paid.amount,
        reason=payment_reason(paid.reason),
    )
    return capitalized(sentence)
