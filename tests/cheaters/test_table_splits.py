"""A seat that tries to part the honest ones: what one of them holds against it, the other must come to know, too.

R-129. Who blames a seat goes no further until the others leave it behind as well. Were they to see nothing wrong, it
would be the honest one who keeps them waiting, and whom they vote out.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from hocp2p.game.actions import Action
from hocp2p.game.events import CardPlayed
from hocp2p.game.house import Rules
from hocp2p.table.asides import TALK_TRACK
from hocp2p.table.chain import MAX_EARLY_STEPS
from hocp2p.table.effects import Effect, Persist, Record, Send
from hocp2p.table.events import HandShown, SeatLeft
from hocp2p.table.losing import NO_HEAD
from hocp2p.table.losses import LOSS_TRACK
from hocp2p.table.snapshot import Stage
from hocp2p.wire import messages as m
from hocp2p.wire.envelope import seal
from hocp2p.wire.frames import Refusal, Sealed, encode_frame
from tests.support.cheater import CheatedTable
from tests.table.test_losing_a_seat import left_by, lose

A, B, CHEAT = 0, 1, 2
GARBAGE = b"\x91\x7f"
"""A message of a kind that does not exist."""


class Parted(CheatedTable):
    """The cheat's own peer never hears what was signed in its name."""

    def __post_init__(self) -> None:
        self.forged: set[bytes] = set()
        super().__post_init__()
        self.tamper = lambda _, to, frame: [] if to == CHEAT and frame in self.forged else [frame]


def in_play(until: type[object] = CardPlayed) -> Parted:
    """Three seats, each linked to both others, in the middle of the first deal; nothing is on its way."""
    table = Parted(3, Rules(deals=3), 4)
    table.run(lambda: all(peer.table is not None and peer.table.signed for peer in table.peers))
    table.link(CHEAT, B)
    table.run(lambda: any(isinstance(event, until) for event in table.events[B]))
    table.paused.update(range(3))
    table.run()
    return table


def said(table: Parted, track: int, step: int, body: bytes | m.Message, head: bytes = NO_HEAD) -> bytes:
    """A frame with what the cheat signs."""
    body = body if isinstance(body, bytes) else m.encode_message(body)
    sign = table.mine[CHEAT].identity.sign
    frame = encode_frame(Sealed(seal(table.table_of(A).terms.table, track, step, CHEAT, head, body, sign).raw))
    table.forged.add(frame)
    return frame


def tell(table: CheatedTable, to: int, *frames: bytes) -> list[Effect]:
    """Frames of the cheat reach one seat before all that is on its way."""
    effects = [effect for frame in frames for effect in table.peers[to].receive(CHEAT, frame)]
    table.perform(to, effects)
    return effects


def move(table: CheatedTable, action: Action, *, first: int) -> None:
    """The cheat's move reaches one seat at once; to the other it is on its way."""
    for effect in table.peers[CHEAT].act(action):
        table.perform(CHEAT, [effect])
    while table.queues[CHEAT, first]:
        table._deliver(CHEAT, first)


def until_its_turn(table: CheatedTable) -> tuple[int, int, Action]:
    """Plays until the cheat is to move; the place, and a move."""
    table.paused.clear()
    table.paused.add(CHEAT)
    table.run(lambda: bool(table.peers[CHEAT].snapshot().legal) and not any(table.queues.values()))
    table.paused.update(range(3))
    return *table.table_of(A).course.place, table.peers[CHEAT].snapshot().legal[0]


def verify_judged_alike(table: CheatedTable) -> None:
    """Both honest seats blame the cheat and leave it behind, or neither does and the session goes on."""
    table.paused.clear()
    table.run()
    codes = [[error.code for error in table.blames[seat]] for seat in (A, B)]
    assert codes[A] == codes[B]
    if codes[A]:
        assert left_by(table, A).parting == left_by(table, B).parting is not None
        assert left_by(table, A).losses.lost == {CHEAT}
    else:
        assert {peer.snapshot().stage for peer in table.peers} == {Stage.ENDED}


# -- talk -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [A, B])
@pytest.mark.parametrize("body", [GARBAGE, m.UnseenClass(), m.Vote(CHEAT, 1)], ids=["garbage", "move", "vote"])
def test_what_cannot_be_said_reaches_one_of_them_after_what_can(body: bytes | m.Message, first: int) -> None:
    """R-105, R-126."""
    table = in_play()
    tell(table, first, said(table, TALK_TRACK, 5, m.Talk("all is well")))
    tell(table, 1 - first, said(table, TALK_TRACK, 4, body))
    verify_judged_alike(table)
    assert table.blames[A]


@pytest.mark.parametrize("first", [A, B])
@pytest.mark.parametrize("linked", [True, False])
def test_a_goodbye_reaches_one_of_them_after_something_later(first: int, linked: bool) -> None:
    """R-104. Who has left has left, whatever the other heard before; he hears it also on a link that comes later."""
    table = in_play()
    if not linked:
        table.cut(A, B)
    tell(table, first, said(table, TALK_TRACK, 6, m.Talk("see you")))
    tell(table, 1 - first, said(table, TALK_TRACK, 5, m.Leaving()))
    table.run()
    if not linked:
        assert not any(isinstance(event, SeatLeft) for event in table.events[first])
        table.link(B, A)
    table.paused.clear()
    table.run()
    assert left_by(table, A).parting == left_by(table, B).parting is not None
    assert not any(table.blames)


def may_show_after_a_deal(table: Parted) -> bool:
    """Plays one deal; whether the cheat has cards left."""
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    table.link(CHEAT, B)
    table.ready_for_next = False
    table.run()
    return table.peers[CHEAT].snapshot().may_show


@pytest.mark.parametrize("first", [A, B])
def test_a_false_hand_reaches_one_of_them_after_the_true_one(first: int) -> None:
    """R-106."""
    tables = (Parted(3, Rules(deals=3), seed, "novice") for seed in range(20))
    table = next(each for each in tables if may_show_after_a_deal(each))
    true = table.table_of(CHEAT).course.last
    assert true is not None
    hand = true.show_hand()
    false = said(table, TALK_TRACK, 5, replace(hand, proof=bytes(64)))
    tell(table, first, said(table, TALK_TRACK, 4, hand), false)
    tell(table, 1 - first, false)
    assert any(isinstance(event, HandShown) for event in table.events[first])
    table.ready_for_next = True
    verify_judged_alike(table)


# -- slots ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [A, B])
@pytest.mark.parametrize("doubled", [False, True])
def test_a_step_that_is_too_far_ahead_for_one_of_them(first: int, doubled: bool) -> None:
    """R-054. The other has heard the cheat's move already. The same slot filled twice is seen by both."""
    table = in_play()
    track, step, action = until_its_turn(table)
    far = [said(table, track, step + MAX_EARLY_STEPS + 1, m.Talk(text)) for text in ("one", "two")]
    tell(table, first, far[0])
    move(table, action, first=1 - first)
    tell(table, 1 - first, far[0])
    table.run()
    if doubled:
        tell(table, 1 - first, far[1])
    verify_judged_alike(table)
    assert bool(table.blames[A]) == doubled


@pytest.mark.parametrize("first", [A, B])
def test_a_waiting_room_that_is_filled_otherwise_at_each_of_them(first: int) -> None:
    """R-055. What proves a double at one of them was never dropped by the other."""
    table = in_play()
    rooms = [[said(table, 6, step, m.Talk(text)) for step in range(1, 64)] for text in ("one", "two")]
    for frame in (*rooms[0], said(table, 6, 64, GARBAGE)):
        tell(table, first, frame)
    tell(table, 1 - first, *rooms[1])
    verify_judged_alike(table)
    assert [error.code for error in table.blames[A]] == ["equivocation"]


@pytest.mark.parametrize("crashes", [False, True])
def test_what_proves_a_double_reaches_who_is_linked_later(crashes: bool) -> None:
    """R-129. Only one of them was shown both, while there was no link between them."""
    table = in_play()
    track, step, _ = until_its_turn(table)
    table.cut(A, B)
    one, other = (said(table, track, step + 1, m.Talk(text)) for text in ("one", "two"))
    tell(table, B, one)
    tell(table, A, one, other)
    assert [len(blames) for blames in table.blames] == [1, 0, 0]
    if crashes:
        table.crash(A)
        table.come_back(A)
    table.link(B, A)
    table.run()
    assert [error.code for error in table.blames[B]] == ["equivocation"]


@pytest.mark.parametrize("bodies", [[GARBAGE], [GARBAGE, b"\x91\x7e"]], ids=["one", "double"])
@pytest.mark.parametrize("how", ["goodbye", "vote"])
def test_what_a_lost_seat_has_said_for_the_next_deal_stalls_nobody(bodies: list[bytes], how: str) -> None:
    """The deck of that deal is made already, and waits; when the deal that is played ends the table is left."""
    table = in_play()
    assert all(2 in table.table_of(seat).course._decks for seat in (A, B))
    for seat in (A, B):
        tell(table, seat, *(said(table, 6, 0, body) for body in bodies))
    table.paused.clear()
    lose(table, CHEAT, how)
    assert not any(table.blames)
    assert left_by(table, A).parting == left_by(table, B).parting is not None
    assert [finished.number for finished in left_by(table, A).course.finished] == [1]


# -- claims -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slot", [A, 77, m.MAX_STEP])
def test_a_claim_that_is_none_is_kept_and_passed_on_once(slot: int) -> None:
    """However often it comes, and under whatever number: else two links between two seats would make it endless."""
    table = in_play()
    giant = b"x" * m.MAX_BODY_BYTES
    frames = [said(table, LOSS_TRACK, slot, giant)]
    frames += [said(table, LOSS_TRACK, more, giant) for more in range(100, 120)] if slot == 77 else []
    effects = [effect for frame in frames * 5 for effect in table.peers[A].receive(B, frame)]
    table.perform(A, effects)
    kept = [each for each in effects if isinstance(each, Persist | Record) and giant in each.payload]
    assert [type(each) for each in kept] == [Persist, Record, Persist]  # the last as evidence
    passed_on = [each for each in effects if isinstance(each, Send) and giant in each.frame]
    assert len(passed_on) <= 3  # once, and as evidence on both links
    assert [error.code for error in table.blames[A]] == ["trailing-bytes"]


@pytest.mark.parametrize("first", [A, B])
def test_a_claim_from_too_far_ahead_for_one_of_them(first: int) -> None:
    """R-110. Of either of them, or of both, the cheat claims that it is lost, and gets nowhere with it."""
    for lost in (A, B):
        table = in_play()
        track, step, action = until_its_turn(table)
        claim = m.SeatLost(lost, track, step + MAX_EARLY_STEPS + 1)
        tell(table, first, said(table, LOSS_TRACK, lost, claim))
        move(table, action, first=1 - first)
        verify_judged_alike(table)
        assert not table.blames[A]


def test_who_votes_after_a_claim_follows_it_as_who_voted_before() -> None:
    """R-050."""
    table = in_play()
    table.table_of(A).lose(CHEAT, "was seen to cheat, though nobody else has seen it")
    table.perform(A, table.peers[A].say("believe me"))
    table.run()
    assert not any(isinstance(event, SeatLeft) for event in table.events[B])
    table.perform(B, table.peers[B].vote(CHEAT, True))
    table.paused.clear()
    table.run()
    assert left_by(table, A).parting == left_by(table, B).parting is not None


@pytest.mark.parametrize("linked", [True, False])
def test_one_alone_cuts_nobody_off(linked: bool) -> None:
    """The other can be asked, or may be dialled; when he says so, too, it is true."""
    table, lie = in_play(), encode_frame(Refusal("cut-off", "the others have gone on without you", 1))
    table.perform(B, table.peers[B].be_reachable(("10.0.0.1:7411",)))
    table.run()
    if not linked:
        table.cut(A, B)
    tell(table, A, lie)
    assert not table.peers[A].over
    if not linked:
        table.link(B, A)
        table.run()
    table.perform(A, table.peers[A].receive(B, lie))
    assert [stop.code for stop in table.stops(A)] == ["cut-off"]


def test_who_lies_that_one_is_cut_off_is_played_on_with() -> None:
    table = in_play()
    tell(table, A, encode_frame(Refusal("cut-off", "the others have gone on without you", 1)))
    verify_judged_alike(table)
    assert not table.blames[A]
