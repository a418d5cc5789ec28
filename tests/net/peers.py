"""What the tests over sockets share: 127.0.0.1 and ::1 only, ports that the system chooses, every wait bounded."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, Final

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from hocp2p.errors import LinkError
from hocp2p.net.address import Address
from hocp2p.net.certificate import make_certificate
from hocp2p.net.dialling import dial
from hocp2p.net.gate import Gate
from hocp2p.net.link import Link
from hocp2p.net.listening import Listener, listen
from hocp2p.net.tls import SERVER_NAME, client_context
from hocp2p.session.loop import run_loop

HOST: Final = "127.0.0.1"
SOON_S: Final = 40
SUBPROTOCOLS: Final = [Subprotocol("hocp2p")]
SEED: Final = bytes([1]) * 32
OURS: Final = make_certificate(SEED)
OTHERS: Final = make_certificate(bytes([2]) * 32)


def run(main: Coroutine[Any, Any, None]) -> None:
    """Runs a test that must not take long and must not leave the loop anything to complain of."""
    complaints: list[str] = []

    async def bounded() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(str(context)))
        async with asyncio.timeout(SOON_S):
            await main

    run_loop(bounded())
    assert not complaints, complaints


def open_gate() -> Gate:
    """Rates nobody."""
    return Gate(lambda: 0.0, burst=1000, total_burst=1000)


def port_of(listener: Listener) -> int:
    return listener.addresses[0].port


def address_of(listener: Listener) -> Address:
    return Address(HOST, port_of(listener))


async def echo(link: Link) -> None:
    while True:
        await link.send(await link.receive())


async def code_of(call: Awaitable[object]) -> str:
    with pytest.raises(LinkError) as caught:
        await call
    assert caught.value.message.count("\n") == 0
    return caught.value.code


@contextlib.asynccontextmanager
async def linked() -> AsyncIterator[tuple[Link, Link]]:
    """Both ends of one link: the one that dialled, the one that was called."""
    arrived: asyncio.Queue[Link] = asyncio.Queue()
    done = asyncio.Event()

    async def keep(link: Link) -> None:
        await arrived.put(link)
        await done.wait()

    async with await listen(HOST, 0, keep, SEED) as listener:
        dialled = await dial(address_of(listener))
        try:
            yield dialled, await arrived.get()
        finally:
            done.set()
            await dialled.close()


def raw_connect(listener: Listener, **options: Any) -> connect:
    """A client of another make."""
    uri = f"wss://{HOST}:{port_of(listener)}/"
    options = {"subprotocols": SUBPROTOCOLS, "compression": None, **options}
    return connect(uri, proxy=None, ssl=client_context(), server_hostname=SERVER_NAME, **options)


@contextlib.asynccontextmanager
async def tcp_server(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]], **options: Any
) -> AsyncIterator[Address]:
    """Something else that listens; gives where."""
    tasks: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            # cancelled by us alone, below: asyncio would complain of it
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await answer(reader, writer)
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(handle, HOST, 0, **options)
    try:
        yield Address(HOST, server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, until: asyncio.Event | None = None) -> None:
    """Passes on what comes, until nothing more does; after ``until`` it swallows everything, the end included."""
    try:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                if until is None or not until.is_set():
                    writer.write(data)
                    await writer.drain()
        if until is not None and until.is_set():
            await asyncio.Event().wait()
    finally:
        writer.transport.abort()
