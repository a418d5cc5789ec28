"""What a screen remembers beside the table's snapshot: selection, panels, what is being typed. Frozen; no terminal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from hocp2p.game.actions import Combination
from hocp2p.game.cards import Card
from hocp2p.game.house import Rules
from hocp2p.session.managing import DEFAULT_LEVEL

if TYPE_CHECKING:  # not before the first hint
    from hocp2p.session.reasons import Advice


class Page(Enum):
    """What fills the body of the screen."""

    TABLE = "table"
    LOG = "log"
    SCORE = "score"
    PROOFS = "proofs"
    HELP = "help"
    RULES = "rules"  # the house rules, while the host changes them
    INVITE = "invite"  # how others come to the table


class Sort(Enum):
    """Order of our hand."""

    SUIT = "suit"
    RANK = "rank"
    COMBINATION = "combination"


class Question(Enum):
    """What the prompt asks before something is done that costs."""

    LEAVE = "leave"
    CALL = "call"
    SHOW = "show"
    CHAIR = "chair"
    GIVE_UP = "give up"


@dataclass(frozen=True, slots=True)
class Local:
    """Args:
    page: what fills the body.
    sort: order of our hand.
    picked: the card of our hand that Enter would play.
    choice: key of the choice that Enter would take (``ui.choices``); empty: none.
    raise_by: rise of the level that a raise would say.
    digits: whether the next digit goes on with ``raise_by`` instead of beginning anew.
    announced: class that a call would announce; None: see ``choices.announced_class``.
    typing: talk being typed; None while not typing.
    asking: what the prompt asks; None: nothing.
    message: what the status row says instead of the latest event; empty: nothing.
    message_since: how many events there were when it was said; the next one takes its place. None: it stays.
    scroll: rows that a page is scrolled, from its end for the log, else from its beginning.
    acked: number of deals whose settlement the player has read.
    read: number of events whose talk has been seen.
    waiting: changes that have come in but are not shown yet.
    turn_waits: whether our turn is among them.
    hints: whether hints are given when they are asked for.
    advice: the hint that is shown; None: none.
    forced: whether answers that leave no choice are given for us.
    level: of the first bot that we seat without naming one.
    pilot: level of the bot that plays our seat; None: we do.
    chair: the chair that the host has chosen; None: see ``hosting.chosen_chair``.
    draft: the house rules that the host would play by, while he changes them.
    rule: which of them he has chosen, by its place.
    keeps: whether our seat is kept when we go without leaving it.
    unheard: seats that are not heard, each with the second since when.
    now_s: seconds on the clock of ``TableSnapshot.clock``; None: no time is shown.
    """

    page: Page = Page.TABLE
    sort: Sort = Sort.SUIT
    picked: Card | None = None
    choice: str = ""
    raise_by: int = 1
    digits: bool = False
    announced: Combination | None = None
    typing: str | None = None
    asking: Question | None = None
    message: str = ""
    message_since: int | None = None
    scroll: int = 0
    acked: int = 0
    read: int = 0
    waiting: int = 0
    turn_waits: bool = False
    hints: bool = True
    advice: Advice | None = None
    forced: bool = False
    level: str = DEFAULT_LEVEL
    pilot: str | None = None
    chair: int | None = None
    draft: Rules | None = None
    rule: int = 0
    keeps: bool = True
    unheard: tuple[tuple[int, float], ...] = ()
    now_s: float | None = None
