"""Whatever bytes arrive, the decoders answer with a value or with WireError, and a value has only those bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hocp2p.errors import WireError
from hocp2p.wire import codec, envelope, frames, messages
from tests.wire.values import one_record

Decode = Callable[[bytes], Any]
Encode = Callable[[Any], bytes]


def resealed(it: envelope.Envelope) -> bytes:
    """The bytes of an envelope made anew of its fields: ``raw`` itself would only be what was read."""
    return envelope.seal(it.table, it.track, it.step, it.seat, it.head, it.body, lambda _: it.signature).raw


DECODERS: dict[str, tuple[Decode, Encode]] = {
    "codec": (lambda data: codec.decode(data, 20_000), codec.encode),
    "message": (messages.decode_message, messages.encode_message),
    "envelope": (envelope.decode_envelope, resealed),
    "frame": (frames.decode_frame, frames.encode_frame),
}
LENIENT: list[Decode] = [frames.decode_hello_version, frames.decode_challenge_version, frames.decode_refusal]
ENVELOPE = envelope.seal(bytes(32), 1, 300, 2, bytes(32), b"\x91\x01", lambda _: bytes(64)).raw
SEEDS: list[bytes] = [
    *(messages.encode_message(one_record(record)) for record in messages.FAMILY.types.values()),
    *(frames.encode_frame(one_record(record)) for record in frames.FAMILY.types.values()),
    ENVELOPE,
]
# Heads of every MessagePack format, so that mutations reach them all.
HEADS = st.sampled_from([*range(0x90, 0xA4), *range(0xC0, 0xE0), 0x00, 0x7F, 0x80, 0xE0, 0xFF])


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A valid encoding with a few bytes changed, put in, taken out, or the end of another one put on."""
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["change", "insert", "delete", "truncate", "splice"])):
            case "change":
                data[at : at + 1] = bytes([draw(HEADS | st.integers(0, 255))])
            case "insert":
                data[at:at] = bytes([draw(HEADS | st.integers(0, 255))])
            case "delete":
                del data[at : at + draw(st.integers(1, 8))]
            case "truncate":
                del data[at:]
            case "splice":
                other = draw(st.sampled_from(SEEDS))
                data[at:] = other[draw(st.integers(0, len(other))) :]
    return bytes(data)


def answer(decode: Decode, encode: Encode, data: bytes) -> None:
    try:
        value = decode(data)
    except WireError as error:
        assert error.code
        return
    assert encode(value) == data


@pytest.mark.parametrize("name", DECODERS)
@given(data=st.binary(max_size=400) | st.lists(HEADS, max_size=60).map(bytes))
@example(data=b"\x91" * 60)
@example(data=b"\xdd\xff\xff\xff\xff")
@example(data=b"\xdb\xff\xff\xff\xff")
@example(data=b"\xc6\xff\xff\xff\xff")
@example(data=bytes(30_000))
@settings(deadline=None, max_examples=200)
def test_any_bytes(name: str, data: bytes) -> None:
    answer(*DECODERS[name], data)


@pytest.mark.parametrize("name", DECODERS)
@given(data=mutated())
@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_almost_valid_bytes(name: str, data: bytes) -> None:
    answer(*DECODERS[name], data)


@pytest.mark.parametrize("decode", LENIENT)
@given(data=st.binary(max_size=200) | mutated())
@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_lenient_readers_raise_nothing_else(decode: Decode, data: bytes) -> None:
    try:
        value = decode(data)
    except WireError as error:
        assert error.code
    else:
        assert isinstance(value, int | frames.Refusal)


def test_the_seeds_are_valid() -> None:
    accepted = dict.fromkeys(DECODERS, 0)
    for seed in SEEDS:
        for name, (decode, _) in DECODERS.items():
            try:
                decode(seed)
            except WireError:
                continue
            accepted[name] += 1
    assert accepted["codec"] == len(SEEDS)
    assert accepted["message"] >= len(messages.FAMILY.types)
    assert accepted["frame"] >= len(frames.FAMILY.types)
    assert accepted["envelope"] == 1
