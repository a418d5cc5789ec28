"""The lobby of who hosts: fills the chairs, makes the proposal."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from hocp2p.crypto.identity import fingerprint
from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Effect, Notify
from hocp2p.table.events import Knocked, RulesChanged, SeatFreed, SeatTaken
from hocp2p.table.links import NONCE_BYTES, Links
from hocp2p.table.me import Me
from hocp2p.table.parting import Parting
from hocp2p.table.snapshot import Knock
from hocp2p.table.terms import Terms, read_proposal, rules_to_pairs
from hocp2p.wire.frames import (
    PROTOCOL_VERSION,
    Chair,
    Continued,
    Hello,
    LobbyView,
    Proposal,
    Refusal,
    Seat,
    encode_frame,
)

FREE: Final = Chair(b"", "", "", "")
MAX_KNOCKS: Final = 4
OUR_SEAT: Final = 0


@dataclass(slots=True)
class _Asking:
    """Somebody without an invite who waits for our word."""

    link: int
    hello: Hello


class HostLobby:
    """Chairs of a table that we host; our seat is 0.

    Args:
        me: who we are.
        seats: 2 or 3.
        rules: house rules of the table.
        secret: of the invite, 10 bytes; None: whoever finds the table may sit down.
        links: who is linked to us.
        emit: takes effects.
        sit: takes the terms of a proposal, or None when they count no more.
    """

    def __init__(
        self,
        me: Me,
        seats: int,
        rules: Rules,
        secret: bytes | None,
        links: Links,
        emit: Callable[[Effect], None],
        sit: Callable[[Terms | None], None],
    ) -> None:
        self.rules = rules
        self.secret = secret
        self.seats = seats
        self.title = f"{me.name}'s table"
        self.parting: Parting | None = None  # of the table that this one goes on with
        self._me = me
        self._taken = {OUR_SEAT: self._our_chair()}
        self._kept: dict[bytes, int] = {}  # identity key -> chair that is kept for it
        self._continued: Continued | None = None  # what the table that we came back to went on with
        self._links = links
        self._emit = emit
        self._sit = sit
        self._knocks: dict[int, _Asking] = {}
        self._knocked = 0

    @property
    def chairs(self) -> tuple[Chair, ...]:
        """All chairs in turn order."""
        seats = [self._taken.get(seat) for seat in range(self.seats)]
        return tuple(FREE if seat is None else Chair(seat.key, seat.name, seat.bot_level, seat.owner) for seat in seats)

    @property
    def knocks(self) -> tuple[Knock, ...]:
        """Who asks to be let in."""
        return tuple(
            Knock(number, asking.hello.name, fingerprint(asking.hello.key)) for number, asking in self._waiting.items()
        )

    @property
    def _waiting(self) -> dict[int, _Asking]:
        """Those who knock and have a link: of one that we have hung up ourselves we are told only when it is down."""
        return {number: asking for number, asking in self._knocks.items() if asking.link in self._links}

    # -- what the host decides ----------------------------------------------------------------------------------------

    def set_rules(self, rules: Rules) -> None:
        """Plays by other rules: whoever was ready has to read them and say so again. Raises RuleError, LocalError."""
        if self._continued is not None or (self.parting is not None and self.parting.match is not None):
            raise LocalError("game-begun", "the session goes on by the rules that it began with")
        rules.verify_seats(self.seats)
        if rules != self.rules:
            self.rules = rules
            self._sit(None)
            self._emit(Notify(RulesChanged(rules)))
            self.update()

    def kick(self, seat: int, by: str) -> None:
        """Takes a guest's chair away, bot or person. Raises LocalError ``nobody-there``."""
        gone = self._taken.get(seat)
        if gone is None or seat == OUR_SEAT:
            raise LocalError("nobody-there", "there is no guest in that chair")
        for link in self._links.joined(gone.key):
            self.refuse(link, "kicked", f"{by} has taken the chair away")
        self._kept.pop(gone.key, None)
        self.free(gone.key)

    def admit(self, number: int) -> None:
        """Lets somebody in who has knocked. Raises LocalError ``nobody-there`` or ``full``."""
        asking = self._find_knock(number)
        chair = self._chair_for(asking.hello.key)
        if chair is None:
            raise LocalError("full", "there is no free chair")
        del self._knocks[number]
        self._seat(asking.link, chair, asking.hello)

    def decline(self, number: int) -> None:
        """Does not let somebody in. Raises LocalError ``nobody-there``."""
        asking = self._find_knock(number)
        del self._knocks[number]
        self.refuse(asking.link, "declined", "the host does not let you in")

    def _find_knock(self, number: int) -> _Asking:
        asking = self._waiting.get(number)
        if asking is None:
            raise LocalError("nobody-there", "nobody knocks by that number")
        return asking

    @property
    def may_resize(self) -> bool:
        """Whether two can go on without the seat that was lost: its chair is empty."""
        return self.parting is not None and self.seats > 2 and len(self._taken) + len(self._missing()) == 2

    def resize(self) -> None:
        """Two go on without the seat that was lost. Raises LocalError where none was, or its chair is taken."""
        parting = self.parting
        if parting is None or not self.may_resize:
            raise LocalError("not-parted", "there is no empty chair to play on without")
        if parting.match is None:  # rule 1: deals are a multiple of the players
            self.rules = replace(self.rules, deals=max(2, self.rules.deals // 2 * 2))
        order = parting.order(2)
        nonces = {seat.key: seat for seat in self._taken.values()}
        keys = [parting.terms.seats[old].key for old in order]
        self.seats = 2
        self._taken = {number: nonces[key] for number, key in enumerate(keys) if key in nonces}
        self._kept = {key: number for number, key in enumerate(keys)}
        self.update()

    def _missing(self) -> set[bytes]:
        """Keys of those for whom a chair is kept and who have not come to it yet."""
        return set(self._kept) - {seat.key for seat in self._taken.values()}

    # -- guests -------------------------------------------------------------------------------------------------------

    def greet(self, link: int, hello: Hello) -> None:
        """Somebody has proved his key and asks for a chair; see :class:`Hello`. Who asks again asks once.

        Of who knocks again what he has said at first stands: that is what our player was told.
        """
        asked = next((each for each in self._knocks.items() if each[1].link == link), None)
        self.forget_link(link)
        if self._chair_for(hello.key) is None:
            self.refuse(link, "full", "the table is full")
        elif self._is_invited(link, hello):
            self._seat(link, self._chair_for(hello.key) or OUR_SEAT, hello)
        elif hello.secret:
            self.refuse(link, "secret", "that invite is not valid any more; ask the host for a new one")
        elif asked is not None:
            number, asking = asked
            self._knocks[number] = _Asking(link, replace(asking.hello, nonce=hello.nonce))
        elif len(self._waiting) >= MAX_KNOCKS:
            self.refuse(link, "busy", "too many people knock at that table; ask the host for an invite")
        else:
            self._knocked += 1
            self._knocks[self._knocked] = _Asking(link, hello)
            self._emit(Notify(Knocked(self._knocked, hello.name, fingerprint(hello.key))))

    def _is_invited(self, link: int, hello: Hello) -> bool:
        if self.secret is None or hello.key in self._kept or self._links[link].joined:
            return True
        return hmac.compare_digest(self.secret, hello.secret)

    def _chair_for(self, key: bytes) -> int | None:
        """The chair that is theirs, or the first that is nobody's; None: the table is full."""
        for seat, taken in self._taken.items():
            if taken.key == key:
                return seat if seat != OUR_SEAT else None
        kept = self._kept.get(key)
        if kept is not None and kept not in self._taken:
            return kept
        goes_on = self.parting is not None or self._continued is not None
        not_free = self._taken.keys() | ({self._kept[each] for each in self._missing()} if goes_on else set())
        return next((seat for seat in range(self.seats) if seat not in not_free), None)

    def _seat(self, link: int, seat: int, hello: Hello) -> None:
        before = self._taken.pop(seat, None)
        if before is not None:  # greets anew: what was signed for its old nonce counts no more
            self._sit(None)
        self._links.join(link)
        name = self._free_name(hello.name)
        self._taken[seat] = Seat(hello.key, name, hello.bot_level, hello.owner, hello.nonce)
        if before is None:
            self._emit(Notify(SeatTaken(seat, name)))
        self.update()

    def free(self, key: bytes) -> None:
        """Who had this key is gone: what was signed for the proposal counts no more."""
        for seat, gone in list(self._taken.items()):
            if gone.key == key and seat != OUR_SEAT:
                del self._taken[seat]
                self._sit(None)
                self._emit(Notify(SeatFreed(seat, gone.name)))
                self.update()

    def forget_link(self, link: int) -> None:
        """A link is down: who knocked on it does not any more."""
        self._knocks = {number: asking for number, asking in self._knocks.items() if asking.link != link}

    def refuse(self, link: int, code: str, message: str) -> None:
        """Says why not, and hangs up."""
        self._links.send(link, Refusal(code, message, PROTOCOL_VERSION))
        self._links.hang_up(link, message)

    def _free_name(self, name: str) -> str:
        """``name``, or with a number behind it where somebody is called so already."""
        taken = {seat.name for seat in self._taken.values()}
        tried, number = name, 2
        while tried in taken:
            tried = f"{name[:22]} {number}"
            number += 1
        return tried

    def fill(self, terms: Terms) -> None:
        """The chairs as they were when a table of ours was proposed, to which we come back.

        Where it falls apart before all have signed, they are kept, and the next proposal goes on from the same place.
        """
        self._taken = dict(enumerate(terms.seats))
        self._kept = {taken.key: seat for seat, taken in self._taken.items() if seat != OUR_SEAT}
        self._continued = terms.continued

    # -- the next table -----------------------------------------------------------------------------------------------

    def _our_chair(self) -> Seat:
        me = self._me
        return Seat(me.identity.public, me.name, me.bot_level, me.owner, me.randomness(NONCE_BYTES))

    def reopen(self, chairs: dict[bytes, int], parting: Parting | None = None) -> None:
        """Back to the lobby: everybody greets anew, with a fresh nonce.

        Args:
            chairs: by identity key, the chair that is kept.
            parting: how the table before was left, where the session goes on.
        """
        self.parting, self._continued = parting, None
        self._taken = {OUR_SEAT: self._our_chair()}
        self._kept = {key: seat for key, seat in chairs.items() if seat != OUR_SEAT}
        self.update()

    def view(self, seat: int) -> LobbyView:
        """The lobby for one guest."""
        return LobbyView(self.title, seat, self.chairs, rules_to_pairs(self.rules))

    def show(self, link: int) -> None:
        """Shows the lobby to somebody for whom there is a chair.

        To each over one link: an old picture that overtakes a new one would make him greet anew.
        """
        chairs = self._kept | {seat.key: number for number, seat in self._taken.items()}
        seat = chairs.get(self._links[link].key or b"")
        if seat is not None:
            self._links.send(link, self.view(seat))

    def update(self) -> None:
        """Shows the chairs to all; proposes the table when all are taken."""
        for key in sorted(self._links.keys()):
            for link in self._links.first(key):
                self.show(link)
        if len(self._taken) < self.seats:
            return
        continued = self._continued if self.parting is None else self.parting.continued(self.seats)
        proposal = Proposal(
            PROTOCOL_VERSION,
            self._me.randomness(NONCE_BYTES),
            tuple(self._taken[seat] for seat in range(self.seats)),
            rules_to_pairs(self.rules),
            () if continued is None else (continued,),
        )
        for seat in proposal.chairs[1:]:
            for link in self._links.first(seat.key):
                self._links.send(link, proposal)
        self._sit(read_proposal(proposal, encode_frame(proposal)))
