"""How many come in, and how fast: what a listening table accepts before it knows who it is."""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable
from typing import Final

from hocp2p.net.address import plain_host

MAX_LINKS: Final = 32
MAX_LINKS_PER_HOST: Final = 8
BURST: Final = 8
PER_SECOND: Final = 0.5
MAX_HOSTS_REMEMBERED: Final = 4096


class Gate:
    """Counts connections from before their handshake to their end, and rates new ones by host (a token bucket).

    Args:
        clock: seconds that only grow, for instance ``time.monotonic``.
        max_links: connections at one time, unfinished handshakes included.
        max_links_per_host: the same from one host.
        burst: connections that a host may make at once.
        per_second: rate at which it may make more.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        max_links: int = MAX_LINKS,
        max_links_per_host: int = MAX_LINKS_PER_HOST,
        burst: int = BURST,
        per_second: float = PER_SECOND,
    ) -> None:
        self._clock = clock
        self._max_links = max_links
        self._max_links_per_host = max_links_per_host
        self._burst = burst
        self._per_second = per_second
        self._links: Counter[str] = Counter()
        self._shaking: set[str] = set()  # hosts with a handshake that is not finished
        self._buckets: dict[str, tuple[float, float]] = {}  # host -> (tokens, when there were so many)

    def admit(self, host: str) -> bool:
        """Whether one more connection from ``host`` is let in; if so it counts until :meth:`leave`.

        One handshake of a host is under way at a time: until :meth:`shaken`, or its end.
        """
        group = _group(host)
        if group in self._shaking or not self._take_token(group):
            return False
        if self._links.total() >= self._max_links or self._links[group] >= self._max_links_per_host:
            return False
        self._links[group] += 1
        self._shaking.add(group)
        return True

    def shaken(self, host: str) -> None:
        """A connection that was let in has finished its handshake."""
        self._shaking.discard(_group(host))

    def leave(self, host: str, *, shaken: bool = True) -> None:
        """A connection that was let in has ended, with its handshake finished or not."""
        group = _group(host)
        if not shaken:
            self._shaking.discard(group)
        self._links[group] -= 1
        if self._links[group] <= 0:
            del self._links[group]

    def _take_token(self, group: str) -> bool:
        now = self._clock()
        if group not in self._buckets and len(self._buckets) >= MAX_HOSTS_REMEMBERED:
            self._forget_full(now)
            if len(self._buckets) >= MAX_HOSTS_REMEMBERED:
                return False
        tokens = self._tokens(group, now)
        if tokens < 1:
            return False
        self._buckets[group] = (tokens - 1, now)
        return True

    def _tokens(self, group: str, now: float) -> float:
        tokens, since = self._buckets.get(group, (float(self._burst), now))
        return min(self._burst, tokens + (now - since) * self._per_second)

    def _forget_full(self, now: float) -> None:
        """A host whose bucket is full again is as good as one never seen."""
        self._buckets = {
            group: bucket for group, bucket in self._buckets.items() if self._tokens(group, now) < self._burst
        }


def _group(host: str) -> str:
    """What counts as one host: an IPv4 address, or the /64 network that an IPv6 host can pick its address from."""
    plain = plain_host(host.partition("%")[0])
    try:
        address = ipaddress.ip_address(plain)
    except ValueError:
        return plain
    if address.version == 6:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return plain
