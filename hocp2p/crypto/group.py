"""The group ristretto255 (RFC 9496): strict decoding, arithmetic, hashing into it. The only file that knows libsodium.

A point is its canonical encoding of 32 bytes, a scalar is an ``int`` mod ``ORDER``. Bytes from others become points and
scalars only through ``decode_point`` and ``decode_scalar``; everything else takes what these (or this file) gave.

What libsodium does quietly and this file does not let through: ``add`` and ``sub`` of an invalid encoding give 32 zero
bytes, which encode the identity; the identity counts as a valid point; multiplying by 0 or multiplying the identity is
an error; scalars of ``ORDER`` or more are accepted; and bit 255 of a point or a scalar is not looked at, so that every
point has a second encoding, equal in arithmetic and different in bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NewType

import rbcl

from hocp2p.crypto.scheme import Randomness
from hocp2p.errors import CryptoError

Point = NewType("Point", bytes)
"""A valid canonical encoding, 32 bytes."""

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
POINT_BYTES: Final = 32
SCALAR_BYTES: Final = 32
IDENTITY: Final = Point(bytes(POINT_BYTES))
PROTOCOL: Final = "hocp2p/1"
"""Separates every hash of this protocol from those of others and of later versions."""

_HASH_BYTES: Final = 64  # SHA-512 output, and what the map of RFC 9496 (4.3.4) takes
_BLOCK_BYTES: Final = 128  # SHA-512 input block
_COPY_AGE_S: Final = 60.0  # before ours was written


def _remove_library_copies(path: Path) -> None:
    """rbcl writes libsodium to a new temporary file, ``path``, at each start and leaves it; once loaded it can go.

    Windows keeps a loaded library locked: there the equal copies go that earlier processes have left.
    """
    if path.parent != Path(tempfile.gettempdir()):
        return
    with contextlib.suppress(OSError):
        path.unlink()
        return
    with contextlib.suppress(OSError):
        library, written_s = path.read_bytes(), path.stat().st_mtime
        for each in path.parent.glob(f"tmp*{path.suffix}"):
            with contextlib.suppress(OSError):
                found = each.stat()
                old = written_s - found.st_mtime > _COPY_AGE_S  # a younger one may be about to be loaded
                if old and found.st_size == len(library) and each.read_bytes() == library:
                    each.unlink()


_remove_library_copies(Path(getattr(rbcl._sodium, "_name", "")))


# Bytes in and out


def decode_point(data: bytes) -> Point:
    """A point other than the identity (RFC 9496, 4.3.1).

    Args:
        data: 32 bytes.

    Raises CryptoError ``bad-point`` unless canonical and valid, ``identity-point`` for the identity.
    """
    if len(data) != POINT_BYTES:
        raise CryptoError("bad-point", f"a point has {POINT_BYTES} bytes, not {len(data)}")
    if data == IDENTITY:
        raise CryptoError("identity-point", "the identity is not allowed as a point")
    _verify_valid(data)
    return Point(data)


def decode_points(data: bytes, count: int) -> tuple[Point, ...]:
    """``count`` points, 32 bytes each. Raises CryptoError ``bad-length``, and as :func:`decode_point`."""
    if len(data) != count * POINT_BYTES:
        raise CryptoError("bad-length", f"{count} points have {count * POINT_BYTES} bytes, not {len(data)}")
    return tuple(decode_point(data[at : at + POINT_BYTES]) for at in range(0, len(data), POINT_BYTES))


def decode_scalar(data: bytes) -> int:
    """A scalar below ``ORDER`` from 32 bytes, little-endian (RFC 9496, 4.4). Raises CryptoError ``bad-scalar``."""
    if len(data) != SCALAR_BYTES:
        raise CryptoError("bad-scalar", f"a scalar has {SCALAR_BYTES} bytes, not {len(data)}")
    scalar = int.from_bytes(data, "little")
    if scalar >= ORDER:
        raise CryptoError("bad-scalar", "a scalar must be below the order of the group")
    return scalar


def encode_scalar(scalar: int) -> bytes:
    """32 bytes, little-endian, of ``scalar`` mod ``ORDER``."""
    return (scalar % ORDER).to_bytes(SCALAR_BYTES, "little")


def reduce_scalar(data: bytes) -> int:
    """``data``, little-endian, mod ``ORDER``. Uniform where it is 64 uniform bytes."""
    return int.from_bytes(data, "little") % ORDER


# Arithmetic


def add(p: Point, q: Point) -> Point:
    """``p + q``. Raises CryptoError ``bad-point`` where an operand is no point."""
    total = rbcl.crypto_core_ristretto255_add(p, q)
    if total == IDENTITY:  # either q = -p or the silent answer to an invalid operand
        _verify_valid(p, q)
    return Point(total)


def sub(p: Point, q: Point) -> Point:
    """``p - q``. Raises CryptoError ``bad-point`` where an operand is no point."""
    difference = rbcl.crypto_core_ristretto255_sub(p, q)
    if difference == IDENTITY:
        _verify_valid(p, q)
    return Point(difference)


def neg(p: Point) -> Point:
    """``-p``."""
    return sub(IDENTITY, p)


def mul(scalar: int, p: Point) -> Point:
    """``scalar * p``. Raises CryptoError ``bad-point`` where ``p`` is no point."""
    if p == BASE:
        return mul_base(scalar)
    scalar %= ORDER
    if scalar == 0 or p == IDENTITY:
        _verify_valid(p)
        return IDENTITY
    try:
        return Point(rbcl.crypto_scalarmult_ristretto255(scalar.to_bytes(SCALAR_BYTES, "little"), p))
    except RuntimeError as error:
        raise CryptoError("bad-point", "not the canonical encoding of a point") from error


def mul_base(scalar: int) -> Point:
    """``scalar * BASE``, faster than ``mul``."""
    scalar %= ORDER
    if scalar == 0:
        return IDENTITY
    return Point(rbcl.crypto_scalarmult_ristretto255_base(scalar.to_bytes(SCALAR_BYTES, "little")))


BASE: Final = mul_base(1)


def sum_points(points: Iterable[Point]) -> Point:
    """Their sum; the identity for none."""
    total = IDENTITY
    for point in points:
        if total == IDENTITY:
            total = point
        elif point != IDENTITY:
            total = add(total, point)
    return total


def multi_mul(scalars: Iterable[int], points: Iterable[Point]) -> Point:
    """Sum of ``scalar * point`` over both in step; a scalar 1 costs nothing. ValueError where their numbers differ."""
    return sum_points(
        point if scalar == 1 else mul(scalar, point) for scalar, point in zip(scalars, points, strict=True)
    )


def random_scalar(randomness: Randomness) -> int:
    """A uniform scalar from 1 to ``ORDER - 1``; takes 64 bytes of randomness."""
    while True:
        scalar = reduce_scalar(randomness(_HASH_BYTES))
        if scalar:
            return scalar


# Hashing


def hash_to_point(label: str | bytes, data: bytes) -> Point:
    """``hash_to_ristretto255`` of RFC 9380, appendix B.

    Args:
        label: what is hashed, in this protocol; or, as bytes, a whole domain separation tag.
        data: any bytes.
    """
    return map_to_point(expand_message(data, _tag(label), _HASH_BYTES))


def map_to_point(uniform: bytes) -> Point:
    """The one-way map of RFC 9496, 4.3.4, from 64 uniform bytes."""
    return Point(rbcl.crypto_core_ristretto255_from_hash(uniform))


def hash_to_scalar(label: str | bytes, data: bytes) -> int:
    """64 bytes of ``expand_message_xmd`` mod ``ORDER`` (RFC 9497, 4.1). Arguments as in :func:`hash_to_point`."""
    return reduce_scalar(expand_message(data, _tag(label), _HASH_BYTES))


def expand_message(data: bytes, tag: bytes, length_bytes: int) -> bytes:
    """``expand_message_xmd`` of RFC 9380, 5.3.1, with SHA-512.

    Args:
        data: any bytes.
        tag: domain separation tag, 1 to 255 bytes (longer ones are not used here).
        length_bytes: wanted, 1 to 16,320.

    Raises ValueError for a tag or a length outside these.
    """
    count = -(-length_bytes // _HASH_BYTES)
    if not 1 <= count <= 255 or not 1 <= len(tag) <= 255:
        raise ValueError("tag or length outside RFC 9380, 5.3.1")
    suffix = tag + bytes([len(tag)])
    first = hashlib.sha512(bytes(_BLOCK_BYTES) + data + length_bytes.to_bytes(2, "big") + b"\0" + suffix).digest()
    blocks = [hashlib.sha512(first + b"\1" + suffix).digest()]
    for index in range(2, count + 1):
        mixed = bytes(a ^ b for a, b in zip(first, blocks[-1], strict=True))
        blocks.append(hashlib.sha512(mixed + bytes([index]) + suffix).digest())
    return b"".join(blocks)[:length_bytes]


def _tag(label: str | bytes) -> bytes:
    if isinstance(label, bytes):
        return label
    return f"{PROTOCOL} {label} ristretto255_XMD:SHA-512_R255MAP_RO_".encode()


def _verify_valid(*points: bytes) -> None:
    for point in points:
        if point[-1] & 0x80 or not rbcl.crypto_core_ristretto255_is_valid_point(point):
            raise CryptoError("bad-point", "not the canonical encoding of a point")
