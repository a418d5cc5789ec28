"""What a player can ask for in a deal: the part of ``ui.intents`` for auctions, showdowns and the play."""

from __future__ import annotations

from typing import Final

from hocp2p.game.actions import Declare, Good, Hold, Pass, Raise, Sans, Stay
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.choices import selection
from hocp2p.ui.intent import Intent, Topic, When
from hocp2p.ui.lang import N_
from hocp2p.ui.local import Local
from hocp2p.ui.modes import Mode, can, holds_hand, our_turn

RANKS: Final = tuple("a234567890tjqk1")
CARD: Final = "card:"
"""Before a card, the key that a click on it presses."""

AUCTION: Final = frozenset({Mode.AUCTION})
CHOICE: Final = frozenset({Mode.CHOICE})
PLAY: Final = frozenset({Mode.PLAY})


def _can(kind: type[Pass | Declare | Raise | Stay | Good | Sans | Hold]) -> When:
    return lambda snapshot, _local: can(snapshot, kind)


def _has_classes(snapshot: TableSnapshot, _local: Local) -> bool:
    announcing = (Declare, Raise, Stay)
    return len({action.announced for action in snapshot.legal if isinstance(action, announcing)}) > 1


def _holds_hoc(snapshot: TableSnapshot, _local: Local) -> bool:
    return snapshot.view is not None and any(card.is_hoc for card in snapshot.view.hand)


def _says(snapshot: TableSnapshot, local: Local) -> bool:
    """In the play, whether Enter would say something instead of playing a card."""
    return our_turn(snapshot, local) and selection(snapshot, local).choice is not None


def _plays(snapshot: TableSnapshot, local: Local) -> bool:
    return our_turn(snapshot, local) and not _says(snapshot, local)


DEAL_INTENTS: Final = (
    # Auctions.
    Intent(
        "say the call",
        Topic.AUCTION,
        ("enter",),
        AUCTION,
        our_turn,
        bar=("enter",),
        label=N_("say it"),
        help=N_("say it; a raise is asked once more"),
    ),
    Intent(
        "pass",
        Topic.AUCTION,
        ("p",),
        AUCTION,
        _can(Pass),
        help=N_("pass: you may still come in later"),
        command="pass",
        meaning=N_("nobody has opened yet: say nothing for now"),
    ),
    Intent(
        "declare",
        Topic.AUCTION,
        ("d",),
        AUCTION,
        _can(Declare),
        help=N_("declare: open the stake at level 0"),
        command="declare [CLASS]",
        meaning=N_("open this stake at level 0; Sequence and Tricon want a class, true or not"),
    ),
    Intent(
        "raise",
        Topic.AUCTION,
        ("r",),
        AUCTION,
        _can(Raise),
        help=N_("raise: put more in"),
        command="raise N [CLASS]",
        meaning=N_("let the level rise by N jetons; opens if nobody has"),
    ),
    Intent(
        "stay",
        Topic.AUCTION,
        ("t",),
        AUCTION,
        _can(Stay),
        help=N_("stay: put in what is missing to the level"),
        command="stay [CLASS]",
        meaning=N_("put in what is missing to the level"),
    ),
    Intent(
        "good",
        Topic.AUCTION,
        ("g",),
        AUCTION,
        _can(Good),
        help=N_("good: give this stake up"),
        command="good",
        meaning=N_("give this stake up; at a showdown: nothing, or nothing better"),
    ),
    Intent(
        "how much",
        Topic.AUCTION,
        ("+", "=", "-", "up", "down", *"0123456789", "backspace"),
        AUCTION,
        _can(Raise),
        bar=("-", "+"),
        label=N_("raise"),
        shown="+ - 0-9",
        help=N_("how much to raise"),
    ),
    Intent(
        "class",
        Topic.AUCTION,
        ("c",),
        AUCTION,
        _has_classes,
        bar=("c",),
        label=N_("class"),
        help=N_("the class that you announce, true or not"),
    ),
    # Showdowns, shows and carte blanche.
    Intent(
        "say the choice",
        Topic.SHOWDOWN,
        ("enter",),
        CHOICE,
        our_turn,
        bar=("enter",),
        label=N_("say it"),
        help=N_("say it"),
    ),
    Intent(
        "choose",
        Topic.SHOWDOWN,
        ("up", "down", "left", "right", *"123456789"),
        CHOICE,
        bar=("up", "down"),
        label=N_("choose"),
        shown=N_("up down 1-9"),
        help=N_("choose what to say"),
    ),
    Intent(
        "announce",
        Topic.SHOWDOWN,
        command="announce [CLAIM]",
        meaning=N_("at a showdown: the best you hold, or for instance 5/31, 4/T, brelan/K"),
    ),
    Intent("show", Topic.SHOWDOWN, command="show [all|best|CARD ...]", meaning=N_("show what you are paid for")),
    Intent("unseen", Topic.SHOWDOWN, command="unseen", meaning=N_("take the announced class without showing")),
    Intent(
        "blanche",
        Topic.SHOWDOWN,
        command="blanche",
        meaning=N_("claim carte blanche: you were dealt no jack, queen or king"),
    ),
    Intent("go", Topic.SHOWDOWN, command="go", meaning=N_("do not claim carte blanche")),
    # The play.
    Intent(
        "play",
        Topic.PLAY,
        ("enter",),
        PLAY,
        _plays,
        bar=("enter",),
        label=N_("play"),
        help=N_("play the picked card"),
        command="play CARD [CARD ...]",
        meaning=N_("play a card, or several in a row: play 3d 4h 5s"),
    ),
    Intent(
        "all that follow",
        Topic.PLAY,
        ("A",),
        PLAY,
        _plays,
        bar=("A",),
        label=N_("all"),
        help=N_("play it and all that follow"),
    ),
    Intent("say no card", Topic.PLAY, ("enter", "A"), PLAY, _says, bar=("enter",), label=N_("say it")),
    Intent(
        "pick",
        Topic.PLAY,
        (*RANKS, "left", "right", CARD),
        PLAY,
        lambda snapshot, _: holds_hand(snapshot),
        shown="a 2-9 0 t j q k",
        help=N_("pick a card of that rank, again: the next one; or the arrows, or a click"),
    ),
    Intent(
        "hoc",
        Topic.PLAY,
        ("h",),
        PLAY,
        _holds_hoc,
        bar=("h",),
        label=N_("hoc"),
        help=N_("pick a hoc"),
        command="hoc CARD",
        meaning=N_("play a fixed hoc (kings, queen of spades, jack of diamonds) as the called rank, or lead it"),
    ),
    Intent(
        "sans",
        Topic.PLAY,
        ("p",),
        PLAY,
        _can(Sans),
        bar=("p",),
        label=N_("sans"),
        help=N_("sans: you hold no ordinary card of the called rank"),
        command="sans [RANK]",
        meaning=N_("hold no ordinary card of the called rank; it is proven"),
    ),
    Intent(
        "hold",
        Topic.PLAY,
        ("w",),
        PLAY,
        _can(Hold),
        bar=("w",),
        label=N_("withhold"),
        help=N_("withhold the called rank, where the house allows it"),
        command="hold RANK",
        meaning=N_("keep a card back without proof: a fine of 5, where the house allows it"),
    ),
)
