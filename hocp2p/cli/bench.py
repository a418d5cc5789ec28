"""``hocp2p bench``: how long a deal takes here. The measuring is done by ``session.bench``."""

from __future__ import annotations

import importlib
from collections.abc import Mapping


def bench(flags: Mapping[str, object]) -> int:
    """Runs ``hocp2p.session.bench.run`` with the arguments that follow the command; gives its exit code."""
    run = importlib.import_module("hocp2p.session.bench").run
    return int(run(flags["arguments"]))
