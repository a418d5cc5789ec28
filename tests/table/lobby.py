"""Single peers at the end of links that a test holds in its hands."""

from __future__ import annotations

import random

from hocp2p.game.house import Rules
from hocp2p.table.effects import Blame, Effect, HangUp, Notify, Send
from hocp2p.table.guest import GuestPeer
from hocp2p.table.host import HostPeer
from hocp2p.table.peer import Peer
from hocp2p.table.snapshot import TableEvent, TableStopped
from hocp2p.wire.frames import PROTOCOL_VERSION, Frame, Hello, decode_frame, encode_frame
from tests.support.tables import make_me

LINK = 7
"""Number of a guest's only link."""


def make_host(seats: int = 3, seed: int = 1, rules: Rules | None = None) -> HostPeer:
    return HostPeer(make_me(0, random.Random(seed)), seats, rules or Rules(), "memory")


def make_guest(seed: int = 2) -> GuestPeer:
    return GuestPeer(make_me(1, random.Random(seed)), "memory")


def hello(key: bytes = b"k", name: str = "Anna", version: int = PROTOCOL_VERSION) -> bytes:
    """A greeting of somebody with this letter as key."""
    return encode_frame(Hello(version, key * 32, name, "", "", b"n" * 32))


def frames_to(effects: list[Effect], link: int) -> list[Frame]:
    """What goes to one link."""
    sends = [effect for effect in effects if isinstance(effect, Send)]
    return [decode_frame(each.frame) for each in sends if each.to in (None, link) and each.but != link]


def events_in(effects: list[Effect]) -> list[TableEvent]:
    return [effect.event for effect in effects if isinstance(effect, Notify)]


def hung_up(effects: list[Effect]) -> list[int]:
    return [effect.link for effect in effects if isinstance(effect, HangUp)]


def blamed(effects: list[Effect]) -> list[int]:
    return [effect.error.seat for effect in effects if isinstance(effect, Blame)]


def stopped(peer: Peer) -> TableStopped | None:
    return peer.snapshot().stopped


def seat_all(host: HostPeer, guests: list[GuestPeer]) -> None:
    """Guests greet on links 1, 2, ...; everything between them is delivered until nothing moves."""
    queue: list[tuple[int, Effect]] = []  # who did it: 0 the host, else the guest on that link
    for number, guest in enumerate(guests, start=1):
        queue += [(0, effect) for effect in host.link_opened(number)]
        queue += [(number, effect) for effect in guest.link_opened(LINK)]
        deliver(host, guests, queue)


def deliver(host: HostPeer, guests: list[GuestPeer], queue: list[tuple[int, Effect]]) -> None:
    """Carries out effects and what follows from them."""
    while queue:
        source, effect = queue.pop(0)
        if not isinstance(effect, Send):
            continue
        if source:
            queue += [(0, each) for each in host.receive(source, effect.frame)]
            continue
        for number, guest in enumerate(guests, start=1):
            if effect.to in (None, number) and effect.but != number:
                queue += [(number, each) for each in guest.receive(LINK, effect.frame)]
