"""Listening over real sockets: the port, and strangers who come in by it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import select
import selectors
import socket
import ssl
import sys
from types import SimpleNamespace

import pytest

from hocp2p.net import binding, listening
from hocp2p.net.address import Address
from hocp2p.net.binding import GatedSocket
from hocp2p.net.dialling import dial
from hocp2p.net.gate import MAX_PENDING_PER_HOST, STALE_S, Gate
from hocp2p.net.listening import listen
from hocp2p.net.tls import client_context
from tests.net.peers import (
    HOST,
    SEED,
    address_of,
    code_of,
    echo,
    open_gate,
    port_of,
    run,
)

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(60)]


# The port


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
            patched.setattr(listening, "serve", fail)
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
            assert gate.links <= MAX_PENDING_PER_HOST + 2
            if sys.platform != "win32":  # there who is cut off goes when his handshake has taken too long
                assert len(listener._socket.admissions) == gate.links
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
            assert not strangers or not select.select(strangers, [], [], 0)[0]
            await asyncio.sleep(0.05)
        gated.close()
        assert gated.fileno() == -1

    run(main())
