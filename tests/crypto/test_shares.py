"""Shares: made for the others' cards only, verified as a batch, and what is left is under the owner's key alone."""

from __future__ import annotations

import pytest

from hocp2p.crypto import shares
from hocp2p.crypto.group import ORDER, mul, mul_base, sub
from hocp2p.crypto.masking import FACE_OF_POINT, Deck, initial_deck, remask
from hocp2p.crypto.scheme import DealPlan
from hocp2p.errors import CryptoError, LocalError
from tests.support.dealing import flip, plan_for
from tests.support.sources import seeded

CONTEXT = b"deal 1"
PLAN = plan_for(3)
SECRETS = (0xA1, 0xB2, 0xC3)
KEYS = tuple(mul_base(secret) for secret in SECRETS)
ORDER_OF_FACES = [7 * position % 52 for position in range(52)]
DECK = remask(mul_base(sum(SECRETS)), initial_deck(mul_base(sum(SECRETS))), ORDER_OF_FACES, range(1, 53))
PAYLOADS = tuple(
    shares.share_payload(CONTEXT, seat, SECRETS[seat], KEYS[seat], DECK, PLAN, seeded(seat)) for seat in range(3)
)


def refused(payload: bytes, *, context: bytes = CONTEXT, seat: int = 1, plan: DealPlan = PLAN) -> str:
    with pytest.raises(CryptoError) as caught:
        shares.verify_share_payload(context, seat, KEYS[seat], DECK, plan, payload)
    return caught.value.code


def test_a_seat_owes_shares_of_the_others_cards() -> None:
    assert shares.share_positions(PLAN, 0) == tuple(position for position in range(36) if position % 3)
    assert [len(payload) for payload in PAYLOADS] == [864] * 3
    assert [shares.share_payload_bytes(plan_for(2), seat) for seat in range(2)] == [576] * 2


def test_verified_shares_are_the_secret_times_the_cards() -> None:
    for seat, payload in enumerate(PAYLOADS):
        verified = shares.verify_share_payload(CONTEXT, seat, KEYS[seat], DECK, PLAN, payload)
        assert verified == {
            position: mul(SECRETS[seat], DECK.a[position]) for position in shares.share_positions(PLAN, seat)
        }


def test_the_owner_and_nobody_else_reads_the_face() -> None:
    verified = [
        shares.verify_share_payload(CONTEXT, seat, KEYS[seat], DECK, PLAN, payload)
        for seat, payload in enumerate(PAYLOADS)
    ]
    for position in range(36):
        owner = position % 3
        others = [by_position for seat, by_position in enumerate(verified) if seat != owner]
        masked = shares.owner_masked(DECK, position, others)
        read = [sub(masked, mul(secret, DECK.a[position])) for secret in SECRETS]
        assert FACE_OF_POINT[read[owner]] == ORDER_OF_FACES[position]
        assert not {masked, *read[:owner], *read[owner + 1 :]} & set(FACE_OF_POINT)


@pytest.mark.parametrize("position", range(52))
def test_no_share_of_a_sleeping_position_or_of_ones_own(position: int) -> None:
    """R-075."""
    for seat in range(3):
        if position >= 36 or position % 3 == seat:
            with pytest.raises(LocalError) as caught:
                shares.share_of(SECRETS[seat], DECK, PLAN, seat, position)
            assert caught.value.code == "no-share"
        else:
            assert shares.share_of(SECRETS[seat], DECK, PLAN, seat, position) == mul(SECRETS[seat], DECK.a[position])


def test_the_proof_is_bound_to_its_place() -> None:
    assert refused(PAYLOADS[1], context=b"deal 2") == "share-proof"
    assert refused(PAYLOADS[1], seat=2) == "share-proof"
    other_deck = Deck(DECK.a, (*DECK.c[:51], DECK.c[0]))
    with pytest.raises(CryptoError, match="does not hold"):
        shares.verify_share_payload(CONTEXT, 1, KEYS[1], other_deck, PLAN, PAYLOADS[1])
    shifted = DealPlan((*PLAN.owners[36:], *PLAN.owners[:36]))
    assert refused(PAYLOADS[1], plan=shifted) == "share-proof"
    exchanged = DealPlan(tuple({0: 2, 2: 0}.get(owner, owner) if owner is not None else None for owner in PLAN.owners))
    assert shares.share_positions(exchanged, 1) == shares.share_positions(PLAN, 1)
    assert refused(PAYLOADS[1], plan=exchanged) == "share-proof"


@pytest.mark.parametrize("index", [0, 11, 23])
def test_every_share_counts(index: int) -> None:
    payload = PAYLOADS[1]
    other = PAYLOADS[0][:32]
    assert refused(payload[: 32 * index] + other + payload[32 * (index + 1) :]) == "share-proof"


def test_form() -> None:
    payload, end = PAYLOADS[1], 24 * 32
    assert refused(payload[:-1]) == refused(payload + b"\0") == refused(payload[32:]) == "bad-length"
    assert refused(bytes(32) + payload[32:]) == "identity-point"
    assert refused(flip(payload, end)) == refused(flip(payload, end + 32)) == "share-proof"
    for at in (end, end + 32):
        alias = int.from_bytes(payload[at : at + 32], "little") + ORDER
        assert refused(payload[:at] + alias.to_bytes(32, "little") + payload[at + 32 :]) == "bad-scalar"
