"""All randomness of one deck from one seed: a seat that comes back after a crash makes the same key and shuffle."""

from __future__ import annotations

import hashlib
from typing import Final

from hocp2p.crypto.scheme import Randomness
from hocp2p.errors import CryptoError

SEED_BYTES: Final = 32
_DOMAIN: Final = b"hocp2p/1 deck seed"


def seeded(seed: bytes) -> Randomness:
    """A source whose call number ``n`` gives SHAKE-256 (FIPS 202) of domain, seed and ``n`` (u64).

    Nonces are hedged with what they are used for, so a call that is repeated after a crash for another statement does
    not repeat a nonce.

    Args:
        seed: 32 secret bytes, of one deck. Raises CryptoError ``bad-seed`` for another length.
    """
    if len(seed) != SEED_BYTES:
        raise CryptoError("bad-seed", f"a deck has a seed of {SEED_BYTES} bytes")
    calls = 0

    def draw(size_bytes: int) -> bytes:
        nonlocal calls
        drawn = hashlib.shake_256(_DOMAIN + seed + calls.to_bytes(8, "big")).digest(size_bytes)
        calls += 1
        return drawn

    return draw
