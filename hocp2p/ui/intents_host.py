"""What the host can ask for before the game: the part of ``ui.intents`` for chairs and house rules."""

from __future__ import annotations

from typing import Final

from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.hosting import can_unseat, has_choice
from hocp2p.ui.intent import Intent, Topic
from hocp2p.ui.lang import N_
from hocp2p.ui.local import Local
from hocp2p.ui.modes import Mode

LOBBY: Final = frozenset({Mode.READY, Mode.WAITING})
RULES: Final = frozenset({Mode.RULES})


def _manages(snapshot: TableSnapshot, _local: Local) -> bool:
    return snapshot.may_manage


HOST_INTENTS: Final = (
    Intent(
        "chair",
        Topic.HOST,
        ("up", "down"),
        LOBBY,
        has_choice,
        bar=("up", "down"),
        label=N_("chair"),
        help=N_("choose a chair"),
    ),
    Intent(
        "bot",
        Topic.HOST,
        ("b",),
        LOBBY,
        _manages,
        bar=("b",),
        label=N_("bot"),
        help=N_("seat a bot like your last one in a free chair; where a bot of yours is chosen, the next level"),
        command="bot [LEVEL]",
        meaning=N_("before the game: seat a bot in the first free chair; like your last one, unless you name a level"),
    ),
    Intent(
        "take the chair away",
        Topic.HOST,
        ("x",),
        LOBBY,
        can_unseat,
        bar=("x",),
        label=N_("kick"),
        help=N_("take the chosen chair away from who sits there; asks once"),
        command="kick SEAT",
        meaning=N_("before the game: take a chair away, bot or person: kick 2"),
    ),
    Intent(
        "rules",
        Topic.HOST,
        ("r",),
        LOBBY,
        _manages,
        bar=("r",),
        label=N_("rules"),
        help=N_("change the house rules; whoever was ready has to say so again"),
        command="rules [KEY=VALUE ...]",
        meaning=N_("the house rules of this table; the host may change them before the game: rules deals=6 point=pips"),
    ),
    Intent(
        "apply the rules",
        Topic.HOST,
        ("enter",),
        RULES,
        bar=("enter",),
        label=N_("play by these"),
    ),
    Intent("house rule", Topic.HOST, ("up", "down"), RULES, bar=("up", "down"), label=N_("choose")),
    Intent("other value", Topic.HOST, ("left", "right"), RULES, bar=("left", "right"), label=N_("change")),
    Intent("keep the rules", Topic.HOST, ("r", "escape"), RULES, bar=("r",), label=N_("back")),
    Intent("take it away", Topic.HOST, ("y", "Y"), frozenset({Mode.UNSEATING}), bar=("y",), label=N_("take away")),
)
