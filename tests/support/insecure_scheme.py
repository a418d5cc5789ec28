"""A deal protocol without any secrecy, fast, for tests of what stands above it. It must never ship.

Every payload has the length of the real one and is checked to its last byte: it is a seed, or nothing, followed by a
keyed stretch of hash output over all that it is bound to. All seeds are public, so that every session knows all faces;
it just does not tell them. Order of calls, refusals and codes are those of ``crypto.deck.MentalPoker``.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from typing import Final

from hocp2p.crypto.scheme import DealPlan, Randomness, SeatError
from hocp2p.errors import LocalError

DECK_SIZE: Final = 52
SEED_BYTES: Final = 32
KEY_REVEAL_BYTES: Final = 128
SHUFFLE_BYTES: Final = 10_144
OPENING_BYTES: Final = 64


class InsecureScheme:
    """A ``DealScheme`` whose sessions keep nothing secret."""

    def join(
        self, *, context: bytes, seats: int, seat: int, plan: DealPlan, order: Sequence[int], randomness: Randomness
    ) -> InsecureSession:
        return InsecureSession(context, seats, seat, plan, tuple(order), randomness)


class InsecureSession:
    """A ``DeckSession``; the calls come in the order of the methods."""

    def __init__(
        self,
        context: bytes,
        seats: int,
        seat: int,
        plan: DealPlan,
        order: tuple[int, ...],
        randomness: Randomness,
    ) -> None:
        self._context = context
        self._seats = seats
        self._seat = seat
        self._plan = plan
        self._order = order
        self._randomness = randomness
        self._stage = "key_commit"
        self._commits: tuple[bytes, ...] = ()
        self._seed = b""
        self._deck = list(range(DECK_SIZE))
        self._shuffled = 0
        self._erased = False

    def __repr__(self) -> str:
        return f"InsecureSession(seat={self._seat}, stage={self._stage!r})"

    # Keys

    def key_commit(self) -> bytes:
        self._enter("key_commit")
        self._seed = self._randomness(SEED_BYTES)
        self._stage = "key_commits"
        return hashlib.sha256(self._key_payload()).digest()

    def accept_key_commits(self, commits: Sequence[bytes]) -> None:
        self._enter("key_commits")
        self._commits = self._commitments(commits)
        self._stage = "key_reveal"

    def key_reveal(self) -> bytes:
        self._enter("key_reveal")
        self._stage = "key_reveals"
        return self._key_payload()

    def accept_key_reveals(self, reveals: Sequence[bytes]) -> None:
        self._enter("key_reveals")
        for seat, payload in enumerate(self._by_seat(reveals)):
            _verify_length(seat, payload, KEY_REVEAL_BYTES)
            if hashlib.sha256(payload).digest() != self._commits[seat]:
                raise SeatError(seat, "key-commit-mismatch", "the key is not the one committed to")
            self._verify_stretch(seat, "key-proof", payload[:SEED_BYTES], payload, "key")
        seeds = [payload[:SEED_BYTES] for payload in reveals]
        for seat, seed in enumerate(seeds):
            if seed in seeds[:seat]:
                raise SeatError(seat, "key-equal", "two seats have the same key")
        self._stage = "shuffle"

    # Shuffles

    def shuffle(self) -> bytes:
        self._enter("shuffle")
        if self._order[self._shuffled] != self._seat:
            raise LocalError("out-of-order", "it is not our turn to shuffle")
        seed = self._randomness(SEED_BYTES)
        return self._stretch(self._seat, seed, SHUFFLE_BYTES, "shuffle", bytes(self._deck))

    def accept_shuffle(self, seat: int, payload: bytes) -> None:
        self._enter("shuffle")
        if self._order[self._shuffled] != seat:
            raise LocalError("out-of-order", "it is not this seat's turn to shuffle")
        _verify_length(seat, payload, SHUFFLE_BYTES)
        seed = payload[:SEED_BYTES]
        self._verify_stretch(seat, "shuffle-proof", seed, payload, "shuffle", bytes(self._deck))
        random.Random(seed).shuffle(self._deck)
        self._shuffled += 1
        if self._shuffled == len(self._order):
            self._stage = "digests"

    def deck_digest(self) -> bytes:
        self._enter("digests")
        return hashlib.sha256(self._context + bytes(self._deck)).digest()

    def accept_deck_digests(self, digests: Sequence[bytes]) -> None:
        self._enter("digests")
        for seat, digest in enumerate(self._by_seat(digests)):
            if digest != self.deck_digest():
                raise SeatError(seat, "deck-digest", "another deck than ours")
        self._stage = "share_commit"

    # Shares

    def share_commit(self) -> bytes:
        self._enter("share_commit")
        self._stage = "share_commits"
        return hashlib.sha256(self._share_payload(self._seat)).digest()

    def accept_share_commits(self, commits: Sequence[bytes]) -> None:
        self._enter("share_commits")
        self._commits = self._commitments(commits)
        self._stage = "share_reveal"

    def share_reveal(self) -> bytes:
        self._enter("share_reveal")
        self._stage = "share_reveals"
        return self._share_payload(self._seat)

    def accept_share_reveals(self, reveals: Sequence[bytes]) -> None:
        self._enter("share_reveals")
        for seat, payload in enumerate(self._by_seat(reveals)):
            expected = self._share_payload(seat)
            _verify_length(seat, payload, len(expected))
            if hashlib.sha256(payload).digest() != self._commits[seat]:
                raise SeatError(seat, "share-commit-mismatch", "the shares are not those committed to")
            if payload != expected:
                raise SeatError(seat, "share-proof", "the proof of the shares does not hold")
        self._stage = "dealt"

    # Play

    def faces(self) -> Mapping[int, int]:
        self._enter("dealt")
        return {position: self._deck[position] for position in self._plan.positions_of(self._seat)}

    def open(self, positions: Sequence[int], step: bytes) -> bytes:
        self._enter_secret("dealt")
        self._verify_positions(positions)
        return self._opening(self._seat, positions, [self._deck[position] for position in positions], step)

    def verify_open(self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes) -> None:
        self._enter("dealt")
        self._verify_owner(seat, positions)
        if not _are_faces(faces) or len(faces) != len(positions):
            raise SeatError(seat, "bad-faces", "not faces 0 to 51, each once, one a position")
        _verify_length(seat, proof, OPENING_BYTES)
        true_faces = [self._deck[position] for position in positions]
        if list(faces) != true_faces or proof != self._opening(seat, positions, faces, step):
            raise SeatError(seat, "opening-proof", "the opening does not hold")

    def prove_not_holding(self, positions: Sequence[int], faces: Sequence[int], step: bytes) -> bytes:
        self._enter_secret("dealt")
        if not positions or not faces:
            return b""
        self._verify_positions(positions)
        if not _are_faces(faces):
            raise LocalError("bad-faces", "not faces 0 to 51, each once")
        if {self._deck[position] for position in positions} & set(faces):
            raise LocalError("holding", "we hold one of these cards")
        return self._absence(self._seat, positions, faces, step)

    def verify_not_holding(
        self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes
    ) -> None:
        self._enter("dealt")
        if not positions or not faces:
            _verify_length(seat, proof, 0)
            return
        self._verify_owner(seat, positions)
        if not _are_faces(faces):
            raise SeatError(seat, "bad-faces", "not faces 0 to 51, each once")
        expected = self._absence(seat, positions, faces, step)
        _verify_length(seat, proof, len(expected))
        holds = {self._deck[position] for position in positions} & set(faces)
        if holds or proof != expected:
            raise SeatError(seat, "not-holding-proof", "the proof of not holding does not hold")

    def erase(self) -> None:
        self._erased = True
        self._seed = b""

    # What payloads are made of

    def _stretch(self, seat: int, seed: bytes, length_bytes: int, *bound: str | bytes) -> bytes:
        """``seed`` and hash output over everything else, ``length_bytes`` in all."""
        state = hashlib.shake_256()
        for part in (self._context, bytes([seat]), seed, *bound):
            data = part.encode() if isinstance(part, str) else part
            state.update(len(data).to_bytes(4, "big") + data)
        return seed + state.digest(length_bytes - len(seed))

    def _verify_stretch(self, seat: int, code: str, seed: bytes, payload: bytes, *bound: str | bytes) -> None:
        if payload != self._stretch(seat, seed, len(payload), *bound):
            raise SeatError(seat, code, "the proof does not hold")

    def _key_payload(self) -> bytes:
        return self._stretch(self._seat, self._seed, KEY_REVEAL_BYTES, "key")

    def _share_payload(self, seat: int) -> bytes:
        shares = sum(owner not in (None, seat) for owner in self._plan.owners)
        return self._stretch(seat, b"", 32 * shares + 96, "shares", bytes(self._deck))

    def _opening(self, seat: int, positions: Sequence[int], faces: Sequence[int], step: bytes) -> bytes:
        return self._stretch(seat, b"", OPENING_BYTES, "open", step, bytes(positions), bytes(faces), bytes(self._deck))

    def _absence(self, seat: int, positions: Sequence[int], faces: Sequence[int], step: bytes) -> bytes:
        length_bytes = 32 * (len(positions) + len(faces) + 1) + 96
        bound = (step, bytes(positions), bytes(faces), bytes(self._deck))
        return self._stretch(seat, b"", length_bytes, "absence", *bound)

    # Refusals

    def _enter(self, stage: str) -> None:
        if stage != self._stage:
            raise LocalError("out-of-order", f"this session stands at {self._stage}, not at {stage}")
        if self._erased and stage != "dealt":
            raise LocalError("erased", "the deck key is erased")

    def _enter_secret(self, stage: str) -> None:
        self._enter(stage)
        if self._erased:
            raise LocalError("erased", "the deck key is erased")

    def _by_seat(self, payloads: Sequence[bytes]) -> Sequence[bytes]:
        if len(payloads) != self._seats:
            raise LocalError("bad-length", f"{self._seats} seats, but {len(payloads)} payloads")
        return payloads

    def _commitments(self, commits: Sequence[bytes]) -> tuple[bytes, ...]:
        for seat, commit in enumerate(self._by_seat(commits)):
            _verify_length(seat, commit, 32)
        return tuple(commits)

    def _verify_positions(self, positions: Sequence[int]) -> None:
        if not positions or not set(positions) <= set(self._plan.positions_of(self._seat)):
            raise LocalError("bad-positions", "only positions of our own hand")
        if len(set(positions)) != len(positions):
            raise LocalError("bad-positions", "a position twice")

    def _verify_owner(self, seat: int, positions: Sequence[int]) -> None:
        own = set(self._plan.positions_of(seat))
        if not positions or not set(positions) <= own or len(set(positions)) != len(positions):
            raise SeatError(seat, "bad-positions", "only positions of the seat's own hand, each once")


def _verify_length(seat: int, payload: bytes, length_bytes: int) -> None:
    if len(payload) != length_bytes:
        raise SeatError(seat, "bad-length", f"{length_bytes} bytes are due, not {len(payload)}")


def _are_faces(faces: Sequence[int]) -> bool:
    return set(faces) <= set(range(DECK_SIZE)) and len(set(faces)) == len(faces)
