"""kill -9 at every own envelope of a host, a guest and a bot: the session ends as if nothing had happened.

The host is killed to the end, guest and bot for a deal and into the next one.
``python -m tests.support.soak --kill-every-step`` leaves nothing out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.dying import RETRY
from tests.support.homes import DYING, HOCP2P, NEVER, free_port, open_homes, verify_ended_equally

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(300)]

DEALS: Final = 2
FACE: Final = ("--autopilot", "novice", "--plain", "--json")
KILLS: Final = {"host": 1000, "guest": 60, "bot": 60}
LIVES: Final = {"host": 80, "guest": 60, "bot": 60}  # more than so many: two for each of twenty envelopes a deal


def count_lives(errors: str) -> int:
    found = re.search(r"^lives (\d+)$", errors, re.MULTILINE)
    assert found is not None, errors
    return int(found[1])


@pytest.mark.parametrize("victim", ["host", "guest", "bot"])
def test_killed_at_every_step(tmp_path: Path, victim: str) -> None:
    port = str(free_port())
    with open_homes(tmp_path, "anna", "bruno") as (anna, bruno):
        table = ("--seats", "2", "--deals", str(DEALS), "--port", port, "--pace", "0", "--open", "--no-lan")
        bruno.env[RETRY] = "0.2"
        dying = (DYING[0], f"every:{KILLS[victim]}")
        host = anna.start("host", *table, *FACE, module=dying if victim == "host" else HOCP2P)
        host.wait_for('"event": "table"')
        if victim == "bot":
            guest = bruno.start("bot", f"127.0.0.1:{port}", "--level", "novice", "--json", module=dying)
        else:
            guest = bruno.start("join", f"127.0.0.1:{port}", *FACE, module=dying if victim == "guest" else NEVER)
        ends = {process: process.wait(240) for process in (host, guest)}
        assert list(ends.values()) == [0, 0], host.errors + guest.errors
        last = [process.events[-1] for process in ends]
        assert last[0] == last[1]
        assert last[0]["event"] == "session_ended"
        verify_ended_equally((anna, bruno), DEALS, seats=2)
        assert count_lives((host if victim == "host" else guest).errors) > LIVES[victim]
