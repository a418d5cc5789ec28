"""The auction tables: solved strategies as they lie in a file, and the way from a real auction into them.

A file holds, for one number of seats and for every stake, a table for usual and one for doubled payments. It carries a
digest of all that it was made for; another one is refused.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from hocp2p.errors import LocalError
from hocp2p.game.actions import Stake
from hocp2p.game.combinations import RATES
from hocp2p.game.house import ANTE, HAND_SIZE
from hocp2p.players.auction.buckets import Buckets, Floats
from hocp2p.players.auction.tree import Menu, Node, build, menu_of
from hocp2p.players.engine.places import NOBODY

FACTORS: Final = (1, 2)
"""Of the payments: there is a table for each."""

STEPS: Final = 4200
FEW_STEPS: Final = 15
RARELY: Final = 0.003
"""Chances are kept in so many steps; in few where a seat itself comes more rarely, which makes files small and costs
nothing. With a tenth of the steps a best response would gain ten times as much."""

FORMAT: Final = 3

OTHER_CLASS: Final = 0.2
"""How far apart two moments are for another announced class; for jetons it is the difference of logarithms."""

OTHERWISE: Final = 0.05
"""How often a seat is taken to say just anything: it need not think as the tables do."""


class Moment(NamedTuple):
    """A real auction as the tables see it, everything by place; sets of places are bits.

    Args:
        turn: who speaks; ``NOBODY`` when it has ended.
        opened: whether somebody has.
        spoken, out, entered: as in :class:`~hocp2p.players.auction.tree.Node`.
        paid: jetons put in beyond the ante, in the measure of the table.
        announced: class numbers, 0 for none.
    """

    turn: int
    opened: bool
    spoken: int
    out: int
    entered: int
    paid: tuple[float, ...]
    announced: tuple[int, ...]


class Table:
    """The strategy of one stake.

    Args:
        menu: what may be said in it.
        buckets: of the hands.
        shares: by bucket, how often it is dealt.
        strategy: nodes x buckets, as in :mod:`hocp2p.training.auction_cfr`.
        pool: jetons in the pool before any raise.
    """

    def __init__(self, menu: Menu, buckets: Buckets, shares: Floats, strategy: Floats, pool: int) -> None:
        self.menu = menu
        self.nodes = build(menu)
        self.buckets = buckets
        self.shares = shares
        self.strategy = strategy
        self.pool = pool

    @cached_property
    def reaches(self) -> Floats:
        """:meth:`reach` of seats that say just anything for an ``OTHERWISE``."""
        return self.reach(OTHERWISE)

    def reach(self, otherwise: float) -> Floats:
        """Places x nodes x buckets: the chance that the words of a place lead there.

        ``otherwise`` is how often it says any word, and not what the table says.
        """
        found = np.ones((self.menu.seats, *self.strategy.shape))
        for number, node in enumerate(self.nodes):
            if node.parent != NOBODY:
                before = self.nodes[node.parent]
                said = (1 - otherwise) * self.strategy[number] + otherwise / len(before.words)
                found[:, number] = found[:, node.parent]
                found[before.turn, number] *= said
        return found

    @cached_property
    def weights(self) -> Floats:
        """By node, about how often it is come to."""
        found: Floats = (self.reaches @ self.shares).prod(axis=0)
        return found

    def nearest(self, moment: Moment) -> int | None:
        """The node that is like the moment: the same places in and out, jetons and classes as near as can be.

        Of those equally near, it is that which is come to most often.

        None where there is none with the same places.
        """
        like = self._by_places.get((moment.turn, moment.opened, moment.spoken, moment.out, moment.entered))
        if like is None:
            return None
        numbers, logs, announced = like
        distance = np.abs(logs - np.log1p(np.array(moment.paid))).sum(axis=1)
        said = np.array(moment.announced)
        distance += OTHER_CLASS * ((announced != said) & (announced > 0)).sum(axis=1)
        near = np.flatnonzero(distance < distance.min() + 1e-9)
        best = near[np.argmax(self.weights[numbers[near]])]
        return int(numbers[best])

    @cached_property
    def _by_places(self) -> dict[tuple[int, bool, int, int, int], tuple[NDArray[np.int64], Floats, NDArray[np.int64]]]:
        """By what a moment must share with a node: their numbers, logarithms of the jetons, classes."""
        groups: dict[tuple[int, bool, int, int, int], list[int]] = defaultdict(list)
        for number, node in enumerate(self.nodes):
            groups[node.turn, node.opened, node.spoken, node.out, node.entered].append(number)
        return {
            key: (
                np.array(numbers),
                np.log1p(np.array([self.nodes[number].paid for number in numbers], float)),
                np.array([self.nodes[number].announced for number in numbers]),
            )
            for key, numbers in groups.items()
        }


class Tables:
    """All tables for one number of seats: by stake and factor of the payments.

    Args:
        seats: 2 or 3.
        tables: by (stake, factor).
        pips: the buckets of Point under ``point = pips``.
    """

    def __init__(self, seats: int, tables: Mapping[tuple[Stake, int], Table], pips: Buckets) -> None:
        self.seats = seats
        self.pips = pips
        self._tables = tables

    def of(self, stake: Stake, *, doubled: bool) -> Table:
        """The table of a stake."""
        return self._tables[stake, 2 if doubled else 1]

    def save(self, path: Path) -> None:
        """Writes the file."""
        arrays: dict[str, NDArray[np.generic]] = {"digest": _digest_array(self.seats)}
        arrays |= _pack_buckets("pips", self.pips)
        for (stake, factor), table in self._tables.items():
            name = f"{stake.name}{factor}"
            arrays |= _pack_buckets(stake.name, table.buckets)
            arrays[f"{stake.name} shares"] = table.shares
            arrays[name] = _pack(table)
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # numpy types the flag as an array


def rules_digest(seats: int) -> str:
    """What tables depend on, as one word: cards, antes and payments, and what may be said in them."""
    menus = [menu_of(seats, stake) for stake in Stake]
    rates = {combination.name: rate for combination, rate in RATES.items()}
    text = repr((FORMAT, seats, HAND_SIZE[seats], ANTE, rates, menus))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def load_tables(seats: int) -> Tables:
    """The tables that come with the package.

    Raises:
        LocalError: ``other-rules``, ``no-tables``.
    """
    return read_tables(resources.files("hocp2p.players") / "weights" / f"auction{seats}.npz", seats)


def read_tables(path: Traversable, seats: int) -> Tables:
    """The tables in a file.

    Raises:
        LocalError: ``other-rules`` where they were made for others; ``no-tables`` where there are none to be read.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            if "digest" not in arrays or not np.array_equal(arrays["digest"], _digest_array(seats)):
                raise LocalError("other-rules", f"{path.name} holds no auction tables for these rules")
            found = {(stake, factor): _unpack(arrays, seats, stake, factor) for stake in Stake for factor in FACTORS}
            return Tables(seats, found, _unpack_buckets(arrays, "pips"))
    except (OSError, EOFError, ValueError, KeyError, BadZipFile, zlib.error) as error:
        raise LocalError("no-tables", f"{path.name} cannot be read: {error}") from error


def _digest_array(seats: int) -> NDArray[np.uint8]:
    return np.frombuffer(rules_digest(seats).encode(), np.uint8)


def _pack(table: Table) -> NDArray[np.uint16]:
    """Buckets x words, in steps: the chances of all words but the first of each moment, which is what is left."""
    steps = np.rint(table.strategy * STEPS)
    for node, before in zip(table.nodes, table.reach(0).transpose(1, 0, 2), strict=True):
        if node.turn != NOBODY:
            rows, rare = slice(node.first, node.first + len(node.words)), before[node.turn] < RARELY
            steps[rows, rare] = np.rint(table.strategy[rows, rare] * FEW_STEPS) * (STEPS // FEW_STEPS)
    return np.ascontiguousarray(steps[_kept(table.nodes)].T, np.uint16)  # like numbers side by side are packed better


def _kept(nodes: Sequence[Node]) -> list[int]:
    """The numbers of the nodes whose chance is in the file."""
    return [number for number, node in enumerate(nodes) if node.slot > 0]


def _pack_buckets(name: str, buckets: Buckets) -> dict[str, NDArray[np.generic]]:
    return {
        f"{name} edges": buckets.edges,
        f"{name} chances": buckets.chances,
        f"{name} limits": buckets.limits,
        f"{name} firsts": buckets.firsts,
    }


def _unpack_buckets(arrays: Mapping[str, NDArray[np.generic]], name: str) -> Buckets:
    edges, chances = arrays[f"{name} edges"].astype(np.int64), arrays[f"{name} chances"].astype(np.float64)
    limits, firsts = arrays[f"{name} limits"].astype(np.int64), arrays[f"{name} firsts"].astype(np.int64)
    return Buckets(edges, chances, limits, firsts)


def _unpack(arrays: Mapping[str, NDArray[np.generic]], seats: int, stake: Stake, factor: int) -> Table:
    menu = menu_of(seats, stake)
    nodes, kept = build(menu), arrays[f"{stake.name}{factor}"].T.astype(np.float64)
    strategy = np.ones((len(nodes), kept.shape[1]))
    strategy[_kept(nodes)] = kept / STEPS
    for node in nodes:
        if node.turn != NOBODY:
            rows = slice(node.first, node.first + len(node.words))
            strategy[node.first] = np.maximum(0, 1 - strategy[rows][1:].sum(axis=0))
            strategy[rows] /= strategy[rows].sum(axis=0)
    shares = arrays[f"{stake.name} shares"].astype(np.float64)
    return Table(menu, _unpack_buckets(arrays, stake.name), shares, strategy, ANTE * seats * factor)
