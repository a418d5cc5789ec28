"""Every message and every frame, with the bounds of every field: the one table, kept by hand from the specification.

A record is an array: its kind, then its fields. What the values mean is told in SPEC.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from protocol.generate.faults import Fault, need
from protocol.generate.msgpack import Value, decode, encode


@dataclass(frozen=True)
class Int:
    """From ``least`` to ``most``, both allowed."""

    least: int
    most: int


@dataclass(frozen=True)
class Bytes:
    """``least`` to ``most`` bytes; or none at all, where ``or_empty``."""

    least: int
    most: int
    or_empty: bool = False


@dataclass(frozen=True)
class Text:
    """``least`` to ``most`` code points that may be shown."""

    least: int
    most: int
    ascii_only: bool = False


@dataclass(frozen=True)
class Word:
    """One text and no other."""

    text: str


@dataclass(frozen=True)
class List:
    """``least`` to ``most`` items alike."""

    item: Bound
    least: int
    most: int


@dataclass(frozen=True)
class Record:
    """A fixed number of fields."""

    fields: tuple[tuple[str, Bound], ...]


Bound = Int | Bytes | Text | Word | List | Record


def _record(**fields: Bound) -> Record:
    return Record(tuple(fields.items()))


SEAT, RANK = Int(0, 2), Int(1, 13)
TRACK, STEP = Int(0, 5_000), Int(0, 100_000)
POSITION, FACE = Int(0, 51), Int(0, 51)
DIGEST, KEY, NONCE = Bytes(32, 32), Bytes(32, 32), Bytes(32, 32)
OPENING, NOT_HOLDING = Bytes(0, 64), Bytes(0, 2048)
POSITIONS, FACES = List(POSITION, 1, 15), List(FACE, 1, 15)
NAME, NAME_OR_NONE, LEVEL = Text(1, 24), Text(0, 24), Text(0, 16)
SWITCHES = List(_record(name=Text(1, 32), value=Text(1, 64)), 0, 16)
VERSION = Int(0, 65_535)
MAX_MESSAGE, MAX_ENVELOPE, MAX_FRAME = 16_384, 17_000, 20_000

MESSAGES: dict[int, tuple[str, Record]] = {
    1: ("agreement", _record()),
    10: ("key-commit", _record(commitment=DIGEST)),
    11: ("key-reveal", _record(payload=Bytes(128, 128))),
    12: ("shuffle-proof", _record(payload=Bytes(10_144, 10_144))),
    13: ("deck-digest", _record(digest=DIGEST)),
    14: ("share-commit", _record(commitment=DIGEST)),
    15: ("share-reveal", _record(payload=Bytes(1, 2000))),
    16: ("drawn-card", _record(position=POSITION, face=FACE, proof=Bytes(64, 64))),
    20: ("call", _record(word=Int(0, 4), by=Int(0, 1000), announced=Int(0, 5))),
    21: ("announcement", _record(first=Int(0, 52), second=Int(0, 520))),
    22: ("showing", _record(positions=POSITIONS, faces=FACES, proof=OPENING)),
    23: ("unseen-class", _record()),
    24: ("carte-blanche", _record(proof=NOT_HOLDING)),
    25: ("blanche-waived", _record()),
    26: ("card-opening", _record(position=POSITION, face=FACE, proof=OPENING)),
    27: ("non-holding", _record(rank=RANK, proof=NOT_HOLDING)),
    28: ("held-back", _record(rank=RANK)),
    30: ("receipt", _record(balances=List(Int(-(10**6), 10**6), 2, 3), carry=List(Int(0, 10**6), 3, 3))),
    40: ("talk", _record(text=Text(1, 300))),
    41: ("shown-hand", _record(deal=Int(1, 600), positions=POSITIONS, faces=FACES, proof=Bytes(64, 64))),
    42: ("presence", _record(away=Int(0, 1))),
    43: ("reachable", _record(addresses=List(Text(1, 80), 0, 8))),
    44: ("vote", _record(seat=SEAT, go_on=Int(0, 1))),
    50: ("leaving", _record()),
    51: ("seat-lost", _record(seat=SEAT, track=TRACK, step=STEP)),
}

CHAIR = _record(key=Bytes(32, 32, or_empty=True), name=NAME_OR_NONE, bot_level=LEVEL, owner=NAME_OR_NONE)
SEAT_TAKEN = _record(key=KEY, name=NAME, bot_level=LEVEL, owner=NAME_OR_NONE, nonce=NONCE)

MAGIC, PLACE = Word("hocp2p"), _record(track=TRACK, step=STEP)
CONTINUED = _record(
    table=DIGEST, head=DIGEST, number=Int(1, 600), dealer=SEAT, balances=List(Int(-(10**6), 10**6), 2, 3),
    carry=List(Int(0, 10**6), 3, 3), doubled=List(Int(0, 2), 0, 3),
)  # fmt: skip
GOES_ON = List(CONTINUED, 0, 1)
HELLO = _record(
    magic=MAGIC, version=VERSION, key=KEY, name=NAME, bot_level=LEVEL, owner=NAME_OR_NONE, nonce=NONCE,
    secret=Bytes(10, 10, or_empty=True), proof=Bytes(64, 64),
)  # fmt: skip

FRAMES: dict[int, tuple[str, Record]] = {
    1: ("hello", HELLO),
    2: ("refusal", _record(code=Text(1, 32, ascii_only=True), message=Text(1, 200), version=VERSION)),
    3: ("lobby-view", _record(title=Text(1, 40), your_seat=SEAT, chairs=List(CHAIR, 2, 3), rules=SWITCHES)),
    4: (
        "proposal",
        _record(version=VERSION, nonce=NONCE, chairs=List(SEAT_TAKEN, 2, 3), rules=SWITCHES, continues=GOES_ON),
    ),
    5: ("sealed", _record(envelope=Bytes(1, MAX_ENVELOPE))),
    6: ("again", _record(seat=SEAT)),
    7: ("challenge", _record(magic=MAGIC, version=VERSION, key=KEY, nonce=NONCE)),
    8: ("return", _record(magic=MAGIC, version=VERSION, table=DIGEST, seat=SEAT, proof=Bytes(64, 64))),
    9: ("standing", _record(table=DIGEST, tracks=List(PLACE, 1, 16), heard=List(STEP, 2, 3))),
    10: ("hears", _record(seats=List(SEAT, 0, 2))),
}

ENVELOPE = _record(
    table=DIGEST,
    track=TRACK,
    step=STEP,
    seat=SEAT,
    head=DIGEST,
    body=Bytes(1, MAX_MESSAGE),
    signature=Bytes(64, 64),
)

# Characters that no text may hold: controls, formats, ignorables (Unicode 16); and spaces, allowed inside only.
HIDDEN = (
    (0x0000, 0x001F), (0x007F, 0x009F), (0x00AD, 0x00AD), (0x034F, 0x034F), (0x0600, 0x0605), (0x061C, 0x061C),
    (0x06DD, 0x06DD), (0x070F, 0x070F), (0x0890, 0x0891), (0x08E2, 0x08E2), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xD800, 0xDFFF),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x110BD, 0x110BD), (0x110CD, 0x110CD),
    (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
SPACES = (0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)


def check(bound: Bound, value: Value) -> None:
    """Faults ``bad-type``, ``bad-range``, ``bad-length``, ``bad-text``, ``bad-count``."""
    match bound:
        case Int(least, most):
            if not isinstance(value, int):
                raise Fault("bad-type")
            need(least <= value <= most, "bad-range")
        case Bytes(least, most, or_empty):
            if not isinstance(value, bytes):
                raise Fault("bad-type")
            need(least <= len(value) <= most or (or_empty and not value), "bad-length")
        case Text() | Word():
            if not isinstance(value, str):
                raise Fault("bad-type")
            _check_text(bound, value)
        case List(item, least, most):
            if not isinstance(value, list):
                raise Fault("bad-type")
            need(least <= len(value) <= most, "bad-count")
            for each in value:
                check(item, each)
        case Record(fields):
            if not isinstance(value, list):
                raise Fault("bad-type")
            need(len(value) == len(fields), "bad-count")
            for (_, inner), each in zip(fields, value, strict=True):
                check(inner, each)


def _check_text(bound: Text | Word, text: str) -> None:
    if isinstance(bound, Word):
        need(text == bound.text, "bad-text")
        return
    need(bound.least <= len(text) <= bound.most, "bad-length")
    hidden = any(first <= ord(character) <= last for character in text for first, last in HIDDEN)
    need(not hidden and not any(ord(edge) in SPACES for edge in (text[:1] + text[-1:])), "bad-text")
    need(not bound.ascii_only or text.isascii(), "bad-text")


def _read(kinds: dict[int, tuple[str, Record]], data: bytes, max_bytes: int) -> tuple[str, list[Any]]:
    value = decode(data, max_bytes)
    if not isinstance(value, list):
        raise Fault("bad-type")
    need(bool(value), "bad-count")
    kind, *fields = value
    if not isinstance(kind, int):
        raise Fault("bad-type")
    need(kind in kinds, "unknown-kind")
    name, record = kinds[kind]
    check(record, fields)
    return name, fields


def read_message(body: bytes) -> tuple[str, list[Any]]:
    """The name and the fields of a message. Faults as :func:`check`, those of the codec, ``unknown-kind``."""
    name, fields = _read(MESSAGES, body, MAX_MESSAGE)
    if name == "showing":
        need(len(fields[0]) == len(fields[1]), "bad-count")
    if name == "shown-hand":
        need(len(fields[1]) == len(fields[2]), "bad-count")
    return name, fields


def read_frame(data: bytes) -> tuple[str, list[Any]]:
    """The name and the fields of a frame. Faults as :func:`read_message`."""
    name, fields = _read(FRAMES, data, MAX_FRAME)
    if name == "lobby-view":
        need(fields[1] < len(fields[2]), "bad-range")
    for continued in fields[4] if name == "proposal" else []:
        seats = len(fields[2])
        need(len(continued[4]) == seats and continued[3] < seats, "bad-count")
    return name, fields


def message(name: str, *fields: Value) -> bytes:
    """A message by name. Nothing is checked: vectors need wrong ones too."""
    return encode([_kind(MESSAGES, name), *fields])


def frame(name: str, *fields: Value) -> bytes:
    """A frame by name. Nothing is checked."""
    return encode([_kind(FRAMES, name), *fields])


def _kind(kinds: dict[int, tuple[str, Record]], name: str) -> int:
    return next(kind for kind, (other, _) in kinds.items() if other == name)
