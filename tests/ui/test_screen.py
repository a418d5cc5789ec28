"""The full screen in a terminal of memory: whole deals by keys and by mouse, resizing, every way out."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from random import Random

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action, Combination, Declare, Good, Pass, Play, Raise, Sans, Stay
from hocp2p.game.cards import format_rank
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.table.events import TalkSaid
from hocp2p.table.snapshot import Clock
from hocp2p.ui.choices import announced_class, choices
from hocp2p.ui.names import format_card_symbols
from hocp2p.ui.screen import ScreenOptions
from hocp2p.ui.theme import THEMES
from tests.support.fake_client import tame_chooser
from tests.ui.terminal import Recorder, Terminal, stacked, straight_to_play, terminal

pytestmark = [pytest.mark.timeout(90), pytest.mark.skipif(sys.platform == "win32", reason="a pipe input is POSIX")]

CALL_KEYS = {Pass: "p", Declare: "d", Stay: "t", Good: "g", Raise: "r"}


async def by_keys(place: Terminal, action: Action) -> None:
    """Types one action as a player would."""
    snapshot = place.client.snapshot
    view = snapshot.view
    assert view is not None
    if isinstance(action, Play):
        name = format_card_symbols(action.card)
        for _ in range(5):
            await place.type(format_rank(action.card.rank).lower())
            if f"Enter: play {name}" in place.lines[-2]:
                break
        await place.type("enter")
    elif isinstance(action, Sans):
        await place.type("p", "enter")
    elif view.state.phase is Phase.AUCTION:
        await place.type(*(str(action.by) if isinstance(action, Raise) else CALL_KEYS[type(action)]))
        wanted = getattr(action, "announced", None)
        while announced_class(view, snapshot.legal, type(action), place.screen.local) != wanted:
            await place.type("c")
        await place.type(*(("enter", "enter") if isinstance(action, Raise) else ("enter",)))
    else:
        offered = choices(snapshot, place.screen.local)
        await place.type(next(choice.key for choice in offered if choice.action == action), "enter")


async def by_mouse(place: Terminal, action: Action) -> None:
    """Clicks one action."""
    snapshot = place.client.snapshot
    view = snapshot.view
    assert view is not None
    if isinstance(action, Play):
        while f"Enter: play {format_card_symbols(action.card)}" not in place.lines[-2]:
            await place.click(f"card:{action.card}")
        await place.click(f"card:{action.card}")
        return
    key = next(choice.key for choice in choices(snapshot, place.screen.local) if type(choice.action) is type(action))
    if view.state.phase in (Phase.SHOWDOWN, Phase.SHOW, Phase.BLANCHE):
        key = next(choice.key for choice in choices(snapshot, place.screen.local) if choice.action == action)
    if place.can_click(key):
        await place.click(key)
    for _ in range(getattr(action, "by", 1) - 1):
        await place.click("+")
    while getattr(action, "announced", None) != announced_class(view, snapshot.legal, type(action), place.screen.local):
        await place.click("c")
    await place.click("enter")
    if isinstance(action, Raise):
        await place.click("enter")


async def play_out(place: Terminal, rng: Random, do: Callable[[Terminal, Action], Awaitable[None]], enter: str) -> None:
    """A whole session, every action done through the terminal."""
    client = place.client
    assert isinstance(client, Recorder)
    choose = tame_chooser(rng)
    press = place.type if enter == "type" else place.click
    await press("enter")
    wanted: list[Action] = []
    while True:
        if len(place.screen.pacer.shown.finished) > place.screen.local.acked:
            assert "SETTLEMENT" in place.lines[0]
            if client.snapshot.may_show and rng.random() < 0.5:
                await press("h")
                await press("y")
                assert client.snapshot.finished[-1].shown
            await press("enter")
        elif client.snapshot.legal:
            assert client.snapshot.view is not None
            wanted.append(choose(client.snapshot.view, client.snapshot.legal))
            await do(place, wanted[-1])
            assert client.done == wanted
        else:
            break
    assert "END OF THE MATCH" in place.lines[0]


@pytest.mark.parametrize(("seats", "seed"), [(3, 1), (2, 2), (3, 5)])
def test_a_whole_session_by_keys(seats: int, seed: int) -> None:
    async def scenario() -> None:
        client = Recorder(seats=seats, seed=seed, rules=Rules(deals=seats), ask_ready=True)
        async with terminal(client) as (place, task):
            await play_out(place, Random(seed), by_keys, "type")
            assert len(client.done) > 10
            await place.type("enter")
            assert "READY" in place.lines[0]  # another match
            await place.type("enter", "c-q", "y")
            await asyncio.wait_for(task, 10)

    asyncio.run(scenario())


@pytest.mark.parametrize(("seats", "seed"), [(3, 3), (2, 4)])
def test_a_whole_session_by_mouse(seats: int, seed: int) -> None:
    async def scenario() -> None:
        client = Recorder(seats=seats, seed=seed, rules=Rules(deals=seats), ask_ready=True)
        async with terminal(client) as (place, task):
            await play_out(place, Random(seed), by_mouse, "click")
            await place.click("c-q")
            await asyncio.wait_for(task, 10)

    asyncio.run(scenario())


def test_all_that_follow_is_done_one_after_the_other() -> None:
    async def scenario() -> None:
        client = stacked("play AH", "play 2D", "sans 3")
        straight_to_play(client)
        client.done.clear()
        async with terminal(client) as (place, _):
            await place.type("A")
            await place.until(lambda: len(client.done) == 7)
            await place.drawn()
            assert [str(action.card) for action in client.done if isinstance(action, Play)] == [
                *("3D", "4H", "5S", "6S", "7S", "8C", "9C")
            ]
            assert "wants a 10" in place.lines[0]

    asyncio.run(scenario())


def test_keys_that_are_not_legal_change_nothing() -> None:
    async def scenario() -> None:
        client = stacked("play AH", "play 2D", "sans 3")
        straight_to_play(client)
        client.done.clear()
        before = client.snapshot
        async with terminal(client) as (place, _):
            for keys in (("q", "enter"), ("p", "enter"), ("0",), ("d", "g", "enter"), ("y",), ("c-q", "n")):
                await place.type("q", *keys)
                assert client.snapshot is before
            place.send("\x1b[15~\x01\x1a\x1bx\x1b[1;5C")  # F5, ^A, ^Z, Alt-x, Ctrl-right: nothing of ours
            await place.type("7", "enter")
            assert client.snapshot is before
            assert "A 3 is called: 7♠ is neither" in place.lines[-3]
        assert client.done == []

    asyncio.run(scenario())


def test_resizing_in_the_middle_of_a_deal() -> None:
    async def scenario() -> None:
        client = stacked("play AH", "play 2D", "sans 3")
        straight_to_play(client)
        async with terminal(client) as (place, _):
            for cols, rows in ((120, 36), (60, 16), (40, 12), (80, 24)):
                place.resize(cols, rows)
                await place.drawn()
                assert len(place.lines) == rows
            await place.type("enter")
            assert "wants a 4" in place.lines[0]

    asyncio.run(scenario())


def test_the_others_move_at_a_pace_that_space_skips() -> None:
    async def scenario() -> None:
        client = stacked("pass", "pass", "declare, tierce")
        async with terminal(client, options=ScreenOptions(pace_s=600.0)) as (place, _):
            await place.type("enter")
            assert "YOUR TURN" in place.lines[0]  # bot 3 has passed, nothing else waits
            await place.type("p", "enter")
            assert client.snapshot.legal  # the table has not waited
            assert "You pass" in place.lines[-3] and "skip" in place.lines[-2]
            assert "POINT" in place.lines[0] and "YOUR TURN" not in place.lines[0]
            client.done.clear()
            await place.type("d", "enter")  # Enter only skips: nothing is said about what was not seen
            assert client.done == []
            assert "SEQUENCE" in place.lines[0] and "YOUR TURN" in place.lines[0]
            await place.type("t", "enter", "space")
            assert client.done == [Stay(Combination.TIERCE)]

    asyncio.run(scenario())


def test_the_pace_goes_on_by_itself() -> None:
    async def scenario() -> None:
        client = stacked("pass", "pass", "declare, tierce")
        async with terminal(client, options=ScreenOptions(pace_s=0.05)) as (place, _):
            await place.type("enter")
            await place.until(lambda: "YOUR TURN" in place.lines[0])
            assert place.screen.pacer.waiting == 0

    asyncio.run(scenario())


def test_the_settlement_stays_though_the_table_goes_on() -> None:
    async def scenario() -> None:
        client = stacked()
        straight_to_play(client)
        async with terminal(client) as (place, _):
            while not client.snapshot.finished:
                client.act(client.snapshot.legal[0])
            await place.drawn()
            assert client.snapshot.deal == 2
            assert "SETTLEMENT" in place.lines[0]
            assert "next deal waits" in place.lines[-3]
            await place.type("p", "3", "d")
            assert "SETTLEMENT" in place.lines[0]
            await place.type("enter")
            assert place.lines[0].startswith(" Deal 2 of 3")

    asyncio.run(scenario())


def test_what_the_table_refuses_is_told_in_the_status_row() -> None:
    class Refusing(Recorder):
        def act(self, action: Action) -> None:
            raise LocalError("busy", f"the table is busy, no {type(action).__name__.lower()}")

    async def scenario() -> None:
        client = Refusing()
        client.ready()
        async with terminal(client) as (place, _):
            await place.type("t", "p", "enter")
            assert client.snapshot.legal
            assert "The table is busy" in place.lines[-3]

    asyncio.run(scenario())


def test_talk() -> None:
    async def scenario() -> None:
        client = stacked()
        client.ready()
        async with terminal(client) as (place, _):
            await place.type("/", *"good", "space", *"luck")
            place.send("\x1b[200~ to\nall\x1b[201~")
            await place.type("enter")
            assert TalkSaid(0, "good luck to all") in client.snapshot.events
            client.hear(TalkSaid(1, "thanks"))
            await place.until(lambda: "log (1 new)" in place.lines[-1])
            await place.type("l")
            assert any("Bruno: thanks" in line for line in place.lines)
            await place.type("escape")
            assert "new" not in place.lines[-1]

    asyncio.run(scenario())


def test_the_bell_rings_once_for_each_turn() -> None:
    async def scenario() -> None:
        client = stacked("pass", "pass", "pass")
        async with terminal(client) as (place, _):
            await place.type("enter")
            assert place.written.count("\a") == 1
            await place.type("left", "right", "p")
            assert place.written.count("\a") == 1
            await place.type("enter")
            assert place.written.count("\a") == 2
        quiet = stacked()
        async with terminal(quiet, options=ScreenOptions(pace_s=0.0, bell=False)) as (place, _):
            await place.type("enter")
            assert "\a" not in place.written

    asyncio.run(scenario())


def test_the_clock_ticks_while_somebody_is_waited_for() -> None:
    async def scenario() -> None:
        client = stacked()
        client.ready()
        async with terminal(client) as (place, _):
            now_s = asyncio.get_running_loop().time()
            client.hear(clock=Clock(frozenset({0}), now_s, 60.0, (120.0,) * 3))
            await place.until(lambda: "YOUR TURN 1:00" in place.lines[0] or "YOUR TURN 0:59" in place.lines[0])
            await place.until(lambda: "YOUR TURN 0:58" in place.lines[0])
            client.hear(clock=Clock(frozenset({0}), now_s - 90.0, 60.0, (120.0,) * 3))
            await place.until(lambda: "YOUR TURN bank 1:" in place.lines[0])
            client.hear(clock=Clock(frozenset(), now_s, 60.0, (120.0,) * 3))
            await place.until(lambda: place.lines[0].endswith("YOUR TURN"))

    asyncio.run(scenario())


def colours(written: str) -> set[str]:
    """All colour codes that were sent."""
    codes = {code for found in re.findall(r"\x1b\[([0-9;]*)m", written) for code in re.split(r"(?<!38)(?<!48);", found)}
    return {code for code in codes if re.match(r"(3[0-8]|4[0-8]|9\d|10\d)", code)}


def test_colours_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(options: ScreenOptions) -> str:
        client = stacked("play AH", "play 2D", "sans 3")
        straight_to_play(client)
        async with terminal(client, options=options) as (place, _):
            return place.written

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert colours(asyncio.run(scenario(ScreenOptions())))
    assert not colours(asyncio.run(scenario(ScreenOptions(colour="never"))))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colours(asyncio.run(scenario(ScreenOptions())))
    assert colours(asyncio.run(scenario(ScreenOptions(colour="always"))))
    assert asyncio.run(scenario(ScreenOptions(ascii=True))).isascii()


def test_colours_can_be_changed_in_play() -> None:
    async def scenario() -> None:
        client = stacked("play AH", "play 2D", "sans 3")
        straight_to_play(client)
        async with terminal(client, options=ScreenOptions(colour="always", pace_s=0.0)) as (place, _):
            seen = [colours(place.written)]
            for _theme in THEMES:
                before = len(place.written)
                await place.type("v")
                seen.append(colours(place.written[before:]))
            assert seen[0] and seen[1] and seen[1] != seen[0]  # light
            assert not seen[3]  # mono
            assert seen[4]  # and round again

    asyncio.run(scenario())


def test_escape_is_quick() -> None:
    async def scenario() -> None:
        client = stacked()
        client.ready()
        async with terminal(client) as (place, _):
            await place.type("/", "a")
            loop = asyncio.get_running_loop()
            began_s = loop.time()
            await place.type("escape")
            assert place.screen.local.typing is None
            assert loop.time() - began_s < 1.0  # half a second is prompt_toolkit's default, more with a buffer

    asyncio.run(scenario())
