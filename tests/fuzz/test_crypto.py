"""Payloads of the deal cut, spliced and flipped: every verifier refuses them with a documented error and no other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.crypto import keys, shares
from hocp2p.crypto.hands import Hands
from hocp2p.crypto.identity import Identity, verify_signature
from hocp2p.crypto.masking import Deck, decode_deck
from hocp2p.errors import CryptoError
from tests.support.dealing import CONTEXT, Dealing, dealing_at, plan_for
from tests.support.sources import seeded

CODES = {
    "bad-length",
    "bad-point",
    "identity-point",
    "bad-scalar",
    "key-proof",
    "share-proof",
    "opening-proof",
    "holding",
    "not-holding-proof",
    "bad-signature",
}
STEP = b"play 1"
some = settings(max_examples=60, deadline=None)


def altered(payload: bytes) -> st.SearchStrategy[bytes]:
    """Anything, or ``payload`` with a bit flipped, a piece cut out, a piece repeated, or a field overwritten."""
    places = st.integers(0, len(payload))
    fields = st.integers(0, len(payload) // 32 - 1)
    values = st.sampled_from([bytes(32), b"\xff" * 32, b"\1" + bytes(31)]) | st.binary(min_size=32, max_size=32)
    changed = st.one_of(
        st.binary(max_size=len(payload) + 32),
        st.integers(0, 8 * len(payload) - 1).map(
            lambda bit: (int.from_bytes(payload, "big") ^ 1 << bit).to_bytes(len(payload), "big")
        ),
        st.tuples(places, places).map(lambda cut: payload[: min(cut)] + payload[max(cut) :]),
        st.tuples(places, places).map(lambda cut: payload[: max(cut)] + payload[min(cut) :]),
        st.tuples(fields, values).map(lambda put: payload[: 32 * put[0]] + put[1] + payload[32 * put[0] + 32 :]),
        st.tuples(fields, fields).map(
            lambda copy: (
                payload[: 32 * copy[0]] + payload[32 * copy[1] : 32 * copy[1] + 32] + payload[32 * copy[0] + 32 :]
            )
        ),
    )
    return changed.filter(lambda data: data != payload)


DEALING: Dealing = dealing_at("dealt")
HANDS: Hands = DEALING.sessions[0]._hands  # type: ignore[attr-defined]  # public, but no part of the interface
DECK: Deck = HANDS.deck
POSITIONS = list(DEALING.faces(1))
FACES = list(DEALING.faces(1).values())
ABSENT = [face for face in range(52) if face not in FACES][:4]
KEY_PAYLOAD = keys.key_payload(CONTEXT, 1, 99, seeded(1))
SHARES = next(payload for step, seat, payload in DEALING.sent if (step, seat) == ("share_reveal", 1))
OPENING = DEALING.sessions[1].open(POSITIONS[:2], STEP)
ABSENCE = DEALING.sessions[1].prove_not_holding(POSITIONS, ABSENT, STEP)
IDENTITY = Identity.from_seed(bytes(32))
SIGNATURE = IDENTITY.sign(b"message")


def assert_refused(verify: object, *arguments: object) -> None:
    assert callable(verify)
    with pytest.raises(CryptoError) as caught:
        verify(*arguments)
    assert caught.value.code in CODES


def without_nonce(payload: bytes) -> bytes:
    """All but the last 32 bytes: the nonce is free, and only the commitment binds it."""
    return payload[:-32]


@some
@given(altered(without_nonce(KEY_PAYLOAD)))
def test_keys(data: bytes) -> None:
    assert_refused(keys.verify_key_payload, CONTEXT, 1, data + KEY_PAYLOAD[-32:])


@some
@given(altered(without_nonce(SHARES)))
def test_shares(data: bytes) -> None:
    verify = shares.verify_share_payload
    assert_refused(verify, HANDS.context, 1, HANDS.keys[1], DECK, plan_for(3), data + SHARES[-32:])


@some
@given(altered(OPENING))
def test_openings(data: bytes) -> None:
    assert_refused(HANDS.verify_open, 1, POSITIONS[:2], FACES[:2], data, STEP)


@some
@given(altered(ABSENCE))
def test_not_holding(data: bytes) -> None:
    assert_refused(HANDS.verify_not_holding, 1, POSITIONS, ABSENT, data, STEP)


@some
@given(altered(SIGNATURE))
def test_signatures(data: bytes) -> None:
    assert_refused(verify_signature, IDENTITY.public, b"message", data)


@some
@given(altered(DECK.encode()))
def test_decks_decode_to_what_they_encode_or_not_at_all(data: bytes) -> None:
    try:
        deck = decode_deck(data)
    except CryptoError as error:
        assert error.code in CODES
    else:
        assert deck.encode() == data
        assert deck.digest() != DECK.digest()
