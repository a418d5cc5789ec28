"""What has to be said of bots before one plays against them, or lets one play. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from hocp2p.game.house import Rules
from hocp2p.session.managing import levels_by_thumb
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.lang import n_
from hocp2p.ui.names import joined


def bot_notes(snapshot: TableSnapshot, pilot: str | None = None) -> list[str]:
    """What is to be said at a table; ``pilot`` is the level of the bot that plays our seat, None where we do."""
    return thumb_notes(levels_by_thumb(snapshot, pilot), snapshot.rules)


def thumb_notes(levels: Sequence[str], rules: Rules) -> list[str]:
    """``raises up to 3: club bids like the novice``, without its full stop; nothing where there are no such levels."""
    if not levels:
        return []
    note = n_(
        "raises up to {most}: {levels} bids like the novice",
        "raises up to {most}: {levels} bid like the novice",
        len(levels),
    )
    return [note.format(most=rules.raise_cap, levels=joined(levels))]
