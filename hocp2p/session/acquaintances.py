"""Whom we meet: keys are kept with their names, and a name that comes with another key than before is said loudly."""

from __future__ import annotations

import asyncio
import datetime
import logging

from hocp2p.errors import LocalError
from hocp2p.record.known_keys import Acquaintance, KnownKeys
from hocp2p.session.client import Client
from hocp2p.table.events import DealStarted, KeyChanged, TableEvent
from hocp2p.table.snapshot import SeatInfo, TableSnapshot

logger = logging.getLogger(__name__)


class Acquaintances:
    """Follows one client's table for as long as it stands.

    Args:
        client: the seat.
        known: the people that we have met.
    """

    def __init__(self, client: Client, known: KnownKeys) -> None:
        self._client = client
        self._known = known
        self._looked_up: set[tuple[str, bytes]] = set()
        self._keeping: set[asyncio.Future[None]] = set()
        client.listen(self._look)

    def _look(self, snapshot: TableSnapshot, events: tuple[TableEvent, ...]) -> None:
        people = [
            info
            for info in snapshot.seats
            if info.identity and info.bot_level is None and info.seat != snapshot.our_seat
        ]
        for info in people:
            self._look_up(info)
        if people and any(isinstance(event, DealStarted) for event in events):  # all have signed with their keys
            loop = asyncio.get_running_loop()
            kept = loop.run_in_executor(None, self._remember, [(info.name, info.identity) for info in people])
            self._keeping.add(kept)
            kept.add_done_callback(self._keeping.discard)

    def _look_up(self, info: SeatInfo) -> None:
        who = (info.name, info.identity)
        if who in self._looked_up:
            return
        self._looked_up.add(who)
        if self._known.look_up(*who) is Acquaintance.CHANGED:
            before = self._known.met_as(info.name)[0]
            self._client.note(KeyChanged(info.seat, info.key, before.fingerprint, before.last.isoformat()))

    def _remember(self, met: list[tuple[str, bytes]]) -> None:
        """Files may be slow, and another process may hold them: done beside the event loop."""
        try:
            self._known.remember(met, datetime.datetime.now(datetime.UTC).date().isoformat())
        except LocalError as error:
            logger.warning("whom we have met is not kept: %s", error.message)
