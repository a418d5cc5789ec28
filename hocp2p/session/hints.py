"""Advice for the screen, which knows the session but no players: its values, and how to get it off the event loop."""

from __future__ import annotations

import asyncio
from random import Random

from hocp2p.game.state import SeatView
from hocp2p.players import reasons
from hocp2p.players.reasons import Advice

__all__ = ["Advice", "hint", "reasons"]


async def hint(view: SeatView) -> Advice:
    """Advice for the seat whose turn it is, made in a thread: some milliseconds, and more when it is the first.

    Asked again about the same view it is the same: the seed of its rare bluffs is the view, own cards included, so
    nobody else can foretell them. Raises LocalError ``not-your-turn`` where nothing is to be decided.
    """
    return await asyncio.to_thread(_advise, view)


def _advise(view: SeatView) -> Advice:
    from hocp2p.players.advice import advise  # numpy comes with it, which no screen has to wait for

    return advise(view, Random(repr(view)))  # noqa: S311 - a choice of words, no secret
