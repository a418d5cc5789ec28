"""The certificate of a player: one form, one for each key, and nothing else is taken for one."""

from __future__ import annotations

import datetime
import hashlib
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.errors import LinkError
from hocp2p.net.certificate import CERTIFICATE_BYTES, KEY_BYTES, key_of, make_certificate, pin_of

SEEDS = st.binary(min_size=32, max_size=32)
SEED = bytes(range(32))
# Made once, and compared with what the openssl program says of it.
DER = bytes.fromhex(
    "3081d0308183a003020102020101300506032b65703011310f300d06035504030c06686f637032703020170d373030313031"
    "3030303030305a180f39393939313233313233353935395a3011310f300d06035504030c06686f63703270302a300506032b"
    "657003210003a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8300506032b65700341001c5923"
    "de4b768ff3a27815ad4ba8521b0f151a196d791bef976044d5c5b08c4e0e4ad0ca6e72b2206627b82ce86c0652b6be0a704a"
    "00e2fb88a99b19a035450a"
)


def code_of(der: bytes) -> str:
    with pytest.raises(LinkError) as caught:
        key_of(der)
    assert "\n" not in caught.value.message
    return caught.value.code


def made_by_others(private: Any, algorithm: hashes.SHA256 | None, **changes: Any) -> bytes:
    """A certificate of our form as another library makes it, but for the key or what else is changed."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, changes.get("name", "hocp2p"))])
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .serial_number(changes.get("serial", 1))
        .not_valid_before(datetime.datetime(changes.get("year", 1970), 1, 1, tzinfo=datetime.UTC))
        .not_valid_after(datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC))
        .public_key(private.public_key())
        .sign(private, algorithm)
        .public_bytes(Encoding.DER)
    )


def test_a_fixed_seed_has_a_fixed_certificate() -> None:
    made = make_certificate(SEED)
    assert made.der == DER
    assert made.pin == hashlib.sha256(DER).digest()[:16] == bytes.fromhex("97ce3139748ccb919dc146226168a4a9")
    assert made.key == bytes.fromhex("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8")


@given(SEEDS)
def test_it_is_what_another_library_makes_of_the_same_key(seed: bytes) -> None:
    private = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
    made = make_certificate(seed)
    assert made.der == made_by_others(private, None)
    assert len(made.der) == CERTIFICATE_BYTES
    assert made.key == key_of(made.der) == private.public_key().public_bytes_raw()
    assert made.pin == pin_of(made.der)


def test_another_library_reads_it() -> None:
    found = x509.load_der_x509_certificate(make_certificate(SEED).der)
    found.verify_directly_issued_by(found)
    assert found.version is x509.Version.v3
    assert found.not_valid_before_utc.year == 1970
    assert found.not_valid_after_utc.year == 9999


@given(st.integers(0, CERTIFICATE_BYTES * 8 - 1))
def test_no_bit_of_it_can_be_changed(bit: int) -> None:
    changed = bytearray(DER)
    changed[bit // 8] ^= 1 << bit % 8
    assert code_of(bytes(changed)) == "bad-certificate"


@given(st.one_of(st.binary(max_size=400), st.integers(0, CERTIFICATE_BYTES - 1).map(lambda size: DER[:size])))
def test_anything_else_is_none(der: bytes) -> None:
    assert code_of(der) == "bad-certificate"
    assert code_of(DER + der[:1] + b"\0") == "bad-certificate"


@pytest.mark.parametrize(
    "private",
    [ec.generate_private_key(ec.SECP256R1()), rsa.generate_private_key(65537, 2048)],
    ids=["ECDSA", "RSA"],
)
def test_another_kind_of_key(private: Any) -> None:
    assert code_of(made_by_others(private, hashes.SHA256())) == "bad-certificate"


@pytest.mark.parametrize("change", [{"name": "hocp3p"}, {"serial": 2}, {"year": 1971}])
def test_another_certificate_of_the_same_key(change: dict[str, Any]) -> None:
    """One key, one certificate: else pin and key would not say the same."""
    private = ed25519.Ed25519PrivateKey.from_private_bytes(SEED)
    assert len(made_by_others(private, None, **change)) == CERTIFICATE_BYTES
    assert code_of(made_by_others(private, None, **change)) == "bad-certificate"


def test_the_secret_seed_is_not_in_it() -> None:
    assert SEED not in make_certificate(SEED).der
    assert len(make_certificate(SEED).key) == KEY_BYTES
    assert "der" not in repr(make_certificate(SEED))
