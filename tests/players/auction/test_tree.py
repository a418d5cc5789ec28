"""The small auction is a part of the real one."""

from __future__ import annotations

from random import Random

import pytest

from hocp2p.game.actions import Stake
from hocp2p.game.house import DEFAULT_RULES
from hocp2p.players.auction.tree import (
    ALONE,
    DECLARE,
    GOOD,
    PASS,
    PASSED,
    SHOWDOWN,
    STAY,
    Node,
    Word,
    build,
    menu_of,
)
from hocp2p.players.engine import codes, stakes
from hocp2p.players.engine.house import NOT_IN, House
from hocp2p.players.engine.places import NOBODY


def at(stake: Stake, seats: int) -> stakes.Stakes:
    """The auction of a stake in the engine; the cards count for nothing here."""
    engine = stakes.Stakes(House.of(DEFAULT_RULES, seats), [0] * seats)
    while engine.stake != stake:
        engine.apply(codes.PASS)
    return engine


def say(engine: stakes.Stakes, word: Word) -> None:
    """Says a word; a stay announces the lowest class where one is due, since in the small auction it says nothing."""
    first = engine.announced[engine.turn] == NOT_IN
    number = word.announced if first or word.announced > engine.announced[engine.turn] else 0
    if word.kind == PASS:
        action = codes.PASS
    elif word.kind == GOOD:
        action = codes.GOOD
    elif word.kind == DECLARE:
        action = codes.DECLARE + number
    elif word.kind == STAY:
        action = codes.STAY + (1 if first and engine.stake else 0)
    else:
        action = codes.RAISE + codes.CLASSES * word.by + number
    assert action in engine.legal()
    engine.apply(action)


def path_to(nodes: tuple[Node, ...], number: int) -> list[Word]:
    """The words that lead to a node."""
    words: list[Word] = []
    while nodes[number].parent != NOBODY:
        node = nodes[number]
        words.insert(0, nodes[node.parent].words[node.slot])
        number = node.parent
    return words


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("stake", Stake)
def test_every_moment_is_one_of_the_engine(seats: int, stake: Stake) -> None:
    nodes = build(menu_of(seats, stake))
    for number in Random(5).sample(range(len(nodes)), 300):
        node, engine = nodes[number], at(stake, seats)
        for word in path_to(nodes, number):
            say(engine, word)
        if node.turn != NOBODY:
            assert (engine.phase, engine.stake, engine.turn) == (stakes.AUCTION, stake, node.turn)
            now = (engine.opened, engine.level, tuple(engine.paid), engine.spoken, engine.out)
            assert now == (node.opened, node.level, node.paid, node.spoken, node.out)
        elif node.end == SHOWDOWN:
            assert engine.passed >> stake & 1 == 0
            assert node.inside.bit_count() > 1
        elif node.end == PASSED:
            assert engine.passed >> stake & 1
        else:
            assert node.end == ALONE
            assert stake is Stake.POINT or engine.phase == stakes.SHOW


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("stake", Stake)
def test_who_is_left_alone_has_announced(seats: int, stake: Stake) -> None:
    """So that the class of a stay counts for nothing."""
    menu = menu_of(seats, stake)
    alone = [node for node in build(menu) if node.turn == NOBODY and node.end == ALONE]
    assert alone
    assert all(node.announced[node.inside.bit_length() - 1] in (menu.classes or (0,)) for node in alone)


def test_nodes_stand_before_those_that_follow() -> None:
    nodes = build(menu_of(3, Stake.SEQUENCE))
    for number, node in enumerate(nodes):
        for slot in range(len(node.words)):
            assert node.first + slot > number
            assert (nodes[node.first + slot].parent, nodes[node.first + slot].slot) == (number, slot)
