"""A whole participant without I/O: what its player does, and what may be shown of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from hocp2p.errors import LocalError
from hocp2p.game import rules as game
from hocp2p.game.actions import Action
from hocp2p.game.house import START_BALANCE, Rules
from hocp2p.table.effects import Effect, Redescribe
from hocp2p.table.events import TableEvent, TableStopped
from hocp2p.table.guest import GuestLobby
from hocp2p.table.host import HostLobby
from hocp2p.table.linked import LinkedPeer
from hocp2p.table.me import Me
from hocp2p.table.memory import Memory
from hocp2p.table.snapshot import SeatInfo, Stage, TableSnapshot
from hocp2p.table.table import Table
from hocp2p.table.terms import HOST, Terms, seat_info
from hocp2p.wire.messages import MAX_ADDRESS_CHARACTERS


class Peer(LinkedPeer):
    """One participant; made by :meth:`host`, :meth:`guest` or :meth:`back`."""

    @classmethod
    def host(cls, me: Me, seats: int, rules: Rules, address: str, secret: bytes | None = None) -> Self:
        """Who opens a table.

        Args:
            me: who we are; our seat is 0.
            seats: 2 or 3.
            rules: house rules. Raises RuleError where they do not fit the seats.
            address: where others can join, for the screen.
            secret: of the invite, 10 bytes; None: whoever finds the table may sit down.
        """
        peer = cls(me, address)
        rules.verify_seats(seats)
        peer.lobby = peer._open_lobby(seats, rules, secret)
        return peer

    @classmethod
    def guest(cls, me: Me, address: str, secret: bytes = b"", host: bytes | None = None) -> Self:
        """Who joins a table.

        Args:
            me: who we are.
            address: the host's, for the screen.
            secret: of the invite, 10 bytes; empty: we knock.
            host: identity key of the host, where it is known.
        """
        peer = cls(me, address)
        peer.lobby = GuestLobby(me, secret, peer._links, peer._emit, host)
        return peer

    @classmethod
    def back(
        cls, me: Me, address: str, terms: Terms, us: int, memory: Memory, secret: bytes | None = None
    ) -> tuple[Self, list[Effect]]:
        """Who comes back to a table, as it was kept.

        Args:
            me: who we are; the same identity as then.
            address: as above.
            terms: of the table.
            us: our seat.
            memory: what was kept.
            secret: of our invite if we host, else of the one that we came by.

        Raises LocalError ``journal-damaged``, ``journal-differs`` where that leads to no table that we can go on with.
        """
        if us >= len(terms.seats) or terms.keys[us] != me.identity.public:
            raise LocalError("not-us", "another identity sat at that table; come back with the one that did")
        if us == HOST:
            peer = cls(me, address)
            lobby = peer._open_lobby(len(terms.seats), terms.rules, secret)
            lobby.fill(terms)
            peer.lobby = lobby
        else:
            peer = cls(me, address)
            peer.lobby = GuestLobby(me, secret or b"", peer._links, peer._emit, terms.keys[HOST])
            peer.lobby.came_back_to = terms
        peer._sit_down(terms, us, memory)
        effects = peer._drain()
        table = peer.table
        if table is not None and table.stopped is not None:
            raise LocalError(table.stopped.code, table.stopped.message)
        if peer.picture is not None:  # it was parted from before we went: what happened there is told of other seats
            peer.picture = None
            peer._events.clear()
        return peer, effects

    # -- what the player does -----------------------------------------------------------------------------------------

    def ready(self) -> list[Effect]:
        """Signs the proposal, or is ready for the next deal. Raises LocalError when neither waits."""
        if self.table is None:
            raise LocalError("no-proposal", "the table is not full yet")
        self.table.ready()
        return self._drain()

    def act(self, action: Action) -> list[Effect]:
        """Makes our move. Raises LocalError or RuleError, nothing changed."""
        if self.table is None:
            raise LocalError("not-your-turn", "the game has not begun")
        self.table.act(action)
        return self._drain()

    def say(self, text: str) -> list[Effect]:
        """Talk to the table. Raises LocalError before the seats are full, and for texts that cannot be sent."""
        if self.table is None:
            raise LocalError("no-table", "there is nobody to talk to before the seats are full")
        self.table.say(text)
        return self._drain()

    def show_hand(self) -> list[Effect]:
        """Shows our hand of the last deal to the table. Raises LocalError when there is none to show."""
        if self.table is None:
            raise LocalError("nothing-to-show", "there is no hand to show")
        self.table.show_hand()
        return self._drain()

    def be_away(self, away: bool) -> list[Effect]:
        """Tells the others that our player does not answer, or is back."""
        if self.table is not None:
            self.table.be_away(away)
        return self._drain()

    def be_reachable(self, addresses: tuple[str, ...]) -> list[Effect]:
        """Tells the others, now and at every table to come, where we can be dialled (``HOST:PORT``).

        A host name may be longer than what can be told; by such a one we are found by our invite alone.
        """
        self._addresses = tuple(each for each in addresses if len(each) <= MAX_ADDRESS_CHARACTERS)
        for table in self._tables():
            table.be_reachable(self._addresses)
        return self._drain()

    def vote(self, seat: int, go_on: bool) -> list[Effect]:
        """Would go on without a seat that is not heard, or wait for it. Raises LocalError where nothing is to vote."""
        if self.table is None:
            raise LocalError("no-vote", "there is nothing to vote on")
        self.table.vote(seat, go_on=go_on)
        return self._drain()

    def again(self) -> list[Effect]:
        """We would play another session. Raises LocalError while this one is not over."""
        if self.table is None or not self.may_again:
            raise LocalError("not-over", "the session is not over, or you have said so already")
        self._wants_another(self.table.us)
        return self._drain()

    def leave(self) -> list[Effect]:
        """Leaves for good."""
        if self._ended:
            self._left = True
        elif self.table is not None and self.table.signed:
            self.table.leave()
        else:
            self._stop(TableStopped("left", "you have left the table"))
        return self._drain()

    def suspend(self) -> list[Effect]:
        """Goes without a word and keeps the seat: one can come back to it. In the lobby there is none to keep."""
        if self._tables():
            self._left = True
        else:
            self._stop(TableStopped("left", "you have left the table"))
        return self._drain()

    def note(self, event: TableEvent) -> list[Effect]:
        """Something that our own program has noticed goes into the log."""
        self._notify([event])
        return self._drain()

    def fail(self, error: LocalError) -> list[Effect]:
        """What we have to keep cannot be kept: nothing more is signed, and what is not kept is not sent."""
        self._left = True
        self.stopped = TableStopped(error.code, error.message)
        self._notify([self.stopped])
        return self._drain()

    # -- what only the host does, until all have signed ---------------------------------------------------------------

    @property
    def may_manage(self) -> bool:
        """Whether chairs and rules can still be changed, by us."""
        return self.hosting and not self.over and (self.table is None or not self.table.agreed)

    def set_rules(self, rules: Rules) -> list[Effect]:
        """Plays by other rules: whoever was ready has to read them and say so again.

        Raises LocalError ``game-begun``, RuleError for rules that do not fit the seats; nothing is changed then.
        """
        self._managed().set_rules(rules)
        return self._drain()

    def kick(self, seat: int) -> list[Effect]:
        """Takes a guest's chair away, bot or person. Raises LocalError ``game-begun`` or ``nobody-there``."""
        self._managed().kick(seat, self.me.name)
        return self._drain()

    def admit(self, number: int) -> list[Effect]:
        """Lets somebody in who knocks. Raises LocalError."""
        self._managed().admit(number)
        self._update_heard()
        return self._drain()

    def decline(self, number: int) -> list[Effect]:
        """Does not let somebody in. Raises LocalError."""
        self._managed().decline(number)
        return self._drain()

    def resize(self) -> list[Effect]:
        """Two go on without the seat that was lost. Raises LocalError, RuleError."""
        self._managed().resize()
        return self._drain()

    @property
    def secret(self) -> bytes | None:
        """Of our invite; None: whoever comes may sit down, or we do not host."""
        return self.lobby.secret if isinstance(self.lobby, HostLobby) else None

    def renew_secret(self, secret: bytes | None) -> list[Effect]:
        """Another invite holds from now on; the old one is dead."""
        lobby = self.lobby
        if not isinstance(lobby, HostLobby):
            raise LocalError("not-hosting", "only the host invites")
        lobby.secret = secret
        self._emit(Redescribe())
        return self._drain()

    def _managed(self) -> HostLobby:
        lobby = self.lobby
        if not isinstance(lobby, HostLobby) or not self.may_manage:
            raise LocalError("game-begun", "the game has begun: chairs and rules are fixed")
        return lobby

    # -- the picture --------------------------------------------------------------------------------------------------

    @property
    def may_again(self) -> bool:
        """Whether another session can be asked for."""
        return self._ended and not self.over and self.table is not None and self.table.us not in self._again

    def snapshot(self) -> TableSnapshot:
        """What may be shown."""
        return self._lobby_snapshot() if self.table is None else self._table_snapshot(self.table)

    def _lobby_snapshot(self) -> TableSnapshot:
        lobby = self.lobby
        chairs = tuple(seat_info(seat, chair) for seat, chair in enumerate(lobby.chairs))
        parting = lobby.parting
        continued = None if parting is None or not chairs else parting.continued(len(chairs))
        return TableSnapshot(
            stage=Stage.LOBBY if self.stopped is None else Stage.STOPPED,
            title=lobby.title,
            address=self.address,
            seats=chairs,
            our_seat=HOST if isinstance(lobby, HostLobby) else lobby.seat,
            hosting=self.hosting,
            rules=lobby.rules,
            deal=0 if continued is None else continued.number - 1,
            balances=() if continued is None else continued.balances,
            may_manage=self.may_manage,
            knocks=lobby.knocks if isinstance(lobby, HostLobby) else (),
            parted=parting is not None,
            may_resize=isinstance(lobby, HostLobby) and lobby.may_resize,
            events=tuple(self._events),
            stopped=self.stopped,
        )

    def _table_snapshot(self, table: Table) -> TableSnapshot:
        course = table.course
        deal, match = course.deal, course.match
        view = deal.view if deal is not None else None
        return TableSnapshot(
            stage=Stage.STOPPED if self.stopped else table.stage,
            title=self.lobby.title or f"{table.terms.seats[HOST].name}'s table",
            address=self.address,
            seats=self._seats(table),
            our_seat=table.us,
            hosting=self.hosting,
            rules=table.terms.rules,
            deal=0 if match is None else deal.match.number if deal is not None else match.number,
            dealer=None if match is None else view.state.dealer if view is not None else match.dealer,
            balances=self._balances(table),
            carry=(0, 0, 0) if match is None else view.state.pools if view is not None else match.carry,
            doubled=frozenset() if match is None else view.state.doubled if view is not None else match.doubled,
            dealing="" if table.stopped else course.dealing,
            view=view,
            legal=game.legal_actions(view) if view is not None and table.asks else (),
            may_ready=not table.over and table.us not in table.ready_seats(),
            may_show=course.last is not None and course.last.may_show and not self.over,
            may_manage=self.may_manage,
            may_again=self.may_again,
            again=frozenset(self._again),
            knocks=self.lobby.knocks if isinstance(self.lobby, HostLobby) else (),
            parted=table.terms.continued is not None,
            may_give_up=self._may_give_up(table),
            settled=self.settled,
            finished=tuple(course.finished),
            events=tuple(self._events),
            proved=course.proved,
            net=None if course.closing is None else course.closing.net,
            stopped=self.stopped or table.stopped,
        )

    def _may_give_up(self, table: Table) -> frozenset[int]:
        """Seats that one could vote to go on without, were the time over: where two or more would remain."""
        if table.over or not table.agreed or len(table.losses.remaining()) < 3:
            return frozenset()
        return frozenset(
            seat for seat in table.losses.remaining() - {table.us} if not table.losses.claimed(table.us, seat)
        )

    def _seats(self, table: Table) -> tuple[SeatInfo, ...]:
        ready, lost = table.ready_seats(), table.losses.lost
        return tuple(
            replace(
                seat_info(seat, chair),
                ready=seat in ready,
                present=seat not in lost,
                away=seat in table.asides.away,
                linked=seat == table.us or not table.agreed or seat in self._heard,
                votes=table.losses.voters(seat),
            )
            for seat, chair in enumerate(table.terms.seats)
        )

    def _balances(self, table: Table) -> tuple[int, ...]:
        """Of the present deal; where the table stopped in the middle of one, those that all have signed."""
        course = table.course
        if course.closing is not None:
            return course.closing.balances
        if course.deal is not None and course.play is not None and not table.over:
            return course.deal.state.balances
        return course.match.balances if course.match is not None else (START_BALANCE,) * table.seats
