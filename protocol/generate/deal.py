"""One deck from the keys to the last opening: what everybody verifies. What one seat does is in ``player``.

keys       every seat has a secret x_i and shows Y_i = x_i B; nobody knows the secret of the sum Y
deck       face M_k lies at position k as (B, M_k + Y)
shuffles   every seat in turn moves and masks the cards anew, with proof
digest     every seat signs the last deck
shares     every seat takes its key off the cards of the others: x_i A_p, with proof. The owner alone can read on:
           K_p = C_p - (the others' shares) = M + x_owner A_p
openings   the owner shows that K_p - M is x_owner A_p for the face M it names
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

from protocol.generate.faults import Fault, need
from protocol.generate.not_holding import FACES, Cards, claim, verify_not_holding
from protocol.generate.proofs import verify_equal, verify_linear
from protocol.generate.ristretto import IDENTITY, B, Point, decode, decode_points, total
from protocol.generate.shuffle import Deck, decode_deck, verify_shuffle
from protocol.generate.transcript import Transcript, statement

T = TypeVar("T")

ASLEEP = 255
"""Owner of a position that is dealt to nobody."""


def commitment(what: str, context: bytes, seat: int, payload: bytes) -> bytes:
    """32 bytes that fix a payload before it is shown."""
    transcript = statement(f"{what} commitment", context, seat)
    transcript.absorb("payload", payload)
    return transcript.squeeze("commitment")[:32]


def verify_key(context: bytes, seat: int, payload: bytes) -> Point:
    """Y_i, 64 bytes of proof that its secret is known, 32 bytes of nonce."""
    need(len(payload) == 128, "bad-length")
    key = decode(payload[:32])
    verify_linear(statement("key", context, seat), [[B]], [key], payload[32:96], "key-proof")
    return key


def initial_deck(key: Point) -> Deck:
    """Every face in order, masked with the factor 1."""
    return Deck([B] * 52, [face + key for face in FACES])


def deck_digest(deck: Deck) -> bytes:
    """Names a deck in the statement of the shares."""
    transcript = Transcript("deck")
    transcript.points("a", deck.a)
    transcript.points("c", deck.c)
    return transcript.squeeze("digest")[:32]


@cache
def _shuffled(context: bytes, key: bytes, before: bytes, payload: bytes) -> Deck:
    """The deck after a shuffle, verified. What held once need not be looked at again when a session is replayed."""
    after = decode_deck(payload[:3328])
    verify_shuffle(context, decode(key), decode_deck(before), after, payload[3328:])
    return after


class Table:
    """What everybody knows of one deck, and checks.

    Args:
        context: protocol version, table id and track.
        owners: by position, the seat that is dealt it, or ``ASLEEP``.
        order: seats as they shuffle.
    """

    def __init__(self, context: bytes, owners: Sequence[int], order: Sequence[int]) -> None:
        binding = Transcript("deck context")
        binding.absorb("context", context)
        binding.absorb("owners", bytes(owners))
        binding.absorb("order", bytes(order))
        self.context = binding.squeeze("context")
        self.owners, self.order = list(owners), list(order)
        self.commits: list[bytes] = []
        self.keys: list[Point] = []
        self.joint_key = IDENTITY
        self.deck = Deck([], [])
        self.masked: dict[int, Point] = {}

    def take_commits(self, commits: Sequence[bytes]) -> None:
        """Of the keys or of the shares; nothing to check yet but their length."""
        for seat, commit in enumerate(commits):
            need(len(commit) == 32, "bad-length", seat)
        self.commits = list(commits)

    def take_keys(self, payloads: Sequence[bytes]) -> None:
        """Then the joint key stands and all that follows is bound to the keys."""
        for seat, payload in enumerate(payloads):
            need(commitment("key", self.context, seat, payload) == self.commits[seat], "key-commit-mismatch", seat)
            self.keys.append(blaming(seat, verify_key, self.context, seat, payload))
        for seat, key in enumerate(self.keys):
            need(key not in self.keys[:seat], "key-equal", seat)
        self.joint_key = total(self.keys)
        need(self.joint_key != IDENTITY, "key-sum", len(self.keys) - 1)
        self.deck = initial_deck(self.joint_key)
        binding = Transcript("deck context with keys")
        binding.absorb("context", self.context)
        binding.points("keys", self.keys)
        self.context = binding.squeeze("context")

    def shuffle_context(self, seat: int) -> bytes:
        """What the proof of one seat's shuffle is bound to."""
        return statement("shuffle", self.context, seat).squeeze("context")

    def take_shuffle(self, seat: int, payload: bytes) -> None:
        """The new deck, 3,328 bytes, and its proof, 6,816 bytes."""
        self.deck = blaming(
            seat, _shuffled, self.shuffle_context(seat), bytes(self.joint_key), bytes(self.deck), payload
        )

    def digest(self) -> bytes:
        """What every seat signs before it lets a share go."""
        transcript = Transcript("final deck")
        transcript.absorb("context", self.context)
        transcript.absorb("deck", bytes(self.deck))
        return transcript.squeeze("digest")[:32]

    def take_digests(self, digests: Sequence[bytes]) -> None:
        """All must be ours."""
        for seat, digest in enumerate(digests):
            need(digest == self.digest(), "deck-digest", seat)

    def others(self, seat: int) -> list[int]:
        """The positions for which a seat owes a share: those that are dealt to others."""
        return [position for position, owner in enumerate(self.owners) if owner not in (seat, ASLEEP)]

    def share_statement(self, seat: int) -> Transcript:
        """What the proof of a seat's shares is bound to."""
        transcript = statement("shares", self.context, seat)
        transcript.absorb("deck", deck_digest(self.deck))
        transcript.absorb("owners", bytes(self.owners))
        return transcript

    def verify_shares(self, seat: int, payload: bytes) -> dict[int, Point]:
        """The shares in order of position, 64 bytes of proof, 32 bytes of nonce."""
        positions = self.others(seat)
        need(len(payload) == 32 * len(positions) + 96, "bad-length")
        shares = decode_points(payload[:-96], len(positions))
        inputs = [self.deck.a[position] for position in positions]
        proof = payload[-96:-32]
        verify_equal(self.share_statement(seat), self.keys[seat], inputs, shares, proof, "share-proof")
        return dict(zip(positions, shares, strict=True))

    def take_shares(self, payloads: Sequence[bytes]) -> None:
        """Then every dealt card stands under its owner's key alone."""
        shares = []
        for seat, payload in enumerate(payloads):
            right = commitment("shares", self.context, seat, payload) == self.commits[seat]
            need(right, "share-commit-mismatch", seat)
            shares.append(blaming(seat, self.verify_shares, seat, payload))
        for position, owner in enumerate(self.owners):
            if owner != ASLEEP:
                given = (share[position] for seat, share in enumerate(shares) if seat != owner)
                self.masked[position] = self.deck.c[position] - total(given)

    def cards(self, seat: int, positions: Sequence[int]) -> Cards:
        """Fault ``bad-positions`` unless they are of the seat's hand, each once, at least one."""
        need(bool(positions) and len(set(positions)) == len(positions), "bad-positions")
        need(all(position < 52 and self.owners[position] == seat for position in positions), "bad-positions")
        a, k = [self.deck.a[p] for p in positions], [self.masked[p] for p in positions]
        return Cards(self.keys[seat], list(positions), a, k)

    def verify_opening(
        self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes
    ) -> None:
        """The seat's cards at ``positions`` are ``faces``; one proof of 64 bytes for all."""
        cards = blaming(seat, self.cards, seat, positions)
        need(_are_faces(faces) and len(faces) == len(positions), "bad-faces", seat)
        outputs = [k - FACES[face] for k, face in zip(cards.k, faces, strict=True)]
        transcript = claim("opening", self.context, seat, step, cards, faces)
        blaming(seat, verify_equal, transcript, cards.key, cards.a, outputs, proof, "opening-proof")

    def verify_not_holding(
        self, seat: int, positions: Sequence[int], faces: Sequence[int], proof: bytes, step: bytes
    ) -> None:
        """None of the cards is one of the faces. Where there are no cards or no faces, nothing is to be proven."""
        if not positions or not faces:
            need(not proof, "bad-length", seat)
            return
        cards = blaming(seat, self.cards, seat, positions)
        need(_are_faces(faces), "bad-faces", seat)
        blaming(seat, verify_not_holding, self.context, seat, step, cards, faces, proof)


def _are_faces(faces: Sequence[int]) -> bool:
    return all(0 <= face < 52 for face in faces) and len(set(faces)) == len(faces)


def blaming(seat: int, check: Callable[..., T], *arguments: object) -> T:
    """``check(*arguments)``, with the seat in whatever Fault it raises."""
    try:
        return check(*arguments)
    except Fault as fault:
        raise Fault(fault.code, seat) from fault
