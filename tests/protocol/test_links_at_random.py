"""Hosts and guests to whom anything happens in any order: the reference and the program do the same."""

from __future__ import annotations

import random

import pytest

from protocol.generate import ed25519
from protocol.generate.bounds import frame
from protocol.generate.msgpack import Value
from protocol.generate.scene import LINK, RUBBISH, SECRET, Scene
from protocol.generate.session import Session
from protocol.generate.simulate import identity_seed
from protocol.generate.vector import Vector
from tests.protocol.test_link_vectors import Scene as Program

LABEL = "anything"
PEOPLE = range(1, 7)
KEYS = {ed25519.public_key(identity_seed(LABEL, person)): person for person in (0, *PEOPLE)}


class Anything:
    """A host in the reference, and what happens to it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        secret = self.rng.choice((None, SECRET))
        self.scene = Scene(LABEL, self.rng.choice((2, 3)), 0, secret)
        self.opened = 0
        self.begun = False

    def happen(self, events: int) -> Vector:
        """So many things, and what came of them as a vector."""
        often = [self.greet] * 6 + [self.open] * 3
        rarely = [self.close, self.answer, self.kick, self.say, self.come_back, self.begin]
        for _ in range(events):
            self.rng.choice(often + rarely)()
            if self.scene.host.over:
                break
        return self.scene.vector("anything", self.scene.peer.code)

    @property
    def link(self) -> int | None:
        """One that is up."""
        return self.rng.choice(sorted(self.scene.peer.far)) if self.scene.peer.far else None

    def open(self) -> None:
        self.opened += 1
        self.scene.open(self.opened)

    def close(self) -> None:
        if (link := self.link) is not None:
            self.scene.close(link)

    def greet(self) -> None:
        if (link := self.link) is None:
            self.open()
            return
        person, secret = self.rng.choice((0, *PEOPLE)), self.rng.choice((b"", SECRET, SECRET[::-1]))
        wrong = self.rng.choice((-1, -1, -1, -1, -1, -1, -1, 9))
        version = self.rng.choice((1, 1, 1, 1, 1, 1, 1, 2))
        nonce = f"{LABEL} nonce {person}, {len(self.scene.events)}"
        self.scene.frame(self.scene.hello(person, link, version=version, secret=secret, draw=nonce, key=wrong), link)

    def come_back(self) -> None:
        if (link := self.link) is not None:
            seat, person = self.rng.randrange(3), self.rng.choice(PEOPLE)
            table = self.scene.sim.session.table if self.begun or self.rng.random() < 0.5 else bytes(32)
            if self.begun and self.rng.random() < 0.6 and seat < len(self.scene.sim.seeds):
                seed = self.scene.sim.seeds[seat]
            else:
                seed = identity_seed(LABEL, person)
            self.scene.frame(self.scene.returning(seat, link, seed, table), link)

    def answer(self) -> None:
        host = self.scene.host
        free = len(host.chairs) < host.seats and not self.begun
        knocks = host.knocking()
        if knocks:
            number = self.rng.choice(sorted(knocks))
            admit = free and host.chair_for(knocks[number][1][2]) is not None and self.rng.random() < 0.7
            self.scene.answer(number, admit=admit)

    def kick(self) -> None:
        taken = sorted(set(self.scene.host.chairs) - {0})
        if taken and not self.begun:
            self.scene.kick(self.rng.choice(taken))

    def say(self) -> None:
        if (link := self.link) is not None:
            refusal = frame("refusal", "closed", "no", 1)
            words = (RUBBISH, self.scene.lobby(), frame("again", 0), refusal, frame("hears", []))
            self.scene.frame(self.rng.choice(words), link)

    def begin(self) -> None:
        """All sign, where all chairs are taken."""
        scene, host = self.scene, self.scene.host
        if self.begun or host.session is None:
            return
        scene.sim.proposal = host.proposed
        scene.sim.session = Session(host.proposed)
        scene.sim.seeds = [identity_seed(LABEL, KEYS[key]) for key in host.session.keys]
        track = scene.sim.session.tracks[0]
        for seat, key in enumerate(host.session.keys):
            scene.envelope(scene.sim.envelope(track, seat), host.joined(key)[0] if seat else None)
        scene.sim.step()
        track = scene.sim.session.tracks[1]
        scene.envelope(scene.sim.envelope(track, 0))
        self.begun = True


@pytest.mark.parametrize("seed", range(20))
def test_a_host_does_the_same_in_both(seed: int) -> None:
    """R-022 to R-027, R-118 to R-120, and the refusals of section 7.1."""
    vector = Anything(seed).happen(30)
    program = Program(vector)
    program.run()
    assert (program.verdict, program.outcome) == (vector["code"], vector["outcome"])


class AnyGuest:
    """A guest in the reference, and what happens to it. It has one link at a time."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.scene = Scene(LABEL, self.rng.choice((2, 3)), 1)
        self.begun = False
        self.tables = 0

    def happen(self, events: int) -> Vector:
        """See ``Anything.happen``."""
        for _ in range(events):
            if LINK not in self.scene.peer.far:
                self.scene.open()
            far = self.scene.peer.far[LINK]
            due = self.challenge if not far.key else self.lobby if not far.joined else self.propose
            others = [self.close, self.refuse, self.say, self.begin, self.begin, self.dial, self.lobby, self.propose]
            (due if not far.joined and self.rng.random() < 0.97 else self.rng.choice([due, *others]))()
            if self.scene.peer.over:
                break
        return self.scene.vector("anything", self.scene.peer.code)

    def challenge(self) -> None:
        """The first frame, of the host or, now and then, of somebody else."""
        if not self.scene.peer.far[LINK].key:
            host = self.rng.random() < 0.95
            self.scene.challenged(ed25519.public_key(self.scene.sim.seeds[0] if host else identity_seed(LABEL, 9)))

    def lobby(self) -> None:
        self.scene.frame(self.scene.lobby(self.rng.choice((0, 1, 1, 1))))

    def propose(self) -> None:
        """As we have greeted, or not quite."""
        guest, sim = self.scene.guest, self.scene.sim
        self.tables += self.rng.random() < 0.95
        nonce = guest.nonce if self.rng.random() < 0.95 else bytes(32)
        chairs: list[Value] = []
        for seat, seed in enumerate(sim.seeds):
            chairs.append([ed25519.public_key(seed), f"seat {seat}", "", "", nonce or bytes(32)])
        pairs: Value = [list(pair) for pair in self.scene.rules.items()]
        data = frame("proposal", 1, self.tables.to_bytes(32, "big"), chairs, pairs, [])
        before = guest.session
        self.scene.frame(data)
        if guest.session is not before and guest.session is not None:
            sim.proposal, sim.session = data, Session(data)

    def begin(self) -> None:
        """All sign, and commit to their keys."""
        guest, sim = self.scene.guest, self.scene.sim
        if guest.session is None or guest.agreed or LINK not in guest.joined():
            return
        if guest.session.table == sim.session.table:
            sim.players.clear()
            self.scene.begun()

    def dial(self) -> None:
        """Somebody dials us, and comes back to whatever table."""
        scene = self.scene
        link = 10 + len(scene.events)
        seat = self.rng.randrange(3)
        scene.open(link, dialled=False)
        table = self.rng.choice((scene.sim.session.table, bytes(32)))
        scene.frame(scene.returning(seat, link, scene.sim.seeds[min(seat, len(scene.sim.seeds) - 1)], table), link)

    def close(self) -> None:
        self.scene.close()

    def refuse(self) -> None:
        if self.rng.random() < 0.3:
            self.scene.frame(frame("refusal", self.rng.choice(("full", "no-such-table", "closed")), "no", 1))

    def say(self) -> None:
        if self.rng.random() < 0.3:
            self.scene.frame(self.rng.choice((RUBBISH, frame("again", 0), frame("hears", []))))


@pytest.mark.parametrize("seed", range(20))
def test_a_guest_does_the_same_in_both(seed: int) -> None:
    """R-022 to R-031, R-118 to R-120, R-130."""
    vector = AnyGuest(seed).happen(25)
    program = Program(vector)
    program.run()
    assert (program.verdict, program.outcome) == (vector["code"], vector["outcome"])
