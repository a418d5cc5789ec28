"""All tracks of a table: those that run, what came too early for the others, the final heads of those that ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from hocp2p.errors import PeerError
from hocp2p.game.match import Match
from hocp2p.table.chain import Track, first_head, track_label
from hocp2p.table.steps import Steps
from hocp2p.wire.envelope import Envelope

MAX_TRACKS_AHEAD: Final = 4  # an honest seat can be at the next deal and its successor's deck
MAX_EARLY_STEP: Final = 64  # below it is what is kept for a track that we have not reached
DOUBLE: Final = 2  # different envelopes for one slot: they prove each other, and a third adds nothing
ENDED_TOLD: Final = 4  # finished tracks that somebody who comes back may not have to the end


class Tracks:
    """Tracks by number.

    Args:
        table: the table id, 32 bytes.
        elsewhere: the tracks from 1 to this were those of a table before; none of them runs at this one.
    """

    def __init__(self, table: bytes, elsewhere: int = 0) -> None:
        self._table = table
        self._elsewhere = elsewhere
        self._running: dict[int, tuple[Track, Steps]] = {}
        self._heads: dict[int, bytes] = {}
        self._ended: dict[int, Track] = {}  # in the order in which they ended; all, so that all judge doubles alike
        self._early: dict[int, list[Envelope]] = defaultdict(list)

    def __iter__(self) -> Iterator[tuple[Track, Steps]]:
        """The running tracks, lowest number first, as they are now."""
        return iter([self._running[number] for number in sorted(self._running)])

    def __contains__(self, number: int) -> bool:
        return number in self._running

    def __getitem__(self, number: int) -> Track:
        return self._running[number][0]

    @property
    def heads(self) -> Mapping[int, bytes]:
        """Final head of every finished track, 32 bytes each: what all seats agree on."""
        return MappingProxyType(self._heads)

    def head_of_play(self, match: Match | None) -> bytes:
        """Final head of the last deal signed before ``match``, or of the draw; 32 zero bytes where neither was here."""
        return bytes(32) if match is None else self._heads.get(2 * match.number, bytes(32))

    def start(self, number: int, steps: Steps, *after: int) -> None:
        """Starts a track on the final heads of the finished tracks ``after``; early envelopes find their place.

        Raises the first PeerError that one of them leads to, when all have found it.
        """
        track = Track(number, first_head(self._table, number, *(self._heads[each] for each in after)))
        self._running[number] = (track, steps)
        faults = []
        for envelope in self._early.pop(number, []):
            try:
                track.add(envelope)
            except PeerError as error:
                faults.append(error)
        if faults:
            raise faults[0]

    def finish(self, track: Track) -> None:
        """A track has no further steps."""
        track.ended = True
        self._ended[track.number] = track
        self._heads[track.number] = track.head
        del self._running[track.number]

    def sort(self, envelope: Envelope) -> bool:
        """Puts a verified envelope where it belongs; False for one that is dropped. Raises as ``Track.add``."""
        if envelope.track in self._running:
            return self[envelope.track].add(envelope)
        if envelope.track in self._ended:
            return self._ended[envelope.track].add(envelope)
        return self._keep_early(envelope)

    def standing(self) -> tuple[tuple[int, int], ...]:
        """Number and present step of the tracks that run or ended lately, ascending."""
        return tuple((number, track.step) for number, track in sorted(self._known().items()))

    def missing(self, theirs: Mapping[int, int]) -> list[Envelope]:
        """What we have and somebody who stands so has not, in the order in which it can be used.

        Args:
            theirs: as another's ``standing``. A track that is not in it is over there, or not begun where its number
                is higher than all.
        """
        last = max(theirs, default=-1)
        found = [
            envelope
            for number, track in sorted(self._known().items())
            if number in theirs or number > last
            for envelope in track.since(theirs.get(number, 0))
        ]
        early = [each for number, kept in sorted(self._early.items()) if number >= last for each in kept]
        return found + early

    def _known(self) -> dict[int, Track]:
        lately = dict(list(self._ended.items())[-ENDED_TOLD:])
        return lately | {number: track for number, (track, _) in self._running.items()}

    def _keep_early(self, envelope: Envelope) -> bool:
        """Keeps what may be needed later; what cannot is dropped. It is no fault: others may be further on than we."""
        if envelope.track <= self._elsewhere:
            label = f"{track_label(envelope.track)}/{envelope.step}"
            raise PeerError(envelope.seat, label, "out-of-turn", "spoke of what was at another table", (envelope.raw,))
        if envelope.track > max([*self._running, self._elsewhere]) + MAX_TRACKS_AHEAD:
            return False
        early = self._early[envelope.track]
        in_slot = {kept.digest for kept in early if kept.slot == envelope.slot}
        if envelope.step >= MAX_EARLY_STEP or len(in_slot) >= DOUBLE or envelope.digest in in_slot:
            return False
        early.append(envelope)
        return True
