"""A seat is lost for good while the others crash, come back and lose their links: they vote, part, and go on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Begin, Effect, Persist, Send
from hocp2p.table.host import HostLobby
from hocp2p.table.peer import Peer
from hocp2p.table.snapshot import Stage
from hocp2p.wire.frames import (
    PROTOCOL_VERSION,
    Chair,
    Challenge,
    Hello,
    LobbyView,
    Proposal,
    Refusal,
    Return,
    decode_frame,
    encode_frame,
    return_statement,
)
from tests.support.tables import HOST, Kept, StarTable, make_me

MAX_FAULTS = 20
STEPS = 30_000


@dataclass
class KeptTables(Kept):
    """What one seat has on its disk: a new table is come back to when our word for it is there, as in a session."""

    before: Kept | None = None

    @classmethod
    def of(cls, kept: Kept) -> Self:
        """What was kept so far."""
        return cls(kept.proposal, kept.seat, kept.envelopes, kept.seeds, kept.hands)

    def take(self, effect: Effect) -> None:
        if isinstance(effect, Begin):
            self.before = self.last
        super().take(effect)
        if isinstance(effect, Persist) and effect.ours:
            self.before = None

    @property
    def last(self) -> Kept:
        """The table that one comes back to."""
        return self.before or Kept(self.proposal, self.seat, self.envelopes, self.seeds, self.hands)


@dataclass
class Bereft:
    """A table of three that loses a seat for good, with faults of the two who stay.

    Args:
        seed: of everything.
        rate: how likely a fault is at each step.
        lost: the seat; None: any.
    """

    seed: int
    rate: float = 0.02
    lost: int | None = None
    faults: int = 0
    table: StarTable = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.table = StarTable(3, Rules(deals=3), self.seed)
        self.table.run(lambda: all(peer.table is not None and peer.table.begun for peer in self.table.peers))
        self.table.link(2, 1)
        for _ in range(self.rng.randrange(600)):
            self.table.step()
        self.gone = self.rng.randrange(3) if self.lost is None else self.lost
        self.stay = [seat for seat in range(3) if seat != self.gone]
        first = self.table.peers[0].table
        assert first is not None
        self.before = first.terms.table
        self.table.kept = [KeptTables.of(kept) for kept in self.table.kept]
        self.table.crash(self.gone)

    def run(self) -> None:
        """Until both who stay have ended the session. Raises AssertionError where they do not."""
        for _ in range(STEPS):
            self._have_a_fault()
            if not (self.table.step() or self.decide() or self._recover()):
                return
        raise AssertionError("the table does not come to an end")

    def _have_a_fault(self) -> None:
        if self.faults >= MAX_FAULTS or self.rng.random() > self.rate:
            return
        self.faults += 1
        table = self.table
        match self.rng.randrange(3):
            case 0 if alive := [seat for seat in self.stay if seat not in table.dead]:
                table.dying[self.rng.choice(alive)] = self.rng.randrange(6)
            case 1 if table.queues:
                table.cut(*self.rng.choice(list(table.queues)), lose=True)
            case 2:
                self._recover()

    def decide(self) -> bool:
        """What the two do when nothing else moves; whether anything was done."""
        for seat in self.stay:
            peer = self.table.peers[seat]
            if seat in self.table.dead:
                continue
            shown = peer.snapshot()
            if self.gone in shown.may_give_up and shown.our_seat not in shown.seats[self.gone].votes:
                self.table.perform(seat, peer.vote(self.gone, True))
                return True
            if shown.may_resize:
                self.table.perform(seat, peer.resize())
                return True
        return False

    def _recover(self) -> bool:
        """Those who were killed come back, and all link; whether that did anything."""
        back = [seat for seat in self.stay if seat in self.table.dead]
        for seat in back:
            self.come_back(seat)
        return self._relink() or bool(back)

    def _relink(self) -> bool:
        """One of the two dials the other, if he misses it; whether he did."""
        wanting = [seat for seat in self.stay if self.table.peers[seat].wanted()]
        if not wanting or tuple(self.stay) in self.table.queues:
            return False
        dialler = self.rng.choice(wanting)
        self.table.link(dialler, sum(self.stay) - dialler)
        return True

    def come_back(self, seat: int) -> None:
        """A killed process comes back to the last table for which its word is on its disk."""
        kept = self.table.kept[seat]
        assert isinstance(kept, KeptTables)
        self.table.kept[seat] = KeptTables.of(kept.last)
        assert self.table.come_back(seat)


@pytest.mark.parametrize("first", [0, 20])
def test_the_two_who_stay_crash_anywhere(first: int) -> None:
    for seed in range(first, first + 6):
        bereft = Bereft(seed)
        bereft.run()
        verify_ended(bereft.table, bereft.stay)


def verify_ended(table: StarTable, stay: Sequence[int]) -> None:
    """They have ended the session alike, and nobody is blamed."""
    shown = [table.peers[seat].snapshot() for seat in stay]
    assert [each.stage for each in shown] == [Stage.ENDED] * 2
    assert shown[0].balances == shown[1].balances
    assert not any(table.blames)


# -- one moment each --------------------------------------------------------------------------------------------------


def parted() -> Bereft:
    """Seat 2 is lost, the others have parted, and seat 0 hosts; nothing of the next table has been said."""
    bereft = Bereft(1, rate=0.0, lost=2)
    table = bereft.table
    while not all(table.peers[seat].snapshot().parted for seat in bereft.stay):
        assert table.step() or bereft.decide()
    return bereft


def go_on(bereft: Bereft) -> None:
    """Without further faults, to the end."""
    bereft.run()
    verify_ended(bereft.table, bereft.stay)


def test_a_greeting_that_is_lost_with_its_link_is_said_again() -> None:
    bereft = parted()
    table = bereft.table
    table.run(lambda: any(isinstance(decode_frame(frame), Hello) for frame in table.queues[1, HOST]))
    table.cut(1, HOST, lose=True)
    go_on(bereft)


def proposed() -> Bereft:
    """The next table is proposed to both."""
    bereft = parted()
    table = bereft.table
    table.ready_for_next = False
    bereft.table.perform(HOST, table.peers[HOST].resize())
    table.run()
    assert [table.peers[seat].snapshot().stage for seat in bereft.stay] == [Stage.READY] * 2
    table.ready_for_next = True
    return bereft


@pytest.mark.parametrize("signs", [0, 1])
def test_both_are_killed_when_one_has_signed_the_next_table(signs: int) -> None:
    """One comes back to the next table, the other to that before: the next one is proposed anew."""
    bereft = proposed()
    table = bereft.table
    table.perform(signs, table.peers[signs].ready())
    for seat in bereft.stay:
        table.crash(seat)
    for seat in bereft.stay:
        bereft.come_back(seat)
    ours, theirs = (table.peers[seat].table for seat in (signs, 1 - signs))
    assert ours is not None
    assert ours.terms.continued is not None
    assert theirs is None  # in the lobby of the next one
    go_on(bereft)


def test_who_comes_back_to_the_lobby_of_the_next_table_is_told_nothing_of_other_seats() -> None:
    bereft = parted()
    table = bereft.table
    table.crash(1)
    table.events[1].clear()
    bereft.come_back(1)
    shown = table.peers[1].snapshot()
    assert (shown.stage, shown.parted, shown.events) == (Stage.LOBBY, True, ())
    assert table.peers[1].picture is None
    go_on(bereft)


def test_one_who_forgot_the_table_before_tells_the_left_behind_from_those_who_stay() -> None:
    bereft = proposed()
    table = bereft.table
    table.run()
    left = bereft.before
    table.crash(HOST)
    bereft.come_back(HOST)
    host = table.peers[HOST]
    for number, (seat, code) in enumerate(((2, "cut-off"), (1, "no-such-table"))):
        link = 100 + number
        (sent,) = host.link_opened(link)
        assert isinstance(sent, Send)
        challenge = decode_frame(sent.frame)
        assert isinstance(challenge, Challenge)
        proof = table.mine[seat].identity.sign(return_statement(challenge, left, seat))
        refused = host.receive(link, encode_frame(Return(PROTOCOL_VERSION, left, seat, proof)))[0]
        assert isinstance(refused, Send)
        refusal = decode_frame(refused.frame)
        assert isinstance(refusal, Refusal)
        assert refusal.code == code


def test_a_kept_chair_is_nobody_elses_and_the_rules_stay() -> None:
    """The host comes back to a next table that falls apart before all have signed it."""
    bereft = proposed()
    table = bereft.table
    table.perform(HOST, table.peers[HOST].ready())
    table.crash(HOST)
    bereft.come_back(HOST)
    host = table.peers[HOST]
    assert isinstance(host.lobby, HostLobby)
    host.lobby.free(table.mine[1].identity.public)
    table.mine[2] = make_me(2, table.rng)
    table.peers[2] = Peer.guest(table.mine[2], "memory", host.secret or b"")
    table.dead.discard(2)
    table.link(2, HOST)
    table.run()
    stopped = table.peers[2].stopped
    assert stopped is not None
    assert stopped.code == "full"
    with pytest.raises(LocalError) as caught:
        host.set_rules(Rules(deals=6))
    assert caught.value.code == "game-begun"


def test_the_host_cannot_change_what_stands_for_one_who_was_killed() -> None:
    """He has signed a proposal and comes back to it; it falls apart, and the next one gives his jetons to the host."""
    bereft = proposed()
    table, host = bereft.table, bereft.table.mine[HOST].identity.public
    table.perform(1, table.peers[1].ready())
    signed = table.peers[1].table
    assert signed is not None
    fair = decode_frame(signed.terms.encoded)
    assert isinstance(fair, Proposal)
    (stands,) = fair.continues
    table.crash(1)
    bereft.come_back(1)
    guest = table.peers[1]
    for link in (50, 51):
        guest.link_opened(link, dialled=True, certificate=host)
        sent = guest.receive(link, encode_frame(Challenge(PROTOCOL_VERSION, host, bytes([link]) * 32)))
        if link == 50:
            guest.receive(link, encode_frame(Refusal("no-such-table", "it fell apart", PROTOCOL_VERSION)))
    (hello,) = [decode_frame(each.frame) for each in sent if isinstance(each, Send)]
    assert isinstance(hello, Hello)
    chairs = tuple(replace(each, nonce=hello.nonce) if each.key == hello.key else each for each in fair.chairs)
    shown = tuple(Chair(each.key, each.name, each.bot_level, each.owner) for each in chairs)
    guest.receive(51, encode_frame(LobbyView("the table", 1, shown, fair.rules)))
    taken = replace(stands, balances=(stands.balances[0] + 50, stands.balances[1] - 50))
    guest.receive(51, encode_frame(replace(fair, chairs=chairs, nonce=b"e" * 32, continues=(taken,))))
    assert guest.table is None
