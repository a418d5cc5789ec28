"""The host: gives chairs, refuses, proposes, and tells the guests when the table stops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from protocol.generate.bounds import MAX_FRAME, frame, read_frame
from protocol.generate.faults import Fault, need
from protocol.generate.links import Peer
from protocol.generate.msgpack import decode_prefix
from protocol.generate.session import HOST, VERSION, Session


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
