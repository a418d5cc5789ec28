"""Losing a seat for good, agreed by those who remain (rule 5).

A seat that is not heard is waited for; those who remain may vote to go on without it. When all of them would, or when
the seat has left or broke the protocol, each of them stops at its present step of the deal and signs that: *seat X, I
stand at step s*. When all have signed, the highest step named is the cut: everybody goes on to exactly that step.
Where the hands are out by then, the seat leaves the deal in place of a move; what was signed for the cut by anybody is
void and is said again at the next step, so that no slot is ever signed twice. Where they are not, the deal is void.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from hocp2p.table.chain import MAX_EARLY_STEPS, Track
from hocp2p.wire.messages import SeatLost

LOSS_TRACK: Final = 4999


def can_be_at(place: tuple[int, int], claim: SeatLost) -> bool:
    """Whether an honest seat can stand where it claims when we stand at ``place``: not far ahead of us, or at the
    beginning of the next deal."""
    track, step = place
    if claim.track % 2:
        return False  # a deck is made on such a track; the place is that of a deal
    if claim.track == track:
        return claim.step <= step + MAX_EARLY_STEPS
    return (claim.track, claim.step) <= (track + 2, 0)


class Losses:
    """Votes and claims about one table's seats.

    Args:
        seats: 2 or 3.
    """

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._claims: dict[int, dict[int, tuple[SeatLost, bytes]]] = {}  # lost seat -> claimant -> claim, its envelope
        self._heard: set[tuple[int, int]] = set()  # claimant and seat, whatever became of the claim
        self._votes: dict[int, set[int]] = defaultdict(set)  # seat -> who would go on without it
        self._agreed: dict[int, set[int]] = defaultdict(set)  # seat -> who has ever said so
        self.lost: set[int] = set()
        self.envelopes: list[bytes] = []  # of all claims

    # -- votes --------------------------------------------------------------------------------------------------------

    def vote(self, voter: int, seat: int, *, go_on: bool) -> None:
        """``voter`` would go on without ``seat``, or would wait for it."""
        (self._votes[seat].add if go_on else self._votes[seat].discard)(voter)
        if go_on:
            self._agreed[seat].add(voter)

    def voters(self, seat: int) -> frozenset[int]:
        """Who would go on without ``seat``."""
        return frozenset(self._votes[seat])

    def forget_votes(self, seat: int) -> None:
        """``seat`` is heard again."""
        self._votes[seat].clear()

    def is_voted(self, seat: int) -> bool:
        """Whether all others who remain, two or more, would go on without ``seat``."""
        others = self.remaining() - {seat}
        return len(others) >= 2 and others <= self._votes[seat]

    def has_agreed(self, voter: int, seat: int) -> bool:
        """Whether ``voter`` has ever voted to go on: then it follows the others' claims."""
        return voter in self._agreed[seat]

    # -- claims -------------------------------------------------------------------------------------------------------

    def hear(self, claimant: int, seat: int) -> bool:
        """``claimant`` says something about the loss of ``seat``; False where it has said so before, true or not.

        Seats that the table does not have count as one.
        """
        slot = (claimant, min(seat, self._seats))
        is_new = slot not in self._heard
        self._heard.add(slot)
        return is_new

    def add(self, claimant: int, claim: SeatLost, raw: bytes) -> None:
        """Takes a verified claim, and keeps its envelope."""
        self.hear(claimant, claim.seat)
        self._claims.setdefault(claim.seat, {})[claimant] = (claim, raw)
        self.envelopes.append(raw)

    def claimed(self, claimant: int, seat: int) -> bool:
        """Whether ``claimant`` has claimed that ``seat`` is lost."""
        return claimant in self._claims.get(seat, {})

    def claims(self, seat: int) -> list[tuple[int, SeatLost, bytes]]:
        """Who has claimed that ``seat`` is lost, the claim and its envelope."""
        return [(claimant, claim, raw) for claimant, (claim, raw) in self._claims.get(seat, {}).items()]

    def pending(self) -> tuple[int, ...]:
        """Seats that somebody claims to be lost and that have not left yet."""
        return tuple(seat for seat in sorted(self._claims) if seat not in self.lost)

    def remaining(self) -> frozenset[int]:
        """Seats that are not lost."""
        return frozenset(range(self._seats)) - self.lost

    def cut(self, seat: int) -> tuple[int, int] | None:
        """``(track, step)`` at which ``seat`` leaves, once all others who remain have claimed."""
        claims, others = self._claims[seat], self.remaining() - {seat}
        if not others <= claims.keys():
            return None
        return max((claim.track, claim.step) for claimant, (claim, _) in claims.items() if claimant in others)

    def holds(self, us: int) -> bool:
        """Whether we have claimed a loss that is not yet agreed: then our player is not asked."""
        return any(self.claimed(us, seat) for seat in self.pending())

    def hold(self, us: int, track: Track, play: int | None) -> bool:
        """Whether a claimed loss keeps a track where it is: at the cut, once it is known.

        Args:
            us: our seat.
            track: any track.
            play: number of the track of the deal being played, or None.
        """
        if self.lost and track.number != play:
            return True  # the next deal is dealt at another table
        cuts = [self.cut(seat) for seat in self.pending() if self.claimed(us, seat)]
        return any(cut is None or (track.number, track.step) >= cut for cut in cuts)
