"""Host, guest and bot as processes of their own, and the check that says whether they agree."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.support.three_processes import agreed_balances, play


@pytest.mark.sockets
@pytest.mark.slow
def test_three_processes_play_a_session_and_agree() -> None:
    assert sum(play(sys.executable, deals=3)) == 300


@pytest.mark.parametrize(
    "last",
    [
        [{"event": "session_ended", "net": [1, 0, -1]}] * 2 + [{"event": "session_ended", "net": [0, 0, 0]}],
        [{"event": "session_ended", "net": [1, 0, 0]}] * 3,
        [{"event": "session_ended", "net": [1, -1]}] * 3,
        [{"event": "table_stopped", "code": "seat-lost"}] * 3,
    ],
)
def test_the_check_sees_what_is_wrong(last: list[dict[str, Any]]) -> None:
    with pytest.raises(AssertionError):
        agreed_balances(last)
