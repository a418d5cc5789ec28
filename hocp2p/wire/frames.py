"""What goes over a link between two peers: the greeting, the lobby, and the envelopes that they pass on.

``Hello`` and ``Refusal`` begin alike in every version, so that peers of different versions can still tell each other
so: see :func:`decode_hello_version` and :func:`decode_refusal`. All texts are fit to be shown (``wire.text``).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Annotated, Final, TypeAlias, cast

from hocp2p.errors import WireError
from hocp2p.wire.codec import decode_prefix
from hocp2p.wire.envelope import MAX_ENVELOPE_BYTES
from hocp2p.wire.messages import SEAT
from hocp2p.wire.schema import Exactly, Family, Items, Pair, Range, Record, Size, Text, read_record

PROTOCOL_VERSION: Final = 1
MAGIC: Final = "hocp2p"
MAX_FRAME_BYTES: Final = 20_000
MAX_NAME_CHARACTERS: Final = 24
PROPOSAL_DOMAIN: Final = b"hocp2p/1 proposal"

VERSION: Final = Range(0, 65_535)
KEY: Final = Size(32)
NONCE: Final = Size(32)
NAME: Final = Text(MAX_NAME_CHARACTERS)
NAME_OR_NONE: Final = Text(MAX_NAME_CHARACTERS, least=0)
BOT_LEVEL: Final = Text(16, least=0)
SWITCHES: Final = Items(Pair(Text(32), Text(64)), 0, 16)

FAMILY: Final = Family("frame", MAX_FRAME_BYTES)


@FAMILY.kind(1)
@dataclass(frozen=True, slots=True)
class Hello:
    """First frame of either side.

    Args:
        version: of the protocol.
        key: public identity key, 32 bytes.
        name: as the player calls himself.
        bot_level: empty for a person.
        owner: name of the person who runs the bot; empty for a person.
        nonce: 32 fresh bytes.
    """

    magic: Annotated[str, Exactly(MAGIC)] = field(default=MAGIC, kw_only=True)
    version: Annotated[int, VERSION]
    key: Annotated[bytes, KEY]
    name: Annotated[str, NAME]
    bot_level: Annotated[str, BOT_LEVEL]
    owner: Annotated[str, NAME_OR_NONE]
    nonce: Annotated[bytes, NONCE]


@FAMILY.kind(2)
@dataclass(frozen=True, slots=True)
class Refusal:
    """Last frame of a side that will not have the other.

    Args:
        code: stable kebab-case word.
        message: one sentence for a person.
        version: of the protocol that the refusing side speaks.
    """

    code: Annotated[str, Text(32, ascii_only=True)]
    message: Annotated[str, Text(200)]
    version: Annotated[int, VERSION]


@dataclass(frozen=True, slots=True)
class Chair:
    """One chair in the lobby; ``key`` and ``name`` are empty where it is free."""

    key: Annotated[bytes, Size(32, or_empty=True)]
    name: Annotated[str, NAME_OR_NONE]
    bot_level: Annotated[str, BOT_LEVEL]
    owner: Annotated[str, NAME_OR_NONE]


@FAMILY.kind(3)
@dataclass(frozen=True, slots=True)
class LobbyView:
    """The host's word on who is there; binds nobody."""

    title: Annotated[str, Text(40)]
    your_seat: Annotated[int, SEAT]
    chairs: Annotated[tuple[Chair, ...], Items(Record(Chair), 2, 3)]
    rules: Annotated[tuple[tuple[str, str], ...], SWITCHES]

    def verify_whole(self) -> None:
        """Raises WireError unless our chair is one of the chairs."""
        if self.your_seat >= len(self.chairs):
            raise WireError("bad-range", f"seat {self.your_seat} is not at a table of {len(self.chairs)}")


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a proposal: a chair that is taken, and the nonce of its greeting."""

    key: Annotated[bytes, KEY]
    name: Annotated[str, NAME]
    bot_level: Annotated[str, BOT_LEVEL]
    owner: Annotated[str, NAME_OR_NONE]
    nonce: Annotated[bytes, NONCE]


@FAMILY.kind(4)
@dataclass(frozen=True, slots=True)
class Proposal:
    """The table to agree on: version, seats in turn order, rules. Its digest is the table id."""

    version: Annotated[int, VERSION]
    nonce: Annotated[bytes, NONCE]
    chairs: Annotated[tuple[Seat, ...], Items(Record(Seat), 2, 3)]
    rules: Annotated[tuple[tuple[str, str], ...], SWITCHES]


@FAMILY.kind(5)
@dataclass(frozen=True, slots=True)
class Sealed:
    """An envelope, ours or passed on, as its bytes."""

    envelope: Annotated[bytes, Size(1, MAX_ENVELOPE_BYTES)]


@FAMILY.kind(6)
@dataclass(frozen=True, slots=True)
class Again:
    """After a session: this seat would play another. A guest says it of himself, the host passes it on."""

    seat: Annotated[int, SEAT]


Frame: TypeAlias = Hello | Refusal | LobbyView | Proposal | Sealed | Again


def encode_frame(frame: Frame) -> bytes:
    """The bytes of one frame, at most ``MAX_FRAME_BYTES``. Raises LocalError for a field out of its bounds."""
    return FAMILY.encode(frame)


def decode_frame(data: bytes) -> Frame:
    """The frame that ``data`` is the one encoding of. Raises WireError for anything else."""
    return cast("Frame", FAMILY.decode(data))


def decode_hello_version(data: bytes) -> int:
    """Version of the peer's greeting, whatever its version put after that.

    Raises:
        WireError: ``unknown-kind`` when the frame is no ``Hello``, ``bad-text`` when it is not of hocp2p.
    """
    kind, magic, version = decode_prefix(data, 3, MAX_FRAME_BYTES)
    _verify_kind(kind, Hello)
    Exactly(MAGIC).read(magic)
    return VERSION.read(version)


def decode_refusal(data: bytes) -> Refusal:
    """The refusal of a peer of any version; what a later version may have put after our fields is not looked at.

    Raises:
        WireError: ``unknown-kind`` when the frame is no ``Refusal``, or a field is out of its bounds.
    """
    kind, *values = decode_prefix(data, 4, MAX_FRAME_BYTES)
    _verify_kind(kind, Refusal)
    return read_record(Refusal, tuple(values))


def _verify_kind(kind: object, record: type) -> None:
    if kind != FAMILY.number_of(record):
        raise WireError("unknown-kind", f"the frame is no {record.__name__}")


def proposal_id(encoded: bytes) -> bytes:
    """The table id, 32 bytes: SHA-256 of the domain with its length (1 byte) and an encoded ``Proposal``, as sent."""
    return hashlib.sha256(bytes([len(PROPOSAL_DOMAIN)]) + PROPOSAL_DOMAIN + encoded).digest()
