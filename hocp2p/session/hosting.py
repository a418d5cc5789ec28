"""A seat that hosts a table, with the bots that it seats: the first host's, or a guest's who takes over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hocp2p.crypto.identity import Identity
from hocp2p.errors import LocalError
from hocp2p.game.house import Rules
from hocp2p.net.link import Link
from hocp2p.net.memory import memory_pair
from hocp2p.players.levels import LEVELS
from hocp2p.record.identity_file import new_identity
from hocp2p.record.sessions import About
from hocp2p.session.autopilot import drive
from hocp2p.session.keeping import Keeper, SessionKeeper
from hocp2p.session.recording import Recorder
from hocp2p.session.runner import SeatRunner, seated
from hocp2p.session.seat import make_me
from hocp2p.session.ways import describe_seat
from hocp2p.session.workers import Workers
from hocp2p.table.effects import Effect
from hocp2p.table.peer import Peer
from hocp2p.table.terms import Terms


@dataclass(frozen=True, slots=True)
class BotOptions:
    """How bots are seated.

    Args:
        pace_s: how long they seem to think.
        seed: of their dice; fresh where None. Cards are never seeded.
        sessions: folder where their seats are kept; None: they cannot be come back to.
    """

    pace_s: float = 0.0
    seed: int | None = None
    sessions: Path | None = None


class HostRunner(SeatRunner):
    """A seat that hosts, or may have to when the host is lost. Implements ``session.client.HostClient``.

    Args:
        peer: ours.
        bots: how bots are seated.
        workers: do the work of all our seats.
        record, keeper: see ``SeatRunner``.
    """

    def __init__(
        self,
        peer: Peer,
        bots: BotOptions,
        workers: Workers,
        record: Recorder | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        super().__init__(peer, workers, record, keeper)
        self._workers = workers
        self._bot_options = bots
        self._bots: list[asyncio.Task[None]] = []
        self._bot_runners: list[SeatRunner] = []

    def set_rules(self, rules: Rules) -> None:
        """See ``HostClient``."""
        self._verify_manageable()
        rules.verify_seats(len(self.snapshot.seats))
        self._ask(partial(self._peer.set_rules, rules))

    def kick(self, seat: int) -> None:
        """See ``HostClient``."""
        self._verify_manageable()
        if seat == self.snapshot.our_seat or not self.snapshot.seats[seat].key:
            raise LocalError("nobody-there", "there is no guest in that chair")
        self._ask(partial(self._peer.kick, seat))

    def add_bot(self, level: str) -> None:
        """See ``HostClient``."""
        self._verify_manageable()
        if level not in LEVELS:
            raise LocalError("unknown-level", f"there is no level {level!r}; there are {', '.join(LEVELS)}")
        if all(seat.key for seat in self.snapshot.seats):
            raise LocalError("full", "the table is full")
        self.seat_bot(level)

    def admit(self, number: int) -> None:
        """See ``HostClient``."""
        self._verify_knocking(number)
        self._put(partial(self._peer.admit, number))

    def decline(self, number: int) -> None:
        """See ``HostClient``."""
        self._verify_knocking(number)
        self._put(partial(self._peer.decline, number))

    def _verify_knocking(self, number: int) -> None:
        if number not in {knock.number for knock in self.snapshot.knocks}:
            raise LocalError("nobody-there", "nobody knocks by that number")

    def resize(self) -> None:
        """See ``HostClient``."""
        if not self.snapshot.may_resize:
            raise LocalError("not-parted", "there is no empty chair to play on without")
        self._put(self._peer.resize)

    def seat_bot(self, level: str) -> None:
        """A bot of ours comes in: a seat like any other, on a link of its own."""
        options, number = self._bot_options, len(self._bots)
        identity = new_identity()
        keeper = None
        if options.sessions is not None:
            keeper = SessionKeeper(options.sessions, partial(self._describe_bot, identity))
        me = make_me(identity, f"bot {number + 1}", level, self._peer.me.name)
        peer = Peer.guest(me, "memory", self._peer.secret or b"")
        self._start_bot(SeatRunner(peer, self._workers, None, keeper), level)

    def seat_bot_again(self, peer: Peer, effects: list[Effect], keeper: Keeper, level: str) -> None:
        """A bot of ours comes back with us."""
        runner = SeatRunner(peer, self._workers, None, keeper)
        runner.begin(effects)
        self._start_bot(runner, level)

    def _describe_bot(self, identity: Identity, terms: Terms, us: int) -> About:
        return describe_seat(terms, us, host=self._peer.me.identity.public, seed=identity.seed().hex())

    def _start_bot(self, runner: SeatRunner, level: str) -> None:
        number = len(self._bots)
        here, there = memory_pair()
        self.attach(here)
        seed = None if self._bot_options.seed is None else self._bot_options.seed + number

        async def play() -> None:
            async with seated(runner, there):
                await drive(runner, level, seed, self._bot_options.pace_s, self._workers, again=True)

        self._bot_runners.append(runner)
        self._bots.append(asyncio.create_task(play(), name=f"bot {number + 1}"))

    async def dismiss_bots(self) -> None:
        """Goes from the table, if it still stands, and waits for our bots to go. Raises what one of them broke on.

        Where we have left for good they leave, too; else their seats are kept like ours.
        """
        self.suspend()
        await self.gone()
        for bot in self._bot_runners:
            (bot.suspend if self.snapshot.stopped is None else bot.leave)()
        await asyncio.gather(*self._bots)

    def _verify_manageable(self) -> None:
        if not self.snapshot.may_manage:
            raise LocalError("game-begun", "the game has begun: chairs and rules are fixed")
        if self._asked is not None:
            raise LocalError("busy", "one moment: your last word is still on its way")


@asynccontextmanager
async def at_table(
    runner: HostRunner, ways: AbstractAsyncContextManager[None], *links: Link
) -> AsyncIterator[HostRunner]:
    """Runs a seat, and those of its bots, while the context lasts; see ``runner.seated``.

    Args:
        runner: the seat.
        ways: opens those to it; they are closed when nobody needs the seat any more.
        links: dialled by us already; whom they lead to is not dialled again.
    """
    async with seated(runner, *links), ways:
        try:
            yield runner
            await runner.settled()
        finally:
            await runner.dismiss_bots()
