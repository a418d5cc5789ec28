"""Training that is over at once, and good for nothing else."""

from __future__ import annotations

from hocp2p.training.play_train import Plan
from hocp2p.training.tasks import Sizes

TINY = Sizes(
    Plan(
        hidden=(8, 4),
        games=20,
        round_games=10,
        samples=64,
        measures=2,
        measured_deals=2,
        candidates=2,
        final_deals=2,
    ),
    deals=300,
    iterations=(1, 2),
)
