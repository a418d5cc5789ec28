"""What a key or a typed command can ask, beside a change of the screen's own state."""

from __future__ import annotations

from dataclasses import dataclass

from hocp2p.game.actions import Action
from hocp2p.session.managing import Wish


@dataclass(frozen=True, slots=True)
class Act:
    """Do these actions one after the other, as long as each is legal."""

    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Say this to the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Sign the proposal. Who has read a settlement is ready for the next deal without it."""


@dataclass(frozen=True, slots=True)
class ShowHand:
    """Show our hand of the last deal to the table."""


@dataclass(frozen=True, slots=True)
class Again:
    """Ask for another match."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table for good."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Go and keep the seat: we may come back to it."""


@dataclass(frozen=True, slots=True)
class Vote:
    """Go on without a seat, or wait for it after all."""

    seat: int
    go_on: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The host answers who knocks: ``number`` of the knock."""

    number: int
    admit: bool


@dataclass(frozen=True, slots=True)
class Resize:
    """Two go on without the seat that was lost."""


@dataclass(frozen=True, slots=True)
class RenewInvite:
    """Another invite; the old one is dead."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Put a text into the clipboard of the terminal."""

    text: str


@dataclass(frozen=True, slots=True)
class Skip:
    """Show at once what waits to be shown."""


@dataclass(frozen=True, slots=True)
class Redraw:
    """Draw the whole screen anew."""


@dataclass(frozen=True, slots=True)
class NextTheme:
    """Other colours."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Ask a good player what to do. Nothing is done about it."""


@dataclass(frozen=True, slots=True)
class Manage:
    """The host changes rules or chairs, one thing after the other."""

    wishes: tuple[Wish, ...]


Request = Say | Ready | ShowHand | Again | Vote | Answer | Resize | RenewInvite | Manage
"""Asked of the table, and done with that: see ``ui.asking``."""
Effect = Request | Act | Leave | Keep | Copy | Skip | Redraw | NextTheme | Hint
