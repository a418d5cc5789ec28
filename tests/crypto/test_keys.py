"""Key shares: the payload holds, is bound to its place, and the joint key is the sum."""

from __future__ import annotations

import pytest

from hocp2p.crypto import keys
from hocp2p.crypto.group import ORDER, Point, mul_base
from hocp2p.crypto.scheme import SeatError
from hocp2p.errors import CryptoError
from tests.support.dealing import flip
from tests.support.rfc_vectors import BAD_POINTS
from tests.support.sources import seeded

CONTEXT = b"deal 1"
SECRET = 0xBADA55
PAYLOAD = keys.key_payload(CONTEXT, 1, SECRET, seeded(1))


def refused(payload: bytes, *, context: bytes = CONTEXT, seat: int = 1) -> str:
    with pytest.raises(CryptoError) as caught:
        keys.verify_key_payload(context, seat, payload)
    return caught.value.code


def test_a_key_is_verified_in_its_place_only() -> None:
    assert len(PAYLOAD) == keys.KEY_REVEAL_BYTES == 128
    assert keys.verify_key_payload(CONTEXT, 1, PAYLOAD) == mul_base(SECRET) == PAYLOAD[:32]
    assert refused(PAYLOAD, seat=0) == "key-proof"
    assert refused(PAYLOAD, context=b"deal 2") == "key-proof"


def test_another_key_does_not_fit_the_proof() -> None:
    other = mul_base(SECRET + 1)
    assert refused(other + PAYLOAD[32:]) == "key-proof"


@pytest.mark.parametrize("at", [32, 40, 64, 80])
def test_a_changed_proof_does_not_hold(at: int) -> None:
    assert refused(flip(PAYLOAD, at)) == "key-proof"


@pytest.mark.parametrize("point", [*BAD_POINTS, bytes(32)], ids=bytes.hex)
def test_points_that_are_none(point: bytes) -> None:
    assert refused(point + PAYLOAD[32:]) == ("bad-point" if any(point) else "identity-point")


@pytest.mark.parametrize("at", [32, 64])
def test_scalars_are_canonical(at: int) -> None:
    scalar = int.from_bytes(PAYLOAD[at : at + 32], "little")
    for alias in (scalar + ORDER, scalar | 1 << 255):
        assert refused(PAYLOAD[:at] + alias.to_bytes(32, "little") + PAYLOAD[at + 32 :]) == "bad-scalar"


def test_lengths_are_exact() -> None:
    for payload in (b"", PAYLOAD[:-1], PAYLOAD + b"\0"):
        assert refused(payload) == "bad-length"


def test_a_commitment_binds_seat_place_and_payload() -> None:
    commit = keys.commit_to("key", CONTEXT, 1, PAYLOAD)
    assert len(commit) == 32
    keys.verify_commit("key", CONTEXT, 1, PAYLOAD, commit, "mismatch")
    for what, context, seat, payload in (
        ("shares", CONTEXT, 1, PAYLOAD),
        ("key", b"deal 2", 1, PAYLOAD),
        ("key", CONTEXT, 0, PAYLOAD),
        ("key", CONTEXT, 1, flip(PAYLOAD, 127)),
    ):
        with pytest.raises(CryptoError, match="committed"):
            keys.verify_commit(what, context, seat, payload, commit, "mismatch")


def test_the_nonce_is_fresh() -> None:
    source = seeded(1)
    payloads = {keys.key_payload(CONTEXT, 1, SECRET, source)[-32:] for _ in range(5)}
    assert len(payloads) == 5


def test_the_joint_key_is_the_sum() -> None:
    assert keys.joint_key([mul_base(3), mul_base(5), mul_base(7)]) == mul_base(15)


@pytest.mark.parametrize(
    ("secrets", "seat", "code"),
    [((3, 5, 3), 2, "key-equal"), ((3, 3), 1, "key-equal"), ((3, -3), 1, "key-sum"), ((3, 4, -7), 2, "key-sum")],
)
def test_keys_that_do_not_add_up(secrets: tuple[int, ...], seat: int, code: str) -> None:
    """R-064."""
    shares: list[Point] = [mul_base(secret) for secret in secrets]
    with pytest.raises(SeatError) as caught:
        keys.joint_key(shares)
    assert (caught.value.seat, caught.value.code) == (seat, code)
