"""The signed envelope: who says what, at which step of which table, after which history.

The signature and the chain's digest cover the body's *bytes*. Whoever receives an envelope verifies first and parses
the body after, and passes on the bytes as they came.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Final, NamedTuple

from hocp2p.errors import WireError
from hocp2p.wire.codec import decode, encode
from hocp2p.wire.messages import DIGEST, MAX_BODY_BYTES, SEAT, STEP, TRACK
from hocp2p.wire.schema import Size, local, read_record, write_record

SIGNATURE_BYTES: Final = 64
MAX_ENVELOPE_BYTES: Final = 17_000
DOMAIN: Final = b"hocp2p/1 envelope"


class Slot(NamedTuple):
    """The place that one seat fills once at one step. Sorts in the order in which messages are applied."""

    track: int
    step: int
    seat: int


@dataclass(frozen=True, slots=True)
class _Fields:
    """The array on the wire."""

    table: Annotated[bytes, DIGEST]
    track: Annotated[int, TRACK]
    step: Annotated[int, STEP]
    seat: Annotated[int, SEAT]
    head: Annotated[bytes, DIGEST]
    body: Annotated[bytes, Size(1, MAX_BODY_BYTES)]
    signature: Annotated[bytes, Size(SIGNATURE_BYTES)]


@dataclass(frozen=True, slots=True)
class Envelope:
    """One signed message. Made by :func:`seal` and :func:`decode_envelope` only, so ``raw`` is always its encoding.

    Args:
        table: table id, 32 bytes.
        track: 0 to 5,000.
        step: 0 to 100,000.
        seat: who says it, 0 to 2.
        head: head of the agreed history as the seat knew it, 32 bytes.
        body: an encoded message, 1 to 16,384 bytes; not looked at here.
        signature: 64 bytes by the seat's identity over :func:`signed_bytes`; not verified here.
        raw: the whole as it goes over the wire, at most ``MAX_ENVELOPE_BYTES``.
    """

    table: bytes
    track: int
    step: int
    seat: int
    head: bytes
    body: bytes
    signature: bytes
    raw: bytes = field(repr=False)

    @property
    def slot(self) -> Slot:
        """The place it fills."""
        return Slot(self.track, self.step, self.seat)

    @property
    def signed(self) -> bytes:
        """The bytes that the signature must be over."""
        return signed_bytes(self.table, self.track, self.step, self.seat, self.head, self.body)

    @property
    def digest(self) -> bytes:
        """32 bytes for the chain: SHA-256 of what was signed, so that a second signature on it changes nothing."""
        return hashlib.sha256(self.signed).digest()


def signed_bytes(table: bytes, track: int, step: int, seat: int, head: bytes, body: bytes) -> bytes:
    """What a seat signs.

    Every field but the last has a fixed width, and the last has its length before it, so no two different sets of
    fields share their bytes: domain with its length (1 byte), table 32, track 4, step 4, seat 1, head 32, length of
    the body 4, body; integers big-endian.

    Raises:
        LocalError: a field is out of its bounds.
    """
    local(write_record, _Fields(table, track, step, seat, head, body, bytes(SIGNATURE_BYTES)))
    place = track.to_bytes(4, "big") + step.to_bytes(4, "big") + seat.to_bytes(1, "big")
    return bytes([len(DOMAIN)]) + DOMAIN + table + place + head + len(body).to_bytes(4, "big") + body


def seal(
    table: bytes, track: int, step: int, seat: int, head: bytes, body: bytes, sign: Callable[[bytes], bytes]
) -> Envelope:
    """Signs ``body`` for a slot.

    Args:
        table, track, step, seat, head, body: as in :class:`Envelope`.
        sign: gives the 64-byte signature over the bytes it is handed.

    Raises:
        LocalError: a field, or the signature, is out of its bounds.
    """
    signature = sign(signed_bytes(table, track, step, seat, head, body))
    raw = encode(local(write_record, _Fields(table, track, step, seat, head, body, signature)))
    return Envelope(table, track, step, seat, head, body, signature, raw)


def decode_envelope(data: bytes) -> Envelope:
    """The envelope in ``data``: its form only, neither signature nor body are verified.

    Raises:
        WireError: not the one encoding of an envelope within bounds.
    """
    values = decode(data, MAX_ENVELOPE_BYTES)
    if type(values) is not tuple:
        raise WireError("bad-type", "an envelope is an array")
    it = read_record(_Fields, values)
    return Envelope(it.table, it.track, it.step, it.seat, it.head, it.body, it.signature, data)
