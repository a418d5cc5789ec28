"""How long an answer of ours takes, where no person gives it: one distribution for all of them."""

from __future__ import annotations

from math import exp, log
from random import Random
from typing import Final

ANSWER_S: Final = 1.5  # half of all answers take less
SPREAD: Final = 0.35  # standard deviation of the logarithm
MOST: Final = 2.0  # no answer takes more than so many times the median, nor less than the median divided by it


def answer_delay_s(rng: Random, median_s: float = ANSWER_S) -> float:
    """Seconds until an answer goes out: log-normal about ``median_s``, held between half and twice of it.

    It is the same for every kind of answer, so that the time tells nothing about what could have been answered.
    One number is drawn from ``rng`` whatever ``median_s`` is; 0 gives 0.
    """
    return median_s * exp(max(-log(MOST), min(rng.gauss(0.0, SPREAD), log(MOST))))
