"""How learning went, as it is kept beside the weights in ``learning.json``, and read again for a plot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hocp2p.errors import LocalError
from hocp2p.training.play_train import Measure

FILE_NAME: Final = "learning.json"

Learning = dict[str, dict[str, Any]]
"""By name of the task (``play2``, ``auction3`` ...), what its training has told and the seed."""


@dataclass(frozen=True, slots=True)
class PlayCurve:
    """Of the net for so many seats."""

    seats: int
    points: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class AuctionCurve:
    """Of one table of a stake.

    Args:
        seats: 2 or 3.
        stake: its name.
        factor: of the payments, 1 or 2.
        points: iterations, and NashConv in jetons after them.
    """

    seats: int
    stake: str
    factor: int
    points: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """All that can be drawn; at least one."""

    play: tuple[PlayCurve, ...]
    auctions: tuple[AuctionCurve, ...]


def read_learning(path: Path) -> Learning:
    """Reads what was written; :func:`curves_of` tells whether it is right.

    Raises:
        LocalError: ``bad-learning``: the file cannot be read, or is no such JSON.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LocalError("bad-learning", f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise _not_ours(path) from error
    if not isinstance(found, dict) or not all(isinstance(value, dict) for value in found.values()):
        raise _not_ours(path)
    curves_of(found, path)
    return found


def curves_of(learning: Mapping[str, Mapping[str, Any]], path: Path) -> Curves:
    """The curves in it.

    Args:
        learning: by name of the task.
        path: named in the error.

    Raises:
        LocalError: ``bad-learning``: something is missing in it, or is no number where one must be.
    """
    play: list[PlayCurve] = []
    auctions: list[AuctionCurve] = []
    try:
        for told in learning.values():
            seats = int(told["seats"])
            if "stakes" not in told:
                play.append(PlayCurve(seats, tuple(map(_measure, told["curve"]))))
                continue
            for name, table in told["stakes"].items():
                stake, _, factor = name.rpartition(" x")
                pairs = tuple((int(iterations), float(nash_conv)) for iterations, nash_conv in table["curve"])
                auctions.append(AuctionCurve(seats, stake, int(factor), pairs))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _not_ours(path) from error
    counts = [*(len(curve.points) for curve in play), *(len(curve.points) for curve in auctions)]
    if not counts or not all(counts):
        raise _not_ours(path)
    return Curves(tuple(play), tuple(auctions))


def _measure(point: Mapping[str, Any]) -> Measure:
    return Measure(int(point["games"]), *(float(point[name]) for name in ("error", "score", "half_width")))


def _not_ours(path: Path) -> LocalError:
    return LocalError("bad-learning", f"{path} is no file of learning curves that hocp2p train has written")
