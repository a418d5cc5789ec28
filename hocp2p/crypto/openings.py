"""Step 5: a seat shows that its positions are the faces it names. Needs nobody else's key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hocp2p.crypto import dleq
from hocp2p.crypto.group import Point, sub
from hocp2p.crypto.masking import FACES
from hocp2p.crypto.scheme import Randomness
from hocp2p.crypto.transcript import Transcript, statement


@dataclass(frozen=True, slots=True)
class OwnedCards:
    """Positions of one seat's hand under that seat's key alone.

    Args:
        key: the seat's key share, ``x B``.
        positions: which.
        a: A_p of each.
        k: K_p = M + x A_p of each (see ``shares.owner_masked``).
    """

    key: Point
    positions: tuple[int, ...]
    a: tuple[Point, ...]
    k: tuple[Point, ...]

    def absorb_into(self, transcript: Transcript) -> None:
        """Binds ``transcript`` to all of it."""
        transcript.absorb_points("key", (self.key,))
        transcript.absorb("positions", bytes(self.positions))
        transcript.absorb_points("a", self.a)
        transcript.absorb_points("k", self.k)


def prove_open(
    context: bytes,
    seat: int,
    step: bytes,
    secret: int,
    cards: OwnedCards,
    faces: Sequence[int],
    randomness: Randomness,
) -> bytes:
    """A proof of 64 bytes that ``cards`` are ``faces``.

    Args:
        context: of the deck.
        seat: ours.
        step: place in the history.
        secret: our key share.
        cards: ours, at least one.
        faces: face index of each.
        randomness: 64 bytes are taken.
    """
    transcript = _statement(context, seat, step, cards, faces)
    return dleq.prove(transcript, secret, cards.key, cards.a, _unmasked(cards, faces), randomness)


def verify_open(context: bytes, seat: int, step: bytes, cards: OwnedCards, faces: Sequence[int], proof: bytes) -> None:
    """Checks what :func:`prove_open` made.

    Raises CryptoError ``opening-proof``, or ``bad-length`` or ``bad-scalar`` for malformed proofs.
    """
    transcript = _statement(context, seat, step, cards, faces)
    dleq.verify(transcript, cards.key, cards.a, _unmasked(cards, faces), proof, "opening-proof")


def _unmasked(cards: OwnedCards, faces: Sequence[int]) -> list[Point]:
    """``x A_p`` of each card if it is the face named."""
    return [sub(k, FACES[face]) for k, face in zip(cards.k, faces, strict=True)]


def _statement(context: bytes, seat: int, step: bytes, cards: OwnedCards, faces: Sequence[int]) -> Transcript:
    transcript = statement("opening", context, seat, step)
    cards.absorb_into(transcript)
    transcript.absorb("faces", bytes(faces))
    return transcript
