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
from hocp2p.table.snapshot import Stage, TableEvent, TableSnapshot


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
        elif _is_pointless(snapshot):
            client.leave()
        elif snapshot.may_resize:
            client.resize()  # type: ignore[attr-defined] # nobody but a host's client is told that he may
        elif (voted := _followed_votes(snapshot)) is not None:
            client.give_up(voted)
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
