"""Single peers at the end of links that a test holds in its hands."""

from __future__ import annotations

import random
from dataclasses import replace

from hocp2p.crypto.identity import Identity
from hocp2p.game.house import Rules
from hocp2p.table.effects import Blame, Effect, HangUp, Notify, Send
from hocp2p.table.events import TableEvent, TableStopped
from hocp2p.table.peer import Peer
from hocp2p.wire.frames import (
    PROTOCOL_VERSION,
    Challenge,
    Frame,
    Hello,
    Return,
    decode_frame,
    encode_frame,
    hello_statement,
    return_statement,
)
from tests.support.tables import make_me

LINK = 7
"""Number of a guest's only link."""
NONCE = b"n" * 32
SECRET = b"s" * 10
HENRI = Identity.from_seed(b"h" * 32)
"""A host whom the test plays."""
CHALLENGE = Challenge(PROTOCOL_VERSION, HENRI.public, b"c" * 32)


def make_host(seats: int = 3, seed: int = 1, rules: Rules | None = None, secret: bytes | None = None) -> Peer:
    return Peer.host(make_me(0, random.Random(seed)), seats, rules or Rules(), "memory", secret)


def make_guest(seed: int = 2, secret: bytes = b"", host: bytes | None = None) -> Peer:
    return Peer.guest(make_me(1, random.Random(seed)), "memory", secret, host)


def somebody(letter: bytes = b"k") -> Identity:
    """A guest whom the test plays."""
    return Identity.from_seed(letter * 32)


def challenge_of(host: Peer, link: int) -> Challenge:
    """Opens a link to a peer, which was dialled: its challenge."""
    (challenge,) = frames_to(host.link_opened(link), link)
    assert isinstance(challenge, Challenge)
    return challenge


def hello_to(
    challenge: Challenge, letter: bytes = b"k", name: str = "Anna", *, secret: bytes = b"", nonce: bytes = NONCE
) -> Hello:
    """The greeting of the one with this letter, for the side that sent this challenge."""
    identity = somebody(letter)
    proof = identity.sign(hello_statement(challenge, identity.public, nonce))
    return Hello(PROTOCOL_VERSION, identity.public, name, "", "", nonce, secret, proof)


def return_to(challenge: Challenge, identity: Identity, table: bytes, seat: int) -> Return:
    """A seat of a table links anew to the side that sent this challenge."""
    return Return(PROTOCOL_VERSION, table, seat, identity.sign(return_statement(challenge, table, seat)))


def greet(host: Peer, link: int, letter: bytes = b"k", name: str = "Anna", *, secret: bytes = b"") -> list[Effect]:
    """Somebody dials a host and greets: what the host does."""
    return host.receive(link, encode_frame(hello_to(challenge_of(host, link), letter, name, secret=secret)))


def greet_again(host: Peer, link: int, challenge: Challenge, letter: bytes = b"k", name: str = "Anna") -> list[Effect]:
    """Another greeting on a link, with a fresh nonce."""
    return host.receive(link, encode_frame(hello_to(challenge, letter, name, nonce=b"m" * 32)))


def dial(guest: Peer, link: int = LINK, challenge: Challenge = CHALLENGE, certificate: bytes | None = None) -> Frame:
    """A guest dials, and is sent this challenge: its answer."""
    assert guest.link_opened(link, dialled=True, certificate=certificate) == []
    (answer,) = frames_to(guest.receive(link, encode_frame(challenge)), link)
    return answer


def frames_to(effects: list[Effect], link: int) -> list[Frame]:
    """What goes to one link."""
    return [decode_frame(each.frame) for each in effects if isinstance(each, Send) and each.to == link]


def events_in(effects: list[Effect]) -> list[TableEvent]:
    return [effect.event for effect in effects if isinstance(effect, Notify)]


def hung_up(effects: list[Effect]) -> list[int]:
    return [effect.link for effect in effects if isinstance(effect, HangUp)]


def blamed(effects: list[Effect]) -> list[int]:
    return [effect.error.seat for effect in effects if isinstance(effect, Blame)]


def stopped(peer: Peer) -> TableStopped | None:
    return peer.snapshot().stopped


def in_version(hello: Hello, version: int) -> bytes:
    """The greeting as another version of the protocol would send it."""
    return encode_frame(replace(hello, version=version))


def seat_all(host: Peer, guests: list[Peer]) -> None:
    """Guests dial on links 1, 2, ...; everything between them is delivered until nothing moves."""
    for number, guest in enumerate(guests, start=1):
        queue: list[tuple[int, Effect]] = []  # who did it: 0 the host, else the guest on that link
        queue += [(number, effect) for effect in guest.link_opened(LINK, dialled=True)]
        queue += [(0, effect) for effect in host.link_opened(number)]
        deliver(host, guests, queue)


def deliver(host: Peer, guests: list[Peer], queue: list[tuple[int, Effect]]) -> None:
    """Carries out effects and what follows from them."""
    while queue:
        source, effect = queue.pop(0)
        if not isinstance(effect, Send):
            continue
        if source:
            queue += [(0, each) for each in host.receive(source, effect.frame)]
        elif effect.to is not None:
            queue += [(effect.to, each) for each in guests[effect.to - 1].receive(LINK, effect.frame)]
