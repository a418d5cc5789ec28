"""Whatever bytes a link brings, at whatever stage, in whatever order: a peer never raises, and blames nobody honest."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hocp2p.game.house import Rules
from hocp2p.table.effects import Blame, Effect, HangUp, Send
from hocp2p.table.peer import Peer
from hocp2p.wire.frames import Sealed, decode_frame
from tests.support.tables import HOST, StarTable

SEATS = 3
STRANGER = 99
STAGES = {
    "lobby": 0,
    "ready": 4,
    "draw": 40,
    "dealing": 120,
    "auction": 190,
    "play": 330,
    "second-deal": 600,
    "over": 5000,
}
"""Deliveries and decisions before the bytes come."""
SETTINGS = settings(
    deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def table_at(steps: int, seed: int = 11) -> StarTable:
    table = StarTable(SEATS, Rules(deals=SEATS), seed)
    for _ in range(steps):
        table.step()
    return table


class Stage:
    """A peer at one stage, and all that honest seats have said and can still say before they need it again.

    Args:
        name: of the stage.
        seat: whose peer.
    """

    def __init__(self, name: str, seat: int) -> None:
        table = table_at(STAGES[name])
        self._peer = copy.deepcopy(table.peers[seat])
        table.paused.add(seat)
        table.tamper = lambda _, to, frame: [] if to == seat else [frame]
        for (_, to), queue in table.queues.items():
            if to == seat:
                queue.clear()
        table.run()
        self.frames = [frame for frames in table.sent for frame in frames]

    def peer(self) -> Peer:
        """The peer as it stands at this stage, for one example."""
        return copy.deepcopy(self._peer)


@cache
def stage(name: str, seat: int) -> Stage:
    """Played once, for all examples."""
    return Stage(name, seat)


def feed(peer: Peer, link: int, frames: list[bytes]) -> list[Effect]:
    """Everything that it does about these frames. A peer that raises fails the test."""
    effects: list[Effect] = []
    for frame in frames:
        effects += peer.receive(link, frame)
        peer.snapshot()
    return effects


def blamed(effects: list[Effect]) -> set[int]:
    return {effect.error.seat for effect in effects if isinstance(effect, Blame)}


def link_of(seat: int) -> int:
    """A link of that seat: the host's to seat 2, a guest's to the host."""
    return 2 if seat == HOST else HOST


@st.composite
def mutated(draw: st.DrawFn, frames: list[bytes]) -> bytes:
    """A valid frame, a few bytes of it changed, put in or taken out, or another one's end put on."""
    data = bytearray(draw(st.sampled_from(frames)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)) | st.integers(0, min(len(data), 120)))
        match draw(st.sampled_from(["change", "insert", "delete", "splice"])):
            case "change":
                data[at : at + 1] = bytes([draw(st.integers(0, 255))])
            case "insert":
                data[at:at] = draw(st.binary(max_size=4))
            case "delete":
                del data[at : at + draw(st.integers(1, 8))]
            case "splice":
                other = draw(st.sampled_from(frames))
                data[at:] = other[at:]
    return bytes(data)


everywhere = pytest.mark.parametrize("seat", [HOST, 1])
at_every_stage = pytest.mark.parametrize("name", STAGES)


@everywhere
@at_every_stage
@given(frames=st.lists(st.binary(max_size=200), max_size=4))
@example(frames=[b""])
@example(frames=[bytes(30_000)])
@example(frames=[b"\x91" * 300])
@SETTINGS
def test_any_bytes(name: str, seat: int, frames: list[bytes]) -> None:
    assert blamed(feed(stage(name, seat).peer(), link_of(seat), frames)) == set()


@pytest.mark.parametrize("dialled", [False, True])
@everywhere
@at_every_stage
@given(data=st.data())
@SETTINGS
def test_whatever_a_stranger_sends(name: str, seat: int, dialled: bool, data: st.DataObject) -> None:
    """On a link of his own, with all that he may have overheard. He moves nothing at the table, and sits nowhere."""
    if dialled and seat != HOST and name in ("lobby", "ready"):
        pytest.skip("a guest who has signed nothing yet takes whom it dials for the host")
    peer = stage(name, seat).peer()
    before = peer.snapshot()
    frames = st.binary(max_size=100) | mutated(stage(name, seat).frames) | st.sampled_from(stage(name, seat).frames)
    peer.link_opened(STRANGER, dialled=dialled)
    effects = feed(peer, STRANGER, data.draw(st.lists(frames, min_size=1, max_size=5)))
    assert {type(effect) for effect in effects} <= {Send, HangUp}
    assert all(effect.to == STRANGER for effect in effects if isinstance(effect, Send))
    assert peer.snapshot() == before


@everywhere
@at_every_stage
@given(data=st.data())
@SETTINGS
def test_almost_valid_frames(name: str, seat: int, data: st.DataObject) -> None:
    """Without a seat's key no change to its bytes makes them its own."""
    frames = data.draw(st.lists(mutated(stage(name, seat).frames), min_size=1, max_size=4))
    assert blamed(feed(stage(name, seat).peer(), link_of(seat), frames)) == set()


@everywhere
@at_every_stage
@given(seed=st.integers(0, 2**32), doubled=st.booleans())
@SETTINGS
def test_valid_frames_in_any_order(name: str, seat: int, seed: int, doubled: bool) -> None:
    """All that the honest seats say from here on and before, in any order, some of it twice, some of it never."""
    rng = random.Random(seed)
    known = stage(name, seat).frames
    frames = rng.sample(known, min(60, len(known)))
    if doubled:
        frames += rng.sample(frames, len(frames) // 2)
    assert blamed(feed(stage(name, seat).peer(), link_of(seat), frames)) == set()


def lost_sessions() -> Iterator[tuple[int, StarTable]]:
    """Sessions that seat 2 leaves, at many moments."""
    for steps in range(160, 600, 55):
        table = table_at(steps)
        table.perform(2, table.peers[2].leave())
        yield steps, table


@everywhere
def test_the_loss_of_a_seat_in_any_order(seat: int) -> None:
    """Claims, moves that the cut made void, and moves after it: late ones accuse nobody."""
    for steps, table in lost_sessions():
        before = copy.deepcopy(table.peers[seat])
        table.run()
        other = 1 - seat
        frames = [frame for frame in table.sent[other] if isinstance(decode_frame(frame), Sealed)]
        for seed in range(3):
            rng = random.Random(seed)
            peer = copy.deepcopy(before)
            shuffled = rng.sample(frames, len(frames))
            assert blamed(feed(peer, 1 if seat == HOST else HOST, shuffled)) == set(), (steps, seed)
