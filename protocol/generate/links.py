"""What a peer makes of its links: the lobby, refusals, faults of a link, seats that are lost.

What is signed is judged by the module ``session``. Every method is one event; after it ``code`` tells what the event
was refused with, or why the table stopped, and ``sent`` what the peer must have sent, as far as the specification
leaves no choice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from protocol.generate import ed25519, game
from protocol.generate.bounds import FRAMES, MAX_FRAME, check, frame, message, read_frame, read_message
from protocol.generate.faults import Fault, need
from protocol.generate.msgpack import decode_prefix
from protocol.generate.session import HOST, VERSION, Session
from protocol.generate.wire import (
    DRAW_DECK_TRACK,
    LOSS_TRACK,
    NO_HEAD,
    SETUP_TRACK,
    TALK_TRACK,
    Envelope,
    decode_envelope,
)

Sent = tuple[int, bytes]
"""Link and frame."""


class Peer(ABC):
    """What hosts and guests have in common.

    Args:
        seed: of the identity.
        nonces: 32 bytes each, taken for greetings and proposals in turn.
    """

    def __init__(self, seed: bytes, nonces: Sequence[bytes]) -> None:
        self.seed, self.key = seed, ed25519.public_key(seed)
        self.nonces = iter(nonces)
        self.session: Session | None = None
        self.us = HOST
        self.gone: set[int] = set()  # seats that we know to be lost
        self.left = False
        self.code: str | None = None
        self.sent: list[Sent] = []
        self.stops: str | None = None
        self.seat: int | None = None  # lost or blamed, where the table stops for it
        self.step = ""
        self.refusals: list[tuple[int, str]] = []
        self.closed: list[int] = []

    def begin(self) -> None:
        """Before an event."""
        self.code, self.sent = None, []

    @property
    def agreed(self) -> bool:
        """Whether all seats have signed the proposal."""
        return self.session is not None and SETUP_TRACK in self.session.heads

    @property
    def ended(self) -> bool:
        """Whether the last deal is signed."""
        return self.session is not None and self.session.ended and self.stops is None

    @property
    def over(self) -> bool:
        """Whether nothing more happens here."""
        return self.left or self.stops is not None

    @abstractmethod
    def links(self) -> list[int]:
        """Where what we say goes."""

    @abstractmethod
    def open(self, link: int) -> None:
        """A link is up."""

    @abstractmethod
    def close(self, link: int) -> None:
        """A link is down."""

    @abstractmethod
    def frame(self, link: int, data: bytes) -> None:
        """A frame has come."""

    def play_again(self) -> None:
        """We would play another session."""
        self.sent += [(link, frame("again", self.us)) for link in self.links()]

    def halt(self, code: str, seat: int | None = None, step: str = "") -> None:
        """The table stops."""
        if not self.over and not self.ended:
            self.note(code)
            self.stops, self.seat, self.step = code, seat, step

    def note(self, code: str) -> None:
        """The first code counts."""
        self.code = self.code or code

    def say(self, raw: bytes) -> None:
        """We sign an envelope ourselves."""
        if self.session is None:
            raise Fault("no-table")
        self.session.take(raw)
        self.sent += [(link, frame("sealed", raw)) for link in self.links()]
        self._close_after_loss(self.session)

    def hear(self, raw: bytes) -> None:
        """An envelope from a link. Faults are the link's; those of a seat lead to its loss."""
        envelope, session = decode_envelope(raw), self.session
        if session is None or envelope.table != session.table or self.stops is not None:
            return
        try:
            session.take(raw)
        except Fault as fault:
            if fault.code == "history-differs":
                self.halt(fault.code)
            elif fault.seat is not None and fault.code != "doubled":
                self.note(fault.code)
                self.lose(fault.seat, fault.code, fault.step)
            elif fault.seat is None:
                raise
            return
        name = read_message(envelope.body)[0]
        if envelope.track == LOSS_TRACK:
            self.claimed(session, envelope.seat, envelope.step)
        elif name == "leaving":
            self.lose(envelope.seat, "seat-lost")
        self._close_after_loss(session)

    def claimed(self, session: Session, by: int, seat: int) -> None:
        """A claim of a loss has come."""
        if seat == self.us:
            self.halt("cut-off")
        elif by == HOST:
            self.lose(seat, "seat-lost")
        elif self.us == HOST and HOST not in session.claims[seat]:
            self.halt("claims-differ")

    def lose(self, seat: int, code: str, step: str = "") -> None:
        """A seat is lost. The table stops unless hands are dealt and two remain."""
        session = self.session
        if session is None or self.over or seat in self.gone:
            return
        self.gone.add(seat)
        if seat == HOST or session.number == 0 or session.seats - len(self.gone) < 2:
            self.halt(code, seat, step)
        elif session.deal is None:
            self.halt(code, seat)

    def leave(self) -> None:
        """Our player leaves."""
        if self.ended:
            self.left = True
            return
        if self.session is not None and self.agreed:
            step = self.session.talk[self.us]
            goodbye = Envelope(self.session.table, TALK_TRACK, step, self.us, NO_HEAD, message("leaving"))
            self.say(goodbye.sealed(self.seed).raw)
        self.halt("left")

    def _close_after_loss(self, session: Session) -> None:
        if session.ended and session.lost:
            self.note("seat-lost")
            self.stops, self.seat = self.stops or "seat-lost", min(session.lost)


class Guest(Peer):
    """A guest, and his one link."""

    link: int | None = None
    nonce = b""

    def __init__(self, seed: bytes, nonces: Sequence[bytes], name: str) -> None:
        super().__init__(seed, nonces)
        self.name = name
        self.tables: set[bytes] = set()

    def links(self) -> list[int]:
        """The host's."""
        return [] if self.link is None else [self.link]

    def open(self, link: int) -> None:
        """The link to the host is up: we greet."""
        self.link = link
        self.greet(link)

    def greet(self, link: int) -> None:
        """With a fresh nonce."""
        self.nonce = next(self.nonces)
        self.sent.append((link, frame("hello", "hocp2p", VERSION, self.key, self.name, "", "", self.nonce)))

    def close(self, link: int) -> None:
        """The host is gone; after the session nobody misses him."""
        if self.ended:
            self.left = True
        elif link == self.link:
            self.halt("host-gone")

    def frame(self, link: int, data: bytes) -> None:
        """Something from the host."""
        try:
            self._take(link, data)
        except Fault as fault:
            self.note(fault.code)
            self.closed.append(link)
            self.halt("bad-host")

    def _take(self, link: int, data: bytes) -> None:
        refused = refusal_code(data)
        if refused is not None:
            self.halt(refused)
            return
        name, fields = read_frame(data)
        if name == "sealed":
            self.hear(fields[0])
        elif name == "lobby-view":
            self._enter(link, fields)
        elif name == "proposal":
            self._consider(data, fields)
        else:
            need(name == "again", "unexpected-frame")

    def _enter(self, link: int, fields: list[Any]) -> None:
        need(not self.begun or self.ended, "unexpected-frame")
        if self.ended:
            self.greet(link)
        self.session = None
        game.read_rules(fields[3], 1)

    def _consider(self, data: bytes, fields: list[Any]) -> None:
        need(not self.begun, "unexpected-frame")
        session = Session(data)
        ours = [(seat, chair[4]) for seat, chair in enumerate(fields[2]) if chair[0] == self.key]
        need(len(ours) == 1 and ours[0][0] != HOST and ours[0][1] == self.nonce, "not-us")
        need(session.table not in self.tables, "proposed-before")
        self.tables.add(session.table)
        self.session, self.us, self.gone = session, ours[0][0], set()

    @property
    def begun(self) -> bool:
        """Whether all have signed and the host has spoken on the track of the first deck."""
        track = None if self.session is None else self.session.tracks.get(DRAW_DECK_TRACK)
        return track is not None and (track.step > 0 or (0, HOST) in track.slots)


class Host(Peer):
    """A host, and the links that guests have opened."""

    def __init__(self, seed: bytes, nonces: Sequence[bytes], name: str, seats: int, rules: dict[str, str]) -> None:
        super().__init__(seed, nonces)
        self.seats, self.rules, self.name = seats, rules, name
        self.seated: dict[int, int] = {}  # link -> seat
        self.returning: set[int] = set()
        self.before: dict[bytes, int] = {}
        self.again: set[int] = set()
        self.chairs: dict[int, list[Any]] = {HOST: self._ours()}

    def _ours(self) -> list[Any]:
        return [self.key, self.name, "", "", next(self.nonces)]

    def links(self) -> list[int]:
        """Of all seats."""
        return list(self.seated)

    def open(self, link: int) -> None:
        """The guest speaks first."""

    def close(self, link: int) -> None:
        """A chair is free again, or a seat is lost."""
        seat = self.seated.pop(link, None)
        if seat is None or self.over or self.ended:
            return
        if self.agreed:
            self.lose(seat, "seat-lost")
        else:
            self._free(seat)

    def kick(self, seat: int) -> None:
        """We take a guest's chair away."""
        link = next(link for link, taken in self.seated.items() if taken == seat)
        del self.seated[link]
        self._refuse(link, "kicked")
        self._free(seat)

    def play_again(self) -> None:
        """We would play another session."""
        self._wants_another(HOST)

    def frame(self, link: int, data: bytes) -> None:
        """Something from a guest, or from somebody who wants to be one."""
        with self._at_fault(link):
            if link in self.seated:
                self._take(link, data)
            elif not (link in self.returning and read_frame(data)[0] in ("sealed", "again")):
                self._greet(link, data)

    @contextmanager
    def _at_fault(self, link: int) -> Iterator[None]:
        """A link that brought what is no message is closed, and the seat behind it lost."""
        try:
            yield
        except Fault as fault:
            self.note(fault.code)
            self.closed.append(link)
            if link in self.seated and self.agreed and not self.ended:
                self.lose(self.seated.pop(link), "seat-lost")

    def _take(self, link: int, data: bytes) -> None:
        name, fields = read_frame(data)
        if name == "sealed":
            self.hear(fields[0])
            return
        need(name == "again" and fields[0] == self.seated[link], "unexpected-frame")
        if self.ended:
            self._wants_another(fields[0])

    def _wants_another(self, seat: int) -> None:
        self.again.add(seat)
        self.sent += [(link, frame("again", seat)) for link in self.seated]
        if self.again >= {HOST, *self.seated.values()}:
            self.returning, self.seated = set(self.seated), {}
            self.before = {chair[0]: seat for seat, chair in self.chairs.items()}
            self.session, self.chairs = None, {HOST: self._ours()}
            self.again.clear()

    def _greet(self, link: int, data: bytes) -> None:
        kind, magic, version = decode_prefix(data, 3, MAX_FRAME)
        need(kind == 1, "unknown-kind")
        need(magic == "hocp2p", "bad-text")
        if version != VERSION:
            self._refuse(link, "version")
            return
        self.returning.discard(link)
        _, (_, _, key, name, level, owner, nonce) = read_frame(data)
        free = [seat for seat in range(self.seats) if seat not in self.chairs]
        if self.over:
            self._refuse(link, "closed")
        elif not free:
            self._refuse(link, "full")
        elif key in [chair[0] for chair in self.chairs.values()]:
            self._refuse(link, "same-key")
        else:
            seat = self.before.get(key, free[0])
            seat = seat if seat in free else free[0]
            self.chairs[seat], self.seated[link] = [key, name, level, owner, nonce], seat
            self._propose()

    def _free(self, seat: int) -> None:
        del self.chairs[seat]
        self.session = None

    def _propose(self) -> None:
        if len(self.chairs) == self.seats:
            chairs = [self.chairs[seat] for seat in range(self.seats)]
            pairs = [[name, value] for name, value in self.rules.items()]
            proposal = frame("proposal", VERSION, next(self.nonces), chairs, pairs)  # type: ignore[arg-type]  # nested lists
            self.session = Session(proposal)
            self.sent += [(link, proposal) for link in self.seated]

    def _refuse(self, link: int, code: str) -> None:
        self.note(code)
        self.refusals.append((link, code))

    def halt(self, code: str, seat: int | None = None, step: str = "") -> None:
        """Tells the guests, too."""
        before = self.stops
        super().halt(code, seat, step)
        if self.stops != before:
            self._farewell(code)

    def _close_after_loss(self, session: Session) -> None:
        before = self.stops
        super()._close_after_loss(session)
        if self.stops != before:
            self._farewell("seat-lost")

    def _farewell(self, code: str) -> None:
        self.refusals += [(link, "closed" if code == "left" else code) for link in self.seated]

    def lose(self, seat: int, code: str, step: str = "") -> None:
        """Hangs up on the seat where the others play on."""
        known = seat in self.gone
        super().lose(seat, code, step)
        if not known and self.stops is None:
            self.closed += [link for link, taken in self.seated.items() if taken == seat]


def refusal_code(data: bytes) -> str | None:
    """The code of a refusal of any version; None where the frame is none."""
    try:
        kind, *fields = decode_prefix(data, 4, MAX_FRAME)
        need(kind == 2, "unknown-kind")
        check(FRAMES[2][1], fields)
    except Fault:
        return None
    return str(fields[0])
