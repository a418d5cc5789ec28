"""One seat's part in one deck, from the keys to the last opening: the steps of the other modules in their order.

What can be wrong with a payload, as the code of the SeatError that names the seat:

    bad-length             payload of another length than is due
    bad-point              not the canonical encoding of a point
    identity-point         the identity where a point is due
    bad-scalar             a scalar not below the order of the group
    key-commit-mismatch    a key that was not committed to
    key-proof              no proof that the seat knows the secret of its key
    key-equal, key-sum     two equal keys; keys that cancel each other out
    shuffle-proof          the new deck is not proved to be a shuffle of the old one
    deck-digest            another final deck than ours
    share-commit-mismatch  shares that were not committed to
    share-proof            shares not proved to be made with the seat's key
    bad-positions          not positions of the seat's hand, each once
    bad-faces              not faces 0..51, each once
    opening-proof          a position not proved to be the face named
    holding                the seat holds one of the faces it says it does not hold
    not-holding-proof      not proved that the seat holds none of the faces
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Final

from hocp2p.crypto import keys, non_holding, openings, shares
from hocp2p.crypto.group import POINT_BYTES, Point, mul, random_scalar, sub
from hocp2p.crypto.hands import Hands, hands_after_shares, verify_faces
from hocp2p.crypto.masking import DECK_SIZE, DIGEST_BYTES, FACE_OF_POINT, Deck, decode_deck, initial_deck
from hocp2p.crypto.scheme import DealPlan, Randomness, SeatError
from hocp2p.crypto.shuffle import prove_shuffle, verify_shuffle
from hocp2p.crypto.transcript import Transcript, statement
from hocp2p.errors import CryptoError, LocalError

DECK_BYTES: Final = 2 * DECK_SIZE * POINT_BYTES
SEATS: Final = (2, 3)


class _Stage(Enum):
    """What is due next; the values are the names of the methods."""

    KEY_COMMIT = "key_commit"
    KEY_COMMITS = "accept_key_commits"
    KEY_REVEAL = "key_reveal"
    KEY_REVEALS = "accept_key_reveals"
    SHUFFLES = "shuffle or accept_shuffle"
    DIGESTS = "deck_digest or accept_deck_digests"
    SHARE_COMMIT = "share_commit"
    SHARE_COMMITS = "accept_share_commits"
    SHARE_REVEAL = "share_reveal"
    SHARE_REVEALS = "accept_share_reveals"
    DEALT = "faces, open, verify_open, prove_not_holding or verify_not_holding"


class MentalPoker:
    """The deal without a dealer: a ``DealScheme`` in which nobody knows more than his own hand.

    A hand stays secret as long as its owner keeps its key (decisional Diffie-Hellman), whatever all others do together.
    """

    def join(
        self, *, context: bytes, seats: int, seat: int, plan: DealPlan, order: Sequence[int], randomness: Randomness
    ) -> MentalPokerSession:
        """Starts our part in one deck. See ``DealScheme.join``. LocalError ``bad-plan`` where they fit no deal."""
        owners = {owner for owner in plan.owners if owner is not None}
        if seats not in SEATS or seat not in range(seats) or sorted(order) != list(range(seats)):
            raise LocalError("bad-plan", "two or three seats, each of which shuffles once")
        if len(plan.owners) != DECK_SIZE or owners != set(range(seats)):
            raise LocalError("bad-plan", "a plan of 52 positions deals to every seat")
        return MentalPokerSession(context, seats, seat, plan, tuple(order), randomness)


class MentalPokerSession:
    """A ``DeckSession``; see there for what the methods do and ``deck`` for the codes of SeatError.

    A call out of order raises LocalError ``out-of-order``, and one that needs a forgotten key LocalError ``erased``;
    the state is unchanged after any error. The secret key share stands in no payload, message or ``repr``.
    """

    def __init__(
        self,
        context: bytes,
        seats: int,
        seat: int,
        plan: DealPlan,
        order: tuple[int, ...],
        randomness: Randomness,
    ) -> None:
        self._seats = seats
        self._seat = seat
        self._plan = plan
        self._order = order
        self._randomness = randomness
        self._stage = _Stage.KEY_COMMIT
        self._secret: int | None = random_scalar(randomness)
        self._payload = b""  # of ours, committed to and not yet revealed
        self._commits: tuple[bytes, ...] = ()
        self._keys: tuple[Point, ...] = ()
        self._joint_key = Point(b"")
        self._deck = Deck((), ())
        self._shuffled = 0
        self._own_shuffle: tuple[bytes, Deck] | None = None
        self._hands: Hands | None = None
        self._faces: dict[int, int] = {}
        binding = Transcript("deck context")
        binding.absorb("context", context)
        binding.absorb("owners", shares.plan_bytes(plan))
        binding.absorb("order", bytes(order))
        self._context = binding.squeeze("context")  # every proof is bound to it

    def __repr__(self) -> str:
        return f"{type(self).__name__}(seat={self._seat}, due={self._stage.value!r})"

    # Keys

    def key_commit(self) -> bytes:
        self._enter(_Stage.KEY_COMMIT)
        self._payload = keys.key_payload(self._context, self._seat, self._key(), self._randomness)
        self._stage = _Stage.KEY_COMMITS
        return keys.commit_to("key", self._context, self._seat, self._payload)

    def accept_key_commits(self, commits: Sequence[bytes]) -> None:
        self._enter(_Stage.KEY_COMMITS)
        self._accept_commits(commits)
        self._stage = _Stage.KEY_REVEAL

    def key_reveal(self) -> bytes:
        self._enter(_Stage.KEY_REVEAL)
        self._key()  # an erased session has nothing to reveal
        self._stage = _Stage.KEY_REVEALS
        return self._payload

    def accept_key_reveals(self, reveals: Sequence[bytes]) -> None:
        self._enter(_Stage.KEY_REVEALS)
        found = []
        for seat, payload in enumerate(self._one_each(reveals)):
            with _blame(seat):
                keys.verify_commit("key", self._context, seat, payload, self._commits[seat], "key-commit-mismatch")
                found.append(keys.verify_key_payload(self._context, seat, payload))
        self._joint_key = keys.joint_key(found)
        self._keys = tuple(found)
        self._deck = initial_deck(self._joint_key)
        binding = Transcript("deck context with keys")
        binding.absorb("context", self._context)
        binding.absorb_points("keys", self._keys)
        self._context = binding.squeeze("context")
        self._stage = _Stage.SHUFFLES

    # Shuffles

    def shuffle(self) -> bytes:
        self._enter(_Stage.SHUFFLES)
        self._verify_shuffle_turn(self._seat)
        if self._own_shuffle is None:
            after, proof = prove_shuffle(
                context=self._shuffle_context(self._seat),
                key=self._joint_key,
                deck=self._deck,
                randomness=self._randomness,
            )
            self._own_shuffle = (after.encode() + proof, after)
        return self._own_shuffle[0]

    def accept_shuffle(self, seat: int, payload: bytes) -> None:
        self._enter(_Stage.SHUFFLES)
        self._verify_shuffle_turn(seat)
        if self._own_shuffle is not None and seat == self._seat and payload == self._own_shuffle[0]:
            after = self._own_shuffle[1]  # what we just proved needs no second look
        else:
            with _blame(seat):
                after = self._verified_shuffle(seat, payload)
        self._deck = after
        self._shuffled += 1
        if self._shuffled == self._seats:
            self._own_shuffle = None
            self._stage = _Stage.DIGESTS

    def deck_digest(self) -> bytes:
        self._enter(_Stage.DIGESTS)
        transcript = Transcript("final deck")
        transcript.absorb("context", self._context)
        transcript.absorb("deck", self._deck.encode())
        return transcript.squeeze("digest")[:DIGEST_BYTES]

    def accept_deck_digests(self, digests: Sequence[bytes]) -> None:
        self._enter(_Stage.DIGESTS)
        ours = self.deck_digest()
        for seat, digest in enumerate(self._one_each(digests)):
            if digest != ours:
                raise SeatError(seat, "deck-digest", "another final deck than ours")
        self._stage = _Stage.SHARE_COMMIT

    # Shares

    def share_commit(self) -> bytes:
        self._enter(_Stage.SHARE_COMMIT)
        self._payload = shares.share_payload(
            self._context,
            self._seat,
            self._key(),
            self._keys[self._seat],
            self._deck,
            self._plan,
            self._randomness,
        )
        self._stage = _Stage.SHARE_COMMITS
        return keys.commit_to("shares", self._context, self._seat, self._payload)

    def accept_share_commits(self, commits: Sequence[bytes]) -> None:
        self._enter(_Stage.SHARE_COMMITS)
        self._accept_commits(commits)
        self._stage = _Stage.SHARE_REVEAL

    def share_reveal(self) -> bytes:
        self._enter(_Stage.SHARE_REVEAL)
        self._key()
        self._stage = _Stage.SHARE_REVEALS
        return self._payload

    def accept_share_reveals(self, reveals: Sequence[bytes]) -> None:
        self._enter(_Stage.SHARE_REVEALS)
        secret = self._key()
        found = [self._verified_shares(seat, payload) for seat, payload in enumerate(self._one_each(reveals))]
        hands = hands_after_shares(self._context, self._plan, self._keys, self._deck, found)
        self._faces = {position: _unmask(hands, secret, position) for position in self._plan.positions_of(self._seat)}
        self._hands = hands
        self._payload = b""
        self._stage = _Stage.DEALT

    # Play

    def faces(self) -> Mapping[int, int]:
        self._dealt()
        return dict(self._faces)

    def open(self, positions: Sequence[int], step: bytes) -> bytes:
        hands, secret = self._dealt(), self._key()
        with _own_fault():
            cards = hands.cards(self._seat, positions)
        faces = [self._faces[position] for position in positions]
        return openings.prove_open(hands.context, self._seat, step, secret, cards, faces, self._randomness)

    def verify_open(self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes) -> None:
        hands = self._dealt()
        with _blame(seat):
            hands.verify_open(seat, positions, faces, proof, step)

    def prove_not_holding(self, positions: Sequence[int], faces: Sequence[int], step: bytes) -> bytes:
        hands, secret = self._dealt(), self._key()
        if not positions or not faces:
            return b""
        with _own_fault():
            cards = hands.cards(self._seat, positions)
            verify_faces(faces)
        held = [self._faces[position] for position in positions]
        return non_holding.prove_not_holding(
            hands.context, self._seat, step, secret, cards, held, faces, self._randomness
        )

    def verify_not_holding(
        self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes
    ) -> None:
        hands = self._dealt()
        with _blame(seat):
            hands.verify_not_holding(seat, positions, faces, proof, step)

    def erase(self) -> None:
        self._secret = None
        self._payload = b""
        self._own_shuffle = None

    # Inside

    def _enter(self, stage: _Stage) -> None:
        if stage is not self._stage:
            raise LocalError("out-of-order", f"this deck waits for {self._stage.value}, not for {stage.value}")

    def _key(self) -> int:
        if self._secret is None:
            raise LocalError("erased", "the key of this deck is erased")
        return self._secret

    def _one_each(self, payloads: Sequence[bytes]) -> Sequence[bytes]:
        if len(payloads) != self._seats:
            raise LocalError("bad-length", f"{self._seats} seats, but {len(payloads)} payloads")
        return payloads

    def _accept_commits(self, commits: Sequence[bytes]) -> None:
        for seat, commit in enumerate(self._one_each(commits)):
            if len(commit) != keys.COMMIT_BYTES:
                raise SeatError(seat, "bad-length", f"a commitment has {keys.COMMIT_BYTES} bytes, not {len(commit)}")
        self._commits = tuple(commits)

    def _verify_shuffle_turn(self, seat: int) -> None:
        if seat != self._order[self._shuffled]:
            raise LocalError("out-of-order", f"seat {self._order[self._shuffled]} shuffles now, not seat {seat}")

    def _shuffle_context(self, seat: int) -> bytes:
        return statement("shuffle", self._context, seat).squeeze("context")

    def _verified_shuffle(self, seat: int, payload: bytes) -> Deck:
        after = decode_deck(payload[:DECK_BYTES])
        verify_shuffle(
            context=self._shuffle_context(seat),
            key=self._joint_key,
            before=self._deck,
            after=after,
            proof=payload[DECK_BYTES:],
        )
        return after

    def _verified_shares(self, seat: int, payload: bytes) -> dict[int, Point]:
        with _blame(seat):
            keys.verify_commit("shares", self._context, seat, payload, self._commits[seat], "share-commit-mismatch")
            return shares.verify_share_payload(self._context, seat, self._keys[seat], self._deck, self._plan, payload)

    def _dealt(self) -> Hands:
        if self._hands is None:
            raise LocalError("out-of-order", f"this deck waits for {self._stage.value}: nothing is dealt yet")
        return self._hands


def _unmask(hands: Hands, secret: int, position: int) -> int:
    """The face of a card under our own key."""
    point = sub(hands.masked[position], mul(secret, hands.deck.a[position]))
    if point not in FACE_OF_POINT:  # all proofs held, so this takes a broken proof system
        raise CryptoError("no-face", "a card of ours has no face")
    return FACE_OF_POINT[point]


@contextmanager
def _blame(seat: int) -> Iterator[None]:
    """Turns a CryptoError into a SeatError of ``seat``."""
    try:
        yield
    except CryptoError as error:
        raise SeatError(seat, error.code, error.message) from error


@contextmanager
def _own_fault() -> Iterator[None]:
    """Turns a CryptoError into a LocalError."""
    try:
        yield
    except CryptoError as error:
        raise LocalError(error.code, error.message) from error
