"""Vectors of what happens at one host and his links."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.generate.bounds import frame, message, read_frame
from protocol.generate.scene import LINK, RUBBISH, SECRET, THREE, TWO, Scene, claim
from protocol.generate.vector import Vector, flipped


def host(seats: int = 2, secret: bytes | None = None) -> Scene:
    """A host whom nobody has greeted yet."""
    return Scene(TWO if seats == 2 else THREE, seats, 0, secret)


def scenes() -> list[Vector]:
    """All of them."""
    parts = (_greetings, _chairs, _in_game, _after_a_loss)
    return [each for part in parts for each in part()]


def _greetings() -> Iterator[Vector]:
    yield host().greeted().agreed().vector("a guest comes, and both sign", None)
    scene = host().open()
    yield scene.frame(scene.hello(1, version=2)[:10] + RUBBISH).vector(
        "a greeting of a later version", "version", "R-025"
    )
    scene = host().open()
    yield scene.frame(scene.hello(1, version=0)).vector("a greeting of an earlier version", "version", "R-025")
    scene = host().open()
    other = frame("hello", "hocp2q", *read_frame(scene.hello(1))[1][1:])
    yield scene.frame(other).vector("a greeting of another program", "bad-text", "R-024")
    scene = host().open()
    yield scene.frame(scene.hello(1, key=2)).vector("a greeting signed by another", "bad-signature", "R-119")
    scene = host().open().open(2)
    yield scene.frame(scene.hello(1, 2)).vector("a greeting for another link", "bad-signature", "R-119")
    scene = host(3).greeted(1)
    yield scene.frame(scene.hello(2, 1)).vector("a second greeting with another key", "wrong-key", "R-120")
    yield host().open().frame(RUBBISH).vector("rubbish for a greeting", "bad-msgpack", "R-023")
    yield host().open().frame(frame("again", 1)).vector("a wish for a greeting", "unexpected-frame", "R-022")
    yield host(3).greeted(1).frame(RUBBISH).vector("rubbish from a guest in the lobby", "bad-msgpack", "R-023")
    scene = host(3).greeted(1)
    yield scene.frame(scene.lobby()).vector("a lobby from a guest", "unexpected-frame", "R-022")
    scene = host().open()
    back = scene.returning(1, LINK, scene.sim.seeds[1])
    yield scene.frame(back).vector("a return to a table that is not signed", "no-such-table")


def _chairs() -> Iterator[Vector]:
    scene = host().open()
    yield scene.frame(scene.hello(0, LINK)).vector("a greeting with our own identity", "same-key")
    scene = host().greeted().open(2)
    yield scene.frame(scene.hello(2), 2).vector("no chair is free", "full")
    scene = host(2, SECRET).greeted(secret=SECRET)
    yield scene.vector("a guest with the invite is proposed the table", None)
    scene = host(2, SECRET).open()
    yield scene.frame(scene.hello(1, secret=SECRET[::-1])).vector("another invite", "secret")
    scene = host(2, SECRET).open()
    scene.frame(scene.hello(1)).draws.append(f"{TWO} nonce")
    yield scene.answer(1, admit=True).vector("who knocks is let in", None)
    scene = host(2, SECRET).open()
    yield scene.frame(scene.hello(1)).answer(1, admit=False).vector("who knocks is not let in", "declined")
    scene = host(2, SECRET)
    for link in range(1, 6):
        scene.open(link).frame(scene.hello(10 + link, link), link)
    yield scene.vector("a fifth knocks", "busy")
    yield host(3).greeted(1).kick(1).vector("the host takes a chair away", "kicked")
    yield host(3).greeted(1).leave().vector("the host leaves the lobby", "left")
    scene = host().leave().open()
    yield scene.frame(scene.hello(1)).vector("a greeting after the host has left", "closed")
    scene = host().greeted().close().open(2)
    scene.draws.append(f"{TWO} nonce, again")
    yield scene.frame(scene.hello(1, 2, draw=f"{TWO} nonce 1, again"), 2).vector(
        "a link goes down before all have signed, and the guest comes again", None
    )
    scene = host(3).greeted().close(2)
    broken = flipped(scene.sim.aside(1, message("talk", "m")).raw, -1)
    yield scene.frame(frame("sealed", broken)).vector("an envelope of a table that fell apart", None, "R-022")


def _in_game() -> Iterator[Vector]:
    scene = host(3).greeted().begun().open(7)
    yield scene.frame(scene.hello(7), 7).vector("a stranger greets in a game", "full")
    scene = host(3).greeted().begun().open(7)
    yield scene.frame(scene.hello(1, 7), 7).vector("a seat greets in a game", "forgotten")
    yield host().greeted().begun().close().vector("the link to a guest goes down in a game", None)
    scene = host().greeted().begun().close().open(7)
    yield scene.frame(scene.returning(1, 7, scene.sim.seeds[1]), 7).vector("a guest comes back", None, "R-119")
    yield host().greeted().begun().leave().vector("the host leaves the table", "left")
    scene = host().greeted().begun()
    yield scene.envelope(scene.sim.aside(1, message("leaving"))).vector("the guest of two leaves", "seat-lost")
    scene = host().greeted().begun()
    yield scene.frame(frame("again", 1)).vector("a wish for another session before the end", None, "R-022")
    scene = host().greeted().begun()
    wrong = scene.sim.aside(1, message("held-back", 5))
    yield scene.envelope(wrong).vector("the guest of two says what is no talk", "unexpected-message", "R-105")
    scene = host().greeted()
    other = scene.sim.envelope(scene.sim.session.tracks[0], 1, message("talk", "yes"))
    scene.envelope(scene.sim.envelope(scene.sim.session.tracks[0], 0))
    yield scene.envelope(other).vector("a guest signs something else, and his chair is free", "unexpected-message")


def _after_a_loss() -> Iterator[Vector]:
    """A host that has voted with a guest to go on without the other, who comes back."""
    scene = host(3).greeted().begun().close(2)
    for seat in (0, 1):
        scene.envelope(scene.sim.aside(seat, message("vote", 2, 1)))
    scene.envelope(claim(scene.sim, 0, 2)).open(7)
    back = scene.returning(2, 7, scene.sim.seeds[2])
    yield scene.frame(back, 7).vector("a seat comes back whose loss we have claimed", "cut-off")
