"""Opening a port in a router, played here by a device on the loopback: SSDP, its description, and SOAP."""

from __future__ import annotations

import asyncio
import gc
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hocp2p.errors import HocError, LinkError, LocalError
from hocp2p.net import port_mapping, upnp_http
from hocp2p.net.address import Address, AddressKind, LocalAddress
from hocp2p.net.port_mapping import PortMapping, can_map_ports, open_port
from tests.support.running import in_loop

pytestmark = pytest.mark.sockets
pytest.importorskip("async_upnp_client")

HOST: Final = "127.0.0.1"
SERVICE: Final = "urn:schemas-upnp-org:service:WANIPConnection:1"
DESCRIPTION: Final = f"""<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0">
<specVersion><major>1</major><minor>0</minor></specVersion>
<device><deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType><friendlyName>box</friendlyName>
<manufacturer>x</manufacturer><modelName>x</modelName><UDN>uuid:1</UDN><deviceList>
<device><deviceType>urn:schemas-upnp-org:device:WANConnectionDevice:1</deviceType><friendlyName>wan</friendlyName>
<manufacturer>x</manufacturer><modelName>x</modelName><UDN>uuid:2</UDN><serviceList><service>
<serviceType>{SERVICE}</serviceType><serviceId>urn:upnp-org:serviceId:WANIPConn1</serviceId>
<SCPDURL>/scpd.xml</SCPDURL><controlURL>/control</controlURL><eventSubURL>/event</eventSubURL>
</service></serviceList></device></deviceList></device></root>"""


def action(name: str, inputs: dict[str, str], outputs: dict[str, str]) -> str:
    arguments = "".join(
        f"<argument><name>New{argument}</name><direction>{direction}</direction>"
        f"<relatedStateVariable>{argument}</relatedStateVariable></argument>"
        for direction, these in (("in", inputs), ("out", outputs))
        for argument in these
    )
    return f"<action><name>{name}</name><argumentList>{arguments}</argumentList></action>"


TARGET: Final = {"RemoteHost": "string", "ExternalPort": "ui2", "Protocol": "string"}
REST: Final = {
    "InternalPort": "ui2", "InternalClient": "string", "Enabled": "boolean", "PortMappingDescription": "string",
    "LeaseDuration": "ui4",
}  # fmt: skip
SCPD: Final = (
    '<?xml version="1.0"?><scpd xmlns="urn:schemas-upnp-org:service-1-0"><actionList>'
    + action("AddPortMapping", TARGET | REST, {})
    + action("DeletePortMapping", TARGET, {})
    + action("GetExternalIPAddress", {}, {"ExternalIPAddress": "string"})
    + "</actionList><serviceStateTable>"
    + "".join(
        f'<stateVariable sendEvents="no"><name>{name}</name><dataType>{kind}</dataType></stateVariable>'
        for name, kind in (TARGET | REST | {"ExternalIPAddress": "string"}).items()
    )
    + "</serviceStateTable></scpd>"
)


class Box:
    """A router. Its ports are what others would see; its calls are what we asked for."""

    def __init__(self) -> None:
        self.external = "8.8.4.4"
        self.description = DESCRIPTION
        self.scpd = SCPD
        self.location = ""
        self.refuse: dict[str, int] = {}
        self.taken: set[int] = set()
        self.only_permanent = False
        self.garbage = False
        self.hold = False
        """While true, a request to open a port waits for ``go``."""
        self.go = asyncio.Event()
        self.ports: dict[int, tuple[str, int, int]] = {}
        self.calls: list[str] = []
        self.changed = asyncio.Event()

    def call(self, name: str, told: dict[str, str]) -> tuple[int, str]:
        """The error, or 0, and the arguments of the answer."""
        self.calls.append(name)
        self.changed.set()
        if name in self.refuse:
            return self.refuse[name], ""
        if name == "GetExternalIPAddress":
            return 0, f"<NewExternalIPAddress>{self.external}</NewExternalIPAddress>"
        assert told["NewRemoteHost"] == ""
        assert told["NewProtocol"] == "TCP"
        port = int(told["NewExternalPort"])
        if name == "DeletePortMapping":
            return (0, "") if self.ports.pop(port, None) else (714, "")
        if port in self.taken:
            return 718, ""
        lease_s = int(told["NewLeaseDuration"])
        if self.only_permanent and lease_s:
            return 725, ""
        self.ports[port] = (told["NewInternalClient"], int(told["NewInternalPort"]), lease_s)
        return 0, ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
        body = (await reader.readexactly(int(length[1]))).decode() if length else ""
        if self.hold and "#AddPortMapping" in head:
            self.changed.set()
            await self.go.wait()
        status, answer = self.answer(head, body)
        writer.write(
            f"HTTP/1.1 {status} x\r\nContent-Type: text/xml\r\nConnection: close\r\n"
            f"Content-Length: {len(answer.encode())}\r\n\r\n{answer}".encode()
        )
        await writer.drain()
        writer.close()

    def answer(self, head: str, body: str) -> tuple[int, str]:
        path = head.split()[1]
        if path != "/control":
            return 200, self.description if path == "/root.xml" else self.scpd
        if self.garbage:
            return 200, "<not xml"
        name = re.findall(r"#(\w+)", head)[0]
        told = dict(re.findall(r"<(New\w+)>([^<]*)</", body)) | dict.fromkeys(re.findall(r"<(New\w+) ?/>", body), "")
        error, arguments = self.call(name, told)
        inner = f'<u:{name}Response xmlns:u="{SERVICE}">{arguments}</u:{name}Response>'
        if error:
            inner = (
                "<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>"
                '<UPnPError xmlns="urn:schemas-upnp-org:control-1-0">'
                f"<errorCode>{error}</errorCode><errorDescription>No</errorDescription></UPnPError></detail></s:Fault>"
            )
        envelope = (
            f'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>{inner}</s:Body></s:Envelope>'
        )
        return (500 if error else 200), f'<?xml version="1.0"?>{envelope}'


class Ssdp(asyncio.DatagramProtocol):
    """Answers a search with where the description lies."""

    transport: asyncio.DatagramTransport

    def __init__(self, box: Box) -> None:
        self.box = box

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        assert data.startswith(b"M-SEARCH")
        kind = "urn:schemas-upnp-org:device:InternetGatewayDevice:1"
        lines = [
            "HTTP/1.1 200 OK",
            f"LOCATION: {self.box.location}",
            f"ST: {kind}",
            f"USN: uuid:1::{kind}",
            "EXT:",
            "",
            "",
        ]
        self.transport.sendto("\r\n".join(lines).encode(), addr)


@asynccontextmanager
async def box() -> AsyncIterator[tuple[Box, tuple[str, int]]]:
    """A router, and where it is searched for."""
    made = Box()
    server = await asyncio.start_server(made.serve, HOST, 0)
    loop = asyncio.get_running_loop()
    transport, ssdp = await loop.create_datagram_endpoint(lambda: Ssdp(made), local_addr=(HOST, 0))
    ssdp.transport = transport
    made.location = f"http://{HOST}:{server.sockets[0].getsockname()[1]}/root.xml"
    try:
        yield made, transport.get_extra_info("sockname")
    finally:
        transport.close()
        server.close()
        await server.wait_closed()


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port_mapping, "SEARCH_S", 0.3)


async def failure(target: tuple[str, int], port: int = 7411) -> HocError:
    with pytest.raises(HocError) as caught:
        async with open_port(port, search_target=target):
            pass
    return caught.value


@in_loop
async def test_a_port_is_opened_and_closed() -> None:
    async with box() as (router, where):
        async with open_port(7411, search_target=where) as mapping:
            assert mapping == PortMapping(Address("8.8.4.4", 7411), 3600)
            assert router.ports == {7411: (HOST, 7411, 3600)}
        assert router.ports == {}
        assert router.calls == ["GetExternalIPAddress", "AddPortMapping", "DeletePortMapping"]


@in_loop
async def test_it_is_closed_when_we_are_cancelled() -> None:
    async with box() as (router, where):
        entered = asyncio.Event()

        async def stay() -> None:
            async with open_port(7411, search_target=where):
                entered.set()
                await asyncio.sleep(60)

        task = asyncio.create_task(stay())
        await entered.wait()
        assert router.ports
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert router.ports == {}


@pytest.mark.parametrize("taken", [False, True])
def test_cancelled_while_the_router_thinks(taken: bool) -> None:
    """What it opens after all is closed, and the port of somebody else is left alone."""

    @in_loop
    async def case() -> None:
        async with box() as (router, where):
            router.hold = True
            router.taken = set(range(7411, 7421)) if taken else set()

            async def stay() -> None:
                async with open_port(7411, search_target=where):
                    raise AssertionError("it was opened")

            router.changed.clear()
            task = asyncio.create_task(stay())
            while not router.calls:  # it has told its address
                await router.changed.wait()
                router.changed.clear()
            await router.changed.wait()  # and is asked for the port
            task.cancel()
            await asyncio.sleep(0)
            router.go.set()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert router.ports == {}
            assert ("DeletePortMapping" in router.calls) is not taken

    case()


@in_loop
async def test_cancelled_while_one_is_searched() -> None:
    """Nothing stays open: warnings of sockets are errors here."""
    async with box() as (router, where):
        router.location = ""
        task = asyncio.create_task(port_mapping.find_router(where))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    await asyncio.sleep(0)
    gc.collect()


@in_loop
async def test_a_router_that_is_not_connected() -> None:
    async with box() as (router, where):
        router.external = "0.0.0.0"  # noqa: S104 # nothing is bound
        assert (await failure(where)).code == "router-offline"


@asynccontextmanager
async def page(host: str, answer: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """A server that answers every request alike: where it is, and the requests it got."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        with suppress(OSError):
            writer.write(answer)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, host, 0)
    try:
        yield f"http://{host}:{server.sockets[0].getsockname()[1]}/root.xml", asked
    finally:
        server.close()
        await server.wait_closed()


@in_loop
async def test_nobody_sends_us_elsewhere() -> None:
    async with box() as (router, where), page("127.0.0.2", b"") as (elsewhere, asked):
        router.location = elsewhere
        assert (await failure(where)).code == "no-router"
        redirect = f"HTTP/1.1 302 x\r\nLocation: {elsewhere}\r\nContent-Length: 0\r\n\r\n"
        async with page(HOST, redirect.encode()) as (router.location, redirected):
            assert (await failure(where)).code == "router-failed"
        assert len(redirected) == 1
        assert asked == []


@in_loop
async def test_an_answer_without_end() -> None:
    long = b"HTTP/1.1 200 x\r\nConnection: close\r\n\r\n" + bytes(upnp_http.MAX_BODY_BYTES * 4)
    async with box() as (router, where), page(HOST, long) as (router.location, _):
        error = await failure(where)
        assert error.code == "router-failed"
        assert "more than" in str(error.__cause__)


@pytest.mark.parametrize("which", ["description", "scpd"])
@given(data=st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_description_is_understood_or_refused(which: str, data: st.DataObject) -> None:
    """A right one of which some part is replaced."""

    @in_loop
    async def case() -> None:
        async with box() as (router, where):
            right = getattr(router, which)
            start = data.draw(st.integers(0, len(right)))
            end = data.draw(st.integers(start, min(len(right), start + 40)))
            setattr(router, which, right[:start] + data.draw(st.text(max_size=8)) + right[end:])
            with suppress(LinkError):
                async with open_port(7411, search_target=where) as mapping:
                    assert mapping.external.host == "8.8.4.4"

    case()


@pytest.mark.parametrize(
    ("own", "ways"),
    [
        ([], ["0.0.0.0"]),  # noqa: S104 # nothing is bound
        ([("10.8.0.2", AddressKind.VPN), ("192.168.1.5", AddressKind.LAN)], ["192.168.1.5"]),
        ([("192.168.1.5", AddressKind.LAN), ("fd00::5", AddressKind.LAN)], ["192.168.1.5"]),
        ([(f"10.0.0.{host}", AddressKind.LAN) for host in range(9)], ["10.0.0.0", "10.0.0.1", "10.0.0.2"]),
    ],
)
def test_which_networks_are_asked(
    monkeypatch: pytest.MonkeyPatch, own: list[tuple[str, AddressKind]], ways: list[str]
) -> None:
    monkeypatch.setattr(port_mapping, "ranked_addresses", lambda: tuple(LocalAddress(*each) for each in own))
    assert port_mapping._ways() == ways


@in_loop
async def test_a_router_without_leases() -> None:
    async with box() as (router, where):
        router.only_permanent = True
        async with open_port(7411, search_target=where) as mapping:
            assert mapping.lease_s == 0
            assert router.ports == {7411: (HOST, 7411, 0)}
        assert router.ports == {}


@in_loop
async def test_the_next_port_where_one_is_taken() -> None:
    async with box() as (router, where):
        router.taken = {7411, 7412}
        async with open_port(7411, search_target=where) as mapping:
            assert mapping.external.port == 7413
            assert router.ports == {7413: (HOST, 7411, 3600)}
        assert router.ports == {}
        router.taken = set(range(7411, 7421))
        assert (await failure(where)).code == "no-free-port"
        router.taken = {65_535}
        assert (await failure(where, 65_535)).code == "no-free-port"


@in_loop
async def test_it_is_renewed_at_half_of_its_lease() -> None:
    lost: asyncio.Queue[str] = asyncio.Queue()
    async with (
        box() as (router, where),
        open_port(7411, lease_s=2, search_target=where, on_lost=lambda error: lost.put_nowait(error.code)),
    ):
        router.ports.clear()  # as if it had forgotten
        router.changed.clear()
        await router.changed.wait()
        assert router.ports == {7411: (HOST, 7411, 2)}
        router.refuse = {"AddPortMapping": 501}
        assert await lost.get() == "router-refused"
        router.refuse = {}
        router.external = "8.8.8.8"
        while (code := await lost.get()) == "router-refused":
            pass
        assert code == "address-changed"


@pytest.mark.parametrize("external", ["192.168.0.9", "10.0.0.1", "100.64.3.4", "100.127.255.255", "169.254.1.1"])
def test_a_nat_of_the_carrier(external: str) -> None:
    @in_loop
    async def case() -> None:
        async with box() as (router, where):
            router.external = external
            error = await failure(where)
            assert (type(error), error.code) == (LinkError, "carrier-nat")
            assert "use a tunnel" in error.message
            assert router.calls == ["GetExternalIPAddress"]

    case()


@in_loop
async def test_a_router_that_refuses() -> None:
    async with box() as (router, where):
        router.refuse = {"AddPortMapping": 606}
        error = await failure(where)
        assert error.code == "router-refused"
        assert "606" in error.message


@in_loop
async def test_answers_that_make_no_sense() -> None:
    async with box() as (router, where):
        router.external = ""
        assert (await failure(where)).code == "router-failed"
        router.garbage = True
        assert (await failure(where)).code == "router-failed"
        router.description = DESCRIPTION.replace("WANIPConnection", "Other")
        assert (await failure(where)).code == "router-failed"
        router.description = "<root"
        assert (await failure(where)).code == "router-failed"


@in_loop
async def test_no_router() -> None:
    async with box() as (router, where):
        for location in ("http://8.8.8.8/root.xml", "https://127.0.0.1/x", "http://name/x", "", "http://[::1/"):
            router.location = location
            assert (await failure(where)).code == "no-router"
        assert router.calls == []


@in_loop
async def test_without_the_extra() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "async_upnp_client", None)
        assert not can_map_ports()
        error = await failure((HOST, 9))
    assert (type(error), error.code) == (LocalError, "upnp-missing")
    assert "hocp2p[upnp]" in error.message
    assert can_map_ports()


def test_the_library_does_not_write_over_the_screen(capfd: pytest.CaptureFixture[str]) -> None:
    program = "import hocp2p.net.port_mapping, logging; logging.getLogger('async_upnp_client.ssdp').error('spoilt')"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert capfd.readouterr() == ("", "")


@in_loop
async def test_a_port_that_is_none() -> None:
    assert (await failure((HOST, 9), 0)).code == "bad-address"
