"""Answers that leave no choice, given for us, with nothing to be read from the time that they take.

A *sans* of a player without any hoc is forced; of a player who withholds one it is not. Both are the same word at the
table, so both must take the same time: while answers are given for us, every *sans* and every *go on* in carte blanche
goes out when a delay drawn for that turn has passed (``session.pace``), whoever has said it. Who thinks longer than
that before he withholds a hoc still tells it.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable
from typing import Protocol, cast

from hocp2p.errors import HocError, LocalError
from hocp2p.game.actions import Action, Go, Sans
from hocp2p.game.house import Rules
from hocp2p.game.state import SeatView
from hocp2p.session.client import Client, HostClient, Listener
from hocp2p.session.pace import answer_delay_s
from hocp2p.table.events import TableEvent
from hocp2p.table.snapshot import TableSnapshot


class Handle(Protocol):
    """Of something that will be done."""

    def cancel(self) -> None:
        """It will not."""


class Timing(Protocol):
    """What an event loop knows of time."""

    def time(self) -> float:
        """Seconds on a clock that only grows."""

    def call_later(self, delay: float, callback: Callable[[], None], /) -> Handle:
        """Calls after ``delay`` seconds."""


def forced_answer(snapshot: TableSnapshot) -> Action | None:
    """The one answer that we may give, where it is a *sans* or a *go on*; else None."""
    if len(snapshot.legal) == 1 and isinstance(snapshot.legal[0], Sans | Go):
        return snapshot.legal[0]
    return None


class ForcedAnswers:
    """A client around a client, a guest's or the host's, that gives forced answers by itself while ``on``.

    Args:
        client: our seat.
        on: whether answers are given for us; may be changed at any time.
        rng: draws the delays; fresh where None.
        timing: the running event loop where None.
    """

    def __init__(
        self, client: Client, *, on: bool = False, rng: random.Random | None = None, timing: Timing | None = None
    ) -> None:
        self.on = on
        self._client = client
        self._rng = rng or random.Random(secrets.randbits(64))  # noqa: S311 - delays, no cards or keys
        self._given_timing = timing
        self._turn: SeatView | None = None  # what the present delay was drawn for
        self._due_s = 0.0
        self._waiting: Action | None = None
        self._handle: Handle | None = None
        client.listen(self._follow)

    # What is ours.

    def act(self, action: Action) -> None:
        """See ``Client``. While ``on``, a *sans* or *go on* goes out when its time has come."""
        if self.on and isinstance(action, Sans | Go) and action in self.snapshot.legal:
            self._draw(self.snapshot)
            self._answer_later(action)
        else:
            self._drop()
            self._client.act(action)

    def give(self) -> None:
        """Answers what is forced while ``on``, a little later. To be called when ``on`` has changed."""
        answer = forced_answer(self.snapshot)
        if self.on and answer is not None:
            self.act(answer)

    def _follow(self, snapshot: TableSnapshot, _: tuple[TableEvent, ...]) -> None:
        if snapshot.view != self._turn:
            self._drop()
        if self.on:
            self._draw(snapshot)
            answer = forced_answer(snapshot)
            if answer is not None:
                self._answer_later(answer)

    def _draw(self, snapshot: TableSnapshot) -> None:
        """A delay for every turn of ours, from when it begins, whatever there is to answer."""
        if snapshot.legal and snapshot.view != self._turn:
            self._turn = snapshot.view
            self._due_s = self._timing.time() + answer_delay_s(self._rng)

    def _answer_later(self, action: Action) -> None:
        """When its time has come, and never at once: the client may be in the middle of telling its listeners."""
        if action != self._waiting:
            self._drop()
            self._waiting = action
            self._handle = self._timing.call_later(max(self._due_s - self._timing.time(), 0.0), self._answer)

    def _answer(self) -> None:
        action, self._waiting, self._handle = self._waiting, None, None
        if action is not None and action in self.snapshot.legal:
            try:
                self._client.act(action)
            except HocError:
                return  # overtaken by what came in the meantime: the next snapshot asks again

    def _drop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._waiting = self._handle = None

    @property
    def _timing(self) -> Timing:
        return self._given_timing or asyncio.get_running_loop()

    # What the client does.

    @property
    def snapshot(self) -> TableSnapshot:
        """See ``Client``."""
        return self._client.snapshot

    def listen(self, listener: Listener) -> None:
        """See ``Client``."""
        self._client.listen(listener)

    def ready(self) -> None:
        """See ``Client``."""
        self._client.ready()

    def say(self, text: str) -> None:
        """See ``Client``."""
        self._client.say(text)

    def show_hand(self) -> None:
        """See ``Client``."""
        self._client.show_hand()

    def again(self) -> None:
        """See ``Client``."""
        self._client.again()

    def give_up(self, seat: int) -> None:
        """See ``Client``."""
        self._client.give_up(seat)

    def wait_for(self, seat: int) -> None:
        """See ``Client``."""
        self._client.wait_for(seat)

    def note(self, event: TableEvent) -> None:
        """See ``Client``."""
        self._client.note(event)

    def renew_invite(self) -> None:
        """See ``Client``."""
        self._client.renew_invite()

    def suspend(self) -> None:
        """See ``Client``."""
        self._drop()
        self._client.suspend()

    def leave(self) -> None:
        """See ``Client``."""
        self._drop()
        self._client.leave()

    # What the host's client does.

    def set_rules(self, rules: Rules) -> None:
        """See ``HostClient``."""
        self._host.set_rules(rules)

    def kick(self, seat: int) -> None:
        """See ``HostClient``."""
        self._host.kick(seat)

    def add_bot(self, level: str) -> None:
        """See ``HostClient``."""
        self._host.add_bot(level)

    def admit(self, number: int) -> None:
        """See ``HostClient``."""
        self._host.admit(number)

    def decline(self, number: int) -> None:
        """See ``HostClient``."""
        self._host.decline(number)

    def resize(self) -> None:
        """See ``HostClient``."""
        self._host.resize()

    @property
    def _host(self) -> HostClient:
        """Our seat as the host's. Raises LocalError ``not-host`` for a guest's, ``game-begun`` after the lobby."""
        if not self.snapshot.hosting:
            raise LocalError("not-host", "only the host changes rules and chairs")
        if not self.snapshot.may_manage:
            raise LocalError("game-begun", "the game has begun: chairs and rules are fixed")
        return cast("HostClient", self._client)  # nobody but a host is told that he may manage

    async def closed(self) -> TableSnapshot:
        """See ``Client``."""
        return await self._client.closed()

    async def gone(self) -> None:
        """See ``Client``."""
        await self._client.gone()
