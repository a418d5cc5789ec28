"""The list of tables in the same network: multicast DNS service discovery (RFC 6762, RFC 6763), by python-zeroconf.

A convenience only: whoever is in the network can announce anything. What is found here says where to dial; who answers
there is settled by the pinned certificate or by comparing keys.

A table is an instance of ``_hocp2p._tcp.local.`` whose TXT record holds ``v`` (the version of the protocol), ``t`` (the
title, UTF-8), ``k`` (the host's identity key, base 32 without padding) and ``s`` (seats taken and seats, ``2/3``).
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import ipaddress
import re
import socket
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from zeroconf import DNSQuestionType, Error, InterfaceChoice, IPVersion, ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from hocp2p.errors import LinkError, LocalError
from hocp2p.net.address import AddressKind, ranked_addresses, verify_port

SERVICE: Final = "_hocp2p._tcp.local."
KEY_BYTES: Final = 32
MAX_TITLE_CHARACTERS: Final = 40
MAX_VERSION: Final = 65_535
MAX_SEATS: Final = 9
MAX_FOUND: Final = 32
"""Tables that are looked at; a stranger may announce any number."""
MAX_HOSTS: Final = 8
"""Addresses of one table."""
BROWSE_S: Final = 3.0

_MAX_TITLE_BYTES: Final = 200  # a TXT string has 255 in all
_SEATS: Final = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")
_LABEL_CHARACTERS: Final = 20
_GOODBYE_S: Final = 3.0
_GIVEN: Final = (AddressKind.LAN, AddressKind.INTERNET, AddressKind.IPV6, AddressKind.VPN)


class Found(NamedTuple):
    """A table that announces itself. Nothing of it is proved.

    Args:
        title: cleaned; may be empty, and may be anybody's.
        addresses: hosts to dial, 1 to MAX_HOSTS; link-local ones with their zone, at the end.
        port: 1..65535.
        key: the identity key that it says it has, 32 bytes.
        free: seats that are free.
        version: of its protocol.
    """

    title: str
    addresses: tuple[str, ...]
    port: int
    key: bytes
    free: int
    version: int


@dataclass(frozen=True)
class Announcement:
    """What a table says of itself in its network.

    Raises:
        LocalError: ``bad-announcement`` for a key of another size or numbers out of bounds; ``bad-address``.
    """

    title: str
    port: int
    key: bytes
    seats_taken: int
    seats: int
    version: int

    def __post_init__(self) -> None:
        verify_port(self.port)
        seats_fit = 0 <= self.seats_taken <= self.seats <= MAX_SEATS
        if len(self.key) != KEY_BYTES or not seats_fit or not 0 <= self.version <= MAX_VERSION:
            raise LocalError("bad-announcement", f"no table has such a key, seats or version: {self}")


class Announcer:
    """An announcement in the network, as long as :func:`announce` is entered."""

    def __init__(self, zeroconf: AsyncZeroconf, announcement: Announcement, hosts: Sequence[str]) -> None:
        self._zeroconf = zeroconf
        self._announcement = announcement
        self._packed = [ipaddress.ip_address(host).packed for host in hosts]
        # By key and port, so that tables with the same title do not get into each other's way.
        self._label = f"{_format_key(announcement.key)[:_LABEL_CHARACTERS]}-{announcement.port}"

    async def begin(self) -> None:
        """Called by :func:`announce`, once."""
        info = self._info(f"{self._label}.{SERVICE}")
        await (await self._zeroconf.async_register_service(info, allow_name_change=True))
        self._name = info.name

    async def update(self, *, title: str | None = None, seats_taken: int | None = None) -> None:
        """Tells the network what has changed.

        Raises:
            LinkError: ``no-multicast``.
            LocalError: ``bad-announcement``.
        """
        was = self._announcement
        self._announcement = Announcement(
            was.title if title is None else title,
            was.port,
            was.key,
            was.seats_taken if seats_taken is None else seats_taken,
            was.seats,
            was.version,
        )
        with _as_link_error():
            await (await self._zeroconf.async_update_service(self._info(self._name)))

    def _info(self, name: str) -> AsyncServiceInfo:
        told = self._announcement
        properties = {
            "v": str(told.version),
            "t": clean_title(told.title).encode()[:_MAX_TITLE_BYTES].decode(errors="ignore"),
            "k": _format_key(told.key),
            "s": f"{told.seats_taken}/{told.seats}",
        }
        server = f"{name.removesuffix(f'.{SERVICE}')}.local."
        return AsyncServiceInfo(
            SERVICE, name, port=told.port, addresses=self._packed, properties=properties, server=server
        )


@asynccontextmanager
async def announce(
    announcement: Announcement, *, interfaces: Sequence[str] | None = None, hosts: Sequence[str] | None = None
) -> AsyncIterator[Announcer]:
    """Announces a table until left: ``async with announce(Announcement(...)) as announcer: ...``.

    Args:
        announcement: what is told at first; see :meth:`Announcer.update`.
        interfaces: IP addresses of the interfaces that it is told on; all by default.
        hosts: IP addresses where the table is to be reached; those of this machine by default.

    Raises:
        LinkError: ``no-multicast``, this machine or its network does not let us.
    """
    own = _given_hosts() if hosts is None else hosts
    async with _open(interfaces) as zeroconf:
        announcer = Announcer(zeroconf, announcement, own)
        with _as_link_error():
            await announcer.begin()
        yield announcer


def _given_hosts() -> list[str]:
    """Our addresses that others can use; without a network, those of the loopback."""
    ranked = ranked_addresses()
    return [host for host, kind in ranked if kind in _GIVEN][:MAX_HOSTS] or [ranked[0].host.partition("%")[0]]


async def browse(
    timeout_s: float = BROWSE_S,
    *,
    interfaces: Sequence[str] | None = None,
    clean: Callable[[str], str] | None = None,
) -> tuple[Found, ...]:
    """The tables that announce themselves, by title; those that say nonsense are left out.

    Args:
        timeout_s: for how long it is listened. What is there already answers within two.
        interfaces: IP addresses of the interfaces to ask on; all by default.
        clean: makes a stranger's title fit to be shown, after the bounds of :func:`clean_title`.

    Raises:
        LinkError: ``no-multicast``.
    """
    async with _open(interfaces) as zeroconf, asyncio.TaskGroup() as group:
        end_s = asyncio.get_running_loop().time() + timeout_s
        asked: dict[str, asyncio.Task[Found | None]] = {}

        def note(name: str, state_change: ServiceStateChange, **_: object) -> None:
            """Called by keyword, in the event loop."""
            if state_change is ServiceStateChange.Removed and name in asked:
                asked.pop(name).cancel()
            elif state_change is ServiceStateChange.Added and name not in asked and len(asked) < MAX_FOUND:
                asked[name] = group.create_task(_resolve(zeroconf, name, end_s))

        # Answers are asked for by multicast: those by unicast may reach another program of this machine instead.
        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[note], question_type=DNSQuestionType.QM)
        try:
            await asyncio.sleep(timeout_s)
        finally:
            await browser.async_cancel()
    found = (task.result() for task in asked.values())
    # Whoever announces the key and port of another stands beside it in the list, and does not take its place.
    tables = dict.fromkeys(table for table in found if table is not None)
    cleaned = (table if clean is None else table._replace(title=clean(table.title)) for table in tables)
    return tuple(sorted(cleaned, key=lambda table: (table.title, table.key)))


async def _resolve(zeroconf: AsyncZeroconf, name: str, end_s: float) -> Found | None:
    """What an instance says of itself; None where it does not answer in time, or not in our form.

    Args:
        end_s: until when, by the clock of the loop.
    """
    left_s = end_s - asyncio.get_running_loop().time()
    try:
        info = AsyncServiceInfo(SERVICE, name)
        if not await info.async_request(zeroconf.zeroconf, left_s * 1000, DNSQuestionType.QM):
            return None
    except (Error, ValueError):  # a name that no instance can have: a stranger's choice, too
        return None
    return _read(info.parsed_scoped_addresses(), info.port, info.properties)


def _read(hosts: Sequence[str], port: int | None, properties: dict[bytes, bytes | None]) -> Found | None:
    """An announcement, or None where it breaks a bound. Everything in it may be a stranger's choice."""
    told = {key: (properties.get(key.encode()) or b"")[:255].decode("utf-8", "replace") for key in "vtks"}
    key, seats = _parse_key(told["k"]), _SEATS.fullmatch(told["s"])
    version = int(told["v"]) if re.fullmatch(r"[0-9]{1,5}", told["v"]) else MAX_VERSION + 1
    usable = sorted(filter(_is_usable, hosts), key=_is_link_local)[:MAX_HOSTS]
    if key is None or seats is None or not usable or not port or not 1 <= port <= 65_535 or version > MAX_VERSION:
        return None
    taken, count = int(seats[1]), int(seats[2])
    if not taken <= count <= MAX_SEATS:
        return None
    return Found(clean_title(told["t"]), tuple(usable), port, key, count - taken, version)


def _is_usable(host: str) -> bool:
    """Whether a table can be there; also on the loopback, where a machine has no network."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return not (address.is_unspecified or address.is_multicast or address.is_reserved)


def _is_link_local(host: str) -> bool:
    return ipaddress.ip_address(host).is_link_local


def clean_title(text: str) -> str:
    """``text`` without control, format and private characters, in one line of MAX_TITLE_CHARACTERS at most."""
    spaced = (" " if character.isspace() else character for character in text)
    shown = (character for character in spaced if character == " " or unicodedata.category(character)[0] not in "CZ")
    return " ".join("".join(shown).split())[:MAX_TITLE_CHARACTERS].rstrip()


def _format_key(key: bytes) -> str:
    return base64.b32encode(key).decode().rstrip("=").lower()


def _parse_key(text: str) -> bytes | None:
    try:
        key = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    except (binascii.Error, ValueError):
        return None
    return key if len(key) == KEY_BYTES else None


@asynccontextmanager
async def _open(interfaces: Sequence[str] | None) -> AsyncIterator[AsyncZeroconf]:
    """Multicast sockets on these interfaces; at the end what we announced is taken back. Raises LinkError."""
    with _as_link_error():
        zeroconf = _sockets(InterfaceChoice.All if interfaces is None else list(interfaces))
    try:
        with _as_link_error():
            await zeroconf.zeroconf.async_wait_for_start()
        yield zeroconf
    finally:
        with suppress(OSError, TimeoutError, Error):  # what is not taken back runs out
            await asyncio.shield(asyncio.wait_for(zeroconf.async_close(), _GOODBYE_S))


def _sockets(interfaces: InterfaceChoice | list[str]) -> AsyncZeroconf:
    """For both families where the machine has both, else for IPv4."""
    if isinstance(interfaces, list) or not socket.has_ipv6:
        return AsyncZeroconf(interfaces=interfaces)
    try:
        return AsyncZeroconf(interfaces=interfaces, ip_version=IPVersion.All)
    except (OSError, RuntimeError):
        return AsyncZeroconf(interfaces=interfaces)


@contextmanager
def _as_link_error() -> Iterator[None]:
    """What the library raises where there is no multicast: errors of sockets, of its own, and RuntimeError."""
    try:
        yield
    except (OSError, RuntimeError, Error) as error:
        told = "this machine or its network lets no multicast pass, so there is no list of tables; use an address"
        raise LinkError("no-multicast", told) from error
