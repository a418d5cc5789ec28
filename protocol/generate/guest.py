"""A guest: greets, waits in the lobby, checks the proposal before anything is signed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocol.generate import game
from protocol.generate.bounds import FRAMES, MAX_FRAME, check, frame, read_frame
from protocol.generate.faults import Fault, need
from protocol.generate.links import Peer
from protocol.generate.msgpack import decode_prefix
from protocol.generate.session import HOST, VERSION, Session
from protocol.generate.wire import DRAW_DECK_TRACK


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


def refusal_code(data: bytes) -> str | None:
    """The code of a refusal of any version; None where the frame is none."""
    try:
        kind, *fields = decode_prefix(data, 4, MAX_FRAME)
        need(kind == 2, "unknown-kind")
        check(FRAMES[2][1], fields)
    except Fault:
        return None
    return str(fields[0])
