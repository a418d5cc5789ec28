"""The list of tables in a network: what is told is found, and what strangers tell is bounded."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import DNSOutgoing, DNSPointer  # type: ignore[attr-defined] # there for all, though not in __all__
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf
from zeroconf.const import _CLASS_IN, _FLAGS_AA, _FLAGS_QR_RESPONSE, _TYPE_PTR

from hocp2p.errors import LinkError, LocalError
from hocp2p.net import discovery
from hocp2p.net.discovery import MAX_FOUND, MAX_HOSTS, SERVICE, Announcement, Found, announce, browse, clean_title
from hocp2p.record.lock import hold_lock
from tests.support.namespaces import open_lan, why_not
from tests.support.running import in_loop

LOOPBACK: Final = ["127.0.0.1"]
ANNA: Final = Announcement("anna's table", 7411, bytes(range(32)), 1, 3, 1)
BROWSE_S: Final = 2.5


@pytest.fixture(autouse=True)
def _heard_by_nobody_else(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One process at a time: what is announced over loopback is heard by all that run these tests."""
    if request.node.get_closest_marker("sockets") is None:
        yield
        return
    path = tmp_path_factory.getbasetemp().parent / "multicast.lock"  # where the processes of pytest-xdist meet
    with ExitStack() as stack:
        while not stack.enter_context(hold_lock(path)):
            stack.close()
            time.sleep(0.1)
        yield


async def listed() -> tuple[Found, ...]:
    return await browse(BROWSE_S, interfaces=LOOPBACK)


@pytest.mark.sockets
@in_loop
async def test_what_is_announced_is_found_until_it_is_taken_back() -> None:
    bruno = Announcement("anna's table", 7412, bytes(32), 2, 2, 7)
    async with announce(ANNA, interfaces=LOOPBACK, hosts=["127.0.0.1"]) as announcer:
        assert await listed() == (Found("anna's table", ("127.0.0.1",), 7411, bytes(range(32)), 2, 1),)
        async with announce(bruno, interfaces=LOOPBACK, hosts=["127.0.0.1"]):
            assert [(found.port, found.key, found.free) for found in await listed()] == [
                (7412, bytes(32), 0),
                (7411, bytes(range(32)), 2),
            ]
        await announcer.update(seats_taken=3, title="one more")
        (found,) = await listed()
        assert (found.title, found.free, found.port) == ("one more", 0, 7411)
        with pytest.raises(LocalError):
            await announcer.update(seats_taken=4)
    assert await listed() == ()


@pytest.mark.sockets
@in_loop
async def test_one_host_with_two_tables() -> None:
    second = Announcement("second", 7412, ANNA.key, 0, 2, 1)
    async with (
        announce(ANNA, interfaces=LOOPBACK, hosts=["127.0.0.1"]),
        announce(second, interfaces=LOOPBACK, hosts=["127.0.0.1"]),
    ):
        assert {(found.port, found.title) for found in await listed()} == {(7411, "anna's table"), (7412, "second")}


@pytest.mark.sockets
@in_loop
async def test_strangers_that_say_nonsense_are_left_out() -> None:
    good = {"v": "1", "t": "\x1b[2Jtable\n", "k": discovery._format_key(bytes(32)), "s": "1/2"}
    async with AsyncZeroconf(interfaces=LOOPBACK) as zeroconf:
        for number, told in enumerate([good, {**good, "k": "short"}, {"t": "no key"}, {}]):
            info = AsyncServiceInfo(
                SERVICE, f"x{number}.{SERVICE}", port=7411, parsed_addresses=["127.0.0.1"], properties=told,
                server=f"x{number}.local.",
            )  # fmt: skip
            await (await zeroconf.async_register_service(info))
        assert [found.title for found in await browse(BROWSE_S, interfaces=LOOPBACK, clean=str.upper)] == ["[2JTABLE"]


@pytest.mark.sockets
@in_loop
async def test_names_that_no_instance_can_have() -> None:
    names = ["evil._other._tcp.local.", "local.", f"\x1b[2J.{SERVICE}", SERVICE, f".{SERVICE}", f"{'é' * 30}.{SERVICE}"]
    async with AsyncZeroconf(interfaces=LOOPBACK) as zeroconf, announce(ANNA, interfaces=LOOPBACK, hosts=LOOPBACK):

        async def shout() -> None:
            while True:
                told = DNSOutgoing(_FLAGS_QR_RESPONSE | _FLAGS_AA)
                for name in names:
                    told.add_answer_at_time(DNSPointer(SERVICE, _TYPE_PTR, _CLASS_IN, 4500, name), 0)
                zeroconf.zeroconf.async_send(told)
                await asyncio.sleep(0.2)

        shouting = asyncio.create_task(shout())
        assert [found.title for found in await listed()] == ["anna's table"]
        shouting.cancel()


@pytest.mark.sockets
@in_loop
async def test_whoever_copies_a_key_does_not_hide_the_table() -> None:
    properties = {"v": "1", "t": "anna's table", "k": discovery._format_key(ANNA.key), "s": "1/3"}
    async with AsyncZeroconf(interfaces=LOOPBACK) as zeroconf, announce(ANNA, interfaces=LOOPBACK, hosts=LOOPBACK):
        copy = AsyncServiceInfo(
            SERVICE, f"x.{SERVICE}", port=7411, parsed_addresses=["127.0.0.9"], properties=properties, server="x.local."
        )
        await (await zeroconf.async_register_service(copy))
        assert {found.addresses for found in await listed()} == {("127.0.0.1",), ("127.0.0.9",)}


@in_loop
async def test_a_goodbye_that_does_not_pass_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck:
        """Sockets that cannot be closed in time."""

        def __init__(self) -> None:
            self.zeroconf = self

        async def async_wait_for_start(self) -> None:
            pass

        async def async_close(self) -> None:
            await asyncio.Event().wait()

    monkeypatch.setattr(discovery, "_GOODBYE_S", 0.01)
    monkeypatch.setattr(discovery, "_sockets", lambda _: Stuck())
    async with discovery._open(None) as opened:
        assert isinstance(opened, Stuck)


def read(told: dict[str, str], hosts: list[str] | None = None, port: int | None = 1) -> Found | None:
    said = {"v": "1", "t": "title", "k": discovery._format_key(bytes(32)), "s": "1/3"} | told
    properties: dict[bytes, bytes | None] = {key.encode(): value.encode() for key, value in said.items()}
    return discovery._read(["192.168.1.5"] if hosts is None else hosts, port, properties)


def test_a_good_announcement_is_read() -> None:
    assert read({}) == Found("title", ("192.168.1.5",), 1, bytes(32), 2, 1)
    assert read({"s": "3/3"}) is not None
    assert read({"t": ""}) is not None


@pytest.mark.parametrize(
    "told",
    [
        {"k": ""}, {"k": "a"}, {"k": "é" * 52}, {"k": "a" * 255}, {"s": ""}, {"s": "4/3"}, {"s": "1/10"}, {"s": "-1/3"},
        {"s": "1/3 "}, {"s": "١/٣"}, {"v": ""}, {"v": "-1"}, {"v": "65536"}, {"v": "1" * 200}, {"v": "²"},
    ],
)  # fmt: skip
def test_what_breaks_a_bound_is_left_out(told: dict[str, str]) -> None:
    assert read(told) is None


@pytest.mark.parametrize("port", [None, 0, 65_536])
def test_ports(port: int | None) -> None:
    assert read({}, port=port) is None


def test_addresses_are_sifted_and_bounded() -> None:
    assert read({}, []) is None
    assert read({}, ["224.0.0.1", "0.0.0.0", "ff02::1", "nonsense", "240.0.0.1"]) is None  # noqa: S104 # nothing is bound
    found = read({}, ["fe80::1%2", *(f"10.0.0.{number}" for number in range(1, 20))])
    assert found is not None
    assert len(found.addresses) == MAX_HOSTS
    found = read({}, ["fe80::1%2", "2a02::7"])
    assert found is not None
    assert found.addresses == ("2a02::7", "fe80::1%2")


@given(
    st.dictionaries(st.sampled_from([b"v", b"t", b"k", b"s"]) | st.binary(max_size=3), st.binary() | st.none()),
    st.lists(st.text(max_size=20) | st.ip_addresses().map(str), max_size=20),
    st.integers(-1, 70_000) | st.none(),
)
def test_any_record_is_read_or_left_out(told: dict[bytes, bytes | None], hosts: list[str], port: int | None) -> None:
    found = discovery._read(hosts, port, told)
    assert found is None or (len(found.key) == 32 and 0 <= found.free <= discovery.MAX_SEATS)


@given(st.text())
def test_titles_are_safe_to_show(text: str) -> None:
    title = clean_title(text)
    assert len(title) <= discovery.MAX_TITLE_CHARACTERS
    assert title.isprintable()
    assert title == title.strip() == clean_title(title)


@given(st.text(max_size=300))
def test_any_title_fits_its_record(text: str) -> None:
    announcer = discovery.Announcer(None, Announcement(text, 1, bytes(32), 0, 2, 1), ["127.0.0.1"])  # type: ignore[arg-type] # it sends nothing
    properties = announcer._info(f"x.{SERVICE}").properties
    told = (properties[b"t"] or b"").decode()
    assert clean_title(text).startswith(told)
    assert clean_title(told) == told


@pytest.mark.parametrize(
    "wrong",
    [
        {"key": b""},
        {"seats_taken": 4},
        {"seats_taken": -1},
        {"seats": 10},
        {"version": 65_536},
        {"version": -1},
        {"port": 0},
    ],
)
def test_what_cannot_be_announced(wrong: dict[str, object]) -> None:
    values = {"title": "t", "port": 1, "key": bytes(32), "seats_taken": 0, "seats": 3, "version": 1} | wrong
    with pytest.raises(LocalError):
        Announcement(**values)  # type: ignore[arg-type] # every value is of its type, mypy sees their union


@pytest.mark.sockets
@pytest.mark.parametrize("error", [OSError("no"), RuntimeError("no adapter")])
@in_loop
async def test_no_multicast_is_no_traceback(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refuse(**_: object) -> None:
        raise error

    monkeypatch.setattr(discovery, "AsyncZeroconf", refuse)
    for attempt in (browse(0.1), announce(ANNA).__aenter__()):
        with pytest.raises(LinkError) as caught:
            await attempt
        assert caught.value.code == "no-multicast"


@pytest.mark.sockets
@in_loop
async def test_a_flood_of_announcements_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    resolved: list[str] = []

    async def resolve(_zeroconf: AsyncZeroconf, name: str, _end_s: float) -> None:
        resolved.append(name)

    monkeypatch.setattr(discovery, "_resolve", resolve)
    async with AsyncZeroconf(interfaces=LOOPBACK) as zeroconf:
        for number in range(MAX_FOUND + 10):
            name = f"x{number}.{SERVICE}"
            zeroconf.zeroconf.registry.async_add(AsyncServiceInfo(SERVICE, name, port=1, server="x.local."))
        await listed()
    assert len(resolved) == MAX_FOUND


@pytest.mark.sockets
@in_loop
async def test_cancelling_leaves_nothing_behind() -> None:
    entered = asyncio.Event()

    async def stay() -> None:
        async with announce(ANNA, interfaces=LOOPBACK, hosts=["127.0.0.1"]):
            entered.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(stay())
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await listed() == ()


ANNOUNCE: Final = """
import asyncio, sys
from hocp2p.net.discovery import Announcement, announce
async def main():
    async with announce(Announcement(sys.argv[1], 7411, bytes([int(sys.argv[2])] * 32), 1, 3, 1)):
        print("announced", flush=True)
        await asyncio.sleep(60)
asyncio.run(main())
"""
BROWSE: Final = """
import asyncio
from hocp2p.errors import LinkError
from hocp2p.net.discovery import browse
try:
    for found in asyncio.run(browse(3)):
        print(found.title, found.addresses[0], found.key[0])
except LinkError as error:
    print(error.code)
"""


@pytest.mark.sockets
@pytest.mark.skipif(why_not() is not None, reason=why_not() or "")
def test_two_hosts_on_a_lan_find_each_other() -> None:
    with open_lan("anna", "bruno", "carla") as lan:
        anna, bruno, carla = lan.hosts
        with (
            anna.start([sys.executable, "-c", ANNOUNCE, "annas", "1"]) as first,
            bruno.start([sys.executable, "-c", ANNOUNCE, "brunos", "2"]) as second,
        ):
            for process in (first, second):
                assert process.stdout is not None
                assert process.stdout.readline() == "announced\n"
            for host in (anna, carla):
                seen = host.run([sys.executable, "-c", BROWSE]).stdout.splitlines()
                assert seen == [f"annas {anna.address} 1", f"brunos {bruno.address} 2"]
        carla.cut()
        assert carla.run([sys.executable, "-c", BROWSE]).stdout in ("", "no-multicast\n")
