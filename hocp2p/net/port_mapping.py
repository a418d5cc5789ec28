"""Opening a port in a home router: UPnP Internet Gateway Device, services WANIPConnection and WANPPPConnection.

Needs the extra ``hocp2p[upnp]``. The lease is finite, renewed at half of it and taken back at the end; only routers
that know no leases (error 725) keep the port open until it is taken back, and after a crash of ours until they restart.

Whoever is in the network may answer in the router's place, with anything: a router must describe itself from the
address that answered, and times, sizes and numbers are bounded.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from hocp2p.errors import LinkError, LocalError
from hocp2p.net.address import Address, AddressKind, is_shared, ranked_addresses, verify_port

if TYPE_CHECKING:  # the extra may not be there
    from async_upnp_client.client import UpnpService
    from async_upnp_client.search import SsdpSearchListener
    from async_upnp_client.utils import CaseInsensitiveDict

LEASE_S: Final = 3600
SEARCH_S: Final = 2.5
"""How long answers of routers are awaited."""
MAX_ROUTERS: Final = 4
"""Devices that are asked; anybody in the network may say that he is one."""
EXTERNAL_PORTS: Final = 10
"""External ports that are tried, from our own upwards."""

_DEVICE: Final = "urn:schemas-upnp-org:device:InternetGatewayDevice:1"  # those of version 2 answer, too
_SERVICES: Final = tuple(
    f"urn:schemas-upnp-org:service:{name}" for name in ("WANIPConnection:2", "WANIPConnection:1", "WANPPPConnection:1")
)
_MAX_WAYS: Final = 3  # networks of ours that are asked
_ANYWHERE: Final = "0.0.0.0"  # noqa: S104 # nothing is bound to it: the system picks the network
_TIMEOUT_S: Final = 5
_MX_S: Final = 1  # over which those who answer may spread their answers (UPnP Device Architecture)
_DESCRIPTION: Final = "hocp2p"
# Error codes of WANIPConnection, section 2.4.16.
_CONFLICT: Final = 718
_ONLY_PERMANENT_LEASES: Final = 725

_LOGGER: Final = logging.getLogger("hocp2p.net.port_mapping")
logging.getLogger("async_upnp_client").addHandler(logging.NullHandler())  # else its errors go over the screen


@dataclass(frozen=True)
class PortMapping:
    """A port of a router that leads to ours.

    Args:
        external: where others dial.
        lease_s: for how long the router keeps it unless we renew it; 0: until it is taken back.
    """

    external: Address
    lease_s: int


def can_map_ports() -> bool:
    """Whether the extra is installed."""
    try:
        import async_upnp_client  # noqa: F401 # only whether it can be loaded
    except ImportError:
        return False
    return True


@asynccontextmanager
async def open_port(
    port: int,
    lease_s: int = LEASE_S,
    *,
    search_target: tuple[str, int] | None = None,
    on_lost: Callable[[LinkError], None] | None = None,
) -> AsyncIterator[PortMapping]:
    """Opens a port until left: ``async with open_port(7411) as mapping: ...``.

    Args:
        port: TCP port that we listen on, also the external one unless that is taken.
        lease_s: how long the router is to keep it without us, at least 2.
        search_target: host and UDP port that is asked for a router; the multicast group by default.
        on_lost: told each time the port could not be renewed, which is tried again after another half of the lease;
            and with ``address-changed`` when the router got another address, which guests must be told.

    Raises:
        LocalError: ``upnp-missing``, the extra is not installed; ``bad-address``.
        LinkError: ``no-router``, none answers; ``router-refused``, with its own reason; ``router-failed``, it answers
            nothing that makes sense; ``router-offline``; ``no-free-port``; ``carrier-nat``, what it calls outside is
            not the Internet.
    """
    verify_port(port)
    router = await find_router(search_target)
    host = await router.external_host()
    mapping = asyncio.create_task(_map(router, port, max(2, lease_s)))
    try:
        external_port, granted_s = await asyncio.shield(mapping)
    except asyncio.CancelledError:
        await _take_back(router, mapping)
        raise
    opened = PortMapping(Address(host, external_port), granted_s)
    renewal = asyncio.create_task(_renew(router, opened, port, on_lost))
    try:
        yield opened
    finally:
        renewal.cancel()
        await asyncio.wait([renewal])
        with suppress(LinkError):  # it ends with its lease
            await asyncio.shield(router.remove(external_port))


class Router:
    """A router that was found, and the address by which it knows us."""

    def __init__(self, service: UpnpService, own_host: str) -> None:
        self._service = service
        self._own_host = own_host

    async def external_host(self) -> str:
        """Its public IPv4 address. Raises LinkError ``router-offline``, ``carrier-nat``, or as :meth:`call`."""
        said = (await self.call("GetExternalIPAddress")).get("NewExternalIPAddress")
        try:
            address = ipaddress.IPv4Address(said if isinstance(said, str) else "")
        except ValueError as error:
            raise LinkError("router-failed", "the router does not know its own address; is it online?") from error
        if address.is_unspecified:
            raise LinkError("router-offline", "the router has no address outside at the moment; is it connected?")
        if not address.is_global or address.is_multicast or is_shared(address):
            told = f"the router's own address {address} is not public: your carrier has a NAT, too; use a tunnel"
            raise LinkError("carrier-nat", told)
        return str(address)

    async def add(self, external_port: int, port: int, lease_s: int) -> None:
        """Opens or renews. Raises as :meth:`call`."""
        await self.call(
            "AddPortMapping",
            **_target(external_port),
            NewInternalPort=port,
            NewInternalClient=self._own_host,
            NewEnabled=True,
            NewPortMappingDescription=_DESCRIPTION,
            NewLeaseDuration=lease_s,
        )

    async def remove(self, external_port: int) -> None:
        """Closes. Raises as :meth:`call`."""
        await self.call("DeletePortMapping", **_target(external_port))

    async def call(self, action: str, **arguments: Any) -> Mapping[str, Any]:
        """What it answers. Raises RouterRefusedError, or LinkError ``router-failed``."""
        from async_upnp_client.exceptions import UpnpActionError

        with _nonsense_as("the router offers UPnP but gives no sensible answer; forward the port in it by hand"):
            try:
                async with asyncio.timeout(_TIMEOUT_S):
                    return await self._service.action(action).async_call(**arguments)
            except UpnpActionError as error:
                raise RouterRefusedError(error.error_code or 0, str(error.error_desc or "")) from error


class RouterRefusedError(LinkError):
    """``router-refused``; ``reason`` is its own number for it."""

    def __init__(self, reason: int, said: str) -> None:
        shown = "".join(character for character in said if character.isprintable())[:60]
        told = f"the router does not open the port (error {reason} {shown}".rstrip()
        super().__init__("router-refused", f"{told}); allow UPnP in it, or forward the port by hand")
        self.reason = reason


async def find_router(search_target: tuple[str, int] | None = None) -> Router:
    """The first router in the network that lets ports be opened. Asks by multicast; opens nothing.

    Raises:
        LocalError: ``upnp-missing``.
        LinkError: ``no-router``, or ``router-failed`` where one answers and cannot be understood.
    """
    if not can_map_ports():
        told = 'opening a port needs a library that is not installed: python -m pip install "hocp2p[upnp]"'
        raise LocalError("upnp-missing", told)
    failed: LinkError | None = None
    for location in await _search(search_target):
        try:
            return await _meet(location)
        except LinkError as error:
            failed = error
    raise failed or LinkError(
        "no-router", "no router here opens ports by UPnP; forward the port by hand, or use a tunnel"
    )


async def _search(target: tuple[str, int] | None) -> list[str]:
    """Where the descriptions of routers lie, in the order in which they answered."""
    found: dict[str, None] = {}

    def note(headers: CaseInsensitiveDict) -> None:
        location = str(headers.get("location", ""))
        if len(found) < MAX_ROUTERS and _is_at(location, headers.get("_host")):
            found[location] = None

    async with AsyncExitStack() as stack:
        listeners: list[SsdpSearchListener] = []
        for way in _ways() if target is None else [target[0]]:
            with suppress(OSError):  # a network without multicast, or just gone
                listeners.append(await _listen(stack, note, way, target))
        for _ in range(2):  # a datagram may be lost
            for listener in listeners:
                listener.async_search()
            await asyncio.sleep(SEARCH_S / 2)
    return list(found)


async def _listen(
    stack: AsyncExitStack, note: Callable[[CaseInsensitiveDict], None], way: str, target: tuple[str, int] | None
) -> SsdpSearchListener:
    """Hears the answers to what we ask from our address ``way``, until ``stack`` is left. Raises OSError."""
    from async_upnp_client.search import SsdpSearchListener

    listener = SsdpSearchListener(callback=note, source=(way, 0), target=target, timeout=_MX_S, search_target=_DEVICE)
    await listener.async_start()
    stack.callback(listener.async_stop)
    return listener


def _ways() -> list[str]:
    """Our addresses in ordinary networks. The default route alone would miss the router where a tunnel has taken it."""
    hosts = [host for host, kind in ranked_addresses() if kind is AddressKind.LAN and ":" not in host]
    return hosts[:_MAX_WAYS] or [_ANYWHERE]


def _is_at(location: str, answered: object) -> bool:
    """Whether a description lies where the answer came from, in our own network: nobody sends us elsewhere."""
    try:
        parts = urlsplit(location)
        near = not ipaddress.ip_address(parts.hostname or "").is_global
        return parts.scheme == "http" and near and parts.hostname == answered
    except ValueError:
        return False


async def _meet(location: str) -> Router:
    """Reads what a router can do. Raises LinkError ``router-failed``."""
    from async_upnp_client.client_factory import UpnpFactory

    from hocp2p.net.upnp_http import BoundedRequester

    factory = UpnpFactory(BoundedRequester(_TIMEOUT_S), non_strict=True)
    with _nonsense_as("a router answers, but it does not offer to open ports; forward the port in it by hand"):
        async with asyncio.timeout(_TIMEOUT_S * 2):
            device = await factory.async_create_device(location)
        services = {service.service_type: service for each in device.all_devices for service in each.services.values()}
        names = [name for name in _SERVICES if name in services]
        return Router(services[names[0]], _own_host(location))


@contextmanager
def _nonsense_as(told: str) -> Iterator[None]:
    """LinkError ``router-failed`` for silence, and for all that the library stumbles over in what a stranger wrote."""
    from aiohttp import ClientError
    from async_upnp_client.exceptions import UpnpError

    try:
        yield
    except (
        UpnpError, ClientError, OSError, TimeoutError,
        ValueError, LookupError, AttributeError, TypeError, ArithmeticError, SyntaxError, RecursionError,
    ) as error:  # fmt: skip
        raise LinkError("router-failed", told) from error


def _own_host(location: str) -> str:
    """With which address we go to the router. Sends nothing."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        probe.connect((urlsplit(location).hostname, 9))
        return str(probe.getsockname()[0])


async def _map(router: Router, port: int, lease_s: int) -> tuple[int, int]:
    """The external port, and the lease that was granted. Raises LinkError."""
    for external_port in range(port, min(port + EXTERNAL_PORTS, 65_536)):
        try:
            try:
                await router.add(external_port, port, lease_s)
            except RouterRefusedError as error:
                if error.reason != _ONLY_PERMANENT_LEASES:
                    raise
                lease_s = 0
                await router.add(external_port, port, lease_s)
            return external_port, lease_s
        except RouterRefusedError as error:
            if error.reason != _CONFLICT:
                raise
    told = f"port {port} of the router and those after it are taken by others; choose another with --port"
    raise LinkError("no-free-port", told)


async def _take_back(router: Router, mapping: asyncio.Task[tuple[int, int]]) -> None:
    """We were cancelled while the router thought: what it opens after all is closed, what it refuses is not ours."""
    with suppress(LinkError, TimeoutError):
        async with asyncio.timeout(_TIMEOUT_S):
            external_port, _ = await mapping
            await router.remove(external_port)


async def _renew(router: Router, opened: PortMapping, port: int, on_lost: Callable[[LinkError], None] | None) -> None:
    """At half of each lease; never where there is none."""
    host = opened.external.host
    while opened.lease_s:
        await asyncio.sleep(opened.lease_s / 2)
        try:
            await router.add(opened.external.port, port, opened.lease_s)
            was, host = host, await router.external_host()
            if was != host:
                raise LinkError("address-changed", f"the router's address is now {host}; guests need a new invite")
        except LinkError as error:
            _LOGGER.warning("the port is not as it was: %s", error.code)
            if on_lost is not None:
                on_lost(error)


def _target(external_port: int) -> dict[str, Any]:
    """A port for TCP, for everybody."""
    return {"NewRemoteHost": "", "NewExternalPort": external_port, "NewProtocol": "TCP"}
