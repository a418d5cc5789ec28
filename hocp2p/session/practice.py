"""A practice table: our seat and two bots in this process, one deal, and the bots show us their hands.

The deal is the real one, with all its proofs. What is shown here is what each bot's own seat knows of its cards; no
message carries it, and at a table of strangers nobody could have it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final, Protocol

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action
from hocp2p.game.cards import Card
from hocp2p.game.house import START_BALANCE, Rules
from hocp2p.game.match import Match
from hocp2p.net.memory import memory_pair
from hocp2p.players.levels import LEVELS
from hocp2p.record.identity_file import new_identity
from hocp2p.session.autopilot import drive
from hocp2p.session.client import Client, Listener
from hocp2p.session.runner import SeatRunner, seated
from hocp2p.session.seat import make_me
from hocp2p.session.workers import Workers
from hocp2p.table.events import DealSigned, SeatReady, SessionEnded, TableEvent, TableProposed, TableStopped
from hocp2p.table.peer import Peer
from hocp2p.table.snapshot import Stage, TableSnapshot

SEATS: Final = 3
TABLE_RULES: Final = Rules(deals=SEATS)  # the table plays as many deals as seats at least; we leave after the first
SHOWN_RULES: Final = replace(TABLE_RULES, deals=1)


class PracticeClient(Client, Protocol):
    """Our seat at a practice table. It says ready by itself, and its session is over after one deal."""

    def open_hands(self, snapshot: TableSnapshot) -> Mapping[int, tuple[Card, ...]]:
        """The hands of the bots as they were in a picture, by seat; without those that are not dealt in it.

        A screen that shows one move after the other asks about the picture that it shows, not about the latest.
        """


@asynccontextmanager
async def open_practice(
    level: str = "novice", *, name: str = "you", pace_s: float = 0.0, seed: int | None = None
) -> AsyncIterator[PracticeClient]:
    """A practice table while the context lasts. It opens no port.

    Args:
        level: of the bots, one of ``players.levels.LEVELS``.
        name: ours, 1 to 24 characters.
        pace_s: how long the bots seem to think.
        seed: of the bots' dice; fresh where None. Cards are never seeded.

    Raises:
        LocalError: ``unknown-level``.
    """
    if level not in LEVELS:
        raise LocalError("unknown-level", f"there is no level {level!r}; there are {', '.join(LEVELS)}")
    with Workers() as workers:
        host = SeatRunner(Peer.host(make_me(new_identity(), name), SEATS, TABLE_RULES, ""), workers)
        practice = _Practice(host)
        async with seated(host):
            bots = [
                asyncio.create_task(_bot(practice, number, level, name, pace_s, seed, workers), name=f"bot {number}")
                for number in range(1, SEATS)
            ]
            try:
                yield practice
            finally:
                host.leave()
                await host.gone()
                practice.dismiss()
                await asyncio.gather(*bots)


async def _bot(
    practice: _Practice, number: int, level: str, owner: str, pace_s: float, seed: int | None, workers: Workers
) -> None:
    """A seat like any other, on a link of its own, that lets us look at its cards."""
    here, there = memory_pair()
    practice.host.attach(here)
    me = make_me(new_identity(), f"bot {number}", level, owner)
    async with seated(SeatRunner(Peer.guest(me, "memory"), workers), there) as bot:
        practice.show(bot)
        await drive(bot, level, None if seed is None else seed + number, pace_s, workers, again=True)


class _Practice:
    """Implements ``PracticeClient`` over our seat at the table, as if the session were one deal long."""

    def __init__(self, host: SeatRunner) -> None:
        self.host = host
        self._listeners: list[Listener] = []
        self._bots: list[Client] = []
        self._over = asyncio.Event()
        self._faces: dict[int, Mapping[int, Card]] = {}  # by seat, what a bot knows of its own cards by position
        self._before = host.snapshot  # the last picture before the deal was signed
        self._shown = self._one_deal(host.snapshot)
        host.listen(self._heard)

    def dismiss(self) -> None:
        """The bots go: they would play on without us."""
        for bot in self._bots:
            bot.leave()

    def show(self, bot: Client) -> None:
        """From now on we see this bot's cards."""
        self._bots.append(bot)

        def look(snapshot: TableSnapshot, _: tuple[TableEvent, ...]) -> None:
            view = snapshot.view
            if view is not None and view.seat not in self._faces:
                self._faces[view.seat] = view.own
                self._heard(self.host.snapshot, ())  # there is more to be seen

        bot.listen(look)

    def open_hands(self, snapshot: TableSnapshot) -> Mapping[int, tuple[Card, ...]]:
        """See ``PracticeClient``."""
        if snapshot.view is None:
            return {}
        hands = snapshot.view.state.hands
        return {seat: tuple(faces[position] for position in hands[seat]) for seat, faces in sorted(self._faces.items())}

    def _heard(self, snapshot: TableSnapshot, events: tuple[TableEvent, ...]) -> None:
        if snapshot.may_ready and not snapshot.finished:
            self.host.ready()
        if not snapshot.finished:
            self._before = snapshot
        self._shown = shown = self._one_deal(snapshot)
        if shown.stage in (Stage.ENDED, Stage.STOPPED):
            self._over.set()
        told = _told(events, shown)
        for listener in self._listeners:
            listener(shown, told)

    def _one_deal(self, snapshot: TableSnapshot) -> TableSnapshot:
        """The picture of a session of one deal. Nobody is asked for anything before all hands are open."""
        if snapshot.finished:
            shown = _ended(self._before, snapshot)
        else:
            shown = replace(snapshot, legal=snapshot.legal if len(self._faces) == SEATS - 1 else ())
        shown = replace(shown, title="practice table", rules=SHOWN_RULES, may_ready=False)
        return replace(shown, events=_told(snapshot.events, shown))

    # -- Client -------------------------------------------------------------------------------------------------------

    @property
    def snapshot(self) -> TableSnapshot:
        """See ``Client``."""
        return self._shown

    def listen(self, listener: Listener) -> None:
        """See ``Client``."""
        self._listeners.append(listener)

    def ready(self) -> None:
        """See ``Client``. There is never anything to be ready for."""
        raise LocalError("no-proposal", "the practice table is ready by itself")

    def act(self, action: Action) -> None:
        """See ``Client``."""
        self.host.act(action)

    def say(self, text: str) -> None:
        """See ``Client``."""
        self.host.say(text)

    def show_hand(self) -> None:
        """See ``Client``."""
        self.host.show_hand()

    def again(self) -> None:
        """See ``Client``. A practice is one deal."""
        raise LocalError("not-over", "a practice is one deal; hocp2p learn begins another")

    def give_up(self, seat: int) -> None:
        """See ``Client``. Nobody is ever away."""
        self.host.give_up(seat)

    def wait_for(self, seat: int) -> None:
        """See ``Client``."""
        self.host.wait_for(seat)

    def note(self, event: TableEvent) -> None:
        """See ``Client``."""
        self.host.note(event)

    def renew_invite(self) -> None:
        """See ``Client``. Nobody can come."""
        self.host.renew_invite()

    def suspend(self) -> None:
        """See ``Client``. A practice is not kept."""
        self.host.leave()

    def leave(self) -> None:
        """See ``Client``."""
        self.host.leave()

    async def closed(self) -> TableSnapshot:
        """See ``Client``."""
        await self._over.wait()
        return self._shown

    async def gone(self) -> None:
        """See ``Client``."""
        await self.host.gone()


def _ended(before: TableSnapshot, snapshot: TableSnapshot) -> TableSnapshot:
    """The picture when the one deal is signed by all, with what is left of it: the table itself goes on to the next.

    What still lies in the pools goes back to the seats (rule 1).
    """
    deal = snapshot.finished[0]
    closing = Match(SHOWN_RULES, SEATS, (START_BALANCE,) * SEATS, deal.state.dealer).after(deal.outcome).close()
    return replace(
        before,
        stage=Stage.ENDED,
        balances=closing.balances,
        dealing="",
        view=None if before.view is None else replace(before.view, state=deal.state),
        legal=(),
        may_show=snapshot.may_show,
        finished=snapshot.finished,
        net=closing.net,
    )


def _told(events: Sequence[TableEvent], shown: TableSnapshot) -> tuple[TableEvent, ...]:
    """The session is over when its one deal is signed. Nobody is asked to be ready; that we leave then is no news."""
    ended = shown.stage is Stage.ENDED
    told: list[TableEvent] = []
    for event in events:
        if isinstance(event, TableProposed | SeatReady) or (ended and isinstance(event, TableStopped)):
            continue
        told.append(event)
        if isinstance(event, DealSigned) and shown.net is not None:
            told.append(SessionEnded(shown.net))
    return tuple(told)
