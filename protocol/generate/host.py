"""The host: gives chairs, refuses, proposes."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.generate.bounds import MAX_FRAME, frame
from protocol.generate.faults import Fault, need
from protocol.generate.links import Far, Fields
from protocol.generate.msgpack import decode_prefix
from protocol.generate.peer import MAGIC, Peer
from protocol.generate.session import HOST, VERSION, Session

MAX_KNOCKS = 4


class Host(Peer):
    """A host, and the links that guests have opened.

    Args:
        seed, draws, name: as of every peer.
        seats: 2 or 3.
        rules: house rules.
        secret: of the invite; None: everybody gets a chair.
    """

    def __init__(
        self, seed: bytes, draws: Iterator[bytes], name: str, seats: int, rules: dict[str, str], secret: bytes | None
    ) -> None:
        super().__init__(seed, draws, name)
        self.seats, self.rules, self.secret = seats, rules, secret
        self.hosted_by = self.key
        self.chairs: dict[int, Fields] = {HOST: self._ours()}
        self.proposed = b""
        self.kept: dict[bytes, int] = {}  # chairs of the session before
        self.knocks: dict[int, tuple[int, Fields]] = {}
        self.knocked = 0
        self.again: set[int] = set()

    def _ours(self) -> Fields:
        return [self.key, self.name, "", "", next(self.draws)]

    # -- greetings ----------------------------------------------------------------------------------------------------

    def greeted(self, link: int, far: Far, data: bytes) -> None:
        """A greeting of another version is known by its beginning, whatever follows."""
        if _version_of(data) not in (None, VERSION):
            self.refuse(link, "version")
        else:
            super().greeted(link, far, data)

    def asked(self, link: int, far: Far, fields: Fields) -> None:
        """The reasons to refuse, in their order; else a chair, or the door."""
        self.proved(far, fields)
        key, secret = fields[2], fields[7]
        chair = self.chair_for(key)
        before = next((number for number, knock in self.knocking().items() if knock[0] == link), None)
        first = self.knocks.pop(before)[1] if before is not None else fields  # what he has said at first stands
        if self.over:
            self.refuse(link, "closed")
        elif self.session is not None and self.agreed and not self.ended:
            self.refuse(link, "forgotten" if key in self.session.keys else "full")
        elif key == self.key:
            self.refuse(link, "same-key")
        elif chair is None:
            self.refuse(link, "full")
        elif self.secret is None or secret == self.secret or key in self.kept or far.joined:
            self._seat(link, chair, fields)
        elif secret:
            self.refuse(link, "secret")
        elif before is not None:
            self.knocks[before] = (link, [*first[:6], fields[6], *first[7:]])
        elif len(self.knocking()) >= MAX_KNOCKS:
            self.refuse(link, "busy")
        else:
            self.knocked += 1
            self.knocks[self.knocked] = (link, fields)

    def knocking(self) -> dict[int, tuple[int, Fields]]:
        """Those who wait for our word, by number: link and greeting."""
        return {number: knock for number, knock in self.knocks.items() if knock[0] in self.far}

    def chair_for(self, key: bytes) -> int | None:
        """The one's own, or the first that is free; None: there is none."""
        taken = {chair[0]: seat for seat, chair in self.chairs.items()}
        if key in taken:
            return taken[key] or None
        if self.kept.get(key, HOST) not in self.chairs:
            return self.kept[key]
        return next((seat for seat in range(self.seats) if seat not in self.chairs), None)

    def _seat(self, link: int, seat: int, fields: Fields) -> None:
        _, _, key, name, level, owner, nonce, _, _ = fields
        self.session = None
        self.join(link)
        self.chairs[seat] = [key, name, level, owner, nonce]
        if len(self.chairs) == self.seats:
            chairs = [self.chairs[each] for each in range(self.seats)]
            pairs = [[switch, value] for switch, value in self.rules.items()]
            self.proposed = frame("proposal", VERSION, next(self.draws), chairs, pairs, [])  # type: ignore[arg-type]  # nested lists
            self.session = Session(self.proposed)
            self.sent += [(self.joined(chair[0])[0], self.proposed) for chair in chairs[1:]]

    def admit(self, number: int) -> None:
        """Lets somebody in who has knocked."""
        link, fields = self.knocks.pop(number)
        chair = self.chair_for(fields[2])
        assert chair is not None
        self._seat(link, chair, fields)

    def decline(self, number: int) -> None:
        """Does not."""
        self.refuse(self.knocks.pop(number)[0], "declined")

    def kick(self, seat: int) -> None:
        """Takes a chair away."""
        key = self.chairs[seat][0]
        for link in self.joined(key):
            self.refuse(link, "kicked")
        self._free(key)

    # -- links --------------------------------------------------------------------------------------------------------

    def _free(self, key: bytes) -> None:
        for seat in [seat for seat, chair in self.chairs.items() if chair[0] == key and seat != HOST]:
            del self.chairs[seat]
            self.session = None

    def unlinked(self, key: bytes) -> None:
        """The chair is free, unless the game is on."""
        if not self.agreed:
            self._free(key)
        self._begin_again()

    # -- another session ----------------------------------------------------------------------------------------------

    def wants_another(self, far: Far, seat: int) -> None:
        """Each for himself."""
        assert self.session is not None
        need(self.session.keys[seat : seat + 1] == [far.key], "unexpected-frame")
        self._note_wish(seat)

    def play_again(self) -> None:
        """We would play another session."""
        self._note_wish(HOST)

    def _note_wish(self, seat: int) -> None:
        if seat not in self.again:
            self.again.add(seat)
            self.sent += [(link, frame("again", seat)) for link in self.joined()]
            self._begin_again()

    def _begin_again(self) -> None:
        session = self.session
        if session is None or not self.ended:
            return
        here = [seat for seat, key in enumerate(session.keys) if seat == HOST or self.joined(key)]
        if self.again >= set(here):
            self.kept = {session.keys[seat]: seat for seat in here if seat != HOST}
            self.session, self.chairs = None, {HOST: self._ours()}
            self.again.clear()


def _version_of(data: bytes) -> int | None:
    """Of a greeting; None where the frame is none."""
    try:
        kind, magic, version = decode_prefix(data, 3, MAX_FRAME)
    except Fault:
        return None
    return version if kind == 1 and magic == MAGIC and isinstance(version, int) else None
