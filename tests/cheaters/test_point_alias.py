"""A second encoding of a point: the same in arithmetic, another in bytes, so that it slips past a comparison of bytes.

libsodium does not look at bit 255 of a point. Before decoding did, a seat could prove not to hold a card that it held.
"""

from __future__ import annotations

import pytest

from hocp2p.crypto import linear
from hocp2p.crypto.group import BASE, ORDER, Point, add, decode_point, mul, mul_base
from hocp2p.crypto.masking import FACES
from hocp2p.crypto.non_holding import Blinded, _relation, _statement, verify_not_holding
from hocp2p.crypto.openings import OwnedCards
from hocp2p.errors import CryptoError
from tests.support.sources import seeded

HELD = 5
X, R, B = 0x5EC12E7, 0xDEC4, 0xB11D


def alias(point: Point) -> Point:
    """The same point with bit 255 set."""
    return Point(point[:31] + bytes([point[31] | 0x80]))


def test_a_point_has_one_encoding() -> None:
    for point in (BASE, *FACES):
        with pytest.raises(CryptoError, match="canonical") as caught:
            decode_point(alias(point))
        assert caught.value.code == "bad-point"
    with pytest.raises(CryptoError) as caught:
        decode_point(bytes(31) + b"\x80")  # the identity
    assert caught.value.code == "bad-point"


def test_an_alias_does_not_hide_a_card_that_is_held() -> None:
    masked = mul_base(R)
    cards = OwnedCards(mul_base(X), (0,), (masked,), (add(FACES[HELD], mul(X, masked)),))
    blinded_face = mul(B, FACES[HELD])
    hidden = Blinded(mul_base(B), (alias(blinded_face),), (blinded_face,))
    assert not set(hidden.v) & set(hidden.u)  # the comparison alone would be deceived
    transcript = _statement(b"context", 0, b"step", cards, [HELD])
    relation = _relation(transcript, cards, [HELD], hidden)
    proof = linear.prove(transcript, relation, (B * X % ORDER, B), seeded("cheat"))
    with pytest.raises(CryptoError) as caught:
        verify_not_holding(b"context", 0, b"step", cards, [HELD], b"".join((hidden.n, *hidden.v, *hidden.u, proof)))
    assert caught.value.code == "bad-point"
