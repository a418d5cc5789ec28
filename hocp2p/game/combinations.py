"""What wins a stake: points, runs and tricons found in cards, what they are worth, and claims about them. RULES 2.1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hocp2p.errors import RuleError
from hocp2p.game.actions import CLASSES, Claim, Combination, Stake
from hocp2p.game.cards import DECK, KING, RANKS, Card
from hocp2p.game.house import DEFAULT_RULES, Rules

SHORTEST: Final = 3  # cards of a tierce or brelan
QUINT_LENGTH: Final = 5
RATES: Final[dict[Combination, tuple[int, int]]] = {
    Combination.TIERCE: (1, 2),
    Combination.QUART: (2, 3),
    Combination.QUINT: (3, 4),
    Combination.BRELAN: (2, 4),
    Combination.FREDON: (4, 8),
}
"""Simple and major payment from each other player, before doubling (rule 2.2)."""

_SUIT_PIPS: Final = tuple(card.pips for card in DECK[: len(RANKS)])  # ascending


@dataclass(frozen=True, slots=True)
class Holding:
    """One combination that cards hold.

    Args:
        stake: where it counts.
        cards: Point: cards of one suit; Sequence: a run; Tricon: three or four of a rank. Ascending.
    """

    stake: Stake
    cards: tuple[Card, ...]

    @property
    def claim(self) -> Claim:
        """What is announced of it."""
        if self.stake is Stake.POINT:
            return Claim(len(self.cards), sum(card.pips for card in self.cards))
        return Claim(len(self.cards), self.cards[-1].rank)

    @property
    def combination(self) -> Combination | None:
        """Its class; None for Point. A run of more than five is a quint."""
        if self.stake is Stake.POINT:
            return None
        return CLASSES[self.stake][min(len(self.cards), QUINT_LENGTH) - SHORTEST]

    @property
    def is_major(self) -> bool:
        """The king is the top of the run or the rank of the tricon."""
        return self.stake is not Stake.POINT and self.cards[-1].rank == KING

    @property
    def payment(self) -> int:
        """Jetons from each other player, before doubling; 0 for Point, which pays the pool only."""
        combination = self.combination
        return 0 if combination is None else RATES[combination][self.is_major]

    @property
    def reason(self) -> str:
        """For the score sheet: ``tierce major``, ``quart``, ``fredon``; ``point``."""
        combination = self.combination
        if combination is None:
            return "point"
        return combination_name(combination) + (" major" if self.is_major else "")

    def covers(self, claim: Claim) -> bool:
        """Whether showing it makes ``claim`` true: a run or tricon may hold more than was announced, a point not."""
        mine = self.claim
        if self.stake is Stake.POINT:
            return mine == claim
        if self.stake is Stake.SEQUENCE:
            return claim.second <= mine.second and claim.second - claim.first >= mine.second - mine.first
        return claim.second == mine.second and claim.first <= mine.first


def combination_name(combination: Combination) -> str:
    """``tierce`` ... ``fredon``."""
    return combination.name.lower()


def claim_strength(rules: Rules, stake: Stake, claim: Claim) -> tuple[int, int]:
    """Orders the claims of one stake: greater beats, equal goes by position (rule 2.1, house rule ``point``)."""
    if stake is Stake.POINT and rules.point == "pips":
        return claim.second, 0
    return claim.first, claim.second


def points(cards: Iterable[Card], rules: Rules = DEFAULT_RULES) -> tuple[Holding, ...]:
    """All cards of each suit that is there, strongest first."""
    suits: dict[int, list[Card]] = {}
    for card in sorted(cards, key=_by_suit):
        suits.setdefault(card.suit, []).append(card)
    found = [Holding(Stake.POINT, tuple(suit)) for suit in suits.values()]
    found.sort(key=lambda holding: claim_strength(rules, Stake.POINT, holding.claim), reverse=True)
    return tuple(found)


def best_point(cards: Iterable[Card], rules: Rules = DEFAULT_RULES) -> Holding | None:
    """The strongest suit; None without cards."""
    return next(iter(points(cards, rules)), None)


def runs(cards: Iterable[Card]) -> tuple[Holding, ...]:
    """Every separate run of three or more consecutive ranks in one suit, as long as it goes, strongest first."""
    chains: list[list[Card]] = []
    for card in sorted(cards, key=_by_suit):
        last = chains[-1][-1] if chains else None
        if last is not None and card.suit == last.suit and card.rank == last.rank + 1:
            chains[-1].append(card)
        else:
            chains.append([card])
    return _strongest_first(Stake.SEQUENCE, chains)


def tricons(cards: Iterable[Card]) -> tuple[Holding, ...]:
    """Every rank held three or four times, strongest first."""
    ranks: dict[int, list[Card]] = {}
    for card in sorted(cards):
        ranks.setdefault(card.rank, []).append(card)
    return _strongest_first(Stake.TRICON, ranks.values())


def holdings(stake: Stake, cards: Iterable[Card], rules: Rules = DEFAULT_RULES) -> tuple[Holding, ...]:
    """What cards hold for a stake, strongest first: the separate combinations, none of which shares a card."""
    if stake is Stake.POINT:
        return points(cards, rules)
    return runs(cards) if stake is Stake.SEQUENCE else tricons(cards)


def verify_claim(stake: Stake, claim: Claim, hand_size: int) -> None:
    """Raises RuleError unless a hand of ``hand_size`` cards could hold what ``claim`` says."""
    count, second = claim.first, claim.second
    if stake is Stake.POINT:
        longest = min(hand_size, len(_SUIT_PIPS))
        possible = 1 <= count <= longest and sum(_SUIT_PIPS[:count]) <= second <= sum(_SUIT_PIPS[-count:])
    elif stake is Stake.SEQUENCE:
        possible = SHORTEST <= count <= min(hand_size, second) and second <= KING
    else:
        possible = count in (3, 4) and count <= hand_size and second in RANKS
    if not possible:
        raise RuleError("bad-claim", f"no hand holds {count}/{second} for {stake.name.title()}")


def _by_suit(card: Card) -> int:
    return card.index


def _strongest_first(stake: Stake, groups: Iterable[list[Card]]) -> tuple[Holding, ...]:
    found = [Holding(stake, tuple(group)) for group in groups if len(group) >= SHORTEST]
    found.sort(key=lambda holding: holding.claim, reverse=True)
    return tuple(found)
