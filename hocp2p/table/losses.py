"""Losing a seat for good, agreed by those who remain (rule 5).

A remaining seat that knows a seat to be lost stops at its present step of the deal and signs that: *seat X, I stand at
step s*. When all who remain have signed, the highest step named is the cut: everybody goes on to exactly that step,
where the seat leaves the deal in place of a move. What was signed for the cut by anybody is void; it is said again
at the next step, so that no slot is ever signed twice.
"""

from __future__ import annotations

from typing import Final

from hocp2p.table.chain import Track
from hocp2p.wire.messages import SeatLost

LOSS_TRACK: Final = 4999


class Losses:
    """Claims about one table's seats.

    Args:
        seats: 2 or 3.
    """

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._claims: dict[int, dict[int, SeatLost]] = {}  # lost seat -> claimant -> claim
        self.lost: set[int] = set()

    def add(self, claimant: int, claim: SeatLost) -> None:
        """Takes a verified claim."""
        self._claims.setdefault(claim.seat, {})[claimant] = claim

    def claimed(self, claimant: int, seat: int) -> bool:
        """Whether ``claimant`` has claimed that ``seat`` is lost."""
        return claimant in self._claims.get(seat, {})

    def pending(self) -> tuple[int, ...]:
        """Seats that somebody claims to be lost and that have not left yet."""
        return tuple(seat for seat in sorted(self._claims) if seat not in self.lost)

    def remaining(self) -> frozenset[int]:
        """Seats that nobody claims to be lost."""
        return frozenset(range(self._seats)) - self.lost - set(self._claims)

    def cut(self, seat: int) -> tuple[int, int] | None:
        """``(track, step)`` at which ``seat`` leaves, once all who remain have claimed."""
        claims = self._claims[seat]
        if not self.remaining() <= claims.keys():
            return None
        return max((claim.track, claim.step) for claimant, claim in claims.items() if claimant in self.remaining())

    def freeze(self, us: int) -> bool:
        """Whether we have claimed a loss that is not yet agreed: then we say nothing new."""
        return any(self.claimed(us, seat) for seat in self.pending())

    def hold(self, us: int, track: Track, play: int | None) -> bool:
        """Whether a claimed loss keeps a track where it is: the play up to the cut, everything else for good.

        Args:
            us: our seat.
            track: any track.
            play: number of the track of the deal being played, or None.
        """
        if not self.freeze(us) and not self.lost:
            return False
        if track.number != play:
            return True
        cuts = [self.cut(seat) for seat in self.pending()]
        return any(cut is None or (track.number, track.step) >= cut for cut in cuts)
