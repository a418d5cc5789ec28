"""Links over real sockets: carrying frames, what is not let through, a peer that is gone."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import CloseCode, Frame, Opcode
from websockets.typing import Origin, Subprotocol

from hocp2p.errors import LinkError, LocalError
from hocp2p.net import websocket as ws
from hocp2p.net.address import Address
from hocp2p.net.dialling import dial
from hocp2p.net.link import MAX_FRAME_BYTES, Link
from hocp2p.net.listening import listen
from tests.net.peers import (
    HOST,
    OURS,
    SEED,
    SUBPROTOCOLS,
    address_of,
    code_of,
    echo,
    linked,
    port_of,
    pump,
    raw_connect,
    run,
    tcp_server,
)

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(60)]


# Carrying frames


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_frames_arrive_in_order_and_whole(host: str) -> None:
    async def main() -> None:
        try:
            listener = await listen(host, 0, echo, SEED)
        except LinkError:
            pytest.skip(f"this machine has no {host}")
        async with listener:
            link = await dial(Address(host, port_of(listener)))
            frames = [bytes([number]) * size for number, size in enumerate([1, 2, 125, 126, 60_000, MAX_FRAME_BYTES])]
            for frame in frames:
                await link.send(frame)
            assert [await link.receive() for _ in frames] == frames
            await link.close()

    run(main())


def test_all_interfaces_are_one_socket_with_one_port() -> None:
    async def main() -> None:
        peers: list[tuple[str, bytes | None]] = []

        async def note(link: Link) -> None:
            peers.append((link.host, link.key))
            await link.send(b"hello")

        async with await listen("", 0, note, SEED) as listener:
            assert len(listener.addresses) == 1
            link = await dial(address_of(listener))
            assert await link.receive() == b"hello"
            assert (link.peer, link.host) == (f"127.0.0.1:{port_of(listener)}", "127.0.0.1")
            assert link.key == OURS.key
            await link.close()
        assert peers == [("127.0.0.1", None)]

    run(main())


def test_closing_delivers_what_was_sent() -> None:
    async def main() -> None:
        async with linked() as (dialled, called):
            for number in range(10):
                await called.send(bytes([number]))
            await called.close()
            await called.close()
            assert [await dialled.receive() for _ in range(10)] == [bytes([number]) for number in range(10)]
            assert await code_of(dialled.receive()) == "closed"
            assert await code_of(dialled.send(b"x")) == "closed"
            assert await code_of(called.receive()) == "closed"

    run(main())


def test_the_link_is_closed_when_its_handler_returns() -> None:
    async def main() -> None:
        async def goodbye(link: Link) -> None:
            await link.send(b"goodbye")

        async with await listen(HOST, 0, goodbye, SEED) as listener:
            link = await dial(address_of(listener))
            assert await link.receive() == b"goodbye"
            assert await code_of(link.receive()) == "closed"

    run(main())


def test_closing_the_listener_closes_links_and_unfinished_handshakes() -> None:
    async def main() -> None:
        listener = await listen(HOST, 0, echo, SEED, open_timeout_s=1000)
        link = await dial(address_of(listener))
        reader, writer = await asyncio.open_connection(HOST, port_of(listener))
        await link.send(b"x")
        assert await link.receive() == b"x"
        await listener.close()
        await listener.close()
        assert await code_of(link.receive()) == "closed"
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()
        assert await code_of(dial(address_of(listener))) == "refused-connection"

    run(main())


def test_a_peer_that_vanishes_is_a_lost_link() -> None:
    async def main() -> None:
        async with linked() as (dialled, called):
            assert isinstance(dialled, ws.WebSocketLink)
            dialled._connection.transport.abort()
            assert await code_of(called.receive()) == "lost"
            assert await code_of(called.send(b"x")) == "lost"

    run(main())


def test_an_abandoned_receive_loses_nothing() -> None:
    async def main() -> None:
        async with linked() as (dialled, called):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.02):
                    await called.receive()
            await dialled.send(b"1")
            assert await called.receive() == b"1"

    run(main())


# What is not let through


@pytest.mark.parametrize(("size", "code"), [(0, "empty-frame"), (MAX_FRAME_BYTES + 1, "too-large")])
def test_a_frame_of_the_wrong_size_is_not_sent(size: int, code: str) -> None:
    async def main() -> None:
        async with linked() as (dialled, called):
            with pytest.raises(LocalError) as caught:
                await dialled.send(bytes(size))
            assert caught.value.code == code
            await dialled.send(b"the link still stands")
            assert await called.receive() == b"the link still stands"

    run(main())


@pytest.mark.parametrize(
    ("frame", "code", "close_code"),
    [
        (bytes(MAX_FRAME_BYTES + 1), "too-large", CloseCode.MESSAGE_TOO_BIG),
        ("text", "bad-frame", CloseCode.UNSUPPORTED_DATA),
        (b"", "bad-frame", CloseCode.UNSUPPORTED_DATA),
    ],
)
def test_a_bad_frame_closes_the_link(frame: bytes | str, code: str, close_code: CloseCode) -> None:
    async def main() -> None:
        codes: asyncio.Queue[str] = asyncio.Queue()

        async def note(link: Link) -> None:
            await codes.put(await code_of(link.receive()))
            await codes.put(await code_of(link.receive()))
            await codes.put(await code_of(link.send(b"x")))

        async with await listen(HOST, 0, note, SEED) as listener:
            async with raw_connect(listener) as raw:
                await raw.send(frame)
                with pytest.raises(ConnectionClosed):
                    await raw.recv()
                assert raw.close_code == close_code
            assert [await codes.get() for _ in range(3)] == [code] * 3

    run(main())


@pytest.mark.parametrize(
    "options",
    [
        {"subprotocols": None},
        {"subprotocols": [Subprotocol("chat")]},
        {"subprotocols": SUBPROTOCOLS, "origin": Origin("http://x.y")},
    ],
)
def test_other_clients_and_web_pages_are_refused(options: dict[str, Any]) -> None:
    async def main() -> None:
        async with await listen(HOST, 0, echo, SEED) as listener:
            with pytest.raises(InvalidStatus):
                await raw_connect(listener, **options)

    run(main())


def test_a_peer_that_does_not_read_is_dropped_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sender waits, and then gives the link up; memory stays where it was."""
    monkeypatch.setattr(ws, "SEND_TIMEOUT_S", 0.2)

    async def main() -> None:
        async with deaf_peer() as (link, _):
            with pytest.raises(LinkError) as caught:
                for _ in range(2000):
                    await link.send(bytes(MAX_FRAME_BYTES))
                    assert ws._backlog_bytes(link._connection) <= ws.MAX_BACKLOG_BYTES
            assert caught.value.code == "slow-peer"
            assert await code_of(link.send(b"x")) == "slow-peer"
            assert await code_of(link.receive()) == "slow-peer"

    run(main())


def test_many_senders_together_are_bounded_too() -> None:
    async def main() -> None:
        async with deaf_peer() as (link, _):
            sends = [asyncio.create_task(link.send(bytes(MAX_FRAME_BYTES))) for _ in range(500)]
            await asyncio.sleep(0)  # now each has handed over its frame, or was refused
            assert ws._backlog_bytes(link._connection) <= ws.MAX_BACKLOG_BYTES
            results = await asyncio.gather(*sends, return_exceptions=True)
            failed = [result for result in results if result is not None]
            assert failed
            assert all(isinstance(error, LinkError) and error.code == "slow-peer" for error in failed)

    run(main())


@contextlib.asynccontextmanager
async def deaf_peer() -> AsyncIterator[tuple[ws.WebSocketLink, ClientConnection]]:
    """Our end of a link, and the other end, which never reads."""
    arrived: asyncio.Queue[Link] = asyncio.Queue()
    done = asyncio.Event()

    async def keep(link: Link) -> None:
        await arrived.put(link)
        await done.wait()

    async with await listen(HOST, 0, keep, SEED) as listener:
        raw = await raw_connect(listener)
        raw.transport.pause_reading()
        link = await arrived.get()
        assert isinstance(link, ws.WebSocketLink)
        try:
            yield link, raw
        finally:
            done.set()
            raw.transport.abort()


def test_a_peer_that_pings_and_never_reads_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ws, "MAX_BACKLOG_BYTES", 100_000)

    async def main() -> None:
        async with deaf_peer() as (link, raw):
            pings = Frame(Opcode.PING, bytes(125)).serialize(mask=True) * 500
            ended = asyncio.create_task(code_of(link.receive()))
            while not ended.done():
                raw.transport.write(pings)
                await asyncio.sleep(0.001)
            assert await ended == "lost"

    run(main())


# A peer that is gone


def test_a_dead_link_is_seen_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other machine has vanished: nothing is answered, nothing is closed. With a twentieth of the usual times."""
    whole_s = ws.PING_INTERVAL_S + ws.PING_TIMEOUT_S + ws.CLOSE_TIMEOUT_S
    assert whole_s < 15
    for name in ("ping_interval", "ping_timeout", "close_timeout"):
        monkeypatch.setitem(ws.OPTIONS, name, ws.OPTIONS[name] / 20)

    async def main() -> None:
        vanished = asyncio.Event()

        async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there_reader, there_writer = await asyncio.open_connection(*address_of(listener))
            await asyncio.gather(pump(reader, there_writer, until=vanished), pump(there_reader, writer, until=vanished))

        ended: asyncio.Queue[str] = asyncio.Queue()

        async def note(link: Link) -> None:
            await link.send(await link.receive())
            await ended.put(await code_of(link.receive()))

        async with await listen(HOST, 0, note, SEED) as listener, tcp_server(swallow) as proxied:
            link = await dial(proxied)
            await link.send(b"x")
            assert await link.receive() == b"x"
            vanished.set()
            async with asyncio.timeout(15):
                assert await code_of(link.receive()) == "lost"
                assert await ended.get() == "lost"

    run(main())


def test_nothing_of_a_frame_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with await listen(HOST, 0, echo, SEED) as listener:
            link = await dial(address_of(listener))
            await link.send(b"SECRET" * 10)
            await link.receive()
            await link.close()

    with caplog.at_level(logging.DEBUG):
        run(main())
    assert any(record.name == "hocp2p.net.websocket" for record in caplog.records)
    text = "\n".join(record.getMessage() for record in caplog.records)
    assert "SECRET" not in text
    assert b"SECRET".hex(" ") not in text
