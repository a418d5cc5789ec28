"""A bot in a seat: ours (``--autopilot``), or one of its own. It sees the snapshots that a screen would see."""

from __future__ import annotations

import asyncio
import random
import secrets
from contextlib import nullcontext

from hocp2p.errors import LocalError, RuleError
from hocp2p.game.actions import Action
from hocp2p.game.state import SeatView
from hocp2p.players.levels import TRAINED, make_player
from hocp2p.session.client import Client
from hocp2p.session.pace import answer_delay_s
from hocp2p.session.workers import Workers
from hocp2p.table.events import TableEvent
from hocp2p.table.snapshot import Stage, TableSnapshot


async def drive(
    client: Client,
    level: str,
    seed: int | None = None,
    pace_s: float = 0.0,
    workers: Workers | None = None,
    *,
    again: bool = False,
) -> None:
    """Says ready and plays until the session is over, or for as long as the table stands.

    Args:
        client: the seat.
        level: one of ``players.levels.LEVELS``. Raises LocalError for another.
        seed: of the bot's dice; fresh where None.
        pace_s: how long it seems to think, about (``session.pace``).
        workers: where it thinks; the event loop never waits for it. None: workers of its own.
        again: plays another session, and another, as long as the others want to.
    """
    dice = secrets.randbits(64) if seed is None else seed
    rng = random.Random(dice)  # noqa: S311 # a bot's dice, no cards or keys
    changed = asyncio.Event()

    def wake(_: TableSnapshot, __: tuple[TableEvent, ...]) -> None:
        changed.set()

    with nullcontext(workers) if workers is not None else Workers() as ours:
        bot = _Bot(level, dice, rng, ours)
        client.listen(wake)
        closed = asyncio.create_task(client.gone() if again else _end(client))
        try:
            while not closed.done():
                await _act(client, bot, answer_delay_s(rng, pace_s), again=again)
                waiting = asyncio.create_task(changed.wait())
                await asyncio.wait((waiting, closed), return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                changed.clear()
        finally:
            closed.cancel()


class _Bot:
    """Decides in a thread, or in the process where it searches."""

    def __init__(self, level: str, dice: int, rng: random.Random, workers: Workers) -> None:
        self._level, self._dice, self._workers = level, dice, workers
        self._player = make_player(level, rng)
        self._decided = 0

    async def decide(self, view: SeatView) -> Action:
        """An action for this view."""
        if self._level in TRAINED:
            self._decided += 1
            return await self._workers.think(self._level, f"{self._dice} {self._decided}", view)
        return await asyncio.get_running_loop().run_in_executor(self._workers, self._player.decide, view)


async def _end(client: Client) -> None:
    await client.closed()


async def _act(client: Client, bot: _Bot, pace_s: float, *, again: bool) -> None:
    snapshot = client.snapshot
    try:
        if snapshot.may_ready:
            client.ready()
        elif snapshot.may_again and again:
            client.again()
        elif _is_pointless(snapshot):
            client.leave()
        elif snapshot.may_resize:
            client.resize()  # type: ignore[attr-defined] # nobody but a host's client is told that he may
        elif (voted := _followed_votes(snapshot)) is not None:
            client.give_up(voted)
        elif snapshot.view is not None and snapshot.legal:
            await asyncio.sleep(pace_s)
            client.act(await bot.decide(snapshot.view))
    except LocalError:
        return  # overtaken by what came in the meantime: the next snapshot asks again
    except RuleError:
        if client.snapshot.view == snapshot.view:
            raise  # the bot chose what the rules forbid


def _is_pointless(snapshot: TableSnapshot) -> bool:
    """Whether we are a bot and nobody but bots is left."""
    ours = snapshot.our_seat
    if ours is None or ours >= len(snapshot.seats) or snapshot.seats[ours].bot_level is None:
        return False
    people = [info for info in snapshot.seats if info.key and info.bot_level is None]
    return not any(info.present for info in people) and snapshot.stage in (Stage.LOBBY, Stage.DEAL, Stage.DEALING)


def _followed_votes(snapshot: TableSnapshot) -> int | None:
    """A seat that may be given up and that somebody else would go on without: a bot has no will of its own there.

    An autopilot, which stands for an absent player, goes on by itself.
    """
    if snapshot.our_seat is None or not snapshot.may_give_up:
        return None
    ours = snapshot.seats[snapshot.our_seat]
    for seat in sorted(snapshot.may_give_up):
        votes = snapshot.seats[seat].votes
        if snapshot.our_seat not in votes and (votes or ours.bot_level is None):
            return seat
    return None
