"""What a key is taken for at this moment: which question is open, which page, which phase of the game. Pure."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from hocp2p.game.actions import Action
from hocp2p.game.state import Phase
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.local import Local, Page, Question


class Mode(Enum):
    """One at a time."""

    LEAVING = auto()  # "leave the table?"
    SHOWING = auto()  # "show the rest of your hand?"
    UNSEATING = auto()  # "take the chair away?"
    PARTING = auto()  # "go on without a seat?"
    CONFIRMING = auto()  # a call that costs is asked once more
    TYPING = auto()  # talk
    PAGE = auto()  # a page is open in front of the table
    RULES = auto()  # the host changes the house rules
    SETTLED = auto()  # the settlement of a deal is being read
    OVER = auto()  # the match is over, or the table stopped
    READY = auto()  # the proposal, or the next deal, waits for our word
    WAITING = auto()  # for others
    AUCTION = auto()  # our call
    CHOICE = auto()  # our word in a showdown, a show or carte blanche
    PLAY = auto()  # cards are played; ours may be picked at any time


QUESTIONS: Final = {
    Question.LEAVE: Mode.LEAVING,
    Question.SHOW: Mode.SHOWING,
    Question.CHAIR: Mode.UNSEATING,
    Question.GIVE_UP: Mode.PARTING,
    Question.CALL: Mode.CONFIRMING,
}
ASKING: Final = frozenset(QUESTIONS.values())
EVERYWHERE: Final = frozenset(Mode)
OPEN: Final = EVERYWHERE - ASKING - {Mode.TYPING}  # letters are commands
TABLE: Final = OPEN - {Mode.PAGE, Mode.RULES, Mode.SETTLED}
OURS: Final = frozenset({Mode.AUCTION, Mode.CHOICE, Mode.PLAY})


def mode(snapshot: TableSnapshot, local: Local) -> Mode:
    """What the next key is taken for."""
    if local.asking is not None:
        return QUESTIONS[local.asking]
    if local.typing is not None:
        return Mode.TYPING
    if local.page is not Page.TABLE:
        return Mode.RULES if local.page is Page.RULES else Mode.PAGE
    if len(snapshot.finished) > local.acked:
        return Mode.SETTLED
    if snapshot.stage in (Stage.ENDED, Stage.STOPPED):
        return Mode.OVER
    if snapshot.may_ready:
        return Mode.READY
    return _in_deal(snapshot)


def _in_deal(snapshot: TableSnapshot) -> Mode:
    view = snapshot.view
    if view is None or snapshot.stage is not Stage.DEAL or view.state.phase is Phase.OVER:
        return Mode.WAITING
    if view.state.phase is Phase.PLAY:
        return Mode.PLAY
    if not snapshot.legal:
        return Mode.WAITING
    return Mode.AUCTION if view.state.phase is Phase.AUCTION else Mode.CHOICE


def has_begun(snapshot: TableSnapshot) -> bool:
    """Whether something has been signed here: there is a seat to come back to."""
    return snapshot.parted or snapshot.stage in (Stage.DRAW, Stage.DEALING, Stage.DEAL)


def our_turn(snapshot: TableSnapshot, local: Local) -> bool:
    """Whether we may act now, and see all that happened before."""
    return bool(snapshot.legal) and not local.waiting


def can(snapshot: TableSnapshot, kind: type[Action]) -> bool:
    """Whether an action of this kind is legal for us now."""
    return any(isinstance(action, kind) for action in snapshot.legal)


def holds_hand(snapshot: TableSnapshot) -> bool:
    """Whether there are cards of ours to be looked at."""
    return snapshot.view is not None and snapshot.stage is Stage.DEAL and bool(snapshot.view.hand)
