"""The auction of one stake made small: few raises, few of them in a row, so that it can be solved (RULES 2).

Who contests is what matters for the end; of the announced classes only that of the last one to open or raise does,
since nobody else can be left alone. So in this game a raise announces any class, a declaration the highest one, and a
stay nothing. Places are as in :mod:`hocp2p.players.engine.places`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, NamedTuple

from hocp2p.game.actions import Stake
from hocp2p.players.engine.places import NOBODY

PASS, DECLARE, GOOD, STAY, RAISE = range(5)
"""Kinds of words."""

PASSED, ALONE, SHOWDOWN = range(3)
"""How an auction ends."""


class Word(NamedTuple):
    """What a place says.

    Args:
        kind: ``PASS`` to ``RAISE``.
        by: jetons of a raise.
        announced: a class number, 0 for none.
    """

    kind: int
    by: int = 0
    announced: int = 0


@dataclass(frozen=True, slots=True)
class Menu:
    """What may be said.

    Args:
        seats: 2 or 3.
        classes: class numbers that may be announced, ascending; empty for Point.
        raises: by number of raises before, the jetons of a raise; no raise after the last entry.
    """

    seats: int
    classes: tuple[int, ...]
    raises: tuple[tuple[int, ...], ...]


RAISES: Final = {2: ((1, 2, 5, 10, 20), (5, 20), (20,)), 3: ((2, 6, 20), (6, 20))}
"""By seats: what :class:`Menu` calls ``raises``."""

CLASSES: Final = {2: ((), (1, 2, 3), (1, 2)), 3: ((), (1, 3), (1, 2))}
"""By seats and stake: what :class:`Menu` calls ``classes``. Of three, the quart is left out."""


def menu_of(seats: int, stake: Stake) -> Menu:
    """The menu for which the tables are made."""
    return Menu(seats, CLASSES[seats][stake], RAISES[seats])


@dataclass(frozen=True, slots=True)
class Node:
    """A moment of the auction. Tuples are by place.

    Args:
        turn: who speaks; ``NOBODY`` when the auction has ended.
        opened: whether somebody has.
        level, paid: jetons to match, jetons put in beyond the ante.
        spoken, out, entered: places that have spoken since the last raise, said *good*, put themselves in.
        announced: the class announced with a raise or declaration; 0 for none.
        raises: how many there were.
        parent: number of the node before; ``NOBODY`` for the first.
        slot: which of the parent's words led here.
        words: what may be said.
        first: number of the node after the first word; those after the other words follow.
    """

    turn: int
    opened: bool
    level: int
    paid: tuple[int, ...]
    spoken: int
    out: int
    entered: int
    announced: tuple[int, ...]
    raises: int
    parent: int
    slot: int
    words: tuple[Word, ...]
    first: int

    @property
    def inside(self) -> int:
        """Places that have not said *good*."""
        return ~self.out & (1 << len(self.paid)) - 1

    @property
    def end(self) -> int:
        """How the auction has ended; only where ``turn`` is ``NOBODY``."""
        if not self.inside & self.inside - 1:
            return ALONE
        return SHOWDOWN if self.opened else PASSED


@cache
def build(menu: Menu) -> tuple[Node, ...]:
    """All moments, each before those that follow it; the first is the beginning."""
    none = (0,) * menu.seats
    begin = Node(0, False, 0, none, 0, 0, 0, none, 0, NOBODY, 0, (), 0)
    waiting = [begin]
    nodes: list[Node] = []
    for number, node in enumerate(_growing(waiting)):
        words = tuple(_words(menu, node)) if node.turn != NOBODY else ()
        nodes.append(replace(node, words=words, first=len(waiting)))
        waiting += [_after(node, word, number, slot) for slot, word in enumerate(words)]
    return tuple(nodes)


def _growing(waiting: list[Node]) -> Iterator[Node]:
    number = 0
    while number < len(waiting):
        yield waiting[number]
        number += 1


def _words(menu: Menu, node: Node) -> Iterator[Word]:
    before = node.announced[node.turn]
    if node.opened:
        yield Word(GOOD)
        yield Word(STAY)
    else:
        yield Word(PASS)
        yield Word(DECLARE, 0, max(menu.classes, default=0))
    if node.raises < len(menu.raises):
        classes = (before,) if before else menu.classes or (0,)
        for by in menu.raises[node.raises]:
            for announced in classes:
                yield Word(RAISE, by, announced)


def _after(node: Node, word: Word, parent: int, slot: int) -> Node:
    turn, bit = node.turn, 1 << node.turn
    opened, level, paid, announced = node.opened, node.level, node.paid, node.announced
    spoken, out, entered, raises = node.spoken | bit, node.out, node.entered, node.raises
    if word.kind == GOOD:
        out |= bit
    elif word.kind != PASS:
        if word.kind != STAY:
            opened, spoken, level = True, bit, level + word.by
            announced = _set(announced, turn, word.announced)
        raises += word.kind == RAISE
        paid = _set(paid, turn, level)
        entered |= bit
    seats = len(paid)
    inside = ~out & (1 << seats) - 1
    order = [(turn + step) % seats for step in range(1, seats)]
    waiting = [place for place in order if inside & ~spoken & 1 << place]
    following = waiting[0] if waiting and inside & inside - 1 else NOBODY
    return Node(following, opened, level, paid, spoken, out, entered, announced, raises, parent, slot, (), 0)


def _set(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])
