"""One peer at the end of its links, and what happens to it in order: a scene, led through the reference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from protocol.generate import ed25519
from protocol.generate.bounds import frame, message
from protocol.generate.faults import Fault
from protocol.generate.guest import Guest
from protocol.generate.host import Host
from protocol.generate.peer import MAGIC, Peer
from protocol.generate.simulate import Simulation, identity_seed
from protocol.generate.transcript import Stream
from protocol.generate.vector import Vector, vector
from protocol.generate.wire import LOSS_TRACK, Envelope

LINK = 1
"""A guest's only link. The host's have the numbers of the seats behind them."""
TWO, THREE = "two meet", "three meet"
RUBBISH = b"\xc1"
SECRET = b"0123456789"


def claim(sim: Simulation, by: int, lost: int) -> Envelope:
    """A seat claims that another is lost, where it stands."""
    return sim.aside(by, message("seat-lost", lost, *sim.session.place), LOSS_TRACK, lost)


class Scene:
    """A scene in the making; its methods are the events, and can be chained.

    Args:
        label: of the pinned randomness, as in module ``simulate``.
        seats: 2 or 3.
        seat: of the peer, 0 for the host.
        secret: of the invite at a host, given with the greeting by a guest.
        sim: the session of this label, where it is there already.
        before: the session that the peer has left, where it goes on with that.
    """

    def __init__(
        self,
        label: str,
        seats: int,
        seat: int,
        secret: bytes | None = None,
        sim: Simulation | None = None,
        before: Simulation | None = None,
    ) -> None:
        self.label, self.seats, self.seat, self.secret = label, seats, seat, secret
        self.sim = sim or Simulation(label, seats)
        self.draws: list[str] = []
        self.seed = self.sim.seeds[seat]
        self.events: list[dict[str, Any]] = []
        name, rules = f"seat {seat}", dict(self.sim.session.rules)
        self.rules = rules
        draws = self._drawing()
        if seat:
            self.guest = Guest(self.seed, draws, name, secret or b"", before.session if before else None)
            self.peer: Peer = self.guest
        else:
            self.host = Host(self.seed, draws, name, seats, rules, secret)
            self.peer = self.host

    def _drawing(self) -> Iterator[bytes]:
        """What the peer draws, 32 bytes at a time: by the names that the next event has put down, in their order."""
        if not self.seat:
            self.draws.append(f"{self.label} nonce 0")
        at = 0
        while True:
            if at == len(self.draws):
                self.draws.append(f"{self.label} draw {at}")
            yield Stream(self.draws[at])(32)
            at += 1

    # What can happen

    def open(self, link: int = LINK, dialled: bool | None = None, expected: bytes = b"") -> Scene:
        """A link is up; guests dial, unless told."""
        dialled = bool(self.seat) if dialled is None else dialled
        with self._event("open", link=link, dialled=dialled, certificate=expected):
            self.peer.open(link, dialled, expected)
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
            (self.guest if self.seat else self.host).play_again()
        return self

    def kick(self, seat: int) -> Scene:
        """The host takes a chair away."""
        with self._event("kick", seat=seat):
            self.host.kick(seat)
        return self

    def answer(self, number: int, *, admit: bool) -> Scene:
        """The host lets somebody in who knocks, or does not."""
        with self._event("admit" if admit else "decline", number=number):
            (self.host.admit if admit else self.host.decline)(number)
        return self

    def envelope(self, envelope: Envelope, link: int | None = None) -> Scene:
        """Something is signed: by us, and then we say it, or by another, and then it comes."""
        if envelope.seat == self.seat:
            with self._event("say", hex=envelope.raw):
                self.peer.say(envelope.raw)
            return self
        link = (envelope.seat if not self.seat else LINK) if link is None else link
        return self.frame(frame("sealed", envelope.raw), link)

    # Several at once

    def challenged(self, key: bytes | None = None, draw: str = "") -> Scene:
        """At a guest: the host, or the one with this key, shows his challenge; a fresh greeting draws what is named."""
        nonce = Stream(f"{self.label} challenge")(32)
        key = ed25519.public_key(self.sim.seeds[0]) if key is None else key
        if draw:
            self.draws.append(draw)
        return self.frame(frame("challenge", MAGIC, 1, key, nonce))

    def seated(self) -> Scene:
        """At a guest: it dials the host, greets, and is shown the lobby."""
        self.open().challenged(draw=f"{self.label} nonce {self.seat}")
        return self.frame(self.lobby())

    def proposed(self) -> Scene:
        """At a guest: and then the proposal."""
        return self.seated().frame(self.sim.proposal)

    def greeted(self, *seats: int, secret: bytes = b"") -> Scene:
        """At the host: guests come, on links of their numbers; with the last comes his own proposal."""
        for seat in seats or range(1, self.seats):
            self.open(seat)
            if len(self.host.chairs) == self.seats - 1:
                self.draws.append(f"{self.label} nonce")
            self.frame(self.hello(seat, secret=secret), seat)
        return self

    def agreed(self) -> Scene:
        """All sign the proposal."""
        for seat in range(self.seats):
            self.envelope(self.sim.envelope(self.sim.session.tracks[0], seat))
        self.sim.step()
        return self

    def begun(self) -> Scene:
        """All commit to their keys."""
        self.agreed()
        for seat in range(self.seats):
            self.envelope(self.sim.envelope(self.sim.session.tracks[self.deck], seat))
        return self

    @property
    def deck(self) -> int:
        """Track of the first deck."""
        return 1 if self.sim.session.continued is None else 2 * self.sim.session.first + 1

    # Frames

    def lobby(self, your_seat: int | None = None, rules: dict[str, str] | None = None) -> bytes:
        """As the host shows it to us."""
        chairs = [[ed25519.public_key(each), f"seat {seat}", "", ""] for seat, each in enumerate(self.sim.seeds)]
        pairs = [list(pair) for pair in (rules or self.rules).items()]
        seat = self.seat if your_seat is None else your_seat
        return frame("lobby-view", "a table", seat, chairs, pairs)  # type: ignore[arg-type]  # nested lists

    def hello(
        self,
        seat: int,
        link: int | None = None,
        *,
        version: int = 1,
        secret: bytes = b"",
        draw: str = "",
        key: int = -1,
    ) -> bytes:
        """A greeting of the one who will have a seat; ``key`` as whom it is signed, if as somebody else."""
        seed = identity_seed(self.label, seat)
        public, nonce = ed25519.public_key(seed), Stream(draw or f"{self.label} nonce {seat}")(32)
        challenge = self.peer.far[seat if link is None else link].challenge
        signed = b"hocp2p/1 hello" + b"".join(challenge) + public + nonce
        proof = ed25519.sign(seed if key < 0 else identity_seed(self.label, key), signed)
        return frame("hello", MAGIC, version, public, f"seat {seat}", "", "", nonce, secret, proof)

    def returning(self, seat: int, link: int, seed: bytes, table: bytes | None = None) -> bytes:
        """Somebody comes back as a seat of our table, or of another."""
        table = self.sim.session.table if table is None else table
        signed = b"hocp2p/1 return" + b"".join(self.peer.far[link].challenge) + table + bytes([seat])
        return frame("return", MAGIC, 1, table, seat, ed25519.sign(seed, signed))

    # The end

    def vector(self, name: str, code: str | None, requirement: str = "") -> Vector:
        """The scene, after which the reference must say ``code``; ``requirement`` where the code tells none."""
        peer = self.peer
        about = {"requirement": requirement} if requirement else {}
        return vector(
            name, self._say, code, **about,
            role="guest" if self.seat else "host", label=self.label, seats=self.seats, seat=self.seat, seed=self.seed,
            rules=self.rules, secret=self.secret, draws=self.draws, events=self.events,
            outcome={"stops": peer.stops, "over": peer.over, "refusals": peer.refusals, "closed": peer.closed},
        )  # fmt: skip

    def _say(self) -> None:
        if self.peer.code is not None:
            raise Fault(self.peer.code)

    @contextmanager
    def _event(self, event: str, **fields: object) -> Iterator[None]:
        self.peer.code, self.peer.sent = None, []
        yield
        self.peer.settle()
        sends = {"sends": [list(each) for each in self.peer.sent]} if self.peer.sent else {}
        self.events.append({"event": event} | fields | sends)
