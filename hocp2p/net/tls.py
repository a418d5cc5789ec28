"""TLS between players (RFC 8446): version 1.3 alone, no resumption, and who has to answer where one dials."""

from __future__ import annotations

import os
import secrets
import ssl
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hocp2p.errors import LinkError
from hocp2p.net.certificate import key_of, make_certificate, pin_of

SERVER_NAME: Final = "hocp2p"
"""What a dialler says that he looks for (RFC 6066, 3): the same everywhere, whatever the address is."""


@dataclass(frozen=True, slots=True)
class Trust:
    """Who has to answer; what is given has to hold.

    Args:
        pin: first 16 bytes of the SHA-256 of the certificate, as in an invite; None: any.
        key: identity key, 32 bytes; None: any.
    """

    pin: bytes | None = None
    key: bytes | None = None

    def verify(self, der: bytes) -> bytes:
        """The identity key (32 bytes) in the certificate of who answers.

        Raises:
            LinkError: ``bad-certificate``, no player's; ``key-mismatch``, another player's.
        """
        key = key_of(der)
        if self.pin not in (None, pin_of(der)) or self.key not in (None, key):
            raise LinkError(
                "key-mismatch",
                "SOMEBODY ELSE ANSWERS at that address, or the host has a new key; nothing was said to whoever it is: "
                "ask the host for a new invite",
            )
        return key


ANYBODY: Final = Trust()


def server_context(seed: bytes) -> ssl.SSLContext:
    """For who is dialled: shows the certificate of the identity with this seed (32 secret bytes)."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _harden(context)
    context.num_tickets = 0
    # The ssl module reads keys from files alone. So it gets one that nobody else can read and that is gone at once; and
    # since what was removed may still stand on the disk, it is enciphered with a password that is never written.
    password = secrets.token_hex(32)
    with tempfile.TemporaryDirectory(prefix="hocp2p-") as folder:
        path = Path(folder) / "key.pem"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(_pem(seed, password))
        context.load_cert_chain(path, password=password)
    return context


def client_context() -> ssl.SSLContext:
    """For who dials.

    No authority vouches for a player, so the ssl module is told to take any certificate. The dialler compares it with
    :class:`Trust` before he says a word; that the other side owns its key is proved by the handshake itself, whatever
    is made of the certificate (RFC 8446, 4.4.3).
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    _harden(context)
    return context


def _harden(context: ssl.SSLContext) -> None:
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_3
    context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_TICKET | ssl.OP_NO_RENEGOTIATION


def _pem(seed: bytes, password: str) -> bytes:
    key = Ed25519PrivateKey.from_private_bytes(seed).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password.encode("ascii")),
    )
    return key + ssl.DER_cert_to_PEM_cert(make_certificate(seed).der).encode("ascii")
