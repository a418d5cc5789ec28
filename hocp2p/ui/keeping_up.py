"""Keeps the screen's own state true to the table, when a new picture is shown or time has passed. Pure."""

from __future__ import annotations

from dataclasses import replace

from hocp2p.ui.clocks import unheard_since
from hocp2p.ui.hosting import without_lobby
from hocp2p.ui.local import Local
from hocp2p.ui.meeting import without_meeting
from hocp2p.ui.pace import Pacer
from hocp2p.ui.presenter import PANEL_FROM_COLS


def kept_up(local: Local, pacer: Pacer, now_s: float, cols: int) -> Local:
    """The state as it has to be beside the picture that is shown.

    Args:
        local: as it was.
        pacer: knows what is shown, and what waits.
        now_s: seconds on the clock of ``TableSnapshot.clock``.
        cols: of the terminal; where the panel of the talk has room, talk is read as it comes.
    """
    latest, shown = pacer.latest, pacer.shown
    events = len(shown.events)
    return replace(
        without_meeting(latest, without_lobby(latest, local)),
        waiting=pacer.waiting,
        turn_waits=bool(latest.legal),
        acked=min(local.acked, len(shown.finished)),  # another match begins with none
        read=events if cols >= PANEL_FROM_COLS else min(local.read, events),
        unheard=tuple(unheard_since(latest, dict(local.unheard), now_s).items()),
        now_s=now_s,
    )
