"""A seat that cheats with slots, histories, talk and claims at a whole table: what it says where and when."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from hocp2p.game.events import CardPlayed
from hocp2p.game.house import Rules
from hocp2p.table.asides import TALK_TRACK
from hocp2p.table.chain import MAX_EARLY_STEPS, track_label
from hocp2p.table.events import HandShown, SeatLeft
from hocp2p.table.losing import NO_HEAD
from hocp2p.table.losses import LOSS_TRACK
from hocp2p.table.snapshot import Stage
from hocp2p.table.tracks import MAX_EARLY_STEP, MAX_TRACKS_AHEAD
from hocp2p.wire import messages as m
from hocp2p.wire.envelope import Envelope, Slot, seal
from hocp2p.wire.frames import Sealed, decode_frame, encode_frame
from tests.cheaters.test_table import EVERY_STEP, cheated, everywhere
from tests.support.cheater import Cheat, CheatedTable, Cheater, Said, beside
from tests.table.test_whole_tables import verify_agreement

# -- slots ------------------------------------------------------------------------------------------------------------


@everywhere
@pytest.mark.parametrize("kind", [m.Call, m.ShuffleProof, m.NonHolding])
def test_out_of_turn(kind: type[m.Message], seats: int, seat: int) -> None:
    """The same words again, in the next step, which is somebody else's. (R-103.)"""

    def cheat(said: Said) -> Iterable[Envelope] | None:
        if not isinstance(said.message, kind):
            return None
        steps = dict(said.cheater.table.table_of(seat).tracks).items()
        present = next((each.present for track, each in steps if track.number == said.envelope.track), None)
        if present is None or seat in present.speakers:
            return None  # its own turn comes next
        head = hashlib.sha256(b"hocp2p/1 step" + said.envelope.head + said.envelope.digest).digest()
        return [said.envelope, said.but(step=said.envelope.step + 1, head=head)]

    for seed in range(3):
        cheater = cheated(cheat, seats, seat, seed)
        assert cheater.slot is not None
        cheater.verify_blamed("out-of-turn", f"{track_label(cheater.slot.track)}/{cheater.slot.step + 1}")
        cheater.verify_ended()


def test_out_of_turn_where_one_honest_seat_has_gone_on_and_the_other_has_not() -> None:
    """Seat 1 has moved, the host does not know yet, and seat 2 speaks in that step: the cut is one step on.

    The host has to come to the cut although what seat 2 said stands in its way.

    R-111.
    """
    table = CheatedTable(3, Rules(deals=3), 4, "novice")
    cheater = Cheater(table, 2, lambda _: None)
    table.run(lambda: any(isinstance(event, CardPlayed) for event in table.events[0]))
    table.run(lambda: bool(table.peers[1].snapshot().legal) and not any(table.queues.values()))
    play = table.table_of(0).course.play
    assert play is not None
    track = table.table_of(0).tracks[play]
    cheater.slot = Slot(play, track.step, 2)
    wrong = seal(
        table.table_of(0).terms.table, play, track.step, 2, track.head, m.encode_message(m.Leaving()), cheater.sign
    )
    table.perform(1, table.peers[1].act(table.peers[1].snapshot().legal[0]))
    table.perform(0, table.peers[0].receive(2, encode_frame(Sealed(wrong.raw))))
    assert table.blames[0]
    other = (play, next(step for step in range(2, track.step) if (step, 2) not in track._envelopes), 2, b"x" * 32)
    later = seal(table.table_of(0).terms.table, *other, m.encode_message(m.Leaving()), cheater.sign)
    table.table_of(0).receive(later.raw)  # by whatever way it comes: nothing of this counts any more
    assert not table.peers[0].over
    while table.queues[0, 1]:
        table.perform(1, table.peers[1].receive(0, table.queues[0, 1].pop(0)))
    assert table.blames[1]
    table.run()
    cheater.verify_blamed("out-of-turn")
    cheater.verify_ended()
    assert len(table.table_of(0).course.finished) == 1


@everywhere
def test_out_of_turn_in_a_step_that_is_over(seats: int, seat: int) -> None:
    def cheat(said: Said) -> Iterable[Envelope] | None:
        if not isinstance(said.message, m.CardOpening):
            return None
        spoken = {envelope.slot for envelope, _ in said.cheater.table.spoken(seat)}
        heads = said.cheater.table.table_of(seat).tracks[said.envelope.track]._heads
        before = said.but(step=said.envelope.step - 1, head=heads[said.envelope.step - 1])
        return None if before.slot in spoken else [said.envelope, before]

    cheater = cheated(cheat, seats, seat)
    assert cheater.slot is not None
    cheater.verify_blamed("out-of-turn", f"play 1/{cheater.slot.step - 1}")
    cheater.verify_ended()


@everywhere
@pytest.mark.parametrize("kind", EVERY_STEP)
def test_two_messages_for_one_slot(kind: type[m.Message], seats: int, seat: int) -> None:
    """The honest one first: its step closes, and the second is still evidence. Everybody gets both. (R-052.)"""
    cheater = cheated(beside(kind, lambda said: [said.but(m.Talk("or so"))]), seats, seat)
    cheater.verify_blamed("equivocation")
    cheater.verify_ended()


@everywhere
def test_two_histories_for_one_message_are_two_messages(seats: int, seat: int) -> None:
    cheater = cheated(beside(m.Call, lambda said: [said.but(head=b"x" * 32)]), seats, seat)
    cheater.verify_blamed("equivocation")
    cheater.verify_ended()


@everywhere
def test_two_messages_for_one_slot_of_a_deal_to_come(seats: int, seat: int) -> None:
    """They wait for the deal; when it begins they are found. (R-052.)"""

    def more(said: Said) -> list[Envelope]:
        return [said.but(m.Talk(text), track=6, step=0) for text in ("one", "two")]

    cheater = cheated(beside(m.Call, more), seats, seat)
    cheater.verify_blamed("equivocation", "play 2/0")
    cheater.verify_ended()


@everywhere
@pytest.mark.parametrize(
    ("track", "step"),
    [(0, MAX_EARLY_STEPS + 300), (0, 90_000), (MAX_TRACKS_AHEAD + 3, -(10**6)), (990, 0)],
    ids=["steps", "many-steps", "tracks", "many-tracks"],
)
def test_ahead_of_what_the_game_can_be(track: int, step: int, seats: int, seat: int) -> None:
    """It is nothing: who is further on might keep it, so that not all could blame the cheat. (R-054, R-055.)"""

    def more(said: Said) -> list[Envelope]:
        return [said.but(track=said.envelope.track + track, step=max(0, said.envelope.step + step))]

    cheater = cheated(beside(m.Call, more), seats, seat)
    assert cheater.slot is not None
    cheater.verify_nobody_blamed()
    verify_agreement(cheater.table)


@everywhere
def test_flooding_a_track_that_is_not_reached(seats: int, seat: int) -> None:
    """What can be of no use is not kept. (R-115.)"""

    def more(said: Said) -> list[Envelope]:
        return [said.but(track=6, step=step) for step in range(MAX_EARLY_STEP, 4 * MAX_EARLY_STEP)]

    cheater = cheated(beside(m.Call, more), seats, seat)
    assert cheater.slot is not None
    cheater.verify_nobody_blamed()
    verify_agreement(cheater.table)


@everywhere
def test_a_full_waiting_room_of_one_seat_leaves_room_for_the_others(seats: int, seat: int) -> None:
    """As many as are kept, each in a slot that will never be asked for in this order: the session goes on till then."""

    def more(said: Said) -> list[Envelope]:
        return [said.but(track=6, step=step) for step in range(1, MAX_EARLY_STEP)]

    cheater = cheated(beside(m.Call, more), seats, seat)
    for other in cheater.honest:
        assert {error.seat for error in cheater.table.blames[other]} <= {seat}
        assert len(cheater.table.table_of(other).course.finished) >= 1


# -- histories, replay, splice ----------------------------------------------------------------------------------------


@everywhere
@pytest.mark.parametrize("kind", [m.KeyReveal, m.ShareCommit, m.Call, m.Receipt])
def test_another_history_accuses_nobody(kind: type[m.Message], seats: int, seat: int) -> None:
    """R-048."""

    def cheat(said: Said) -> Iterable[Envelope] | None:
        return [said.but(head=b"x" * 32)] if isinstance(said.message, kind) else None

    cheater = cheated(cheat, seats, seat)
    cheater.verify_nobody_blamed()
    cheater.verify_silent()
    codes = [stop.code for other in cheater.honest for stop in cheater.table.stops(other)]
    assert "history-differs" in codes
    assert set(codes) <= {"history-differs", "host-gone"}


@everywhere
def test_an_envelope_of_another_table_is_nothing(seats: int, seat: int) -> None:
    """R-037."""
    cheater = cheated(beside(m.Call, lambda said: [said.but(m.UnseenClass(), table=b"t" * 32)]), seats, seat)
    cheater.verify_nobody_blamed()
    verify_agreement(cheater.table)


def test_a_whole_session_replayed_into_another_moves_nothing() -> None:
    """The same people play by other rules: frames of their first session are put before each frame of the second."""
    first = CheatedTable(3, Rules(deals=3), 5)
    first.run()
    old = [[frame for frame in frames if isinstance(decode_frame(frame), Sealed)][:40] for frames in first.sent]
    again = CheatedTable(3, Rules(deals=6), 5)
    assert first.table_of(0).terms.keys == again.table_of(0).terms.keys
    assert first.table_of(0).terms.table != again.table_of(0).terms.table
    again.tamper = lambda frm, _, frame: [*old[frm], frame] if isinstance(decode_frame(frame), Sealed) else [frame]
    again.run()
    verify_agreement(again)


def test_frames_replayed_within_a_session_move_nothing() -> None:
    """All that a link has carried, again and again, out of order; the newest frame comes last. (R-104.)"""
    table = CheatedTable(3, Rules(deals=3), 7)
    carried: dict[tuple[int, int], list[bytes]] = {}

    def replay(frm: int, to: int, frame: bytes) -> Iterable[bytes]:
        if not isinstance(decode_frame(frame), Sealed):
            return [frame]
        before = carried.setdefault((frm, to), [])
        before.append(frame)
        return [*reversed(before[-5:-1]), *before[:2], frame]

    table.tamper = replay
    table.run()
    verify_agreement(table)


# -- talk and claims --------------------------------------------------------------------------------------------------


@everywhere
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (m.encode_message(m.Call(m.WORD_PASS, 0, 0)), "unexpected-message"),
        (m.encode_message(m.SeatLost(1, 4, 4)), "unexpected-message"),
        (b"\x91\x7f", "unknown-kind"),
        (b"\x92\x28\xa2 x", "bad-text"),
    ],
    ids=["move", "claim", "kind", "text"],
)
def test_talk_that_is_no_talk(body: bytes, code: str, seats: int, seat: int) -> None:
    """R-105."""
    talk = beside(m.Call, lambda said: [said.but(track=TALK_TRACK, step=0, head=NO_HEAD, body=body)])
    cheater = cheated(talk, seats, seat)
    cheater.verify_blamed(code, "talk")
    cheater.verify_ended()


HANDS: dict[str, Callable[[m.ShownHand], m.Message]] = {
    "faces-exchanged": lambda told: replace(told, faces=told.faces[::-1]),
    "part-of-the-hand": lambda told: replace(told, positions=(51,), faces=(0,)),
    "unproved": lambda told: replace(told, proof=bytes(64)),
}


@pytest.mark.parametrize("name", HANDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_hand_shown_after_the_deal_that_is_not_the_hand(name: str, seed: int) -> None:
    """Nobody sees it, nor what the seat shows after it; and nobody is blamed. (R-106.)"""
    change = HANDS[name]
    table = CheatedTable(3, Rules(deals=3), seed, "novice")
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    table.ready_for_next = False
    table.run()
    seat = next(seat for seat in (2, 1) if table.peers[seat].snapshot().may_show)

    def cheat(said: Said) -> Iterable[Envelope] | None:
        if not isinstance(said.message, m.ShownHand):
            return None
        return [said.but(change(said.message)), said.but(step=said.envelope.step + 1)]

    cheater = Cheater(table, seat, cheat)
    table.perform(seat, table.peers[seat].show_hand())
    table.ready_for_next = True
    table.run_linked()
    assert cheater.slot is not None
    assert not any(isinstance(event, HandShown) for other in cheater.honest for event in table.events[other])
    cheater.verify_nobody_blamed()
    assert {peer.snapshot().stage for peer in table.peers} == {Stage.ENDED}


def claiming(message: m.Message, slot: int) -> Cheat:
    """Beside the first call, a message in the slot of the loss of seat ``slot``."""
    return beside(m.Call, lambda said: [said.but(message, track=LOSS_TRACK, step=slot, head=NO_HEAD)])


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize(
    ("message", "slot", "code"),
    [
        (m.SeatLost(1, 4, 4), 1, "unexpected-message"),  # itself
        (m.SeatLost(0, 4, 4), 1, "unexpected-message"),  # another slot
        (m.Talk("lost"), 0, "unexpected-message"),
    ],
)
def test_claims_that_nobody_can_make(message: m.Message, slot: int, code: str, seats: int) -> None:
    """R-108."""
    cheater = cheated(claiming(message, slot), seats, 1)
    cheater.verify_blamed(code, "loss")
    cheater.verify_ended()


def test_the_claimed_loss_of_a_seat_that_is_none() -> None:
    """R-109."""
    for seat in (0, 1):
        cheater = cheated(claiming(m.SeatLost(2, 4, 4), 2), 2, seat)
        cheater.verify_blamed("bad-seat", "loss")
        cheater.verify_silent()


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_who_alone_claims_that_somebody_is_lost_loses_nobody(seat: int) -> None:
    """The others hear that seat, and go on with it. Word stands against word: nobody is accused, either."""
    lost = (seat + 1) % 3
    cheater = cheated(claiming(m.SeatLost(lost, 4, 4), lost), 3, seat)
    assert cheater.slot is not None
    cheater.verify_nobody_blamed()
    assert [event for events in cheater.table.events for event in events if isinstance(event, SeatLeft)] == []
    verify_agreement(cheater.table)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_claims_that_the_only_other_is_lost_has_left_him(seat: int) -> None:
    cheater = cheated(claiming(m.SeatLost(1 - seat, 4, 4), 1 - seat), 2, seat)
    cheater.verify_nobody_blamed()
    cheater.verify_silent()
    assert [stop.code for stop in cheater.table.stops(1 - seat)] == ["cut-off"]


def test_two_can_cut_off_the_third_and_play_on() -> None:
    """They could have agreed on anything; the one who is cut off is told, and nobody is accused."""
    table = CheatedTable(3, Rules(deals=3), 4)
    table.run(lambda: any(isinstance(event, CardPlayed) for event in table.events[1]))
    for seat in (0, 1):
        table.table_of(seat).lose(2, "is no longer wanted")
        table.perform(seat, table.peers[seat].say("and now we are two"))
    table.run_linked()
    assert table.blames == [[], [], []]
    assert [stop.code for stop in table.stops(2)] == ["cut-off"]
    assert table.spoken(2, table.signed_at_fault[2]) == []
    tables = [table.table_of(seat) for seat in (0, 1)]
    assert tables[0].parting == tables[1].parting
    assert tables[0].course.finished == tables[1].course.finished
    assert [finished.state.gone for finished in tables[1].course.finished] == [frozenset({2})]


def test_the_cut_cannot_be_put_where_the_game_never_comes() -> None:
    """Seat 2 has left; seat 1 claims to be a thousand steps ahead, so that the deal would wait for seat 2 for ever.

    R-110.
    """

    def cheat(said: Said) -> Iterable[Envelope] | None:
        claim = said.message
        return [said.but(replace(claim, step=claim.step + 1000))] if isinstance(claim, m.SeatLost) else None

    table = CheatedTable(3, Rules(deals=3), 4)
    table.run(lambda: any(isinstance(event, CardPlayed) for event in table.events[1]))
    cheater = Cheater(table, 1, cheat)
    table.perform(2, table.peers[2].leave())
    table.run_linked()
    cheater.honest = [0]
    cheater.verify_blamed("too-early", "loss")
    assert table.peers[0].over
