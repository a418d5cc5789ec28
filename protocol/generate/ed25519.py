"""Ed25519 signatures, straight from RFC 8032, 5.1. Signing is not constant in time: for vectors only."""

from __future__ import annotations

import hashlib

from protocol.generate.faults import Fault, need
from protocol.generate.ristretto import B, D, L, P, Point, combine, sqrt_ratio


def compress(point: Point) -> bytes:
    """y, with the lowest bit of x above it (5.1.2). Unlike ristretto this tells all points of the curve apart."""
    inverse = pow(point.z, -1, P)
    x, y = point.x * inverse % P, point.y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decompress(data: bytes) -> Point:
    """5.1.3. Fault ``bad-signature``."""
    number = int.from_bytes(data, "little")
    y, sign = number % 2**255, number >> 255
    is_square, x = sqrt_ratio(y * y - 1, D * y * y + 1)
    if len(data) != 32 or y >= P or not is_square or (x == 0 and sign):
        raise Fault("bad-signature")
    if sign:
        x = P - x
    return Point(x, y, 1, x * y % P)


def public_key(seed: bytes) -> bytes:
    """5.1.5."""
    return compress(_secrets(seed)[0] * B)


def sign(seed: bytes, message: bytes) -> bytes:
    """5.1.6: 64 bytes. The same seed and message always give the same signature."""
    secret, prefix = _secrets(seed)
    nonce = _hash(prefix + message)
    start = compress(nonce * B)
    return start + ((nonce + _hash(start + public_key(seed) + message) * secret) % L).to_bytes(32, "little")


def verify(key: bytes, message: bytes, signature: bytes) -> None:
    """5.1.7 without the factor 8: S B = R + k A, compared in bytes. Fault ``bad-signature``.

    A key whose order divides 8 is refused too: under such a key anybody can sign.
    """
    a = decompress(key)
    need(
        len(signature) == 64 and compress(a.double().double().double()) != compress(Point(0, 1, 1, 0)), "bad-signature"
    )
    s = int.from_bytes(signature[32:], "little")
    need(s < L, "bad-signature")
    challenge = _hash(signature[:32] + key + message)
    need(compress(combine([s, challenge], [B, -a])) == signature[:32], "bad-signature")


def _secrets(seed: bytes) -> tuple[int, bytes]:
    digest = hashlib.sha512(seed).digest()
    clamped = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    return clamped, digest[32:]


def _hash(data: bytes) -> int:
    return int.from_bytes(hashlib.sha512(data).digest(), "little") % L
