"""Who we are at a table."""

from __future__ import annotations

from dataclasses import dataclass

from hocp2p.crypto.identity import Identity
from hocp2p.crypto.scheme import DealScheme, Randomness


@dataclass(frozen=True, slots=True)
class Me:
    """Who we are at a table.

    Args:
        identity: our key; never shown.
        name: 1 to 24 characters.
        scheme: the deal protocol.
        randomness: for nonces, deck keys and shuffles.
        bot_level: empty for a person.
        owner: who runs the bot, else empty.
    """

    identity: Identity
    name: str
    scheme: DealScheme
    randomness: Randomness
    bot_level: str = ""
    owner: str = ""
