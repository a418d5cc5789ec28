"""The group ristretto255 in plain integers, straight from RFC 9496, and hashing into it from RFC 9380.

The curve is that of Ed25519: -x^2 + y^2 = 1 + D x^2 y^2 over the integers mod P. It has 8 L points, L prime. Ristretto
takes those that differ by a point whose order divides 8 as one element, and gives each element exactly one encoding:
so the group has L elements, and nobody can slip in a point of small order. Points are kept as (X : Y : Z : T) with
x = X/Z, y = Y/Z, x y = T/Z, which makes an addition eight multiplications and no division.

Nothing here is constant in time: it is for checking, never for keeping secrets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from protocol.generate.faults import Fault, need

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
# RFC 9496, 4.1. The roots have two signs; these are the RFC's.
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578


def sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """Whether u/v is a square, and the even root of u/v, or of SQRT_M1 u/v where it is none (RFC 9496, 4.2)."""
    root = u * pow(v, 3, P) * pow(u * pow(v, 7, P) % P, (P - 5) // 8, P) % P
    check = v * root * root % P
    if check in (-u % P, -u * SQRT_M1 % P):
        root = root * SQRT_M1 % P
    return check in (u % P, -u % P), absolute(root)


def absolute(number: int) -> int:
    """The even one of ``number`` and ``-number``. An odd residue counts as negative."""
    number %= P
    return P - number if number & 1 else number


@dataclass(slots=True, eq=False)
class Point:
    """A point of the curve, standing for its element. ``+``, ``-``, ``scalar * point``, ``==``, ``bytes(point)``."""

    x: int
    y: int
    z: int
    t: int

    def __add__(self, other: Point) -> Point:
        a = (self.y - self.x) * (other.y - other.x) % P
        b = (self.y + self.x) * (other.y + other.x) % P
        c = 2 * D * self.t % P * other.t % P
        d = 2 * self.z * other.z % P
        e, f, g, h = b - a, d - c, d + c, b + a
        return Point(e * f % P, g * h % P, f * g % P, e * h % P)

    def double(self) -> Point:
        """``self + self``, a little faster."""
        a, b = self.x * self.x % P, self.y * self.y % P
        h, g = a + b, a - b
        e = h - (self.x + self.y) ** 2 % P
        f = 2 * self.z * self.z % P + g
        return Point(e * f % P, g * h % P, f * g % P, e * h % P)

    def __neg__(self) -> Point:
        return Point(-self.x % P, self.y, self.z, -self.t % P)

    def __sub__(self, other: Point) -> Point:
        return self + -other

    def __rmul__(self, scalar: int) -> Point:
        return combine([scalar], [self])

    def __eq__(self, other: object) -> bool:
        """Whether both stand for one element (RFC 9496, 4.5)."""
        if not isinstance(other, Point):
            return NotImplemented
        return (self.x * other.y - self.y * other.x) % P == 0 or (self.y * other.y - self.x * other.x) % P == 0

    __hash__ = None  # type: ignore[assignment]  # look points up by their bytes

    def __bytes__(self) -> bytes:
        """Encode (RFC 9496, 4.3.2): 32 bytes."""
        u1, u2 = (self.z + self.y) * (self.z - self.y) % P, self.x * self.y % P
        _, root = sqrt_ratio(1, u1 * u2 * u2)
        den1, den2 = root * u1 % P, root * u2 % P
        z_inverse = den1 * den2 * self.t % P
        x, y, den = self.x, self.y, den2
        if self.t * z_inverse % P & 1:
            x, y, den = self.y * SQRT_M1 % P, self.x * SQRT_M1 % P, den1 * INVSQRT_A_MINUS_D % P
        if x * z_inverse % P & 1:
            y = -y
        return absolute(den * (self.z - y)).to_bytes(32, "little")


IDENTITY = Point(0, 1, 1, 0)


def decode(data: bytes) -> Point:
    """Decode (RFC 9496, 4.3.1), and not the identity. Faults ``bad-point``, ``identity-point``."""
    need(len(data) == 32, "bad-point")
    need(any(data), "identity-point")
    s = int.from_bytes(data, "little")
    need(s < P and s % 2 == 0, "bad-point")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    is_square, root = sqrt_ratio(1, v * u2 * u2 % P)
    den_x = root * u2 % P
    x, y = absolute(2 * s * den_x), u1 * root * den_x * v % P
    if not is_square or x * y % P & 1 or y == 0:
        raise Fault("bad-point")
    return Point(x, y, 1, x * y % P)


def decode_points(data: bytes, count: int) -> list[Point]:
    """Faults ``bad-length``, and as :func:`decode`."""
    need(len(data) == 32 * count, "bad-length")
    return [decode(data[at : at + 32]) for at in range(0, len(data), 32)]


def decode_scalars(data: bytes) -> list[int]:
    """32 bytes each, little-endian, below L. Faults ``bad-length``, ``bad-scalar``."""
    need(len(data) % 32 == 0, "bad-length")
    scalars = [int.from_bytes(data[at : at + 32], "little") for at in range(0, len(data), 32)]
    need(all(scalar < L for scalar in scalars), "bad-scalar")
    return scalars


def encode_scalars(scalars: Iterable[int]) -> bytes:
    """Each mod L, 32 bytes, little-endian."""
    return b"".join((scalar % L).to_bytes(32, "little") for scalar in scalars)


def encode_points(points: Iterable[Point]) -> bytes:
    """32 bytes each."""
    return b"".join(bytes(point) for point in points)


def total(points: Iterable[Point]) -> Point:
    """Their sum."""
    return sum(points, start=IDENTITY)


def combine(scalars: Iterable[int], points: Iterable[Point]) -> Point:
    """Sum of ``scalar * point``: four bits of all scalars at a time, from the top.

    Each time what stands so far is doubled four times, and one of the fifteen small multiples of each point is added.
    """
    digits = [[int(digit, 16) for digit in f"{scalar % L:064x}"] for scalar in scalars]
    small = [[IDENTITY, *accumulate([point] * 15)] for point in points]
    result = IDENTITY
    for place in range(64):
        result = result.double().double().double().double()
        for digit, multiples in zip(digits, small, strict=True):
            if digit[place]:
                result += multiples[digit[place]]
    return result


# Hashing to the group


def expand_message(data: bytes, tag: bytes, length: int) -> bytes:
    """``expand_message_xmd`` with SHA-512 (RFC 9380, 5.3.1)."""
    suffix = tag + bytes([len(tag)])
    first = hashlib.sha512(bytes(128) + data + length.to_bytes(2, "big") + b"\0" + suffix).digest()
    blocks = [hashlib.sha512(first + b"\1" + suffix).digest()]
    while 64 * len(blocks) < length:
        mixed = bytes(one ^ other for one, other in zip(first, blocks[-1], strict=True))
        blocks.append(hashlib.sha512(mixed + bytes([len(blocks) + 1]) + suffix).digest())
    return b"".join(blocks)[:length]


def tag_of(label: str) -> bytes:
    """The domain separation tag of this protocol for one use of the hash."""
    return f"hocp2p/1 {label} ristretto255_XMD:SHA-512_R255MAP_RO_".encode()


def hash_to_point(label: str, data: bytes) -> Point:
    """``hash_to_ristretto255`` (RFC 9380, appendix B): a point whose logarithm nobody knows."""
    return from_uniform(expand_message(data, tag_of(label), 64))


def from_uniform(data: bytes) -> Point:
    """The one-way map (RFC 9496, 4.3.4): two halves of 32 bytes, each without its top bit, mapped and added."""
    halves = (int.from_bytes(data[at : at + 32], "little") % 2**255 for at in (0, 32))
    return total(_map(half % P) for half in halves)


def _map(t: int) -> Point:
    """MAP of RFC 9496, 4.3.4: Elligator 2 for this curve."""
    r = SQRT_M1 * t * t % P
    u, v = (r + 1) * (1 - D * D) % P, (-1 - r * D) * (r + D) % P
    is_square, s = sqrt_ratio(u, v)
    c = -1 if is_square else r
    s = s if is_square else -absolute(s * t)
    n = (c * (r - 1) * (D - 1) ** 2 - v) % P
    w0, w1, w2, w3 = 2 * s * v % P, n * SQRT_AD_MINUS_ONE % P, (1 - s * s) % P, (1 + s * s) % P
    return Point(w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P)


def _base() -> Point:
    """The base point of Ed25519: y = 4/5, x even."""
    y = 4 * pow(5, -1, P) % P
    _, x = sqrt_ratio(y * y - 1, D * y * y + 1)
    return Point(x, y, 1, x * y % P)


B = _base()
