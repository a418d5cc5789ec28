"""After the last deal where somebody types: the result is told, and another match can be asked for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import pytest

from hocp2p.crypto.identity import Identity
from hocp2p.game.house import START_BALANCE, Rules
from hocp2p.net.address import parse_address
from hocp2p.record.identity_file import new_identity
from hocp2p.session.autopilot import drive
from hocp2p.session.client import Client
from hocp2p.session.guest import JoinOptions, join_table
from hocp2p.session.host import HostOptions, open_table
from hocp2p.table.events import AnotherWanted, SeatTaken, TableEvent, TalkSaid
from hocp2p.table.snapshot import SeatInfo, Stage, TableSnapshot
from hocp2p.ui.line import Manners, run_line
from tests.support.fake_client import FakeClient
from tests.support.waiting import until
from tests.ui.line_runs import BY_HAND, PIPE, SCRIPT, Keyboard, plain_words, table

LIMIT_S = 60
ASKED = "another match: again; leave: quit"


class Slow(FakeClient):
    """The others think about another match until a test lets them want it, or the host go."""

    asked = 0

    def again(self) -> None:
        self.asked += 1
        self.hear(AnotherWanted(0), may_again=False, again=frozenset({0}))

    def all_want(self) -> None:
        self._change(may_again=True)
        super().again()

    def host_leaves(self) -> None:
        self._gone.set()


def by_hand(client: FakeClient, work: Callable[[Keyboard], Awaitable[None]]) -> list[str]:
    """What is told from the end of a session on; ``work`` types after it."""

    async def go() -> list[str]:
        keyboard = Keyboard(client)
        client.ready()
        play_on(client)
        await keyboard.hear(ASKED)
        await work(keyboard)
        told = await keyboard.end()
        return told[told.index(ASKED) - 1 :]

    return asyncio.run(asyncio.wait_for(go(), LIMIT_S))


def play_on(client: FakeClient) -> None:
    """To the end of the session."""
    while client.snapshot.stage is Stage.DEAL:
        client.act(client.snapshot.legal[0])


def figures(told: list[str]) -> Iterator[str]:
    return (line for line in told if line.startswith("the session is over: "))


# Over a fake table.


def test_quit_after_the_session_leaves_what_was_played() -> None:
    client = table()

    async def work(keyboard: Keyboard) -> None:
        await asyncio.sleep(0.01)
        assert not keyboard.over
        keyboard.type("quit")

    result, *rest = by_hand(client, work)
    assert result.startswith("the session is over: you ")
    assert rest == [ASKED]
    assert client.snapshot.stopped is None


def test_the_end_of_the_input_after_the_session_leaves() -> None:
    client = table()

    async def work(keyboard: Keyboard) -> None:
        keyboard.type(None)

    assert by_hand(client, work)[1:] == [ASKED]
    assert client.snapshot.stopped is None


def test_questions_are_answered_after_the_session() -> None:
    client = table()

    async def work(keyboard: Keyboard) -> None:
        keyboard.type("legal", "good", "say well played", "ready", "quit")

    told = by_hand(client, work)
    assert told[2] == "legal: again"
    assert told[3].startswith("no: ")
    assert told[3].endswith("legal: again")
    assert told[4:] == ["You: well played", "no: there is nothing to be ready for. legal: again"]


def test_another_match_is_asked_for_once_and_played() -> None:
    client = Slow(seed=5, rules=Rules(deals=3))

    async def work(keyboard: Keyboard) -> None:
        keyboard.type("again", "again")
        await keyboard.hear("you would play another match", 2)
        client.hear(AnotherWanted(1), again=frozenset({0, 1}))
        await keyboard.hear("Bruno would play another match")
        client.all_want()
        await keyboard.hear("all seats are filled: read the rules and say ready")
        await asyncio.sleep(0.01)
        assert client.snapshot.may_ready  # nobody signs it for us
        keyboard.type("ready")
        await keyboard.hear("you are ready", 2)
        play_on(client)
        await keyboard.hear(ASKED, 2)
        keyboard.type("quit")

    told = by_hand(client, work)
    assert client.asked == 1
    assert len(list(figures(told))) == 2
    assert told[1:5] == [
        ASKED,
        "you would play another match",
        "you would play another match",
        "Bruno would play another match",
    ]
    proposed = told.index("all seats are filled: read the rules and say ready")
    assert told[proposed - 1] == "Anna's table at 203.0.113.7:7411, 3 of 3 seated"
    assert told[proposed + 1].startswith("rules deals 3, ")
    assert "deal 1: you deal" in told[proposed:] or "deal 1: Bruno deals" in told[proposed:]
    assert told[-1] == ASKED


def test_again_can_be_asked_for_after_each_match() -> None:
    client = Slow(seed=5, rules=Rules(deals=3))

    async def work(keyboard: Keyboard) -> None:
        for match in (2, 3):
            keyboard.type("again")
            await until(client, lambda snapshot: snapshot.again == {0})
            client.all_want()
            keyboard.type("ready")
            await until(client, lambda snapshot: snapshot.stage is Stage.DEAL)
            play_on(client)
            await keyboard.hear(ASKED, match)
        keyboard.type("quit")

    assert len(list(figures(by_hand(client, work)))) == 3
    assert client.asked == 2


def test_the_last_word_is_told_by_name_though_it_empties_the_chairs() -> None:
    """As at a real table of which we are the host: the same news has the word and the empty lobby."""
    client = Slow(seed=5, rules=Rules(deals=3))

    async def work(keyboard: Keyboard) -> None:
        keyboard.type("again")
        await keyboard.hear("you would play another match")
        ours, others = client.snapshot.seats[0], client.snapshot.seats[1:]
        free = tuple(SeatInfo(info.seat, "") for info in others)
        lobby = {"stage": Stage.LOBBY, "seats": (ours, *free), "finished": (), "net": None, "view": None}
        client.hear(AnotherWanted(1), again=frozenset(), **lobby)
        await keyboard.hear("Bruno would play another match")
        client.hear(SeatTaken(1, "Bruno"), seats=(ours, others[0], free[1]))
        keyboard.type("quit")

    told = by_hand(client, work)
    assert told[2:] == [
        "you would play another match",
        "Bruno would play another match",
        "Anna's table at 203.0.113.7:7411, 1 of 3 seated; others: hocp2p join 203.0.113.7:7411",
        "Bruno takes seat 2, 2 of 3 seated",
        "the table stopped: you left the table",
    ]


@pytest.mark.parametrize("asked", [False, True])
def test_the_host_leaves_after_the_session(asked: bool) -> None:
    client = Slow(seed=5, rules=Rules(deals=3))

    async def work(keyboard: Keyboard) -> None:
        if asked:
            keyboard.type("again")
            await keyboard.hear("you would play another match")
        client.host_leaves()

    assert by_hand(client, work)[-1] == "the host has left: there will be no other match here"
    assert client.snapshot.stopped is None


def test_again_is_refused_before_the_end() -> None:
    client = table()

    async def go() -> list[str]:
        keyboard = Keyboard(client)
        keyboard.type("again", None)
        return await keyboard.end()

    assert "no: the session is not over. legal: ready" in asyncio.run(go())


def test_where_there_can_be_no_other_match_the_result_is_the_end() -> None:
    """A practice deal: its client says so."""

    class Practice(FakeClient):
        def _change(self, *events: Any, **fields: Any) -> None:
            super()._change(*events, **fields | {"may_again": False})

    async def go() -> list[str]:
        client = Practice(seed=5, rules=Rules(deals=3))
        keyboard = Keyboard(client)
        client.ready()
        play_on(client)
        return await keyboard.end()

    assert asyncio.run(go())[-1].startswith("the session is over: ")


@pytest.mark.parametrize(
    ("manners", "as_json"),
    [(PIPE, False), (SCRIPT, False), (Manners(autopilot=True), False), (BY_HAND, True), (PIPE, True)],
)
def test_for_programs_the_result_is_the_last_line(manners: Manners, as_json: bool) -> None:
    """Though the input goes on."""

    async def go() -> list[str]:
        client = table()
        told: list[str] = []

        async def endless() -> AsyncIterator[str]:
            while True:
                await asyncio.sleep(3600)
                yield "again"

        face = asyncio.create_task(run_line(client, commands=endless(), out=told.append, manners=manners, json=as_json))
        await asyncio.sleep(0)
        client.ready()
        play_on(client)
        client.hear(TalkSaid(1, "well played"))
        await face
        assert client.snapshot.may_again
        return told

    last = asyncio.run(asyncio.wait_for(go(), LIMIT_S))[-1]
    if as_json:
        assert json.loads(last)["event"] == "session_ended"
    else:
        assert last.startswith("the session is over: ")


# At a real table, with a bot that always wants another.


async def play_real(client: Client, keyboard: Keyboard) -> None:
    """One match by typed words."""
    await until(client, lambda snapshot: snapshot.may_ready)
    keyboard.type("ready")
    while True:
        await until(client, lambda snapshot: bool(snapshot.legal) or snapshot.stage is Stage.ENDED)
        if client.snapshot.stage is Stage.ENDED:
            return
        keyboard.type(plain_words(client.snapshot))
        await until(client, partial(differs, client.snapshot))


def differs(before: TableSnapshot, now: TableSnapshot) -> bool:
    return now.view != before.view


def test_two_matches_at_a_real_table() -> None:
    async def sit(identity: Identity) -> None:
        async with open_table(HostOptions(2, 1, "novice", Rules(deals=2), "Anna"), identity) as client:
            seen: list[TableEvent] = []
            client.listen(lambda _, events: seen.extend(events))
            keyboard = Keyboard(client)
            await play_real(client, keyboard)
            await keyboard.hear(ASKED)
            keyboard.type("again")
            await play_real(client, keyboard)
            await keyboard.hear(ASKED, 2)
            keyboard.type("quit")
            told = await keyboard.end()
            assert client.snapshot.stage is Stage.ENDED
            assert client.snapshot.stopped is None
            assert sum(client.snapshot.balances) == 2 * START_BALANCE
        assert [event for event in seen if event == AnotherWanted(0)] == [AnotherWanted(0)]
        another = told[told.index(ASKED) + 1 :]
        assert set(another[:2]) == {"you would play another match", "bot 1 would play another match"}
        assert another[2:5] == [
            "Anna's table, 1 of 2 seated",
            "bot 1 takes seat 2, 2 of 2 seated",
            "all seats are filled: read the rules and say ready",
        ]
        assert len(list(figures(told))) == 2
        assert told[-1] == ASKED

    asyncio.run(asyncio.wait_for(sit(new_identity()), LIMIT_S))


def test_a_guest_whose_host_leaves_after_the_match() -> None:
    async def sit() -> None:
        options = HostOptions(2, 0, "novice", Rules(deals=2), "Anna", "127.0.0.1", 0)
        async with open_table(options, new_identity()) as host, AsyncExitStack() as stack:
            address = parse_address(host.snapshot.address)
            there = JoinOptions(address.host, address.port, "Bruno")
            guest = await stack.enter_async_context(join_table(there, new_identity()))
            keyboard = Keyboard(guest)
            driving = asyncio.create_task(drive(host, "novice", seed=1))
            await play_real(guest, keyboard)
            await driving
            keyboard.type("again")
            await keyboard.hear("you would play another match")
            await until(host, lambda snapshot: snapshot.again == {1})
            host.leave()
            told = await keyboard.end()
            assert guest.snapshot.stopped is None
        assert told[told.index(ASKED) :] == [
            ASKED,
            "you would play another match",
            "Anna is not heard any more",
            "the host has left: there will be no other match here",
        ]

    asyncio.run(asyncio.wait_for(sit(), LIMIT_S))
