"""Fiat-Shamir: a proof's challenge is the hash of everything said before it. And where pinned randomness comes from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

from protocol.generate.ristretto import L, Point, encode_points

Randomness = Callable[[int], bytes]


class Transcript:
    """Frames under SHA-512: kind (0 absorbed, 1 squeezed), label's length (1 byte), label, data's length (8 bytes,
    big-endian), data. No two different histories are the same bytes."""

    def __init__(self, label: str) -> None:
        self.seen = b""
        self.absorb("hocp2p/1", label.encode())

    def absorb(self, label: str, data: bytes) -> None:
        """Adds a frame."""
        self._frame(0, label, data)

    def points(self, label: str, points: Iterable[Point]) -> None:
        """Adds points as one frame."""
        self.absorb(label, encode_points(points))

    def number(self, label: str, number: int) -> None:
        """Adds a number, 8 bytes, big-endian."""
        self.absorb(label, number.to_bytes(8, "big"))

    def squeeze(self, label: str) -> bytes:
        """64 bytes that depend on all frames so far: the hash with the head of an empty squeezed frame behind them.
        They are then added as a squeezed frame."""
        output = hashlib.sha512(self.seen + _head(1, label, 0)).digest()
        self._frame(1, label, output)
        return output

    def challenge(self, label: str) -> int:
        """One scalar."""
        return _scalar(self.squeeze(label))

    def challenges(self, label: str, count: int) -> list[int]:
        """``count`` scalars of one squeeze; their number is absorbed first."""
        self.number("count", count)
        seed = self.squeeze(label)
        return [_scalar(hashlib.sha512(seed + index.to_bytes(8, "big")).digest()) for index in range(count)]

    def fork(self) -> Transcript:
        """A copy."""
        copy = Transcript("")
        copy.seen = self.seen
        return copy

    def _frame(self, kind: int, label: str, data: bytes) -> None:
        self.seen += _head(kind, label, len(data)) + data


def statement(label: str, context: bytes, seat: int, step: bytes = b"") -> Transcript:
    """A transcript bound to the deck, the seat that speaks and, where it matters, the place in the history."""
    transcript = Transcript(label)
    transcript.absorb("context", context)
    transcript.number("seat", seat)
    transcript.absorb("step", step)
    return transcript


def hedged_nonces(secrets: bytes, randomness: Randomness, transcript: Transcript, count: int) -> list[int]:
    """Nonces that nobody can guess while the secrets or the 64 fresh bytes are unknown. The transcript stays as it is.

    Only vectors need everybody to make nonces like this; a verifier cannot tell.
    """
    mix = Transcript("nonce")
    mix.absorb("fresh", randomness(64))
    mix.absorb("secrets", secrets)
    mix.absorb("statement", transcript.fork().squeeze("statement"))
    return mix.challenges("nonces", count)


def random_scalar(randomness: Randomness) -> int:
    """64 bytes mod L, drawn again for 0."""
    while True:
        scalar = _scalar(randomness(64))
        if scalar:
            return scalar


def random_permutation(size: int, randomness: Randomness) -> list[int]:
    """Fisher and Yates, from the last slot down; a number below ``bound`` is one byte, drawn again where the byte falls
    into the incomplete last stretch."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        bound = last + 1
        value = 256
        while value >= 256 - 256 % bound:
            value = randomness(1)[0]
        other = value % bound
        order[last], order[other] = order[other], order[last]
    return order


class Stream:
    """Pinned randomness: SHAKE-256 of a label, from its first byte on."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.taken = 0

    def __call__(self, count: int) -> bytes:
        end = self.taken + count
        data = hashlib.shake_256(b"hocp2p/1 vectors " + self.label.encode()).digest(end)[self.taken :]
        self.taken = end
        return data


def _head(kind: int, label: str, length: int) -> bytes:
    name = label.encode()
    return bytes([kind, len(name)]) + name + length.to_bytes(8, "big")


def _scalar(data: bytes) -> int:
    return int.from_bytes(data, "little") % L


def product(scalars: Sequence[int]) -> int:
    """Mod L."""
    result = 1
    for scalar in scalars:
        result = result * scalar % L
    return result


def inner(scalars: Sequence[int], others: Sequence[int]) -> int:
    """Sum of products mod L."""
    return sum(one * other for one, other in zip(scalars, others, strict=True)) % L
