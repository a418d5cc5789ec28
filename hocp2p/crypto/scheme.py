"""What the table asks of the deal protocol: one seat's part in one deck, in bytes.

The real one is ``crypto.deck.MentalPoker``. Tests of the table use an insecure one that cannot ship.
Positions and face indices are 0..51; every payload is opaque to the caller and of fixed length where the
specification fixes it. ``accept_*`` raise :class:`SeatError` naming the seat whose payload is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hocp2p.errors import CryptoError

Randomness = Callable[[int], bytes]
"""Gives that many unpredictable bytes; ``secrets.token_bytes`` in play, pinned in vectors."""


class SeatError(CryptoError):
    """A payload of ``seat`` does not hold."""

    def __init__(self, seat: int, code: str, message: str = "") -> None:
        super().__init__(code, message)
        self.seat = seat


@dataclass(frozen=True, slots=True)
class DealPlan:
    """Who is dealt which position; fixed before the first key.

    Args:
        owners: by position, the seat that is dealt it, or None: it sleeps for ever. 52 entries.
    """

    owners: tuple[int | None, ...]

    def positions_of(self, seat: int) -> tuple[int, ...]:
        """The positions dealt to ``seat``, ascending."""
        return tuple(position for position, owner in enumerate(self.owners) if owner == seat)


class DeckSession(Protocol):
    """One seat's part in one deck. The calls come in the order of the methods; lists are by seat."""

    def key_commit(self) -> bytes:
        """Our commitment to a fresh key share, 32 bytes."""

    def accept_key_commits(self, commits: Sequence[bytes]) -> None:
        """All seats' commitments, ours included."""

    def key_reveal(self) -> bytes:
        """Our key share with proof of possession and nonce, 128 bytes."""

    def accept_key_reveals(self, reveals: Sequence[bytes]) -> None:
        """Verifies all; then the joint key stands."""

    def shuffle(self) -> bytes:
        """Our shuffle of the last accepted deck with its proof, 10,144 bytes."""

    def accept_shuffle(self, seat: int, payload: bytes) -> None:
        """Verifies a seat's shuffle (ours included) and makes it the deck."""

    def deck_digest(self) -> bytes:
        """32 bytes that all seats sign before any share leaves. Raises LocalError before the last shuffle."""

    def accept_deck_digests(self, digests: Sequence[bytes]) -> None:
        """All must equal ours."""

    def share_commit(self) -> bytes:
        """Our commitment to the shares of the others' hand positions, 32 bytes. Only after the digests."""

    def accept_share_commits(self, commits: Sequence[bytes]) -> None:
        """All seats' commitments."""

    def share_reveal(self) -> bytes:
        """Our shares with one batched proof and the nonce."""

    def accept_share_reveals(self, reveals: Sequence[bytes]) -> None:
        """Verifies all; then our own faces are readable and the others' positions stand under their own keys."""

    def faces(self) -> Mapping[int, int]:
        """Face index of each position dealt to us."""

    def open(self, positions: Sequence[int], step: bytes) -> bytes:
        """Proof that our ``positions`` are the faces they are; ``step`` binds it to its place in the history."""

    def verify_open(self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes) -> None:
        """Raises SeatError unless ``seat``'s positions open to ``faces``."""

    def prove_not_holding(self, positions: Sequence[int], faces: Sequence[int], step: bytes) -> bytes:
        """Proof that none of our ``positions`` is one of ``faces``; empty if ``faces`` is. LocalError if one is."""

    def verify_not_holding(
        self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes
    ) -> None:
        """Raises SeatError unless the proof holds."""

    def erase(self) -> None:
        """Forgets our secret key share. Idempotent; later calls that need it raise LocalError."""


class DealScheme(Protocol):
    """Makes deck sessions."""

    def join(
        self, *, context: bytes, seats: int, seat: int, plan: DealPlan, order: Sequence[int], randomness: Randomness
    ) -> DeckSession:
        """Starts our part in one deck.

        Args:
            context: protocol version, table id and track; every proof is bound to it.
            seats: 2 or 3.
            seat: ours.
            plan: who is dealt what.
            order: seats in the order in which they shuffle.
            randomness: source of keys, permutations and nonces.
        """
