"""Identity keys against RFC 8032; fingerprints."""

from __future__ import annotations

import re

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from hocp2p.crypto.identity import Identity, fingerprint, verify_signature
from hocp2p.errors import CryptoError
from tests.support.rfc_vectors import ED25519_VECTORS

ALICE = Identity.from_seed(bytes(range(32)))
P = 2**255 - 19
Y_OF_ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7


def assert_refused(public: bytes, message: bytes, signature: bytes) -> None:
    with pytest.raises(CryptoError) as caught:
        verify_signature(public, message, signature)
    assert caught.value.code == "bad-signature"


@pytest.mark.parametrize(("seed", "public", "message", "signature"), ED25519_VECTORS)
def test_rfc_8032(seed: str, public: str, message: str, signature: str) -> None:
    """R-019."""
    identity = Identity.from_seed(bytes.fromhex(seed))
    assert identity.public.hex() == public
    assert identity.sign(bytes.fromhex(message)).hex() == signature
    assert identity.seed().hex() == seed
    verify_signature(identity.public, bytes.fromhex(message), bytes.fromhex(signature))


def test_every_changed_bit_is_noticed() -> None:
    """R-019."""
    signature = ALICE.sign(b"message")
    for bit in range(512):
        changed = (int.from_bytes(signature, "little") ^ 1 << bit).to_bytes(64, "little")
        assert_refused(ALICE.public, b"message", changed)
    assert_refused(ALICE.public, b"massage", signature)
    assert_refused(Identity.from_seed(bytes(32)).public, b"message", signature)


@pytest.mark.parametrize("length_bytes", [0, 31, 33, 63, 65])
def test_lengths_are_exact(length_bytes: int) -> None:
    signature = ALICE.sign(b"message")
    assert_refused((ALICE.public * 3)[:length_bytes], b"message", signature)
    assert_refused(ALICE.public, b"message", (signature * 2)[:length_bytes])
    with pytest.raises(CryptoError, match="seed"):
        Identity.from_seed(bytes(length_bytes))


@pytest.mark.parametrize("sign", [0, 1])
@pytest.mark.parametrize("y", [0, 1, Y_OF_ORDER_8, P - Y_OF_ORDER_8, P - 1, P, P + 1])
def test_keys_under_which_anybody_signs_are_refused(y: int, sign: int) -> None:
    """The library alone lets the signature R = neutral element, s = 0 pass for at least every eighth message.

    R-020.
    """
    public = (y | sign << 255).to_bytes(32, "little")
    forged = (1).to_bytes(32, "little") + bytes(32)
    passed = [message for message in (b"%d" % number for number in range(200)) if passes(public, message, forged)]
    assert passed
    for message in passed:
        assert_refused(public, message, forged)


def passes(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def test_fingerprints_are_read_aloud_and_depend_on_the_key() -> None:
    prints = {fingerprint(bytes([number]) * 32) for number in range(100)}
    assert len(prints) == 100
    assert all(re.fullmatch("[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}", text) for text in prints)
    # SHA-256 of b"hocp2p/1 fingerprint" and 32 zero bytes begins with fddb7e2e1b
    assert fingerprint(bytes(32)) == "zqdq-wbgv"


def test_the_seed_does_not_show() -> None:
    assert repr(ALICE) == f"Identity({fingerprint(ALICE.public)})"
    assert ALICE.seed().hex() not in repr(vars(ALICE))
