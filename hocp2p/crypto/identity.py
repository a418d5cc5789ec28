"""Identity keys: Ed25519 (RFC 8032), one a player, kept over tables. They sign everything; the deck keys are others."""

from __future__ import annotations

import hashlib
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from hocp2p.errors import CryptoError

SEED_BYTES: Final = 32
PUBLIC_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

_CROCKFORD: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_FINGERPRINT_BITS: Final = 40
_SIGN_BIT: Final = 1 << 255
_P: Final = 2**255 - 19
# y coordinates of the points whose order divides 8, in every encoding. With such a key anybody can sign: the zero
# signature holds for one message in eight, or for all.
_Y_OF_ORDER_8: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_ORDER: Final = frozenset({0, 1, _Y_OF_ORDER_8, _P - _Y_OF_ORDER_8, _P - 1, _P, _P + 1})


class Identity:
    """A player's own key pair; ``public`` is the public key, 32 bytes."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public: Final[bytes] = key.public_key().public_bytes_raw()

    @classmethod
    def from_seed(cls, seed: bytes) -> Identity:
        """The identity with this secret seed of 32 bytes. Raises CryptoError ``bad-seed``."""
        if len(seed) != SEED_BYTES:
            raise CryptoError("bad-seed", f"an identity has a seed of {SEED_BYTES} bytes")
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    def seed(self) -> bytes:
        """The 32 secret bytes, to keep them in a file."""
        return self._key.private_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """A signature of 64 bytes."""
        return self._key.sign(message)

    def __repr__(self) -> str:
        return f"Identity({fingerprint(self.public)})"


def verify_signature(public: bytes, message: bytes, signature: bytes) -> None:
    """Raises CryptoError ``bad-signature`` unless ``public`` (32 bytes) signed ``message``.

    Keys of small order are refused too: under them anybody can sign.
    """
    if len(public) != PUBLIC_BYTES or int.from_bytes(public, "little") & ~_SIGN_BIT in _SMALL_ORDER:
        raise CryptoError("bad-signature", "not a key that can sign")
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError) as error:
        raise CryptoError("bad-signature", "the signature does not hold") from error


def fingerprint(public: bytes) -> str:
    """8 characters to read aloud, ``5k2m-q7rt``: 40 bits of SHA-256 in Crockford's base 32, small letters.

    Good to tell keys apart, too short to stand for a key where somebody may search for a collision.
    """
    digest = hashlib.sha256(b"hocp2p/1 fingerprint" + public).digest()
    bits = int.from_bytes(digest[: _FINGERPRINT_BITS // 8], "big")
    letters = "".join(_CROCKFORD[bits >> shift & 31] for shift in range(_FINGERPRINT_BITS - 5, -1, -5))
    return f"{letters[:4]}-{letters[4:]}"
