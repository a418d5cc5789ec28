from __future__ import annotations

import asyncio
import logging
import subprocess
import sys

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.rules import legal_actions
from hocp2p.players import advice
from hocp2p.session.hints import HintsPrepared, hint
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


@pytest.mark.parametrize("heavy", ["numpy", "hocp2p.players.reasons", "zeroconf", "segno"])
def test_nobody_waits_for_what_the_first_picture_does_not_need(heavy: str) -> None:
    source = f"import sys, hocp2p.cli.play, hocp2p.ui.screen; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", source], check=False, timeout=60).returncode == 0


def prepared(monkeypatch: pytest.MonkeyPatch, *seats: int, wanted: bool = True, fails: bool = False) -> list[int]:
    """For how many seats what hints need was loaded, when tables of so many had begun one after the other."""
    loaded: list[int] = []

    def prepare(seats: int) -> None:
        loaded.append(seats)
        if fails:
            raise ValueError("broken weights")

    async def begin() -> None:  # whose end waits for the threads
        preparing = HintsPrepared(wanted=wanted)
        for each in seats:
            preparing.begin(each)

    monkeypatch.setattr(advice, "prepare", prepare)
    asyncio.run(begin())
    return loaded


def test_what_hints_need_is_loaded_once_for_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    assert prepared(monkeypatch, 3, 3, 3) == [3]
    assert prepared(monkeypatch, 3, 2, 2) == [3, 2]  # a seat was lost, and the others went on


def test_nothing_is_loaded_where_no_hints_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    assert prepared(monkeypatch, 3, 2, wanted=False) == []


def test_what_cannot_be_loaded_hurts_nobody(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert prepared(monkeypatch, 3, fails=True) == [3]
    assert "hints could not be prepared" in caplog.text


def test_a_hint_says_the_same_after_all_was_prepared() -> None:
    source = """
import asyncio, sys
from hocp2p.session.hints import HintsPrepared, hint
from tests.support.table_sim import dealt, view_of
async def ask():
    state, deck = dealt(["", "", ""])
    if sys.argv[1] == "prepared":
        HintsPrepared(wanted=True).begin(3)
    print(await hint(view_of(state, 0, deck)))
asyncio.run(ask())
"""
    told = [
        subprocess.run([sys.executable, "-c", source, how], check=True, timeout=60, capture_output=True).stdout
        for how in ("prepared", "not")
    ]
    assert told[0] == told[1] != b""
