"""A session: the agreed number of deals, what is carried from one to the next, the last division (rule 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hocp2p.errors import RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Stake
from hocp2p.game.cards import Card
from hocp2p.game.events import Event
from hocp2p.game.house import START_BALANCE, Rules
from hocp2p.game.state import DealOutcome, DealState


@dataclass(frozen=True, slots=True)
class Closing:
    """The end of a session.

    Args:
        shares: jetons that each seat gets back from the pools still carried.
        balances: jetons by seat, shares included.
        net: change of balance by seat over the session; sums to zero.
    """

    shares: tuple[int, ...]
    balances: tuple[int, ...]
    net: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """Where a session stands between two deals.

    Args:
        rules, seats: the table.
        balances: jetons by seat.
        dealer: deals the coming deal; after a deal its eldest.
        number: of the coming deal, from 1.
        carry: jetons left in the three pools, fines included.
        doubled: stakes whose payments are doubled in the coming deal.
        gone: seats lost for good (rule 5). A lost seat keeps its balance and its turn as dealer, by name only, so that
            the best position goes round as before.
    """

    rules: Rules
    seats: int
    balances: tuple[int, ...]
    dealer: int
    number: int = 1
    carry: tuple[int, int, int] = (0, 0, 0)
    doubled: frozenset[Stake] = frozenset()
    gone: frozenset[int] = frozenset()

    @property
    def is_over(self) -> bool:
        """All deals are played, or fewer than two seats are left, or somebody is ruined and that ends the session."""
        return self._is_played_out or self.seats - len(self.gone) < 2

    def start_deal(self) -> tuple[DealState, tuple[Event, ...]]:
        """The coming deal with the antes in. Raises RuleError (``match-over``) when there is none."""
        if self.is_over:
            raise RuleError("match-over", "the session has ended; there is no further deal")
        return game_rules.start_deal(
            self.rules, self.seats, self.dealer, self.balances, self.carry, self.doubled, self.gone
        )

    def after(self, outcome: DealOutcome) -> Match:
        """The match after the coming deal ended so: pools carried, eldest deals.

        Seats that were lost in that deal may be taken out (:meth:`without`) before or after this.

        Raises:
            RuleError: ``match-over``, or ``bad-outcome`` when jetons were made or lost.
        """
        if self._is_played_out:
            raise RuleError("match-over", "the session has ended; there is no further deal")
        if len(outcome.balances) != self.seats or _jetons(outcome.balances, outcome.carry_after) != self._in_play:
            raise RuleError("bad-outcome", "the jetons after the deal are not those before it")
        return replace(
            self,
            balances=outcome.balances,
            dealer=(self.dealer + 1) % self.seats,
            number=self.number + 1,
            carry=outcome.carry_after,
            doubled=outcome.doubled_after,
        )

    def without(self, seat: int) -> Match:
        """The match after a seat was lost for good (rule 5). Raises RuleError (``bad-seat``) when there is none."""
        if seat not in range(self.seats):
            raise RuleError("bad-seat", f"there is no seat {seat}")
        return replace(self, gone=self.gone | {seat})

    def close(self) -> Closing:
        """Divides what still lies in the pools in equal parts; what does not divide goes one each to the best
        positions of the last deal (rule 1).

        A lost seat gets its part like the others: its jetons are in the pools too, and nobody shall gain by its loss.

        A session may also be closed early, between two deals, when a seat is lost.
        """
        part, rest = divmod(sum(self.carry), self.seats)
        # Eldest of the last deal would deal next, so places count from the present dealer.
        shares = tuple(part + ((seat - self.dealer) % self.seats < rest) for seat in range(self.seats))
        balances = tuple(balance + share for balance, share in zip(self.balances, shares, strict=True))
        return Closing(shares, balances, tuple(balance - START_BALANCE for balance in balances))

    @property
    def _is_played_out(self) -> bool:
        ruined = self.rules.ruin == "on" and min(self.balances) < 0
        return self.number > self.rules.deals or ruined

    @property
    def _in_play(self) -> int:
        return _jetons(self.balances, self.carry)


def start_match(rules: Rules, seats: int, first_dealer: int) -> Match:
    """A session before its first deal.

    Args:
        rules: the agreed house rules.
        seats: 2 or 3.
        first_dealer: the seat that drew lowest (:func:`lowest_draw`).

    Raises:
        RuleError: the rules do not fit the number of seats, or there is no such seat.
    """
    rules.verify_seats(seats)
    if first_dealer not in range(seats):
        raise RuleError("bad-seat", f"there is no seat {first_dealer}")
    return Match(rules, seats, (START_BALANCE,) * seats, first_dealer)


def lowest_draw(cards: Mapping[int, Card]) -> tuple[int, ...]:
    """The seats that drew the lowest rank, aces being low, in order of seats: one deals, several draw again (rule 1).

    Args:
        cards: by seat, the card that it drew; not empty.
    """
    lowest = min(card.rank for card in cards.values())
    return tuple(sorted(seat for seat, card in cards.items() if card.rank == lowest))


def _jetons(balances: tuple[int, ...], pools: tuple[int, int, int]) -> int:
    return sum(balances) + sum(pools)
