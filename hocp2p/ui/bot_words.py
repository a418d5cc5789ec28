"""What has to be said of the bots at a table before one plays against them. Pure."""

from __future__ import annotations

from hocp2p.session.managing import levels_by_thumb
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.lang import n_
from hocp2p.ui.names import joined


def bot_notes(snapshot: TableSnapshot) -> list[str]:
    """``raises up to 3: club bids like the novice``, without its full stop; nothing where all levels bid as usual."""
    levels = levels_by_thumb(snapshot)
    if not levels:
        return []
    note = n_(
        "raises up to {most}: {levels} bids like the novice",
        "raises up to {most}: {levels} bid like the novice",
        len(levels),
    )
    return [note.format(most=snapshot.rules.raise_cap, levels=joined(levels))]
