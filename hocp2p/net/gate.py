"""How many come in, and how fast: what a listening table accepts before it knows who it is.

A stranger is *pending* until he has said something: his TLS or WebSocket handshake is not finished, or his first frame
has not come. A few are pending of each host at a time, some more in all, and none holds his place for long against
others: where there are too many, the oldest makes way, that of the same host or that of all. An honest handshake takes
a few round trips; with the rates below nobody becomes the oldest within that time, and of a host only who is stale
makes way, so that a flood does not throw out those who are about to speak.

Who is turned away may dial again, as :func:`hocp2p.net.dialling.dial` does by itself. Beside a flood from his own
address an honest player gets in by luck, again and again, since what comes first when there is room is let in; one
from another address does not notice it.

So half-open connections cost a few kilobytes each for a few of them, and no time; who is turned away costs neither a
byte read nor anything computed. Who has settled is not touched by any of this.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable
from typing import Final

from hocp2p.net.address import plain_host

MAX_LINKS: Final = 32
MAX_LINKS_PER_HOST: Final = 8
MAX_PENDING: Final = 16
MAX_PENDING_PER_HOST: Final = 4
STALE_S: Final = 1.0
"""How long a pending connection keeps its place against others of its host."""
BURST: Final = 8
PER_SECOND: Final = 4.0
TOTAL_BURST: Final = 16
TOTAL_PER_SECOND: Final = 16.0
"""Of all hosts together: handshakes cost about two thousandths of a second each."""
MAX_HOSTS_REMEMBERED: Final = 4096


class Admission:
    """One connection that was let in. Made by :meth:`Gate.admit`."""

    def __init__(self, gate: Gate, group: str, since_s: float, drop: Callable[[], None]) -> None:
        self.group: Final = group
        self.since_s: Final = since_s
        self.drop: Final = drop
        self._gate = gate

    def settle(self) -> None:
        """It is pending no more. Idempotent."""
        self._gate.settle(self)

    def leave(self) -> None:
        """It has ended. Idempotent."""
        self._gate.leave(self)


class Gate:
    """Counts connections from before their handshake to their end, and rates new ones by host (token buckets).

    Args:
        clock: seconds that only grow, for instance ``time.monotonic``.
        max_links: connections at one time, pending ones included.
        max_links_per_host: the same from one host.
        max_pending: pending ones.
        max_pending_per_host: the same from one host.
        burst: connections that a host may make at once.
        per_second: rate at which it may make more.
        total_burst, total_per_second: the same for all hosts together.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        max_links: int = MAX_LINKS,
        max_links_per_host: int = MAX_LINKS_PER_HOST,
        max_pending: int = MAX_PENDING,
        max_pending_per_host: int = MAX_PENDING_PER_HOST,
        burst: int = BURST,
        per_second: float = PER_SECOND,
        total_burst: int = TOTAL_BURST,
        total_per_second: float = TOTAL_PER_SECOND,
    ) -> None:
        self._clock = clock
        self._max_links = max_links
        self._max_links_per_host = max_links_per_host
        self._max_pending = max_pending
        self._max_pending_per_host = max_pending_per_host
        self._rate = (burst, per_second)
        self._links: Counter[str] = Counter()
        self._admitted: set[Admission] = set()
        self._pending: dict[Admission, None] = {}  # the oldest first
        self._buckets: dict[str, _Bucket] = {}  # by host, who came last is last
        self._total = _Bucket(total_burst, total_per_second, clock())

    @property
    def links(self) -> int:
        """How many are in."""
        return len(self._admitted)

    @property
    def pending(self) -> int:
        """How many of them are pending."""
        return len(self._pending)

    def admit(self, host: str, drop: Callable[[], None]) -> Admission | None:
        """Lets in one more connection, which counts until :meth:`Admission.leave`, or turns it away (None).

        Args:
            host: IP address of the other end.
            drop: ends the connection when it has to make way for another; it has left then.
        """
        now_s, group = self._clock(), _group(host)
        of_host = [each for each in self._pending if each.group == group]
        rival = None
        if len(of_host) >= self._max_pending_per_host or self._links[group] >= self._max_links_per_host:
            rival = next((each for each in of_host if now_s - each.since_s >= STALE_S), None)
            if rival is None:
                return None
        elif self.pending >= self._max_pending or self.links >= self._max_links:
            rival = next(iter(self._pending), None)
            if rival is None:
                return None
        if not self._take_token(group, now_s):
            return None
        if rival is not None:
            rival.leave()
            rival.drop()
        admission = Admission(self, group, now_s, drop)
        self._admitted.add(admission)
        self._pending[admission] = None
        self._links[group] += 1
        return admission

    def settle(self, admission: Admission) -> None:
        """See :meth:`Admission.settle`."""
        self._pending.pop(admission, None)

    def leave(self, admission: Admission) -> None:
        """See :meth:`Admission.leave`."""
        if admission not in self._admitted:
            return
        self.settle(admission)
        self._admitted.remove(admission)
        self._links[admission.group] -= 1
        if not self._links[admission.group]:
            del self._links[admission.group]

    def _take_token(self, group: str, now_s: float) -> bool:
        bucket = self._buckets.pop(group, None) or _Bucket(*self._rate, now_s)
        while len(self._buckets) >= MAX_HOSTS_REMEMBERED:
            del self._buckets[next(iter(self._buckets))]  # who has not come for longest: likely his is full again
        self._buckets[group] = bucket
        return bucket.take(now_s) and self._total.take(now_s)


class _Bucket:
    """Tokens for new connections: so many at most, filled at a rate."""

    def __init__(self, size: int, per_second: float, now_s: float) -> None:
        self._size = size
        self._per_second = per_second
        self._tokens = float(size)
        self._since_s = now_s

    def take(self, now_s: float) -> bool:
        self._tokens = min(self._size, self._tokens + (now_s - self._since_s) * self._per_second)
        self._since_s = now_s
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


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
