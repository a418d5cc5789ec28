"""Everything that a player can ask for, in one table: by which keys and when, and by which command of the line mode.

The row of keys at the bottom, the help page and the help of the line mode are made from it; a click presses the key of
what it hits, so mouse areas have keys of this table, too.
"""

from __future__ import annotations

from typing import Final

from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.intent import Intent, Topic
from hocp2p.ui.intents_deal import DEAL_INTENTS
from hocp2p.ui.intents_host import HOST_INTENTS
from hocp2p.ui.intents_meeting import MEETING_INTENTS
from hocp2p.ui.lang import N_
from hocp2p.ui.local import Local, Page
from hocp2p.ui.modes import ASKING, EVERYWHERE, OPEN, OURS, TABLE, Mode, holds_hand, our_turn


def available(snapshot: TableSnapshot, local: Local) -> list[Intent]:
    """All that keys can ask for now, in the order in which they are worth showing."""
    return [intent for intent in INTENTS if intent.available(snapshot, local)]


def commands(*topics: Topic) -> dict[str, tuple[str, str]]:
    """By its word, every command of these topics with its arguments, and what it means."""
    return {
        intent.word: (intent.command, intent.meaning) for intent in INTENTS if intent.command and intent.topic in topics
    }


def _scrolls(_snapshot: TableSnapshot, local: Local) -> bool:
    return local.page in (Page.LOG, Page.HELP)


def _hints(snapshot: TableSnapshot, local: Local) -> bool:
    return local.hints and our_turn(snapshot, local)


INTENTS: Final[tuple[Intent, ...]] = (
    # The questions that the prompt asks. Any other key is a no.
    Intent("leave now", Topic.ALWAYS, ("y", "Y"), frozenset({Mode.LEAVING}), bar=("y",), label=N_("leave for good")),
    Intent("go at once", Topic.ALWAYS, ("c-c", "c-q"), frozenset({Mode.LEAVING}), bar=("c-c",), label=N_("go")),
    Intent("show it", Topic.ALWAYS, ("y", "Y"), frozenset({Mode.SHOWING}), bar=("y",), label=N_("show it")),
    Intent("yes", Topic.AUCTION, ("enter", "y", "Y"), frozenset({Mode.CONFIRMING}), bar=("enter",), label=N_("yes")),
    Intent("no", Topic.ALWAYS, ("n",), ASKING, bar=("n",), label=N_("no")),
    # Talk being typed, and pages.
    Intent("say it", Topic.ALWAYS, ("enter",), frozenset({Mode.TYPING}), bar=("enter",), label=N_("say it")),
    Intent("say nothing", Topic.ALWAYS, ("escape",), frozenset({Mode.TYPING}), bar=("escape",), label=N_("do not")),
    Intent(
        "erase",
        Topic.ALWAYS,
        ("backspace", "c-u"),
        frozenset({Mode.TYPING}),
        bar=("backspace", "c-u"),
        label=N_("erase"),
    ),
    Intent(
        "back", Topic.ALWAYS, ("enter", "space", "escape"), frozenset({Mode.PAGE}), bar=("enter",), label=N_("back")
    ),
    Intent(
        "move the page",
        Topic.ALWAYS,
        ("up", "down", "pageup", "pagedown"),
        frozenset({Mode.PAGE}),
        _scrolls,
        bar=("up", "down"),
        label=N_("move"),
    ),
    # The way from deal to deal.
    Intent(
        "skip",
        Topic.ALWAYS,
        ("space", "enter", "A"),
        TABLE,
        lambda _, local: local.waiting > 0,
        bar=("space",),
        label=N_("skip"),
        shown=N_("space"),
        help=N_("do not wait for the pace at which the others are shown"),
    ),
    Intent(
        "go on",
        Topic.ALWAYS,
        ("enter",),
        frozenset({Mode.SETTLED}),
        bar=("enter",),
        label=N_("go on"),
    ),
    Intent(
        "another match",
        Topic.ALWAYS,
        ("enter",),
        frozenset({Mode.OVER}),
        lambda snapshot, local: snapshot.may_again and not local.waiting,
        bar=("enter",),
        label=N_("another match"),
        command="again",
        meaning=N_("after a match: you would play another; it comes when all who are still here want to"),
    ),
    Intent(
        "ready",
        Topic.ALWAYS,
        ("enter",),
        frozenset({Mode.READY}),
        lambda _, local: not local.waiting,
        bar=("enter",),
        label=N_("ready"),
        command="ready",
        meaning=N_("agree to the seats and rules of the table"),
    ),
    Intent(
        "show my hand",
        Topic.ALWAYS,
        ("h",),
        frozenset({Mode.SETTLED, Mode.OVER, Mode.READY, Mode.WAITING}),
        lambda snapshot, _: snapshot.may_show,
        bar=("h",),
        label=N_("show my hand"),
        command="reveal",
        meaning=N_("show the hand that you were dealt last to the table; nobody can ask for it"),
    ),
    *MEETING_INTENTS,
    *HOST_INTENTS,
    *DEAL_INTENTS,
    # Looking at things.
    Intent(
        "hint",
        Topic.ALWAYS,
        ("i",),
        OURS,
        _hints,
        bar=("i",),
        label=N_("hint"),
        help=N_("in your turn: what a good player would do, and why; again: away with it"),
        told=lambda _, local: local.hints,
        command="hint",
        meaning=N_("what a good player would do, and why"),
    ),
    Intent(
        "sort",
        Topic.ALWAYS,
        ("s",),
        TABLE,
        lambda snapshot, _: holds_hand(snapshot),
        bar=("s",),
        label=N_("sort"),
        help=N_("order of the hand: by suit, by rank, by combination"),
        command="hand [suit|rank|combination]",
        meaning=N_("your cards, in the order that you say; else by suit"),
    ),
    Intent(
        "log",
        Topic.ALWAYS,
        ("l",),
        OPEN,
        bar=("l",),
        label=N_("log"),
        help=N_("log and talk"),
        command="log [N]",
        meaning=N_("the last N lines (20)"),
    ),
    Intent(
        "talk",
        Topic.ALWAYS,
        ("/",),
        OPEN,
        bar=("/",),
        label=N_("talk"),
        help=N_("say something to the table"),
        command="say TEXT",
        meaning=N_("talk to the table"),
    ),
    Intent(
        "match",
        Topic.ALWAYS,
        ("m",),
        OPEN,
        bar=("m",),
        label=N_("match"),
        help=N_("the match so far"),
        command="scores",
        meaning=N_("balances, pools and the deals so far"),
    ),
    Intent(
        "how",
        Topic.ALWAYS,
        ("o",),
        OPEN,
        bar=("o",),
        label=N_("proofs"),
        help=N_("how the deal is proved fair"),
        command="proofs",
        meaning=N_("what was proved in this deal and in the last one"),
    ),
    Intent(
        "next page",
        Topic.ALWAYS,
        ("tab", "s-tab"),
        OPEN,
        bar=("tab",),
        label=N_("next page"),
        help=N_("from page to page"),
    ),
    Intent("run", Topic.ALWAYS, command="run", meaning=N_("the open run and what it wants")),
    Intent("last", Topic.ALWAYS, command="last", meaning=N_("the last line again")),
    Intent("seats", Topic.ALWAYS, command="seats", meaning=N_("who sits here, with cards left and jetons")),
    Intent("legal", Topic.ALWAYS, command="legal", meaning=N_("what you may do now")),
    # The screen itself, and the way out.
    Intent(
        "calls",
        Topic.AUCTION,
        ("left", "right"),
        frozenset({Mode.AUCTION}),
        bar=("left", "right"),
        label=N_("choose"),
        help=N_("move between the calls"),
    ),
    Intent(
        "forced answers",
        Topic.ALWAYS,
        ("f",),
        OPEN,
        bar=("f",),
        label=N_("forced"),
        help=N_("let a sans or a go on that leaves no choice be said for you, or not"),
        command="forced",
        meaning=N_("let a sans or a go that leaves no choice be said for you; again: not any more"),
    ),
    Intent("colours", Topic.ALWAYS, ("v",), OPEN, bar=("v",), label=N_("colours"), help=N_("other colours")),
    Intent("redraw", Topic.ALWAYS, ("c-l",), EVERYWHERE, bar=("c-l",), label=N_("redraw"), help=N_("draw anew")),
    Intent(
        "help",
        Topic.ALWAYS,
        ("?",),
        OPEN,
        bar=("?",),
        label=N_("help"),
        help=N_("this help"),
        command="help [COMMAND]",
        meaning=N_("this list, or one command; ? does the same"),
    ),
    Intent(
        "leave",
        Topic.ALWAYS,
        ("c-q", "c-c"),
        EVERYWHERE - {Mode.LEAVING},
        bar=("c-q",),
        label=N_("leave"),
        help=N_("leave; asks once, and the second time goes at once and keeps the seat"),
        command="quit",
        meaning=N_("leave the table for good"),
    ),
)
"""In the order in which the row of keys has room for them."""
PINNED: Final = ("help", "leave")
"""Intents that the row of keys always has room for."""
