"""Vectors of encodings: values, messages, frames, envelopes. Every bound has its over-by-one, from the one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protocol.generate import bounds, msgpack, wire
from protocol.generate.bounds import Bound, Bytes, Int, List, Record, Text, Word
from protocol.generate.msgpack import Value
from protocol.generate.vector import Vector, tagged, vector

Wrong = tuple[str, str, Value]
"""What is wrong, the code, the value."""


def sample(bound: Bound, *, most: bool = False) -> Any:
    """A value within a bound: the least, or the greatest."""
    match bound:
        case Int(least, greatest):
            return greatest if most else least
        case Bytes(least, greatest):
            return b"\xa5" * (greatest if most else least)
        case Text(least, greatest):
            return "m" * (greatest if most else least)
        case Word(text):
            return text
        case List(item, least, greatest):
            return [sample(item, most=most)] * (greatest if most else least)
        case Record(fields):
            return [sample(inner, most=most) for _, inner in fields]


def wrongs(bound: Bound) -> Iterator[Wrong]:
    """Values just outside a bound, and one of another type."""
    match bound:
        case Int(least, most):
            yield "one below", "bad-range", least - 1
            yield "one above", "bad-range", most + 1
            yield "as bytes", "bad-type", b"\0"
        case Bytes(least, most, or_empty):
            if least > 1 or (least == 1 and not or_empty):
                yield "one byte short", "bad-length", b"\xa5" * (least - 1)
            yield "one byte long", "bad-length", b"\xa5" * (most + 1)
            yield "as text", "bad-type", "m" * max(least, 1)
        case Text(least, most, ascii_only):
            if least:
                yield "empty", "bad-length", ""
            yield "one character long", "bad-length", "m" * (most + 1)
            yield "with a line end", "bad-text", "m\nm"
            yield "with a space before it", "bad-text", " m"
            yield "as bytes", "bad-type", b"m"
            if ascii_only:
                yield "not ASCII", "bad-text", "é"
        case Word(text):
            yield "another word", "bad-text", text.upper()
        case List(item, least, most):
            if least:
                yield "one item short", "bad-count", [sample(item)] * (least - 1)
            yield "one item long", "bad-count", [sample(item)] * (most + 1)
            yield "as an integer", "bad-type", 0
            for what, code, value in wrongs(item):
                yield f"item {what}", code, [*[sample(item)] * (max(least, 1) - 1), value]
        case Record(fields):
            yield "without its last field", "bad-count", [sample(inner) for _, inner in fields][:-1]
            yield "with one field more", "bad-count", [*(sample(inner) for _, inner in fields), 0]
            for index, (name, inner) in enumerate(fields):
                for what, code, value in wrongs(inner):
                    wrong = [sample(each) for _, each in fields]
                    wrong[index] = value
                    yield f"{name} {what}", code, wrong


def _records(
    kinds: dict[int, tuple[str, Record]], read: Callable[[bytes], tuple[str, list[Any]]], most_bytes: int
) -> Iterator[Vector]:
    for kind, (name, record) in kinds.items():
        for most in (False, True) if record.fields else (False,):
            fields = sample(record, most=most)
            data = msgpack.encode([kind, *fields])
            if len(data) > most_bytes:
                continue
            title = f"{name}, {'greatest' if most else 'least'} values"
            yield vector(title, _reading(read, data), None, hex=data, type=name, fields=tagged(fields))
        for what, code, wrong in wrongs(record):
            if not record.fields and what == "without its last field":
                continue
            data = msgpack.encode([kind, *wrong])  # type: ignore[misc]  # the wrongs of a record are lists
            if len(data) > most_bytes:
                code = "too-large"
            yield vector(f"{name}, {what}", _reading(read, data), code, hex=data)


def _reading(read: Callable[[bytes], object], data: bytes) -> Callable[[], object]:
    return lambda: read(data)


def _kinds(read: Callable[[bytes], object], first: bytes) -> Iterator[Vector]:
    """What is wrong with a record whatever its kind is."""
    for name, code, data in (
        ("no kind", "bad-count", b"\x90"),
        ("not an array", "bad-type", b"\x01"),
        ("kind as text", "bad-type", b"\x91\xa11"),
        ("unknown kind", "unknown-kind", b"\x91\x63"),
        ("negative kind", "unknown-kind", b"\x91\xff"),
        ("nothing at all", "bad-msgpack", b""),
        ("a byte too many", "trailing-bytes", first + b"\0"),
        ("a byte too few", "bad-msgpack", first[:-1]),
    ):
        yield vector(name, _reading(read, data), code, hex=data)


def messages() -> list[Vector]:
    """Bodies of envelopes."""
    pairs = [
        bounds.message("showing", [1, 2], [3], b""),
        bounds.message("shown-hand", 1, [1], [2, 3], bytes(64)),
    ]
    found = [*_records(bounds.MESSAGES, bounds.read_message, bounds.MAX_MESSAGE)]
    found += _kinds(bounds.read_message, bounds.message("talk", "m"))
    for name, body in zip(("showing", "shown-hand"), pairs, strict=True):
        found.append(
            vector(f"{name}, positions without their faces", _reading(bounds.read_message, body), "bad-count", hex=body)
        )
    large = bytes(bounds.MAX_MESSAGE + 1)
    found.append(
        vector("one byte above the greatest body", _reading(bounds.read_message, large), "too-large", hex=large)
    )
    for text, why in (("m\u200em", "a mark that hides"), ("m\u3000", "an ideographic space behind it")):
        body = bounds.message("talk", text)
        found.append(vector(f"talk, {why}", _reading(bounds.read_message, body), "bad-text", hex=body))
    return found


def frames() -> list[Vector]:
    """What goes over a link."""
    found = [*_records(bounds.FRAMES, bounds.read_frame, bounds.MAX_FRAME)]
    found += _kinds(bounds.read_frame, bounds.frame("again", 0))
    chair: Value = [b"", "", "", ""]
    outside = bounds.frame("lobby-view", "m", 2, [chair, chair], [])
    found.append(
        vector(
            "lobby-view, a seat that is not at the table",
            _reading(bounds.read_frame, outside),
            "bad-range",
            hex=outside,
        )
    )
    large = bytes(bounds.MAX_FRAME + 1)
    found.append(
        vector("one byte above the greatest frame", _reading(bounds.read_frame, large), "too-large", hex=large)
    )
    return found


def envelopes() -> list[Vector]:
    """Their form; signatures are looked at elsewhere."""
    found = []
    for most in (False, True):
        fields = sample(bounds.ENVELOPE, most=most)
        envelope = wire.Envelope(*fields)
        found.append(
            vector(
                f"{'greatest' if most else 'least'} values",
                _reading(wire.decode_envelope, envelope.raw),
                None,
                hex=envelope.raw,
                fields=tagged(fields),
                signed=envelope.signed,
                digest=envelope.digest,
            )
        )
    for what, code, wrong in wrongs(bounds.ENVELOPE):
        data = msgpack.encode(wrong)
        found.append(vector(what, _reading(wire.decode_envelope, data), code, hex=data))
    for name, code, data in (
        ("not an array", "bad-type", b"\x01"),
        ("a byte too many", "trailing-bytes", wire.Envelope(*sample(bounds.ENVELOPE)).raw + b"\0"),
        ("one byte above the greatest envelope", "too-large", bytes(bounds.MAX_ENVELOPE + 1)),
    ):
        found.append(vector(name, _reading(wire.decode_envelope, data), code, hex=data))
    return found


VALUES: tuple[Value, ...] = (
    0, 127, 128, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, 2**64 - 1, -1, -32, -33, -128, -129, -32_768, -32_769,
    -(2**31), -(2**31) - 1, -(2**63), b"", b"\0" * 255, b"\0" * 256, "", "é", "m" * 31, "m" * 32, "m" * 255, "m" * 256,
    [], [1] * 15, [1] * 16, [0] * 64, [[[[]]]],
)  # fmt: skip
WRONG_VALUES = (
    ("7 as uint 8", "not-canonical", "cc07"), ("7 as int 8", "not-canonical", "d007"),
    ("255 as uint 16", "not-canonical", "cd00ff"), ("65,535 as uint 32", "not-canonical", "ce0000ffff"),
    ("7 as uint 64", "not-canonical", "cf0000000000000007"), ("-1 as int 8", "not-canonical", "d0ff"),
    ("-128 as int 16", "not-canonical", "d1ff80"), ("128 as int 16", "not-canonical", "d10080"),
    ("one byte as bin 16", "not-canonical", "c5000100"), ("one byte as bin 32", "not-canonical", "c60000000100"),
    ("a short text as str 8", "not-canonical", "d9016d"), ("a short text as str 16", "not-canonical", "da00016d"),
    ("a short array as array 16", "not-canonical", "dc000100"),
    ("a short array as array 32", "not-canonical", "dd0000000100"),
    ("nil", "bad-type", "c0"), ("true", "bad-type", "c3"), ("a float", "bad-type", "ca3f800000"),
    ("a map", "bad-type", "80"), ("map 16", "bad-type", "de0000"), ("an extension", "bad-type", "d40100"),
    ("ext 8", "bad-type", "c7000100"), ("the unused head", "bad-msgpack", "c1"), ("nothing", "bad-msgpack", ""),
    ("an integer that ends early", "bad-msgpack", "cd00"), ("bytes that end early", "bad-msgpack", "c402ff"),
    ("bytes of four gigabytes", "bad-msgpack", "c6ffffffff00"), ("an array that ends early", "bad-msgpack", "9200"),
    ("a text that is not UTF-8", "bad-text", "a1ff"), ("a surrogate", "bad-text", "a3eda080"),
    ("an overlong slash", "bad-text", "a2c0af"), ("two values", "trailing-bytes", "0000"),
    ("five arrays deep", "too-deep", "9191919190"), ("a huge count", "bad-count", "ddffffffff"),
)  # fmt: skip
MAX_VALUE = 1000


def values() -> list[Vector]:
    """The codec by itself; at most 1,000 bytes are taken."""
    found = []
    for value in VALUES:
        data = msgpack.encode(value)
        name = f"{type(value).__name__} {str(value)[:24]}, {len(data)} bytes"
        found.append(vector(name, _reading(_decode, data), None, hex=data, value=tagged(value)))
    for name, code, text in WRONG_VALUES:
        data = bytes.fromhex(text)
        found.append(vector(name, _reading(_decode, data), code, hex=data))
    for name, code, data in (
        ("65 items", "bad-count", msgpack.encode([0] * 65)),
        ("one byte above the greatest size", "too-large", bytes(MAX_VALUE + 1)),
    ):
        found.append(vector(name, _reading(_decode, data), code, hex=data))
    return found


def _decode(data: bytes) -> Value:
    return msgpack.decode(data, MAX_VALUE)
