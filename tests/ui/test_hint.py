"""Hints: given when they are asked for, gone when something has happened, and never more than words."""

from __future__ import annotations

import asyncio
import json
import sys

import pytest

from hocp2p.players import advice
from hocp2p.session.hints import hint
from hocp2p.table.events import TalkSaid
from hocp2p.ui.advice_words import describe_advice
from hocp2p.ui.line import Manners
from hocp2p.ui.names import seat_names
from hocp2p.ui.screen import ScreenOptions
from tests.support.fake_client import FakeClient
from tests.ui.line_runs import SCRIPT, play, table
from tests.ui.terminal import Terminal, stacked, straight_to_play, terminal

pytestmark = pytest.mark.timeout(60)
posix = pytest.mark.skipif(sys.platform == "win32", reason="a pipe input is POSIX")


def hinted(place: Terminal) -> bool:
    """Whether a hint stands above the prompt."""
    return any(line.startswith(" Hint: ") for line in place.lines[-5:-2])


@posix
def test_a_hint_comes_and_goes_and_does_nothing() -> None:
    async def scenario() -> None:
        client = stacked("play AH", "play 2D", "sans 3")
        straight_to_play(client)
        client.done.clear()
        async with terminal(client) as (place, _):
            before = client.snapshot
            await place.type("i")
            await place.until(lambda: hinted(place))
            assert any("Hint: Play 3♦ (goes on to 9♣)." in line for line in place.lines)
            assert client.snapshot is before and client.done == []
            await place.type("7", "right")  # looking about changes nothing
            assert hinted(place)
            client.hear(TalkSaid(1, "hm"))
            await place.drawn()
            assert hinted(place)
            await place.type("i")
            assert not hinted(place)
            await place.type("i")
            await place.until(lambda: hinted(place))
            await place.type("3", "enter")
            assert len(client.done) == 1 and not hinted(place)

    asyncio.run(scenario())


@posix
def test_no_hint_where_they_are_switched_off_or_it_is_not_our_turn() -> None:
    async def scenario() -> None:
        client = stacked("play AH", "play 2D", "sans 3")
        straight_to_play(client)
        async with terminal(client, options=ScreenOptions(pace_s=0.0, hints=False)) as (place, _):
            assert "i hint" not in place.lines[-1]
            await place.type("i")
            assert "Hints are switched off" in place.lines[-3]
            assert place.screen.local.advice is None
        async with terminal(client) as (place, _):
            assert "i hint" in place.lines[-1]
            client.hear(legal=())
            await place.drawn()
            assert "i hint" not in place.lines[-1]
            await place.type("i")
            assert "It is not your turn" in place.lines[-3]

    asyncio.run(scenario())


@posix
def test_what_hints_need_is_loaded_when_the_game_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[int] = []
    monkeypatch.setattr(advice, "prepare", loaded.append)

    async def scenario(*, hints: bool) -> list[int]:
        loaded.clear()
        client = stacked()
        async with terminal(client, options=ScreenOptions(pace_s=0.0, hints=hints)) as (place, _):
            await asyncio.to_thread(lambda: None)
            assert loaded == []  # the rules of the table are still being read
            await place.type("enter")
            await place.until(lambda: bool(client.snapshot.legal))
        return loaded

    assert asyncio.run(scenario(hints=True)) == [3]
    assert asyncio.run(scenario(hints=False)) == []


def test_in_line_mode_it_is_loaded_for_who_types_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[int] = []
    monkeypatch.setattr(advice, "prepare", loaded.append)
    play(table(), ["ready"], manners=SCRIPT)
    play(table(), ["ready"], manners=Manners(hints=False))
    assert loaded == []
    play(table(), ["ready"], manners=Manners())
    assert loaded == [3]


def words(client: FakeClient) -> str:
    """What the hint for the present picture says."""
    snapshot = client.snapshot
    assert snapshot.view is not None
    return "hint: " + describe_advice(asyncio.run(hint(snapshot.view)), seat_names(snapshot), ascii=True)


def test_a_hint_in_line_mode() -> None:
    expected = table()
    expected.ready()
    client = table()
    told = play(client, ["ready", "hint", "legal"], manners=Manners(patient=True))
    assert told.count(words(expected)) == 1
    at = told.index(words(expected))
    assert told[at - 1] == "> hint"
    assert told[at + 1] == "> legal"  # nothing is done before the hint is there
    assert client.snapshot.view == expected.snapshot.view


def test_a_hint_as_json() -> None:
    told = [json.loads(line) for line in play(table(), ["ready", "hint"], json=True, manners=Manners(patient=True))]
    (reply,) = [each for each in told if each.get("command") == "hint"]
    assert reply["lines"][0].startswith("hint: ")


@pytest.mark.parametrize(
    ("lines", "manners", "reason"),
    [
        (["hint"], Manners(), "it is not your turn"),
        (["ready", "hint"], Manners(patient=True, hints=False), "hints are switched off"),
    ],
)
def test_no_hint_in_line_mode(lines: list[str], manners: Manners, reason: str) -> None:
    assert any(line.startswith(f"no: {reason}") for line in play(table(), lines, manners=manners))


def test_a_script_ends_though_its_last_line_is_a_hint() -> None:
    told = play(table(), ["ready", "hint"], manners=SCRIPT)
    assert any(line.startswith("hint: ") for line in told)


# Forced answers, as the faces have them.


@posix
def test_a_forced_sans_is_said_for_us() -> None:
    async def scenario(options: ScreenOptions, *keys: str) -> int:
        client = stacked("play AH", "play 2D", "sans 3")
        straight_to_play(client)
        async with terminal(client, options=options) as (place, _):
            await place.type(*keys, "h", "enter", "3", "A")
            await place.until(lambda: len(client.done) > 0 and len(client.snapshot.legal) == 1)
            done = len(client.done)
            if place.screen.local.forced:
                await place.until(lambda: len(client.done) > done)
            else:
                await asyncio.sleep(0.1)
            return len(client.done) - done

    assert asyncio.run(scenario(ScreenOptions(pace_s=0.0, auto_sans=True))) > 0
    assert asyncio.run(scenario(ScreenOptions(pace_s=0.0), "f")) > 0


def test_forced_answers_can_be_switched_in_line_mode() -> None:
    told = play(table(), ["ready", "forced", "forced"], manners=Manners(patient=True))
    assert any("is said for you" in line for line in told)
    assert any("left to you" in line for line in told)
