"""Links over real sockets: 127.0.0.1 and ::1 only, ports that the system chooses, every wait bounded."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import CloseCode, Frame, Opcode
from websockets.typing import Origin, Subprotocol

from hocp2p.errors import LinkError, LocalError
from hocp2p.net import websocket as ws
from hocp2p.net.gate import Gate
from hocp2p.net.link import MAX_FRAME_BYTES, Link
from hocp2p.net.websocket import Listener, dial, listen

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(60)]

HOST = "127.0.0.1"
SOON_S = 20
SUBPROTOCOLS = [Subprotocol("hocp2p")]


def run(main: Coroutine[Any, Any, None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(SOON_S):
            await main

    asyncio.run(bounded())


def port_of(listener: Listener) -> int:
    return listener.addresses[0].port


async def echo(link: Link) -> None:
    while True:
        await link.send(await link.receive())


@contextlib.asynccontextmanager
async def linked() -> AsyncIterator[tuple[Link, Link]]:
    """Both ends of one link: the one that dialled, the one that was called."""
    arrived: asyncio.Queue[Link] = asyncio.Queue()
    done = asyncio.Event()

    async def keep(link: Link) -> None:
        await arrived.put(link)
        await done.wait()

    async with await listen(HOST, 0, keep) as listener:
        dialled = await dial(HOST, port_of(listener))
        try:
            yield dialled, await arrived.get()
        finally:
            done.set()
            await dialled.close()


async def code_of(call: Awaitable[object]) -> str:
    with pytest.raises(LinkError) as caught:
        await call
    assert caught.value.message.count("\n") == 0
    return caught.value.code


@contextlib.asynccontextmanager
async def tcp_server(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[int]:
    """Something else that listens; gives its port."""
    writers: list[asyncio.StreamWriter] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with contextlib.suppress(ConnectionError):
            await answer(reader, writer)

    server = await asyncio.start_server(handle, HOST, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in writers:
            writer.close()


# Carrying frames


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_frames_arrive_in_order_and_whole(host: str) -> None:
    async def main() -> None:
        try:
            listener = await listen(host, 0, echo)
        except LinkError:
            pytest.skip(f"this machine has no {host}")
        async with listener:
            link = await dial(host, port_of(listener))
            frames = [bytes([number]) * size for number, size in enumerate([1, 2, 125, 126, 60_000, MAX_FRAME_BYTES])]
            for frame in frames:
                await link.send(frame)
            assert [await link.receive() for _ in frames] == frames
            await link.close()

    run(main())


def test_all_interfaces_are_one_socket_with_one_port() -> None:
    async def main() -> None:
        peers: list[str] = []

        async def note(link: Link) -> None:
            peers.append(link.peer)
            await link.send(b"hello")

        async with await listen("", 0, note) as listener:
            assert len(listener.addresses) == 1
            link = await dial("127.0.0.1", port_of(listener))
            assert await link.receive() == b"hello"
            assert link.peer == f"127.0.0.1:{port_of(listener)}"
            await link.close()
        assert [peer.rpartition(":")[0] for peer in peers] == ["127.0.0.1"]

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

        async with await listen(HOST, 0, goodbye) as listener:
            link = await dial(HOST, port_of(listener))
            assert await link.receive() == b"goodbye"
            assert await code_of(link.receive()) == "closed"

    run(main())


def test_closing_the_listener_closes_links_and_unfinished_handshakes() -> None:
    async def main() -> None:
        listener = await listen(HOST, 0, echo, open_timeout_s=1000)
        link = await dial(HOST, port_of(listener))
        reader, writer = await asyncio.open_connection(HOST, port_of(listener))
        await link.send(b"x")
        assert await link.receive() == b"x"
        await listener.close()
        await listener.close()
        assert await code_of(link.receive()) == "closed"
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()
        assert await code_of(dial(HOST, port_of(listener))) == "refused-connection"

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

        async with await listen(HOST, 0, note) as listener:
            uri = f"ws://{HOST}:{port_of(listener)}/"
            async with connect(uri, subprotocols=SUBPROTOCOLS, compression=None, proxy=None) as raw:
                await raw.send(frame)
                with pytest.raises(ConnectionClosed):
                    await raw.recv()
                assert raw.close_code == close_code
            assert [await codes.get() for _ in range(3)] == [code] * 3

    run(main())


@pytest.mark.parametrize(
    "options",
    [{}, {"subprotocols": [Subprotocol("chat")]}, {"subprotocols": SUBPROTOCOLS, "origin": Origin("http://x.y")}],
)
def test_other_clients_and_web_pages_are_refused(options: dict[str, Any]) -> None:
    async def main() -> None:
        async with await listen(HOST, 0, echo) as listener:
            with pytest.raises(InvalidStatus):
                await connect(f"ws://{HOST}:{port_of(listener)}/", proxy=None, **options)

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

    async with await listen(HOST, 0, keep) as listener:
        raw = await connect(
            f"ws://{HOST}:{port_of(listener)}/", subprotocols=SUBPROTOCOLS, proxy=None, compression=None
        )
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


# Dialling


def test_dialling_a_dead_port() -> None:
    async def main() -> None:
        with socket.create_server((HOST, 0)) as bound:
            port = bound.getsockname()[1]
        assert await code_of(dial(HOST, port)) == "refused-connection"
        assert await code_of(dial("localhost", port)) == "refused-connection"

    run(main())


def test_dialling_no_such_host() -> None:
    async def main() -> None:
        def unknown(*_: object, **__: object) -> None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

        asyncio.get_running_loop().getaddrinfo = unknown  # type: ignore[method-assign,assignment]  # no network in tests
        assert await code_of(dial("nobody.invalid", 7411)) == "no-such-host"

    run(main())


@pytest.mark.parametrize("host", ["a" * 64, "", "é" * 70])
def test_dialling_what_is_no_name(host: str) -> None:
    """Refused before any name server is asked."""

    async def main() -> None:
        assert await code_of(dial(host, 7411)) == "no-such-host"

    run(main())


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_port_out_of_range_is_our_mistake(port: int) -> None:
    async def main() -> None:
        for call in (dial(HOST, port), listen(HOST, port, echo)):
            with pytest.raises(LocalError) as caught:
                await call
            assert caught.value.code == "bad-address"

    run(main())


def test_no_way_there(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unreachable(*_: object, **__: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(ws, "connect", unreachable)
    run(expect_code("unreachable"))


async def expect_code(code: str) -> None:
    assert await code_of(dial("192.0.2.1", 7411)) == code


@pytest.mark.parametrize(
    "garbage",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x00\xff" * 50_000,
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        b"HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.2:1/\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"",
    ],
    ids=["ssh", "binary", "web", "redirect", "half", "silent"],
)
def test_something_else_listens_there(garbage: bytes) -> None:
    async def main() -> None:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(garbage)
            await writer.drain()
            writer.close()

        async with tcp_server(answer) as port:
            assert await code_of(dial(HOST, port)) == "bad-handshake"

    run(main())


def test_another_websocket_server_listens_there() -> None:
    async def main() -> None:
        async def wait(connection: ServerConnection) -> None:
            await connection.wait_closed()

        async with serve(wait, HOST, 0) as server:
            assert await code_of(dial(HOST, server.sockets[0].getsockname()[1])) == "bad-handshake"

    run(main())


def test_a_table_that_never_answers() -> None:
    async def main() -> None:
        async def silence(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
            await reader.read()

        async with tcp_server(silence) as port:
            assert await code_of(dial(HOST, port, timeout_s=0.1)) == "timeout"

    run(main())


# Listening


def test_a_port_is_free_again_at_once() -> None:
    async def main() -> None:
        async with await listen(HOST, 0, echo) as listener:
            port = port_of(listener)
            link = await dial(HOST, port)
            await link.close()
        async with await listen(HOST, port, echo) as again:
            assert port_of(again) == port

    run(main())


def test_a_failure_to_serve_frees_the_port(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise MemoryError

    async def main() -> None:
        with socket.create_server((HOST, 0)) as bound:
            port = bound.getsockname()[1]
        with monkeypatch.context() as patched:
            patched.setattr(ws, "serve", fail)
            with pytest.raises(MemoryError):
                await listen(HOST, port, echo)
        async with await listen(HOST, port, echo) as listener:
            assert port_of(listener) == port

    run(main())


def test_a_handshake_that_never_ends_is_dropped_and_frees_its_place() -> None:
    async def main() -> None:
        gate = Gate(lambda: 0.0, max_links=1, max_links_per_host=1, burst=1000)
        async with await listen(HOST, 0, echo, gate=gate, open_timeout_s=0.3) as listener:
            reader, writer = await asyncio.open_connection(HOST, port_of(listener))
            writer.write(b"GET / HTTP/1.1\r\nHost: ")
            await writer.drain()
            assert await code_of(dial(HOST, port_of(listener))) == "bad-handshake"  # no room
            with contextlib.suppress(ConnectionResetError):
                assert await reader.read() == b""
            writer.close()
            link = await dial(HOST, port_of(listener))
            await link.send(b"room")
            assert await link.receive() == b"room"
            await link.close()

    run(main())


def test_too_many_too_fast() -> None:
    async def main() -> None:
        now_s = [0.0]
        async with await listen(HOST, 0, echo, gate=Gate(lambda: now_s[0], burst=2, per_second=1)) as listener:
            links = [await dial(HOST, port_of(listener)) for _ in range(2)]
            assert await code_of(dial(HOST, port_of(listener))) == "bad-handshake"
            now_s[0] += 1
            links.append(await dial(HOST, port_of(listener)))
            for link in links:
                await link.close()

    run(main())


def test_nothing_of_a_frame_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with await listen(HOST, 0, echo) as listener:
            link = await dial(HOST, port_of(listener))
            await link.send(b"SECRET" * 10)
            await link.receive()
            await link.close()

    with caplog.at_level(logging.DEBUG):
        run(main())
    assert any(record.name == "hocp2p.net.websocket" for record in caplog.records)
    text = "\n".join(record.getMessage() for record in caplog.records)
    assert "SECRET" not in text
    assert b"SECRET".hex(" ") not in text
