"""Invites: everything that a guest needs to reach a table and to be let in, as one word to be sent to him.

    hoc1-<letters>      kind (1), address, port (2), pin (16), secret (10), checksum (2), in Crockford's base 32

The kind says what the address is: 1 an IPv4 address (4 bytes), 2 an IPv6 address (16), 3 a host name (its length in one
byte, then ASCII). Numbers are big-endian; what remains of the last letter is zero. The checksum is CRC-16 (CCITT,
polynomial 0x1021, beginning with 0) over ``hoc1`` and all bytes before it: it finds every single wrong letter and every
pair of neighbours that changed places, which a hash of two bytes only mostly does. It guards against slips and not
against people; the pin and the secret do that.
"""

from __future__ import annotations

import binascii
import ipaddress
import re
from dataclasses import dataclass, field
from typing import Final

from hocp2p.errors import LocalError
from hocp2p.net.address import Address, parse_address, verify_port

PREFIX: Final = "hoc1-"
PIN_BYTES: Final = 16
SECRET_BYTES: Final = 10

_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_BITS: Final = 5  # of a letter
_LOOK_ALIKES: Final = str.maketrans("oil", "011")
_IPV4, _IPV6, _NAME = 1, 2, 3
_ADDRESS_BYTES: Final = {_IPV4: 4, _IPV6: 16}
_REST_BYTES: Final = 2 + PIN_BYTES + SECRET_BYTES + 2  # port, pin, secret, checksum
_MAX_TEXT: Final = 4096  # characters looked at, some ten times the longest invite

_COMMAND: Final = re.compile(r".*\bjoin\s+(?!\s)", re.DOTALL | re.IGNORECASE)
_AROUND: Final = "<>()[]{}\"'`“”„‘’«»‹›*_,;.!|$ \t\r\n"
# Spaces, hyphens and dashes of every kind, and what is not seen: mail and chat programs put them in.
_BETWEEN: Final = re.compile(r"[\s\-\u00ad\u200b-\u200f\u2010-\u2015\u2060\u2212\ufeff]+")
_HEAD: Final = re.compile(
    r"h[o0]c(?P<version>[0-9]{1,3}(?=[\s\-\u2010-\u2015\u2212])|[0-9il](?=[\s\-\u2010-\u2015\u2212]|[0-9a-z]{16}))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Invite:
    """What an invite says.

    Args:
        address: where the table is to be reached, port 1..65535.
        pin: 16 bytes, the first of the SHA-256 of the table's certificate.
        secret: 10 bytes that let one in; not shown by ``repr``.

    Raises:
        LocalError: ``bad-invite`` for a pin or secret of another size, ``bad-address`` for an address that no invite
            can hold: a port that is none, a zone (``fe80::1%eth0``), which means something else on every machine.
    """

    address: Address
    pin: bytes
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.pin) != PIN_BYTES or len(self.secret) != SECRET_BYTES:
            raise LocalError("bad-invite", f"an invite has a pin of {PIN_BYTES} and a secret of {SECRET_BYTES} bytes")
        verify_port(self.address.port)
        if "%" in self.address.host:
            raise LocalError("bad-address", f"{self.address.host} is an address on this machine's link alone")
        parse_address(str(self.address))


def format_invite(invite: Invite) -> str:
    """The word to be sent: 61 characters for an IPv4 address, 81 for IPv6, small letters without look-alikes."""
    return PREFIX + _format_base32(_encode(invite))


def parse_invite(text: str) -> Invite:
    """What an invite says, however it was pasted: in capitals, broken into lines, quoted, after ``hocp2p join``.

    O is read as 0, I and L as 1. Nothing is asked of the network.

    Raises:
        LocalError: ``half-invite``, something is missing at its end; ``mistyped-invite``, a letter is wrong or there
            are too many; ``other-version``; ``bad-invite``, it is no invite at all.
    """
    head = _HEAD.match(_unwrap(text))
    if head is None:
        raise LocalError("bad-invite", f"that is no invite: an invite begins with {PREFIX}")
    if head["version"] not in ("1", "i", "I", "l", "L"):
        told = f"this invite begins with hoc{head['version']}-, and this version of hocp2p reads {PREFIX}"
        raise LocalError("other-version", f"{told}; the older of the two versions must be updated")
    letters = _BETWEEN.sub("", head.string[head.end() :]).lower().translate(_LOOK_ALIKES)
    return _decode(*_parse_base32(letters))


def is_invite(text: str) -> bool:
    """Whether ``text`` is meant as an invite, be it damaged or of another version, and not as HOST:PORT.

    A host whose name begins with ``hoc1-`` can be given with its port.
    """
    plain = _unwrap(text)
    return _HEAD.match(plain) is not None and ":" not in plain and "." not in plain


def _unwrap(text: str) -> str:
    """Without the command before it, and quotes, brackets and stops around it."""
    return _COMMAND.sub("", text[:_MAX_TEXT].strip(_AROUND), count=1).strip(_AROUND)


def _encode(invite: Invite) -> bytes:
    host, port = invite.address
    try:
        packed = ipaddress.ip_address(host).packed
        where = bytes([_IPV4 if len(packed) == 4 else _IPV6]) + packed
    except ValueError:
        where = bytes([_NAME, len(host)]) + host.encode("ascii")
    body = where + port.to_bytes(2) + invite.pin + invite.secret
    return body + _checksum(body)


def _checksum(body: bytes) -> bytes:
    return binascii.crc_hqx(PREFIX[:-1].encode() + body, 0).to_bytes(2)


def _decode(data: bytes, whole: bool) -> Invite:
    """Raises as :func:`parse_invite`."""
    size = _size_bytes(data)
    if size is None or len(data) < size:
        raise LocalError("half-invite", "this is a part of an invite: its end is missing; copy all of it")
    if len(data) > size or not whole or _checksum(data[:-2]) != data[-2:]:
        raise LocalError("mistyped-invite", "the invite is not right: a letter is wrong, or there is one too many")
    body = data[1:-2]
    where, port = body[: -SECRET_BYTES - PIN_BYTES - 2], int.from_bytes(body[-SECRET_BYTES - PIN_BYTES - 2 :][:2])
    pin, secret = body[-SECRET_BYTES - PIN_BYTES : -SECRET_BYTES], body[-SECRET_BYTES:]
    try:
        host = where[1:].decode("ascii") if data[0] == _NAME else str(ipaddress.ip_address(where))
        invite = Invite(Address(host, port), pin, secret)
    except (UnicodeError, LocalError) as error:
        raise LocalError("bad-invite", "the invite names no address that can be dialled; ask for a new one") from error
    if _encode(invite) != data:  # an IP address written as a name
        raise LocalError("bad-invite", "the invite is not written as hocp2p writes it; ask for a new one")
    return invite


def _size_bytes(data: bytes) -> int | None:
    """How long an invite that begins like this is; None where too little is there to tell.

    Raises LocalError ``mistyped-invite`` for a kind that does not exist.
    """
    if not data or (data[0] == _NAME and len(data) < 2):
        return None
    if data[0] == _NAME:
        return 2 + data[1] + _REST_BYTES
    if data[0] not in _ADDRESS_BYTES:
        raise LocalError("mistyped-invite", "the invite is not right: one of its first letters is wrong")
    return 1 + _ADDRESS_BYTES[data[0]] + _REST_BYTES


def _format_base32(data: bytes) -> str:
    """Crockford's letters, the highest bits first; the last letter is filled with zeros."""
    count = -(-len(data) * 8 // _BITS)
    bits = int.from_bytes(data) << count * _BITS - len(data) * 8
    return "".join(_LETTERS[bits >> shift & 31] for shift in range((count - 1) * _BITS, -1, -_BITS))


def _parse_base32(text: str) -> tuple[bytes, bool]:
    """The bytes, and whether these letters are what is written for them: no letter too many, zeros at the end.

    Raises LocalError ``mistyped-invite`` for what is no letter.
    """
    bits = 0
    for letter in text:
        value = _LETTERS.find(letter)
        if value < 0:
            raise LocalError("mistyped-invite", f"the invite is not right: {letter!r} is no letter of an invite")
        bits = bits << _BITS | value
    size_bytes, spare_bits = divmod(len(text) * _BITS, 8)
    whole = spare_bits < _BITS and bits & (1 << spare_bits) - 1 == 0
    return (bits >> spare_bits).to_bytes(size_bytes), whole
