"""Which house rules the auction tables are good for. In a module of its own: whoever only asks loads no tables."""

from __future__ import annotations

from typing import Final

from hocp2p.game.house import Rules

LEAST_CAP: Final = 5
"""Under a lower raise cap the game is another one than that of the tables."""


def serves(rules: Rules) -> bool:
    """Whether the tables are good for these house rules; else the auctions are those of the novice.

    All switches are served: another order of Point changes who is strong and not how to bid; without lesser
    combinations a hand is paid less and counts as such. Only a low ``raise_cap`` makes another game.
    """
    return rules.raise_cap >= LEAST_CAP
