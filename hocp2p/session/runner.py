"""One seat at work: links, player and screen around a ``Peer``, in one ordered loop.

The peer runs in a worker thread, so that proving and verifying never keep the event loop waiting. Inputs are taken one
at a time in the order in which they came; the effects of one are carried out before the next is taken.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import Final

from hocp2p.errors import LocalError, RuleError
from hocp2p.game.actions import Action
from hocp2p.net.link import Link
from hocp2p.players.idle import Idle
from hocp2p.session.client import Listener
from hocp2p.session.clock import AWAY_S, Timekeeper
from hocp2p.session.doors import Doors
from hocp2p.session.keeping import Keeper
from hocp2p.session.recording import Recorder, Recording
from hocp2p.session.unheard import Unheard
from hocp2p.session.wires import Input, Wires
from hocp2p.table.effects import Blame, Effect, HangUp, Notify, Record, Send
from hocp2p.table.events import TableEvent, TableParted
from hocp2p.table.peer import Peer
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.wire.frames import SECRET_BYTES
from hocp2p.wire.messages import MAX_TALK_CHARACTERS
from hocp2p.wire.text import is_showable

logger = logging.getLogger(__name__)

SETTLE_S: Final = 30.0  # how long the end of a session is offered to those who may not have it signed yet

Want = Callable[[Mapping[bytes, tuple[str, ...]]], None]


class SeatRunner:
    """Implements ``session.client.Client`` over a peer.

    Args:
        peer: the state machine; from now on only this object calls it.
        executor: where the peer's work is done.
        record: takes the public record; None: none is kept.
        keeper: keeps what brings us back; None: a seat that cannot come back, for tests and practice.
    """

    def __init__(
        self, peer: Peer, executor: Executor, record: Recorder | None = None, keeper: Keeper | None = None
    ) -> None:
        self._peer = peer
        self._recording = Recording(record)
        self._keeper = keeper
        self.want: Want = lambda _wanted: None  # is told to whom links are wanted, after every change
        self.doors: Doors | None = None  # by which others come to us, where they can
        self._unheard = Unheard()
        self._executor = executor
        self._inputs: asyncio.Queue[tuple[Input, asyncio.Event]] = asyncio.Queue()
        self._wires = Wires(peer, self._put)
        self._listeners: list[Listener] = []
        self._bare = self._snapshot = peer.snapshot()  # the picture without and with what time and links add to it
        self._asked: Input | None = None  # our own word, on its way to the peer
        self._timekeeper = Timekeeper()
        self._alarm: asyncio.TimerHandle | None = None
        self._reminder: asyncio.TimerHandle | None = None
        self._changed = asyncio.Event()
        self._away = False
        self._ended = asyncio.Event()
        self._done = asyncio.Event()

    # -- Client -------------------------------------------------------------------------------------------------------

    @property
    def snapshot(self) -> TableSnapshot:
        """See ``Client``."""
        return self._snapshot

    def listen(self, listener: Listener) -> None:
        """See ``Client``."""
        self._listeners.append(listener)

    def ready(self) -> None:
        """See ``Client``."""
        if self._asked is not None or not self._snapshot.may_ready:
            raise LocalError("no-proposal", "there is nothing to be ready for")
        self._be_back()
        self._ask(self._peer.ready)

    def act(self, action: Action) -> None:
        """See ``Client``."""
        if self._asked is not None or not self._snapshot.legal:
            raise LocalError("not-your-turn", "it is not your turn")
        if action not in self._snapshot.legal:
            raise RuleError("not-legal", "that is not allowed now")
        self._be_back()
        self._ask(partial(self._peer.act, action))

    def say(self, text: str) -> None:
        """See ``Client``."""
        if not 1 <= len(text) <= MAX_TALK_CHARACTERS or not is_showable(text):
            raise LocalError("bad-talk", f"talk is 1 to {MAX_TALK_CHARACTERS} characters, without control characters")
        self._be_back()
        self._put(lambda: self._peer.say(text))

    def show_hand(self) -> None:
        """See ``Client``."""
        if self._asked is not None or not self._snapshot.may_show:
            raise LocalError("nothing-to-show", "there is no hand to show")
        self._ask(self._peer.show_hand)

    def again(self) -> None:
        """See ``Client``."""
        if self._asked is not None or not self._snapshot.may_again:
            raise LocalError("not-over", "the session is not over, or you have said so already")
        self._ask(self._peer.again)

    def leave(self) -> None:
        """See ``Client``."""
        self._put(self._peer.leave)

    def suspend(self) -> None:
        """See ``Client``."""
        self._put(self._peer.suspend)

    def give_up(self, seat: int) -> None:
        """See ``Client``."""
        if seat not in self._snapshot.may_give_up:
            raise LocalError("no-vote", "that seat has not been away for long enough")
        self._put(partial(self._peer.vote, seat, True))

    def wait_for(self, seat: int) -> None:
        """See ``Client``."""
        if not any(info.seat == seat and info.votes for info in self._snapshot.seats):
            raise LocalError("no-vote", "there is nothing to vote on")
        self._put(partial(self._peer.vote, seat, False))

    def note(self, event: TableEvent) -> None:
        """See ``Client``."""
        self._put(partial(self._peer.note, event))

    def be_reachable(self, addresses: tuple[str, ...]) -> None:
        """Tells the others where we can be dialled."""
        self._put(partial(self._peer.be_reachable, addresses))

    async def closed(self) -> TableSnapshot:
        """See ``Client``."""
        await self._ended.wait()
        return self._snapshot

    async def gone(self) -> None:
        """See ``Client``."""
        await self._done.wait()

    async def settled(self) -> None:
        """Waits until the others need us no more to have the end of the session signed, too, for a while at most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                while self._snapshot.stage is Stage.ENDED and not (self._snapshot.settled or self._done.is_set()):
                    self._changed.clear()
                    await self._changed.wait()

    def begin(self, effects: list[Effect]) -> None:
        """Carries out what coming back to a seat has led to, before anything else.

        What has happened before stands in our first picture, and is not told again.
        """
        self._put(lambda: [effect for effect in effects if not isinstance(effect, Notify)])

    def renew_invite(self) -> None:
        """See ``HostClient``."""
        if self.doors is None:
            raise LocalError("no-way", "nobody can dial us")
        if self._snapshot.hosting:
            self._put(partial(self._peer.renew_secret, secrets.token_bytes(SECRET_BYTES)))

    # -- links --------------------------------------------------------------------------------------------------------

    def attach(self, link: Link, *, dialled: bool = False) -> asyncio.Task[None]:
        """See ``Wires.attach``."""
        return self._wires.attach(link, dialled=dialled)

    # -- the loop -----------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Works until the table is stopped or left, then flushes and closes all links."""
        loop = asyncio.get_running_loop()
        try:
            while not self._peer.over:
                take, taken = await self._inputs.get()
                await self._take(loop, take)
                taken.set()
        finally:
            for alarm in (self._alarm, self._reminder):
                if alarm is not None:
                    alarm.cancel()
            await self._wires.close()
            if self._keeper is not None:
                await asyncio.get_running_loop().run_in_executor(self._executor, self._keeper.close, self._snapshot)
            self._ended.set()
            self._done.set()

    async def _take(self, loop: asyncio.AbstractEventLoop, take: Input) -> None:
        try:
            effects, snapshot = await loop.run_in_executor(self._executor, self._work, take)
        except (LocalError, RuleError) as error:
            # What a screen asked for was overtaken by what a link brought; the picture is right again at once.
            logger.info("refused: %s", error.message)
            effects, snapshot = [], self._peer.snapshot()
        if take is self._asked:
            self._asked = None
        events = self._perform(effects)
        picture, self._peer.picture = self._peer.picture, None
        if picture is not None:  # what happened at the table that we parted from is told of its seats
            parted = next(n for n, event in enumerate(events) if isinstance(event, TableParted)) + 1
            self._publish(picture, events[:parted])
            events = events[parted:]
        self._publish(snapshot, events)
        self.want(self._peer.wanted())

    def _publish(self, snapshot: TableSnapshot, events: tuple[TableEvent, ...]) -> None:
        """Shows the picture, with what time and links add to it."""
        loop = asyncio.get_running_loop()
        self._bare = snapshot
        snapshot = self._with_clock(self._with_unheard(snapshot, events, loop), loop)
        if self.doors is not None:
            invite = self.doors.invite(self._peer.secret)
            address = self.doors.address if snapshot.hosting else snapshot.address
            snapshot = replace(snapshot, invite=invite, ways=self.doors.ways, address=address)
        self._snapshot = snapshot
        for listener in self._listeners:
            listener(snapshot, events)
        self._changed.set()
        if snapshot.stage in (Stage.ENDED, Stage.STOPPED):
            self._ended.set()
        else:
            self._ended.clear()

    def refresh(self) -> None:
        """Shows the picture anew: time, or what is known of the ways to the table, has changed."""
        if not self._done.is_set():
            self._publish(self._bare, ())  # the peer itself may be at work in its thread

    def _with_unheard(
        self, snapshot: TableSnapshot, events: tuple[TableEvent, ...], loop: asyncio.AbstractEventLoop
    ) -> TableSnapshot:
        """Keeps how long seats have not been heard, and sets a reminder for the moment when one may be given up."""
        may_give_up = self._unheard.follow(snapshot, events, self._timekeeper.clock, loop.time())
        if self._reminder is not None:
            self._reminder.cancel()
            self._reminder = None
        if self._unheard.next_s is not None:
            self._reminder = loop.call_at(self._unheard.next_s, self.refresh)
        return replace(snapshot, may_give_up=may_give_up)

    # -- time ---------------------------------------------------------------------------------------------------------

    def _with_clock(self, snapshot: TableSnapshot, loop: asyncio.AbstractEventLoop) -> TableSnapshot:
        """Keeps the clocks, and sets the alarm for our own."""
        clock = self._timekeeper.follow(snapshot, loop.time())
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        us = snapshot.our_seat
        if clock is not None and us is not None and us in clock.awaited:
            left_s = clock.turn_left_s(us, clock.since_s) + clock.bank_left_s(us, clock.since_s)
            at_s = clock.since_s + (AWAY_S if self._away else left_s)
            self._alarm = loop.call_at(at_s, self._run_out)
        return replace(snapshot, clock=clock)

    def _run_out(self) -> None:
        """Our time is out: what costs nothing is done for us."""
        snapshot = self._snapshot
        if self._asked is not None or not (snapshot.may_ready or snapshot.legal):
            return
        if not self._away:
            self._away = True
            self._put(partial(self._peer.be_away, True))
        if snapshot.may_ready:
            self._ask(self._peer.ready)
        elif snapshot.view is not None:
            self._ask(partial(self._peer.act, Idle().decide(snapshot.view)))

    def _be_back(self) -> None:
        if self._away:
            self._away = False
            self._put(partial(self._peer.be_away, False))

    def _work(self, take: Input) -> tuple[list[Effect], TableSnapshot]:
        effects = take()
        if self._keeper is not None:
            try:
                self._keeper.keep(effects)
            except LocalError as error:  # what cannot be kept must not be sent
                logger.error("the seat cannot be kept: %s", error.message)
                effects = self._peer.fail(error)
        return effects, self._peer.snapshot()

    def _perform(self, effects: list[Effect]) -> tuple[TableEvent, ...]:
        events: list[TableEvent] = []
        for effect in effects:
            match effect:
                case Send(frame, int(to)):
                    self._wires.send(to, frame)
                case HangUp(link, why):
                    logger.warning("hanging up on link %d: %s", link, why)
                    self._wires.hang_up(link)
                case Notify(event):
                    events.append(event)
                case Record(kind, payload):
                    events += self._recording.write(kind, payload)
                case Blame(error):
                    logger.warning("seat %d broke the protocol at %s: %s", error.seat, error.step, error.code)
        return tuple(events)

    def _ask(self, ask: Input) -> None:
        self._asked = ask
        self._put(ask)

    def _put(self, take: Input) -> asyncio.Event:
        """Queues an input; the event is set when its effects have been carried out."""
        taken = asyncio.Event()
        self._inputs.put_nowait((take, taken))
        return taken


@contextlib.asynccontextmanager
async def seated(runner: SeatRunner, *links: Link) -> AsyncIterator[SeatRunner]:
    """Runs a seat while the context lasts; on the way out it is kept, if it was not left.

    Args:
        runner: the seat.
        links: to the host, dialled by us.

    An error in the runner is raised here.
    """
    for link in links:
        runner.attach(link, dialled=True)
    working = asyncio.create_task(runner.run(), name="seat")
    try:
        yield runner
        await runner.settled()
    finally:
        runner.suspend()
        await working
