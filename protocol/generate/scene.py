"""One peer at the end of its links, and what happens to it in order: a scenario, led through the reference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from protocol.generate import ed25519
from protocol.generate.bounds import frame
from protocol.generate.faults import Fault
from protocol.generate.guest import Guest
from protocol.generate.host import Host
from protocol.generate.links import Peer
from protocol.generate.simulate import DEFAULT_RULES, Simulation, identity_seed
from protocol.generate.transcript import Stream
from protocol.generate.vector import Vector, vector
from protocol.generate.wire import decode_envelope

LINK = 1
"""A guest's only link. The host's have the numbers of the seats behind them."""


class Scene:
    """A scenario in the making; its methods are the events, and can be chained.

    Args:
        label: of the pinned randomness, as in module ``simulate``.
        seats: 2 or 3.
        seat: of the peer, 0 for the host.
        more: labels of what the peer draws besides its first nonces, 32 bytes each.
        sim: the session of this label, where it is there already.
        changes: house rules that differ from the default ones.
    """

    def __init__(
        self, label: str, seats: int, seat: int, *more: str, sim: Simulation | None = None, **changes: str
    ) -> None:
        self.label, self.seats, self.seat = label, seats, seat
        self.rules = DEFAULT_RULES | changes
        self.sim = sim or Simulation(label, seats, **changes)
        first = [f"{label} nonce 0", f"{label} nonce"] if seat == 0 else [f"{label} nonce {seat}"]
        self.draws = [*first, *more]
        self.seed = identity_seed(label, seat)
        self.events: list[dict[str, Any]] = []
        nonces = [Stream(each)(32) for each in self.draws]
        name = f"seat {seat}"
        self.host = None if seat else Host(self.seed, nonces, name, seats, self.rules)
        self.peer: Peer = self.host or Guest(self.seed, nonces, name)

    # What can happen

    def open(self, link: int = LINK) -> Scene:
        """A link is up."""
        with self._event("open", link=link):
            self.peer.open(link)
        return self

    def close(self, link: int = LINK) -> Scene:
        """A link is down."""
        with self._event("close", link=link):
            self.peer.close(link)
        return self

    def frame(self, data: bytes, link: int = LINK) -> Scene:
        """A frame has come."""
        with self._event("frame", link=link, hex=data):
            self.peer.frame(link, data)
        return self

    def leave(self) -> Scene:
        """The player leaves."""
        with self._event("leave"):
            self.peer.leave()
        return self

    def again(self) -> Scene:
        """The player wants another session."""
        with self._event("again"):
            self.peer.play_again()
        return self

    def kick(self, seat: int) -> Scene:
        """The host takes a chair away."""
        assert self.host is not None
        with self._event("kick", seat=seat):
            self.host.kick(seat)
        return self

    def ready(self) -> Scene:
        """The player signs the proposal."""
        with self._event("ready"):
            self.peer.say(self._agreement(self.seat))
        return self

    def session(self, name: str, start: int, end: int) -> Scene:
        """Envelopes of a whole session: the peer makes its own moves, the others' come on their links."""
        with self._event("session", session=name, start=start, end=end):
            for raw in self.sim.raws[start:end]:
                seat = decode_envelope(raw).seat
                if seat == self.seat:
                    self.peer.say(raw)
                else:
                    self.peer.frame(seat if self.host else LINK, frame("sealed", raw))
            self.peer.sent = []  # they are in the session
        return self

    # Several at once

    def greeted(self, *seats: int) -> Scene:
        """At the host: guests come, on links of their numbers."""
        for seat in seats or range(1, self.seats):
            self.open(seat).frame(hello(self.label, seat), seat)
        return self

    def proposed(self) -> Scene:
        """At a guest: he greets, and is shown the lobby and the proposal."""
        return self.open().frame(self.lobby()).frame(self.sim.proposal)

    def agreed(self) -> Scene:
        """All sign the proposal, we first; then we commit to our key."""
        self.ready()
        others = [seat for seat in range(self.seats) if seat != self.seat]
        for seat in others:
            self.frame(frame("sealed", self._agreement(seat)), self._link_of(seat))
        self.sim.step()
        track = self.sim.session.tracks[1]
        ours = self.sim.envelope(track, self.seat).raw
        with self._added():
            self.peer.say(ours)
        return self

    def key_commit(self, seat: int) -> Scene:
        """Another seat commits to its key."""
        raw = self.sim.envelope(self.sim.session.tracks[1], seat).raw
        return self.frame(frame("sealed", raw), self._link_of(seat))

    # Frames

    def lobby(self, seats: int | None = None) -> bytes:
        """As the host shows it to us."""
        chairs = [[ed25519.public_key(each), f"seat {seat}", "", ""] for seat, each in enumerate(self.sim.seeds)]
        pairs = [list(pair) for pair in self.rules.items()]
        return frame("lobby-view", "a table", self.seat if seats is None else seats, chairs, pairs)  # type: ignore[arg-type]  # nested lists

    def sealed(self, seat: int, body: bytes, track: int, step: int) -> bytes:
        """Something said beside the history."""
        return frame("sealed", self.sim.aside(seat, body, track, step).raw)

    # The end

    def vector(self, name: str, code: str | None, requirement: str = "") -> Vector:
        """The scenario, after which the reference must say ``code``; ``requirement`` where the code tells none."""
        peer = self.peer
        outcome = {
            "stops": peer.stops, "seat": peer.seat, "step": peer.step,
            "over": peer.over, "refusals": peer.refusals, "closed": peer.closed,
        }  # fmt: skip
        about = {"requirement": requirement} if requirement else {}
        return vector(
            name, self._say, code, **about,
            role="host" if self.host else "guest", label=self.label, seats=self.seats, seat=self.seat, seed=self.seed,
            rules=self.rules, draws=self.draws, events=self.events, outcome=outcome,
        )  # fmt: skip

    def _say(self) -> None:
        if self.peer.code is not None:
            raise Fault(self.peer.code)

    def _agreement(self, seat: int) -> bytes:
        return self.sim.envelope(self.sim.session.tracks[0], seat).raw

    def _link_of(self, seat: int) -> int:
        return seat if self.host else LINK

    @contextmanager
    def _event(self, event: str, **fields: object) -> Iterator[None]:
        self.peer.begin()
        yield
        self.events.append({"event": event} | fields)
        self._note_sent()

    @contextmanager
    def _added(self) -> Iterator[None]:
        """To what the last event made us send."""
        yield
        self._note_sent()

    def _note_sent(self) -> None:
        if self.peer.sent:
            self.events[-1]["sends"] = [list(each) for each in self.peer.sent]


def hello(label: str, seat: int, version: int = 1, draw: str = "", key: bytes | None = None) -> bytes:
    """A guest's greeting; as ``draw`` names, with another nonce."""
    key = ed25519.public_key(identity_seed(label, seat)) if key is None else key
    nonce = Stream(draw or f"{label} nonce {seat}")(32)
    return frame("hello", "hocp2p", version, key, f"seat {seat}", "", "", nonce)
