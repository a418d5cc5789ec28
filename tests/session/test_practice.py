"""A practice table: open hands that are the bots' own, and a session of one deal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from hocp2p.errors import LocalError
from hocp2p.game.state import Phase
from hocp2p.players.levels import LEVELS
from hocp2p.session.autopilot import drive
from hocp2p.session.practice import PracticeClient, open_practice
from hocp2p.table.events import HandShown, SeatReady, SessionEnded, TableEvent, TableProposed, TableStopped
from hocp2p.table.snapshot import Stage, TableSnapshot
from tests.support.waiting import until

LIMIT_S = 60


def practise(work: Callable[[PracticeClient], Awaitable[None]], level: str = "novice") -> None:
    async def sit() -> None:
        async with open_practice(level) as client:
            await work(client)

    asyncio.run(asyncio.wait_for(sit(), LIMIT_S))


@pytest.mark.parametrize("level", LEVELS)
def test_one_deal_is_a_whole_session(level: str) -> None:
    heard: list[TableEvent] = []
    pictures: list[TableSnapshot] = []

    async def work(client: PracticeClient) -> None:
        client.listen(lambda snapshot, _: pictures.append(snapshot))
        client.listen(lambda _, events: heard.extend(events))
        await drive(client, level, seed=3)
        snapshot = await client.closed()
        assert snapshot == client.snapshot
        assert snapshot.stage is Stage.ENDED
        assert snapshot.net is not None
        assert sum(snapshot.net) == 0
        assert snapshot.balances == tuple(100 + net for net in snapshot.net)
        assert len(snapshot.finished) == snapshot.deal == 1
        assert snapshot.view is not None
        assert snapshot.view.state == snapshot.finished[0].state
        assert snapshot.proved
        assert not (snapshot.legal or snapshot.may_ready or snapshot.may_again)
        assert snapshot.rules.deals == 1
        assert snapshot.events.count(SessionEnded(snapshot.net)) == 1

    practise(work, level)
    assert sum(isinstance(event, SessionEnded) for event in heard) == 1
    assert not any(isinstance(event, TableProposed | SeatReady | TableStopped) for event in heard)
    assert not any(snapshot.may_ready for snapshot in pictures)


def test_the_open_hands_are_those_that_the_bots_hold() -> None:
    seen = 0

    async def work(client: PracticeClient) -> None:
        def look(snapshot: TableSnapshot, _: tuple[TableEvent, ...]) -> None:
            nonlocal seen
            hands = client.open_hands(snapshot)
            view = snapshot.view
            if view is None or len(hands) < 2:
                return
            seen += 1
            assert snapshot.our_seat not in hands
            assert [len(hands[seat]) for seat in hands] == [len(view.state.hands[seat]) for seat in hands]
            cards = [*view.own.values(), *(card for hand in hands.values() for card in hand)]
            assert len(set(cards)) == len(cards)
            for seat, hand in hands.items():  # what was opened is what was to be seen before
                known = {card for position, card in view.state.opened if position in view.state.hands[seat]}
                assert known <= set(hand)

        client.listen(look)
        assert client.open_hands(client.snapshot) == {}
        await until(client, lambda snapshot: bool(snapshot.legal))
        dealt = client.snapshot
        await drive(client, "novice", seed=3)
        hands = client.open_hands(dealt)
        assert {len(hand) for hand in hands.values()} == {12}  # an old picture is asked about, too
        opened = dict(client.snapshot.finished[0].state.opened)
        for seat, positions in enumerate(client.snapshot.finished[0].state.dealt):
            if seat in hands:
                assert {opened[position] for position in positions if position in opened} <= set(hands[seat])

    practise(work)
    assert seen > 10


def test_our_hand_may_be_shown_after_the_deal() -> None:
    shown: list[HandShown] = []

    async def work(client: PracticeClient) -> None:
        client.listen(lambda _, events: shown.extend(event for event in events if isinstance(event, HandShown)))
        await drive(client, "novice")
        if client.snapshot.may_show:
            client.show_hand()
            await until(client, lambda _: bool(shown))
            assert client.snapshot.stage is Stage.ENDED

    for _ in range(8):  # who is out first has nothing to show
        if not shown:
            practise(work)
    assert shown


def test_leaving_in_the_middle_stops_the_table() -> None:
    async def work(client: PracticeClient) -> None:
        await until(client, lambda snapshot: bool(snapshot.legal))
        view = client.snapshot.view
        assert view is not None
        assert view.state.phase is Phase.AUCTION
        client.leave()
        snapshot = await client.closed()
        assert snapshot.stage is Stage.STOPPED
        assert snapshot.stopped is not None
        assert snapshot.stopped.code == "left"
        await client.gone()

    practise(work)


def test_there_is_nothing_to_be_ready_for_and_no_other_session() -> None:
    async def work(client: PracticeClient) -> None:
        with pytest.raises(LocalError):
            client.ready()
        await until(client, lambda snapshot: snapshot.view is not None)
        with pytest.raises(LocalError):
            client.again()
        with pytest.raises(LocalError):
            client.say("")

    practise(work)


def test_an_unknown_level_is_refused() -> None:
    async def sit() -> None:
        async with open_practice("grandmaster"):
            pytest.fail("it was opened")

    with pytest.raises(LocalError) as raised:
        asyncio.run(sit())
    assert raised.value.code == "unknown-level"
