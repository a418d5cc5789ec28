"""What the house rules come to for one deal, and what may be said in an auction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from hocp2p.game.actions import Stake
from hocp2p.game.house import Rules
from hocp2p.players.engine import codes
from hocp2p.players.engine.holdings import RATE

NOT_IN: Final = -1
"""Instead of a class number: has not put himself in yet."""

_LAST_CLASS: Final = tuple(len(rates) - 1 for rates in RATE)


@dataclass(frozen=True, slots=True)
class House:
    """What the house rules come to for one deal."""

    seats: int
    raise_cap: int
    by_pips: bool
    lesser: bool
    fortuitous: bool
    hold_back: bool

    @classmethod
    def of(cls, rules: Rules, seats: int) -> House:
        """Of a table's rules."""
        return cls(
            seats=seats,
            raise_cap=rules.raise_cap,
            by_pips=rules.point == "pips",
            lesser=rules.lesser == "on",
            fortuitous=rules.fortuitous == "paid",
            hold_back=rules.hold_back == "fined",
        )


@cache
def calls(raise_cap: int, opened: bool, stake: int, announced: int) -> tuple[tuple[int, ...], ...]:
    """What may be said in an auction, by kind: giving up, then declare or stay, then every raise.

    Args:
        raise_cap: house rule.
        opened: whether anybody has.
        stake: 0 to 2.
        announced: the speaker's class number so far; ``NOT_IN`` when he is not in.
    """
    if announced == NOT_IN:
        classes = range(1, _LAST_CLASS[stake] + 1) if stake != Stake.POINT else range(1)
        entering, rising = tuple(classes), tuple(classes)
    else:
        entering = (0,)
        rising = (0, *range(announced + 1, _LAST_CLASS[stake] + 1))
    word = codes.STAY if opened else codes.DECLARE
    return (
        (codes.GOOD if opened else codes.PASS,),
        tuple(word + number for number in entering),
        tuple(codes.RAISE + codes.CLASSES * by + number for by in range(1, raise_cap + 1) for number in rising),
    )


@cache
def flat_calls(raise_cap: int, opened: bool, stake: int, announced: int) -> tuple[int, ...]:
    """The same in one row, in the order of ``game.rules.legal_actions``."""
    return tuple(action for kind in calls(raise_cap, opened, stake, announced) for action in kind)
