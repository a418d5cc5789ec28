"""The auctions of the novice: rules of thumb over the chance to be best (rule 2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from hocp2p.game.actions import CLASSES, Action, Claim, Declare, Good, Pass, Raise, Stake, Stay
from hocp2p.game.cards import DECK
from hocp2p.game.combinations import SHORTEST, Holding, holdings
from hocp2p.game.state import AuctionState, SeatView
from hocp2p.players.choice import choose, happens
from hocp2p.players.estimates import NOTHING, chance_unbeaten
from hocp2p.players.player import Rng

Entry = TypeVar("Entry", Declare, Raise, Stay)

TRUST: Final = 0.85
"""How much of the bidding of others is taken at its word."""

OPEN_CHANCE: Final = 0.3
"""Whoever is best with this chance opens."""

LIMITS: Final = ((0.95, 40), (0.88, 24), (0.75, 10), (0.6, 4))
"""Chance to be best, and the level up to which it is worth raising; strongest first."""

RAISES_IN_LIMIT: Final = 3
"""Under a low raise cap, no limit is higher than so many of the highest raises."""

SLOW: Final = 0.15
"""How often a good hand does not raise."""

BLUFF: Final = 0.04
BLUFF_ELDEST: Final = 0.08
"""How often a weak hand raises; more often with the best position, which wins when nobody holds anything."""

BLUFF_LEVEL: Final = 4
BLUFF_RAISES: Final = (2, 3, 4, 5)
"""A bluff raises a level of at most the first, by one of the second."""

MISCALL: Final = 0.06
"""How often a hand with a combination announces another class than its best."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a seat may expect of a stake.

    Args:
        best: its strongest combination, if any.
        chance: to be the best of those who may still contest.
        prize: jetons that winning brings: the pool, and the payments of all others for what it holds.
        to_call: jetons missing to the level.
    """

    best: Holding | None
    chance: float
    prize: int
    to_call: int

    @classmethod
    def of(cls, view: SeatView, auction: AuctionState) -> Prospect:
        """Weighs cards, position and the others' words."""
        state, stake = view.state, auction.stake
        held = holdings(stake, view.own.values(), state.rules)
        paid_for = held if state.rules.lesser == "on" else held[:1]
        payments = (state.seats - 1) * sum(holding.payment for holding in paid_for)
        chance = 1.0
        for rival in state.present:
            if rival != view.seat and not auction.out[rival]:
                chance *= _chance_against(view, auction, rival, held[0].claim if held else NOTHING)
        return cls(
            best=held[0] if held else None,
            chance=chance,
            prize=state.pools[stake] + (2 if stake in state.doubled else 1) * payments,
            to_call=auction.level - auction.paid[view.seat],
        )

    @property
    def is_worth_a_call(self) -> bool:
        """Whether staying wins more than it costs; it takes a combination, even where it is free."""
        if self.best is None:
            return False
        return self.to_call == 0 or self.chance * (self.prize + self.to_call) > self.to_call


def choose_bid(view: SeatView, auction: AuctionState, legal: Collection[Action], rng: Rng) -> Action:
    """A word in an auction, one of ``legal``, which is not empty.

    A raise takes the level past half of the raiser's limit or was a bluff at a low level, so auctions between such
    players end after a few words.
    """
    prospect = Prospect.of(view, auction)
    by = _raise_by(view, auction, prospect, rng)
    if by:
        raises = [action for action in legal if isinstance(action, Raise) and action.by == by]
        return _announcing(raises, prospect, auction.stake, rng)
    if auction.opened:
        if not prospect.is_worth_a_call:
            return Good()
        return _announcing([action for action in legal if isinstance(action, Stay)], prospect, auction.stake, rng)
    if prospect.best is not None and prospect.chance >= OPEN_CHANCE:
        return _announcing([action for action in legal if isinstance(action, Declare)], prospect, auction.stake, rng)
    return Pass()


def _chance_against(view: SeatView, auction: AuctionState, rival: int, claim: Claim) -> float:
    """The chance that this rival cannot beat ``claim``.

    Partly as if his cards were any, partly as his words say: who announces a class holds it, and the more he has put
    in the better he is among those who could say the same.
    """
    base = _chance_unbeaten(view, auction.stake, rival, claim)
    if not auction.entered[rival]:
        return base
    below = 0.25
    announced = auction.announced[rival]
    if announced is not None:
        length = SHORTEST + CLASSES[auction.stake].index(announced)
        below = _chance_unbeaten(view, auction.stake, rival, Claim(length, 0))
    below += (1 - below) * min(0.6, 0.03 * auction.paid[rival])
    believed = max(0.0, base - below) / (1 - below) if below < 1 else base
    return TRUST * believed + (1 - TRUST) * base


def _chance_unbeaten(view: SeatView, stake: Stake, rival: int, claim: Claim) -> float:
    """The chance by the cards alone, those that were shown included."""
    state = view.state
    faces = state.faces()
    shown = frozenset(faces[position] for position in state.dealt[rival] if position in faces)
    order = state.turn_order
    return chance_unbeaten(
        stake,
        claim,
        by_pips=state.rules.point == "pips",
        wins_ties=order.index(view.seat) < order.index(rival),
        shown=shown,
        unseen=frozenset(DECK).difference(view.own.values(), faces.values()),
        draws=len(state.dealt[rival]) - len(shown),
    )


def _raise_by(view: SeatView, auction: AuctionState, prospect: Prospect, rng: Rng) -> int:
    """Jetons to raise by, for value or as a bluff; 0 for no raise."""
    cap = view.state.rules.raise_cap
    limit = _raise_limit(view, prospect)
    if limit and 2 * auction.level <= limit and not happens(rng, SLOW):
        gap = limit - auction.level
        return max(1, min(cap, gap // 2 + rng.randrange(gap // 2 + 1)))
    eldest = view.seat == view.state.eldest
    weak = prospect.best is None or prospect.chance < OPEN_CHANCE
    if weak and auction.level <= BLUFF_LEVEL and happens(rng, BLUFF_ELDEST if eldest else BLUFF):
        return min(cap, choose(rng, BLUFF_RAISES))
    return 0


def _raise_limit(view: SeatView, prospect: Prospect) -> int:
    """The highest level that a raise for value may make; 0 for none."""
    rules, balance = view.state.rules, view.state.balances[view.seat]
    limit = next((level for chance, level in LIMITS if prospect.chance >= chance), 0)
    if prospect.best is None:
        limit = 0
    if rules.ruin == "on":
        limit = min(limit, max(0, balance // 2))
    return min(limit, RAISES_IN_LIMIT * rules.raise_cap)


def _announcing(options: Sequence[Entry], prospect: Prospect, stake: Stake, rng: Rng) -> Entry:
    """Of words that differ by the announced class only, the one that fits: mostly the truth, and nothing twice."""
    by_class = {option.announced: option for option in options}
    classes = CLASSES[stake]
    if not classes or (None in by_class and prospect.best is None):
        return by_class[None]
    wanted = prospect.best.combination if prospect.best is not None else classes[happens(rng, 0.25)]
    if happens(rng, MISCALL):
        wanted = choose(rng, classes)
    return by_class[wanted] if wanted in by_class else by_class[None]
