"""A deck of a deal that is long signed, when a seat comes back: its proofs were verified, its key is erased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hocp2p.crypto.scheme import DealPlan
from hocp2p.errors import LocalError


class RememberedDeck:
    """A ``DeckSession`` that takes every payload as verified, since our own journal says that it was.

    Args:
        plan: who was dealt what.
        seat: ours.
        faces: of the cards that we were dealt, in the order of their positions; None where they were not kept.
    """

    def __init__(self, plan: DealPlan, seat: int, faces: Sequence[int] | None) -> None:
        self._positions = plan.positions_of(seat)
        self._faces = faces

    def key_commit(self) -> bytes:
        raise _erased()

    def accept_key_commits(self, commits: Sequence[bytes]) -> None:
        pass

    def key_reveal(self) -> bytes:
        raise _erased()

    def accept_key_reveals(self, reveals: Sequence[bytes]) -> None:
        pass

    def shuffle(self) -> bytes:
        raise _erased()

    def accept_shuffle(self, seat: int, payload: bytes) -> None:
        pass

    def deck_digest(self) -> bytes:
        raise _erased()

    def accept_deck_digests(self, digests: Sequence[bytes]) -> None:
        pass

    def share_commit(self) -> bytes:
        raise _erased()

    def accept_share_commits(self, commits: Sequence[bytes]) -> None:
        pass

    def share_reveal(self) -> bytes:
        raise _erased()

    def accept_share_reveals(self, reveals: Sequence[bytes]) -> None:
        pass

    def faces(self) -> Mapping[int, int]:
        if self._faces is None or len(self._faces) != len(self._positions):
            raise LocalError("journal-damaged", "the journal does not hold the cards of a deal that it says we played")
        return dict(zip(self._positions, self._faces, strict=True))

    def open(self, positions: Sequence[int], step: bytes) -> bytes:
        raise _erased()

    def verify_open(self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes) -> None:
        pass

    def prove_not_holding(self, positions: Sequence[int], faces: Sequence[int], step: bytes) -> bytes:
        raise _erased()

    def verify_not_holding(
        self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes
    ) -> None:
        pass

    def erase(self) -> None:
        pass


def _erased() -> LocalError:
    return LocalError("erased", "the key of this deck is erased")
