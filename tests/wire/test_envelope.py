"""The envelope: what is signed, what is kept, what is refused."""

from __future__ import annotations

import hashlib
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import LocalError, WireError
from hocp2p.wire.codec import encode
from hocp2p.wire.envelope import (
    MAX_ENVELOPE_BYTES,
    Envelope,
    Slot,
    decode_envelope,
    seal,
    signed_bytes,
)
from hocp2p.wire.messages import MAX_BODY_BYTES

TABLE, HEAD, BODY = bytes(range(32)), bytes(range(32, 64)), b"\x91\x01"
GOOD: dict[str, Any] = {"table": TABLE, "track": 3, "step": 258, "seat": 2, "head": HEAD, "body": BODY}
OUTSIDE = [
    ("table", bytes(31), "bad-length"), ("table", bytes(33), "bad-length"), ("table", "a" * 32, "bad-type"),
    ("track", -1, "bad-range"), ("track", 5001, "bad-range"), ("track", b"", "bad-type"),
    ("step", -1, "bad-range"), ("step", 100_001, "bad-range"),
    ("seat", -1, "bad-range"), ("seat", 3, "bad-range"),
    ("head", bytes(31), "bad-length"), ("head", bytes(33), "bad-length"),
    ("body", b"", "bad-length"), ("body", bytes(MAX_BODY_BYTES + 1), "bad-length"),
]  # fmt: skip

fields = st.fixed_dictionaries(
    {
        "table": st.binary(min_size=32, max_size=32),
        "track": st.integers(0, 5000),
        "step": st.integers(0, 100_000),
        "seat": st.integers(0, 2),
        "head": st.binary(min_size=32, max_size=32),
        "body": st.binary(min_size=1, max_size=200),
    }
)


def stamp(data: bytes) -> bytes:
    """No signature, but 64 bytes that depend on what is signed."""
    return hashlib.sha512(data).digest()


@given(fields)
@settings(deadline=None)
def test_round_trip(values: dict[str, Any]) -> None:
    envelope = seal(**values, sign=stamp)
    decoded = decode_envelope(envelope.raw)
    assert decoded == envelope
    assert {name: getattr(decoded, name) for name in values} == values
    assert decoded.signature == stamp(signed_bytes(**values))
    assert decoded.raw == encode((*(values[name] for name in GOOD), decoded.signature))


@given(fields, fields)
@settings(deadline=None)
def test_different_fields_are_never_the_same_bytes(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert (signed_bytes(**one) == signed_bytes(**other)) == (one == other)


def test_exact_signed_bytes() -> None:
    """R-032."""
    expected = (
        b"\x11hocp2p/1 envelope" + TABLE + b"\0\0\0\x03" + b"\0\0\x01\x02" + b"\x02" + HEAD + b"\0\0\0\x02" + BODY
    )
    assert signed_bytes(**GOOD) == expected
    envelope = seal(**GOOD, sign=stamp)
    assert envelope.signed == expected
    assert envelope.digest == hashlib.sha256(expected).digest()


def test_slot_sorts_as_messages_are_applied() -> None:
    assert seal(**GOOD, sign=stamp).slot == Slot(track=3, step=258, seat=2)
    assert sorted([Slot(1, 0, 0), Slot(0, 2, 1), Slot(0, 2, 0)]) == [Slot(0, 2, 0), Slot(0, 2, 1), Slot(1, 0, 0)]


def test_another_signature_is_the_same_message() -> None:
    """The chain does not depend on which of several valid signatures was seen. (R-033.)"""
    one = seal(**GOOD, sign=stamp)
    other = seal(**GOOD, sign=lambda _: bytes(64))
    assert one != other
    assert one.digest == other.digest


def test_bytes_are_kept_as_received() -> None:
    """R-034."""
    data = bytes(seal(**GOOD, sign=stamp).raw)
    envelope = decode_envelope(data)
    assert envelope.raw is data


def test_body_is_not_looked_at() -> None:
    """R-034."""
    envelope = seal(**{**GOOD, "body": b"\xc1 no message"}, sign=stamp)
    assert decode_envelope(envelope.raw).body == b"\xc1 no message"


def test_the_largest_fits() -> None:
    largest = seal(TABLE, 5000, 100_000, 2, HEAD, bytes(MAX_BODY_BYTES), stamp)
    assert len(largest.raw) <= MAX_ENVELOPE_BYTES
    assert decode_envelope(largest.raw) == largest


@pytest.mark.parametrize(("name", "value", "code"), OUTSIDE)
def test_outside_a_bound_is_neither_signed_nor_taken(name: str, value: Any, code: str) -> None:
    asked: list[bytes] = []

    def sign(data: bytes) -> bytes:
        asked.append(data)
        return bytes(64)

    bad = {**GOOD, name: value}
    with pytest.raises(LocalError) as local:
        seal(**bad, sign=sign)
    with pytest.raises(WireError) as wire:
        decode_envelope(encode((*bad.values(), bytes(64))))
    assert local.value.code == wire.value.code == code
    assert asked == []


@pytest.mark.parametrize("size", [0, 63, 65])
def test_a_signature_has_64_bytes(size: int) -> None:
    with pytest.raises(LocalError) as local:
        seal(**GOOD, sign=lambda _: bytes(size))
    with pytest.raises(WireError) as wire:
        decode_envelope(encode((*GOOD.values(), bytes(size))))
    assert local.value.code == wire.value.code == "bad-length"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (encode(7), "bad-type"),
        (encode(b"\x97"), "bad-type"),
        (encode(tuple(GOOD.values())), "bad-count"),
        (encode((*GOOD.values(), bytes(64), 0)), "bad-count"),
        (encode((*GOOD.values(), bytes(64))) + b"\0", "trailing-bytes"),
        (encode((*GOOD.values(), bytes(64)))[:-1], "bad-msgpack"),
        (b"\xdc\x00\x07" + encode((*GOOD.values(), bytes(64)))[1:], "not-canonical"),
        (bytes(MAX_ENVELOPE_BYTES + 1), "too-large"),
    ],
)
def test_other_bytes_are_refused(data: bytes, code: str) -> None:
    """R-036."""
    with pytest.raises(WireError) as caught:
        decode_envelope(data)
    assert caught.value.code == code


def test_it_cannot_be_changed_and_hides_nothing_large_in_its_text() -> None:
    envelope: Any = seal(**GOOD, sign=stamp)
    with pytest.raises(FrozenInstanceError):
        envelope.seat = 0
    assert "raw" not in repr(envelope)
    assert isinstance(envelope, Envelope)
