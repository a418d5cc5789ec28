"""What there is to train, piece by piece: the play and the auctions, each at a table of two and of three."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hocp2p.training.auction_train import DEALS, ITERATIONS, train_auction
from hocp2p.training.play_train import DEFAULT_PLAN, Plan, train_play

PLAY: Final = "play"
AUCTIONS: Final = "auctions"
KINDS: Final = (PLAY, AUCTIONS)

TABLES_OF_A_TABLE: Final = 6
"""Three stakes, each plain and doubled."""

Tell = Callable[[float, str], None]
"""Is told what share of a task is done, and a line about it (empty when there is nothing to tell)."""


@dataclass(frozen=True, slots=True)
class Task:
    """One file of weights.

    Args:
        kind: one of ``KINDS``.
        seats: 2 or 3.
    """

    kind: str
    seats: int

    @property
    def name(self) -> str:
        """``play2``, ``auction3`` ..."""
        return f"{self.kind.removesuffix('s')}{self.seats}"

    @property
    def file_name(self) -> str:
        """Of the weights."""
        return f"{self.name}.npz"


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is trained.

    Args:
        plan: of the play.
        deals: that are sampled for the auctions.
        iterations: see ``train_auction``.
    """

    plan: Plan = DEFAULT_PLAN
    deals: int = DEALS
    iterations: tuple[int, ...] | None = None


FULL: Final = Sizes()


def list_tasks(tables: Iterable[int], kinds: Iterable[str] = KINDS) -> tuple[Task, ...]:
    """The tasks for these numbers of seats, kind by kind, of a kind the largest table first: it takes longest."""
    return tuple(Task(kind, seats) for kind in kinds for seats in sorted(tables, reverse=True))


def run_task(task: Task, folder: Path, seed: int, tell: Tell, sizes: Sizes = FULL) -> dict[str, Any]:
    """Trains, and writes the weights.

    Args:
        task: what.
        folder: where; it exists.
        seed: of everything.
        tell: is called now and then.
        sizes: how much.

    Returns:
        What is kept of it in ``learning.json``.
    """
    if task.kind == PLAY:
        train_play(task.seats, folder, seed, lambda done, of, line: tell(done / of, line), sizes.plan)
        return _read(folder / f"{task.name}.json")
    lines = TABLES_OF_A_TABLE * len(sizes.iterations or ITERATIONS[task.seats])
    count = 0

    def count_line(line: str) -> None:
        nonlocal count
        count += 1
        tell(count / lines, line)

    train_auction(task.seats, folder, seed, count_line, deals=sizes.deals, iterations=sizes.iterations)
    return {"seats": task.seats, "seed": seed, "stakes": _read(folder / f"{task.name}.json")}


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
