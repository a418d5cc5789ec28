"""Vectors of what happens at one guest and its links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from protocol.generate import ed25519
from protocol.generate.bounds import frame, message, read_frame
from protocol.generate.msgpack import Value
from protocol.generate.scene import LINK, RUBBISH, SECRET, THREE, TWO, Scene, claim
from protocol.generate.session import Session
from protocol.generate.simulate import Simulation, identity_seed, proposal
from protocol.generate.transcript import Stream
from protocol.generate.vector import Vector, flipped
from protocol.generate.wire import NO_HEAD

OTHER = identity_seed("somebody else", 0)


def guest(seats: int = 2, seat: int = 1, secret: bytes | None = None) -> Scene:
    """A guest who has not dialled yet."""
    return Scene(TWO if seats == 2 else THREE, seats, seat, secret)


def scenes() -> list[Vector]:
    """All of them."""
    parts = (_challenges, _lobby, _proposals, _in_game, _dialled, _left_behind)
    return [each for part in parts for each in part()]


def refusal(code: str) -> bytes:
    """As a host would send it."""
    return frame("refusal", code, "no", 1)


def _challenges() -> Iterator[Vector]:
    yield guest().open().challenged().vector("a guest is challenged, and greets", None, "R-118")
    yield guest(secret=SECRET).open().challenged().vector("a guest with an invite greets", None)
    key = ed25519.public_key(OTHER)
    yield guest().open(expected=key).challenged().vector("a challenge of another than the certificate's", "wrong-key")
    scene = guest()
    yield scene.open().challenged(scene.peer.key).vector("a challenge under our own key", "wrong-key")
    later = frame("challenge", "hocp2p", 2, key, bytes(32))
    yield guest().open().frame(later[:10] + RUBBISH).vector("a challenge of a later version", "version", "R-025")
    yield (
        guest()
        .open()
        .frame(frame("challenge", "hocp2q", 1, key, bytes(32)))
        .vector("a challenge of another program", "bad-text", "R-024")
    )
    yield guest().open().frame(refusal("full")).vector("a refusal before the challenge", "full")
    yield guest().open().frame(frame("again", 0)).vector("a first frame that is too short", "bad-count")
    scene = guest()
    yield scene.open().frame(scene.lobby()).vector("a lobby before the challenge", "unknown-kind", "R-024")


def _lobby() -> Iterator[Vector]:
    yield guest().proposed().agreed().vector("a guest greets, is proposed, and signs", None)
    for code in ("closed", "not-hosting", "forgotten", "same-key", "full", "secret", "busy", "declined"):
        yield guest().open().challenged().frame(refusal(code)).vector(f"a guest is refused, {code}", code)
    yield guest().seated().frame(refusal("kicked")).vector("the host takes our chair away", "kicked")
    later = b"\x95" + frame("refusal", "version", "we speak 2", 2)[1:] + RUBBISH
    yield (
        guest()
        .open()
        .challenged()
        .frame(later)
        .vector("a guest is refused by a later version with more fields", "version", "R-026")
    )
    scene = guest().seated()
    scene.draws.append(f"{TWO} nonce 1, again")
    yield scene.frame(scene.lobby(0)).vector("a lobby that has another in our chair: we greet anew", None, "R-130")
    scene = guest().open().challenged()
    yield scene.frame(scene.lobby(0)).vector("a lobby without us that our greeting has crossed", None, "R-130")
    yield guest().seated().close().vector("the link to the host goes down in the lobby", None)
    yield guest().seated().leave().vector("a guest leaves the lobby", "left")
    yield guest().seated().frame(RUBBISH).vector("rubbish from the host", "bad-msgpack", "R-023")
    scene = guest().open().challenged()
    yield scene.frame(frame("hears", [])).vector("a hint before the lobby", "unexpected-frame", "R-022")
    scene = guest().seated()
    yield scene.frame(scene.returning(1, LINK, scene.seed)).vector(
        "a return from the host", "unexpected-frame", "R-022"
    )
    scene = guest().open().challenged()
    yield scene.frame(scene.lobby(2)).vector("a chair for us that is not there", "bad-range", "R-021")
    scene = guest().open().challenged()
    yield scene.frame(scene.lobby(rules=scene.rules | {"ruin": "maybe"})).vector("a rule that is none", "bad-rules")
    scene = guest().seated()
    early = scene.sim.aside(0, message("talk", "early"))
    yield scene.envelope(early).vector("an envelope before any proposal", None, "R-022")


def _proposals() -> Iterator[Vector]:
    _, (version, nonce, chairs, rules, _) = read_frame(guest().sim.proposal)
    ours = chairs[1]

    def offered(name: str, code: str | None, seats: list[Value], speaks: int = version) -> Vector:
        return guest().seated().frame(frame("proposal", speaks, nonce, seats, rules, [])).vector(name, code)

    yield offered("a proposal with another nonce of ours", "not-us", [chairs[0], [*ours[:4], flipped(ours[4], 0)]])
    yield offered("a proposal with another key of ours", "not-us", [chairs[0], [flipped(ours[0], 0), *ours[1:]]])
    yield offered("a proposal with us at the host's seat", "not-us", [ours, chairs[0]])
    yield offered("a proposal with another host", "not-us", [[flipped(chairs[0][0], 0), *chairs[0][1:]], ours])
    yield offered("a proposal with us at both seats", "equal-keys", [ours, ours])
    yield offered("a proposal of another version", "version", chairs, 2)
    yield offered("a proposal under another name of ours", None, [chairs[0], [ours[0], "seat one", *ours[2:]]])
    scene = guest().proposed()
    yield scene.frame(scene.sim.proposal).vector("the same proposal twice", "proposed-before")
    scene = guest().proposed().envelope(scene.sim.envelope(scene.sim.session.tracks[0], 1))
    scene.frame(scene.lobby()).frame(scene.sim.proposal)
    yield scene.vector("the same proposal again after the lobby", "proposed-before")
    other = frame("proposal", version, Stream(f"{TWO} nonce, again")(32), chairs, rules, [])
    yield guest().proposed().agreed().frame(other).vector("another proposal before the host has begun", None, "R-028")


def _in_game() -> Iterator[Vector]:
    scene = guest().proposed().agreed()
    yield scene.frame(scene.lobby()).vector("a lobby before the host has begun", None, "R-028")
    scene = guest().proposed().begun()
    yield scene.frame(scene.lobby()).vector("a lobby in the middle of a game", None, "R-028")
    scene = guest().proposed().begun()
    yield scene.frame(scene.sim.proposal).vector("a proposal in the middle of a game", "unexpected-frame", "R-028")
    scene = guest().proposed().agreed().close()
    yield scene.open().challenged().vector("who has signed comes back", None, "R-119")
    scene = guest().proposed().agreed().frame(refusal("no-such-table"))
    yield scene.open().challenged().vector("the proposal fell apart, and we greet anew", None, "R-027")
    yield guest().proposed().agreed().frame(refusal("closed")).vector("closed before the host has begun", "closed")
    for seats, code, end in (
        (2, "closed", "closed"),
        (2, "no-such-table", None),
        (3, "closed", None),
        (3, "cut-off", "cut-off"),
    ):
        scene = guest(seats).proposed().begun()
        yield scene.frame(refusal(code)).vector(f"refused in a game of {seats}, {code}", end)
    yield guest().proposed().begun().leave().vector("a guest leaves the table", "left")
    yield guest().proposed().begun().frame(RUBBISH).vector("rubbish from a seat", "bad-msgpack", "R-023")
    scene = guest().proposed().begun()
    goodbye = scene.sim.aside(0, message("leaving"))
    yield scene.envelope(goodbye).vector("the other of two leaves", "seat-lost")
    scene = guest().proposed().agreed()
    first = scene.sim.session.tracks[1]
    scene.envelope(scene.sim.envelope(first, 1))
    astray = scene.sim.envelope(replace(first, head=bytes(32)), 0)
    yield scene.envelope(astray).vector("the host has another history", "history-differs")
    scene = guest(3, 2).proposed().begun()
    scene.envelope(claim(scene.sim, 0, 2))
    yield scene.envelope(claim(scene.sim, 1, 2)).vector("all others claim that we are lost", "cut-off")


def _dialled() -> Iterator[Vector]:
    """A guest at a table whom somebody dials."""

    def dialled() -> Scene:
        return guest(3).proposed().begun().open(7, dialled=False)

    scene = dialled()
    yield scene.frame(scene.hello(2, 7), 7).vector("a greeting to who hosts nothing", "not-hosting")
    scene = dialled()
    yield scene.frame(scene.returning(2, 7, scene.sim.seeds[2]), 7).vector("another guest comes back", None, "R-119")
    scene = dialled()
    back = scene.returning(2, 7, scene.sim.seeds[0])
    yield scene.frame(back, 7).vector("somebody comes back as another", "bad-signature", "R-119")
    for seat, who in ((1, "ourselves"), (2, "a seat that is none")):
        scene = dialled() if seat == 1 else guest(2).proposed().begun().open(7, dialled=False)
        back = scene.returning(seat, 7, scene.sim.seeds[0])
        yield scene.frame(back, 7).vector(f"somebody comes back as {who}", "bad-seat", "R-119")
    scene = dialled()
    back = scene.returning(2, 7, scene.sim.seeds[2], bytes(32))
    yield scene.frame(back, 7).vector("somebody comes back to another table", "no-such-table")
    scene = dialled()
    yield scene.frame(scene.lobby(), 7).vector("a lobby from who has not said who he is", "unexpected-frame", "R-022")


def _left_behind() -> Iterator[Vector]:
    """A newcomer at a table that goes on with another; who was lost there comes back to that one."""
    old = Simulation("three before", 3)
    for seat, name, code in (
        (2, "who was lost at the table before comes back to it", "cut-off"),
        (1, "who has gone on with us comes back to the table before", "no-such-table"),
    ):
        sim = Simulation(THREE, 3)
        sim.seeds[:2] = old.seeds[:2]
        told: list[Value] = [old.session.table, NO_HEAD, 1, 1, [100, 100, 100], [0, 0, 0], []]
        sim.proposal = proposal(THREE, sim.seeds, sim.session.rules, [told])
        sim.session = Session(sim.proposal)
        scene = Scene(THREE, 3, 2, sim=sim).proposed().begun().open(7, dialled=False)
        yield scene.frame(scene.returning(seat, 7, old.seeds[seat], old.session.table), 7).vector(name, code)
