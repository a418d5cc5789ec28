"""The group against RFC 9496 and RFC 9380, its laws, and what libsodium would let through."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
import rbcl
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.crypto import group
from hocp2p.crypto.group import BASE, IDENTITY, ORDER, Point
from hocp2p.errors import CryptoError
from tests.support import rfc_vectors
from tests.support.rfc_vectors import BAD_POINTS
from tests.support.sources import seeded

some_scalars = st.one_of(st.sampled_from([0, 1, 2, ORDER - 1]), st.integers(0, ORDER - 1))
some_points = st.binary(max_size=4).map(lambda data: group.hash_to_point("test", data)) | st.sampled_from(
    [IDENTITY, BASE]
)
few = settings(max_examples=40, deadline=None)


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(CryptoError) as caught:
        call()
    return caught.value.code


# RFC 9496


@pytest.mark.parametrize(("factor", "encoding"), [*enumerate(rfc_vectors.RISTRETTO_MULTIPLES)])
def test_multiples_of_the_generator(factor: int, encoding: str) -> None:
    expected = bytes.fromhex(encoding)
    assert group.mul_base(factor) == group.mul(factor, BASE) == group.sum_points([BASE] * factor) == expected
    assert factor == 0 or group.decode_point(expected) == expected


@pytest.mark.parametrize("encoding", BAD_POINTS, ids=bytes.hex)
def test_bad_encodings_are_refused_everywhere(encoding: bytes) -> None:
    """R-011."""
    bad = Point(encoding)
    assert refused(lambda: group.decode_point(bad)) == "bad-point"
    assert refused(lambda: group.decode_points(BASE + bad, 2)) == "bad-point"
    for call in (
        lambda: group.add(bad, BASE),
        lambda: group.add(BASE, bad),
        lambda: group.sub(bad, BASE),
        lambda: group.sub(BASE, bad),
        lambda: group.neg(bad),
        lambda: group.mul(2, bad),
        lambda: group.mul(0, bad),
    ):
        assert refused(call) == "bad-point"


@pytest.mark.parametrize(("text", "encoding"), [*rfc_vectors.RISTRETTO_MAP_OF_TEXT.items()])
def test_map_of_text(text: str, encoding: str) -> None:
    assert group.map_to_point(hashlib.sha512(text.encode()).digest()).hex() == encoding


@pytest.mark.parametrize("uniform", rfc_vectors.RISTRETTO_MAP_FROM_FOUR)
def test_map_reduces_the_field_elements(uniform: str) -> None:
    assert group.map_to_point(bytes.fromhex(uniform)).hex() == rfc_vectors.RISTRETTO_MAP_TO_ONE


# RFC 9380


@pytest.mark.parametrize(("message", "output"), rfc_vectors.EXPAND_TO_32 + rfc_vectors.EXPAND_TO_128)
def test_expand_message(message: bytes, output: str) -> None:
    """R-014."""
    assert group.expand_message(message, rfc_vectors.EXPAND_TAG, len(output) // 2).hex() == output


@pytest.mark.parametrize(("tag", "length_bytes"), [(b"", 32), (bytes(256), 32), (b"t", 0), (b"t", 255 * 64 + 1)])
def test_expand_message_knows_its_limits(tag: bytes, length_bytes: int) -> None:
    with pytest.raises(ValueError, match="RFC 9380"):
        group.expand_message(b"", tag, length_bytes)


def test_labels_separate_hashes_and_bytes_are_whole_tags() -> None:
    """R-014."""
    points = {
        group.hash_to_point("card", b"x"),
        group.hash_to_point("gen", b"x"),
        group.hash_to_point(b"card", b"x"),
        group.hash_to_point("card", b"y"),
    }
    assert len(points) == 4
    tag = b"hocp2p/1 card ristretto255_XMD:SHA-512_R255MAP_RO_"
    assert group.hash_to_point("card", b"x") == group.map_to_point(group.expand_message(b"x", tag, 64))
    assert group.hash_to_scalar("card", b"x") == int.from_bytes(group.expand_message(b"x", tag, 64), "little") % ORDER


# What libsodium lets through


def test_libsodium_is_as_quiet_as_we_believe() -> None:
    """Should one of these change, the comments of ``group`` want another look."""
    bad = BAD_POINTS[0]
    assert rbcl.crypto_core_ristretto255_add(bad, BASE) == bytes(32)
    assert rbcl.crypto_core_ristretto255_sub(BASE, bad) == bytes(32)
    assert rbcl.crypto_core_ristretto255_is_valid_point(bytes(32))
    above = (ORDER + 2).to_bytes(32, "little")
    assert rbcl.crypto_scalarmult_ristretto255(above, BASE) == group.mul_base(2)
    bit_255 = (2 + 2**255).to_bytes(32, "little")
    assert rbcl.crypto_scalarmult_ristretto255(bit_255, BASE) == group.mul_base(2)
    assert rbcl.crypto_core_ristretto255_is_valid_point(alias_of(BASE))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps a loaded library locked")
def test_the_temporary_copy_of_libsodium_is_gone() -> None:
    copy = Path(rbcl._sodium._name)
    assert copy.parent == Path(tempfile.gettempdir())
    assert not copy.exists()


def alias_of(point: bytes) -> bytes:
    """The same point with bit 255 set."""
    return point[:31] + bytes([point[31] | 0x80])


@pytest.mark.parametrize("encoding", rfc_vectors.RISTRETTO_MULTIPLES)
def test_a_point_has_one_encoding(encoding: str) -> None:
    alias = alias_of(bytes.fromhex(encoding))
    assert refused(lambda: group.decode_point(alias)) == "bad-point"
    assert refused(lambda: group.decode_points(BASE + alias, 2)) == "bad-point"


def test_the_identity_is_no_point_to_receive() -> None:
    """R-012."""
    assert refused(lambda: group.decode_point(bytes(32))) == "identity-point"
    assert refused(lambda: group.decode_points(BASE + bytes(32), 2)) == "identity-point"


@pytest.mark.parametrize("length_bytes", [0, 31, 33, 64])
def test_lengths_are_exact(length_bytes: int) -> None:
    data = (BASE + BASE)[:length_bytes]
    assert refused(lambda: group.decode_point(data)) == "bad-point"
    assert refused(lambda: group.decode_scalar(bytes(length_bytes))) == "bad-scalar"
    assert refused(lambda: group.decode_points(data, 3)) == "bad-length"


@pytest.mark.parametrize("scalar", [ORDER, ORDER + 1, 2**252 * 3, 2**255, 2**255 + 1, 2**256 - 1])
def test_scalars_are_below_the_order(scalar: int) -> None:
    """R-013."""
    assert refused(lambda: group.decode_scalar(scalar.to_bytes(32, "little"))) == "bad-scalar"


@few
@given(some_scalars)
def test_scalars_round_trip(scalar: int) -> None:
    assert group.decode_scalar(group.encode_scalar(scalar)) == scalar
    assert group.encode_scalar(scalar + ORDER) == group.encode_scalar(scalar)


# Laws


@few
@given(some_points, some_points, some_points)
def test_addition_is_a_group(p: Point, q: Point, r: Point) -> None:
    assert group.add(p, q) == group.add(q, p)
    assert group.add(group.add(p, q), r) == group.add(p, group.add(q, r)) == group.sum_points([p, q, r])
    assert group.add(p, IDENTITY) == p == group.sub(p, IDENTITY)
    assert group.add(p, group.neg(p)) == group.sub(p, p) == IDENTITY
    assert group.sub(p, q) == group.add(p, group.neg(q))


@few
@given(some_scalars, some_scalars, some_points)
def test_multiplication_is_linear(x: int, y: int, p: Point) -> None:
    assert group.add(group.mul(x, p), group.mul(y, p)) == group.mul(x + y, p)
    assert group.mul(x, group.mul(y, p)) == group.mul(x * y, p)
    assert group.mul(x, BASE) == group.mul_base(x)
    assert group.mul(-x, p) == group.neg(group.mul(x, p))
    assert group.mul(ORDER, p) == IDENTITY == group.mul(0, p)


@few
@given(st.lists(st.tuples(some_scalars, some_points), max_size=4))
def test_multi_mul_is_the_sum(pairs: list[tuple[int, Point]]) -> None:
    total = IDENTITY
    for scalar, point in pairs:
        total = group.add(total, group.mul(scalar, point))
    assert group.multi_mul([scalar for scalar, _ in pairs], [point for _, point in pairs]) == total


def test_multi_mul_wants_as_many_scalars_as_points() -> None:
    with pytest.raises(ValueError, match="zip"):
        group.multi_mul([1, 2], [BASE])


def test_random_scalars_are_wide_and_never_zero() -> None:
    given_bytes = iter([bytes(64), group.encode_scalar(0) + bytes(32), ORDER.to_bytes(64, "little"), b"\1" * 64])
    asked: list[int] = []

    def source(size: int) -> bytes:
        asked.append(size)
        return next(given_bytes)

    assert group.random_scalar(source) == int.from_bytes(b"\1" * 64, "little") % ORDER
    assert asked == [64] * 4
    assert group.random_scalar(seeded(1)) != group.random_scalar(seeded(2))


def test_where_a_loaded_library_is_locked_the_copies_of_earlier_processes_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows."""
    ours, left, young, other = (tmp_path / f"tmp{name}.pyd" for name in ("ours", "left", "young", "other"))
    for path in (ours, left, young):
        path.write_bytes(b"library")
    other.write_bytes(b"LIBRARY")
    for path in (left, other):
        os.utime(path, (1, 1))
    unlink = Path.unlink

    def refuse_ours(path: Path) -> None:
        if path == ours:
            raise PermissionError(13, "in use")
        unlink(path)

    monkeypatch.setattr(Path, "unlink", refuse_ours)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    group._remove_library_copies(ours)
    assert sorted(tmp_path.iterdir()) == sorted([ours, young, other])
    group._remove_library_copies(tmp_path / "elsewhere" / "tmpour.pyd")
