"""The dealt hands as everybody sees them after the shares: each card under its owner's key alone. Holds no secret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hocp2p.crypto import non_holding, openings
from hocp2p.crypto.group import Point
from hocp2p.crypto.masking import DECK_SIZE, Deck
from hocp2p.crypto.openings import OwnedCards
from hocp2p.crypto.scheme import DealPlan
from hocp2p.crypto.shares import owner_masked
from hocp2p.errors import CryptoError


@dataclass(frozen=True, slots=True)
class Hands:
    """Verifies what seats say about their hands.

    Args:
        context: of the deck; every proof is bound to it.
        plan: who was dealt what.
        keys: key shares by seat.
        deck: the final deck.
        masked: K_p = M + x A_p of every dealt position.
    """

    context: bytes
    plan: DealPlan
    keys: tuple[Point, ...]
    deck: Deck
    masked: Mapping[int, Point]

    def cards(self, seat: int, positions: Sequence[int]) -> OwnedCards:
        """Raises CryptoError ``bad-positions`` unless they are of the seat's hand, each once, at least one."""
        if not positions or not set(positions) <= set(self.plan.positions_of(seat)):
            raise CryptoError("bad-positions", "not positions of the seat's hand")
        if len(set(positions)) != len(positions):
            raise CryptoError("bad-positions", "a position twice")
        return OwnedCards(
            self.keys[seat],
            tuple(positions),
            tuple(self.deck.a[position] for position in positions),
            tuple(self.masked[position] for position in positions),
        )

    def verify_open(self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes) -> None:
        """Raises CryptoError unless ``seat``'s positions open to ``faces``; see ``openings.verify_open``."""
        cards = self.cards(seat, positions)
        verify_faces(faces)
        if len(faces) != len(positions):
            raise CryptoError("bad-faces", f"{len(faces)} faces for {len(positions)} positions")
        openings.verify_open(self.context, seat, step, cards, faces, proof)

    def verify_not_holding(
        self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes
    ) -> None:
        """Raises CryptoError unless the proof holds; see ``non_holding.verify_not_holding``.

        Where there are no positions or no faces there is nothing to prove, and ``proof`` must be empty.
        """
        if positions and faces:
            cards = self.cards(seat, positions)
            verify_faces(faces)
            non_holding.verify_not_holding(self.context, seat, step, cards, faces, proof)
        elif proof:
            raise CryptoError("bad-length", "there is nothing to prove")


def hands_after_shares(
    context: bytes, plan: DealPlan, keys: tuple[Point, ...], deck: Deck, shares: Sequence[Mapping[int, Point]]
) -> Hands:
    """The hands once all shares are verified; ``shares`` are by seat, then by position."""
    masked = {
        position: owner_masked(deck, position, (given for seat, given in enumerate(shares) if seat != owner))
        for position, owner in enumerate(plan.owners)
        if owner is not None
    }
    return Hands(context, plan, keys, deck, masked)


def verify_faces(faces: Sequence[int]) -> None:
    """Raises CryptoError ``bad-faces`` unless they are faces 0..51, each once."""
    if not set(faces) <= set(range(DECK_SIZE)) or len(set(faces)) != len(faces):
        raise CryptoError("bad-faces", "not faces 0 to 51, each once")
