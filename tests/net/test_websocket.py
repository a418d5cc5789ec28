"""Links over real sockets: carrying frames, and listening."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import select
import selectors
import socket
import ssl
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import CloseCode, Frame, Opcode
from websockets.typing import Origin, Subprotocol

from hocp2p.errors import LinkError, LocalError
from hocp2p.net import binding
from hocp2p.net import websocket as ws
from hocp2p.net.address import Address
from hocp2p.net.binding import GatedSocket
from hocp2p.net.gate import MAX_PENDING_PER_HOST, STALE_S, Gate
from hocp2p.net.link import MAX_FRAME_BYTES, Link
from hocp2p.net.tls import client_context
from hocp2p.net.websocket import dial, listen
from tests.net.peers import (
    HOST,
    OURS,
    SEED,
    SUBPROTOCOLS,
    address_of,
    code_of,
    echo,
    linked,
    open_gate,
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


# Listening


def test_a_port_is_free_again_at_once() -> None:
    async def main() -> None:
        async with await listen(HOST, 0, echo, SEED) as listener:
            port = port_of(listener)
            link = await dial(Address(HOST, port))
            await link.close()
        async with await listen(HOST, port, echo, SEED) as again:
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
                await listen(HOST, port, echo, SEED)
        async with await listen(HOST, port, echo, SEED) as listener:
            assert port_of(listener) == port

    run(main())


# Strangers


def test_a_link_counts_until_it_is_closed() -> None:
    async def main() -> None:
        gate = open_gate()
        async with await listen(HOST, 0, echo, SEED, gate=gate) as listener:
            link = await dial(address_of(listener))
            assert (gate.links, gate.pending) == (1, 1)
            await link.send(b"x")
            await link.receive()
            assert (gate.links, gate.pending) == (1, 0)
            await link.close()
            await until_empty(gate)

    run(main())


async def until_empty(gate: Gate) -> None:
    while gate.links or gate.pending:  # noqa: ASYNC110 # the gate has no event to wait for
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\x16\x03\x01",
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n",
        b"\0\xff" * 40_000,
    ],
    ids=["nothing", "half a record", "http", "garbage"],
)
def test_a_handshake_that_never_ends_is_dropped_and_frees_its_place(said: bytes) -> None:
    """Whoever speaks ws:// or http:// or nothing at all learns nothing, and the next one gets in."""

    async def main() -> None:
        gate = open_gate()
        async with await listen(HOST, 0, echo, SEED, gate=gate, open_timeout_s=0.3) as listener:
            reader, writer = await asyncio.open_connection(HOST, port_of(listener))
            writer.write(said)
            with contextlib.suppress(OSError):
                assert len(await reader.read()) <= 7  # a TLS alert
            writer.close()
            await until_empty(gate)
            await greet(address_of(listener))

    run(main())


async def greet(address: Address) -> None:
    """An honest guest comes, is heard, and goes."""
    link = await dial(address)
    await link.send(b"room")
    assert await link.receive() == b"room"
    await link.close()


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: "])
def test_an_http_handshake_that_never_ends_is_dropped_too(said: bytes) -> None:
    async def main() -> None:
        gate = open_gate()
        async with await listen(HOST, 0, echo, SEED, gate=gate, open_timeout_s=0.3) as listener:
            reader, writer = await open_tls(address_of(listener))
            writer.write(said)
            with contextlib.suppress(OSError):
                assert await reader.read() == b""
            writer.close()
            await until_empty(gate)

    run(main())


async def open_tls(address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(*address, ssl=client_context(), server_hostname="x")


def test_tls_1_2_is_refused() -> None:
    async def main() -> None:
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        async with await listen(HOST, 0, echo, SEED) as listener:
            with pytest.raises((ssl.SSLError, ConnectionResetError)):
                await asyncio.open_connection(HOST, port_of(listener), ssl=old)
            await greet(address_of(listener))

    run(main())


def test_too_many_too_fast() -> None:
    async def main() -> None:
        now_s = [0.0]
        gate = Gate(lambda: now_s[0], burst=2, per_second=1)
        async with await listen(HOST, 0, echo, SEED, gate=gate) as listener:
            await greet(address_of(listener))
            await greet(address_of(listener))
            assert await code_of(dial(address_of(listener))) == "bad-handshake"
            now_s[0] += 1
            await greet(address_of(listener))

    run(main())


def test_players_behind_one_address_who_come_together_all_get_in() -> None:
    async def main() -> None:
        async with await listen(HOST, 0, echo, SEED) as listener:
            await asyncio.gather(*(greet(address_of(listener)) for _ in range(3)))

    run(main())


def test_a_flood_of_half_open_connections_keeps_nobody_out() -> None:
    """From the guest's own address, half of it saying nothing and half of it half a handshake."""

    async def main() -> None:
        gate = Gate(asyncio.get_running_loop().time)
        async with await listen(HOST, 0, echo, SEED, gate=gate, open_timeout_s=1000) as listener:
            playing = await dial(address_of(listener))
            await playing.send(b"1")
            assert await playing.receive() == b"1"
            flood = [await asyncio.open_connection(HOST, port_of(listener)) for _ in range(150)]
            for _, writer in flood[::2]:
                writer.write(b"\x16\x03\x01")
            await greet(address_of(listener))
            await playing.send(b"2")
            assert await playing.receive() == b"2"  # who has settled is not touched
            assert gate.pending <= MAX_PENDING_PER_HOST
            assert len(listener._socket.admissions) == gate.links <= MAX_PENDING_PER_HOST + 2
            assert len(asyncio.all_tasks()) < 20
            for _, writer in flood:
                writer.transport.abort()
            await playing.close()
            await until_empty(gate)

    run(main())


def test_a_flood_from_many_addresses_keeps_nobody_out() -> None:
    """Linux lends all of 127.0.0.0/8 out."""

    async def main() -> None:
        gate = Gate(asyncio.get_running_loop().time, total_burst=1000)
        async with await listen("0.0.0.0", 0, echo, SEED, gate=gate, open_timeout_s=1000) as listener:  # noqa: S104 # all of 127.0.0.0/8
            flood: list[asyncio.StreamWriter] = []
            for number in range(2, 100):
                try:
                    _, writer = await asyncio.open_connection(
                        HOST, port_of(listener), local_addr=(f"127.0.0.{number}", 0)
                    )
                except OSError:
                    pytest.skip("this machine has 127.0.0.1 alone")
                flood.append(writer)
            await greet(address_of(listener))
            assert gate.pending <= 16
            assert gate.links <= 17
            for writer in flood:
                writer.transport.abort()
            await until_empty(gate)

    run(main())


def test_one_who_links_and_says_nothing_makes_way() -> None:
    async def main() -> None:
        now_s = [0.0]
        gate = Gate(lambda: now_s[0], max_pending_per_host=1)
        async with await listen(HOST, 0, echo, SEED, gate=gate) as listener:
            silent = await dial(address_of(listener))
            assert await code_of(dial(address_of(listener), timeout_s=0.2)) == "timeout"  # kept out, it tries again
            now_s[0] += STALE_S
            await greet(address_of(listener))
            assert await code_of(silent.receive()) == "lost"

    run(main())


def test_a_dialler_tries_for_longer_than_a_place_is_kept() -> None:
    assert sum(ws.BUSY_DELAYS_S) > STALE_S
    assert sum(ws.BUSY_DELAYS_S) < ws.OPEN_TIMEOUT_S / 2


def test_the_event_loop_is_left_alone_by_those_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody is let in, accepting ends; after some refusals that took their time it rests."""
    now_s = itertools.count(step=0.001)
    monkeypatch.setattr(binding, "time", SimpleNamespace(monotonic=lambda: next(now_s)))

    async def main() -> None:
        gate = Gate(lambda: 0.0, max_links=0)
        with socket.create_server((HOST, 0)) as bound:
            gated = GatedSocket(bound, gate)
        gated.setblocking(False)
        strangers = [socket.create_connection(gated.getsockname()) for _ in range(40)]
        while strangers:
            assert select.select([gated], [], [], 10)[0]
            with pytest.raises(BlockingIOError):
                gated.accept()
            if hasattr(selectors.DefaultSelector, "fileno"):
                assert not select.select([gated], [], [], 0)[0]  # others wait, and it rests
                with pytest.raises(BlockingIOError):
                    gated.accept()
            away, strangers = strangers[:16], strangers[16:]
            for stranger in away:
                assert stranger.recv(1) == b""
                stranger.close()
            assert not select.select(strangers, [], [], 0)[0]
            await asyncio.sleep(0.05)
        gated.close()
        assert gated.fileno() == -1

    run(main())


def test_where_the_event_loop_accepts_by_itself_the_gate_is_asked_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GatedSocket, "accept", socket.socket.accept)

    async def main() -> None:
        gate = Gate(lambda: 0.0, burst=1)
        async with await listen(HOST, 0, echo, SEED, gate=gate) as listener:
            link = await dial(address_of(listener))
            await link.send(b"x")
            assert await link.receive() == b"x"
            assert (gate.links, gate.pending) == (1, 0)
            refused = await dial(address_of(listener))
            assert await code_of(refused.receive()) == "closed"
            await link.close()
            await until_empty(gate)

    run(main())


# A peer that is gone


def test_a_dead_link_is_seen_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other machine has vanished: nothing is answered, nothing is closed. With a twentieth of the usual times."""
    whole_s = ws.PING_INTERVAL_S + ws.PING_TIMEOUT_S + ws.CLOSE_TIMEOUT_S
    assert whole_s < 15
    for name in ("ping_interval", "ping_timeout", "close_timeout"):
        monkeypatch.setitem(ws._OPTIONS, name, ws._OPTIONS[name] / 20)

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
