"""One value, one encoding, nothing larger than it may be."""

from __future__ import annotations

from typing import Any

import msgpack  # type: ignore[import-untyped]  # ships no types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import LocalError, WireError
from hocp2p.wire.codec import MAX_DEPTH, MAX_INT, MAX_ITEMS, MIN_INT, Value, decode, decode_prefix, encode

LIMIT = 70_000

scalars = st.integers(MIN_INT, MAX_INT) | st.binary(max_size=300) | st.text(max_size=80)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=6).map(tuple), max_leaves=12)


def depth(value: Any) -> int:
    return 1 + max(map(depth, value), default=0) if isinstance(value, tuple) else 0


def nested(levels: int) -> Value:
    value: Value = 7
    for _ in range(levels):
        value = (value,)
    return value


def code_of_decode(data: bytes, max_bytes: int = LIMIT) -> str:
    with pytest.raises(WireError) as caught:
        decode(data, max_bytes)
    return caught.value.code


def code_of_encode(value: Any) -> str:
    with pytest.raises(LocalError) as caught:
        encode(value)
    return caught.value.code


@given(values.filter(lambda value: depth(value) <= MAX_DEPTH))
@settings(deadline=None)
def test_round_trip_and_agreement_with_msgpack(value: Value) -> None:
    data = encode(value)
    assert decode(data, LIMIT) == value
    assert msgpack.unpackb(data, use_list=False) == value


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (0, "00"),
        (127, "7f"),
        (128, "cc80"),
        (256, "cd0100"),
        (65_536, "ce00010000"),
        (2**32, "cf0000000100000000"),
        (MAX_INT, "cfffffffffffffffff"),
        (-1, "ff"),
        (-32, "e0"),
        (-33, "d0df"),
        (-129, "d1ff7f"),
        (-32_769, "d2ffff7fff"),
        (MIN_INT, "d38000000000000000"),
        (b"", "c400"),
        (b"\x01\x02", "c4020102"),
        ("", "a0"),
        ("hoc", "a3686f63"),
        ("é" * 16, "d920" + "c3a9" * 16),
        ((), "90"),
        ((1, (2,)), "92019102"),
    ],
)
def test_exact_bytes(value: Value, data: str) -> None:
    assert encode(value).hex() == data
    assert decode(bytes.fromhex(data), LIMIT) == value


@pytest.mark.parametrize(
    "value",
    [b"x" * 255, b"x" * 256, b"x" * 65_535, b"x" * 65_536, "x" * 31, "x" * 32, "x" * 255, "x" * 256, "x" * 65_536],
)
def test_lengths_around_the_widths(value: Value) -> None:
    assert decode(encode(value), LIMIT) == value


@pytest.mark.parametrize(
    "data",
    [
        "cc7f", "cd00ff", "ce0000ffff", "cf00000000ffffffff",  # unsigned, wider than needed
        "d07f", "d0e0", "d1ff80", "d2ffff8000", "d3ffffffff80000000",  # signed
        "d000", "d10080", "d200010000", "d30000000100000000",  # signed where unsigned is the form
        "c50001aa", "c600000001aa",  # bytes
        "d90161", "da000161", "db0000000161",  # text
        "dc000101", "dd0000000101", "dc0000",  # arrays
        "91cc01", "9191d90161",  # within arrays
    ],
)  # fmt: skip
def test_a_longer_form_is_refused(data: str) -> None:
    """R-002."""
    assert msgpack.unpackb(bytes.fromhex(data)) is not None  # well-formed, were it not for the canon
    assert code_of_decode(bytes.fromhex(data)) == "not-canonical"


@pytest.mark.parametrize(
    "data",
    ["c0", "c2", "c3", "ca3f800000", "cb3ff0000000000000", "80", "810102", "de0000", "df00000000", "d40000", "d50000",
     "d6ff00000000", "d7ff0000000000000000", "d80000", "c70001", "c8000001", "c90000000001", "91c0", "9180"],
)  # fmt: skip
def test_other_types_are_refused(data: str) -> None:
    """Nil, booleans, floats, maps, extensions and timestamps. (R-001.)"""
    assert code_of_decode(bytes.fromhex(data)) == "bad-type"


@pytest.mark.parametrize("value", [None, True, 1.0, [1], {}, bytearray(b"x"), (1, None)])
def test_other_types_are_not_sent(value: Any) -> None:
    assert code_of_encode(value) == "bad-type"


@pytest.mark.parametrize(
    "data", ["", "c1", "91c1", "92", "9201", "cd01", "c405aa", "a261", "dc00", "dd000000", "d9", "c4"]
)
def test_what_ends_early_is_refused(data: str) -> None:
    """R-003."""
    assert code_of_decode(bytes.fromhex(data)) == "bad-msgpack"


@given(values.filter(lambda value: depth(value) <= MAX_DEPTH))
@settings(deadline=None, max_examples=40)
def test_every_true_prefix_and_every_addition_is_refused(value: Value) -> None:
    """R-005."""
    data = encode(value)
    for end in range(min(len(data), 60)):
        assert code_of_decode(data[:end]) == "bad-msgpack"
    assert code_of_decode(data + b"\x00") == "trailing-bytes"


def test_size_is_refused_before_reading() -> None:
    """R-003."""
    assert decode(b"\x00", 1) == 0
    assert code_of_decode(b"\xc1\xc1", 1) == "too-large"


def test_depth() -> None:
    """R-004."""
    assert decode(encode(nested(MAX_DEPTH)), LIMIT) == nested(MAX_DEPTH)
    assert code_of_decode(b"\x91" * (MAX_DEPTH + 1) + b"\x07") == "too-deep"
    assert code_of_encode(nested(MAX_DEPTH + 1)) == "too-deep"


def test_count() -> None:
    """R-004."""
    full = (1,) * MAX_ITEMS
    assert decode(encode(full), LIMIT) == full
    assert code_of_decode(b"\xdc\x00\x41" + b"\x01" * 65) == "bad-count"
    assert code_of_decode(b"\xdd\xff\xff\xff\xff") == "bad-count"
    assert code_of_encode((*full, 1)) == "bad-count"


@pytest.mark.parametrize("data", ["a1ff", "a2c080", "a3eda080", "a4f4908080", "a1c3"])
def test_text_is_utf8(data: str) -> None:
    """A stray byte, an overlong form, a surrogate, beyond U+10FFFF, half a character. (R-006.)"""
    assert code_of_decode(bytes.fromhex(data)) == "bad-text"


def test_what_has_no_form_is_not_sent() -> None:
    assert code_of_encode("\ud800") == "bad-text"
    assert code_of_encode(MAX_INT + 1) == "bad-range"
    assert code_of_encode(MIN_INT - 1) == "bad-range"


def test_prefix_reads_no_further() -> None:
    assert decode_prefix(encode((1, "a", b"b", 4)), 2, LIMIT) == (1, "a")
    assert decode_prefix(b"\x93\x01\xa1a\xc1garbage", 2, LIMIT) == (1, "a")
    assert decode_prefix(b"\xdc\xff\xff\x01\x02", 2, LIMIT) == (1, 2)


@pytest.mark.parametrize(
    ("data", "code"),
    [("9101", "bad-count"), ("01", "bad-type"), ("", "bad-msgpack"), ("c1", "bad-msgpack"), ("9201", "bad-msgpack")],
)
def test_prefix_refuses(data: str, code: str) -> None:
    with pytest.raises(WireError) as caught:
        decode_prefix(bytes.fromhex(data), 2, LIMIT)
    assert caught.value.code == code


def test_prefix_is_bounded() -> None:
    with pytest.raises(WireError) as caught:
        decode_prefix(encode((1, 2, 3)), 2, 3)
    assert caught.value.code == "too-large"
