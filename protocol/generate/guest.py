"""A guest: greets, waits in the lobby, checks the proposal before anything is signed."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.generate import ed25519, game, going_on
from protocol.generate.bounds import frame
from protocol.generate.faults import need
from protocol.generate.links import Far, Fields
from protocol.generate.peer import MAGIC, Peer
from protocol.generate.session import HOST, VERSION, Session


class Guest(Peer):
    """A guest. It may be dialled, too, by others at its table.

    Args:
        seed, draws, name: as of every peer.
        secret: of an invite, or empty.
        before: the table that was left, where the session goes on.
    """

    def __init__(self, seed: bytes, draws: Iterator[bytes], name: str, secret: bytes, before: Session | None) -> None:
        super().__init__(seed, draws, name)
        self.secret, self.before = secret, before
        self.nonce = b""
        self.greeting = False  # whether a greeting of ours has not been answered
        self.tables: set[bytes] = set()

    def unlinked(self, key: bytes) -> None:
        """Without the host the lobby is empty."""
        if key == self.hosted_by:
            self.greeting = False
            if self.table is None:
                self.session = None
            elif self.ended:
                self.left = True

    def broken(self, far: Far, code: str) -> None:
        """A host in the lobby who sends what is no message is none."""
        if self.table is None and far.dialled:
            self.stop(code if code in ("version", "wrong-key") else "bad-host")

    def turned_away(self, far: Far, code: str) -> None:
        """There is no chair for us."""
        if far.dialled:
            self.stop(code)

    def greet(self, link: int) -> None:
        """With a fresh nonce."""
        key, nonce = self.far[link].challenge
        self.hosted_by, self.nonce, self.greeting = key, next(self.draws), True
        proof = ed25519.sign(self.seed, b"hocp2p/1 hello" + key + nonce + self.key + self.nonce)
        fields = (MAGIC, VERSION, self.key, self.name, "", "", self.nonce, self.secret, proof)
        self.sent.append((link, frame("hello", *fields)))

    def asked(self, link: int, far: Far, fields: Fields) -> None:
        """We have none to give."""
        self.proved(far, fields)
        self.refuse(link, "closed" if self.over else "not-hosting")

    def shown(self, link: int, fields: Fields) -> None:
        """The table, if there is one, counts no more."""
        self.session = None
        _, seat, chairs, rules = fields
        game.read_rules(rules, None)
        if chairs[seat][0] == self.key:
            self.greeting = False
        elif not self.greeting:
            self.greet(link)

    def consider(self, data: bytes, fields: Fields) -> None:
        """Faults of proposals, ``not-us``, ``not-continued``, ``proposed-before``."""
        session = Session(data)
        ours = [(seat, chair[4]) for seat, chair in enumerate(fields[2]) if chair[0] == self.key]
        need(len(ours) == 1 and ours[0][0] != HOST and ours[0][1] == self.nonce, "not-us")
        need(session.keys[HOST] == self.hosted_by, "not-us")
        if self.before is not None:
            going_on.verify(session, self.before)
        need(session.table not in self.tables, "proposed-before")
        self.tables.add(session.table)
        self.session, self.us = session, ours[0][0]

    def wants_another(self, far: Far, seat: int) -> None:
        """Heard, and left to the host."""

    def play_again(self) -> None:
        """We would play another session."""
        self.sent += [(link, frame("again", self.us)) for link in self.joined()]
