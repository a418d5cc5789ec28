"""Hosts to whom anything happens in any order: the reference and the program do the same."""

from __future__ import annotations

import random

import pytest

from protocol.generate import ed25519
from protocol.generate.bounds import frame
from protocol.generate.scene import RUBBISH, SECRET, Scene
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


@pytest.mark.parametrize("seed", range(30))
def test_a_host_does_the_same_in_both(seed: int) -> None:
    """R-022 to R-027, R-118 to R-120, and the refusals of section 7.1."""
    vector = Anything(seed).happen(30)
    program = Program(vector)
    program.run()
    assert (program.verdict, program.outcome) == (vector["code"], vector["outcome"])
