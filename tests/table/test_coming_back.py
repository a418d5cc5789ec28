"""Seats that crash and come back from what they kept, links that go down and up: no slot is ever signed twice."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from hocp2p.crypto.deck import MentalPoker
from hocp2p.crypto.scheme import DealScheme
from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Effect, ForgetSeed, KeepSeed, Notify, Persist, Record, Send
from hocp2p.table.events import CardDrawn, DealSigned, HandDealt
from hocp2p.table.memory import Memory
from hocp2p.table.peer import Peer
from hocp2p.table.snapshot import Stage
from hocp2p.table.table import Table
from hocp2p.table.terms import Terms, read_proposal
from hocp2p.wire.envelope import Slot, decode_envelope, seal
from hocp2p.wire.frames import Proposal, Sealed, decode_frame
from hocp2p.wire.messages import DeckDigest, KeyCommit, Receipt, ShareReveal, Talk, decode_message, encode_message
from tests.support.tables import HOST, StarTable, make_me

MAX_FAULTS = 30


class Unlucky:
    """A table whose seats crash and whose links are cut at random once all have signed; it comes to its end.

    Args:
        seats: 2 or 3; with an even seed, three are linked each to each.
        seed: of everything.
    """

    def __init__(self, seats: int, seed: int, scheme: DealScheme | None = None, rate: float = 0.01) -> None:
        self.table = StarTable(seats, Rules(deals=seats), seed, scheme=scheme)
        self._rng = random.Random(seed * 7 + 1)
        self._mesh = seats == 3 and seed % 2 == 0
        self._rate = rate
        self.crashes = self.cuts = 0

    def run(self) -> None:
        table = self.table
        table.run(lambda: all(peer.table is not None and peer.table.signed for peer in table.peers))
        for _ in range(60_000):
            self._have_a_fault()
            if not table.step() and not self._recover():
                return
        raise AssertionError("the table does not come to an end")

    def _have_a_fault(self) -> None:
        table, lot = self.table, self._rng.random()
        if lot < self._rate and self.crashes < MAX_FAULTS:
            seat = self._rng.randrange(table.seats)
            if seat not in table.dead:
                table.dying[seat] = self._rng.randrange(6)
                self.crashes += 1
        elif lot < 2 * self._rate and self.cuts < MAX_FAULTS and table.queues:
            table.cut(*self._rng.choice(list(table.queues)), lose=True)
            self.cuts += 1
        elif lot < 5 * self._rate:
            if table.dead and self._rng.random() < 0.5:
                assert table.come_back(self._rng.choice(sorted(table.dead)))
            self._relink()

    def _recover(self) -> bool:
        """All come back and link anew; False where that moves nothing."""
        table = self.table
        if all(peer.snapshot().stage is Stage.ENDED for peer in table.peers) and not table.dead:
            return False
        for seat in sorted(table.dead):
            assert table.come_back(seat)
        self._relink()
        assert table.dead or table.dying or any(table.queues.values()), "nothing moves any more"
        return True

    def _relink(self) -> None:
        table = self.table
        pairs = [(1, 0), (2, 0), (2, 1)] if self._mesh else [(guest, HOST) for guest in range(1, table.seats)]
        for one, other in pairs[: 3 if table.seats == 3 else 1]:
            if (one, other) not in table.queues and not table.dead & {one, other}:
                table.link(one, other)


def verify_whole(table: StarTable) -> None:
    """All have ended alike, nobody is blamed, no seed is left; the table itself has watched what was signed."""
    snapshots = [peer.snapshot() for peer in table.peers]
    assert [snapshot.stage for snapshot in snapshots] == [Stage.ENDED] * table.seats
    assert len({snapshot.balances for snapshot in snapshots}) == 1
    outcomes = [[each.outcome for each in snapshot.finished] for snapshot in snapshots]
    assert outcomes.count(outcomes[0]) == table.seats
    assert not any(table.blames)
    assert [kept.seeds for kept in table.kept] == [{}] * table.seats


@pytest.mark.parametrize("block", range(6))
def test_crashes_and_cuts_anywhere(block: int) -> None:
    crashes = cuts = 0
    for seed in range(5 * block, 5 * block + 5):
        unlucky = Unlucky(2 if seed % 3 else 3, seed)
        unlucky.run()
        verify_whole(unlucky.table)
        crashes += unlucky.crashes
        cuts += unlucky.cuts
    assert crashes
    assert cuts


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2)])
def test_crashes_and_cuts_with_the_real_deal_protocol(seats: int, seed: int) -> None:
    unlucky = Unlucky(seats, seed, MentalPoker(), rate=0.004)
    unlucky.run()
    verify_whole(unlucky.table)
    assert unlucky.crashes


class Counting(StarTable):
    """Numbers what seat 1 carries out once it has begun to keep: what reaches the disk or a link is worth a crash."""

    carried_out = 0

    def __post_init__(self) -> None:
        self.worth: list[int] = []
        super().__post_init__()

    def perform(self, seat: int, effects: list[Effect]) -> None:
        for effect in effects:
            super().perform(seat, [effect])
            if seat == 1 and self.kept[1].envelopes:
                self.carried_out += 1
                if not isinstance(effect, Notify | Record):
                    self.worth.append(self.carried_out)


def one_crash(seed: int, after: int) -> StarTable:
    """Two play one session; seat 1 is killed once, after so many effects of its own, and comes back."""
    table = StarTable(2, Rules(deals=2), seed)
    table.run(lambda: bool(table.kept[1].envelopes))
    table.dying[1] = after
    table.run()
    if 1 in table.dead:
        assert table.come_back(1)
        table.link(1, HOST)
        table.run()
    return table


@pytest.mark.parametrize("part", range(4))
def test_a_crash_at_every_second_effect(part: int) -> None:
    """Real processes are killed at every step in ``tests/faults``."""
    counted = Counting(2, Rules(deals=2), 1)
    counted.run()
    assert len(counted.worth) > 150
    for after in counted.worth[2 * part :: 8]:
        verify_whole(one_crash(1, after))


# -- what is kept -----------------------------------------------------------------------------------------------------


class Watched(StarTable):
    """Remembers what the seats do, in its order."""

    def __post_init__(self) -> None:
        self.done: list[tuple[int, Effect]] = []
        super().__post_init__()

    def perform(self, seat: int, effects: list[Effect]) -> None:
        for effect in effects:
            self.done.append((seat, effect))
            super().perform(seat, [effect])


def test_a_seed_is_kept_before_anything_is_said_of_its_deck_and_forgotten_when_its_deal_is_signed() -> None:
    """R-065."""
    table = Watched(3, Rules(deals=3), 2)
    table.run()
    for seat in range(3):
        ours = [effect for who, effect in table.done if who == seat]
        kept = {effect.track: at for at, effect in enumerate(ours) if isinstance(effect, KeepSeed)}
        forgotten = {effect.track: at for at, effect in enumerate(ours) if isinstance(effect, ForgetSeed)}
        assert set(kept) == set(forgotten) == {1, 3, 5, 7}
        for at, effect in enumerate(ours):
            if isinstance(effect, Persist) and effect.ours:
                track = decode_envelope(effect.payload).track
                if track in kept:
                    assert kept[track] < at < forgotten[track]
                if isinstance(decode_message(decode_envelope(effect.payload).body), Receipt):
                    assert at < forgotten[track - 1]
    seeds = {effect.seed for _, effect in table.done if isinstance(effect, KeepSeed)}
    assert len(seeds) == 12
    for _, effect in table.done:
        if isinstance(effect, Persist | Send):
            data = effect.payload if isinstance(effect, Persist) else effect.frame
            assert not any(seed in data for seed in seeds)


def test_what_was_dealt_and_signed_is_there_again_but_for_the_key() -> None:
    table = StarTable(2, Rules(deals=4), 3)
    table.run(lambda: any(isinstance(event, DealSigned) and event.number == 2 for event in table.events[1]))
    before = table.peers[1].snapshot()
    told = len(table.events[1])
    table.crash(1)
    assert table.come_back(1)
    after = table.peers[1].snapshot()
    assert [each.outcome for each in after.finished] == [each.outcome for each in before.finished]
    assert after.balances == before.balances
    again = table.events[1][told:]
    for kind in (HandDealt, DealSigned, CardDrawn):
        assert [event for event in again if isinstance(event, kind)] == [
            event for event in table.events[1][:told] if isinstance(event, kind)
        ]
    assert not after.may_show  # the key of a signed deal is erased, so its hand cannot be opened any more
    table.link(1, HOST)
    table.run()
    verify_whole(table)


def test_who_comes_back_says_nothing_anew() -> None:
    table = StarTable(2, Rules(deals=2), 3)
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    table.paused.update((0, 1))
    table.run()
    sent = [len(frames) for frames in table.sent]
    table.crash(1)
    assert table.come_back(1)
    assert len(table.sent[1]) == sent[1]
    table.link(1, HOST)
    table.run()
    new = [frame for frame in table.sent[1][sent[1] :] if isinstance(decode_frame(frame), Sealed)]
    assert new == []


def test_who_crashed_as_the_session_ended_still_brings_the_end_to_the_others() -> None:
    table = StarTable(2, Rules(deals=2), 3)
    table.run(lambda: any(peer.snapshot().stage is Stage.ENDED for peer in table.peers))
    first = next(seat for seat in range(2) if table.peers[seat].snapshot().stage is Stage.ENDED)
    assert table.peers[1 - first].snapshot().stage is not Stage.ENDED
    table.cut(0, 1, lose=True)
    table.crash(first)
    assert table.come_back(first)
    assert not table.peers[first].settled
    table.link(1, HOST)
    table.run()
    assert [peer.settled for peer in table.peers] == [True, True]
    verify_whole(table)


# -- what is kept is wrong --------------------------------------------------------------------------------------------


def kept_by(seat: int, until: Callable[[StarTable], bool]) -> tuple[StarTable, Terms, Memory]:
    """What a seat has kept at some point of a session of two."""
    table = StarTable(2, Rules(deals=2), 3)
    table.run(lambda: until(table))
    proposal = decode_frame(table.kept[seat].proposal)
    assert isinstance(proposal, Proposal)
    return table, read_proposal(proposal, table.kept[seat].proposal), table.kept[seat].memory


def in_play(table: StarTable) -> bool:
    return all(peer.snapshot().view is not None for peer in table.peers) and len(table.kept[1].envelopes) > 45


def code_of_return(table: StarTable, terms: Terms, memory: Memory, seat: int = 1) -> str:
    """The clear error of a return that cannot be."""
    with pytest.raises(LocalError) as caught:
        Peer.back(table.mine[seat], "memory", terms, seat, memory)
    return caught.value.code


def with_envelope(memory: Memory, at: int, raw: bytes) -> Memory:
    envelopes = list(memory.envelopes)
    envelopes[at] = raw
    return replace(memory, envelopes=tuple(envelopes))


def index_of(memory: Memory, seat: int, kind: type, track: int = 0) -> int:
    """Where the first envelope of a seat with such a message, on this track or a later one, was kept."""
    envelopes = [decode_envelope(raw) for raw in memory.envelopes]
    return next(
        at
        for at, each in enumerate(envelopes)
        if each.seat == seat and each.track >= track and isinstance(decode_message(each.body), kind)
    )


def test_what_is_whole_brings_back() -> None:
    """The same memory as below, unchanged: the tests below could fail."""
    table, terms, memory = kept_by(1, in_play)
    peer, effects = Peer.back(table.mine[1], "memory", terms, 1, memory)
    assert peer.snapshot().stage is Stage.DEAL
    assert not any(isinstance(effect, Send) for effect in effects)


def test_another_identity() -> None:
    _, terms, memory = kept_by(1, in_play)
    for seat in (0, 1, 2):
        with pytest.raises(LocalError) as caught:
            Peer.back(make_me(1, random.Random(99)), "memory", terms, seat, memory)
        assert caught.value.code == "not-us"


@pytest.mark.parametrize("seat", [0, 1])
def test_an_envelope_that_was_changed(seat: int) -> None:
    table, terms, memory = kept_by(1, in_play)
    at = index_of(memory, seat, DeckDigest)
    raw = memory.envelopes[at]
    for byte in (len(raw) // 2, len(raw) - 1):
        changed = raw[:byte] + bytes([raw[byte] ^ 1]) + raw[byte + 1 :]
        assert code_of_return(table, terms, with_envelope(memory, at, changed)) == "journal-damaged"
    assert code_of_return(table, terms, with_envelope(memory, at, b"")) == "journal-damaged"


@pytest.mark.parametrize("kind", [KeyCommit, DeckDigest, ShareReveal])
def test_a_message_of_ours_that_is_missing(kind: type) -> None:
    """What follows on it was signed: it may not be said anew, however well it is remembered."""
    table, terms, memory = kept_by(1, in_play)
    for at in (index_of(memory, 1, kind), index_of(memory, 1, kind, track=3 if kind is not ShareReveal else 4)):
        dropped = replace(memory, envelopes=memory.envelopes[:at] + memory.envelopes[at + 1 :])
        assert code_of_return(table, terms, dropped) == "journal-damaged"


def test_a_message_of_another_that_is_missing_is_sent_again() -> None:
    table, _, memory = kept_by(1, in_play)
    at = index_of(memory, 0, DeckDigest, track=3)
    table.crash(1)
    del table.kept[1].envelopes[at]
    assert table.come_back(1)
    table.link(1, HOST)
    table.run()
    verify_whole(table)


def test_a_message_of_ours_that_we_would_not_say_again() -> None:
    """Somebody with our key has put another digest of the deck into what we kept."""
    table, terms, memory = kept_by(1, in_play)
    at = index_of(memory, 1, DeckDigest, track=3)
    ours = decode_envelope(memory.envelopes[at])
    other = encode_message(DeckDigest(b"x" * 32))
    lie = seal(ours.table, ours.track, ours.step, 1, ours.head, other, table.mine[1].identity.sign)
    assert code_of_return(table, terms, with_envelope(memory, at, lie.raw)) == "journal-differs"


def test_a_seed_that_is_another() -> None:
    table, terms, memory = kept_by(1, in_play)
    other = replace(memory, seeds={track: bytes(32) for track in memory.seeds})
    assert code_of_return(table, terms, other) == "journal-differs"


def test_a_seed_that_is_gone_while_its_deal_is_played() -> None:
    """Without it we have neither the key nor the cards that were dealt: nothing is signed for that deck any more."""
    table, terms, memory = kept_by(1, in_play)
    gone = replace(memory, seeds={}, hands={})
    assert code_of_return(table, terms, gone) == "journal-damaged"


def test_hands_that_were_not_kept_are_read_again_from_the_deck() -> None:
    table, terms, memory = kept_by(1, in_play)
    peer, effects = Peer.back(table.mine[1], "memory", terms, 1, replace(memory, hands={}))
    before, after = table.peers[1].snapshot().view, peer.snapshot().view
    assert before is not None
    assert after is not None
    assert before.own == after.own
    assert [effect.kind for effect in effects if isinstance(effect, Persist)] != []


def test_a_table_that_only_remembers_signs_nothing_twice() -> None:
    """Whatever comes while it remembers: what it has to say is said after all that was kept."""
    table, terms, memory = kept_by(1, in_play)
    me = table.mine[1]
    back = Table(terms, 1, me.identity, me.scheme, me.randomness, memory)
    back.remember(memory)
    ours = {decode_envelope(raw).slot for raw in memory.envelopes if decode_envelope(raw).seat == 1}
    said: list[Slot] = []
    for effect in back.drain():
        if isinstance(effect, Persist) and effect.ours:
            said.append(decode_envelope(effect.payload).slot)
    assert not ours & set(said)


def test_what_was_said_beside_the_game_is_heard_again_by_those_who_missed_it() -> None:
    table = StarTable(2, Rules(deals=2), 3)
    table.run(lambda: in_play(table))
    table.paused.update((0, 1))
    table.run()
    table.crash(1)
    table.perform(HOST, table.peers[HOST].say("are you still there?"))
    assert table.come_back(1)
    table.link(1, HOST)
    table.run()
    heard = [message for message in messages_of(table.kept[1].envelopes, HOST) if isinstance(message, Talk)]
    assert heard == [Talk("are you still there?")]


def messages_of(envelopes: list[bytes], seat: int) -> list[object]:
    opened = [decode_envelope(raw) for raw in envelopes]
    return [decode_message(each.body) for each in opened if each.seat == seat]
