"""A peer at its links: faults of a link, seats that are lost, stops. The two kinds are in ``guest`` and ``host``.

What is signed is judged by the module ``session``. Every method is one event; after it ``code`` tells what the event
was refused with, or why the table stopped, and ``sent`` what the peer must have sent, as far as the specification
leaves no choice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from protocol.generate import ed25519
from protocol.generate.bounds import frame, message, read_message
from protocol.generate.faults import Fault
from protocol.generate.session import HOST, Session
from protocol.generate.wire import (
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
