"""One seat's part in a deck: its secret, and what it says."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.generate.deal import Table
from protocol.generate.not_holding import FACE_OF, claim, prove_not_holding
from protocol.generate.proofs import prove_equal, prove_linear
from protocol.generate.ristretto import B, encode_points
from protocol.generate.shuffle import prove_shuffle
from protocol.generate.transcript import Randomness, random_scalar, statement


class Player:
    """One seat's secrets and what it makes of them.

    Args:
        table: what everybody knows; the same for all seats.
        seat: which.
        randomness: taken in the order of the methods.
    """

    def __init__(self, table: Table, seat: int, randomness: Randomness) -> None:
        self.table, self.seat, self.randomness = table, seat, randomness
        self.secret = random_scalar(randomness)
        self._hand: dict[int, int] = {}

    def key(self) -> bytes:
        """To commit to, then to show."""
        key = self.secret * B
        transcript = statement("key", self.table.context, self.seat)
        proof = prove_linear(transcript, [[B]], [key], [self.secret], self.randomness)
        return bytes(key) + proof + self.randomness(32)

    def shuffle(self) -> bytes:
        """The deck in a new order, with proof."""
        table = self.table
        context = table.shuffle_context(self.seat)
        after, proof, _ = prove_shuffle(context, table.joint_key, table.deck, self.randomness)
        return bytes(after) + proof

    def shares(self) -> bytes:
        """To commit to, then to show."""
        table = self.table
        inputs = [table.deck.a[position] for position in table.others(self.seat)]
        outputs = [self.secret * point for point in inputs]
        transcript = table.share_statement(self.seat)
        proof = prove_equal(transcript, self.secret, table.keys[self.seat], inputs, outputs, self.randomness)
        return encode_points(outputs) + proof + self.randomness(32)

    def faces(self) -> dict[int, int]:
        """Our hand: face by position. Read once, then remembered."""
        if not self._hand:
            own = [position for position, owner in enumerate(self.table.owners) if owner == self.seat]
            points = {p: self.table.masked[p] - self.secret * self.table.deck.a[p] for p in own}
            self._hand = {position: FACE_OF[bytes(point)] for position, point in points.items()}
        return self._hand

    def open(self, positions: Sequence[int], faces: Sequence[int], step: bytes) -> bytes:
        """Proves that our ``positions`` are ``faces``."""
        cards = self.table.cards(self.seat, positions)
        outputs = [self.secret * point for point in cards.a]
        transcript = claim("opening", self.table.context, self.seat, step, cards, faces)
        return prove_equal(transcript, self.secret, cards.key, cards.a, outputs, self.randomness)

    def not_holding(self, positions: Sequence[int], faces: Sequence[int], step: bytes) -> bytes:
        """Proves that none of our ``positions`` is one of ``faces``."""
        if not positions or not faces:
            return b""
        cards = self.table.cards(self.seat, positions)
        hand = self.faces()
        held = [hand[position] for position in positions]
        return prove_not_holding(self.table.context, self.seat, step, self.secret, cards, held, faces, self.randomness)
