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
from hocp2p.table.effects import Blame, Effect, HangUp, Notify, Send
from hocp2p.table.guest import GuestPeer
from hocp2p.table.host import HostPeer
from hocp2p.table.peer import Me, Peer
from hocp2p.table.snapshot import TableEvent
from tests.support.insecure_scheme import InsecureScheme

HOST = 0
Tamper = Callable[[int, int, bytes], Iterable[bytes]]
"""``(from, to, frame)`` to the frames that arrive instead."""


def make_me(seat: int, rng: random.Random, scheme: DealScheme | None = None, bot_level: str = "") -> Me:
    """A seat with a seeded identity and seeded randomness."""
    identity = Identity.from_seed(rng.randbytes(32))
    return Me(identity, f"seat {seat}", scheme or InsecureScheme(), rng.randbytes, bot_level)


@dataclass
class StarTable:
    """A host and guests on links that keep order; ``step`` delivers one frame of a link that the seed chooses.

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
        mine = [make_me(seat, self.rng, self.scheme) for seat in range(self.seats)]
        self.peers = [HostPeer(mine[0], self.seats, self.rules, "memory")]
        self.peers += [GuestPeer(me, "memory") for me in mine[1:]]
        self.players = [make_player(self.level, random.Random(self.seed + seat)) for seat in range(self.seats)]
        self.events = [[] for _ in range(self.seats)]
        self.blames = [[] for _ in range(self.seats)]
        self.sent = [[] for _ in range(self.seats)]
        self.queues = {}
        self.paused: set[int] = set()  # seats that decide nothing for now
        self.ready_for_next = True  # whether seats say by themselves that they are ready
        for guest in range(1, self.seats):
            self.queues[guest, HOST] = []
            self.queues[HOST, guest] = []
            self.perform(HOST, self.peers[HOST].link_opened(guest))
            self.perform(guest, self.peers[guest].link_opened(HOST))
            self._deliver(guest, HOST)  # the greeting, so that guests sit in their order

    def perform(self, seat: int, effects: list[Effect]) -> None:
        """Carries out the effects of a peer. At the host a link's number is the guest's."""
        for effect in effects:
            match effect:
                case Send(frame, to, but):
                    self.sent[seat].append(frame)
                    for other in [to] if to is not None else self._others(seat, but):
                        if (seat, other) in self.queues:
                            self.queues[seat, other].extend(self.tamper(seat, other, frame))
                case HangUp(link):
                    self.cut(seat, link)
                case Notify(event):
                    self.events[seat].append(event)
                case Blame(error):
                    self.blames[seat].append(error)

    def _others(self, seat: int, but: int | None) -> list[int]:
        links = [to for frm, to in self.queues if frm == seat]
        return [link for link in links if link != but]

    def cut(self, one: int, other: int) -> None:
        """The link between two seats goes down; frames on the way are read first."""
        for frm, to in ((one, other), (other, one)):
            for frame in self.queues.pop((frm, to), []):
                self.perform(to, self.peers[to].receive(frm, frame))
            self.perform(to, self.peers[to].link_closed(frm))

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
            if seat not in self.paused and self._may_decide(peer):
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
