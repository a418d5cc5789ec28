"""TLS between players who know each other's keys: the certificate of a player is his identity key, signed by itself.

There is no authority: who dials knows what the certificate has to be, from an invite (the first 16 bytes of its
SHA-256) or from the table (the key in it). The certificate is the same whenever it is made, so it needs no file.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import ssl
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.x509.oid import NameOID

from hocp2p.errors import LinkError

PIN_BYTES: Final = 16
MAX_CERTIFICATE_BYTES: Final = 2048
_NAME: Final = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hocp2p")])
_FROM: Final = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
_TO: Final = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)  # RFC 5280 4.1.2.5: no end
_SERIAL: Final = 1


class Certificate(NamedTuple):
    """A certificate.

    Args:
        der: as it goes over the wire.
        key: identity key in it, 32 bytes.
    """

    der: bytes
    key: bytes

    @property
    def pin(self) -> bytes:
        """16 bytes, as in an invite."""
        return hashlib.sha256(self.der).digest()[:PIN_BYTES]


def make_certificate(seed: bytes) -> Certificate:
    """The certificate of the identity with this secret seed (32 bytes). Ed25519 signs the same in the same way."""
    return _make(Ed25519PrivateKey.from_private_bytes(seed))


def _make(private: Ed25519PrivateKey) -> Certificate:
    public = private.public_key()
    builder = x509.CertificateBuilder().subject_name(_NAME).issuer_name(_NAME).serial_number(_SERIAL)
    made = builder.not_valid_before(_FROM).not_valid_after(_TO).public_key(public).sign(private, None)
    return Certificate(made.public_bytes(serialization.Encoding.DER), public.public_bytes_raw())


def read_certificate(der: bytes) -> Certificate:
    """The certificate of a peer. Raises LinkError ``bad-certificate`` unless it is an Ed25519 key signed by itself."""
    try:
        if len(der) > MAX_CERTIFICATE_BYTES:
            raise ValueError("too long")
        found = x509.load_der_x509_certificate(der)
        public = found.public_key()
        if not isinstance(public, Ed25519PublicKey):
            raise TypeError("another kind of key")
        public.verify(found.signature, found.tbs_certificate_bytes)
    except (ValueError, TypeError, InvalidSignature, x509.InvalidVersion) as error:
        raise LinkError("bad-certificate", "what answers there is not hocp2p: it has another kind of key") from error
    return Certificate(der, public.public_bytes_raw())


def server_context(seed: bytes) -> ssl.SSLContext:
    """TLS 1.3 for who is dialled, with the certificate of this identity."""
    private = Ed25519PrivateKey.from_private_bytes(seed)
    certificate = ssl.DER_cert_to_PEM_cert(_make(private).der)
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    key = private.private_bytes(encoding, form, serialization.NoEncryption()).decode("ascii")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _harden(context)
    # The ssl module reads keys from files alone: one that nobody else can read, and that is gone at once.
    with tempfile.TemporaryDirectory(prefix="hocp2p-") as folder:
        path = Path(folder) / "key.pem"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(key + certificate)
        context.load_cert_chain(path)
    return context


def client_context() -> ssl.SSLContext:
    """TLS 1.3 for who dials.

    No authority vouches for a player, so the ssl module is told to accept any certificate; the dialler compares it
    before it says a word (:func:`hocp2p.net.websocket.dial`). That the other side has the key of the certificate it
    shows is proved by the handshake itself (RFC 8446, 4.4.3).
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    _harden(context)
    return context


def _harden(context: ssl.SSLContext) -> None:
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_TICKET
    if hasattr(context, "num_tickets") and context.protocol is ssl.PROTOCOL_TLS_SERVER:
        context.num_tickets = 0
