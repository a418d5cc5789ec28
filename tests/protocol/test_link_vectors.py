"""What happens at one peer, from the vectors, led through a real ``Peer``: the same frames, verdict and end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from hocp2p.crypto.identity import Identity
from hocp2p.errors import HocError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Blame, Effect, HangUp, Notify, Send
from hocp2p.table.events import TableStopped
from hocp2p.table.me import Me
from hocp2p.table.memory import Memory
from hocp2p.table.peer import Peer
from hocp2p.table.terms import Terms
from hocp2p.wire.envelope import decode_envelope
from hocp2p.wire.frames import Refusal, Sealed, decode_frame, encode_frame
from hocp2p.wire.messages import Agreement, Vote, decode_message
from protocol.generate.transcript import Stream
from tests.protocol.test_session_vectors import VectorStreams
from tests.support.recording import PinnedScheme, zeros
from tests.support.vectors import Vector, load, vectors


class Watched(Peer):
    """A peer that tells why a frame was a link's fault, and whose decks leave its pinned randomness alone."""

    faults: list[str]

    def _take(self, link: int, data: bytes) -> None:
        with self._noting():
            super()._take(link, data)

    def _sit_down(self, terms: Terms, us: int, memory: Memory | None = None) -> None:
        me, self.me = self.me, replace(self.me, randomness=zeros)
        super()._sit_down(terms, us, memory)
        self.me = me

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except HocError as error:
            self.faults.append(error.code)
            raise


class Draws:
    """What the peer draws: 32 bytes from the beginning of each stream named; more is an error."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._labels = iter(labels)

    def __call__(self, count: int) -> bytes:
        assert count == 32
        return Stream(next(self._labels))(count)


class Scene:
    """A peer that is led through the events of a vector."""

    def __init__(self, vector: Vector) -> None:
        self.vector = vector
        identity = Identity.from_seed(bytes.fromhex(vector["seed"]))
        scheme = PinnedScheme(VectorStreams(vector["label"]))
        me = Me(identity, f"seat {vector['seat']}", scheme, Draws(vector["draws"]))
        secret = None if vector["secret"] is None else bytes.fromhex(vector["secret"])
        if vector["role"] == "host":
            rules = Rules()
            for name, value in vector["rules"].items():
                rules = rules.with_text(name, value)
            self.peer = Watched.host(me, vector["seats"], rules, "memory", secret)
        else:
            self.peer = Watched.guest(me, "memory", secret or b"")
        self.peer.faults = []
        self.verdict: str | None = None
        self.sent: dict[int, list[bytes]] = defaultdict(list)  # by the present event
        self.said: set[bytes] = set()  # by all events
        self.refusals: list[list[object]] = []
        self.closed: list[int] = []

    def run(self) -> None:
        """All events; what each must send is compared."""
        for event in self.vector["events"]:
            self.sent.clear()
            self.peer.faults.clear()
            self._perform(self._do(event))
            for link, frame in event.get("sends", []):
                sealed = isinstance(decode_frame(bytes.fromhex(frame)), Sealed)
                there = self.said if sealed else self.sent[link]  # what we sign may have been said before
                assert bytes.fromhex(frame) in there, (self.vector["name"], event["event"], link)

    def _do(self, event: Vector) -> list[Effect]:
        peer = self.peer
        match event["event"]:
            case "open":
                certificate = bytes.fromhex(event["certificate"]) or None
                return peer.link_opened(event["link"], dialled=event["dialled"], certificate=certificate)
            case "close":
                return peer.link_closed(event["link"])
            case "frame":
                return peer.receive(event["link"], bytes.fromhex(event["hex"]))
            case "say":
                return self._say(bytes.fromhex(event["hex"]))
            case "leave":
                return peer.leave()
            case "kick":
                return peer.kick(event["seat"])
            case "admit":
                return peer.admit(event["number"])
        assert event["event"] == "decline"
        return peer.decline(event["number"])

    def _say(self, raw: bytes) -> list[Effect]:
        """Our player does what leads to this envelope, if it was not said by itself."""
        message = decode_message(decode_envelope(raw).body)
        if isinstance(message, Agreement):
            return self.peer.ready()
        if isinstance(message, Vote):
            return self.peer.vote(message.seat, bool(message.go_on))
        assert encode_frame(Sealed(raw)) in self.said, f"we do not say {message}"
        return []

    def _perform(self, effects: list[Effect]) -> None:
        codes = list(self.peer.faults)
        for effect in effects:
            match effect:
                case Blame(error):
                    codes.append(error.code)
                case Notify(TableStopped(code)):
                    codes.append(code)
                case HangUp(link):
                    self.closed.append(link)
                case Send(data, int(link)):
                    codes += self._send(link, data)
        self.verdict = next(iter(codes), None)

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
            "over": self.peer.over,
            "refusals": self.refusals,
            "closed": self.closed,
        }


@vectors("links.json")
def test_a_peer_does_what_the_reference_says(vector: Vector) -> None:
    """R-022 to R-028, R-031, R-118 to R-120, and the refusals of section 7.1."""
    scene = Scene(vector)
    scene.run()
    assert (scene.verdict, scene.outcome) == (vector["code"], vector["outcome"])


@pytest.mark.parametrize("role", ["host", "guest"])
def test_a_scene_that_goes_otherwise_is_noticed(role: str) -> None:
    """The comparison can fail: without its last event no scene ends as told."""
    for vector in load("links.json")["vectors"]:
        if vector["role"] == role and vector["code"] is not None:
            scene = Scene({**vector, "events": vector["events"][:-1]})
            scene.run()
            assert (scene.verdict, scene.outcome) != (vector["code"], vector["outcome"]), vector["name"]
