"""Who we are at a table, for every seat of this process."""

from __future__ import annotations

import secrets

from hocp2p.crypto.deck import MentalPoker
from hocp2p.crypto.identity import Identity
from hocp2p.table.me import Me


def make_me(identity: Identity, name: str, bot_level: str = "", owner: str = "") -> Me:
    """Who we are, with the real deal protocol and the operating system's randomness; arguments as of ``Me``."""
    return Me(identity, name, MentalPoker(), secrets.token_bytes, bot_level, owner)
