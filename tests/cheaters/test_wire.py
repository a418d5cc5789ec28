"""Cheating with the bytes themselves: what the wire refuses, and what a signature is bound to.

What the *table* does about it (whom it blames, what it keeps) stands in the tests of the table.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from hocp2p.crypto.identity import Identity, verify_signature
from hocp2p.errors import CryptoError, WireError
from hocp2p.wire import frames as f
from hocp2p.wire import messages as m
from hocp2p.wire.codec import MAX_DEPTH, decode, encode
from hocp2p.wire.envelope import Envelope, decode_envelope, seal, signed_bytes
from hocp2p.wire.frames import (
    decode_challenge_version,
    decode_frame,
    decode_hello_version,
    encode_frame,
    proposal_id,
)
from hocp2p.wire.messages import decode_message, encode_message

MALLORY = Identity.from_seed(b"m" * 32)
PLACE: dict[str, Any] = {"table": b"t" * 32, "track": 2, "step": 7, "seat": 1, "head": b"h" * 32}
PLAYED = encode_message(m.CardOpening(17, 3, bytes(64)))
OTHER = encode_message(m.CardOpening(18, 4, bytes(64)))


def holds(envelope: Envelope) -> bool:
    try:
        verify_signature(MALLORY.public, envelope.signed, envelope.signature)
    except CryptoError as error:
        assert error.code == "bad-signature"
        return False
    return True


def resealed(envelope: Envelope, **changed: Any) -> Envelope:
    """The same signature around other fields, as bytes that somebody else made."""
    names = ("table", "track", "step", "seat", "head", "body", "signature")
    return decode_envelope(encode(tuple(changed.get(name, getattr(envelope, name)) for name in names)))


def code_of(decoder: Callable[[bytes], object], data: bytes) -> str:
    with pytest.raises(WireError) as caught:
        decoder(data)
    return caught.value.code


# Two messages for one slot, replay, splice


def test_two_messages_for_one_slot_prove_themselves() -> None:
    one, other = (seal(**PLACE, body=body, sign=MALLORY.sign) for body in (PLAYED, OTHER))
    assert holds(one)
    assert holds(other)
    assert one.slot == other.slot
    assert one.digest != other.digest


def test_the_same_message_signed_twice_is_no_equivocation() -> None:
    one = seal(**PLACE, body=PLAYED, sign=MALLORY.sign)
    mangled = resealed(one, signature=bytes(64))
    assert mangled.digest == one.digest
    assert not holds(mangled)


@pytest.mark.parametrize(
    ("name", "value"),
    [("table", b"u" * 32), ("track", 3), ("step", 8), ("seat", 0), ("head", b"i" * 32), ("body", OTHER)],
)
def test_replay_and_splice_break_the_signature(name: str, value: Any) -> None:
    """Another table, deal, step, seat or history, or another body under the same signature."""
    envelope = seal(**PLACE, body=PLAYED, sign=MALLORY.sign)
    assert holds(envelope)
    moved = resealed(envelope, **{name: value})
    assert moved.digest != envelope.digest
    assert not holds(moved)


def test_every_bit_is_signed() -> None:
    envelope = seal(**PLACE, body=b"\x91\x01", sign=MALLORY.sign)
    for bit in range(8 * len(envelope.raw)):
        flipped = bytearray(envelope.raw)
        flipped[bit // 8] ^= 1 << bit % 8
        try:
            received = decode_envelope(bytes(flipped))
        except WireError:
            continue
        assert not holds(received)


def test_a_signature_for_an_envelope_is_for_nothing_else() -> None:
    """The bytes that are signed begin with their domain, and no message, frame or proposal begins so."""
    signed = signed_bytes(**PLACE, body=PLAYED)
    assert signed.startswith(b"\x11hocp2p/1 envelope")
    for decoder in (decode_message, decode_frame, decode_envelope):
        assert code_of(decoder, signed) in {"trailing-bytes", "bad-type"}


def boundary_shifts() -> Iterator[tuple[Any, ...]]:
    """The same bytes in all, cut into fields elsewhere."""
    table, head, body, signature = b"t" * 32, b"h" * 32, b"b" * 40, b"s" * 64
    yield table + head[:1], 2, 7, 1, head[1:], body, signature
    yield table[:-1], 2, 7, 1, table[-1:] + head, body, signature
    yield table, 2, 7, 1, head + body[:1], body[1:], signature
    yield table, 2, 7, 1, head[:-1], head[-1:] + body, signature
    yield table, 2, 7, 1, head, body + signature[:1], signature[1:]
    yield table, 2, 7, 1, head, body[:-1], body[-1:] + signature


@pytest.mark.parametrize("fields", list(boundary_shifts()))
def test_lengths_shifted_across_boundaries_of_fields(fields: tuple[Any, ...]) -> None:
    assert code_of(decode_envelope, encode(fields)) == "bad-length"


def test_lengths_shifted_within_a_message() -> None:
    """Position and face, cut elsewhere; a proof that swallows a neighbour."""
    honest = encode((22, (1, 2), (3, 4), b"proof"))
    assert decode_message(honest) == m.Showing((1, 2), (3, 4), b"proof")
    assert code_of(decode_message, encode((22, (1, 2, 3), (4,), b"proof"))) == "bad-count"
    assert code_of(decode_message, encode((22, (1, 2), (3, 4, b"proof")))) == "bad-count"
    assert code_of(decode_message, encode((22, (1, 2), (3, 4), b"proof", b""))) == "bad-count"


# One message, one form


@pytest.mark.parametrize(
    "data",
    [
        "94cc14020105",  # kind as a wider integer
        "dc000414020105",  # array head of three bytes
        "9414d2000000020105",  # word in four bytes
        "94140201cd0005",
    ],
)
def test_a_second_form_of_a_message_is_refused(data: str) -> None:
    """Else one move would have two digests, and honest peers could be made to disagree."""
    assert decode_message(bytes.fromhex("9414020105")) == m.Call(2, 1, 5)
    assert code_of(decode_message, bytes.fromhex(data)) == "not-canonical"


def test_nothing_rides_behind() -> None:
    assert code_of(decode_message, PLAYED + b"\x00") == "trailing-bytes"
    assert code_of(decode_frame, encode_frame(f.Sealed(b"x")) + PLAYED) == "trailing-bytes"


def test_unknown_kinds() -> None:
    for kind in (0, 9, 17, 29, 45, 52, 255, 2**63, -1):
        assert code_of(decode_message, encode((kind,))) == "unknown-kind"
    for kind in (0, 11, 17, 29, 52, 255, 2**63, -1):
        assert code_of(decode_frame, encode((kind,))) == "unknown-kind"


def test_a_frame_is_no_message_and_a_message_no_frame() -> None:
    """Kind 1 stands in both families; its fields tell the two apart."""
    hello = encode_frame(f.Hello(1, b"k" * 32, "M", "", "", b"n" * 32, b"", b"p" * 64))
    assert code_of(decode_message, hello) == "bad-count"
    assert code_of(decode_frame, encode_message(m.Agreement())) == "bad-count"


# Giants


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xdd\xff\xff\xff\xff", "bad-count"),
        (b"\xdc\xff\xff" + b"\xdc\xff\xff" * 6_000, "bad-count"),
        (b"\xdb\xff\xff\xff\xff", "bad-msgpack"),
        (b"\xc6\xff\xff\xff\xff", "bad-msgpack"),
        (b"\xdf\xff\xff\xff\xff", "bad-type"),
        (b"\xc9\xff\xff\xff\xff\x01", "bad-type"),
        (b"\x91" * 19_000, "too-deep"),
        (b"\xdc\x00\x40" * 6_000, "too-deep"),
        (bytes(20_001), "too-large"),
        (bytes(5_000_000), "too-large"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[:3].hex(),
)
def test_giants_cost_nothing(data: bytes, code: str) -> None:
    """Claims of four thousand million items are refused before anything is set aside for them."""
    tracemalloc.start()
    try:
        assert code_of(decode_frame, data) == code
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 200_000


def test_a_tree_as_wide_and_deep_as_allowed_is_bounded_by_its_bytes() -> None:
    level: Any = (0,) * 64
    for _ in range(MAX_DEPTH - 3):
        level = (level,) * 64
    assert decode(encode(level), 20_000) == level
    assert code_of(decode_frame, encode(((level, level), level))) == "bad-type"


# Downgrade and disguise


def test_a_proposal_with_other_terms_is_another_table() -> None:
    """Version, rules, seats and their order are all in the table id, which every signature covers."""
    a, b = (f.Seat(key * 32, "x", "", "", b"n" * 32) for key in (b"a", b"b"))
    rules = (("deals", "6"), ("hold_back", "refused"))
    went_on = f.Continued(b"t" * 32, b"h" * 32, 2, 0, (100, 100), (0, 0, 0), ())
    terms = [
        f.Proposal(1, b"n" * 32, (a, b), rules),
        f.Proposal(0, b"n" * 32, (a, b), rules),
        f.Proposal(1, b"o" * 32, (a, b), rules),
        f.Proposal(1, b"n" * 32, (b, a), rules),
        f.Proposal(1, b"n" * 32, (a, b), (("deals", "6"), ("hold_back", "fined"))),
        f.Proposal(1, b"n" * 32, (a, b), rules[:1]),
        f.Proposal(1, b"n" * 32, (a, b), rules[::-1]),
        f.Proposal(1, b"n" * 32, (a, b), rules, (went_on,)),
        f.Proposal(1, b"n" * 32, (a, b), rules, (replace(went_on, balances=(101, 99)),)),
        f.Proposal(1, b"n" * 32, (a, b), rules, (replace(went_on, table=b"u" * 32),)),
    ]
    assert len({proposal_id(encode_frame(proposal)) for proposal in terms}) == len(terms)


def test_an_older_version_cannot_pass_for_ours() -> None:
    hello = f.Hello(0, b"k" * 32, "M", "", "", b"n" * 32, b"", b"p" * 64)
    assert decode_hello_version(encode_frame(hello)) < f.PROTOCOL_VERSION
    challenge = f.Challenge(0, b"k" * 32, b"n" * 32)
    assert decode_challenge_version(encode_frame(challenge)) < f.PROTOCOL_VERSION


def test_a_proof_for_a_greeting_is_for_one_challenge_and_for_nothing_else() -> None:
    """Whose challenge, which nonce, which key, which table and seat: all of it is signed."""
    one, two = f.Challenge(1, b"k" * 32, b"n" * 32), f.Challenge(1, b"l" * 32, b"n" * 32)
    three = f.Challenge(1, b"k" * 32, b"o" * 32)
    statements = {
        f.hello_statement(one, b"a" * 32, b"m" * 32),
        f.hello_statement(two, b"a" * 32, b"m" * 32),
        f.hello_statement(three, b"a" * 32, b"m" * 32),
        f.hello_statement(one, b"b" * 32, b"m" * 32),
        f.hello_statement(one, b"a" * 32, b"o" * 32),
        f.return_statement(one, b"t" * 32, 1),
        f.return_statement(two, b"t" * 32, 1),
        f.return_statement(three, b"t" * 32, 1),
        f.return_statement(one, b"u" * 32, 1),
        f.return_statement(one, b"t" * 32, 2),
    }
    assert len(statements) == 10
    assert len({statement[:14] for statement in statements}) == 2
    assert not any(signed_bytes(**PLACE, body=PLAYED).startswith(statement[:14]) for statement in statements)


@pytest.mark.parametrize(
    "name",
    [
        "Anna\x1b[2J",
        "\x1b]52;c;aGk=\x07",
        "Anna\x9b1m",
        "Anna\rBruno",
        "Anna\nBruno wins",
        "\u202eannA",
        "Anna\u200b",
        "Anna ",
        "Anna\u3164",
        "\x00",
    ],
)
def test_no_name_or_word_reaches_a_terminal_with_controls(name: str) -> None:
    """Escape sequences, the clipboard, second lines, writing backwards, the same name with something unseen in it."""
    free = (b"", "", "", "")
    for frame in (
        (1, "hocp2p", 1, b"k" * 32, name, "", "", b"n" * 32, b"", b"p" * 64),
        (1, "hocp2p", 1, b"k" * 32, "bot", name[:16], "", b"n" * 32, b"", b"p" * 64),
        (1, "hocp2p", 1, b"k" * 32, "bot", "", name, b"n" * 32, b"", b"p" * 64),
        (2, "full", name, 1),
        (3, name, 0, (free, free), ()),
        (3, "table", 0, (free, (b"", name, "", "")), ()),
        (3, "table", 0, (free, free), ((name, "6"),)),
        (3, "table", 0, (free, free), (("deals", name),)),
    ):
        assert code_of(decode_frame, encode(frame)) == "bad-text"
    assert code_of(decode_message, encode((40, name))) == "bad-text"
    assert code_of(decode_message, encode((43, (name,)))) == "bad-text"
