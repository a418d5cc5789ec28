"""A whole participant without I/O: the lobby first, then the table. What both sides of a link have in common.

``host.HostPeer`` and ``guest.GuestPeer`` differ in the lobby only; once the proposal is signed all are alike, except
that the host, in the middle of the star, is the one who sees links go down.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hocp2p.crypto.identity import Identity
from hocp2p.crypto.scheme import DealScheme, Randomness
from hocp2p.errors import LocalError
from hocp2p.game import rules as game
from hocp2p.game.actions import Action
from hocp2p.game.house import START_BALANCE, Rules
from hocp2p.table.effects import Effect, Notify, Send
from hocp2p.table.snapshot import AnotherWanted, SeatInfo, Stage, TableEvent, TableProposed, TableSnapshot, TableStopped
from hocp2p.table.table import Table
from hocp2p.table.terms import Terms, seat_info
from hocp2p.wire.frames import Again, Chair, encode_frame

MAX_EVENTS: Final = 1000  # kept for the log; finished deals keep their own


@dataclass(frozen=True, slots=True)
class Me:
    """Who we are at a table.

    Args:
        identity: our key; never shown.
        name: 1 to 24 characters.
        bot_level: empty for a person.
        owner: who runs the bot, else empty.
        scheme: the deal protocol.
        randomness: for nonces, deck keys and shuffles.
    """

    identity: Identity
    name: str
    scheme: DealScheme
    randomness: Randomness
    bot_level: str = ""
    owner: str = ""


class Peer:
    """One participant. Every call returns what is to be done, in order.

    Args:
        me: who we are.
        rules: house rules as far as known.
        address: where others can join, for the screen.
    """

    hosting = False

    def __init__(self, me: Me, rules: Rules, address: str) -> None:
        self.me = me
        self.rules = rules
        self.address = address
        self.title = ""
        self.table: Table | None = None
        self.stopped: TableStopped | None = None
        self._effects: list[Effect] = []
        self._events: deque[TableEvent] = deque(maxlen=MAX_EVENTS)
        self._chairs: tuple[Chair, ...] = ()
        self._our_seat: int | None = None
        self._again: set[int] = set()  # seats that would play another session
        self._left = False

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

    def again(self) -> list[Effect]:
        """We would play another session. Raises LocalError while this one is not over."""
        if self._our_seat is None or not self.may_again:
            raise LocalError("not-over", "the session is not over, or you have said so already")
        self._wants_another(self._our_seat)
        return self._drain()

    def leave(self) -> list[Effect]:
        """Leaves for good."""
        if self._ended:
            self._left = True
        elif self.table is not None and self.table.agreed:
            self.table.leave()
        else:
            self._stop(TableStopped("left", "you have left the table"))
        return self._drain()

    # -- what the links bring -----------------------------------------------------------------------------------------

    def link_opened(self, link: int) -> list[Effect]:  # noqa: ARG002 # used by the guest, who greets
        """A link is up. Who dialled speaks first."""
        return self._drain()

    def link_closed(self, link: int) -> list[Effect]:
        """A link is down."""
        raise NotImplementedError

    def receive(self, link: int, data: bytes) -> list[Effect]:
        """A frame has come. Never raises for what a peer sent."""
        raise NotImplementedError

    # -- the picture --------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether nothing more will happen here: the table stopped, or we left it after the last deal."""
        return self._left or self.stopped is not None or (self.table is not None and self.table.stopped is not None)

    @property
    def may_manage(self) -> bool:
        """Whether we may still change chairs and rules: the host, until all have signed."""
        return False

    @property
    def _ended(self) -> bool:
        return self.table is not None and self.table.stage is Stage.ENDED

    @property
    def may_again(self) -> bool:
        """Whether another session can be asked for."""
        return self._ended and not self.over and self._our_seat not in self._again

    def snapshot(self) -> TableSnapshot:
        """What may be shown."""
        table = self.table
        if table is None:
            stage = Stage.LOBBY if self.stopped is None else Stage.STOPPED
            seats = tuple(seat_info(seat, chair) for seat, chair in enumerate(self._chairs))
            return TableSnapshot(
                stage, self.title, self.address, seats, self._our_seat, self.hosting, self.rules,
                may_manage=self.may_manage, events=tuple(self._events), stopped=self.stopped,
            )  # fmt: skip
        course = table.course
        deal, match = course.deal, course.match
        view = deal.view if deal is not None else None
        return TableSnapshot(
            stage=Stage.STOPPED if self.stopped else table.stage,
            title=self.title,
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
            finished=tuple(course.finished),
            events=tuple(self._events),
            proved=course.proved,
            net=None if course.closing is None else course.closing.net,
            stopped=self.stopped or table.stopped,
        )

    def _seats(self, table: Table) -> tuple[SeatInfo, ...]:
        ready, lost = table.ready_seats(), table.losses.lost
        return tuple(
            seat_info(seat, chair, ready=seat in ready, present=seat not in lost, away=seat in table.asides.away)
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

    def _wants_another(self, seat: int) -> None:
        """A seat would play another session: what follows is the host's affair."""
        self._again.add(seat)
        self._notify([AnotherWanted(seat)])
        self._effects.append(Send(encode_frame(Again(seat))))

    # -- for the two kinds --------------------------------------------------------------------------------------------

    def _sit_down(self, terms: Terms, us: int) -> None:
        self.table = Table(terms, us, self.me.identity, self.me.scheme, self.me.randomness)
        self.rules = terms.rules
        self._our_seat = us
        self._again.clear()
        self._notify([TableProposed()])

    def _stop(self, why: TableStopped) -> None:
        if self.over:
            return
        if self.table is not None:
            self.table.stop(why)
        else:
            self.stopped = why
            self._notify([why])

    def _notify(self, events: Sequence[TableEvent]) -> None:
        self._effects.extend(Notify(event) for event in events)

    def _drain(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        if self.table is not None:
            effects.extend(self.table.drain())
        self._events.extend(effect.event for effect in effects if isinstance(effect, Notify))
        return effects
