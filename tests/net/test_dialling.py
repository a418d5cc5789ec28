"""Dialling: who is trusted, what is said to whom, by which way, and what else may answer."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import errno
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.asyncio.server import ServerConnection, serve

from hocp2p.errors import LinkError, LocalError
from hocp2p.net import dialling
from hocp2p.net.address import Address
from hocp2p.net.dialling import BUSY_DELAYS_S, dial
from hocp2p.net.gate import STALE_S, Gate
from hocp2p.net.listening import listen
from hocp2p.net.tls import ANYBODY, Trust, server_context
from hocp2p.net.websocket import OPEN_TIMEOUT_S
from tests.net.peers import (
    HOST,
    OTHERS,
    OURS,
    SEED,
    address_of,
    code_of,
    echo,
    port_of,
    pump,
    run,
    tcp_server,
)

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(60)]

RIGHT = [ANYBODY, Trust(pin=OURS.pin), Trust(key=OURS.key), Trust(OURS.pin, OURS.key)]
WRONG = [Trust(pin=OTHERS.pin), Trust(key=OTHERS.key), Trust(OURS.pin, OTHERS.key)]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dials again at once where the other side hangs up."""
    monkeypatch.setattr(dialling, "BUSY_DELAYS_S", (0.01, 0.01))


# Who answers


@pytest.mark.parametrize("trust", RIGHT)
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_right_one_answers(host: str, trust: Trust) -> None:
    async def main() -> None:
        try:
            listener = await listen(host, 0, echo, SEED)
        except LinkError:
            pytest.skip(f"this machine has no {host}")
        async with listener:
            link = await dial(Address(host, port_of(listener)), trust)
            assert (link.key, link.host) == (OURS.key, host)
            await link.send(b"x")
            assert await link.receive() == b"x"
            await link.close()

    run(main())


@pytest.mark.parametrize("trust", WRONG)
def test_somebody_else_answers_and_hears_nothing(trust: Trust) -> None:
    """He gets the handshake of TLS and the end of the connection: no request, no frame, nothing to decipher."""

    async def main() -> None:
        async with recorder(server_context(SEED)) as (address, heard):
            with pytest.raises(LinkError, match="SOMEBODY ELSE ANSWERS") as caught:
                await dial(address, trust)
            assert caught.value.code == "key-mismatch"
            assert [await heard.get()] == [b""]
            assert heard.empty()  # nor was he dialled again
            await code_of(dial(address, Trust(key=OURS.key)))  # the recorder does record: the right one hears a request
            assert (await heard.get()).startswith(b"GET / HTTP/1.1\r\n")

    run(main())


@contextlib.asynccontextmanager
async def recorder(context: ssl.SSLContext) -> AsyncIterator[tuple[Address, asyncio.Queue[bytes]]]:
    """Shakes hands and writes down what it is told then, until a blank line or the end."""
    heard: asyncio.Queue[bytes] = asyncio.Queue()

    async def record(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        said = b""
        with contextlib.suppress(OSError):
            while b"\r\n\r\n" not in said and (data := await reader.read(1000)):
                said += data
        heard.put_nowait(said)

    async with tcp_server(record, ssl=context) as address:
        yield address, heard


def test_nothing_of_the_trust_is_on_the_wire() -> None:
    """Not even who is looked for, before anybody has answered."""

    async def main() -> None:
        heard: asyncio.Queue[bytes] = asyncio.Queue()

        async def record(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
            heard.put_nowait(await reader.read(4096))

        async with tcp_server(record) as address:
            await code_of(dial(address, Trust(OURS.pin, OURS.key), timeout_s=0.5))
        said = await heard.get()
        assert said.startswith(b"\x16\x03\x01")
        for secret in (OURS.pin, OURS.key, HOST.encode()):
            assert secret not in said
        assert b"hocp2p" in said

    run(main())


def test_a_certificate_of_another_algorithm(tmp_path: Path) -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hocp2p")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=1))
        .public_key(private.public_key())
        .sign(private, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    key = private.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (tmp_path / "key.pem").write_bytes(key + made.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "key.pem")

    async def main() -> None:
        async with recorder(context) as (address, heard):
            for trust in (ANYBODY, Trust(key=OURS.key)):
                assert await code_of(dial(address, trust)) == "bad-certificate"
                assert await heard.get() == b""

    run(main())


@pytest.mark.usefixtures("impatient")
def test_a_table_that_speaks_tls_1_2_alone() -> None:
    async def main() -> None:
        context = server_context(SEED)
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_2
        async with recorder(context) as (address, heard):
            assert await code_of(dial(address)) == "bad-handshake"
            assert heard.empty()

    run(main())


# What else listens


@pytest.mark.parametrize(
    "garbage",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x00\xff" * 50_000,
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\x15\x03\x01\x00\x02\x02\x28",
    ],
    ids=["ssh", "binary", "plain http", "alert"],
)
def test_something_that_speaks_no_tls(garbage: bytes) -> None:
    async def main() -> None:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(garbage)
            await writer.drain()
            await reader.read()

        async with tcp_server(answer) as address:
            assert await code_of(dial(address)) == "bad-handshake"

    run(main())


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "garbage",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x00\xff" * 50_000,
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        b"HTTP/1.1 302 Found\r\nLocation: wss://127.0.0.2:1/\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"",
    ],
    ids=["ssh", "binary", "web", "redirect", "redirect here", "half", "silent"],
)
def test_something_else_with_a_certificate_of_ours(garbage: bytes) -> None:
    async def main() -> None:
        calls: list[bytes] = []

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            calls.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(garbage)
            await writer.drain()
            writer.close()

        async with tcp_server(answer, ssl=server_context(SEED)) as address:
            assert await code_of(dial(address)) == "bad-handshake"
        assert len(calls) == 1  # nor is a redirect followed

    run(main())


def test_another_websocket_server_listens_there() -> None:
    async def main() -> None:
        async def wait(connection: ServerConnection) -> None:
            await connection.wait_closed()

        async with serve(wait, HOST, 0, ssl=server_context(SEED)) as server:
            address = Address(HOST, server.sockets[0].getsockname()[1])
            assert await code_of(dial(address)) == "bad-handshake"

    run(main())


@pytest.mark.usefixtures("impatient")
def test_one_that_hangs_up_at_once_is_dialled_again_and_then_given_up() -> None:
    async def main() -> None:
        calls: list[int] = []

        async def hang_up(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
            calls.append(1)

        async with tcp_server(hang_up) as address:
            with pytest.raises(LinkError, match="try again later") as caught:
                await dial(address)
        assert caught.value.code == "bad-handshake"
        assert len(calls) == 1 + len(dialling.BUSY_DELAYS_S)

    run(main())


@pytest.mark.parametrize("context", [None, server_context(SEED)], ids=["no handshake", "no answer"])
def test_a_table_that_never_answers(context: ssl.SSLContext | None) -> None:
    async def main() -> None:
        async def silence(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
            await reader.read()
            await asyncio.Event().wait()

        async with tcp_server(silence, ssl=context) as address:
            assert await code_of(dial(address, timeout_s=0.3)) == "timeout"

    run(main())


def test_a_slow_handshake_is_waited_for() -> None:
    """Every byte of it comes by itself."""

    async def main() -> None:
        async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there_reader, there_writer = await asyncio.open_connection(*address_of(listener))
            forth = asyncio.create_task(pump(reader, there_writer))
            while data := await there_reader.read(1):
                writer.write(data)
                await writer.drain()
            await forth

        async with await listen(HOST, 0, echo, SEED) as listener, tcp_server(drip) as address:
            link = await dial(address, Trust(pin=OURS.pin))
            await link.send(b"x")
            assert await link.receive() == b"x"
            await link.close()

    run(main())


# No way there


def test_dialling_a_dead_port() -> None:
    async def main() -> None:
        assert await code_of(dial(Address(HOST, dead_port()))) == "refused-connection"
        assert await code_of(dial(Address("localhost", dead_port()))) == "refused-connection"

    run(main())


def dead_port() -> int:
    with socket.create_server((HOST, 0)) as bound:
        port: int = bound.getsockname()[1]
    return port


def test_dialling_no_such_host() -> None:
    async def main() -> None:
        def unknown(*_: object, **__: object) -> None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

        asyncio.get_running_loop().getaddrinfo = unknown  # type: ignore[method-assign,assignment]  # no network in tests
        assert await code_of(dial(Address("nobody.invalid", 7411))) == "no-such-host"

    run(main())


@pytest.mark.parametrize("host", ["a" * 64, "", "é" * 70])
def test_dialling_what_is_no_name(host: str) -> None:
    """Refused before any name server is asked."""

    async def main() -> None:
        assert await code_of(dial(Address(host, 7411))) == "no-such-host"

    run(main())


@pytest.mark.parametrize("port", [-1, 0, 65_536])
def test_a_port_out_of_range_is_our_mistake(port: int) -> None:
    async def main() -> None:
        with pytest.raises(LocalError) as caught:
            await dial(Address(HOST, port))
        assert caught.value.code == "bad-address"

    run(main())


@pytest.mark.parametrize("kind", ["Errno", "WinError"])
def test_nobody_listens_at_any_of_several_addresses(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop has put their words together; Windows numbers its own."""

    async def refused(*_: object, **__: object) -> None:
        words = [f"[{kind} {errno.ECONNREFUSED}] Connect call failed {host}" for host in ("::1", "127.0.0.1")]
        raise OSError(f"Multiple exceptions: {', '.join(words)}")

    async def main() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", refused)
        assert await code_of(dial(Address("localhost", 7411))) == "refused-connection"

    run(main())


def test_no_way_there(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unreachable(*_: object, **__: object) -> None:
        raise OSError(101, "Network is unreachable")

    async def main() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", unreachable)
        assert await code_of(dial(Address("192.0.2.1", 7411))) == "unreachable"

    run(main())


# By a proxy


@contextlib.asynccontextmanager
async def connect_proxy(heard: list[bytes], answer: bytes = b"") -> AsyncIterator[str]:
    """A proxy that understands CONNECT; with ``answer`` it says that and does nothing."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        if answer:
            writer.write(answer)
            await writer.drain()
            writer.close()
            return
        host, _, port = heard[-1].split()[1].decode().rpartition(":")
        await join(reader, writer, Address(host.strip("[]"), int(port)), b"HTTP/1.1 200 OK\r\n\r\n")

    async with tcp_server(handle) as address:
        yield f"http://{address}"


@contextlib.asynccontextmanager
async def socks_proxy(heard: list[bytes]) -> AsyncIterator[str]:
    """A proxy that understands SOCKS 5 (RFC 1928) as far as names and IPv4 go."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(b"\x05\x00")
        kind = (await reader.readexactly(4))[3]
        size = 4 if kind == 1 else (await reader.readexactly(1))[0]
        heard.append(await reader.readexactly(size))
        (port,) = struct.unpack("!H", await reader.readexactly(2))
        await join(reader, writer, Address(HOST, port), b"\x05\x00\x00\x01" + bytes(6))

    async with tcp_server(handle) as address:
        yield f"socks5://{address}"


async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, to: Address, welcome: bytes) -> None:
    there_reader, there_writer = await asyncio.open_connection(*to)
    writer.write(welcome)
    await asyncio.gather(pump(reader, there_writer), pump(there_reader, writer))


@pytest.mark.parametrize("proxied", [connect_proxy, socks_proxy])
def test_a_proxy_leads_there(proxied: Callable[[list[bytes]], Any]) -> None:
    async def main() -> None:
        heard: list[bytes] = []
        async with await listen(HOST, 0, echo, SEED) as listener, proxied(heard) as via:
            link = await dial(address_of(listener), Trust(pin=OURS.pin), via=via)
            assert link.key == OURS.key
            await link.send(b"x")
            assert await link.receive() == b"x"
            await link.close()
            assert await code_of(dial(address_of(listener), Trust(pin=OTHERS.pin), via=via)) == "key-mismatch"
        assert len(heard) == 2
        assert all(b"User-Agent" not in each for each in heard)

    run(main())


def test_a_proxy_looks_names_up_itself() -> None:
    async def main() -> None:
        heard: list[bytes] = []
        async with await listen(HOST, 0, echo, SEED) as listener, socks_proxy(heard) as via:
            link = await dial(Address("nobody.invalid", port_of(listener)), Trust(pin=OURS.pin), via=via)
            await link.close()
        assert heard == [b"nobody.invalid"]

    run(main())


@pytest.mark.parametrize("answer", [b"HTTP/1.1 403 Forbidden\r\n\r\n", b"SSH-2.0\r\n", b"\0" * 1000 + b"\n"])
def test_a_proxy_that_leads_nowhere(answer: bytes) -> None:
    async def main() -> None:
        async with connect_proxy([], answer) as via:
            assert await code_of(dial(Address(HOST, 7411), via=via)) == "bad-proxy"

    run(main())


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_a_proxy_that_is_not_there(scheme: str) -> None:
    async def main() -> None:
        via = f"{scheme}://me:SECRET@{HOST}:{dead_port()}"
        with pytest.raises(LinkError) as caught:
            await dial(Address(HOST, 7411), via=via)
        assert caught.value.code == "bad-proxy"
        assert "SECRET" not in caught.value.message

    run(main())


def test_what_is_no_proxy_is_our_mistake() -> None:
    async def main() -> None:
        with pytest.raises(LocalError) as caught:
            await dial(Address(HOST, 7411), via="nonsense")
        assert caught.value.code == "bad-proxy"

    run(main())


def test_proxies_of_the_system_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "wss_proxy"):
        monkeypatch.setenv(name, f"http://{HOST}:{dead_port()}")
    monkeypatch.delenv("no_proxy", raising=False)

    async def main() -> None:
        async with await listen(HOST, 0, echo, SEED, gate=Gate(lambda: 0.0)) as listener:
            link = await dial(address_of(listener))
            await link.close()

    run(main())


def test_a_dialler_tries_for_longer_than_a_place_is_kept() -> None:
    assert sum(BUSY_DELAYS_S) > STALE_S
    assert sum(BUSY_DELAYS_S) < OPEN_TIMEOUT_S / 2
