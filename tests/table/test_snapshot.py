"""The outsider's picture: frozen to its last part, and nowhere in it anything that this seat may not know."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

import pytest

from hocp2p.crypto.deck import MentalPoker, MentalPokerSession
from hocp2p.crypto.identity import Identity
from hocp2p.crypto.scheme import DealScheme
from hocp2p.game.cards import Card, card_of
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.table import events, snapshot
from hocp2p.table.events import CardDrawn, DealSigned
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.table.table import Table
from tests.support.insecure_scheme import InsecureSession
from tests.support.tables import StarTable

PLAIN = (str, int, bool, type(None), Enum, Card)
"""What a picture may be made of in the end: no bytes but identity keys, since seeds, shares and proofs are bytes."""
SECRET_KEEPERS = (Identity, InsecureSession, MentalPokerSession, Table)


def parts_of(thing: object) -> Iterator[object]:
    """What a thing is made of, one level down, by whatever way Python keeps it."""
    if isinstance(thing, (*PLAIN, type)):
        return
    if isinstance(thing, Mapping):
        yield from thing.keys()
        yield from thing.values()
    elif isinstance(thing, (tuple, list, set, frozenset)):
        yield from thing
    for kind in type(thing).__mro__:
        for slot in getattr(kind, "__slots__", ()):
            if hasattr(thing, slot):
                yield getattr(thing, slot)
    yield from getattr(thing, "__dict__", {}).values()
    yield from getattr(thing, "__closure__", None) or ()
    if hasattr(thing, "cell_contents"):
        yield thing.cell_contents
    if hasattr(thing, "__self__"):
        yield thing.__self__


def reached(thing: object, *, but: type | tuple[type, ...] = ()) -> list[object]:
    """Everything that can be reached from ``thing``, except through things of the types ``but``."""
    found: dict[int, object] = {}
    waiting = [thing]
    while waiting:
        each = waiting.pop()
        if id(each) in found or isinstance(each, but):
            continue
        found[id(each)] = each
        waiting.extend(parts_of(each))
    return list(found.values())


def identities(table: StarTable) -> set[bytes]:
    """The only bytes that a picture may hold: who sits there, and nothing for a free chair."""
    return {b"", *(me.identity.public for me in table.mine)}


def moments(table: StarTable, every: int = 7) -> Iterator[list[TableSnapshot]]:
    """The pictures of all seats whenever so many things have happened, and at the end."""
    moving = True
    while moving:
        yield [peer.snapshot() for peer in table.peers]
        moving = all(table.step() for _ in range(every))
    yield [peer.snapshot() for peer in table.peers]


def asleep(table: StarTable, seat: int) -> set[Card]:
    """The sleeping faces of the deal that a seat is in: they can be read from the insecure scheme only."""
    peer = table.peers[seat]
    assert peer.table is not None
    deal = peer.table.course.deal
    assert deal is not None
    session: Any = deal.session
    dealt = {position for hand in deal.state.dealt for position in hand}
    return {card_of(face) for position, face in enumerate(session._deck) if position not in dealt}


# -- frozen ---------------------------------------------------------------------------------------------------------


def test_every_picture_is_frozen() -> None:
    for each in (*vars(snapshot).values(), *vars(events).values()):
        if dataclasses.is_dataclass(each) and isinstance(each, type):
            assert each.__dataclass_params__.frozen, each  # type: ignore[attr-defined] # there, but not typed


def test_nothing_in_a_picture_can_be_changed_or_called() -> None:
    table = StarTable(3, Rules(deals=3), 3, "novice")
    for pictures in moments(table, 60):
        for picture in pictures:
            for each in reached(picture):
                frozen = getattr(type(each), "__dataclass_params__", None)
                known = isinstance(each, (*PLAIN, tuple, frozenset, dict)) or (
                    isinstance(each, bytes) and each in identities(table)
                )
                assert known or (frozen is not None and frozen.frozen), type(each)


def test_a_picture_does_not_change_when_the_game_goes_on() -> None:
    table = StarTable(3, Rules(deals=3), 3, "novice")
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    before = [peer.snapshot() for peer in table.peers]
    written = [repr(picture) for picture in before]
    table.run()
    assert [repr(picture) for picture in before] == written
    assert [peer.snapshot() for peer in table.peers] != before


# -- secrets --------------------------------------------------------------------------------------------------------


def test_the_walk_finds_what_is_there() -> None:
    """From the peer itself all secrets can be reached: the tests below could fail."""
    table = StarTable(3, Rules(deals=3), 3)
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    found = reached(table.peers[1])
    assert {type(each) for each in found} >= {Identity, InsecureSession, Table}
    assert any(isinstance(each, bytes) for each in found)


@pytest.mark.parametrize("scheme", [None, MentalPoker()])
def test_no_key_no_seed_no_bytes(scheme: DealScheme | None) -> None:
    """At every moment of a session, nothing that keeps a secret can be reached, nor bytes but the public keys."""
    table = StarTable(2, Rules(deals=2), 3, "novice", scheme=scheme)
    seeds = {form for peer in table.peers for form in (peer.me.identity.seed().hex(), str(peer.me.identity.seed()))}
    stages = set()
    for pictures in moments(table, 5):
        stages |= {picture.stage for picture in pictures}
        for picture in pictures:
            found = reached(picture)
            assert not any(isinstance(each, (bytearray, memoryview, *SECRET_KEEPERS)) for each in found)
            assert {each for each in found if isinstance(each, bytes)} <= identities(table)
            assert [each for each in found if callable(each)] == []
            texts = [each for each in found if isinstance(each, str)]
            assert not any(seed in text for seed in seeds for text in texts)
            assert all(abs(each) < 2**20 for each in found if isinstance(each, int))  # no scalar, either
    assert stages == set(Stage) - {Stage.STOPPED}


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", [0, 2, 5])
def test_no_face_that_is_not_ours_or_open(seats: int, seed: int) -> None:
    """From the first share to the receipts of the first deal, and after them. The draw has a deck of its own."""
    table = StarTable(seats, Rules(deals=seats), seed, "novice")
    table.run(lambda: all(peer.table is not None and peer.table.agreed for peer in table.peers))
    table.ready_for_next = False
    phases = set()
    known: list[set[Card]] = [set()] * seats  # by seat, what it has seen of the deal
    for pictures in moments(table):
        for seat, picture in enumerate(pictures):
            cards = {each for each in reached(picture, but=CardDrawn) if isinstance(each, Card)}
            if picture.view is not None:
                phases.add(picture.view.state.phase)
                own = set(picture.view.own.values())
                assert set(picture.view.own) == set(picture.view.state.dealt[seat])
                assert own <= cards
                known[seat] = own | {card for _, card in picture.view.state.opened}
                assert not cards & asleep(table, seat)
            for finished in picture.finished:
                known[seat] = known[seat] | {card for _, card in finished.state.opened}
            assert cards <= known[seat]
    assert phases >= {Phase.AUCTION, Phase.BLANCHE, Phase.PLAY}
    assert all(any(isinstance(event, DealSigned) for event in events) for events in table.events)


def test_a_finished_deal_keeps_what_was_open_and_no_more() -> None:
    table = StarTable(3, Rules(deals=3), 3, "novice")
    table.run()
    for peer in table.peers:
        for finished in peer.snapshot().finished:
            cards = {each for each in reached(finished) if isinstance(each, Card)}
            assert cards == {card for _, card in finished.state.opened}


def test_the_pictures_of_all_seats_differ_only_in_what_each_may_know() -> None:
    table = StarTable(3, Rules(deals=3), 3, "novice")
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    table.paused.update(range(3))
    table.run()
    pictures = [peer.snapshot() for peer in table.peers]
    hands = [picture.view.own for picture in pictures if picture.view is not None]
    assert len(hands) == 3
    assert len({card for hand in hands for card in hand.values()}) == 36
    blank = [
        dataclasses.replace(
            picture, view=None, legal=(), events=(), our_seat=None, hosting=False, address="", may_give_up=frozenset()
        )
        for picture in pictures
    ]
    assert [picture.may_give_up for picture in pictures] == [{1, 2}, {0, 2}, {0, 1}]
    assert blank[0] == blank[1] == blank[2]
