"""A seat that cheats with its share of the key: every honest seat blames it, and says nothing more."""

from __future__ import annotations

import pytest

from hocp2p.crypto import keys, linear
from hocp2p.crypto.group import BASE, ORDER, Point, decode_point, mul_base, sub, sum_points
from hocp2p.crypto.linear import Relation
from hocp2p.crypto.transcript import statement
from tests.support.dealing import Dealing, flip
from tests.support.rfc_vectors import BAD_POINTS
from tests.support.sources import seeded

CHEAT = 2
HONEST = {(CHEAT, "key-proof")}


def key_of(dealing: Dealing, seat: int) -> Point:
    return mul_base(dealing.secret(seat))


def payload_with(dealing: Dealing, key: bytes, secret: int, *, seat: int = CHEAT) -> bytes:
    """``key`` with the best proof that somebody who knows ``secret`` can make for it."""
    transcript = statement("key", dealing.context(), seat)
    proof = linear.prove(transcript, Relation(((BASE,),), (Point(key),)), (secret,), seeded("cheat"))
    return key + proof + bytes(32)


def honest_payload(dealing: Dealing, seat: int = CHEAT) -> bytes:
    return payload_with(dealing, key_of(dealing, seat), dealing.secret(seat), seat=seat)


def test_an_honest_key_made_this_way_is_accepted() -> None:
    dealing = Dealing().run_to("key_commit")
    payloads = [honest_payload(dealing, seat) for seat in range(3)]
    for seat in range(3):
        dealing.make("key_commit", seat)
    dealing.accept("key_commit", [keys.commit_to("key", dealing.context(), s, p) for s, p in enumerate(payloads)])
    for seat in range(3):
        dealing.make("key_reveal", seat)
    dealing.accept("key_reveal", payloads)


def test_a_rogue_key_would_give_the_cheat_the_whole_deck() -> None:
    """Why there is a proof of possession: the joint key would be z B with a z that the cheat knows."""
    dealing = Dealing()
    z = 0xDEAD
    others = [key_of(dealing, seat) for seat in range(3) if seat != CHEAT]
    rogue = sub(mul_base(z), sum_points(others))
    assert keys.joint_key([*others, rogue]) == mul_base(z)
    for secret in (z, dealing.secret(CHEAT)):
        dealing = Dealing()
        assert dealing.refusals("key_reveal", {CHEAT: payload_with(dealing, rogue, secret)}) == HONEST


def test_another_seats_key_and_proof_replayed() -> None:
    dealing = Dealing()
    copied = honest_payload(dealing, seat=0)
    assert dealing.refusals("key_reveal", {CHEAT: copied}) == HONEST


def test_another_seats_commitment_replayed() -> None:
    """The cheat commits to what seat 0 committed to and then repeats what it reveals."""
    dealing = Dealing().run_to("key_commit")
    commits = [dealing.make("key_commit", seat) for seat in range(3)]
    dealing.accept("key_commit", [commits[0], commits[1], commits[0]])
    reveals = [dealing.make("key_reveal", seat) for seat in range(3)]
    blamed = dealing.blamed("accept_key_reveals", [reveals[0], reveals[1], reveals[0]], honest=(0, 1))
    assert blamed == {(CHEAT, "key-commit-mismatch")}


def test_a_key_chosen_after_the_others_were_seen() -> None:
    """R-060."""
    dealing = Dealing().run_to("key_reveal")
    reveals = [dealing.make("key_reveal", seat) for seat in range(3)]
    late = payload_with(dealing, mul_base(77), 77)
    keys.verify_key_payload(dealing.context(), CHEAT, late)  # a good key, but not the one committed to
    blamed = dealing.blamed("accept_key_reveals", [reveals[0], reveals[1], late], honest=(0, 1))
    assert blamed == {(CHEAT, "key-commit-mismatch")}


def test_two_seats_with_one_key() -> None:
    """Seats 1 and 2 share a secret, so each can prove it; the later one is blamed. (R-063.)"""
    dealing = Dealing()
    shared = {seat: payload_with(dealing, mul_base(99), 99, seat=seat) for seat in (1, 2)}
    assert dealing.refusals("key_reveal", shared) == {(2, "key-equal")}


def test_a_key_and_proof_of_another_deal() -> None:
    other = Dealing(context=b"hocp2p/1, table 1, deal 2")
    assert Dealing().refusals("key_reveal", {CHEAT: honest_payload(other)}) == HONEST


def test_a_key_and_proof_of_a_deal_with_another_plan_or_order() -> None:
    assert Dealing(2).context() != Dealing(3).context()
    assert Dealing(2).refusals("key_reveal", {1: honest_payload(Dealing(3), seat=1)}) == {(1, "key-proof")}


@pytest.mark.parametrize("point", [*BAD_POINTS, bytes(32)], ids=bytes.hex)
def test_points_that_are_none(point: bytes) -> None:
    """R-061."""
    dealing = Dealing()
    payload = point + honest_payload(dealing)[32:]
    code = "bad-point" if any(point) else "identity-point"
    assert dealing.refusals("key_reveal", {CHEAT: payload}) == {(CHEAT, code)}


def test_the_identity_with_a_proof_that_it_is_zero_times_the_base() -> None:
    dealing = Dealing()
    assert dealing.refusals("key_reveal", {CHEAT: payload_with(dealing, bytes(32), 0)}) == {(CHEAT, "identity-point")}


@pytest.mark.parametrize("at", [32, 64])
@pytest.mark.parametrize("alias", [lambda scalar: scalar + ORDER, lambda scalar: scalar | 1 << 255])
def test_other_names_for_the_same_scalar(at: int, alias: object) -> None:
    assert callable(alias)
    dealing = Dealing()
    payload = honest_payload(dealing)
    scalar: int = alias(int.from_bytes(payload[at : at + 32], "little"))
    payload = payload[:at] + scalar.to_bytes(32, "little") + payload[at + 32 :]
    assert dealing.refusals("key_reveal", {CHEAT: payload}) == {(CHEAT, "bad-scalar")}


@pytest.mark.parametrize("length_bytes", [0, 31, 127, 129, 160])
def test_another_length(length_bytes: int) -> None:
    dealing = Dealing()
    payload = (honest_payload(dealing) + bytes(32))[:length_bytes]
    assert dealing.refusals("key_reveal", {CHEAT: payload}) == {(CHEAT, "bad-length")}


def test_a_changed_proof() -> None:
    """R-062."""
    dealing = Dealing()
    assert dealing.refusals("key_reveal", {CHEAT: flip(honest_payload(dealing), 33)}) == HONEST


def test_no_deck_key_serves_twice() -> None:
    """One source of randomness for all deals, as in play: every session draws its own key from it. (R-065.)"""
    source = seeded("one source")
    drawn = set()
    for number in range(5):
        dealing = Dealing(2, context=b"deal %d" % number, source=source).run_to("shuffle")
        drawn |= {decode_point(payload[:32]) for step, _, payload in dealing.sent if step == "key_reveal"}
    assert len(drawn) == 10
