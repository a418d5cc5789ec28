"""Makes the auction tables: deals are sampled, buckets made of them, every stake solved."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from hocp2p.game.actions import Stake
from hocp2p.game.house import ANTE
from hocp2p.players.auction.buckets import Floats, figures
from hocp2p.players.auction.tables import FACTORS, Table, Tables, read_tables
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
        after the antes; ``buckets``, how many; ``kept``, NashConv of what stands in the file.
    """
    hands = deal_hands(seats, deals, np.random.default_rng(seed))
    tables: dict[tuple[Stake, int], Table] = {}
    games: dict[tuple[Stake, int], AuctionGame] = {}
    report: dict[str, dict[str, object]] = {}
    for stake in Stake:
        strengths, payments = figures(stake, hands)
        buckets = make_buckets(seats, stake, strengths.ravel(), payments.ravel())
        for factor in FACTORS:
            menu, pool = menu_of(seats, stake), ANTE * seats * factor
            chance = count_chances(menu, stake, buckets, strengths, payments, factor)
            game, name = AuctionGame(menu, chance, pool), _name(stake, factor)
            strategy, curve = _solve(game, iterations or ITERATIONS[seats], f"{seats} seats, {name}", progress)
            shares = chance.joint.sum(axis=tuple(range(1, seats)))
            games[stake, factor], tables[stake, factor] = game, Table(menu, buckets, shares, strategy, pool)
            report[name] = {
                "curve": curve,
                "gains": [round(gain, 5) for gain in game.gains(strategy)],
                "worth": [round(worth, 4) for worth in game.worth(strategy)],
                "buckets": buckets.count,
            }
    by_pips, nothing = figures(Stake.POINT, hands, by_pips=True)
    path = out_dir / f"auction{seats}.npz"
    Tables(seats, tables, make_buckets(seats, Stake.POINT, by_pips.ravel(), nothing.ravel())).save(path)
    written = read_tables(path, seats)
    for (stake, factor), game in games.items():
        kept = written.of(stake, doubled=factor > 1).strategy
        report[_name(stake, factor)]["kept"] = round(sum(game.gains(kept)), 5)
    path.with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return path


def _solve(
    game: AuctionGame, iterations: tuple[int, ...], name: str, progress: Progress
) -> tuple[Floats, list[tuple[int, float]]]:
    """The strategy after the last number of ``iterations``; NashConv after each of them."""
    solver, curve = Solver(game), []
    for until in iterations:
        solver.run(until - solver.iterations)
        curve.append((until, round(sum(game.gains(solver.average())), 5)))
        progress(f"{name}: {until} iterations, NashConv {curve[-1][1]}")
    return solver.average(), curve


def _name(stake: Stake, factor: int) -> str:
    return f"{stake.name.lower()} x{factor}"
