"""A participant among its links: who is heard, what others miss, faults and ends; and its effects on the way out.

What the links bring, and what follows for lobby and table, is in ``linked``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from hocp2p.errors import CryptoError, WireError
from hocp2p.table.effects import Effect, Notify, Send
from hocp2p.table.events import LinkChanged, Refused, TableEvent, TableStopped
from hocp2p.table.guest import GuestLobby
from hocp2p.table.host import HostLobby
from hocp2p.table.links import Links
from hocp2p.table.me import Me
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.table.table import Table
from hocp2p.table.terms import HOST
from hocp2p.wire.frames import PROTOCOL_VERSION, LobbyView, Refusal, Standing
from hocp2p.wire.text import clean_text

MAX_EVENTS: Final = 1000  # kept for the log; finished deals keep their own
MAX_REFUSAL_CHARACTERS: Final = 200


class Participant(ABC):
    """What every participant has: a lobby, at most one table, and links.

    Args:
        me: who we are.
        address: where others can join, or where we have joined; for the screen.
    """

    lobby: HostLobby | GuestLobby

    def __init__(self, me: Me, address: str) -> None:
        self.me = me
        self.address = address
        self.table: Table | None = None
        self.stopped: TableStopped | None = None
        self._before: Table | None = None  # the table that we parted from, while the next one is made
        self._forgotten_by: bytes | None = None  # key of the next host, where it does not know that table any more
        self._effects: list[Effect] = []
        self._links = Links(me.identity, me.randomness, self._emit)
        self._events: deque[TableEvent] = deque(maxlen=MAX_EVENTS)
        self._again: set[int] = set()  # seats that would play another session
        self._level: set[int] = set()  # seats that have the end signed, too
        self._heard: frozenset[int] = frozenset()
        self._quit: dict[int, str] = {}  # seats that have told us that they go on no more, and with which code
        self._waiting: dict[bytes | None, LobbyView] = {}  # by key, from those who have left the table before us
        self._addresses: tuple[str, ...] = ()
        self.picture: TableSnapshot | None = None  # the last of the table that we have just parted from
        self._left = False

    @abstractmethod
    def snapshot(self) -> TableSnapshot:
        """What may be shown."""

    @abstractmethod
    def _follow(self, event: TableEvent) -> None:
        """What else an event at the table brings about."""

    @abstractmethod
    def _play_again_if_all_want(self) -> None:
        """Back to the lobby when all who are still here want to."""

    # -- links that come and go ---------------------------------------------------------------------------------------

    def _tables(self) -> tuple[Table, ...]:
        """Tables to which we come back: the one that we have signed, and the one that we parted from before it."""
        return tuple(table for table in (self.table, self._before) if table is not None and table.signed)

    def _stand(self, link: int, table: Table) -> None:
        self._links[link].stood = True
        self._links.send(link, table.standing())

    def _take_standing(self, link: int, theirs: Standing) -> None:
        """Sends what a seat of that table misses; it is told how far we are, too, if it was not."""
        key = self._links[link].key or b""
        for table in self._tables():
            if table.terms.table != theirs.table or key not in table.terms.keys:
                continue
            if not self._links[link].stood:
                self._stand(link, table)
            for frame in table.missing(theirs):
                self._effects.append(Send(frame, to=link))
            seat = table.terms.keys.index(key)
            if table is self.table and table.is_level(theirs) and seat not in self._level:
                self._level.add(seat)
                self._stand(link, table)  # it may have heard how far we are before it was there itself
        oldest = self._links.first(key)
        if isinstance(self.lobby, HostLobby) and self.table is None and link in oldest:
            self.lobby.show(link)

    def _when_unlinked(self, key: bytes) -> None:
        """A link to somebody of ours is down."""
        playing = self.table is not None and self.table.agreed
        if isinstance(self.lobby, GuestLobby) and key == self.lobby.host:
            self.lobby.greeting = False  # our greeting may be lost with it
        if self._links.joined(key):
            if isinstance(self.lobby, HostLobby) and not playing and not self.over:
                self.lobby.update()  # what was to be said over that link may be lost
        else:
            if isinstance(self.lobby, HostLobby) and not playing and not self.over:
                self.lobby.free(key)
            elif isinstance(self.lobby, GuestLobby) and key == self.lobby.host and not self._tables() and not self.over:
                self.table, self.lobby.chairs = None, ()
            if self._ended and self.settled and isinstance(self.lobby, GuestLobby) and key == self.lobby.host:
                self._left = True
            self._play_again_if_all_want()
        self._update_heard()

    def _update_heard(self) -> None:
        """Who is heard, and by whom, has perhaps changed."""
        table = self.table
        if table is None or not table.agreed:
            self._heard = frozenset()
            return
        direct = frozenset(seat for seat, key in enumerate(table.terms.keys) if self._links.joined(key))
        heard = (direct | self._links.heard_by_others() | {table.us}) & frozenset(range(table.seats))
        self._links.tell_whom_we_hear(tuple(sorted(direct)))
        before, self._heard = self._heard, heard
        if not before:
            return
        for seat in sorted(before ^ heard):
            self._notify([LinkChanged(seat, seat in heard)])
            if seat in heard:
                self._quit.pop(seat, None)
                table.heard(seat)

    def wanted(self) -> Mapping[bytes, tuple[str, ...]]:
        """Identity keys of the seats that we have no link to, and where they can be dialled as far as they have said.

        A guest who is in no table yet wants the host, whose key may be empty. Who was dialled and has not answered yet
        is not wanted a second time: a host may think for long about somebody who knocks.
        """
        tables, opening = self._tables(), self._links.opening()
        if not tables:
            if isinstance(self.lobby, HostLobby) or self._links.joined() or opening:
                return {}
            return {self.lobby.host or b"": ()}
        table = tables[0]
        return {
            key: table.asides.addresses[seat]
            for seat, key in enumerate(table.terms.keys)
            if seat != table.us and seat not in table.losses.lost and key not in opening and not self._links.joined(key)
        }

    # -- faults and ends ----------------------------------------------------------------------------------------------

    def _drop(self, link: int, why: str) -> None:
        """Hangs up on a link of ours."""
        far = self._links[link]
        self._links.hang_up(link, why)
        if far.joined and far.key is not None:
            self._when_unlinked(far.key)

    def _refuse(self, link: int, code: str, message: str) -> None:
        self._links.send(link, Refusal(code, message, PROTOCOL_VERSION))
        self._drop(link, message)

    def _when_broken(self, link: int, error: WireError | CryptoError) -> None:
        """A link that brings what is no message is at fault, not a seat: anybody in between can do that."""
        dialled = self._links[link].dialled
        if isinstance(self.lobby, GuestLobby) and not self._tables() and dialled:
            told = f"the host sent what is no message of hocp2p: {error.message}"
            is_ours = error.code in ("version", "wrong-key")
            self._stop(TableStopped(error.code, error.message) if is_ours else TableStopped("bad-host", told))
        self._drop(link, error.message)

    def _when_refused(self, link: int, refusal: Refusal) -> None:
        """The other side will not have us, or its table has stopped."""
        key, table = self._links[link].key, next(iter(self._tables()), None)
        if table is None:
            if isinstance(self.lobby, GuestLobby) and self._links[link].dialled:
                self._stop(TableStopped(refusal.code, refusal.message))
        elif not table.begun and key == table.terms.keys[HOST]:
            if refusal.code == "no-such-table":
                self.table = None  # it fell apart before it began: we greet anew
            else:
                self._stop(TableStopped(refusal.code, refusal.message))
        elif table is self._before and isinstance(self.lobby, GuestLobby) and key == self.lobby.host:
            self._forgotten_by = key  # it was killed and came back to the next table, which fell apart: we greet anew
        elif key in table.terms.keys and not table.over:
            seat = table.terms.keys.index(key)
            alone = len(table.losses.remaining()) == 2 and refusal.code != "no-such-table"
            is_new = seat not in self._quit
            self._quit[seat] = refusal.code
            if alone or self._is_cut_off(table):
                self._stop(TableStopped(refusal.code, refusal.message, seat))
            elif is_new:
                self._notify([Refused(seat, refusal.code, refusal.message)])
        self._drop(link, refusal.message)

    def _is_cut_off(self, table: Table) -> bool:
        """Whether all others who remain say so, as far as we could ask them. One alone may lie."""
        others = table.losses.remaining() - {table.us}
        asked = {seat for seat in others if table.asides.addresses[seat] or self._links.joined(table.terms.keys[seat])}
        told = {seat for seat, code in self._quit.items() if code == "cut-off"}
        return bool(told) and asked <= told

    def _say_why(self, stopped: TableStopped) -> None:
        """Why the table stops, for everybody who is linked; who leaves a game says so in it."""
        code, message = stopped.code, stopped.message
        if code == "left":
            if self.table is not None and self.table.begun:
                return
            code, message = "closed", f"{self.me.name} has closed the table"
        for link in self._links.joined():
            self._links.send(link, Refusal(code, clean_text(message, MAX_REFUSAL_CHARACTERS), PROTOCOL_VERSION))

    def _stop(self, why: TableStopped) -> None:
        if self.over:
            return
        if self.table is not None:
            self.table.stop(why)
        else:
            self.stopped = why
            self._notify([why])

    # -- how it stands ------------------------------------------------------------------------------------------------

    @property
    def hosting(self) -> bool:
        """Whether we host the table, or the next one."""
        return isinstance(self.lobby, HostLobby)

    @property
    def over(self) -> bool:
        """Whether nothing more will happen here: the table stopped, or we have left."""
        return self._left or self.stopped is not None or (self.table is not None and self.table.stopped is not None)

    @property
    def settled(self) -> bool:
        """Whether the session is over and nobody needs us to have it signed: all to whom we have links have it.

        One who has it passes it on as we would.
        """
        table = self.table
        if table is None or not self._ended:
            return self.over
        linked = {seat for seat in table.losses.remaining() - {table.us} if self._links.joined(table.terms.keys[seat])}
        return bool(self._level) and linked <= self._level

    @property
    def _ended(self) -> bool:
        return self.table is not None and self.table.stage is Stage.ENDED

    # -- effects ------------------------------------------------------------------------------------------------------

    def _emit(self, effect: Effect) -> None:
        self._effects.append(effect)

    def _notify(self, events: Sequence[TableEvent]) -> None:
        self._effects.extend(Notify(event) for event in events)

    def _drain(self) -> list[Effect]:
        """All effects since the last call, and what follows from them; frames for all are addressed."""
        done: list[Effect] = []
        while fresh := self._gather():
            for effect in fresh:
                if isinstance(effect, Notify):
                    self._events.append(effect.event)
                    self._follow(effect.event)
                done.extend(self._addressed(effect))
        return done

    def _gather(self) -> list[Effect]:
        gathered, self._effects = self._effects, []
        for table in (self._before, self.table):
            gathered.extend(table.drain() if table is not None else [])
        return gathered

    def _addressed(self, effect: Effect) -> list[Effect]:
        """A frame for all goes to every link that leads to somebody of ours."""
        if not isinstance(effect, Send) or effect.to is not None:
            return [effect]
        return [Send(effect.frame, to=link) for link in self._links.joined() if link != effect.but]
