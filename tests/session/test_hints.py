from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.rules import legal_actions
from hocp2p.session.hints import hint
from tests.support.table_sim import dealt, view_of


def test_the_same_view_gives_the_same_hint() -> None:
    state, deck = dealt(["", "", ""])
    view = view_of(state, 0, deck)

    async def ask() -> None:
        first = await hint(view)
        assert first.action in legal_actions(view)
        assert first.reasons
        assert [await hint(view_of(state, 0, deck)) for _ in range(5)] == [first] * 5

    asyncio.run(ask())


def test_no_hint_out_of_turn() -> None:
    state, deck = dealt(["", "", ""])
    with pytest.raises(LocalError) as caught:
        asyncio.run(hint(view_of(state, 1, deck)))
    assert caught.value.code == "not-your-turn"


def test_nobody_waits_for_numpy_before_the_first_hint() -> None:
    source = "import sys, hocp2p.ui.screen; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", source], check=False, timeout=60).returncode == 0
