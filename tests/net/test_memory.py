"""The link within one process."""

from __future__ import annotations

import asyncio

import pytest

from hocp2p.errors import LinkError, LocalError
from hocp2p.net.link import MAX_FRAME_BYTES, Link
from hocp2p.net.memory import memory_pair

SOON_S = 5


async def code_of_receive(link: Link) -> str:
    with pytest.raises(LinkError) as caught:
        await link.receive()
    return caught.value.code


def test_frames_arrive_in_order_both_ways() -> None:
    async def run() -> None:
        one, other = memory_pair()
        for number in range(100):
            await one.send(bytes([number]))
            await other.send(bytes([number, 0]))
        assert [await other.receive() for _ in range(100)] == [bytes([number]) for number in range(100)]
        assert [await one.receive() for _ in range(100)] == [bytes([number, 0]) for number in range(100)]
        assert one.peer == other.peer == "memory"

    asyncio.run(run())


def test_what_was_sent_is_delivered_after_closing() -> None:
    async def run() -> None:
        one, other = memory_pair()
        await one.send(b"last words")
        await one.close()
        await one.close()
        assert await other.receive() == b"last words"
        assert await code_of_receive(other) == "closed"
        assert await code_of_receive(one) == "closed"
        for end in (one, other):
            with pytest.raises(LinkError) as caught:
                await end.send(b"x")
            assert caught.value.code == "closed"

    asyncio.run(run())


def test_closing_wakes_whoever_waits() -> None:
    async def run() -> None:
        one, other = memory_pair(limit=1)
        await one.send(b"1")
        reading = asyncio.create_task(code_of_receive(one))
        sending = asyncio.create_task(one.send(b"2"))
        await asyncio.sleep(0)
        assert not reading.done()
        assert not sending.done()
        await other.close()
        async with asyncio.timeout(SOON_S):
            assert await reading == "closed"
            with pytest.raises(LinkError):
                await sending

    asyncio.run(run())


def test_a_full_link_waits_until_the_peer_reads() -> None:
    async def run() -> None:
        one, other = memory_pair(limit=2)
        await one.send(b"1")
        await one.send(b"2")
        third = asyncio.create_task(one.send(b"3"))
        await asyncio.sleep(0.01)
        assert not third.done()
        assert await other.receive() == b"1"
        async with asyncio.timeout(SOON_S):
            await third
        assert [await other.receive(), await other.receive()] == [b"2", b"3"]

    asyncio.run(run())


def test_an_abandoned_receive_loses_nothing() -> None:
    async def run() -> None:
        one, other = memory_pair()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await other.receive()
        await one.send(b"1")
        assert await other.receive() == b"1"

    asyncio.run(run())


@pytest.mark.parametrize(("size", "code"), [(0, "empty-frame"), (MAX_FRAME_BYTES + 1, "too-large")])
def test_sizes(size: int, code: str) -> None:
    async def run() -> None:
        one, other = memory_pair()
        with pytest.raises(LocalError) as caught:
            await one.send(bytes(size))
        assert caught.value.code == code
        await one.send(bytes(MAX_FRAME_BYTES))
        assert len(await other.receive()) == MAX_FRAME_BYTES

    asyncio.run(run())
