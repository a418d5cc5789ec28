"""Vectors of whole sessions, and of sessions in which seat 1 says one thing that is wrong."""

from __future__ import annotations

from functools import cache, partial

from protocol.generate.bounds import message
from protocol.generate.faults import Fault
from protocol.generate.session import Session
from protocol.generate.simulate import Simulation
from protocol.generate.temptations import Tempted, Wrong
from protocol.generate.vector import Vector, vector
from protocol.generate.wire import LOSS_TRACK


@cache
def two_seats() -> Tempted:
    """Two deals of two."""
    tempted = Tempted(Simulation("two at a table, again", 2, deals="2"))
    sim = tempted.simulation
    sim.run(lambda session: session.number == 2)
    tempted.after_deal()
    sim.run()
    return tempted


@cache
def three_seats() -> Tempted:
    """Three, of whom the last is lost in the first deal, which is played out."""
    tempted = Tempted(Simulation("three at a table", 3, deals="3"))
    sim = tempted.simulation
    sim.run(lambda session: session.deal is not None and session.deal.phase == "play")
    tempted.wrongs.clear()  # they are those of the other session
    number = sim.session.tracks[4].step
    goodbye = sim.aside(2, message("leaving"))
    ours = sim.aside(0, message("seat-lost", 2, 4, number), LOSS_TRACK, 2)
    for what, place in (("257 steps", (4, number + 257)), ("tracks", (7, 0))):
        claim = sim.aside(1, message("seat-lost", 2, *place), LOSS_TRACK, 2)
        tempted.add(f"a claim {what} ahead", "too-early", goodbye, ours, claim, step="loss")
        tempted.add(f"a claim {what} ahead that nobody else makes", None, claim)
    sim.watch = lambda _track, _honest: None
    for _ in range(9):
        sim.step()
    sim.lose(2)
    sim.run()
    return tempted


def whole(seats: int) -> list[Vector]:
    """A session with every envelope, and what each seat sees."""
    return [session_vector(f"a session of {seats}", (two_seats() if seats == 2 else three_seats()).simulation)]


def session_vector(name: str, sim: Simulation, **before: str) -> Vector:
    """A session; ``before`` names the one that it goes on with."""
    return vector(
        name,
        sim.verify,
        None,
        **before,
        label=sim.label,
        seats=sim.session.seats,
        seeds=sim.seeds,
        proposal=sim.proposal,
        envelopes=sim.raws,
        checked=dict(sorted(sim.session.checked.items())),
        balances=sim.session.balances,
        views=[
            {"deal": number, "faces": [player.faces() for player in players]}
            for number, players in sorted(sim.players.items())
            if 2 * number + 2 in sim.session.tracks
        ],
    )


def faults() -> list[Vector]:
    """Sessions that come to grief."""
    both = (two_seats(), three_seats())
    return [each for tempted in both for each in faults_of(f"a session of {tempted.simulation.session.seats}", tempted)]


def faults_of(name: str, tempted: Tempted) -> list[Vector]:
    """What was found to be wrong in one session."""
    sim = tempted.simulation
    return [
        vector(wrong.name, partial(_verify, sim, wrong), wrong.code, session=name, seat=wrong.seat, step=wrong.step,
               after=wrong.after, envelopes=wrong.envelopes)
        for wrong in tempted.wrongs
    ]  # fmt: skip


def _verify(sim: Simulation, wrong: Wrong) -> None:
    session = Session(sim.proposal)
    for raw in sim.raws[: wrong.after]:
        session.take(raw)
    try:
        for raw in wrong.envelopes:
            session.take(raw)
    except Fault as fault:
        if wrong.seat is not None and (fault.seat, fault.step) != (wrong.seat, wrong.step):
            raise RuntimeError(f"{wrong.name}: {fault}") from fault
        raise
