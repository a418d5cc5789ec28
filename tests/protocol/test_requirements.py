"""Requirements of the specification that are about a whole session, and some that no other test holds."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from dataclasses import replace
from functools import cache

import pytest

from hocp2p.crypto.group import ORDER
from hocp2p.crypto.identity import Identity, verify_signature
from hocp2p.errors import CryptoError, WireError
from hocp2p.game.house import Rules
from hocp2p.table.asides import TALK_TRACK
from hocp2p.table.effects import PROPOSAL, Effect, Record
from hocp2p.table.losses import LOSS_TRACK
from hocp2p.table.snapshot import Stage
from hocp2p.wire.envelope import Envelope, decode_envelope, seal
from hocp2p.wire.frames import Proposal, Sealed, decode_frame, encode_frame
from hocp2p.wire.messages import (
    CardOpening,
    Leaving,
    SeatLost,
    Showing,
    Talk,
    decode_message,
    encode_message,
)
from protocol.generate.bounds import frame
from protocol.generate.msgpack import Value
from tests.support.tables import HOST, StarTable
from tests.table.lobby import hung_up


class RecordedTable(StarTable):
    """A table that keeps what the host would write into the public record."""

    def perform(self, seat: int, effects: list[Effect]) -> None:
        if seat == HOST:
            vars(self).setdefault("recorded", []).extend(effect for effect in effects if isinstance(effect, Record))
        super().perform(seat, effects)

    @property
    def history(self) -> list[Envelope]:
        """The envelopes of the record, in its order."""
        kept: list[Record] = vars(self)["recorded"]
        return [decode_envelope(record.payload) for record in kept if record.kind != PROPOSAL]

    def spoken(self, seat: int) -> list[Envelope]:
        """What a seat has signed, in its order."""
        frames = [decode_frame(data) for data in self.sent[seat]]
        sealed = dict.fromkeys(frame.envelope for frame in frames if isinstance(frame, Sealed))  # over several links
        return [each for each in map(decode_envelope, sealed) if each.seat == seat]


@cache
def played(lost: bool) -> RecordedTable:
    """A session of three, played to its end; or one in whose second deal seat 2 leaves."""
    table = RecordedTable(3, Rules(deals=3), 21, "novice")
    if lost:
        table.run(lambda: all(len(peer.snapshot().finished) == 1 for peer in table.peers))
        table.run(lambda: len(table.history) > 0 and table.history[-1].track == 6 and table.history[-1].step > 9)
        table.perform(2, table.peers[2].leave())
    table.run()
    assert table.peers[HOST].snapshot().stage is (Stage.LOBBY if lost else Stage.ENDED)
    return table


losing = pytest.mark.parametrize("lost", [False, True])


@losing
def test_every_head_that_was_signed_is_the_hash_of_what_came_before(lost: bool) -> None:
    """R-047. Computed here from section 9.2 alone, out of the record."""
    table = played(lost)
    steps: dict[int, dict[int, list[Envelope]]] = defaultdict(lambda: defaultdict(list))
    for each in table.history:
        steps[each.track][each.step].append(each)
    cut = max((cut_of(each) for each in steps.pop(LOSS_TRACK, {}).get(2, [])), default=None)
    assert (cut is not None) is lost
    steps.pop(TALK_TRACK, None)
    final: dict[int, bytes] = {}
    for track in sorted(steps):
        head = hashlib.sha256(b"hocp2p/1 track" + table.history[0].table + track.to_bytes(4, "big"))
        for before in () if track % 2 or not track else (1,) if track == 2 else (track - 1, track - 2):
            head.update(final[before])
        final[track] = head.digest()
        for step in range(max(steps[track]) + 1):
            if (track, step) == cut:
                assert step not in steps[track]
                final[track] = hashlib.sha256(b"hocp2p/1 loss" + final[track] + b"\2").digest()
                continue
            said = steps[track][step]
            assert [each.seat for each in said] == sorted({each.seat for each in said})
            assert {each.head for each in said} == {final[track]}, (track, step)
            digests = b"".join(hashlib.sha256(each.signed).digest() for each in said)
            final[track] = hashlib.sha256(b"hocp2p/1 step" + final[track] + digests).digest()


def cut_of(claim: Envelope) -> tuple[int, int]:
    message = decode_message(claim.body)
    assert isinstance(message, SeatLost)
    return message.track, message.step


@losing
def test_no_seat_signs_two_messages_for_one_slot(lost: bool) -> None:
    """R-046, also where a move was made void by a loss and was said again."""
    table = played(lost)
    for seat in range(3):
        slots = [each.slot for each in table.spoken(seat)]
        assert len(slots) == len(set(slots)) > 30


@losing
def test_a_seat_opens_what_the_game_asks_for_and_nothing_else(lost: bool) -> None:
    """R-079. All openings of a deal that were signed are cards that it shows as played or shown."""
    table = played(lost)
    host = table.peers[HOST]
    left = host._before or host.table
    assert left is not None
    for finished in left.course.finished:
        opened = {
            (position, face)
            for seat in range(3)
            for each in table.spoken(seat)
            if each.track == 2 * finished.number + 2
            for position, face in openings_in(each)
        }
        asked = {(position, card.index) for position, card in finished.state.opened}
        assert asked <= opened if lost else asked == opened
        assert len(opened - asked) <= 15  # those of the step that the loss made void


def openings_in(envelope: Envelope) -> list[tuple[int, int]]:
    match decode_message(envelope.body):
        case CardOpening(position, face):
            return [(position, face)]
        case Showing(positions, faces):
            return list(zip(positions, faces, strict=True))
    return []


def test_after_a_loss_only_the_deal_goes_on() -> None:
    """R-107, R-111. From its claim on, a seat signs talk, and moves of the deal up to and from the cut."""
    table = played(lost=True)
    for seat in (0, 1):
        spoken = table.spoken(seat)
        claim = next(at for at, each in enumerate(spoken) if each.track == LOSS_TRACK)
        assert {each.track for each in spoken[claim:]} <= {LOSS_TRACK, TALK_TRACK, cut_of(spoken[claim])[0]}


def gone_on() -> RecordedTable:
    """Seat 2 leaves in the second deal of five; the two who remain have the next table before them."""
    table = RecordedTable(3, Rules(deals=6), 23, "novice")
    table.run(lambda: len(table.history) > 0 and table.history[-1].track == 6 and table.history[-1].step > 9)
    table.perform(2, table.peers[2].leave())
    table.run()
    table.paused.update((0, 1))
    table.perform(HOST, table.peers[HOST].resize())
    table.run()
    return table


def test_the_table_that_goes_on_begins_where_the_other_was_left() -> None:
    """R-124, R-127. Computed here from sections 9.2 and 14.5 alone."""
    table = gone_on()
    left = table.peers[HOST]._before
    assert left is not None
    signed = left.course.finished[-1].outcome.balances
    kept = len(table.history)
    table.paused.clear()
    table.run()
    on = table.history[kept:]
    ours = on[0].table
    assert ours != table.history[0].table
    (proposal,) = [
        each for each in proposals_of(table) if hashlib.sha256(b"\x11hocp2p/1 proposal" + each).digest() == ours
    ]
    agreed = decode_frame(proposal)
    assert isinstance(agreed, Proposal)
    (continued,) = agreed.continues
    last = [each for each in table.history[:kept] if each.track == 6][-1]
    assert continued.table == last.table
    assert (continued.number, continued.balances) == (3, signed[:2])
    assert {each.track for each in on} == {0, *range(7, 15)}
    assert not {each.track for each in on} & {1, 2, 3, 4, 5, 6}
    assert hashlib.sha256(b"hocp2p/1 track" + ours + b"\0\0\0\x08" + end_of(on, 7) + end_of(on, 0)).digest() == next(
        each.head for each in on if each.track == 8
    )
    order = [each.seat for each in on if each.track == 7 and each.step in (2, 3)]
    assert order == [continued.dealer, 1 - continued.dealer]


def proposals_of(table: RecordedTable) -> list[bytes]:
    kept: list[Record] = vars(table)["recorded"]
    return [record.payload for record in kept if record.kind == PROPOSAL]


def end_of(history: list[Envelope], track: int) -> bytes:
    """Final head of a track that builds on none."""
    steps: dict[int, list[Envelope]] = defaultdict(list)
    for each in history:
        if each.track == track:
            steps[each.step].append(each)
    last = steps[max(steps)]
    digests = b"".join(hashlib.sha256(each.signed).digest() for each in last)
    return hashlib.sha256(b"hocp2p/1 step" + last[0].head + digests).digest()


def test_a_table_that_goes_on_elsewhere_is_not_joined() -> None:
    """R-123."""
    table = gone_on()
    terms = table.peers[1].table
    assert terms is not None
    (continued,) = [terms.terms.continued]
    assert continued is not None
    proposal = decode_frame(terms.terms.encoded)
    assert isinstance(proposal, Proposal)
    richer = replace(continued, balances=(continued.balances[0] + 1, continued.balances[1] - 1))
    wrong = encode_frame(replace(proposal, continues=(richer,)))
    effects = table.peers[1].receive(HOST, wrong)
    assert hung_up(effects) == [HOST]
    assert table.peers[1].table is terms


def test_what_is_continued_fits_the_chairs() -> None:
    """R-117."""
    chair: Value = [bytes(32), "m", "", "", bytes(32)]
    for dealer, balances, fits in ((1, 2, True), (2, 2, False), (1, 3, False)):
        record: Value = [bytes(32), bytes(32), 1, dealer, [100] * balances, [0] * 3, []]
        data = frame("proposal", 1, bytes(32), [chair, chair], [], [record])
        if fits:
            assert isinstance(decode_frame(data), Proposal)
            continue
        with pytest.raises(WireError) as caught:
            decode_frame(data)
        assert caught.value.code == "bad-count"


def test_when_the_session_has_ended_only_talk_is_heard() -> None:
    """R-040. Nobody is blamed for anything else any more, and nothing of it is passed on."""
    table = StarTable(3, Rules(deals=3), 22, "novice")
    table.run()
    host, guest = table.peers[HOST], table.peers[1]
    assert host.table is not None
    ours = host.table.terms.table
    sign = guest.me.identity.sign
    again = seal(ours, 8, 3, 1, bytes(32), encode_message(Leaving()), sign)
    before = host.snapshot()
    assert host.receive(1, encode_frame(Sealed(again.raw))) == []
    assert host.snapshot() == before
    talk = seal(ours, TALK_TRACK, 0, 1, bytes(32), encode_message(Talk("bien joué")), sign)
    assert host.receive(1, encode_frame(Sealed(talk.raw))) != []


def test_a_signature_has_one_form() -> None:
    """R-019. S + l would be good for the equation."""
    identity = Identity.from_seed(random.Random(1).randbytes(32))
    signature = identity.sign(b"words")
    verify_signature(identity.public, b"words", signature)
    other = int.from_bytes(signature[32:], "little") + ORDER
    with pytest.raises(CryptoError) as caught:
        verify_signature(identity.public, b"words", signature[:32] + other.to_bytes(32, "little"))
    assert caught.value.code == "bad-signature"
