"""The full screen of a practice deal: explanations come by themselves, the game waits, the table stays readable."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from random import Random

import pytest
from prompt_toolkit.input import create_pipe_input

from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.table.events import TalkSaid
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.cells import line_width, text_of
from hocp2p.ui.lesson import TOPICS, Course
from hocp2p.ui.lesson_screen import LessonScreen, face_up
from hocp2p.ui.local import Question
from hocp2p.ui.names import format_card_symbols
from hocp2p.ui.parts.seats import known_cards
from hocp2p.ui.screen import ScreenOptions
from tests.support.fake_client import tame_chooser
from tests.ui.terminal import Terminal, _Watched
from tests.ui.test_lesson import OpenClient
from tests.ui.test_screen import by_keys

pytestmark = [pytest.mark.timeout(90), pytest.mark.skipif(sys.platform == "win32", reason="a pipe input is POSIX")]

SIZES = ((40, 12), (60, 16), (80, 24), (120, 36))
OPTIONS = ScreenOptions(pace_s=0.0, bell=False)


class _Screen(_Watched, LessonScreen):
    """A lesson screen that counts its keys."""


class LessonTerminal(Terminal):
    """A terminal with a practice deal in it."""

    screen: _Screen

    @property
    def expected(self) -> list[str]:
        drawn = self.screen.lines(self._size.columns, self._size.rows)
        return [text_of(line).rstrip() for line in drawn]

    @property
    def topic(self) -> str:
        """Of the explanation that is open; empty: none."""
        return self.screen.lesson.topic if self.screen.lesson is not None else ""

    async def read(self) -> list[str]:
        """Reads whatever is explained now; its topics."""
        topics: list[str] = []
        while self.topic:
            topics += [self.topic] if self.topic not in topics else []
            await self.type("enter")
        return topics


@asynccontextmanager
async def practice(
    client: OpenClient, cols: int = 80, rows: int = 24
) -> AsyncIterator[tuple[LessonTerminal, asyncio.Task[None]]]:
    with create_pipe_input() as keys:
        place = LessonTerminal(client, OPTIONS, cols, rows, keys)
        place.screen = _Screen(client, OPTIONS, keys, place.screen.app.output)
        task = asyncio.create_task(place.screen.run())
        try:
            await place.until(lambda: place.screen.app.is_running)
            await place.drawn()
            yield place, task
        finally:
            place.screen.close()
            await asyncio.gather(task, return_exceptions=True)


def table(seed: int = 3) -> OpenClient:
    return OpenClient(seed=seed, rules=Rules(deals=3), ask_ready=True)


def at_a_table(work: Callable[[LessonTerminal, OpenClient], Awaitable[None]], seed: int = 3) -> None:
    """Runs ``work`` with the cards dealt and nothing read yet."""

    async def sit() -> None:
        client = table(seed)
        async with practice(client) as (place, _):
            client.ready()
            await place.drawn()
            await work(place, client)

    asyncio.run(sit())


@pytest.mark.parametrize(("cols", "rows"), SIZES[1:])
def test_a_whole_deal_is_explained_and_played_by_keys(cols: int, rows: int) -> None:
    topics: list[str] = []

    async def play() -> None:
        client = table()
        choose = tame_chooser(Random(3))
        async with practice(client, cols, rows) as (place, _):
            assert place.topic == "welcome"
            client.ready()
            while not client.snapshot.finished:
                topics.extend(await place.read())
                view = client.snapshot.view
                assert view is not None
                await by_keys(place, choose(view, client.snapshot.legal))
            topics.extend(await place.read())
            assert place.screen.pacer.shown.finished

    asyncio.run(play())
    assert len(topics) == len(set(topics))
    assert topics[0] == "welcome"
    assert topics[-2:] == ["settlement", "fair"]
    wanted = ["hand", "point", "sequence", "tricon", "blanche", "play", "settlement", "fair"]
    assert [topic for topic in topics if topic in wanted] == wanted


def test_the_game_waits_while_something_is_explained() -> None:
    async def work(place: LessonTerminal, client: OpenClient) -> None:
        assert place.topic == "welcome"
        before = place.screen.pacer.shown
        assert client.snapshot != before
        assert TOPICS["welcome"][0] in place.lines[1]
        await place.type("s", "p", "d", "x")  # keys of the table mean nothing now
        assert place.screen.pacer.shown is before
        assert place.topic == "welcome"
        await place.type("enter")
        await place.until(lambda: place.topic == "hand")
        assert place.screen.pacer.shown is not before

    at_a_table(work)


def test_the_latest_explanation_comes_back_with_its_key() -> None:
    async def work(place: LessonTerminal, _: OpenClient) -> None:
        told = await place.read()
        assert place.lines[-4].endswith("e explain again")
        await place.type("e")
        assert place.topic == told[-1]
        await place.type("e")
        assert place.topic == ""
        await place.type("/", "e")  # in talk it is a letter
        assert place.topic == ""
        assert place.screen.local.typing == "e"

    at_a_table(work)


def test_leaving_is_asked_about_also_while_something_is_explained() -> None:
    async def sit() -> None:
        client = table()
        async with practice(client) as (place, task):
            await place.type("c-q")
            assert place.screen.local.asking is Question.LEAVE
            assert "Leave the table for good?" in place.lines[-2]
            await place.type("n")
            assert place.topic == "welcome"
            await place.type("c-q", "y")
            await task

    asyncio.run(sit())


def test_what_is_said_meanwhile_is_not_lost() -> None:
    async def work(place: LessonTerminal, client: OpenClient) -> None:
        client.hear(TalkSaid(1, "take your time"))
        await place.read()
        assert TalkSaid(1, "take your time") in place.screen.pacer.shown.events

    at_a_table(work)


def pictures() -> Iterator[tuple[OpenClient, TableSnapshot]]:
    """Every picture of a deal in which something is explained."""
    client = table(7)
    course = Course()
    choose = tame_chooser(Random(7))
    client.ready()
    while True:
        snapshot = client.snapshot
        while course.next(snapshot, client.open_hands(snapshot)) is not None:
            yield client, snapshot
        if snapshot.finished or snapshot.view is None:
            return
        client.act(choose(snapshot.view, snapshot.legal))


@pytest.mark.parametrize(("cols", "rows"), SIZES)
def test_every_explanation_fits_every_size_and_leaves_something_of_the_table(cols: int, rows: int) -> None:
    seen = 0
    course = Course()
    for client, snapshot in pictures():
        found = course.next(snapshot, client.open_hands(snapshot))
        assert found is not None
        with create_pipe_input() as keys:
            place = LessonTerminal(client, OPTIONS, cols, rows, keys)
            screen = LessonScreen(client, OPTIONS, keys, place.screen.app.output)
            screen.pacer.shown = snapshot
            screen.lesson = found
            shown: list[str] = []
            more = True
            while more:
                lines = screen.lines(cols, rows)
                assert [line_width(line) for line in lines] == [cols] * rows
                text = [text_of(line).rstrip() for line in lines]
                assert any(found.title in row for row in text[:2])
                assert text[-2].startswith((" Enter: read on", " Enter: go on"))
                shown += text
                more = text[-2].startswith(" Enter: read on")
                if more:
                    screen.press("enter")
            for word in " ".join(found.text).split():
                assert any(word in row for row in shown)
            view = snapshot.view
            if rows >= 24 and view is not None and view.state.phase is not Phase.OVER:
                for name in map(format_card_symbols, view.hand):
                    assert any(re.search(rf"[\[>│]{name}[\]<│]", row) for row in shown)
        seen += 1
    assert seen > 12


def test_open_hands_are_drawn_as_cards_that_were_shown() -> None:
    for client, snapshot in pictures():
        hands = client.open_hands(snapshot)
        opened = face_up(snapshot, hands).view
        assert opened is not None
        assert {seat: set(known_cards(opened, seat)) for seat in hands} == {seat: set(hands[seat]) for seat in hands}
        assert snapshot.view is not None
        assert opened.hand == snapshot.view.hand
    assert face_up(table().snapshot, {}) == table().snapshot
