"""A session that goes on at other tables, from the vectors, led through our ``Table`` and the lobby of a guest."""

from __future__ import annotations

from functools import cache

import pytest

from hocp2p.crypto.deck import MentalPoker
from hocp2p.crypto.identity import Identity
from hocp2p.errors import WireError
from hocp2p.table.guest import GuestLobby
from hocp2p.table.links import Links
from hocp2p.table.me import Me
from hocp2p.table.parting import Parting
from hocp2p.table.snapshot import Stage
from hocp2p.wire.envelope import decode_envelope
from hocp2p.wire.frames import Challenge, Proposal, decode_frame, encode_frame
from protocol.generate.transcript import Stream
from tests.protocol.test_session_vectors import SESSIONS, find_the_fault, replay
from tests.support.vectors import Vector, load, vectors

NEXT = {vector["name"]: vector for vector in load("sessions-going-on.json")["vectors"]}
EVERY = {vector["name"]: vector for vector in SESSIONS.values()} | NEXT


@cache
def parting_of(name: str, seed: str) -> Parting:
    """How the seat with this identity has seen a table being left."""
    session = EVERY[name]
    ours = replay(session, session["seeds"].index(seed))
    for raw in session["envelopes"]:
        ours.feed(bytes.fromhex(raw))
    assert ours.table.parting is not None
    return ours.table.parting


@pytest.mark.parametrize("name", NEXT)
def test_every_seat_says_the_same_bytes(name: str) -> None:
    """R-124, R-127. Those who stay to the end, and those who are lost until they are."""
    session = NEXT[name]
    ended = []
    for seat in range(session["seats"]):
        ours = replay(session, seat)
        for raw in session["envelopes"]:
            if ours.table.stopped is None:
                ours.feed(bytes.fromhex(raw))
        assert ours.blames == []
        if ours.table.stopped is None:
            match = ours.table.course.match
            assert match is not None
            assert list(match.balances) == session["balances"]
            ended.append(ours.table.parting is None and ours.table.stage is Stage.ENDED)
    assert ended == [name.startswith("two go on")] * 2


def test_who_has_all_agreements_may_speak_before_we_have_them() -> None:
    """R-050, R-055. The last agreement comes to seat 1 behind what seat 2 has said after it."""
    session = NEXT["a newcomer comes, and the host leaves in the deal"]
    first, ours, third, *more = (bytes.fromhex(raw) for raw in session["envelopes"])
    assert [decode_envelope(raw).slot for raw in more[:3]] == [(5, 0, seat) for seat in range(3)]
    table = replay(session, 1)
    for raw in (ours, third, more[2], more[0], first, *more[1:]):
        table.feed(raw)
    assert table.blames == []
    assert table.table.parting is not None


@vectors("going-on-faults.json")
def test_one_wrong_word_is_found_and_the_seat_named(vector: Vector) -> None:
    """R-124, R-128."""
    find_the_fault(EVERY[vector["session"]], vector)


@vectors("proposals-going-on.json")
def test_only_a_proposal_that_goes_on_exactly_is_taken(vector: Vector) -> None:
    """R-123, at a seat that has left the table before."""
    parting = parting_of(vector["before"], vector["seed"])
    proposal = decode_frame(bytes.fromhex(vector["hex"]))
    assert isinstance(proposal, Proposal)
    nonce = Stream(vector["draw"])(32)
    me = Me(Identity.from_seed(bytes.fromhex(vector["seed"])), "seat", MentalPoker(), lambda _: nonce)
    links = Links(me.identity, me.randomness, lambda _: None)
    lobby = GuestLobby(me, b"", links, lambda _: None, parting=parting)
    links.open(1, dialled=True, certificate=None)
    links.take_challenge(1, encode_frame(Challenge(1, parting.terms.keys[parting.host], bytes(32))))
    lobby.greet(1)
    if vector["code"] is None:
        terms, seat = lobby.consider(proposal)
        assert (seat, terms.encoded.hex()) == (vector["seat"], vector["hex"])
        return
    with pytest.raises(WireError) as caught:
        lobby.consider(proposal)
    assert caught.value.code == vector["code"]
