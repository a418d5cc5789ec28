"""What a host asks for is done in its order, at a table that takes its time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

import pytest

from hocp2p.errors import LocalError, RuleError
from hocp2p.game.house import Rules
from hocp2p.record.identity_file import new_identity
from hocp2p.session.forced import ForcedAnswers
from hocp2p.session.host import HostOptions, open_table
from hocp2p.session.managing import (
    BOT_LEVELS,
    DEFAULT_LEVEL,
    AddBot,
    Managing,
    SetRules,
    TakeChair,
    levels_by_thumb,
)
from hocp2p.table.events import SeatTaken
from hocp2p.table.snapshot import Stage
from tests.support.fake_client import FakeClient


class SlowClient(FakeClient):
    """Does what the host asks for only when it is told to."""

    def __init__(self, *, free: int = 0) -> None:
        super().__init__(free=free)
        self.coming: deque[Callable[[], None]] = deque()

    def set_rules(self, rules: Rules) -> None:
        rules.verify_seats(len(self.snapshot.seats))
        self.coming.append(lambda: super(SlowClient, self).set_rules(rules))

    def kick(self, seat: int) -> None:
        self.coming.append(lambda: super(SlowClient, self).kick(seat))

    def add_bot(self, level: str) -> None:
        if all(info.key for info in self.snapshot.seats):
            raise LocalError("full", "the table is full")
        self.coming.append(lambda: super(SlowClient, self).add_bot(level))


def levels(client: FakeClient) -> list[str | None]:
    return [info.bot_level for info in client.snapshot.seats]


def test_the_level_of_a_first_bot_is_one_of_the_levels() -> None:
    assert DEFAULT_LEVEL in BOT_LEVELS


def test_the_levels_at_a_table_that_have_to_bid_by_thumb() -> None:
    client = FakeClient(free=2)
    for level in ("master", "club"):
        client.add_bot(level)
    assert levels_by_thumb(client.snapshot) == []
    client.set_rules(Rules(raise_cap=4))
    assert levels_by_thumb(client.snapshot) == ["club", "master"]
    client.kick(1)
    assert levels_by_thumb(client.snapshot) == ["club"]


def test_a_bot_waits_until_the_chair_is_free() -> None:
    client = SlowClient()
    managing = Managing(client)
    assert not managing.busy
    managing.ask(TakeChair(1), AddBot("random"))
    assert managing.busy and len(client.coming) == 1
    managing.go_on()
    assert len(client.coming) == 1  # nothing has happened yet
    client.coming.popleft()()
    assert client.snapshot.stage is Stage.LOBBY
    managing.go_on()
    assert managing.busy and len(client.coming) == 1
    client.coming.popleft()()
    assert not managing.busy
    assert levels(client) == [None, "random", "club"]
    assert client.snapshot.stage is Stage.READY


def test_who_takes_the_chair_first_has_it() -> None:
    client = SlowClient()
    managing = Managing(client)
    managing.ask(TakeChair(1), AddBot("random"))
    client.coming.popleft()()
    seats = list(client.snapshot.seats)
    seats[1] = FakeClient().snapshot.seats[1]
    client.hear(SeatTaken(1, "Bruno"), seats=tuple(seats))
    with pytest.raises(LocalError) as caught:
        managing.go_on()
    assert caught.value.code == "full"
    assert not managing.busy
    managing.go_on()  # the bot is forgotten
    assert not client.coming


def test_rules_are_seen_when_the_table_has_them() -> None:
    client = SlowClient()
    managing = Managing(client)
    rules = Rules(deals=9, point="pips")
    managing.ask(SetRules(rules))
    assert managing.busy
    client.coming.popleft()()
    assert not managing.busy
    assert client.snapshot.rules == rules
    with pytest.raises(RuleError):
        managing.ask(SetRules(Rules(deals=4)))
    assert not managing.busy


def test_nothing_is_waited_for_once_the_game_has_begun() -> None:
    client = SlowClient()
    managing = Managing(client)
    managing.ask(TakeChair(1))
    assert managing.busy
    client.ready()
    assert not managing.busy


@pytest.mark.parametrize("wish", [AddBot("novice"), TakeChair(1), SetRules(Rules(deals=9))])
def test_a_guest_manages_nothing(wish: AddBot | TakeChair | SetRules) -> None:
    guest = FakeClient(our_seat=1)
    with pytest.raises(LocalError) as caught:
        Managing(ForcedAnswers(guest)).ask(wish)
    assert caught.value.code == "not-host"
    host = FakeClient()
    host.ready()
    with pytest.raises(LocalError) as caught:
        Managing(ForcedAnswers(host)).ask(wish)
    assert caught.value.code == "game-begun"


def test_the_host_manages_through_forced_answers() -> None:
    client = FakeClient(free=1)
    managing = Managing(ForcedAnswers(client))
    managing.ask(AddBot("random"), TakeChair(1), SetRules(Rules(deals=3)), AddBot("novice"))
    assert levels(client) == [None, "novice", "random"]
    assert client.snapshot.rules.deals == 3
    assert client.snapshot.may_ready


@pytest.mark.sockets
@pytest.mark.timeout(60)
def test_the_lobby_of_a_real_table() -> None:
    """Wishes one after the other, as fast as they can be asked for, and then a game by the new rules."""

    async def scenario() -> None:
        options = HostOptions(seats=3, bots=0, level="novice", rules=Rules(deals=3), bind="127.0.0.1", port=0, seed=1)
        async with open_table(options, new_identity()) as host:
            managing = Managing(ForcedAnswers(host))
            changed = asyncio.Event()
            host.listen(lambda _snapshot, _events: changed.set())

            async def until(wanted: Callable[[], bool]) -> None:
                while not wanted():
                    await changed.wait()
                    changed.clear()
                    managing.go_on()

            managing.ask(AddBot("novice"), AddBot("novice"), SetRules(Rules(deals=6)), TakeChair(2), AddBot("random"))
            await until(lambda: not managing.busy)
            assert [info.bot_level for info in host.snapshot.seats] == [None, "novice", "random"]
            assert host.snapshot.rules == Rules(deals=6)
            with pytest.raises(LocalError) as caught:
                managing.ask(AddBot("novice"))
            assert caught.value.code == "full"
            await until(lambda: host.snapshot.may_ready)
            host.ready()
            await until(lambda: host.snapshot.stage is Stage.DEAL)
            assert not host.snapshot.may_manage
            assert host.snapshot.rules == Rules(deals=6)

    asyncio.run(scenario())
