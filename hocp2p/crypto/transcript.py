"""Fiat-Shamir challenges over a labelled, length-prefixed record of the whole statement; hedged nonces."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from hocp2p.crypto.group import PROTOCOL, Point, reduce_scalar
from hocp2p.crypto.scheme import Randomness

_ABSORB: Final = b"\0"
_SQUEEZE: Final = b"\1"
_FRESH_BYTES: Final = 64


class Transcript:
    """What prover and verifier have both seen, in order. SHA-512 over frames that can be read only one way.

    A frame is its kind (1 byte), the label's length (1 byte), the label, the data's length (8 bytes, big-endian), the
    data. A challenge depends on all frames before it and becomes a frame itself.

    Args:
        label: names the proof; at most 255 bytes, as all labels.
    """

    def __init__(self, label: str) -> None:
        self._hash = hashlib.sha512()
        self.absorb(PROTOCOL, label.encode())

    def absorb(self, label: str, data: bytes) -> None:
        """Adds ``data`` (below 2^64 bytes)."""
        self._frame(_ABSORB, label, data)

    def absorb_points(self, label: str, points: Iterable[Point]) -> None:
        """Adds points in order; the frame's length tells how many."""
        self.absorb(label, b"".join(points))

    def absorb_int(self, label: str, number: int) -> None:
        """Adds ``number``, 0 to 2^64 - 1, as 8 bytes, big-endian."""
        self.absorb(label, number.to_bytes(8, "big"))

    def challenge(self, label: str) -> int:
        """The next challenge, a scalar."""
        return reduce_scalar(self.squeeze(label))

    def challenges(self, label: str, count: int) -> list[int]:
        """``count`` independent challenges from one squeeze."""
        self.absorb_int("count", count)
        seed = self.squeeze(label)
        return [reduce_scalar(hashlib.sha512(seed + index.to_bytes(8, "big")).digest()) for index in range(count)]

    def squeeze(self, label: str) -> bytes:
        """64 bytes that depend on everything so far; they are absorbed back."""
        output = self._hash.copy()
        output.update(_header(_SQUEEZE, label, 0))
        digest = output.digest()
        self._frame(_SQUEEZE, label, digest)
        return digest

    def fork(self) -> Transcript:
        """An independent transcript that has seen the same."""
        fork = Transcript.__new__(Transcript)
        fork._hash = self._hash.copy()
        return fork

    def _frame(self, kind: bytes, label: str, data: bytes) -> None:
        self._hash.update(_header(kind, label, len(data)))
        self._hash.update(data)


def statement(label: str, context: bytes, seat: int, step: bytes = b"") -> Transcript:
    """A transcript bound to one place: what is claimed, the table and deal, who claims it, where in the history.

    Args:
        label: names the proof.
        context: protocol version, table id and track.
        seat: who proves.
        step: place in the history of the deal; empty where the proof has only one place.
    """
    transcript = Transcript(label)
    transcript.absorb("context", context)
    transcript.absorb_int("seat", seat)
    transcript.absorb("step", step)
    return transcript


def hedged_nonce(secrets: bytes, randomness: Randomness, statement: Transcript | bytes) -> int:
    """A nonce for one proof of ``statement``, unpredictable while either ``secrets`` or ``randomness`` is.

    Takes 64 bytes of randomness. A repeated or broken source of randomness repeats a nonce only for the same
    statement, where it does no harm. ``statement`` is not changed.

    Args:
        secrets: the encoded witness.
        randomness: source of fresh bytes.
        statement: what is proved, complete.
    """
    return hedged_nonces(secrets, randomness, statement, 1)[0]


def hedged_nonces(secrets: bytes, randomness: Randomness, statement: Transcript | bytes, count: int) -> list[int]:
    """``count`` nonces as :func:`hedged_nonce`, of one draw of randomness."""
    if isinstance(statement, Transcript):
        statement = statement.fork().squeeze("statement")
    mix = Transcript("nonce")
    mix.absorb("fresh", randomness(_FRESH_BYTES))
    mix.absorb("secrets", secrets)
    mix.absorb("statement", statement)
    return mix.challenges("nonces", count)


def _header(kind: bytes, label: str, data_bytes: int) -> bytes:
    encoded = label.encode()
    return kind + bytes([len(encoded)]) + encoded + data_bytes.to_bytes(8, "big")
