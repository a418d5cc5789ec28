"""Every frame: round trips, bounds, exact bytes, and what must stay readable across versions."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hocp2p.errors import LocalError, WireError
from hocp2p.wire import frames as f
from hocp2p.wire.codec import encode
from hocp2p.wire.envelope import MAX_ENVELOPE_BYTES
from hocp2p.wire.frames import (
    decode_challenge_version,
    decode_frame,
    decode_hello_version,
    decode_refusal,
    encode_frame,
    proposal_id,
)
from hocp2p.wire.schema import bounds_of
from tests.wire.values import failing, one_record, raw, records

TYPES: list[type] = list(f.FAMILY.types.values())
OUTSIDE = [
    pytest.param(record, name, value, code, id=f"{record.__name__}.{name}-{code}-{number}")
    for record in TYPES
    for name, bound in bounds_of(record).items()
    for number, (value, code) in enumerate(failing(bound))
]
HELLO = f.Hello(f.PROTOCOL_VERSION, b"k" * 32, "Anna", "", "", b"n" * 32, b"", b"p" * 64)
REFUSAL = f.Refusal("version", "this table speaks version 2; update hocp2p", 2)


def test_kinds() -> None:
    assert {number: record.__name__ for number, record in f.FAMILY.types.items()} == {
        1: "Hello", 2: "Refusal", 3: "LobbyView", 4: "Proposal", 5: "Sealed", 6: "Again", 7: "Challenge", 8: "Return",
        9: "Standing", 10: "Hears",
    }  # fmt: skip
    assert set(get_args(f.Frame)) == set(TYPES)


@pytest.mark.parametrize("record", TYPES)
@given(data=st.data())
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_round_trip(record: type, data: st.DataObject) -> None:
    frame = data.draw(records(record))
    encoded = encode_frame(frame)
    assert len(encoded) <= f.MAX_FRAME_BYTES
    decoded = decode_frame(encoded)
    assert decoded == frame
    assert type(decoded) is record


@pytest.mark.parametrize(("record", "name", "value", "code"), OUTSIDE)
def test_one_outside_a_bound_is_neither_sent_nor_taken(record: type, name: str, value: Any, code: str) -> None:
    """R-009, R-010."""
    bad = replace(one_record(record), **{name: value})
    with pytest.raises(LocalError) as local:
        encode_frame(bad)
    assert local.value.code == code
    with pytest.raises(WireError) as wire:
        decode_frame(encode((f.FAMILY.number_of(record), *raw(bad))))
    assert wire.value.code == code


def test_the_largest_frames_fit() -> None:
    name, rules = "𝄞" * 24, (("𝄞" * 32, "𝄞" * 64),) * 16
    seat = f.Seat(b"k" * 32, name, "𝄞" * 16, name, b"n" * 32)
    chair = f.Chair(b"k" * 32, name, "𝄞" * 16, name)
    for frame in (
        f.Sealed(bytes(MAX_ENVELOPE_BYTES)),
        f.Proposal(65_535, bytes(32), (seat,) * 3, rules),
        f.LobbyView("𝄞" * 40, 2, (chair,) * 3, rules),
    ):
        assert decode_frame(encode_frame(frame)) == frame


def test_exact_bytes() -> None:
    expected = "9a01a6686f6370327001" + "c420" + "6b" * 32 + "a4416e6e61" + "a0a0" + "c420" + "6e" * 32
    expected += "c400" + "c440" + "70" * 64
    assert encode_frame(HELLO).hex() == expected
    assert encode_frame(f.Sealed(b"\x01\x02")).hex() == "9205c4020102"
    assert encode_frame(f.Again(2)).hex() == "920602"
    free = f.Chair(b"", "", "", "")
    lobby = f.LobbyView("t", 1, (free, free), (("deals", "6"),))
    assert encode_frame(lobby).hex() == "9503a174019294c400a0a0a094c400a0a0a09192a56465616c73a136"


def test_our_seat_is_at_the_table() -> None:
    """R-021."""
    chair = f.Chair(b"", "", "", "")
    with pytest.raises(LocalError) as local:
        encode_frame(f.LobbyView("t", 2, (chair, chair), ()))
    with pytest.raises(WireError) as wire:
        decode_frame(encode((3, "t", 2, raw((chair, chair)), ())))
    assert local.value.code == wire.value.code == "bad-range"


@pytest.mark.parametrize("key", [b"", b"k" * 32])
def test_a_chair_has_a_key_or_none(key: bytes) -> None:
    chair = f.Chair(key, "", "", "")
    lobby = f.LobbyView("t", 0, (chair, chair), ())
    assert decode_frame(encode_frame(lobby)) == lobby


def test_version_of_any_hello_is_readable() -> None:
    """R-024."""
    assert decode_hello_version(encode_frame(HELLO)) == 1
    assert decode_hello_version(encode((1, "hocp2p", 9, ("new",), "fields", 1, 2, 3, 4, 5))) == 9
    assert decode_hello_version(encode((1, "hocp2p", 9))) == 9
    assert decode_hello_version(b"\x94\x01\xa6hocp2p\x02\xc0") == 2  # even of a type that we do not know


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (encode((1, "hocp2q", 1)), "bad-text"),
        (encode((1, b"hocp2p", 1)), "bad-type"),
        (encode((2, "hocp2p", 1)), "unknown-kind"),
        (encode((1, "hocp2p", 65_536)), "bad-range"),
        (encode((1, "hocp2p", "1")), "bad-type"),
        (encode((1, "hocp2p")), "bad-count"),
        (b"GET / HTTP/1.1\r\n\r\n", "bad-type"),
        (b"", "bad-msgpack"),
        (bytes(f.MAX_FRAME_BYTES + 1), "too-large"),
    ],
)
def test_what_is_no_hello(data: bytes, code: str) -> None:
    """R-024."""
    with pytest.raises(WireError) as caught:
        decode_hello_version(data)
    assert caught.value.code == code


def test_version_of_any_challenge_is_readable() -> None:
    """R-024."""
    assert decode_challenge_version(encode_frame(f.Challenge(1, b"k" * 32, b"n" * 32))) == 1
    assert decode_challenge_version(encode((7, "hocp2p", 9, "of", "later"))) == 9


@pytest.mark.parametrize(
    ("data", "code"),
    [(encode((7, "hocp2q", 1)), "bad-text"), (encode((1, "hocp2p", 1)), "unknown-kind"), (b"", "bad-msgpack")],
)
def test_what_is_no_challenge(data: bytes, code: str) -> None:
    """R-024."""
    with pytest.raises(WireError) as caught:
        decode_challenge_version(data)
    assert caught.value.code == code


def test_any_refusal_is_readable() -> None:
    assert decode_refusal(encode_frame(REFUSAL)) == REFUSAL
    assert (
        decode_refusal(encode((2, "version", "this table speaks version 2; update hocp2p", 2, "more", (1,)))) == REFUSAL
    )


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (encode_frame(HELLO), "unknown-kind"),
        (encode((2, "full", "no room")), "bad-count"),
        (encode((2, "full", "\x1b[2J", 1)), "bad-text"),
        (encode((2, "fúll", "no room", 1)), "bad-text"),
    ],
)
def test_what_is_no_refusal(data: bytes, code: str) -> None:
    with pytest.raises(WireError) as caught:
        decode_refusal(data)
    assert caught.value.code == code


def test_table_id() -> None:
    """R-030."""
    seat = f.Seat(b"k" * 32, "Anna", "", "", b"n" * 32)
    proposal = f.Proposal(1, bytes(32), (seat, seat), (("deals", "6"),))
    encoded = encode_frame(proposal)
    assert proposal_id(encoded) == hashlib.sha256(b"\x11hocp2p/1 proposal" + encoded).digest()
