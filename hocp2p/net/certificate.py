"""The certificate of a player: his identity key, signed by itself.

It is a function of the key alone: serial number, name and validity are fixed, and Ed25519 signs the same bytes in the
same way (RFC 8032). So it needs no file, it is the same after every restart, and every one of them has the same form,
that of RFC 5280 with the algorithm of RFC 8410: fixed bytes, the key, fixed bytes, the signature. What a stranger shows
is compared with that form and never parsed.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from hocp2p.errors import LinkError

PIN_BYTES: Final = 16
KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64


def _der(tag: int, *parts: bytes) -> bytes:
    """One value in DER (X.690), of up to 255 bytes."""
    content = b"".join(parts)
    length = bytes([len(content)]) if len(content) < 0x80 else bytes([0x81, len(content)])
    return bytes([tag]) + length + content


_INTEGER, _BIT_STRING, _OBJECT, _TEXT, _SHORT_TIME, _LONG_TIME = 0x02, 0x03, 0x06, 0x0C, 0x17, 0x18
_SEQUENCE, _SET, _VERSION = 0x30, 0x31, 0xA0
_ED25519: Final = _der(_SEQUENCE, _der(_OBJECT, bytes.fromhex("2b6570")))  # 1.3.101.112
_COMMON_NAME: Final = _der(_OBJECT, bytes.fromhex("550403"))  # 2.5.4.3
_NAME: Final = _der(_SEQUENCE, _der(_SET, _der(_SEQUENCE, _COMMON_NAME, _der(_TEXT, b"hocp2p"))))
# From the first second of Unix to the time that stands for "no end" (RFC 5280, 4.1.2.5).
_VALIDITY: Final = _der(_SEQUENCE, _der(_SHORT_TIME, b"700101000000Z"), _der(_LONG_TIME, b"99991231235959Z"))
_VERSION_3: Final = _der(_VERSION, _der(_INTEGER, b"\x02"))
_SERIAL: Final = _der(_INTEGER, b"\x01")


def _signed_part(key: bytes) -> bytes:
    """TBSCertificate of RFC 5280, 4.1."""
    public = _der(_SEQUENCE, _ED25519, _der(_BIT_STRING, b"\0", key))
    return _der(_SEQUENCE, _VERSION_3, _SERIAL, _ED25519, _NAME, _VALIDITY, _NAME, public)


def _whole(key: bytes, signature: bytes) -> bytes:
    return _der(_SEQUENCE, _signed_part(key), _ED25519, _der(_BIT_STRING, b"\0", signature))


_MARK: Final = b"\xff" * KEY_BYTES
_MARKED: Final = _whole(_MARK, bytes(SIGNATURE_BYTES))
CERTIFICATE_BYTES: Final = len(_MARKED)
_KEY_AT: Final = _MARKED.index(_MARK)


@dataclass(frozen=True, slots=True)
class Certificate:
    """The certificate of an identity.

    Args:
        der: as it goes over the wire, ``CERTIFICATE_BYTES`` long.
    """

    der: bytes = field(repr=False)

    @property
    def pin(self) -> bytes:
        """16 bytes, as in an invite."""
        return pin_of(self.der)

    @property
    def key(self) -> bytes:
        """Public identity key in it, 32 bytes."""
        return self.der[_KEY_AT : _KEY_AT + KEY_BYTES]


def make_certificate(seed: bytes) -> Certificate:
    """The certificate of the identity with this seed (32 secret bytes)."""
    private = Ed25519PrivateKey.from_private_bytes(seed)
    key = private.public_key().public_bytes_raw()
    return Certificate(_whole(key, private.sign(_signed_part(key))))


def pin_of(der: bytes) -> bytes:
    """The first 16 bytes of the SHA-256 of any certificate."""
    return hashlib.sha256(der).digest()[:PIN_BYTES]


def key_of(der: bytes) -> bytes:
    """The identity key (32 bytes) in a certificate that a peer shows.

    Raises:
        LinkError: ``bad-certificate``, it is none that :func:`make_certificate` makes.
    """
    key, signature = Certificate(der).key, der[-SIGNATURE_BYTES:]
    try:
        if len(der) != CERTIFICATE_BYTES or der != _whole(key, signature):
            raise ValueError("another form")
        Ed25519PublicKey.from_public_bytes(key).verify(signature, _signed_part(key))
    except (ValueError, InvalidSignature) as error:
        raise LinkError(
            "bad-certificate",
            "what answers there is not a hocp2p table: its certificate is none of ours; check host and port",
        ) from error
    return key
