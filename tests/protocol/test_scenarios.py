"""Scenarios from the vectors, led through a real ``HostPeer`` or ``GuestPeer``: the same frames, verdict and end.

They are what R-022 to R-028, R-031, R-113 and R-114 ask of a peer, and the stops of sections 14 and 15.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from hocp2p.crypto.identity import Identity
from hocp2p.errors import HocError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Blame, Effect, HangUp, Notify, Send
from hocp2p.table.guest import GuestPeer
from hocp2p.table.host import HostPeer
from hocp2p.table.moves import MOVES, decode_action
from hocp2p.table.peer import Me, Peer
from hocp2p.table.snapshot import TableStopped
from hocp2p.wire.envelope import Envelope, decode_envelope
from hocp2p.wire.frames import Refusal, Sealed, decode_frame, encode_frame
from hocp2p.wire.messages import Message, Presence, SeatLost, ShownHand, Talk, decode_message
from protocol.generate.transcript import Stream
from tests.protocol.test_session_vectors import SESSIONS, VectorStreams
from tests.support.recording import PinnedScheme
from tests.support.vectors import Vector, load, vectors

FILES = ("scenarios.json", "scenarios-in-sessions.json")
LINK = 1
"""The only one of a guest."""


class Faults(list[str]):
    """Codes with which frames were refused."""

    @contextmanager
    def noting(self) -> Iterator[None]:
        try:
            yield
        except HocError as error:
            self.append(error.code)
            raise


class WatchedGuest(GuestPeer):
    """A guest who tells why a frame was the host's fault."""

    faults: Faults

    def _take(self, link: int, data: bytes) -> None:
        with self.faults.noting():
            super()._take(link, data)


class WatchedHost(HostPeer):
    """A host who tells why a frame was a link's fault."""

    faults: Faults

    def _take(self, link: int, data: bytes) -> None:
        with self.faults.noting():
            super()._take(link, data)

    def _greet(self, link: int, data: bytes) -> None:
        with self.faults.noting():
            super()._greet(link, data)


class Nonces:
    """What the peer draws, 32 bytes from the beginning of each stream named; more is an error."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._labels = iter(labels)

    def __call__(self, count: int) -> bytes:
        assert count == 32
        return Stream(next(self._labels))(count)


class Scenario:
    """A peer that is led through the events of a vector."""

    def __init__(self, vector: Vector) -> None:
        self.vector = vector
        self.seat: int = vector["seat"]
        scheme = PinnedScheme(VectorStreams(vector["label"]))
        identity = Identity.from_seed(bytes.fromhex(vector["seed"]))
        me = Me(identity, f"seat {self.seat}", scheme, Nonces(vector["draws"]))
        self.peer = self._host(me) if vector["role"] == "host" else WatchedGuest(me, "memory")
        self.peer.faults = self.faults = Faults()
        self.links: set[int] = set()
        self.verdict: str | None = None
        self.sent: dict[int, list[bytes]] = defaultdict(list)  # by the present event
        self.said: set[bytes] = set()  # by all events
        self.refusals: list[list[object]] = []
        self.closed: list[int] = []

    def _host(self, me: Me) -> WatchedHost:
        rules = Rules()
        for name, value in self.vector["rules"].items():
            rules = rules.with_text(name, value)
        return WatchedHost(me, self.vector["seats"], rules, "memory")

    def run(self) -> None:
        """All events; what each must send is compared."""
        for event in self.vector["events"]:
            self.verdict = None
            self.sent.clear()
            self.faults.clear()
            self._do(event)
            for link, frame in event.get("sends", []):
                assert bytes.fromhex(frame) in self.sent[link], (self.vector["name"], event["event"])

    def _do(self, event: Vector) -> None:
        peer: Peer = self.peer
        match event["event"]:
            case "open":
                self.links.add(event["link"])
                self._perform(peer.link_opened(event["link"]))
            case "close":
                self.links.discard(event["link"])
                self._perform(peer.link_closed(event["link"]))
            case "frame":
                self._perform(peer.receive(event["link"], bytes.fromhex(event["hex"])))
            case "ready":
                self._perform(peer.ready())
            case "leave":
                self._perform(peer.leave())
            case "again":
                self._perform(peer.again())
            case "kick":
                assert isinstance(peer, HostPeer)
                self._perform(peer.kick(event["seat"]))
            case "session":
                session = next(each for each in SESSIONS.values() if each["name"] == event["session"])
                for raw in session["envelopes"][event["start"] : event["end"]]:
                    self._take(decode_envelope(bytes.fromhex(raw)))

    def _take(self, envelope: Envelope) -> None:
        """Another seat's envelope comes; our own is said, and must come out in these very bytes."""
        sealed = encode_frame(Sealed(envelope.raw))
        if envelope.seat != self.seat:
            link = envelope.seat if self.vector["role"] == "host" else LINK
            self._perform(self.peer.receive(link, sealed))
            return
        if sealed not in self.said:
            self._perform(self._say(decode_message(envelope.body)))
        assert sealed in self.said, f"we say something else at {envelope.slot}"

    def _say(self, message: Message) -> list[Effect]:
        match message:
            case SeatLost():
                return []  # a loss is claimed by itself
            case Talk(text):
                return self.peer.say(text)
            case Presence(away):
                return self.peer.be_away(bool(away))
            case ShownHand():
                return self.peer.show_hand()
            case _ if isinstance(message, MOVES):
                return self.peer.act(decode_action(message)[0])
            case _:
                return self.peer.ready()

    def _perform(self, effects: list[Effect]) -> None:
        codes = list(self.faults)
        codes += [effect.error.code for effect in effects if isinstance(effect, Blame)]
        events = [effect.event for effect in effects if isinstance(effect, Notify)]
        codes += [event.code for event in events if isinstance(event, TableStopped)]
        for effect in effects:
            if isinstance(effect, HangUp):
                self._hang_up(effect.link)
            elif isinstance(effect, Send):
                for link in self.links if effect.to is None else {effect.to}:
                    if link != effect.but:
                        codes += self._send(link, effect.frame)
        self.verdict = next(iter(codes), None)

    def _hang_up(self, link: int) -> None:
        """A link on which a refusal went is closed after it anyway."""
        if all(link != refused for refused, _ in self.refusals):
            self.closed.append(link)

    def _send(self, link: int, data: bytes) -> list[str]:
        self.sent[link].append(data)
        self.said.add(data)
        frame = decode_frame(data)
        if not isinstance(frame, Refusal):
            return []
        assert frame.version == 1
        self.refusals.append([link, frame.code])
        return [frame.code]

    @property
    def outcome(self) -> dict[str, object]:
        """As in the vector."""
        stopped = self.peer.snapshot().stopped
        return {
            "stops": stopped.code if stopped else None,
            "seat": stopped.seat if stopped else None,
            "step": stopped.step if stopped else "",
            "over": self.peer.over,
            "refusals": self.refusals,
            "closed": self.closed,
        }


@vectors(*FILES)
def test_a_peer_does_what_the_reference_says(vector: Vector) -> None:
    scenario = Scenario(vector)
    scenario.run()
    assert (scenario.verdict, scenario.outcome) == (vector["code"], vector["outcome"])


@pytest.mark.parametrize("role", ["host", "guest"])
def test_a_scenario_that_goes_otherwise_is_noticed(role: str) -> None:
    """The comparison can fail: without its last event no scenario ends as told."""
    for vector in load("scenarios.json")["vectors"]:
        if vector["role"] == role and vector["code"] is not None and len(vector["events"]) > 1:
            scenario = Scenario({**vector, "events": vector["events"][:-1]})
            scenario.run()
            assert (scenario.verdict, scenario.outcome) != (vector["code"], vector["outcome"]), vector["name"]
