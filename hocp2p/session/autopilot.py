"""A bot in a seat: ours (``--autopilot``), or one of its own. It sees the snapshots that a screen would see."""

from __future__ import annotations

import asyncio
import random
import secrets
from concurrent.futures import Executor

from hocp2p.errors import LocalError, RuleError
from hocp2p.players.levels import make_player
from hocp2p.players.player import Player
from hocp2p.session.client import Client
from hocp2p.session.pace import answer_delay_s
from hocp2p.table.snapshot import TableEvent, TableSnapshot


async def drive(
    client: Client,
    level: str,
    seed: int | None = None,
    pace_s: float = 0.0,
    executor: Executor | None = None,
    *,
    again: bool = False,
) -> None:
    """Says ready and plays until the session is over, or for as long as the table stands.

    Args:
        client: the seat.
        level: one of ``players.levels.LEVELS``. Raises LocalError for another.
        seed: of the bot's dice; fresh where None.
        pace_s: how long it seems to think, about (``session.pace``).
        executor: where it thinks; the event loop never waits for it.
        again: plays another session, and another, as long as the others want to.
    """
    rng = random.Random(secrets.randbits(64) if seed is None else seed)  # noqa: S311 # a bot's dice, no cards or keys
    player = make_player(level, rng)
    changed = asyncio.Event()

    def wake(_: TableSnapshot, __: tuple[TableEvent, ...]) -> None:
        changed.set()

    client.listen(wake)
    closed = asyncio.create_task(client.gone() if again else _end(client))
    try:
        while not closed.done():
            await _act(client, player, answer_delay_s(rng, pace_s), executor, again=again)
            waiting = asyncio.create_task(changed.wait())
            await asyncio.wait((waiting, closed), return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            changed.clear()
    finally:
        closed.cancel()


async def _end(client: Client) -> None:
    await client.closed()


async def _act(client: Client, player: Player, pace_s: float, executor: Executor | None, *, again: bool) -> None:
    snapshot = client.snapshot
    try:
        if snapshot.may_ready:
            client.ready()
        elif snapshot.may_again and again:
            client.again()
        elif snapshot.view is not None and snapshot.legal:
            await asyncio.sleep(pace_s)
            loop = asyncio.get_running_loop()
            action = await loop.run_in_executor(executor, player.decide, snapshot.view)
            client.act(action)
    except LocalError:
        return  # overtaken by what came in the meantime: the next snapshot asks again
    except RuleError:
        if client.snapshot.view == snapshot.view:
            raise  # the bot chose what the rules forbid
