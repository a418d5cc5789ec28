"""The draw of the first dealer (rule 1): every seat draws a card and shows it; the lowest deals, ties draw again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hocp2p.crypto.scheme import DealPlan, DeckSession
from hocp2p.errors import PeerError
from hocp2p.game.cards import DECK_SIZE, Card, card_of
from hocp2p.game.match import lowest_draw
from hocp2p.table.chain import track_label
from hocp2p.table.deck import share_steps
from hocp2p.table.events import CardDrawn, DealerChosen, TableEvent
from hocp2p.table.steps import Step
from hocp2p.wire.messages import DrawnCard, Message

DRAW_TRACK: Final = 2
MAX_DRAWS: Final = 8  # tied eight times over happens once in 10^9 sessions; then the lowest seat of the tied deals


def draw_plan(seats: int) -> DealPlan:
    """Seat ``s`` draws positions ``s``, ``s + seats``, ... in turn; the rest sleeps."""
    drawn = seats * MAX_DRAWS
    return DealPlan(tuple(p % seats if p < drawn else None for p in range(DECK_SIZE)))


class DrawSteps:
    """Shares, then rounds of drawn cards until one seat alone is lowest.

    Args:
        session: our part in the draw's deck, its digest signed.
        seats: 2 or 3.
        us: our seat.
    """

    def __init__(self, session: DeckSession, seats: int, us: int) -> None:
        self.dealer: int | None = None
        self.session = session
        self._seats = seats
        self._us = us
        self._left = share_steps(0, session, seats)
        self._tied: tuple[int, ...] = tuple(range(seats))
        self._round = 0

    @property
    def present(self) -> Step | None:
        """See ``steps.Steps``."""
        if self._left:
            return self._left[0]
        if self.dealer is not None:
            return None
        return Step("draw", self._tied, (DrawnCard,), self._speak, self._accept)

    def close_step(self) -> None:
        """See ``steps.Steps``."""
        if self._left:
            del self._left[0]

    def _position(self, seat: int) -> int:
        return seat + self._seats * self._round

    def _speak(self, binding: bytes) -> Message:
        position = self._position(self._us)
        return DrawnCard(position, self.session.faces()[position], self.session.open([position], binding))

    def _accept(self, binding: bytes, messages: Mapping[int, Message]) -> Sequence[TableEvent]:
        drawn: dict[int, Card] = {}
        for seat, message in messages.items():
            if not isinstance(message, DrawnCard) or message.position != self._position(seat):
                raise PeerError(seat, track_label(DRAW_TRACK), "wrong-position", "drew another card than its own")
            self.session.verify_open(seat, [message.position], [message.face], message.proof, binding)
            drawn[seat] = card_of(message.face)
        events: list[TableEvent] = [CardDrawn(seat, card) for seat, card in drawn.items()]
        self._tied = lowest_draw(drawn)
        self._round += 1
        if len(self._tied) == 1 or self._round == MAX_DRAWS:
            self.dealer = self._tied[0]
            self.session.erase()
            events.append(DealerChosen(self.dealer))
        return events
