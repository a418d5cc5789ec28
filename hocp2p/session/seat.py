"""What every seat of this process is made of: an identity, a peer, a runner; and the threads that they share."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from hocp2p.crypto.deck import MentalPoker
from hocp2p.crypto.identity import Identity
from hocp2p.table.me import Me

WORKERS: Final = 2  # threads for proofs and bots of all seats of this process


def make_executor() -> ThreadPoolExecutor:
    """Threads for the work that must not keep the event loop waiting."""
    return ThreadPoolExecutor(WORKERS, thread_name_prefix="hocp2p")


def make_me(identity: Identity, name: str, bot_level: str = "", owner: str = "") -> Me:
    """Who we are, with the real deal protocol and the operating system's randomness."""
    return Me(identity, name, MentalPoker(), secrets.token_bytes, bot_level, owner)


def ephemeral_identity() -> Identity:
    """A fresh identity that nobody keeps, for bots."""
    return Identity.from_seed(secrets.token_bytes(32))
