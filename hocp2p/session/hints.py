"""Advice for the screen, which knows the session but no players: how to get it off the event loop."""

from __future__ import annotations

import asyncio
import logging
import threading
from random import Random
from typing import TYPE_CHECKING

from hocp2p.game.state import SeatView

if TYPE_CHECKING:
    from hocp2p.session.reasons import Advice

_one_at_a_time = threading.Lock()  # of two threads each would load the tables for itself
logger = logging.getLogger(__name__)


async def hint(view: SeatView) -> Advice:
    """Advice for the seat whose turn it is, made in a thread: some milliseconds, and more while all that it needs has
    still to be loaded.

    Asked again about the same view it is the same: the seed of its rare bluffs is the view, own cards included, so
    nobody else can foretell them. Raises LocalError ``not-your-turn`` where nothing is to be decided.
    """
    return await asyncio.to_thread(_advise, view)


class HintsPrepared:
    """Loads what hints need, in a thread, before one is asked for: the first then comes as fast as the others.

    Args:
        wanted: whether anybody may ask for hints; nothing is ever loaded where nobody may.
    """

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._seats = 0  # at the table for which it has been done

    def begin(self, seats: int) -> None:
        """Loads it for a table of so many; at once, and once only."""
        if self._wanted and seats != self._seats:
            self._seats = seats
            asyncio.get_running_loop().run_in_executor(None, _prepare, seats)


def _prepare(seats: int) -> None:
    """What goes wrong hurts nobody before a hint is asked for, which then says so itself."""
    try:
        with _one_at_a_time:
            from hocp2p.players.advice import prepare  # numpy comes with it, which no screen has to wait for

            prepare(seats)
    except Exception:
        logger.warning("hints could not be prepared", exc_info=True)


def _advise(view: SeatView) -> Advice:
    with _one_at_a_time:
        from hocp2p.players.advice import advise  # as above

        return advise(view, Random(repr(view)))  # noqa: S311 - a choice of words, no secret
