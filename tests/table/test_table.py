"""One table by itself: which envelopes it takes at all, and what it does with those of seats that are gone."""

from __future__ import annotations

import pytest

from hocp2p.errors import CryptoError, LocalError, WireError
from hocp2p.game.events import CardPlayed
from hocp2p.game.house import Rules
from hocp2p.table.asides import TALK_TRACK
from hocp2p.table.effects import Blame, Effect, Notify, Send
from hocp2p.table.events import TableStopped
from hocp2p.table.losing import NO_HEAD
from hocp2p.table.snapshot import Stage
from hocp2p.table.table import Table
from hocp2p.wire.envelope import seal
from hocp2p.wire.frames import Sealed, encode_frame
from hocp2p.wire.messages import Agreement, Message, Talk, UnseenClass, encode_message
from tests.support.tables import HOST, StarTable


def star() -> StarTable:
    """A star at which everybody has the proposal and nobody has signed it."""
    table = StarTable(3, Rules(deals=3), 4, "novice")
    table.paused.update(range(3))
    table.run()
    table.paused.clear()
    return table


def table_of(star: StarTable, seat: int) -> Table:
    table = star.peers[seat].table
    assert table is not None
    return table


def said(star: StarTable, seat: int, message: Message, track: int, step: int, head: bytes = NO_HEAD) -> bytes:
    """An envelope that a seat has really signed."""
    sign = star.peers[seat].me.identity.sign
    return seal(table_of(star, HOST).terms.table, track, step, seat, head, encode_message(message), sign).raw


def blames(effects: list[Effect]) -> list[tuple[int, str]]:
    return [(effect.error.seat, effect.error.code) for effect in effects if isinstance(effect, Blame)]


def test_bytes_that_are_nobodys_are_the_links_fault() -> None:
    table = star()
    host = table_of(table, HOST)
    raw = said(table, 1, Talk("x"), TALK_TRACK, 0)
    for bad, error in ((b"", WireError), (raw[:-1], WireError), (raw[:-1] + bytes([raw[-1] ^ 1]), CryptoError)):
        with pytest.raises(error):
            host.receive(bad)
    assert host.drain() == []
    assert host.stage is Stage.READY


def test_what_is_new_is_passed_on_to_all_other_links_once() -> None:
    """R-035."""
    table = star()
    host = table_of(table, HOST)
    raw = said(table, 1, Talk("x"), TALK_TRACK, 0)
    host.receive(raw, 1)
    assert [effect for effect in host.drain() if isinstance(effect, Send)] == [
        Send(encode_frame(Sealed(raw)), to=None, but=1)
    ]
    host.receive(raw, 2)
    assert host.drain() == []


def test_the_evidence_of_a_fault_is_passed_on_but_a_blamed_seat_cannot_flood_the_others() -> None:
    """R-035."""
    table = star()
    host = table_of(table, HOST)
    first = said(table, 1, Agreement(), 0, 0)
    host.receive(first, 1)
    host.drain()
    second = said(table, 1, Talk("or not"), 0, 0)
    host.receive(second, 1)
    effects = host.drain()
    assert blames(effects) == [(1, "equivocation")]
    evidence = [Send(encode_frame(Sealed(raw))) for raw in (first, second)]
    assert [effect for effect in effects if effect in evidence] == evidence
    host.receive(said(table, 1, Talk("or what"), 0, 0), 1)
    assert host.drain() == []


def test_somebody_with_our_own_key_stops_us() -> None:
    """Two clients run with one identity: that is our own affair, and no other seat's fault."""
    table = star()
    table.perform(1, table.peers[1].ready())
    us = table_of(table, 1)
    us.receive(said(table, 1, Talk("not me"), 0, 0), HOST)
    effects = us.drain()
    assert blames(effects) == []
    assert us.stopped is not None
    assert (us.stopped.code, us.stopped.seat) == ("equivocation", 1)
    assert [effect for effect in effects if isinstance(effect, Notify)] == [Notify(us.stopped)]


def test_an_agreement_is_said_once() -> None:
    table = star()
    table.perform(1, table.peers[1].ready())
    with pytest.raises(LocalError):
        table_of(table, 1).ready()
    assert table_of(table, 1).ready_seats() == {1}


def test_what_a_lost_seat_says_after_the_cut_is_nothing() -> None:
    """It may be long on its way, over whatever link: it neither accuses anybody nor stands in the way."""
    table = star()
    table.run(lambda: any(isinstance(event, CardPlayed) for event in table.events[1]))
    table.paused.update((0, 1))
    table.perform(2, table.peers[2].leave())
    table.run(lambda: all(table_of(table, seat).losses.lost for seat in (0, 1)))
    for seat in (0, 1):
        play = table_of(table, seat).course.play
        assert play is not None
        step = table_of(table, seat).tracks[play].step
        for later in range(step, step + 3):
            table_of(table, seat).receive(said(table, 2, UnseenClass(), play, later))
        assert blames(table_of(table, seat).drain()) == []
    table.paused.clear()
    table.run()
    for seat in (0, 1):
        left = table.peers[seat]._before
        assert left is not None
        assert [finished.state.gone for finished in left.course.finished] == [frozenset({2})]
        assert table.blames[seat] == []


def test_after_a_stop_nothing_is_taken_in() -> None:
    """R-037."""
    table = star()
    host = table_of(table, HOST)
    host.stop(TableStopped("some-code", "it is late"))
    host.drain()
    host.receive(said(table, 1, Talk("x"), TALK_TRACK, 0))
    host.receive(said(table, 1, Agreement(), 0, 0))
    assert host.drain() == []
    host.stop(TableStopped("another-code", "it is later"))
    assert host.stopped == TableStopped("some-code", "it is late")
