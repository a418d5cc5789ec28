"""The form of what a player can ask for. The table of all that there is: ``ui.intents``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.lang import N_, _
from hocp2p.ui.local import Local
from hocp2p.ui.modes import Mode, mode

When = Callable[[TableSnapshot, Local], bool]

KEY_LABELS: Final = {
    "enter": N_("Enter"),
    "space": N_("space"),
    "escape": N_("Esc"),
    "tab": N_("Tab"),
    "s-tab": N_("shift-Tab"),
    "up": N_("up"),
    "down": N_("down"),
    "left": N_("left"),
    "right": N_("right"),
    "pageup": N_("PgUp"),
    "pagedown": N_("PgDn"),
    "backspace": N_("backspace"),
    "c-c": "^C",
    "c-q": "^Q",
    "c-l": "^L",
    "c-u": "^U",
}
"""Keys that are not written as they are typed."""


class Topic(Enum):
    """The heading of the help page under which an intent stands."""

    HOST = "host"
    PLAY = "play"
    AUCTION = "auction"
    SHOWDOWN = "showdown"
    ALWAYS = "always"


def _always(_snapshot: TableSnapshot, _local: Local) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing that a player can ask for.

    Args:
        name: for tests and readers of this table.
        topic: where it is explained.
        keys: all keys that ask for it, as ``ui.keys.press`` takes them; empty: only the line mode has it.
        modes: when its keys mean it.
        only: what else must be true for it to be of use.
        bar: which of the keys stand at the bottom of the screen.
        label: what stands beside them there.
        shown: how the keys are written on the help page; empty: one after the other.
        help: what the help page says; empty: it says nothing.
        told: whether the help page says it at this table, be it of use just now or not.
        command: the line mode's command with its arguments; empty: only the screen has it.
        meaning: what the help of the line mode says.
    """

    name: str
    topic: Topic
    keys: tuple[str, ...] = ()
    modes: frozenset[Mode] = frozenset()
    only: When = _always
    bar: tuple[str, ...] = ()
    label: str = ""
    shown: str = ""
    help: str = ""
    told: When = _always
    command: str = ""
    meaning: str = ""

    @property
    def word(self) -> str:
        """The command without its arguments."""
        return self.command.partition(" ")[0]

    def available(self, snapshot: TableSnapshot, local: Local) -> bool:
        """Whether its keys mean it now."""
        return mode(snapshot, local) in self.modes and self.only(snapshot, local)

    def keys_text(self) -> str:
        """The keys as the help page writes them."""
        return _(self.shown) if self.shown else " ".join(map(key_label, self.keys))


def key_label(key: str) -> str:
    """A key as people call it."""
    return _(KEY_LABELS[key]) if key in KEY_LABELS else key
