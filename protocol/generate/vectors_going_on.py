"""Vectors of a session that goes on at other tables: by two, with newcomers, after the host was lost.

All branch off from the session of three in which seat 2 is lost in the first of three deals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

from protocol.generate.bounds import frame, message, read_frame
from protocol.generate.session import Session
from protocol.generate.simulate import Simulation
from protocol.generate.steps import Track
from protocol.generate.temptations import CHEATER, Tempted
from protocol.generate.vector import Vector, flipped, vector
from protocol.generate.vectors_session import faults_of, session_vector, three_seats
from protocol.generate.wire import DRAW_DECK_TRACK, Envelope, first_head

FIRST, TWO, NEWCOMER = "a session of 3", "two go on", "a newcomer comes, and the host leaves in the deal"
HOSTLESS, UNDEALT = "two go on without the host", "a newcomer comes, and the host is lost before the hands are dealt"


@cache
def two() -> Tempted:
    """Two go on to the end."""
    tempted = Tempted(Simulation("two go on", 2, three_seats().simulation))
    sim = tempted.simulation
    sim.watch = partial(_look, tempted)
    sim.run()
    return tempted


def _look(tempted: Tempted, track: Track, honest: list[Envelope]) -> None:
    """What the second of two could say that holds at other tables only."""
    sim = tempted.simulation
    session = sim.session
    if (track.number, track.step) == (5, 0):
        _of_another_table(tempted, honest[1])
    if (track.number, track.step) == (6, 0):
        alone = first_head(session.table, 6, [session.heads[5]])
        tempted.add("a deal that builds on its deck alone", "history-differs", honest[0],
                    replace(honest[1], head=alone).sealed(sim.seeds[CHEATER]), seat=None, step=track.label)  # fmt: skip
    if track.number == 6 and session.deal is not None and session.deal.turn is None:
        pairs = zip(session.deal.balances, three_seats().simulation.session.balances, strict=False)
        body = message("receipt", [100 + now - begun for now, begun in pairs], list(session.deal.pools))
        tempted.instead("a receipt as though all had begun with 100", "receipt-differs", track, honest, body)


def _of_another_table(tempted: Tempted, ours: Envelope) -> None:
    """What was at the table before, or is too far ahead, when the first deck is made."""
    sim = tempted.simulation
    for number, what, code, step in (
        (DRAW_DECK_TRACK, "a deck of a draw", "out-of-turn", "draw deck/0"),
        (3, "the deck of a deal at the table before", "out-of-turn", "deck 1/0"),
        (10, "a deal that nobody can have reached", None, ""),
    ):
        head = first_head(sim.session.table, number, [])
        said = Envelope(sim.session.table, number, 0, CHEATER, head, message("key-commit", bytes(32)))
        tempted.add(what, code, said.sealed(sim.seeds[CHEATER]), step=step)
    before = three_seats().simulation.seeds[2]
    tempted.add("signed by who has been lost", "bad-signature", ours.sealed(before), seat=None)


@cache
def newcomer() -> Simulation:
    """Three go on; the host says goodbye in the deal, which is played out."""
    sim = Simulation("a newcomer comes", 3, three_seats().simulation)
    sim.run(lambda session: session.deal is not None and session.deal.phase == "play")
    for _ in range(5):
        sim.step()
    sim.lose(0, goodbye=True)
    sim.run()
    return sim


@cache
def hostless() -> Simulation:
    """The two of these go on: a seat of the first table, who hosts now, and the newcomer."""
    sim = Simulation("two go on without the host", 2, newcomer())
    sim.run()
    return sim


@cache
def undealt() -> Simulation:
    """Three go on; the host is lost while their first deck is made."""
    sim = Simulation("a newcomer comes for a moment", 3, three_seats().simulation)
    sim.run(lambda session: 5 in session.tracks and session.tracks[5].step == 3)
    sim.lose(0)
    return sim


def sessions() -> list[Vector]:
    """Each with the name of the session that it goes on with."""
    return [
        session_vector(TWO, two().simulation, before=FIRST),
        session_vector(NEWCOMER, newcomer(), before=FIRST),
        session_vector(HOSTLESS, hostless(), before=NEWCOMER),
        session_vector(UNDEALT, undealt(), before=FIRST),
    ]


def faults() -> list[Vector]:
    """Of two who go on."""
    return faults_of(TWO, two())


# Proposals


def proposals() -> list[Vector]:
    """After the session named: what its host proposes next, and what he could propose to help himself."""
    first, later = three_seats().simulation, undealt()
    found = []
    for name, session, before, new, seat in (
        ("two", FIRST, first, two().simulation, 1),
        ("three", FIRST, first, newcomer(), 1),
        ("two without the host", NEWCOMER, newcomer(), hostless(), 1),
        ("two, nothing dealt", UNDEALT, later, Simulation("two of them", 2, later), 1),
        ("three, nothing dealt", UNDEALT, later, Simulation("three of them", 3, later), 1),
    ):
        for what, data in [("goes on", new.proposal), *_wrong(new)]:
            code = None if what == "goes on" else "not-continued"
            given = {"before": session, "seat": seat, "seed": new.seeds[seat], "draw": f"{new.label} nonce {seat}"}
            found.append(vector(f"{name}: {what}", partial(Session, data, before.session), code, **given, hex=data))
    return found


def _wrong(sim: Simulation) -> Iterator[tuple[str, bytes]]:
    _, (version, nonce, chairs, rules, (told,)) = read_frame(sim.proposal)

    def offer(continues: list[Any], seats: list[Any] = chairs) -> bytes:
        return frame("proposal", version, nonce, seats, rules, continues)

    def changed(place: int, value: Any) -> bytes:
        return offer([[*told[:place], value, *told[place + 1 :]]])

    _, head, number, dealer, balances, carry, doubled = told
    yield "another table", changed(0, flipped(told[0], 0))
    yield "another head", changed(1, flipped(head, -1))
    yield "the deal that was played last", changed(2, number - 1)
    yield "another dealer", changed(3, (dealer + 1) % sim.session.seats)
    yield "a jeton more for the host", changed(4, [balances[0] + 1, balances[1] - 1, *balances[2:]])
    yield "a jeton in a pool", changed(5, [carry[0] + 1, *carry[1:]])
    yield "a doubled stake", changed(6, [] if doubled else [1])
    if sim.session.seats == 3:
        yield "begins anew", offer([])
        yield "guests who have changed places", offer([told], [chairs[0], chairs[2], chairs[1]])
