"""How many random deals the engine plays in a second, on one core: ``python -m tests.players.engine.speed``."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from random import Random
from typing import Final

from hocp2p.game.house import DEFAULT_RULES
from hocp2p.players.engine.chance import finish, finish_by_card, play_out, random_deal, random_play
from hocp2p.players.engine.house import House

ROUNDS: Final = 5


def per_second(run: Callable[[], object], times: int) -> float:
    """The best of some rounds, since other work only slows us down."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(times):
            run()
        best = max(best, times / (time.perf_counter() - start))
    return best


def measure(times: int) -> dict[str, float]:
    """Per second and core: whole deals, shuffled and settled, played by class or by card; the play alone; copies."""
    return {
        f"{what}_a_s_{seats}": per_second(run, times)
        for seats in (2, 3)
        for what, run in _works(House.of(DEFAULT_RULES, seats)).items()
    }


def _works(house: House) -> dict[str, Callable[[], object]]:
    rng = Random(1)
    deal, play = random_deal(house, rng), random_play(house, rng)

    def whole() -> None:
        fresh = random_deal(house, rng)
        finish(fresh, rng)
        fresh.settle()

    def by_card() -> None:
        fresh = random_deal(house, rng)
        finish_by_card(fresh, rng)
        fresh.settle()

    def rollout() -> None:
        again = play.copy()
        play_out(again, rng)
        again.net()

    return {"deals": whole, "deals_by_card": by_card, "rollouts": rollout, "copies": deal.copy}


def main() -> None:
    """Prints the figures as one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=5000, help="in each of five rounds")
    print(json.dumps({name: round(figure) for name, figure in measure(parser.parse_args().deals).items()}))  # noqa: T201 # the command's output


if __name__ == "__main__":
    main()
