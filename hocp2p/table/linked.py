"""What the links of a participant bring, and what follows for the lobby and the table.

All participants are alike, but for the lobby: one hosts (``host.HostLobby``), the others are guests
(``guest.GuestLobby``). When a host is lost, another takes over. What a player does, and what is shown, is in ``peer``.
"""

from __future__ import annotations

from typing import Final

from hocp2p.errors import CryptoError, WireError
from hocp2p.game.house import Rules
from hocp2p.table.effects import Effect
from hocp2p.table.events import (
    AnotherWanted,
    SeatLeft,
    SeatReady,
    SessionEnded,
    TableEvent,
    TableParted,
    TableProposed,
    TableStopped,
)
from hocp2p.table.guest import GuestLobby
from hocp2p.table.host import HostLobby
from hocp2p.table.memory import Memory
from hocp2p.table.participant import Participant
from hocp2p.table.parting import Parting
from hocp2p.table.table import Table
from hocp2p.table.terms import HOST, Terms
from hocp2p.wire.frames import (
    PROTOCOL_VERSION,
    SECRET_BYTES,
    Again,
    Frame,
    Hears,
    Hello,
    LobbyView,
    Proposal,
    Refusal,
    Return,
    Sealed,
    Standing,
    decode_frame,
    decode_hello_version,
    decode_refusal,
)

CUT_OFF: Final = "the others have gone on without you"


class LinkedPeer(Participant):
    """One participant. Every public call returns what is to be done, in order; none raises for what a peer sent."""

    # -- what the links bring -----------------------------------------------------------------------------------------

    def link_opened(self, link: int, *, dialled: bool = False, certificate: bytes | None = None) -> list[Effect]:
        """A link is up.

        Args:
            link: a number that was not used before.
            dialled: by us.
            certificate: identity key that the other side has proved by its certificate, 32 bytes, or None.
        """
        self._links.open(link, dialled=dialled, certificate=certificate)
        return self._drain()

    def link_closed(self, link: int) -> list[Effect]:
        """A link is down."""
        far = self._links.close(link)
        if isinstance(self.lobby, HostLobby):
            self.lobby.forget_link(link)
        if far is not None and far.joined and far.key is not None:
            self._when_unlinked(far.key)
        return self._drain()

    def receive(self, link: int, data: bytes) -> list[Effect]:
        """A frame has come."""
        if link in self._links:
            try:
                self._take(link, data)
            except (WireError, CryptoError) as error:
                self._when_broken(link, error)
        return self._drain()

    def _take(self, link: int, data: bytes) -> None:
        far = self._links[link]
        refusal = _as_refusal(data)
        if refusal is not None:
            self._when_refused(link, refusal)
        elif far.dialled and far.challenge is None:
            self._links.take_challenge(link, data)
            self._introduce(link)
        elif far.joined:
            self._take_from(link, decode_frame(data))
        elif far.dialled:
            self._take_answer(link, decode_frame(data))
        else:
            self._take_first(link, data)

    def _introduce(self, link: int) -> None:
        """On a link that we have dialled: we come back to our table, or ask for a chair."""
        key = self._links[link].key
        tables = [table for table in self._tables() if table is not self._before or key != self._forgotten_by]
        for table in tables:
            if key in table.terms.keys:
                self._links.come_back(link, table.terms.table, table.us)
                return
        if isinstance(self.lobby, GuestLobby) and not tables and self.lobby.host in (None, key):
            self.lobby.greet(link)
        else:
            self._links.hang_up(link, "nobody of ours")

    def _take_answer(self, link: int, frame: Frame) -> None:
        """What comes first on a link that we have dialled: the lobby, or how far a seat of our table is."""
        if isinstance(frame, Standing):
            self._links.join(link)
            self._take_standing(link, frame)
            self._update_heard()
        elif isinstance(frame, LobbyView):
            self._links.join(link)
            self._take_from(link, frame)
        else:
            raise WireError("unexpected-frame", f"a {type(frame).__name__} before anything else")

    def _take_first(self, link: int, data: bytes) -> None:
        """What comes first on a link that was dialled by the other side."""
        if isinstance(self.lobby, HostLobby) and _greets_in_other_words(data):
            told = f"this table speaks protocol version {PROTOCOL_VERSION}: both sides need the same hocp2p"
            self._refuse(link, "version", told)
            return
        frame = decode_frame(data)
        if isinstance(frame, Hello):
            self._take_hello(link, frame)
        elif isinstance(frame, Return):
            self._take_return(link, frame)
        else:
            raise WireError("unexpected-frame", "the first frame is no greeting")

    def _take_hello(self, link: int, hello: Hello) -> None:
        self._links.verify_hello(link, hello)
        if self.over:
            self._refuse(link, "closed", "the table is closed")
        elif not isinstance(self.lobby, HostLobby):
            self._refuse(link, "not-hosting", "that player does not host a table")
        elif self.table is not None and self.table.agreed and not self.table.over:
            if hello.key in self.table.terms.keys:
                self._refuse(link, "forgotten", "you sit at this table, but your program has forgotten the game")
            else:
                self._refuse(link, "full", "the table is full")
        elif hello.key == self.me.identity.public:
            self._refuse(link, "same-key", "that is our own identity")
        else:
            self.lobby.greet(link, hello)
            self._update_heard()

    def _take_return(self, link: int, back: Return) -> None:
        table = next((table for table in self._tables() if table.terms.table == back.table), None)
        if table is None:
            if self._has_left_behind(link, back):
                self._refuse(link, "cut-off", CUT_OFF)
            else:
                self._refuse(link, "no-such-table", "we are not at that table, or not any more")
            return
        if back.seat >= table.seats or back.seat == table.us:
            raise WireError("bad-seat", "comes back as a seat that it cannot be")
        self._links.verify_return(link, back, table.terms.keys[back.seat])
        if back.seat in table.losses.lost or table.losses.claimed(table.us, back.seat):
            self._refuse(link, "cut-off", CUT_OFF)
            return
        self._links.join(link)
        self._stand(link, table)  # the other side joins when it has read this
        self._update_heard()

    def _has_left_behind(self, link: int, back: Return) -> bool:
        """Whether our table goes on with the one that somebody comes back to, and none of its seats is he.

        We have forgotten that one where we came back ourselves in the meantime.
        """
        if self.table is None or self.table.terms.continued is None or self.table.terms.continued.table != back.table:
            return False
        return not any(self._links.is_return_of(link, back, key) for key in self.table.terms.keys)

    def _take_from(self, link: int, frame: Frame) -> None:
        """What comes from those who are at the table, or in the lobby, with us."""
        match frame:
            case Sealed(envelope):
                for table in (self.table, self._before):
                    if table is not None:
                        table.receive(envelope, link)
            case Standing():
                self._take_standing(link, frame)
            case Hears(seats):
                self._links[link].hears = seats
                self._update_heard()
            case Again(seat):
                self._take_again(link, seat)
            case Hello():
                self._take_hello(link, frame)
            case LobbyView() if self._is_host(link):
                self._take_lobby(link, frame)
            case Proposal() if self._is_host(link):
                self._consider(frame)
            case _:
                raise WireError("unexpected-frame", f"a {type(frame).__name__} at this point")

    def _is_host(self, link: int) -> bool:
        """Whether a link leads to who hosts, or will host the next table, having left this one before us."""
        if self.table is not None and self.table.begun:
            return True
        return isinstance(self.lobby, GuestLobby) and self.lobby.host == self._links[link].key

    # -- the lobby ----------------------------------------------------------------------------------------------------

    def _take_lobby(self, link: int, view: LobbyView) -> None:
        key = self._links[link].key
        if self.table is not None and self.table.begun and not self._ended:
            self._waiting[key] = view  # one of them will host
            return
        if not isinstance(self.lobby, GuestLobby) or key != self.lobby.host:
            raise WireError("unexpected-frame", "a lobby from somebody who does not host")
        if self._ended:
            self.lobby.parting = self.lobby.came_back_to = None
        self.table = None
        self._again.clear()
        self.lobby.enter(view)
        ours = self.lobby.chairs[view.your_seat].key == self.me.identity.public
        if ours:
            self.lobby.greeting = False
        elif not self.lobby.greeting:
            self.lobby.greet(link)  # another table: a new nonce

    def _consider(self, proposal: Proposal) -> None:
        if self.table is not None and self.table.begun:
            raise WireError("unexpected-frame", "a proposal in the middle of a game")
        if isinstance(self.lobby, GuestLobby):
            terms, us = self.lobby.consider(proposal)
            self._sit_down(terms, us)

    def _sit_down(self, terms: Terms, us: int, memory: Memory | None = None) -> None:
        me = self.me
        self.table = Table(terms, us, me.identity, me.scheme, me.randomness, memory)
        self._again.clear()
        self._level.clear()
        self._quit.clear()
        if memory is not None:
            self._heard = frozenset({us})
            self.table.remember(memory)
        else:
            self._notify([TableProposed()])

    def _sit(self, terms: Terms | None) -> None:
        """Our own proposal stands, or counts no more."""
        self.table = None
        if terms is not None:
            self._sit_down(terms, HOST)

    def _part(self, table: Table, parting: Parting) -> None:
        """The table was left without a seat: the session goes on from the lobby of the first who remains."""
        self._before, self._forgotten_by, self.table = table, None, None
        if table.us == parting.host:
            self._host_next(table.terms, parting)
        else:
            host = table.terms.keys[parting.host]
            self.lobby = GuestLobby(self.me, b"", self._links, self._emit, host, parting)
            view = self._waiting.get(host)
            self._waiting.clear()
            for link in self._links.joined(host)[:1]:
                if view is not None:
                    self._take_lobby(link, view)

    def _open_lobby(self, seats: int, rules: Rules, secret: bytes | None) -> HostLobby:
        return HostLobby(self.me, seats, rules, secret, self._links, self._emit, self._sit)

    def _host_next(self, terms: Terms, parting: Parting) -> None:
        lobby, seats = self.lobby, len(terms.seats)
        if not isinstance(lobby, HostLobby):
            lobby = self._open_lobby(seats, terms.rules, self.me.randomness(SECRET_BYTES))
        self.lobby = lobby
        order = parting.order(seats)
        chairs = {terms.keys[old]: new for new, old in enumerate(order) if old not in parting.lost}
        lobby.reopen(chairs, parting)

    # -- another session ----------------------------------------------------------------------------------------------

    def _take_again(self, link: int, seat: int) -> None:
        table = self.table
        if table is None or not self._ended:
            return  # it crossed the invitation to the next one
        if isinstance(self.lobby, HostLobby) and table.terms.keys[seat : seat + 1] != (self._links[link].key,):
            raise WireError("unexpected-frame", "another seat's word")
        if seat not in self._again and seat < table.seats and seat != table.us:
            self._wants_another(seat)

    def _wants_another(self, seat: int) -> None:
        """A seat would play another session: what follows is the host's affair."""
        self._again.add(seat)
        self._notify([AnotherWanted(seat)])
        if isinstance(self.lobby, HostLobby) or (self.table is not None and seat == self.table.us):
            for link in self._links.joined():
                self._links.send(link, Again(seat))
        self._play_again_if_all_want()

    def _play_again_if_all_want(self) -> None:
        """Back to the lobby when all who are still here want to."""
        table = self.table
        if table is None or not self._ended or not isinstance(self.lobby, HostLobby):
            return
        here = [seat for seat, key in enumerate(table.terms.keys) if seat == table.us or self._links.joined(key)]
        if self._again >= set(here):
            self.table = None
            self._again.clear()
            chairs = {table.terms.keys[seat]: seat for seat in here}
            self.lobby.reopen(chairs)

    # -- what follows from what happens --------------------------------------------------------------------------------

    def _follow(self, event: TableEvent) -> None:
        """What else an event at the table brings about."""
        match event:
            case SeatReady(seat):
                self._update_heard()
                if self.table is not None and seat == self.table.us and self._addresses:  # else not known yet
                    self.table.be_reachable(self._addresses)
            case SeatLeft(seat):
                for link in () if self.table is None else self._links.joined(self.table.terms.keys[seat]):
                    self._drop(link, "lost")
            case SessionEnded():
                for link in self._links.joined():
                    for table in self._tables():
                        self._stand(link, table)
            case TableParted():
                if self.table is not None and self.table.parting is not None:
                    self.picture = self.snapshot()
                    self._part(self.table, self.table.parting)
            case TableStopped():
                self._say_why(event)


def _as_refusal(data: bytes) -> Refusal | None:
    """A refusal of whatever version, or None."""
    try:
        return decode_refusal(data)
    except WireError:
        return None


def _greets_in_other_words(data: bytes) -> bool:
    """Whether it is a greeting of another version."""
    try:
        return decode_hello_version(data) != PROTOCOL_VERSION
    except WireError:
        return False
