"""Vectors of what happens at one peer: links, greetings, refusals, proposals, losses. What no bytes alone bring out."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.generate import vectors_session
from protocol.generate.bounds import frame, message, read_frame
from protocol.generate.scene import Scene, hello
from protocol.generate.simulate import proposal
from protocol.generate.transcript import Stream
from protocol.generate.vector import Vector, flipped
from protocol.generate.wire import LOSS_TRACK, TALK_TRACK, decode_envelope

TWO, THREE = "two meet", "three meet"
RUBBISH = b"\xc1"
LEAVING = message("leaving")


def guest(seats: int = 2, seat: int = 1) -> Scene:
    """A guest who has not greeted yet."""
    return Scene(TWO if seats == 2 else THREE, seats, seat)


def host(seats: int = 2, *more: str) -> Scene:
    """A host whom nobody has greeted yet."""
    return Scene(TWO if seats == 2 else THREE, seats, 0, *more)


def meetings() -> list[Vector]:
    """Before a deck is dealt."""
    return [*_lobby_of_guest(), *_proposals(), *_table_of_guest(), *_lobby_of_host(), *_table_of_host()]


def _lobby_of_guest() -> Iterator[Vector]:
    yield guest().proposed().ready().vector("a guest greets, is proposed, and signs", None)
    for code in ("closed", "full", "same-key", "kicked", "version"):
        scene = guest().open().frame(frame("refusal", code, "no", 1))
        yield scene.vector(f"a guest is refused, {code}", code)
    later = bytes.fromhex("95") + frame("refusal", "version", "we speak 2", 2)[1:] + RUBBISH
    yield (
        guest().open().frame(later).vector("a guest is refused by a later version with more fields", "version", "R-026")
    )
    yield guest().open().close().vector("the link to the host goes down in the lobby", "host-gone")
    yield guest().proposed().leave().vector("a guest leaves the lobby", "left")
    yield guest().open().frame(RUBBISH).vector("rubbish from the host", "bad-msgpack", "R-023")
    yield guest().open().frame(hello(TWO, 0)).vector("a greeting from the host", "unexpected-frame", "R-022")
    scene = guest()
    yield (
        scene.open().frame(scene.lobby(2)).vector("a lobby with a chair for us that is not there", "bad-range", "R-021")
    )
    scene = guest()
    scene.rules = scene.rules | {"ruin": "maybe"}
    shown = scene.lobby()
    scene.rules = scene.rules | {"ruin": "off"}
    yield scene.open().frame(shown).vector("a lobby with a rule that is none", "bad-rules")
    scene = guest().open()
    early = scene.sealed(0, message("talk", "early"), TALK_TRACK, 0)
    yield scene.frame(early).vector("an envelope before any proposal", None, "R-022")


def _proposals() -> Iterator[Vector]:
    _, (version, nonce, chairs, rules) = read_frame(proposal(TWO, 2, guest().rules))
    ours = chairs[1]

    def taken(name: str, code: str | None, seats: list[list[object]], speaks: int = version) -> Vector:
        offer = frame("proposal", speaks, nonce, seats, rules)  # type: ignore[arg-type]  # nested lists
        scene = guest().open()
        return scene.frame(scene.lobby()).frame(offer).vector(name, code)

    yield taken("a proposal with another nonce of ours", "not-us", [chairs[0], [*ours[:4], flipped(ours[4], 0)]])
    yield taken("a proposal with another key of ours", "not-us", [chairs[0], [flipped(ours[0], 0), *ours[1:]]])
    yield taken("a proposal with us at the host's seat", "not-us", [ours, chairs[0]])
    yield taken("a proposal with us at both seats", "equal-keys", [ours, ours])
    yield taken("a proposal of another version", "version", chairs, 2)
    yield taken("a proposal under another name of ours", None, [chairs[0], [ours[0], "seat one", *ours[2:]]])
    scene = guest().proposed()
    yield scene.frame(scene.sim.proposal).vector("the same proposal twice", "proposed-before")
    scene = guest().proposed().ready()
    scene.frame(scene.lobby()).frame(scene.sim.proposal)
    yield scene.vector("the same proposal again after the lobby", "proposed-before")
    other = frame("proposal", version, Stream(f"{TWO} nonce, again")(32), chairs, rules)
    yield guest().proposed().ready().frame(other).vector("another proposal before all have signed", None, "R-028")


def _table_of_guest() -> Iterator[Vector]:
    yield guest().proposed().agreed().close().vector("the link to the host goes down after the agreement", "host-gone")
    yield guest().proposed().agreed().leave().vector("a guest leaves the table", "left")
    scene = guest().proposed().agreed()
    yield scene.frame(scene.lobby()).vector("a lobby before the host has spoken on a deck", None, "R-028")
    scene = guest().proposed().agreed().key_commit(0)
    yield scene.frame(scene.lobby()).vector("a lobby in the middle of a game", "unexpected-frame", "R-028")
    scene = guest().proposed().agreed().key_commit(0)
    yield scene.frame(scene.sim.proposal).vector("a proposal in the middle of a game", "unexpected-frame", "R-028")
    scene = guest().proposed().agreed()
    goodbye = scene.sealed(0, LEAVING, TALK_TRACK, 0)
    yield scene.frame(goodbye).vector("the host says that he leaves", "seat-lost")
    closed = frame("refusal", "closed", "the host has closed the table", 1)
    yield guest().proposed().agreed().frame(closed).vector("the host closes the table", "closed")
    yield (
        guest().proposed().agreed().frame(RUBBISH).vector("rubbish from the host at the table", "bad-msgpack", "R-023")
    )
    scene = guest().proposed()
    broken = flipped(scene.sealed(0, message("talk", "m"), TALK_TRACK, 0), -1)
    yield scene.frame(broken).vector("an envelope with a broken signature", "bad-signature", "R-023")
    scene = guest().proposed()
    wrong = scene.sim.envelope(scene.sim.session.tracks[0], 0, message("talk", "yes")).raw
    yield scene.ready().frame(frame("sealed", wrong)).vector("the host signs something else", "unexpected-message")
    scene = guest(3, 2).proposed().agreed()
    claim = scene.sealed(1, message("seat-lost", 2, 4, 0), LOSS_TRACK, 2)
    yield scene.frame(claim).vector("a guest is claimed lost", "cut-off")
    scene = guest(3).proposed().agreed()
    goodbye = scene.sealed(2, LEAVING, TALK_TRACK, 0)
    yield scene.frame(goodbye).vector("another guest leaves before the first dealer is drawn", "seat-lost")


def _lobby_of_host() -> Iterator[Vector]:
    yield host().greeted().agreed().vector("a guest comes, and both sign", None)
    yield host().open().frame(hello(TWO, 1, version=2)).vector("a greeting of a later version", "version", "R-025")
    yield host().open().frame(hello(TWO, 1, version=0)).vector("a greeting of an earlier version", "version", "R-025")
    later = hello(TWO, 1, version=65_535)[:12] + RUBBISH
    yield host().open().frame(later).vector("a greeting of a version that goes on otherwise", "version", "R-024")
    yield host().greeted().open(2).frame(hello(TWO, 2), 2).vector("a greeting when no chair is free", "full")
    again = hello(THREE, 1, draw=f"{THREE} nonce 1, again")
    yield host(3).greeted(1).open(2).frame(again, 2).vector("one identity at two chairs", "same-key")
    yield host().open().frame(hello(TWO, 0)).vector("the host's own identity", "same-key")
    yield host().leave().open().frame(hello(TWO, 1)).vector("a greeting after the host has left", "closed")
    yield host(3).greeted(1).kick(1).vector("the host takes a chair away", "kicked")
    scene = host(2, f"{TWO} nonce, again").greeted().ready().close()
    scene.open(2).frame(hello(TWO, 1, draw=f"{TWO} nonce 1, again"), 2)
    yield scene.vector("a link goes down before all have signed, and the guest comes again", None)
    scene = host(3).greeted().ready().close(2)
    broken = flipped(scene.sealed(1, message("talk", "m"), TALK_TRACK, 0), -1)
    yield scene.frame(broken).vector("an envelope of a table that fell apart", None, "R-022")
    yield host().greeted().leave().vector("the host leaves before all have signed", "left")
    scene = host()
    yield scene.open().frame(scene.lobby()).vector("a first frame that is no greeting", "unknown-kind", "R-024")
    yield host().open().frame(frame("again", 1)).vector("a first frame that is too short", "bad-count")
    other = frame("hello", "hocp2q", *read_frame(hello(TWO, 1))[1][1:])
    yield host().open().frame(other).vector("a greeting of another program", "bad-text", "R-024")
    yield host().open().frame(RUBBISH).vector("rubbish for a greeting", "bad-msgpack", "R-023")
    yield host(3).greeted(1).frame(RUBBISH).vector("rubbish from a guest in the lobby", "bad-msgpack", "R-023")
    yield host(3).greeted(1).frame(hello(THREE, 1)).vector("a second greeting on a link", "unexpected-frame", "R-022")
    scene = host(3).greeted(1)
    yield scene.frame(scene.lobby()).vector("a lobby from a guest", "unexpected-frame", "R-022")


def _table_of_host() -> Iterator[Vector]:
    yield host().greeted().agreed().close().vector("the link to a guest goes down after the agreement", "seat-lost")
    scene = host(3).greeted().agreed().close(2)
    yield scene.vector("the link to one of two guests goes down after the agreement", "seat-lost")
    yield host().greeted().agreed().leave().vector("the host leaves the table", "left")
    scene = host(3).greeted().agreed()
    yield scene.frame(scene.sealed(1, LEAVING, TALK_TRACK, 0)).vector("a guest says that he leaves", "seat-lost")
    yield host().greeted().agreed().frame(RUBBISH).vector("rubbish from a guest at the table", "bad-msgpack", "R-023")
    scene = host(3).greeted().agreed()
    yield scene.frame(frame("again", 2)).vector(
        "another session asked for in another's name", "unexpected-frame", "R-113"
    )
    scene = host(3).greeted().agreed()
    claim = scene.sealed(1, message("seat-lost", 2, 4, 0), LOSS_TRACK, 2)
    yield scene.frame(claim).vector("a guest claims a loss that the host does not see", "claims-differ")
    scene = host(3).greeted().ready()
    wrong = scene.sim.envelope(scene.sim.session.tracks[0], 1, message("talk", "yes")).raw
    right = scene.sim.envelope(scene.sim.session.tracks[0], 2).raw
    scene.frame(frame("sealed", right), 2).frame(frame("sealed", wrong), 1)
    yield scene.vector("a guest signs something else", "unexpected-message")


# In and after whole sessions


def in_sessions() -> list[Vector]:
    """In the middle of a deal, and after the last one."""
    return [*_losses(), *_after_the_end()]


def _losses() -> Iterator[Vector]:
    sim = vectors_session.three_seats().simulation
    name, label, end = "a session of 3", sim.label, len(sim.raws)
    lost = next(at for at, raw in enumerate(sim.raws) if decode_envelope(raw).track == LOSS_TRACK)

    def scene(seat: int) -> Scene:
        return Scene(label, 3, seat, sim=sim, deals="3")

    yield scene(0).greeted().session(name, 0, lost).close(2).vector("a link goes down in a deal", None)
    whole = scene(0).greeted().session(name, 0, lost).close(2).session(name, lost, end)
    yield whole.vector("a link goes down in a deal, which is played out", "seat-lost")
    whole = scene(1).proposed().session(name, 0, end)
    yield whole.vector("the host claims a seat lost in a deal, which is played out", "seat-lost")
    cut = scene(2).proposed().session(name, 0, lost)
    claim = frame("sealed", sim.raws[lost])
    yield cut.frame(claim).vector("the host claims us lost in a deal", "cut-off")
    claims = scene(0).greeted().session(name, 0, lost)
    claim = frame("sealed", sim.raws[lost + 1])
    yield claims.frame(claim, 1).vector("a guest claims a loss in a deal that the host does not see", "claims-differ")
    goodbye = scene(0).greeted().session(name, 0, lost)
    goodbye.frame(goodbye.sealed(2, LEAVING, TALK_TRACK, 0), 2)
    yield goodbye.vector("a guest says in a deal that he leaves", None)
    wrong = scene(0).greeted().session(name, 0, lost)
    wrong.frame(wrong.sealed(2, message("agreement"), TALK_TRACK, 0), 2)
    yield wrong.vector("a guest says in a deal what is no talk", "unexpected-message", "R-105")
    rubbish = scene(0).greeted().session(name, 0, lost).frame(RUBBISH, 2)
    yield rubbish.vector("rubbish from a guest in a deal", "bad-msgpack", "R-023")


def _after_the_end() -> Iterator[Vector]:
    sim = vectors_session.two_seats().simulation
    name, label, end = "a session of 2", sim.label, len(sim.raws)
    more = [f"{label} nonce 0, again", f"{label} nonce, again"]

    def scene(seat: int) -> Scene:
        draws = [f"{label} nonce 1, again"] if seat else more
        begun = Scene(label, 2, seat, *draws, sim=sim, deals="2")
        return (begun.proposed() if seat else begun.greeted()).session(name, 0, end)

    yield scene(1).close().vector("the link to the host goes down after the last deal", None)
    yield scene(1).leave().vector("a guest leaves after the last deal", None)
    another = scene(1).again()
    yield another.frame(another.lobby()).vector("the host invites to another session: a fresh greeting", None, "R-027")
    old = scene(1).again()
    old.frame(old.lobby()).frame(sim.proposal)
    yield old.vector("the table of the session before is proposed again", "not-us")
    yield (
        scene(0)
        .frame(frame("again", 0))
        .vector("another session asked for in the host's name", "unexpected-frame", "R-113")
    )
    crossed = scene(0).again().frame(frame("again", 1))
    late = crossed.sealed(1, message("talk", "well played"), TALK_TRACK, 9)
    crossed.frame(late).frame(frame("again", 1)).frame(hello(label, 1, draw=f"{label} nonce 1, again"))
    yield crossed.vector("another session: what crossed the invitation is dropped, and the guest greets", None, "R-114")
