"""The measurement of a flood runs to its end; what it finds depends on the machine and is not judged here."""

from __future__ import annotations

import pytest

from hocp2p.session.bench_flood import measure_flood
from hocp2p.session.loop import run_loop

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(120)]


def test_a_tiny_measurement_runs_to_its_end() -> None:
    figures = run_loop(measure_flood(deals=2, rounds=1))
    assert figures.s_a_deal_ratio > 0
    assert figures.cpu_a_deal_ratio > 0
    assert figures.connections_a_s > 0
