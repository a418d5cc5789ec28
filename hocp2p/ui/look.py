"""What the parts of the screen share: the picture, the room, and how small things are drawn. Pure."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from hocp2p.game.cards import Card
from hocp2p.game.state import Phase, SeatView
from hocp2p.table.events import DealStarted, SessionEnded, TableEvent
from hocp2p.table.snapshot import FinishedDeal, Stage, TableSnapshot
from hocp2p.ui.cells import Fragment, Glyphs, Line, clean, clip, text_width
from hocp2p.ui.clocks import away_time, time_left
from hocp2p.ui.local import Local
from hocp2p.ui.names import format_card_symbols, seat_names
from hocp2p.ui.sentences import describe_event
from hocp2p.ui.speaker import Speaker


@dataclass(frozen=True, slots=True)
class Look:
    """One drawing of one picture.

    Args:
        snapshot: the table.
        local: the screen's own state.
        cols, rows: cells and rows of the part being drawn.
        glyphs: what is drawn with.
    """

    snapshot: TableSnapshot
    local: Local
    cols: int
    rows: int
    glyphs: Glyphs

    def within(self, cols: int, rows: int) -> Look:
        """The same picture in another room."""
        return replace(self, cols=cols, rows=rows)

    @property
    def ascii(self) -> bool:
        """Whether only ASCII is drawn."""
        return self.glyphs.ascii

    @property
    def view(self) -> SeatView | None:
        """What we see of the deal."""
        return self.snapshot.view

    @property
    def us(self) -> int | None:
        """Our seat."""
        return self.snapshot.our_seat

    @property
    def names(self) -> tuple[str, ...]:
        """By seat, safe to draw, at most 16 cells."""
        return tuple(clip(clean(name, ascii=self.ascii), 16, self.glyphs.cut) for name in seat_names(self.snapshot))

    @property
    def speaker(self) -> Speaker:
        """Who says sentences about seats, to us."""
        return Speaker(self.names, self.us, self.ascii)

    def name(self, seat: int) -> str:
        """Of a seat, as one of several; ``you`` for ours."""
        return self.speaker.among(seat)

    def card(self, card: Card) -> str:
        """Two cells."""
        return format_card_symbols(card, ascii=self.ascii)

    def cards(self, cards: tuple[Card, ...]) -> Line:
        """Coloured cards with a space between."""
        line: list[Fragment] = []
        for card in cards:
            line += [Fragment("", " ")] if line else []
            line.append(Fragment(card_style(card), self.card(card)))
        return tuple(line)

    def time_left(self, seat: int) -> str:
        """``0:48``; with the turn used up ``bank 1:59``; empty while the seat's time does not run."""
        return time_left(self.snapshot.clock, seat, self.local.now_s)

    def time_away(self, seat: int) -> str:
        """``0:20``: how long the seat has not been heard; empty where it is."""
        return away_time(self.local.unheard, seat, self.local.now_s)

    def tell(self, event: TableEvent) -> str:
        """The event's sentence, safe to draw; empty where there is none."""
        safe = _cleaned(event, ascii=self.ascii)
        return describe_event(safe, self.names, ascii=self.ascii, you=self.us) or ""

    def own(self, text: str) -> str:
        """A text of the client, safe to draw; with ``ascii`` no signs, but the letters of any language."""
        kept = clean(text)
        return "".join(char if char.isascii() or char.isalpha() else "?" for char in kept) if self.ascii else kept

    def section(self, label: str, note: str = "", *, style: str = "label") -> Line:
        """A rule across with a label at the left and a note at the right."""
        rule = self.glyphs.rule
        note = clip(note, self.section_room(label), self.glyphs.cut)
        left = (Fragment("rule", rule * 2), Fragment(style, f" {label} ")) if label else (Fragment("rule", rule * 2),)
        right = (Fragment("note", f" {note} "), Fragment("rule", rule * 2)) if note else ()
        used = sum(text_width(fragment.text) for fragment in left + right)
        return (*left, Fragment("rule", rule * max(self.cols - used, 0)), *right)

    def section_room(self, label: str) -> int:
        """Cells that a section with this label has for its note."""
        return self.cols - text_width(label) - 8

    @property
    def deal_events(self) -> tuple[TableEvent, ...]:
        """What happened in the present deal."""
        return self._since(DealStarted)

    @property
    def match_events(self) -> tuple[TableEvent, ...]:
        """What happened since the match before, if there was one."""
        return self._since(SessionEnded)

    def _since(self, kind: type[TableEvent]) -> tuple[TableEvent, ...]:
        """The last event of this kind and all that came after it; everything where there was none."""
        events = self.snapshot.events
        found = (at for at in range(len(events) - 1, -1, -1) if isinstance(events[at], kind))
        return events[next(found, 0) :]

    @property
    def settled(self) -> FinishedDeal | None:
        """The deal whose settlement the player still reads, or None."""
        finished = self.snapshot.finished
        return finished[-1] if len(finished) > self.local.acked else None

    @property
    def signed(self) -> FinishedDeal | None:
        """The deal that is over while the others are not yet ready for the next, or None."""
        finished = self.snapshot.finished
        over = self.view is not None and self.view.state.phase is Phase.OVER and self.snapshot.stage is Stage.DEAL
        return finished[-1] if over and finished and finished[-1].number == self.snapshot.deal else None


def _cleaned(event: TableEvent, *, ascii: bool) -> TableEvent:  # noqa: A002 - the name that the option has for people
    """The event with its texts, which others chose, safe to draw."""
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    texts: dict[str, Any] = {
        name: clean(value, ascii=ascii) for name, value in values.items() if isinstance(value, str)
    }
    return replace(event, **texts)


def card_style(card: Card) -> str:
    """Style of a face."""
    return f"suit{card.suit}"


def play_rank(rank: int) -> str:
    """A rank in at most two cells, as people write it: ``10``, not ``T``."""
    return "A23456789"[rank - 1] if rank < 10 else {10: "10", 11: "J", 12: "Q", 13: "K"}[rank]
