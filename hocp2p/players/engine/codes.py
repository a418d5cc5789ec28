"""The actions of the engine as small numbers.

A number below 52 plays the card of that index. A *class number* stands for what is announced: 0 nothing, 1 tierce or
brelan, 2 quart or fredon, 3 quint. A *code* stands for a claim: ``CODE * first + second``, so that within a stake a
greater code is the better claim (but for Point under ``point = pips``).
"""

from __future__ import annotations

from typing import Final

from hocp2p.game.cards import DECK_SIZE

SANS: Final = DECK_SIZE
HOLD: Final = 53
PASS: Final = 54
GOOD: Final = 55
UNSEEN: Final = 56
BLANCHE: Final = 57
GO: Final = 58
DECLARE: Final = 60
"""Plus the class number."""

STAY: Final = 64
"""Plus the class number."""

SHOW: Final = 128
"""Plus a set of the winner's holdings as bits, the strongest being bit 0."""

ANNOUNCE: Final = 2048
"""Plus the code of the claim."""

RAISE: Final = 4096
"""Plus ``CLASSES`` times the jetons, plus the class number."""

SHOW_PART: Final = 8192
"""Plus the place in a list: a part of a suit, shown for a point that no whole suit is."""

CLASSES: Final = 4
CODE: Final = 128


def code_of(first: int, second: int) -> int:
    """The code of a claim."""
    return CODE * first + second
