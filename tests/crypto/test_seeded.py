"""The randomness of a deck from its seed: the same again, another for every call and every seed."""

from __future__ import annotations

import hashlib

import pytest

from hocp2p.crypto.seeded import SEED_BYTES, seeded
from hocp2p.errors import CryptoError

SEED = bytes(range(SEED_BYTES))


def test_it_is_shake_256_of_domain_seed_and_number() -> None:
    """FIPS 202."""
    draw = seeded(SEED)
    for number in range(3):
        data = b"hocp2p/1 deck seed" + SEED + number.to_bytes(8, "big")
        assert draw(48) == hashlib.shake_256(data).digest(48)


def test_the_same_seed_gives_the_same_again() -> None:
    one, other = seeded(SEED), seeded(SEED)
    sizes = (32, 0, 64, 1, 1000)
    assert [one(size) for size in sizes] == [other(size) for size in sizes]


def test_every_call_and_every_seed_gives_something_else() -> None:
    draws = [seeded(SEED), seeded(SEED[::-1]), seeded(bytes(SEED_BYTES))]
    drawn = [draw(32) for draw in draws for _ in range(100)]
    assert len(set(drawn)) == len(drawn)


def test_what_was_drawn_before_does_not_depend_on_sizes() -> None:
    one, other = seeded(SEED), seeded(SEED)
    one(1)
    other(500)
    assert one(32) == other(32)


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_seed_of_another_size(size: int) -> None:
    with pytest.raises(CryptoError) as caught:
        seeded(bytes(size))
    assert caught.value.code == "bad-seed"
