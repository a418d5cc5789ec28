"""All tracks of a table: what runs, what waits for its track, what has ended."""

from __future__ import annotations

import pytest

from hocp2p.errors import PeerError
from hocp2p.table.agreement import AgreementSteps
from hocp2p.table.chain import first_head
from hocp2p.table.tracks import ENDED_TOLD, MAX_EARLY_STEP, MAX_TRACKS_AHEAD, Tracks
from hocp2p.wire.envelope import Envelope, seal

TABLE = b"t" * 32
STEPS = AgreementSteps(2)


def said(track: int, step: int = 0, seat: int = 0, body: bytes = b"\x91\x01", head: bytes | None = None) -> Envelope:
    head = first_head(TABLE, track) if head is None else head
    return seal(TABLE, track, step, seat, head, body, lambda _: bytes(64))


def running(*numbers: int) -> Tracks:
    tracks = Tracks(TABLE)
    for number in numbers:
        tracks.start(number, STEPS)
    return tracks


def finish(tracks: Tracks, number: int) -> None:
    tracks.finish(tracks[number])


def fault_of(tracks: Tracks, envelope: Envelope) -> PeerError:
    with pytest.raises(PeerError) as caught:
        tracks.sort(envelope)
    assert caught.value.seat == envelope.seat
    return caught.value


def test_they_run_side_by_side_lowest_number_first() -> None:
    tracks = running(4, 0, 3)
    assert [track.number for track, _ in tracks] == [0, 3, 4]
    assert 3 in tracks
    assert 5 not in tracks


def test_one_may_end_while_all_are_looked_at() -> None:
    tracks = running(0, 1)
    for track, _ in tracks:
        tracks.finish(track)
    assert list(tracks) == []
    assert set(tracks.heads) == {0, 1}


def test_a_track_builds_on_the_heads_of_those_before_it() -> None:
    tracks = running(1, 2)
    finish(tracks, 1)
    finish(tracks, 2)
    tracks.start(4, STEPS, 2, 1)
    assert tracks[4].head == first_head(TABLE, 4, tracks.heads[2], tracks.heads[1])


def test_an_envelope_goes_to_its_track() -> None:
    """R-041."""
    tracks = running(3, 4)
    assert tracks.sort(said(4))
    assert not tracks.sort(said(4))
    assert tracks[4].has(0)
    assert not tracks[3].has(0)


def test_early_ones_wait_for_their_track() -> None:
    tracks = running(3)
    assert tracks.sort(said(4, seat=1))
    assert not tracks.sort(said(4, seat=1))
    tracks.start(4, STEPS)
    assert tracks[4].has(1)
    assert not tracks.sort(said(4, seat=1))


def test_two_that_waited_for_one_slot_are_found_when_the_track_starts() -> None:
    tracks = running(3)
    one, other = said(4), said(4, body=b"\x91\x17")
    assert tracks.sort(one)
    assert tracks.sort(other)
    with pytest.raises(PeerError) as caught:
        tracks.start(4, STEPS)
    assert caught.value.code == "equivocation"
    assert caught.value.evidence == (one.raw, other.raw)


def test_a_track_that_cannot_be_reached() -> None:
    """R-055."""
    tracks = running(0, 3)
    assert tracks.sort(said(3 + MAX_TRACKS_AHEAD))
    assert not tracks.sort(said(3 + MAX_TRACKS_AHEAD + 1))
    assert not tracks.sort(said(4000))


def test_what_waits_for_a_track_is_bounded_whatever_came_first() -> None:
    """R-115. Whoever hears the same keeps the same, so that nothing is missing at one seat alone."""
    tracks = running(3)
    assert not tracks.sort(said(4, MAX_EARLY_STEP, seat=2))
    for body in (b"\x91\x17", b"\x91\x19", b"\x91\x01"):
        for step in reversed(range(MAX_EARLY_STEP)):
            assert tracks.sort(said(4, step, seat=2, body=body)) == (body != b"\x91\x01")
    assert tracks.sort(said(4, 0, seat=1))
    assert not tracks.sort(said(4, 0, seat=1))


def test_all_that_waited_finds_its_place_whatever_one_of_it_proves() -> None:
    tracks = running(3)
    for early in (said(4, seat=2), said(4, seat=2, body=b"\x91\x19"), said(4, seat=1)):
        assert tracks.sort(early)
    with pytest.raises(PeerError) as caught:
        tracks.start(4, STEPS)
    assert (caught.value.seat, caught.value.code) == (2, "equivocation")
    assert tracks[4].has(1)


def test_after_its_end_doubles_are_dropped_and_lies_are_found() -> None:
    """R-052."""
    tracks = running(3)
    tracks.sort(said(3))
    tracks[3].close_step((said(3),))
    finish(tracks, 3)
    assert not tracks.sort(said(3))
    assert fault_of(tracks, said(3, body=b"\x91\x17")).code == "equivocation"
    assert fault_of(tracks, said(3, step=1, head=tracks.heads[3])).code == "out-of-turn"


def test_what_ended_long_ago_is_judged_alike_and_only_not_told() -> None:
    """R-052. Another may have ended one track less than we."""
    tracks = running(*range(ENDED_TOLD + 2))
    for number in range(ENDED_TOLD + 2):
        assert tracks.sort(said(number))
        finish(tracks, number)
    for number in range(ENDED_TOLD + 2):
        assert not tracks.sort(said(number))
        assert fault_of(tracks, said(number, body=b"\x91\x17")).code == "equivocation"
    assert [number for number, _ in tracks.standing()] == list(range(2, ENDED_TOLD + 2))


def test_the_heads_cannot_be_changed_from_outside() -> None:
    tracks = running(0)
    finish(tracks, 0)
    with pytest.raises(TypeError):
        tracks.heads[0] = bytes(32)  # type: ignore[index] # that it is refused is the test


def test_where_a_session_goes_on_tracks_are_counted_from_its_first_deck() -> None:
    """R-055. Who has all agreements may speak there before we have them; the tracks of the table before are over."""
    tracks = Tracks(TABLE, elsewhere=600)
    tracks.start(0, STEPS)
    assert tracks.sort(said(601))
    assert not tracks.sort(said(601 + MAX_TRACKS_AHEAD))
    for number in (1, 2, 600):
        assert fault_of(tracks, said(number)).code == "out-of-turn"
    tracks.start(601, STEPS)
    assert tracks[601].has(0)
    assert tracks.sort(said(601 + MAX_TRACKS_AHEAD))
    assert fault_of(tracks, said(600)).code == "out-of-turn"
