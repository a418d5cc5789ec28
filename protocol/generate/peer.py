"""A peer at its links, second part: what they bring, and what is due on them. Its two kinds: ``guest`` and ``host``."""

from __future__ import annotations

from abc import abstractmethod

from protocol.generate import ed25519
from protocol.generate.bounds import FRAMES, MAX_FRAME, check, frame, read_frame
from protocol.generate.faults import Fault, need
from protocol.generate.links import Far, Fields, Linked
from protocol.generate.msgpack import decode_prefix
from protocol.generate.session import HOST, VERSION

MAGIC = "hocp2p"


class Peer(Linked):
    """What hosts and guests have in common; see ``links.Linked``."""

    def open(self, link: int, dialled: bool, expected: bytes = b"") -> None:
        """A link is up."""
        far = self.far[link] = Far(dialled, expected)
        if not dialled:
            far.challenge = (self.key, next(self.draws))
            self.sent.append((link, frame("challenge", MAGIC, VERSION, *far.challenge)))

    def frame(self, link: int, data: bytes) -> None:
        """A frame has come."""
        if link not in self.far:
            return
        far = self.far[link]
        try:
            self._take(link, far, data)
        except Fault as fault:
            self.note(fault.code)
            self.broken(far, fault.code)
            self.closed.append(link)
            self.close(link)

    # -- what is due ---------------------------------------------------------------------------------------------------

    def _take(self, link: int, far: Far, data: bytes) -> None:
        refused = refusal_code(data)
        if refused is not None:
            self.refused(far, refused)
            self.closed.append(link)
            self.close(link)
        elif far.dialled and not far.key:
            self._challenged(link, far, data)
        elif far.joined:
            self.heard(link, far, data, *read_frame(data))
        elif far.dialled:
            name, fields = read_frame(data)
            need(name in ("standing", "lobby-view"), "unexpected-frame")
            self.join(link)
            self.heard(link, far, data, name, fields)
        else:
            self.greeted(link, far, data)

    def _challenged(self, link: int, far: Far, data: bytes) -> None:
        kind, magic, version = decode_prefix(data, 3, MAX_FRAME)
        need(kind == 7, "unknown-kind")
        need(magic == MAGIC, "bad-text")
        need(version == VERSION, "version")
        _, (_, _, key, nonce) = read_frame(data)
        need(key != self.key and far.expected in (b"", key), "wrong-key")
        far.key, far.challenge = key, (key, nonce)
        if self.table is not None and key in self.table.keys:
            statement = b"hocp2p/1 return" + key + nonce + self.table.table + bytes([self.us])
            proof = ed25519.sign(self.seed, statement)
            self.sent.append((link, frame("return", MAGIC, VERSION, self.table.table, self.us, proof)))
        elif self.table is None and self.hosted_by in (b"", key):
            self.greet(link)
        else:
            self.hang_up(link)

    def heard(self, link: int, far: Far, data: bytes, name: str, fields: Fields) -> None:
        """From somebody who is at the table, or in the lobby, with us."""
        if name == "sealed":
            self.hear(fields[0])
        elif name == "again":
            if self.ended:
                self.wants_another(far, fields[0])
        elif name == "hello":
            self.asked(link, far, fields)
        elif name == "lobby-view" and self.begun and not self.ended:
            pass  # from the next host, who has left the table before us; looked at later
        elif name == "lobby-view" and far.key == self.hosted_by:
            self.shown(link, fields)
        elif name == "proposal" and far.key == self.hosted_by and not self.begun:
            self.consider(data, fields)
        else:
            need(name in ("standing", "hears"), "unexpected-frame")

    def greeted(self, link: int, far: Far, data: bytes) -> None:
        """What comes first from somebody who has dialled."""
        name, fields = read_frame(data)
        need(name in ("hello", "return"), "unexpected-frame")
        (self.asked if name == "hello" else self._returned)(link, far, fields)

    def proved(self, far: Far, fields: Fields) -> None:
        """A greeting is for this very link, and from the one who greeted before."""
        key, nonce, proof = fields[2], fields[6], fields[8]
        ed25519.verify(key, b"hocp2p/1 hello" + b"".join(far.challenge) + key + nonce, proof)
        need(far.key in (b"", key), "wrong-key")
        far.key = key

    def _returned(self, link: int, far: Far, fields: Fields) -> None:
        _, _, table, seat, proof = fields
        statement = b"hocp2p/1 return" + b"".join(far.challenge) + table + bytes([seat])
        ours = self.table
        if ours is None or ours.table != table:
            goes_on = ours is not None and ours.continued is not None and ours.continued[0] == table
            stays = ours is not None and any(_holds(key, statement, proof) for key in ours.keys)
            self.refuse(link, "cut-off" if goes_on and not stays else "no-such-table")
            return
        need(seat < ours.seats and seat != self.us, "bad-seat")
        ed25519.verify(ours.keys[seat], statement, proof)
        if seat in ours.lost or self.us in ours.claims.get(seat, {}):
            self.refuse(link, "cut-off")
            return
        far.key = ours.keys[seat]
        self.join(link)
        tracks = [[track.number, track.step] for _, track in sorted(ours.tracks.items())]
        self.sent.append((link, frame("standing", ours.table, tracks, list(ours.talk))))  # type: ignore[arg-type]  # nested lists

    def refused(self, far: Far, code: str) -> None:
        """The other side does not go on with us."""
        table = self.table
        if table is None:
            self.turned_away(far, code)
        elif not self.begun and far.key == table.keys[HOST]:
            if code == "no-such-table":
                self.session = None
            else:
                self.stop(code)
        elif far.key in table.keys and not table.ended:
            alone = table.seats - len(table.lost) == 2 and code != "no-such-table"
            self.cut_off_by |= {far.key} if code == "cut-off" else set()
            others = {key for seat, key in enumerate(table.keys) if seat not in (self.us, *table.lost)}
            asked = {key for key in others if self.joined(key)}  # nobody here says where else he can be dialled
            if alone or (code == "cut-off" and asked <= self.cut_off_by):
                self.stop(code)

    # -- what hosts and guests do otherwise ---------------------------------------------------------------------------

    @abstractmethod
    def asked(self, link: int, far: Far, fields: Fields) -> None:
        """Somebody asks us for a chair."""

    @abstractmethod
    def wants_another(self, far: Far, seat: int) -> None:
        """A seat would play another session."""

    def broken(self, far: Far, code: str) -> None:
        """A link has brought what is no message: nobody is accused."""

    def turned_away(self, far: Far, code: str) -> None:
        """A refusal before we have signed anything: who sent it goes."""

    def greet(self, link: int) -> None:
        """Asks for a chair."""

    def shown(self, link: int, fields: Fields) -> None:
        """A lobby."""

    def consider(self, data: bytes, fields: Fields) -> None:
        """A proposal."""


def refusal_code(data: bytes) -> str | None:
    """The code of a refusal of any version; None where the frame is none."""
    try:
        kind, *fields = decode_prefix(data, 4, MAX_FRAME)
        need(kind == 2, "unknown-kind")
        check(FRAMES[2][1], fields)
    except Fault:
        return None
    return str(fields[0])


def _holds(key: bytes, statement: bytes, proof: bytes) -> bool:
    try:
        ed25519.verify(key, statement, proof)
    except Fault:
        return False
    return True
