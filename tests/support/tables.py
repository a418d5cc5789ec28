"""Whole tables in memory: real peers, no I/O, deliveries in any order that a seed chooses."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from hocp2p.crypto.identity import Identity
from hocp2p.crypto.scheme import DealScheme
from hocp2p.errors import PeerError
from hocp2p.game import rules as game
from hocp2p.game.house import Rules
from hocp2p.players.levels import make_player
from hocp2p.players.player import Player
from hocp2p.table.effects import (
    HAND,
    Begin,
    Blame,
    Effect,
    ForgetSeed,
    HangUp,
    KeepSeed,
    Notify,
    Persist,
    Send,
)
from hocp2p.table.events import TableEvent
from hocp2p.table.me import Me
from hocp2p.table.memory import Memory, decode_hand
from hocp2p.table.peer import Peer
from hocp2p.table.terms import read_proposal
from hocp2p.wire.envelope import Slot, decode_envelope
from hocp2p.wire.frames import Proposal, Sealed, decode_frame
from tests.support.insecure_scheme import InsecureScheme

HOST = 0
Tamper = Callable[[int, int, bytes], Iterable[bytes]]
"""``(from, to, frame)`` to the frames that arrive instead."""


def make_me(seat: int, rng: random.Random, scheme: DealScheme | None = None, bot_level: str = "") -> Me:
    """A seat with a seeded identity and seeded randomness."""
    identity = Identity.from_seed(rng.randbytes(32))
    return Me(identity, f"seat {seat}", scheme or InsecureScheme(), rng.randbytes, bot_level)


@dataclass
class Kept:
    """What one seat has on its disk."""

    proposal: bytes = b""
    seat: int = 0
    envelopes: list[bytes] = field(default_factory=list)
    seeds: dict[int, bytes] = field(default_factory=dict)
    hands: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def take(self, effect: Effect) -> None:
        """Keeps what has to be kept."""
        match effect:
            case Begin(_, seat, proposal):
                self.proposal, self.seat = proposal, seat
                self.envelopes, self.seeds, self.hands = [], {}, {}
            case Persist(kind, payload) if self.proposal:
                if kind == HAND:
                    deal, faces = decode_hand(payload)
                    self.hands[deal] = faces
                else:
                    self.envelopes.append(payload)
            case KeepSeed(track, seed):
                self.seeds[track] = seed
            case ForgetSeed(track):
                del self.seeds[track]

    @property
    def memory(self) -> Memory:
        return Memory(tuple(self.envelopes), dict(self.seeds), dict(self.hands))


@dataclass
class StarTable:
    """A host and guests on links that keep order; ``step`` delivers one frame of a link that the seed chooses.

    Links can be cut and opened anew, between guests too; a seat can crash at any point, and come back from what it
    has kept. What a seat signs must be kept before it is sent.

    Args:
        seats: 2 or 3.
        rules: house rules.
        seed: of identities, cards, players and deliveries.
        level: of the players.
        scheme: the insecure one unless given.
        tamper: what a link does to frames, honest by default.
    """

    seats: int
    rules: Rules
    seed: int
    level: str = "random"
    scheme: DealScheme | None = None
    tamper: Tamper = lambda _from, _to, frame: [frame]
    peers: list[Peer] = field(init=False)
    players: list[Player] = field(init=False)
    events: list[list[TableEvent]] = field(init=False)
    blames: list[list[PeerError]] = field(init=False)
    sent: list[list[bytes]] = field(init=False)
    queues: dict[tuple[int, int], list[bytes]] = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.mine = [make_me(seat, self.rng, self.scheme) for seat in range(self.seats)]
        self.peers = [Peer.host(self.mine[0], self.seats, self.rules, "memory")]
        self.peers += [Peer.guest(me, "memory") for me in self.mine[1:]]
        self.players = [make_player(self.level, random.Random(self.seed + seat)) for seat in range(self.seats)]
        self.events = [[] for _ in range(self.seats)]
        self.blames = [[] for _ in range(self.seats)]
        self.sent = [[] for _ in range(self.seats)]
        self.kept = [Kept() for _ in range(self.seats)]
        self.signed: list[dict[tuple[bytes, Slot], bytes]] = [{} for _ in range(self.seats)]  # over all lives
        self.dying: dict[int, int] = {}  # seat -> effects that it still carries out
        self.dead: set[int] = set()
        self.queues = {}
        self.paused: set[int] = set()  # seats that decide nothing for now
        self.ready_for_next = True  # whether seats say by themselves that they are ready
        for guest in range(1, self.seats):
            self.link(guest, HOST)
            for frm, to in ((HOST, guest), (guest, HOST)):
                self._deliver(frm, to)  # challenge and greeting, so that guests sit in their order

    def link(self, dialler: int, other: int) -> None:
        """Opens a link between two seats; a link that was there is cut. A link's number is the other's seat."""
        if (dialler, other) in self.queues:
            self.cut(dialler, other)
        if self.dead & {dialler, other}:
            return
        self.queues[dialler, other] = []
        self.queues[other, dialler] = []
        certificate = self.mine[other].identity.public
        self.perform(dialler, self.peers[dialler].link_opened(other, dialled=True, certificate=certificate))
        self.perform(other, self.peers[other].link_opened(dialler))

    def relink(self) -> bool:
        """Every seat dials whom it misses, as a session does; whether anybody did."""
        dialled = False
        for dialler, peer in enumerate(self.peers):
            for key in {} if dialler in self.dead or peer.over else peer.wanted():
                other = next((seat for seat, me in enumerate(self.mine) if me.identity.public == key), HOST)
                if (dialler, other) in self.queues or other in self.dead | {dialler} or self.peers[other].over:
                    continue
                self.link(dialler, other)
                dialled = True
        return dialled

    def perform(self, seat: int, effects: list[Effect]) -> None:
        """Carries out the effects of a peer; a dying one does not get to the end."""
        for effect in effects:
            if seat in self.dead:
                return
            if seat in self.dying:
                self.dying[seat] -= 1
                if self.dying[seat] < 0:
                    self.crash(seat)
                    return
            self._carry_out(seat, effect)

    def _carry_out(self, seat: int, effect: Effect) -> None:
        self.kept[seat].take(effect)
        match effect:
            case Send(frame, to):
                assert to is not None, "a peer addresses what it sends"
                self._verify_kept(seat, frame)
                self.sent[seat].append(frame)
                if (seat, to) in self.queues:
                    self.queues[seat, to].extend(self.tamper(seat, to, frame))
            case HangUp(link):
                self.cut(seat, link)
            case Notify(event):
                self.events[seat].append(event)
            case Blame(error):
                self.blames[seat].append(error)

    def _verify_kept(self, seat: int, data: bytes) -> None:
        """Persist before send; and in all its lives a seat signs one thing for one slot."""
        frame = decode_frame(data)
        if not isinstance(frame, Sealed):
            return
        envelope = decode_envelope(frame.envelope)
        us = self.peers[seat].table
        if us is None or envelope.table != us.terms.table or envelope.seat != us.us:
            return
        assert envelope.raw in self.kept[seat].envelopes
        slot = (envelope.table, envelope.slot)
        assert self.signed[seat].setdefault(slot, envelope.raw) == envelope.raw, f"signed twice: {envelope.slot}"

    def cut(self, one: int, other: int, *, lose: bool = False) -> None:
        """The link between two seats goes down; frames on the way are read first, or lost."""
        for frm, to in ((one, other), (other, one)):
            for frame in self.queues.pop((frm, to), []):
                if not lose and to not in self.dead:
                    self.perform(to, self.peers[to].receive(frm, frame))
            if to not in self.dead:
                self.perform(to, self.peers[to].link_closed(frm))

    def crash(self, seat: int) -> None:
        """A process is killed: what it has not carried out is not done, what is on the way to it is lost."""
        self.dead.add(seat)
        self.dying.pop(seat, None)
        for other in [to for frm, to in list(self.queues) if frm == seat]:
            on_the_way = self.queues.pop((seat, other), [])
            self.queues.pop((other, seat), None)
            for frame in on_the_way:
                self.perform(other, self.peers[other].receive(seat, frame))
            self.perform(other, self.peers[other].link_closed(seat))

    def come_back(self, seat: int) -> bool:
        """A killed process comes back from what it has kept; False where it had not signed anything yet."""
        kept = self.kept[seat]
        if not kept.envelopes:
            return False
        self.dead.discard(seat)
        proposal = decode_frame(kept.proposal)
        assert isinstance(proposal, Proposal)
        terms = read_proposal(proposal, kept.proposal)
        self.peers[seat], effects = Peer.back(self.mine[seat], "memory", terms, kept.seat, kept.memory)
        self.perform(seat, effects)
        return True

    def _hang_up_when_over(self) -> None:
        """A peer that has come to its end closes its links, as a process does."""
        for frm, to in list(self.queues):
            if (frm, to) in self.queues and self.peers[frm].over:
                self.cut(frm, to)

    def step(self) -> bool:
        """One delivery or one decision, chosen by the seed; False when nothing is left to do."""
        moves: list[Callable[[], None]] = [
            lambda pair=pair: self._deliver(*pair)  # type: ignore[misc] # a default binds this pair
            for pair, queue in self.queues.items()
            if queue
        ]
        for seat, peer in enumerate(self.peers):
            if seat not in self.paused | self.dead and self._may_decide(peer):
                moves.append(lambda seat=seat: self._decide(seat))  # type: ignore[misc] # a default binds this seat
        if not moves:
            return False
        self.rng.choice(moves)()
        return True

    def run(self, until: Callable[[], bool] = lambda: False, limit: int = 100_000) -> None:
        """Steps until nothing moves or ``until`` holds."""
        for _ in range(limit):
            if until() or not self.step():
                return
            self._hang_up_when_over()
        raise AssertionError("the table does not come to an end")

    def _deliver(self, frm: int, to: int) -> None:
        frame = self.queues[frm, to].pop(0)
        self.perform(to, self.peers[to].receive(frm, frame))

    def _may_decide(self, peer: Peer) -> bool:
        table = peer.table
        if table is None or table.over:
            return False
        return table.asks or (self.ready_for_next and table.us not in table.ready_seats())

    def _decide(self, seat: int) -> None:
        peer = self.peers[seat]
        view = peer.snapshot().view
        if peer.snapshot().may_ready:
            self.perform(seat, peer.ready())
        elif view is not None:
            action = self.players[seat].decide(view)
            assert action in game.legal_actions(view)
            self.perform(seat, peer.act(action))
