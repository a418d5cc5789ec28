"""A point of a practice deal as its explanations look at it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from hocp2p.game.actions import Stake
from hocp2p.game.cards import HOCS, Card
from hocp2p.game.combinations import Holding, claim_strength, holdings
from hocp2p.game.events import Event
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.table.events import DealStarted, TableEvent
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.cells import clean
from hocp2p.ui.lang import _
from hocp2p.ui.names import format_cards, seat_names

E = TypeVar("E", bound=Event)
Text = tuple[str, ...]
"""Paragraphs; none: there is nothing to explain here."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One picture of the deal.

    Args:
        snapshot: what we see.
        open_hands: hands of the others, by seat.
        ascii: letters for suits.
    """

    snapshot: TableSnapshot
    open_hands: Mapping[int, tuple[Card, ...]]
    ascii: bool = False

    @property
    def view(self) -> SeatView | None:
        """What our seat sees of the deal."""
        return self.snapshot.view

    @property
    def hand(self) -> tuple[Card, ...]:
        """Ours."""
        return self.view.hand if self.view is not None else ()

    def state_in(self, *phases: Phase) -> DealState | None:
        """The state of the deal where it is in one of these phases."""
        return self.view.state if self.view is not None and self.view.state.phase in phases else None

    def our_turn_in(self, *phases: Phase) -> DealState | None:
        """The same, where the table waits for us."""
        return self.state_in(*phases) if self.snapshot.legal else None

    @property
    def hands(self) -> dict[int, tuple[Card, ...]]:
        """All hands that we see, ours included, best position first."""
        if self.view is None:
            return {}
        seen = {**self.open_hands, self.view.seat: self.hand}
        return {seat: seen[seat] for seat in self.view.state.turn_order if seat in seen}

    def happened(self, kind: type[E]) -> list[E]:
        """All events of this kind in this deal, oldest first."""
        return [event for event in self.deal_events if isinstance(event, kind)]

    @property
    def deal_events(self) -> tuple[TableEvent, ...]:
        """What happened in this deal."""
        events = self.snapshot.events
        starts = [at for at, event in enumerate(events) if isinstance(event, DealStarted)]
        return events[starts[-1] :] if starts else ()

    def best(self, stake: Stake, seat: int) -> Holding | None:
        """The strongest that a hand holds for a stake."""
        found = holdings(stake, self.hands.get(seat, ()), self.snapshot.rules)
        return found[0] if found else None

    def would_win(self, stake: Stake) -> int | None:
        """The seat with the best hand for the stake that is bid for, of those who have not given it up (rule 2.1).

        Where two are equal, the one with the better position. None: nobody holds anything.
        """
        auction = self.view.state.auction if self.view is not None else None
        seats = [seat for seat in self.hands if auction is None or not auction.out[seat]]
        found = {seat: best for seat in seats if (best := self.best(stake, seat)) is not None}
        if not found:
            return None
        return max(found, key=lambda seat: claim_strength(self.snapshot.rules, stake, found[seat].claim))

    # Words.

    def say(self, template: str, **fields: object) -> str:
        """A sentence or paragraph in the language in use, its fields filled in.

        Args:
            template: in English, marked with ``N_``.
            fields: by their names in it.
        """
        text = _(template).format(**fields)
        return text[:1].upper() + text[1:]

    def name(self, seat: int) -> str:
        """Of another seat."""
        return clean(seat_names(self.snapshot)[seat], ascii=self.ascii)

    def cards(self, cards: Iterable[Card]) -> str:
        """Suit by suit, in ascending order."""
        return self.chain(sorted(cards, key=lambda card: card.index))

    def chain(self, cards: Sequence[Card]) -> str:
        """In the order given."""
        return format_cards(cards, ascii=self.ascii)

    def hocs(self) -> str:
        """The six hocs, kings first."""
        return self.chain(sorted(HOCS, key=lambda card: (-card.rank, card.suit)))
