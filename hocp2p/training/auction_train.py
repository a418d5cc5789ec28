"""Makes the auction tables: deals are sampled, buckets made of them, every stake solved."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from hocp2p.game.actions import Stake
from hocp2p.game.house import ANTE
from hocp2p.players.auction.buckets import figures
from hocp2p.players.auction.tables import FACTORS, Table, Tables
from hocp2p.players.auction.tree import menu_of
from hocp2p.training.auction_cfr import AuctionGame, Solver
from hocp2p.training.auction_chance import count_chances, deal_hands, make_buckets

DEALS: Final = 400_000
ITERATIONS: Final[Mapping[int, tuple[int, ...]]] = {
    2: (20, 50, 100, 200, 400, 700, 1000, 1400, 2000),
    3: (20, 50, 100, 200, 350, 500, 700),
}
"""By seats, after how many iterations NashConv is taken; the last is the end."""

Progress = Callable[[str], None]


def train_auction(
    seats: int,
    out_dir: Path,
    seed: int,
    progress: Progress,
    *,
    deals: int = DEALS,
    iterations: tuple[int, ...] | None = None,
) -> Path:
    """Solves the auctions for 2 or 3 seats and writes ``auctionN.npz`` and, for a plot, ``auctionN.json``.

    Args:
        seats: 2 or 3.
        out_dir: a folder that exists.
        seed: of the sampled deals; everything else is reckoned.
        progress: is told a line now and then.
        deals: how many are sampled.
        iterations: after how many NashConv is taken, ascending; ``ITERATIONS`` if None.

    Returns:
        the file of the tables. Beside it, by stake and factor of the payments: ``curve``, pairs of iterations and
        NashConv in jetons; ``gains``, what a best response would gain by place; ``worth``, what each place expects
        after the antes; ``buckets``, how many.
    """
    hands = deal_hands(seats, deals, np.random.default_rng(seed))
    tables: dict[tuple[Stake, int], Table] = {}
    report: dict[str, dict[str, object]] = {}
    for stake in Stake:
        strengths, payments = figures(stake, hands)
        buckets = make_buckets(seats, stake, strengths.ravel(), payments.ravel())
        for factor in FACTORS:
            menu, pool = menu_of(seats, stake), ANTE * seats * factor
            chance = count_chances(menu, stake, buckets, strengths, payments, factor)
            game = AuctionGame(menu, chance, pool)
            solver, curve = Solver(game), []
            for until in iterations or ITERATIONS[seats]:
                solver.run(until - solver.iterations)
                strategy = solver.average()
                curve.append((until, round(sum(game.gains(strategy)), 5)))
                progress(f"{seats} seats, {stake.name.lower()} x{factor}: {until} iterations, NashConv {curve[-1][1]}")
            shares = chance.joint.sum(axis=tuple(range(1, seats)))
            tables[stake, factor] = Table(menu, buckets, shares, strategy, pool)
            report[f"{stake.name.lower()} x{factor}"] = {
                "curve": curve,
                "gains": [round(gain, 5) for gain in game.gains(strategy)],
                "worth": [round(worth, 4) for worth in game.worth(strategy)],
                "buckets": buckets.count,
            }
    by_pips, nothing = figures(Stake.POINT, hands, by_pips=True)
    path = out_dir / f"auction{seats}.npz"
    Tables(seats, tables, make_buckets(seats, Stake.POINT, by_pips.ravel(), nothing.ravel())).save(path)
    path.with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return path
