"""Values as bytes: the part of MessagePack that the protocol uses. One value has exactly one encoding.

Integers, byte strings, texts and arrays (Python lists); nothing else. Arrays are nested four deep at most and have 64
items at most.
"""

from __future__ import annotations

from protocol.generate.faults import Fault, need

MAX_DEPTH = 4
MAX_ITEMS = 64

Value = int | bytes | str | list["Value"]


def encode(value: Value) -> bytes:
    """The shortest encoding, which is the only one."""
    if isinstance(value, int):
        return _encode_int(value)
    if isinstance(value, bytes):
        return _head(len(value), None, 0, (0xC4, 0xC5, 0xC6)) + value
    if isinstance(value, str):
        data = value.encode()
        return _head(len(data), 0xA0, 32, (0xD9, 0xDA, 0xDB)) + data
    return _head(len(value), 0x90, 16, (None, 0xDC, 0xDD)) + b"".join(encode(item) for item in value)


def _encode_int(value: int) -> bytes:
    if -32 <= value <= 127:
        return bytes([value % 256])
    if value >= 0:
        width = next(width for width in (1, 2, 4, 8) if value < 256**width)
        return bytes([0xCB + {1: 1, 2: 2, 4: 3, 8: 4}[width]]) + value.to_bytes(width, "big")
    width = next(width for width in (1, 2, 4, 8) if value >= -(256**width) // 2)
    return bytes([0xCF + {1: 1, 2: 2, 4: 3, 8: 4}[width]]) + value.to_bytes(width, "big", signed=True)


def _head(length: int, short: int | None, limit: int, heads: tuple[int | None, int | None, int | None]) -> bytes:
    if short is not None and length < limit:
        return bytes([short + length])
    for head, width in zip(heads, (1, 2, 4), strict=True):
        if head is not None and length < 256**width:
            return bytes([head]) + length.to_bytes(width, "big")
    raise ValueError("too long")


def decode(data: bytes, max_bytes: int) -> Value:
    """The value in ``data``, all of it.

    Faults ``too-large``, ``bad-msgpack`` (ends too early, or 0xC1), ``bad-type``, ``bad-text`` (not UTF-8),
    ``bad-count``, ``too-deep``, ``trailing-bytes``, ``not-canonical`` (there is a shorter encoding).
    """
    need(len(data) <= max_bytes, "too-large")
    value, end = _read(data, 0, 1)
    need(end == len(data), "trailing-bytes")
    need(encode(value) == data, "not-canonical")
    return value


def decode_prefix(data: bytes, count: int, max_bytes: int) -> list[Value]:
    """The first ``count`` items of an array; whatever follows them, no bytes of MessagePack even, is not looked at.

    Faults as :func:`decode`, but not for what follows, nor for longer forms.
    """
    need(len(data) <= max_bytes, "too-large")
    (head,), at = _take(data, 0, 1)
    if 0x90 <= head <= 0x9F:
        length = head - 0x90
    elif head in (0xDC, 0xDD):
        length, at = _number(data, at, 2 if head == 0xDC else 4)
    else:
        raise Fault("bad-msgpack" if head == 0xC1 else "bad-type")
    need(length >= count, "bad-count")
    items: list[Value] = []
    for _ in range(count):
        item, at = _read(data, at, 2)
        items.append(item)
    return items


def _take(data: bytes, at: int, length: int) -> tuple[bytes, int]:
    need(at + length <= len(data), "bad-msgpack")
    return data[at : at + length], at + length


def _number(data: bytes, at: int, width: int) -> tuple[int, int]:
    raw, at = _take(data, at, width)
    return int.from_bytes(raw, "big"), at


def _read(data: bytes, at: int, depth: int) -> tuple[Value, int]:
    (head,), at = _take(data, at, 1)
    if head <= 0x7F:
        return head, at
    if head >= 0xE0:
        return head - 256, at
    if 0xCC <= head <= 0xCF:
        return _number(data, at, 1 << head - 0xCC)
    if 0xD0 <= head <= 0xD3:
        raw, at = _take(data, at, 1 << head - 0xD0)
        return int.from_bytes(raw, "big", signed=True), at
    if 0xC4 <= head <= 0xC6:
        length, at = _number(data, at, 1 << head - 0xC4)
        return _take(data, at, length)
    if 0xA0 <= head <= 0xBF:
        return _text(data, at, head - 0xA0)
    if 0xD9 <= head <= 0xDB:
        length, at = _number(data, at, 1 << head - 0xD9)
        return _text(data, at, length)
    if 0x90 <= head <= 0x9F:
        return _array(data, at, head - 0x90, depth)
    if head in (0xDC, 0xDD):
        count, at = _number(data, at, 2 if head == 0xDC else 4)
        return _array(data, at, count, depth)
    raise Fault("bad-msgpack" if head == 0xC1 else "bad-type")


def _text(data: bytes, at: int, length: int) -> tuple[Value, int]:
    raw, at = _take(data, at, length)
    try:
        return raw.decode(), at
    except UnicodeDecodeError as error:
        raise Fault("bad-text") from error


def _array(data: bytes, at: int, count: int, depth: int) -> tuple[Value, int]:
    need(depth <= MAX_DEPTH, "too-deep")
    need(count <= MAX_ITEMS, "bad-count")
    items: list[Value] = []
    for _ in range(count):
        item, at = _read(data, at, depth + 1)
        items.append(item)
    return items, at
