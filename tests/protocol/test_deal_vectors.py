"""Our deal against the vectors: the same bytes from pinned randomness, the same verdict on what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pytest

from hocp2p.crypto.deck import MentalPoker, MentalPokerSession
from hocp2p.crypto.scheme import DealPlan, SeatError
from protocol.generate.transcript import Stream
from tests.support.vectors import Vector, load, only, vectors

ASLEEP = 255
SPEAK: Mapping[str, Callable[[MentalPokerSession], bytes]] = {
    "key_commits": MentalPokerSession.key_commit,
    "key_reveals": MentalPokerSession.key_reveal,
    "deck_digests": MentalPokerSession.deck_digest,
    "share_commits": MentalPokerSession.share_commit,
    "share_reveals": MentalPokerSession.share_reveal,
}
ACCEPT: Mapping[str, Callable[[MentalPokerSession, list[bytes]], None]] = {
    "key_commits": MentalPokerSession.accept_key_commits,
    "key_reveals": MentalPokerSession.accept_key_reveals,
    "deck_digests": MentalPokerSession.accept_deck_digests,
    "share_commits": MentalPokerSession.accept_share_commits,
    "share_reveals": MentalPokerSession.accept_share_reveals,
}


def deal_named(name: str) -> Vector:
    deals = (only(file) for file in ("deal-2-seats.json", "deal-3-seats.json"))
    return next(deal for deal in deals if deal["name"] == name)


def join(deal: Vector, seat: int) -> MentalPokerSession:
    owners = tuple(None if owner == ASLEEP else owner for owner in bytes.fromhex(deal["owners"]))
    return MentalPoker().join(
        context=bytes.fromhex(deal["context"]),
        seats=deal["seats"],
        seat=seat,
        plan=DealPlan(owners),
        order=tuple(bytes.fromhex(deal["order"])),
        randomness=Stream(f"{deal['randomness']} seat {seat}"),
    )


def follow(deal: Vector, seat: int, changes: Mapping[str, list[str]] | None = None) -> MentalPokerSession:
    """One seat's part in the deal, its own payloads compared, up to the end or the first fault."""
    session = join(deal, seat)
    for entry in deal["steps"]:
        step = entry["step"]
        given = [bytes.fromhex(payload) for payload in (changes or {}).get(step, entry["payloads"])]
        if step.startswith("shuffle"):
            who = int(step.split()[1])
            if who == seat:
                assert session.shuffle() == given[0]
            session.accept_shuffle(who, given[0])
        else:
            assert SPEAK[step](session) == given[seat]
            ACCEPT[step](session, given)
    return session


DEALS = [pytest.param(only(name), id=name) for name in ("deal-2-seats.json", "deal-3-seats.json")]


@pytest.mark.parametrize("deal", DEALS)
def test_every_seat_says_the_same_bytes_and_sees_its_own_hand(deal: Vector) -> None:
    for seat in range(deal["seats"]):
        session = follow(deal, seat)
        assert {str(position): face for position, face in session.faces().items()} == deal["views"][seat]


@pytest.mark.parametrize("deal", DEALS)
def test_what_becomes_public_is_the_same(deal: Vector) -> None:
    session = follow(deal, 0)
    hands = vars(session)["_hands"]
    assert {str(position): point.hex() for position, point in hands.masked.items()} == deal["masked"]
    assert hands.context.hex() == deal["bound_context"]
    assert vars(session)["_joint_key"].hex() == deal["joint_key"]


@vectors("deal-faults.json")
def test_one_wrong_message_is_found_and_the_seat_named(vector: Vector) -> None:
    deal = deal_named(vector["deal"])
    right = {entry["step"]: entry["payloads"] for entry in deal["steps"]}
    step, seat = vector["step"], vector["seat"]
    assert seat == 1, "the honest session is that of seat 0"
    changes = {step: [vector["payload"]] if step.startswith("shuffle") else [right[step][0], vector["payload"]]}
    if "commitment" in vector:
        before = step.replace("reveals", "commits")
        changes[before] = [right[before][0], vector["commitment"]]
    with pytest.raises(SeatError) as caught:
        follow(deal, 0, changes)
    assert (caught.value.seat, caught.value.code) == (seat, vector["code"])


@pytest.fixture(scope="module")
def dealt() -> dict[tuple[str, int], MentalPokerSession]:
    """Both seats of the deal of two; verifying and proving leave them as they are."""
    deal = only("deal-2-seats.json")
    return {(deal["name"], seat): follow(deal, seat) for seat in range(2)}


@vectors("openings.json")
def test_openings(vector: Vector, dealt: dict[tuple[str, int], MentalPokerSession]) -> None:
    positions, faces, proof, place = _claim(vector)
    for seat in (0, 1):
        session = dealt[vector["deal"], seat]
        found = _blamed(partial(session.verify_open, vector["seat"], positions, faces, proof, place))
        assert found == (None if vector["code"] is None else (vector["seat"], vector["code"]))
    if "randomness" in vector:
        ours = dealt[vector["deal"], vector["seat"]]
        vars(ours)["_randomness"] = Stream(vector["randomness"])
        assert ours.open(positions, place) == proof


@vectors("not-holding.json")
def test_not_holding(vector: Vector, dealt: dict[tuple[str, int], MentalPokerSession]) -> None:
    positions, faces, proof, place = _claim(vector)
    for seat in (0, 1):
        session = dealt[vector["deal"], seat]
        found = _blamed(partial(session.verify_not_holding, vector["seat"], positions, faces, proof, place))
        assert found == (None if vector["code"] is None else (vector["seat"], vector["code"]))
    if "randomness" in vector:
        ours = dealt[vector["deal"], vector["seat"]]
        vars(ours)["_randomness"] = Stream(vector["randomness"])
        assert ours.prove_not_holding(positions, faces, place) == proof


def _claim(vector: Vector) -> tuple[list[int], list[int], bytes, bytes]:
    return vector["positions"], vector["faces"], bytes.fromhex(vector["proof"]), bytes.fromhex(vector["place"])


def _blamed(check: Callable[[], None]) -> tuple[int, str] | None:
    try:
        check()
    except SeatError as error:
        return error.seat, error.code
    return None


def test_the_vectors_of_hands_have_honest_ones_among_them() -> None:
    for name in ("openings.json", "not-holding.json"):
        assert sum(vector["code"] is None for vector in load(name)["vectors"]) >= 2
