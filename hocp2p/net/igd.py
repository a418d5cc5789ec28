"""A router that opens ports when asked: UPnP Internet gateway devices, versions 1 and 2, by async-upnp-client.

Needs the extra ``hocp2p[upnp]``; :mod:`hocp2p.net.port_mapping` imports it when it is wanted. Whoever is in the network
may answer instead of the router, and any answer may be nonsense: sizes and times are bounded, it must describe itself
from where it answered, and what the library cannot read becomes a LinkError.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
from async_upnp_client.client import UpnpRequester, UpnpService
from async_upnp_client.client_factory import UpnpFactory
from async_upnp_client.const import HttpRequest, HttpResponse
from async_upnp_client.exceptions import UpnpActionError, UpnpError, UpnpResponseError
from async_upnp_client.search import SsdpSearchListener
from async_upnp_client.utils import CaseInsensitiveDict

from hocp2p.errors import LinkError
from hocp2p.net.address import Address, AddressKind, ranked_addresses

SEARCH_S: Final = 3.0
REQUEST_S: Final = 4.0
ROUTER_S: Final = 10.0
"""For all that a router is asked while it introduces itself."""
MAX_ROUTERS: Final = 4
MAX_BODY_BYTES: Final = 262_144
DESCRIPTION: Final = "hocp2p"
"""How the port is named in the router's own list."""

_TYPES: Final = tuple(f"urn:schemas-upnp-org:device:InternetGatewayDevice:{version}" for version in (1, 2))
_ACTIONS: Final = ("GetExternalIPAddress", "AddPortMapping", "DeletePortMapping")
_MAX_WAYS: Final = 3
_ANYWHERE: Final = "0.0.0.0"  # noqa: S104 # nothing is bound to it: the system picks the interface to ask on
_AFTER_FIRST_S: Final = 0.3
_WAIT_S: Final = 2  # that the answering devices may spread their answers over (MX)
# What the library raises over descriptions that are not as it expects, besides its own errors.
_NONSENSE: Final = (UpnpError, ValueError, LookupError, AttributeError, TypeError, ArithmeticError, SyntaxError)

_LIBRARY: Final = logging.getLogger("async_upnp_client")
_LIBRARY.setLevel(logging.CRITICAL)  # what goes wrong is told by our errors, and traffic is not logged


class Router:
    """A gateway that has introduced itself. Each method raises LinkError: ``router-silent``, ``router-refused`` or
    ``bad-router``, an answer that makes no sense.

    Args:
        host: its IP address.
        client: our own IP address on the way to it.
        service: its connection to the Internet.
    """

    def __init__(self, host: str, client: str, service: UpnpService) -> None:
        self.host = host
        self.client = client
        self._service = service

    async def external_host(self) -> ipaddress.IPv4Address:
        """Its own address on the other side, whatever that is worth; ``0.0.0.0`` where it has none."""
        told = (await self._call("GetExternalIPAddress")).get("NewExternalIPAddress")
        try:
            return ipaddress.IPv4Address(str(told).strip() if told else _ANYWHERE)
        except ValueError as error:
            raise LinkError("bad-router", "the router tells no address that could be its own") from error

    async def add(self, external_port: int, internal_port: int, lease_s: int) -> int | None:
        """Asks that TCP connections to a port of the router come to a port of ours; again for a longer lease.

        Args:
            external_port, internal_port: 1..65535.
            lease_s: how long; 0: until deleted.

        Returns:
            None where it is done, else the error code of the router (WANIPConnection:2, section 2.5.16).
        """
        try:
            await self._call(
                "AddPortMapping",
                NewRemoteHost="",  # anybody; "0.0.0.0" would be an address to some
                NewExternalPort=external_port,
                NewProtocol="TCP",
                NewInternalPort=internal_port,
                NewInternalClient=self.client,
                NewEnabled=True,
                NewPortMappingDescription=DESCRIPTION,
                NewLeaseDuration=lease_s,
            )
        except LinkError as error:
            if isinstance(error.__cause__, UpnpActionError) and error.__cause__.error_code:
                return error.__cause__.error_code
            raise
        return None

    async def delete(self, external_port: int) -> None:
        """Takes a port back."""
        await self._call("DeletePortMapping", NewRemoteHost="", NewExternalPort=external_port, NewProtocol="TCP")

    async def _call(self, action: str, **arguments: Any) -> dict[str, Any]:
        with _as_link_error():
            return dict(await self._service.action(action).async_call(**arguments))


async def find_router(search_s: float = SEARCH_S, target: Address | None = None) -> Router:
    """The router that answers, and opens ports.

    Args:
        search_s: for how long one is waited for.
        target: where to ask; by default everybody in our networks is asked (multicast).

    Raises:
        LinkError: ``no-router``, none answers; or why the one that answers cannot be used, as :class:`Router`.
    """
    failure = LinkError(
        "no-router", "no router answers: it has no UPnP, or it is switched off there; forward the port in it by hand"
    )
    for location in await _search(search_s, target):
        try:
            async with asyncio.timeout(ROUTER_S):
                return await _introduce(location)
        except TimeoutError:
            failure = _silent()
        except LinkError as error:
            failure = error
    raise failure


async def _search(search_s: float, target: Address | None) -> list[str]:
    """Where the gateways that answer describe themselves, in the order of their answers."""
    locations: dict[str, None] = {}
    answered = asyncio.Event()

    def note(headers: CaseInsensitiveDict) -> None:
        location = str(headers.get("location"))
        if headers.get("st") in _TYPES and _host_of(location) == headers.get("_host") and len(locations) < MAX_ROUTERS:
            locations[location] = None
            answered.set()

    async with AsyncExitStack() as stack:
        listeners = []
        for way in _ways() if target is None else [target.host]:
            for device in _TYPES:
                listener = SsdpSearchListener(
                    callback=note,
                    source=(way, 0),
                    target=None if target is None else (target.host, target.port),
                    timeout=_WAIT_S,
                    search_target=device,
                )
                try:
                    await listener.async_start()
                except (OSError, UpnpError):  # an interface without multicast, or just gone
                    continue
                stack.callback(listener.async_stop)
                listeners.append(listener)
        for _ in range(2):  # a datagram may be lost
            for listener in listeners:
                listener.async_search()
            if await _happens(answered, search_s / 2):
                await asyncio.sleep(_AFTER_FIRST_S)
                break
    return list(locations)


async def _happens(event: asyncio.Event, timeout_s: float) -> bool:
    try:
        async with asyncio.timeout(timeout_s):
            return await event.wait()
    except TimeoutError:
        return False


def _ways() -> list[str]:
    """Our addresses in ordinary networks; a router is no more asked through a virtual one."""
    hosts = [host for host, kind in ranked_addresses() if kind is AddressKind.LAN and ":" not in host]
    return hosts[:_MAX_WAYS] or [_ANYWHERE]


def _host_of(location: str) -> str | None:
    """The host of an ``http://`` location. A router that names another host than itself sends us elsewhere."""
    try:
        parts = urlsplit(location)
        return parts.hostname if parts.scheme == "http" else None
    except ValueError:
        return None


async def _introduce(location: str) -> Router:
    """Reads a description. Raises LinkError as :class:`Router`."""
    host = _host_of(location) or ""
    with _as_link_error():
        device = await UpnpFactory(_Requester(), non_strict=True).async_create_device(location)
        services = [service for service in device.all_services if all(map(service.has_action, _ACTIONS))]
        client = _way_to(host)
    if not services:
        raise LinkError("bad-router", "a router answers, but it opens no ports")
    routers = [Router(host, client, service) for service in services]
    for router in routers[:-1]:  # some have several connections, of which one is up
        try:
            if not (await router.external_host()).is_unspecified:
                return router
        except LinkError:
            continue
    return routers[-1]


def _way_to(host: str) -> str:
    """Our own address on the way to ``host``. Sends nothing."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        probe.connect((host, 9))
        return str(probe.getsockname()[0])


class _Requester(UpnpRequester):
    """HTTP with bounds: of time and size, no redirects, nothing unpacked."""

    async def async_http_request(self, http_request: HttpRequest) -> HttpResponse:
        timeout = aiohttp.ClientTimeout(total=REQUEST_S)
        async with (
            aiohttp.ClientSession(timeout=timeout, auto_decompress=False) as session,
            session.request(
                http_request.method,
                http_request.url,
                headers={"Accept-Encoding": "identity", **http_request.headers},
                data=http_request.body,
                allow_redirects=False,
            ) as response,
        ):
            body = bytearray()
            async for chunk in response.content.iter_chunked(8192):
                body += chunk
                if len(body) > MAX_BODY_BYTES:
                    raise UpnpError(message="too long an answer")
            return HttpResponse(response.status, dict(response.headers), body.decode("utf-8", "replace"))


@contextmanager
def _as_link_error() -> Iterator[None]:
    """What a router, or who plays it, can bring about."""
    try:
        yield
    except UpnpActionError as error:
        told = f"the router refuses (its error {error.error_code}); allow UPnP in it, or forward the port by hand"
        raise LinkError("router-refused", told) from error
    except UpnpResponseError as error:
        raise _nonsense() from error
    except (OSError, aiohttp.ClientConnectionError) as error:
        raise _silent() from error
    except (aiohttp.ClientError, *_NONSENSE) as error:
        raise _nonsense() from error


def _silent() -> LinkError:
    return LinkError("router-silent", "the router no longer answers what it is asked; forward the port in it by hand")


def _nonsense() -> LinkError:
    return LinkError("bad-router", "the router answers what makes no sense; forward the port in it by hand")
