"""Every message: round trips within its bounds, refusal by one outside them, and the bytes that are fixed for ever."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hocp2p.errors import LocalError, WireError
from hocp2p.wire import messages as m
from hocp2p.wire.codec import encode
from hocp2p.wire.messages import decode_message, encode_message
from hocp2p.wire.schema import bounds_of
from tests.wire.values import failing, one_record, raw, records

TYPES: list[type] = list(m.FAMILY.types.values())
OUTSIDE = [
    pytest.param(record, name, value, code, id=f"{record.__name__}.{name}-{code}-{number}")
    for record in TYPES
    for name, bound in bounds_of(record).items()
    for number, (value, code) in enumerate(failing(bound))
]


def test_kinds() -> None:
    assert {number: record.__name__ for number, record in m.FAMILY.types.items()} == {
        1: "Agreement",
        10: "KeyCommit", 11: "KeyReveal", 12: "ShuffleProof", 13: "DeckDigest", 14: "ShareCommit", 15: "ShareReveal",
        16: "DrawnCard",
        20: "Call", 21: "Announcement", 22: "Showing", 23: "UnseenClass", 24: "CarteBlanche", 25: "BlancheWaived",
        26: "CardOpening", 27: "NonHolding", 28: "HeldBack",
        30: "Receipt", 40: "Talk", 41: "ShownHand", 42: "Presence", 43: "Reachable", 44: "Vote",
        50: "Leaving", 51: "SeatLost",
    }  # fmt: skip
    assert set(get_args(m.Message)) == set(TYPES)


@pytest.mark.parametrize("record", TYPES)
@given(data=st.data())
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_round_trip(record: type, data: st.DataObject) -> None:
    message = data.draw(records(record))
    body = encode_message(message)
    assert len(body) <= m.MAX_BODY_BYTES
    decoded = decode_message(body)
    assert decoded == message
    assert type(decoded) is record


@pytest.mark.parametrize(("record", "name", "value", "code"), OUTSIDE)
def test_one_outside_a_bound_is_neither_sent_nor_taken(record: type, name: str, value: Any, code: str) -> None:
    """R-009, R-010."""
    bad = replace(one_record(record), **{name: value})
    with pytest.raises(LocalError) as local:
        encode_message(bad)
    assert local.value.code == code
    with pytest.raises(WireError) as wire:
        decode_message(encode((m.FAMILY.number_of(record), *raw(bad))))
    assert wire.value.code == code


@pytest.mark.parametrize("record", TYPES)
def test_one_field_more_or_less_is_refused(record: type) -> None:
    """R-009."""
    items = (m.FAMILY.number_of(record), *raw(one_record(record)))
    assert decode_message(encode(items)) == one_record(record)
    more: tuple[Any, ...] = (*items, 0)
    for wrong in (more, items[:-1]):
        with pytest.raises(WireError) as caught:
            decode_message(encode(wrong))
        assert caught.value.code == "bad-count"


@pytest.mark.parametrize("number", sorted(set(range(-1, 130)) - set(m.FAMILY.types)))
def test_other_kinds_are_unknown(number: int) -> None:
    """R-008."""
    with pytest.raises(WireError) as caught:
        decode_message(encode((number,)))
    assert caught.value.code == "unknown-kind"


def test_every_position_shown_has_its_face() -> None:
    """R-045."""
    with pytest.raises(LocalError) as local:
        encode_message(m.Showing((1, 2), (3,), b""))
    with pytest.raises(WireError) as wire:
        decode_message(encode((22, (1, 2), (3,), b"")))
    assert local.value.code == wire.value.code == "bad-count"


@pytest.mark.parametrize(
    ("message", "data"),
    [
        (m.Agreement(), "9101"),
        (m.KeyCommit(bytes(range(32))), "920ac420" + bytes(range(32)).hex()),
        (m.DrawnCard(51, 0, bytes(64)), "94103300c440" + "00" * 64),
        (m.Call(m.WORD_RAISE, 20, 5), "9414021405"),
        (m.Announcement(4, 34), "93150422"),
        (m.Showing((3, 51), (0, 25), b"\xff"), "9416920333920019c401ff"),
        (m.NonHolding(10, b""), "931b0ac400"),
        (m.Receipt((-1_000_000, 33, 128), (0, 0, 1_000_000)), "931e93d2fff0bdc021cc80930000ce000f4240"),
        (m.Talk("c'est bon"), "9228a9632765737420626f6e"),
        (m.SeatLost(2, 5000, 100_000), "943302cd1388ce000186a0"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_exact_bytes(message: m.Message, data: str) -> None:
    assert encode_message(message).hex() == data
    assert decode_message(bytes.fromhex(data)) == message


def test_the_largest_message_fits_its_envelope() -> None:
    assert len(encode_message(m.ShuffleProof(bytes(10_144)))) == 10_149
