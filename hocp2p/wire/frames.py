"""What goes over a link between two peers: the greeting, the lobby, and the envelopes that they pass on.

``Challenge``, ``Hello`` and ``Refusal`` begin alike in every version, so that peers of different versions can still
tell each other so: see :func:`decode_challenge_version`, :func:`decode_hello_version` and :func:`decode_refusal`. All
texts are fit to be shown (``wire.text``).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Annotated, Final, TypeAlias, cast

from hocp2p.errors import WireError
from hocp2p.wire.codec import decode_prefix
from hocp2p.wire.envelope import MAX_ENVELOPE_BYTES
from hocp2p.wire.messages import CARRY, JETONS_OWNED, MAX_DEALS, SEAT, STEP, TRACK
from hocp2p.wire.schema import Exactly, Family, Items, Nested, Pair, Range, Size, Text, read_record

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
SECRET_BYTES: Final = 10
SECRET: Final = Size(SECRET_BYTES, or_empty=True)
PROOF: Final = Size(64)
SWITCHES: Final = Items(Pair(Text(32), Text(64)), 0, 16)

FAMILY: Final = Family("frame", MAX_FRAME_BYTES)


@FAMILY.kind(1)
@dataclass(frozen=True, slots=True)
class Hello:
    """Who has dialled asks for a chair.

    Args:
        version: of the protocol.
        key: public identity key, 32 bytes.
        name: as the player calls himself.
        bot_level: empty for a person.
        owner: name of the person who runs the bot; empty for a person.
        nonce: 32 fresh bytes.
        secret: of the invite, 10 bytes; empty: the host is asked to let us in.
        proof: signature over :func:`hello_statement`.
    """

    magic: Annotated[str, Exactly(MAGIC)] = field(default=MAGIC, kw_only=True)
    version: Annotated[int, VERSION]
    key: Annotated[bytes, KEY]
    name: Annotated[str, NAME]
    bot_level: Annotated[str, BOT_LEVEL]
    owner: Annotated[str, NAME_OR_NONE]
    nonce: Annotated[bytes, NONCE]
    secret: Annotated[bytes, SECRET] = field(repr=False)
    proof: Annotated[bytes, PROOF]


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
    chairs: Annotated[tuple[Chair, ...], Items(Nested(Chair), 2, 3)]
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


@dataclass(frozen=True, slots=True)
class Continued:
    """The table before, which this one goes on with after a seat was lost, and where the session stands.

    Args:
        table: id of the table before, 32 bytes.
        head: final head of its play track that was signed last, or of its draw; 32 zero bytes where neither was.
        number, dealer: of the coming deal.
        balances: by seat of this table; a seat that is new at it has those of the lost seat.
        carry: jetons in the three pools.
        doubled: stakes whose payments are doubled in the coming deal, ascending.
    """

    table: Annotated[bytes, Size(32)]
    head: Annotated[bytes, Size(32)]
    number: Annotated[int, Range(1, MAX_DEALS)]
    dealer: Annotated[int, SEAT]
    balances: Annotated[tuple[int, ...], Items(JETONS_OWNED, 2, 3)]
    carry: Annotated[tuple[int, ...], CARRY]
    doubled: Annotated[tuple[int, ...], Items(Range(0, 2), 0, 3)]


@FAMILY.kind(4)
@dataclass(frozen=True, slots=True)
class Proposal:
    """The table to agree on: version, seats in turn order, rules. Its digest is the table id.

    ``continues`` holds one record where a session goes on at a new table, else none.
    """

    version: Annotated[int, VERSION]
    nonce: Annotated[bytes, NONCE]
    chairs: Annotated[tuple[Seat, ...], Items(Nested(Seat), 2, 3)]
    rules: Annotated[tuple[tuple[str, str], ...], SWITCHES]
    continues: Annotated[tuple[Continued, ...], Items(Nested(Continued), 0, 1)] = ()

    def verify_whole(self) -> None:
        """Raises WireError unless what is continued fits the chairs."""
        for continued in self.continues:
            if len(continued.balances) != len(self.chairs) or continued.dealer >= len(self.chairs):
                raise WireError("bad-count", "what is continued is of another number of seats")


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


@FAMILY.kind(7)
@dataclass(frozen=True, slots=True)
class Challenge:
    """First frame on every link, from the side that was dialled.

    Args:
        version: of the protocol.
        key: its public identity key; on a link with a certificate, the certificate's.
        nonce: 32 fresh bytes, for the proof of the side that dialled.
    """

    magic: Annotated[str, Exactly(MAGIC)] = field(default=MAGIC, kw_only=True)
    version: Annotated[int, VERSION]
    key: Annotated[bytes, KEY]
    nonce: Annotated[bytes, NONCE]


@FAMILY.kind(8)
@dataclass(frozen=True, slots=True)
class Return:
    """Who has dialled is a seat of a table that was agreed on, and links to it anew.

    Args:
        version: of the protocol.
        table: its id, 32 bytes.
        seat: who links.
        proof: signature over :func:`return_statement`.
    """

    magic: Annotated[str, Exactly(MAGIC)] = field(default=MAGIC, kw_only=True)
    version: Annotated[int, VERSION]
    table: Annotated[bytes, Size(32)]
    seat: Annotated[int, SEAT]
    proof: Annotated[bytes, PROOF]


@FAMILY.kind(9)
@dataclass(frozen=True, slots=True)
class Standing:
    """How far a side is, so that the other sends what it misses.

    Args:
        table: id of the table, 32 bytes.
        tracks: number and present step of its tracks, those that ended lately with their last step; ascending.
        heard: by seat, the number of the next thing beside the game that it has not heard.
    """

    table: Annotated[bytes, Size(32)]
    tracks: Annotated[tuple[tuple[int, int], ...], Items(Pair(TRACK, STEP), 1, 16)]
    heard: Annotated[tuple[int, ...], Items(STEP, 2, 3)]


@FAMILY.kind(10)
@dataclass(frozen=True, slots=True)
class Hears:
    """The other seats to which this side has links. A hint for people; decides nothing."""

    seats: Annotated[tuple[int, ...], Items(SEAT, 0, 2)]


Frame: TypeAlias = (
    Hello | Refusal | LobbyView | Proposal | Sealed | Again | Challenge | Return | Standing | Hears
)  # fmt: skip


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
    return _decode_version(data, Hello)


def decode_refusal(data: bytes) -> Refusal:
    """The refusal of a peer of any version; what a later version may have put after our fields is not looked at.

    Raises:
        WireError: ``unknown-kind`` when the frame is no ``Refusal``, or a field is out of its bounds.
    """
    kind, *values = decode_prefix(data, 4, MAX_FRAME_BYTES)
    _verify_kind(kind, Refusal)
    return read_record(Refusal, tuple(values))


def decode_challenge_version(data: bytes) -> int:
    """Version of the side that was dialled, whatever its version put after that.

    Raises:
        WireError: ``unknown-kind`` when the frame is no ``Challenge``, ``bad-text`` when it is not of hocp2p.
    """
    return _decode_version(data, Challenge)


def hello_statement(challenge: Challenge, key: bytes, nonce: bytes) -> bytes:
    """What the key in a ``Hello`` signs: that it greets the side that sent this challenge, and nobody else."""
    return b"hocp2p/1 hello" + challenge.key + challenge.nonce + key + nonce


def return_statement(challenge: Challenge, table: bytes, seat: int) -> bytes:
    """What the key of a seat signs in a ``Return``."""
    return b"hocp2p/1 return" + challenge.key + challenge.nonce + table + bytes([seat])


def proposal_id(encoded: bytes) -> bytes:
    """The table id, 32 bytes: SHA-256 of the domain with its length (1 byte) and an encoded ``Proposal``, as sent."""
    return hashlib.sha256(bytes([len(PROPOSAL_DOMAIN)]) + PROPOSAL_DOMAIN + encoded).digest()


def _decode_version(data: bytes, record: type[Hello | Challenge]) -> int:
    """The third item of a frame that begins with its kind, the magic word and the version."""
    kind, magic, version = decode_prefix(data, 3, MAX_FRAME_BYTES)
    _verify_kind(kind, record)
    Exactly(MAGIC).read(magic)
    return VERSION.read(version)


def _verify_kind(kind: object, record: type) -> None:
    if kind != FAMILY.number_of(record):
        raise WireError("unknown-kind", f"the frame is no {record.__name__}")
