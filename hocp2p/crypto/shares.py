"""Step 4: each seat takes its key off the cards of the others, and proves that it did just that.

The shares of seat i are ``x_i A_p`` for all positions p that are dealt to somebody else. Nobody ever makes a share for
a sleeping position: ``share_of`` is the only place where one is made, and it asks the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from hocp2p.crypto import dleq
from hocp2p.crypto.group import POINT_BYTES, Point, decode_points, mul, sub
from hocp2p.crypto.keys import NONCE_BYTES
from hocp2p.crypto.masking import Deck
from hocp2p.crypto.scheme import DealPlan, Randomness
from hocp2p.crypto.transcript import Transcript, statement
from hocp2p.errors import CryptoError, LocalError

TAIL_BYTES: Final = dleq.PROOF_BYTES + NONCE_BYTES


def share_positions(plan: DealPlan, seat: int) -> tuple[int, ...]:
    """The positions for which ``seat`` owes a share, ascending: those dealt to others."""
    return tuple(position for position, owner in enumerate(plan.owners) if owner is not None and owner != seat)


def share_payload_bytes(plan: DealPlan, seat: int) -> int:
    """Length of the shares of ``seat`` with proof and nonce."""
    return len(share_positions(plan, seat)) * POINT_BYTES + TAIL_BYTES


def share_of(secret: int, deck: Deck, plan: DealPlan, seat: int, position: int) -> Point:
    """Our share of one position. Raises LocalError ``no-share`` for a sleeping position and for our own."""
    owner = plan.owners[position]
    if owner is None or owner == seat:
        raise LocalError("no-share", "a share is made only for a position that is dealt to somebody else")
    return mul(secret, deck.a[position])


def share_payload(
    context: bytes, seat: int, secret: int, key: Point, deck: Deck, plan: DealPlan, randomness: Randomness
) -> bytes:
    """What we commit to and then reveal.

    Args:
        context: of the deck.
        seat: ours.
        secret, key: our key share.
        deck: the final deck, signed by all.
        plan: who is dealt what.
        randomness: 96 bytes are taken.

    Returns the shares in ascending order of position, one proof for all (64 bytes) and a nonce (32 bytes).
    """
    positions = share_positions(plan, seat)
    inputs = [deck.a[position] for position in positions]
    shares = [share_of(secret, deck, plan, seat, position) for position in positions]
    proof = dleq.prove(_statement(context, seat, deck, plan), secret, key, inputs, shares, randomness)
    return b"".join(shares) + proof + randomness(NONCE_BYTES)


def verify_share_payload(
    context: bytes, seat: int, key: Point, deck: Deck, plan: DealPlan, payload: bytes
) -> dict[int, Point]:
    """The shares of ``seat`` by position.

    Raises CryptoError ``bad-length``, ``bad-point``, ``identity-point``, ``bad-scalar`` or ``share-proof``.
    """
    positions = share_positions(plan, seat)
    if len(payload) != share_payload_bytes(plan, seat):
        raise CryptoError("bad-length", f"shares of {share_payload_bytes(plan, seat)} bytes are due")
    end = len(payload) - TAIL_BYTES
    shares = decode_points(payload[:end], len(positions))
    proof = payload[end : end + dleq.PROOF_BYTES]
    inputs = [deck.a[position] for position in positions]
    dleq.verify(_statement(context, seat, deck, plan), key, inputs, shares, proof, "share-proof")
    return dict(zip(positions, shares, strict=True))


def owner_masked(deck: Deck, position: int, shares: Iterable[Mapping[int, Point]]) -> Point:
    """K_p: the card at ``position`` under its owner's key alone, ``M + x A_p``.

    Args:
        deck: the final deck.
        position: a position that is dealt to somebody.
        shares: of all seats but the owner, by position.
    """
    masked = deck.c[position]
    for by_position in shares:
        masked = sub(masked, by_position[position])
    return masked


def _statement(context: bytes, seat: int, deck: Deck, plan: DealPlan) -> Transcript:
    transcript = statement("shares", context, seat)
    transcript.absorb("deck", deck.digest())
    transcript.absorb("owners", plan_bytes(plan))
    return transcript


def plan_bytes(plan: DealPlan) -> bytes:
    """One byte a position: the owner's seat, or 255 where it sleeps."""
    return bytes(255 if owner is None else owner for owner in plan.owners)
