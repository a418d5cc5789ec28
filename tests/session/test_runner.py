"""The runner as a screen meets it: what is asked out of turn is refused, and nothing is lost."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import Awaitable, Callable

import pytest

from hocp2p.errors import LocalError, RuleError
from hocp2p.game.actions import Good, Sans
from hocp2p.game.house import Rules
from hocp2p.record.identity_file import new_identity
from hocp2p.session.autopilot import drive
from hocp2p.session.client import Client
from hocp2p.session.host import HostOptions, open_table
from hocp2p.session.loop import run_loop
from hocp2p.session.recording import Recorder
from hocp2p.table.events import HandShown, RecordEnded, SessionEnded, TableEvent, TalkSaid
from hocp2p.table.snapshot import Stage, TableSnapshot
from tests.support.waiting import until

LIMIT_S = 60


def at_a_table(work: Callable[[Client], Awaitable[None]], deals: int = 2, record: Recorder | None = None) -> None:
    """Runs ``work`` at a table of two with a bot."""

    async def sit() -> None:
        async with open_table(HostOptions(2, 1, "novice", Rules(deals=deals)), new_identity(), record) as client:
            await work(client)

    run_loop(asyncio.wait_for(sit(), LIMIT_S))


def test_a_table_of_bots_opens_no_port_and_plays_to_the_end() -> None:
    seen: list[TableEvent] = []

    async def work(client: Client) -> None:
        assert client.snapshot.address == ""
        client.listen(lambda _, events: seen.extend(events))
        await drive(client, "novice", seed=1)
        snapshot = await client.closed()
        assert snapshot.stage is Stage.ENDED
        assert sum(snapshot.balances) == 200
        assert seen[-1] == SessionEnded(snapshot.net or ())

    at_a_table(work)


def test_a_record_that_cannot_be_written_costs_nobody_his_seat() -> None:
    told: list[str] = []
    kinds: list[int] = []

    def record(kind: int, _payload: bytes) -> None:
        kinds.append(kind)
        if len(kinds) == 5:
            raise OSError(errno.ENOSPC, "No space left on device")

    def watch(_: TableSnapshot, events: tuple[TableEvent, ...]) -> None:
        told.extend(event.reason for event in events if isinstance(event, RecordEnded))

    async def work(client: Client) -> None:
        client.listen(watch)
        await drive(client, "novice", seed=1)
        assert (await client.closed()).stage is Stage.ENDED

    at_a_table(work, record=record)
    assert told == ["No space left on device"]
    assert len(kinds) == 5


def test_what_is_out_of_turn_or_illegal_is_refused() -> None:
    async def work(client: Client) -> None:
        with pytest.raises(LocalError):
            client.act(Good())
        await until(client, lambda snapshot: snapshot.may_ready)
        client.ready()
        with pytest.raises(LocalError):
            client.ready()
        await until(client, lambda snapshot: bool(snapshot.legal))
        before = client.snapshot.view
        with pytest.raises(RuleError):
            client.act(Sans(5))
        assert client.snapshot.view == before
        client.act(client.snapshot.legal[0])
        with pytest.raises(LocalError):
            client.act(client.snapshot.legal[0])

    at_a_table(work)


@pytest.mark.parametrize("text", ["", "x" * 301, "a\nb", "\x1b[2J", "\u202eevil"])
def test_talk_that_cannot_be_sent_is_refused(text: str) -> None:
    async def work(client: Client) -> None:
        await until(client, lambda snapshot: snapshot.stage is not Stage.LOBBY)
        with pytest.raises(LocalError):
            client.say(text)

    at_a_table(work)


def test_talk_is_heard() -> None:
    said: list[TalkSaid] = []

    async def work(client: Client) -> None:
        await until(client, lambda snapshot: snapshot.stage is not Stage.LOBBY)
        client.listen(lambda _, events: said.extend(event for event in events if isinstance(event, TalkSaid)))
        client.say("bonsoir")
        await until(client, lambda _: bool(said))
        assert said == [TalkSaid(0, "bonsoir")]

    at_a_table(work)


def test_leaving_ends_the_table_for_everybody_in_it() -> None:
    async def work(client: Client) -> None:
        await until(client, lambda snapshot: snapshot.may_ready)
        client.ready()
        await until(client, lambda snapshot: snapshot.view is not None)
        client.leave()
        stopped = (await client.closed()).stopped
        assert stopped is not None
        assert stopped.code == "left"

    at_a_table(work)


def test_a_listener_that_fails_is_not_swallowed() -> None:
    def fail(_: TableSnapshot, __: tuple[TableEvent, ...]) -> None:
        raise ZeroDivisionError

    async def work(client: Client) -> None:
        client.listen(fail)
        await client.closed()

    with pytest.raises(ZeroDivisionError):
        at_a_table(work)


def test_a_hand_is_shown_after_the_deal_by_choice_and_to_all() -> None:
    shown: list[HandShown] = []

    async def work(client: Client) -> None:
        client.listen(lambda _, events: shown.extend(event for event in events if isinstance(event, HandShown)))
        playing = asyncio.create_task(drive(client, "novice"))
        await client.closed()
        await playing
        with contextlib.suppress(LocalError):  # who was out first has nothing to show
            client.show_hand()
            await until(client, lambda _: bool(shown))
            last = client.snapshot.finished[-1]
            assert last.shown == ((0, shown[0].cards),)
            assert len(shown[0].cards) == len(last.state.hands[0])
            assert not client.snapshot.may_show

    for _ in range(12):  # we are out first, with nothing to show, in about half of them
        if not shown:
            at_a_table(work)
    assert shown


def test_another_session_begins_when_all_want_one() -> None:
    async def work(client: Client) -> None:
        with pytest.raises(LocalError):
            client.again()
        await drive(client, "novice")
        first = client.snapshot
        assert first.may_again
        client.again()
        await until(client, lambda snapshot: snapshot.stage is Stage.READY)
        assert [seat.name for seat in client.snapshot.seats] == [seat.name for seat in first.seats]
        assert client.snapshot.finished == ()
        await drive(client, "novice")
        assert client.snapshot.stage is Stage.ENDED
        assert sum(client.snapshot.balances) == 200

    at_a_table(work)


def test_the_host_seats_bots_and_changes_rules_before_the_game() -> None:
    async def work() -> None:
        options = HostOptions(3, 0, "novice", Rules(deals=3), "Anna", "127.0.0.1", 0)
        async with open_table(options, new_identity()) as host:
            with pytest.raises(LocalError):
                host.add_bot("grandmaster")
            for _ in range(2):
                host.add_bot("random")
            await until(host, lambda snapshot: snapshot.stage is Stage.READY)
            assert [seat.bot_level for seat in host.snapshot.seats] == [None, "random", "random"]
            with pytest.raises(LocalError):
                host.add_bot("random")
            with pytest.raises(LocalError):
                host.kick(0)
            host.kick(1)
            await until(host, lambda snapshot: snapshot.stage is Stage.LOBBY)
            host.add_bot("novice")
            await until(host, lambda snapshot: snapshot.stage is Stage.READY)
            with pytest.raises(RuleError):
                host.set_rules(Rules(deals=4))
            host.set_rules(Rules(deals=3, double="never"))
            await until(host, lambda snapshot: snapshot.rules.double == "never")
            await drive(host, "novice")
            assert host.snapshot.stage is Stage.ENDED
            with pytest.raises(LocalError):
                host.set_rules(Rules())

    run_loop(asyncio.wait_for(work(), LIMIT_S))
