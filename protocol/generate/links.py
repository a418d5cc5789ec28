"""A peer at its links, first part: what it knows, what it has signed, how it ends. What links bring is in ``peer``.

What is signed is judged by the module ``session``. Every event is one method; after it ``code`` tells what the event
was refused with, or why the table stopped, and ``sent`` what the peer must have sent, as far as the specification
leaves no choice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from protocol.generate import ed25519
from protocol.generate.bounds import frame, message, read_message
from protocol.generate.faults import Fault
from protocol.generate.session import HOST, Session
from protocol.generate.wire import LOSS_TRACK, NO_HEAD, SETUP_TRACK, TALK_TRACK, Envelope, decode_envelope

Fields = list[Any]


@dataclass
class Far:
    """The other end of a link.

    Args:
        dialled: by us.
        expected: identity key that its certificate has shown; empty: none.
        challenge: key and nonce of the side that was dialled.
        key: proved; empty: a stranger.
        joined: at the table or in the lobby.
    """

    dialled: bool
    expected: bytes = b""
    challenge: tuple[bytes, bytes] = (b"", b"")
    key: bytes = b""
    joined: bool = False


class Linked(ABC):
    """What hosts and guests have in common.

    Args:
        seed: of the identity.
        draws: 32 bytes each, taken for challenges, greetings, chairs and proposals as they come.
        name: ours.
    """

    def __init__(self, seed: bytes, draws: Iterator[bytes], name: str) -> None:
        self.seed, self.key, self.draws, self.name = seed, ed25519.public_key(seed), draws, name
        self.session: Session | None = None
        self.us = HOST
        self.hosted_by = b""  # key of the host; empty: any
        self.far: dict[int, Far] = {}
        self.left = False
        self.stops: str | None = None
        self.farewell: str | None = None
        self.code: str | None = None
        self.sent: list[tuple[int, bytes]] = []
        self.refusals: list[tuple[int, str]] = []
        self.cut_off_by: set[bytes] = set()  # keys of those who have told us so
        self.closed: list[int] = []

    @property
    def over(self) -> bool:
        """Whether nothing more happens here."""
        return self.left or self.stops is not None

    @property
    def ended(self) -> bool:
        """Whether the last deal is signed."""
        return self.session is not None and self.session.ended and not self.over

    @property
    def table(self) -> Session | None:
        """The table that we have signed."""
        session = self.session
        if session is None:
            return None
        signed = SETUP_TRACK in session.heads or (0, self.us) in session.tracks[SETUP_TRACK].slots
        return session if signed else None

    @property
    def agreed(self) -> bool:
        """Whether all have signed the proposal."""
        return self.session is not None and SETUP_TRACK in self.session.heads

    @property
    def begun(self) -> bool:
        """Whether the host, too, has spoken on the track of the first deck."""
        session = self.session
        if session is None or not self.agreed:
            return False
        first = session.tracks[1 if session.continued is None else 2 * session.first + 1]
        return first.step > 0 or (0, HOST) in first.slots

    def joined(self, key: bytes = b"") -> list[int]:
        """Links that lead to somebody of ours, or to the one with this key."""
        return [link for link, far in self.far.items() if far.joined and key in (b"", far.key)]

    def close(self, link: int) -> None:
        """A link is down."""
        far = self.far.pop(link, None)
        if far is not None and far.joined and not self.joined(far.key):
            self.unlinked(far.key)

    @abstractmethod
    def unlinked(self, key: bytes) -> None:
        """The last link to somebody of ours is down."""

    def join(self, link: int) -> None:
        """A link leads to somebody of ours; an older one that the same side has dialled is closed."""
        far = self.far[link]
        for other, old in list(self.far.items()):
            if other != link and old.joined and (old.key, old.dialled) == (far.key, far.dialled):
                self.hang_up(other)
        far.joined = True

    # -- what we do ----------------------------------------------------------------------------------------------------

    def say(self, raw: bytes) -> None:
        """We sign an envelope."""
        if self.session is None:
            raise RuntimeError("there is no table")
        self.session.take(raw)
        self.sent += [(link, frame("sealed", raw)) for link in self.joined()]

    def leave(self) -> None:
        """Our player leaves."""
        if self.ended:
            self.left = True
        elif self.table is None:
            self.stop("left")
        else:
            goodbye = Envelope(
                self.table.table, TALK_TRACK, self.table.talk[self.us], self.us, NO_HEAD, message("leaving")
            )
            self.say(goodbye.sealed(self.seed).raw)
            self.stop("left")

    # -- what is signed -----------------------------------------------------------------------------------------------

    def hear(self, raw: bytes) -> None:
        envelope, session = decode_envelope(raw), self.session
        if session is None or envelope.table != session.table or self.over:
            return
        try:
            session.take(raw)
        except Fault as fault:
            if fault.code == "history-differs":
                self.stop(fault.code)
            elif fault.seat is None:
                raise
            elif fault.code != "doubled" and (self.begun or fault.seat == HOST):
                self.stop(fault.code)  # of two; more are not looked at here
            elif fault.code != "doubled":
                self.note(fault.code)
                for link in self.joined(session.keys[fault.seat]):
                    self.closed.append(link)
                    self.close(link)
            return
        if envelope.track == LOSS_TRACK and set(session.claims.get(self.us, {})) >= set(session.everybody) - {self.us}:
            self.stop("cut-off")
        if envelope.track == TALK_TRACK and read_message(envelope.body)[0] == "leaving" and session.seats == 2:
            self.stop("seat-lost")

    # -- ends ---------------------------------------------------------------------------------------------------------

    def note(self, code: str) -> None:
        """The first code counts."""
        self.code = self.code or code

    def refuse(self, link: int, code: str) -> None:
        """Says why not, and hangs up."""
        self.note(code)
        self.refusals.append((link, code))
        self.hang_up(link)

    def hang_up(self, link: int) -> None:
        """Closes a link."""
        self.closed.append(link)
        self.far.pop(link, None)

    def stop(self, code: str) -> None:
        """The table stops."""
        if not self.over:
            self.note(code)
            self.stops = code
            told = "closed" if code == "left" else code
            self.farewell = None if code == "left" and self.begun else told  # the game has told it

    def settle(self) -> None:
        """After an event: all who are still linked are told why the table has stopped."""
        if self.farewell is not None:
            self.refusals += [(link, self.farewell) for link in self.joined()]
            self.farewell = None
