"""What a seat must not forget: it is kept before anything that builds on it is sent, and brings the seat back.

Envelopes are kept as they came, ours before they are sent. The randomness of a deck comes from a seed that is kept
apart and forgotten with the deck, so that a key does not outlive its deal; what is left of a signed deal is what all
have signed, and the cards that we were dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hocp2p.crypto.remembered import RememberedDeck
from hocp2p.crypto.scheme import DealPlan, DealScheme, DeckSession, Randomness
from hocp2p.crypto.seeded import SEED_BYTES, seeded
from hocp2p.errors import LocalError
from hocp2p.game.cards import DECK_SIZE
from hocp2p.table.effects import Effect, ForgetSeed, KeepSeed

MAX_DEAL_BYTES: Final = 2


@dataclass(frozen=True, slots=True)
class Memory:
    """What was kept of a table.

    Args:
        envelopes: every signed envelope, ours too, in the order in which they were kept.
        seeds: of the decks whose deal is not signed, by track, 32 bytes each.
        hands: by deal, the faces that we were dealt, in the order of their positions.
    """

    envelopes: tuple[bytes, ...] = ()
    seeds: Mapping[int, bytes] = field(default_factory=dict, repr=False)
    hands: Mapping[int, tuple[int, ...]] = field(default_factory=dict, repr=False)


def encode_hand(deal: int, faces: Sequence[int]) -> bytes:
    """A dealt hand as it is kept: number of the deal (u16), then a byte a face."""
    return deal.to_bytes(MAX_DEAL_BYTES, "big") + bytes(faces)


def decode_hand(data: bytes) -> tuple[int, tuple[int, ...]]:
    """The inverse. Raises LocalError ``journal-damaged``."""
    faces = tuple(data[MAX_DEAL_BYTES:])
    if len(data) <= MAX_DEAL_BYTES or max(faces) >= DECK_SIZE:
        raise LocalError("journal-damaged", "the journal holds a hand that is none")
    return int.from_bytes(data[:MAX_DEAL_BYTES], "big"), faces


class Decks:
    """Joins the decks of one table, new ones and those of our memory.

    Args:
        scheme: the deal protocol.
        randomness: for seeds.
        memory: what was kept before, if we come back.
        signed: tracks on which our memory has something signed by us.
        emit: takes what is to be kept and forgotten.
    """

    def __init__(
        self,
        scheme: DealScheme,
        randomness: Randomness,
        memory: Memory,
        signed: frozenset[int],
        emit: Callable[[Effect], None],
    ) -> None:
        self._scheme = scheme
        self._randomness = randomness
        self._memory = memory
        self._signed = signed
        self._emit = emit
        self._seeds: set[int] = set(memory.seeds)

    def join(
        self, track: int, deal: int, *, context: bytes, seats: int, seat: int, plan: DealPlan, order: Sequence[int]
    ) -> DeckSession:
        """Our part in the deck of a track. A deck whose seed is forgotten while we have signed for it is over."""
        seed = self._memory.seeds.get(track)
        if self.remembers(track):
            return RememberedDeck(plan, seat, self._memory.hands.get(deal))
        if seed is None:
            seed = self._randomness(SEED_BYTES)
            self._seeds.add(track)
            self._emit(KeepSeed(track, seed))
        return self._scheme.join(
            context=context, seats=seats, seat=seat, plan=plan, order=order, randomness=seeded(seed)
        )

    def remembers(self, track: int) -> bool:
        """Whether the deck of a track was over, its seed forgotten, when we came back."""
        deck = track if track % 2 else track - 1
        return deck in self._signed and deck not in self._memory.seeds

    def forget(self, track: int) -> None:
        """The deck of a track is over."""
        if track in self._seeds:
            self._seeds.discard(track)
            self._emit(ForgetSeed(track))

    def forget_all(self) -> None:
        """No deck will be needed any more."""
        for track in sorted(self._seeds):
            self.forget(track)
