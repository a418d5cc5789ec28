"""Step 1: each seat's share of the deck's key, committed to before it is shown, with proof of possession.

The commitment keeps a seat from choosing its share after the others'; the proof keeps it from choosing a share whose
secret it does not know (a rogue key that cancels another's).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hocp2p.crypto import linear
from hocp2p.crypto.group import BASE, IDENTITY, POINT_BYTES, Point, decode_point, mul_base, sum_points
from hocp2p.crypto.linear import Relation
from hocp2p.crypto.scheme import Randomness, SeatError
from hocp2p.crypto.transcript import statement
from hocp2p.errors import CryptoError

COMMIT_BYTES: Final = 32
NONCE_BYTES: Final = 32
PROOF_BYTES: Final = 64
KEY_REVEAL_BYTES: Final = POINT_BYTES + PROOF_BYTES + NONCE_BYTES


def commit_to(what: str, context: bytes, seat: int, payload: bytes) -> bytes:
    """32 bytes that bind ``seat`` to ``payload``; they hide it where it ends in a fresh nonce of 32 bytes.

    Args:
        what: is committed to, ``key`` or ``shares``.
        context: of the deck.
        seat: who commits.
        payload: what it will reveal.
    """
    transcript = statement(f"{what} commitment", context, seat)
    transcript.absorb("payload", payload)
    return transcript.squeeze("commitment")[:COMMIT_BYTES]


def verify_commit(what: str, context: bytes, seat: int, payload: bytes, commit: bytes, code: str) -> None:
    """Raises CryptoError ``code`` unless ``commit`` is that of ``seat`` to ``payload``; arguments as above."""
    if commit_to(what, context, seat, payload) != commit:
        raise CryptoError(code, f"the {what} shown is not the one committed to")


def key_payload(context: bytes, seat: int, secret: int, randomness: Randomness) -> bytes:
    """What we commit to and then reveal: the key share, its proof (64 bytes) and a nonce; 128 bytes.

    Args:
        context: of the deck.
        seat: ours.
        secret: our share of the deck's secret key, a scalar.
        randomness: 96 bytes are taken.
    """
    key = mul_base(secret)
    proof = linear.prove(statement("key", context, seat), _possession(key), (secret,), randomness)
    return key + proof + randomness(NONCE_BYTES)


def verify_key_payload(context: bytes, seat: int, payload: bytes) -> Point:
    """The key share of ``seat``.

    Raises CryptoError ``bad-length``, ``bad-point``, ``identity-point``, ``bad-scalar`` or ``key-proof``.
    """
    if len(payload) != KEY_REVEAL_BYTES:
        raise CryptoError("bad-length", f"a key has {KEY_REVEAL_BYTES} bytes, not {len(payload)}")
    key = decode_point(payload[:POINT_BYTES])
    proof = payload[POINT_BYTES : POINT_BYTES + PROOF_BYTES]
    linear.verify(statement("key", context, seat), _possession(key), proof, "key-proof")
    return key


def joint_key(keys: Sequence[Point]) -> Point:
    """The key of the deck, the sum of all shares.

    Raises SeatError ``key-equal`` for the later of two equal shares, ``key-sum`` for the last where they cancel out.
    """
    for seat, key in enumerate(keys):
        if key in keys[:seat]:
            raise SeatError(seat, "key-equal", "two seats have the same key")
    total = sum_points(keys)
    if total == IDENTITY:
        raise SeatError(len(keys) - 1, "key-sum", "the keys cancel each other out")
    return total


def _possession(key: Point) -> Relation:
    return Relation(((BASE,),), (key,))
