"""A port of the router that leads to ours, for as long as a table is open (UPnP, WANIPConnection:1 and :2).

Needs the extra ``hocp2p[upnp]``. It is never done unless asked for: it lets strangers reach this machine's port.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple

from hocp2p.errors import LinkError, LocalError
from hocp2p.net.address import Address, verify_port

if TYPE_CHECKING:  # needs the extra
    from hocp2p.net.igd import Router

LEASE_S: Final = 3600
MAX_LEASE_S: Final = 604_800
"""A week: the most that WANIPConnection:2 grants."""
MAX_CONFLICTS: Final = 8
"""External ports that are tried where others have them."""
RETRY_S: Final = 60.0

_CONFLICTS: Final = (718, 729)  # ConflictInMappingEntry, ConflictWithOtherMechanisms
_ONLY_PERMANENT: Final = 725  # OnlyPermanentLeasesSupported
_GOODBYE_S: Final = 5.0


class Mapping(NamedTuple):
    """A port that is open.

    Args:
        external: the router's address in the Internet, and its port; guests dial it.
        lease_s: after how long it closes by itself if we are gone; 0: never, the router grants no less.
    """

    external: Address
    lease_s: int


OnChange = Callable[[Mapping | LinkError], None]


def has_upnp() -> bool:
    """Whether the extra is installed."""
    return find_spec("async_upnp_client") is not None


async def ask_router(target: Address | None = None) -> str:
    """The router's address in the Internet. Nothing is opened.

    Args:
        target: where a router is looked for; by default in all of our networks.

    Raises:
        LinkError, LocalError: as :func:`open_port`.
    """
    return str(await _public_host(await _find(target)))


@asynccontextmanager
async def open_port(
    port: int, lease_s: int = LEASE_S, *, on_change: OnChange | None = None, target: Address | None = None
) -> AsyncIterator[Mapping]:
    """Opens a port in the router until left: ``async with open_port(7411) as mapping: ...``.

    The lease is renewed at its half, and deleted at the end, also where we are cancelled. If we are killed it ends
    by itself, except where the router grants permanent leases only.

    Args:
        port: TCP port that we listen on, 1..65535. The router's port is the same, or one of the next if that is taken.
        lease_s: 2..604800.
        on_change: called with the mapping when its address has changed, or was renewed after a failure, and with the
            LinkError when it could not be renewed; that is tried again.
        target: where a router is looked for; by default in all of our networks.

    Raises:
        LinkError: ``no-router``; ``router-silent``; ``router-refused``, it does not want to, or has no port left;
            ``bad-router``, its answers make no sense; ``router-offline``; ``carrier-nat``, it has no address of its
            own in the Internet, so nobody could come in.
        LocalError: ``no-upnp``, the extra is not installed; ``bad-address``; ``bad-lease``.
    """
    verify_port(port)
    if not 2 <= lease_s <= MAX_LEASE_S:
        raise LocalError("bad-lease", f"a lease has 2 to {MAX_LEASE_S} seconds, not {lease_s}")
    opening = _Opening(await _find(target), port, lease_s, on_change or (lambda _: None))
    try:
        mapping = await opening.begin()
        keeping = asyncio.create_task(opening.keep())
        try:
            yield mapping
        finally:
            keeping.cancel()
            await asyncio.wait([keeping])
        if not keeping.cancelled():
            keeping.result()  # it ends by an error of ours alone
    finally:
        await asyncio.shield(opening.end())


async def _find(target: Address | None) -> Router:
    if not has_upnp():
        raise LocalError("no-upnp", "opening a port in the router needs: python -m pip install 'hocp2p[upnp]'")
    from hocp2p.net.igd import find_router

    return await find_router(target=target)


async def _public_host(router: Router) -> ipaddress.IPv4Address:
    """Where the router is reached from outside; raises LinkError where it is not."""
    host = await router.external_host()
    if host.is_unspecified:
        raise LinkError("router-offline", "the router has no address in the Internet at the moment; is it connected?")
    if not host.is_global or host.is_multicast:
        told = f"the router's own address, {host}, is not one of the Internet: another router or your carrier's NAT"
        raise LinkError("carrier-nat", f"{told} is in front of it; use IPv6, a tunnel or a virtual private network")
    return host


class _Opening:
    """One mapping from its request to its end."""

    def __init__(self, router: Router, port: int, lease_s: int, on_change: OnChange) -> None:
        self._router = router
        self._port = port
        self._asked_lease_s = lease_s
        self._lease_s = lease_s
        self._on_change = on_change
        self._mapping: Mapping | None = None

    async def begin(self) -> Mapping:
        """Opens. Where that is cancelled half-way the router's answer is awaited, so that its port is not forgotten."""
        adding = asyncio.create_task(self._add())
        try:
            return await asyncio.shield(adding)
        except asyncio.CancelledError:
            await asyncio.wait([adding], timeout=_GOODBYE_S)
            adding.cancel()
            raise

    async def keep(self) -> None:
        """Renews, until cancelled."""
        pause_s = self._asked_lease_s / 2  # a permanent one, too: the router may have been restarted
        told: Mapping | str | None = self._mapping
        while True:
            await asyncio.sleep(pause_s)
            try:
                mapping = await self._add()
            except LinkError as error:
                pause_s = min(RETRY_S, self._asked_lease_s / 8)
                if told != error.code:
                    told = error.code
                    self._on_change(error)
            else:
                pause_s = self._asked_lease_s / 2
                if told != mapping:
                    told = mapping
                    self._on_change(mapping)

    async def end(self) -> None:
        """Deletes. A router that does not answer any more lets the lease run out."""
        if self._mapping is not None:
            with suppress(LinkError):
                await self._router.delete(self._mapping.external.port)

    async def _add(self) -> Mapping:
        host = await _public_host(self._router)
        for external_port in self._candidates():
            fault = await self._router.add(external_port, self._port, self._lease_s)
            if fault == _ONLY_PERMANENT and self._lease_s:
                self._lease_s = 0
                fault = await self._router.add(external_port, self._port, 0)
            if fault is None:
                self._mapping = Mapping(Address(str(host), external_port), self._lease_s)
                return self._mapping
            if fault not in _CONFLICTS:
                told = f"the router refuses to open a port (its error {fault}); allow UPnP in it, or forward"
                raise LinkError("router-refused", f"{told} the port by hand")
        told = f"port {self._port} of the router and those after it are taken; choose another with --port"
        raise LinkError("router-refused", told)

    def _candidates(self) -> Iterator[int]:
        """Ports to ask for: the one we have, or our own and those after it; after the last come the first that
        need no privilege."""
        first = self._port if self._mapping is None else self._mapping.external.port
        for port in range(first, first + MAX_CONFLICTS):
            yield port if port <= 65_535 else port - 65_536 + 1024
