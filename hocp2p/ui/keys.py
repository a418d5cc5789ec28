"""What a key does: from the picture and the screen's state to a new state and at most one effect. Pure.

Keys are named as they are typed (``a``, ``A``, ``/``), or ``enter left right up down pageup pagedown tab s-tab escape
backspace space c-c c-q c-l c-u``; a click presses the key of the fragment it hits, ``card:7D`` for a card.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.choices import selection
from hocp2p.ui.effects import Act, Again, Effect, Hint, Keep, Leave, NextTheme, Ready, Redraw, Say, ShowHand, Skip
from hocp2p.ui.hosting import press_in_lobby, press_on_rules, unseat
from hocp2p.ui.keys_deal import cleared, press_in_deal
from hocp2p.ui.lang import _
from hocp2p.ui.local import Local, Page, Question, Sort
from hocp2p.ui.meeting import give_up, press_at_door, press_invite, press_vote
from hocp2p.ui.modes import ASKING, OURS, Mode, has_begun, holds_hand, mode, our_turn

MAX_TALK: Final = 300
PAGES: Final = tuple(page for page in Page if page not in (Page.RULES, Page.INVITE))
PAGE_KEYS: Final = {"l": Page.LOG, "m": Page.SCORE, "o": Page.PROOFS, "?": Page.HELP}
SORTS: Final = tuple(Sort)
SCROLLS: Final = {"up": 1, "down": -1, "pageup": 10, "pagedown": -10}

Pressed = tuple[Local, Effect | None]


def press(key: str, snapshot: TableSnapshot, local: Local) -> Pressed:
    """The state after a key, and what has to be done. Which key means what, and when, is told by ``ui.intents``.

    Args:
        key: as in the module's docstring.
        snapshot: the picture that is shown.
        local: the state before.
    """
    local, effect = _pressed(key, snapshot, replace(local, message=""))
    since = len(snapshot.events) if local.message and effect is None else None  # an effect makes events of its own
    return replace(local, message_since=since), effect


def _pressed(key: str, snapshot: TableSnapshot, local: Local) -> Pressed:
    now = mode(snapshot, local)
    if key in ("c-c", "c-q"):
        return _leaving(snapshot, local)
    if key == "c-l":
        return local, Redraw()
    if now in ASKING:
        return _answered(key, snapshot, local)
    if local.typing is not None:
        return _typed(key, local.typing, local)
    if key in _ANYWHERE:
        return _ANYWHERE[key](snapshot, local)
    if key in PAGE_KEYS or key in ("tab", "s-tab"):
        return _turned(key, snapshot, local), None
    if now is Mode.PAGE:
        invited = press_invite(key, snapshot, local) if local.page is Page.INVITE else None
        return invited or (_on_page(key, local), None)
    if now is Mode.RULES:
        return press_on_rules(key, snapshot, local)
    return _at_table(key, now, snapshot, local)


def _at_table(key: str, now: Mode, snapshot: TableSnapshot, local: Local) -> Pressed:
    """A key that is no command of every page."""
    if key == "h" and snapshot.may_show and now not in OURS:
        return replace(local, asking=Question.SHOW), None
    if now is Mode.SETTLED:
        return (replace(local, acked=len(snapshot.finished)) if key == "enter" else local), None
    if key == "s" and holds_hand(snapshot):
        return replace(local, sort=SORTS[(SORTS.index(local.sort) + 1) % len(SORTS)]), None
    if local.waiting and key in ("space", "enter", "A"):
        return local, Skip()
    if now is Mode.OVER:
        return local, Again() if key == "enter" and snapshot.may_again else None
    managed = _in_lobby(key, snapshot, local) if now in (Mode.READY, Mode.WAITING) else None
    managed = managed or press_vote(key, snapshot, local)
    if managed is not None:
        return managed
    if now is Mode.READY:
        return local, Ready() if key == "enter" else None
    if now is Mode.WAITING or snapshot.view is None:
        return local, None
    if key == "i":
        return _hint(snapshot, local)
    return press_in_deal(key, snapshot, snapshot.view, local)


def _in_lobby(key: str, snapshot: TableSnapshot, local: Local) -> Pressed | None:
    """A key that is about chairs, rules, the invite or who knocks; None: nothing of the kind."""
    return (
        press_in_lobby(key, snapshot, local)
        or press_at_door(key, snapshot, local)
        or press_invite(key, snapshot, local)
    )


def _talk(snapshot: TableSnapshot, local: Local) -> Pressed:
    return replace(local, typing="", read=len(snapshot.events)), None


def _colours(_snapshot: TableSnapshot, local: Local) -> Pressed:
    return local, NextTheme()


def _forced(_snapshot: TableSnapshot, local: Local) -> Pressed:
    told = (
        _("sans and go on are left to you") if local.forced else _("a sans or go on without a choice is said for you")
    )
    return replace(local, forced=not local.forced, message=told), None


_ANYWHERE: Final = {"/": _talk, "v": _colours, "f": _forced}


def _hint(snapshot: TableSnapshot, local: Local) -> Pressed:
    """The hint, or away with it."""
    if local.advice is not None:
        return replace(local, advice=None), None
    if not local.hints:
        return replace(local, message=_("hints are switched off")), None
    if not our_turn(snapshot, local):
        return replace(local, message=_("it is not your turn")), None
    return local, Hint()


def _leaving(snapshot: TableSnapshot, local: Local) -> Pressed:
    """The second time goes at once: the seat is kept where there is one."""
    if snapshot.stage in (Stage.ENDED, Stage.STOPPED):
        return local, Leave()
    if local.asking is Question.LEAVE:
        return local, Keep()
    return replace(local, asking=Question.LEAVE, typing=None), None


def _answered(key: str, snapshot: TableSnapshot, local: Local) -> Pressed:
    question = local.asking
    local = replace(local, asking=None)
    if question is Question.SHOW:
        return local, ShowHand() if key in ("y", "Y") else None
    if question is Question.CHAIR:
        return local, unseat(snapshot, local) if key in ("y", "Y") else None
    if question is Question.GIVE_UP:
        return local, give_up(snapshot) if key in ("y", "Y") else None
    if question is Question.LEAVE and key == "k" and local.keeps and has_begun(snapshot):
        return local, Keep()
    if question is Question.LEAVE:
        return local, Leave() if key in ("y", "Y") else None
    chosen = selection(snapshot, local).choice
    if key not in ("enter", "y", "Y") or chosen is None:
        return local, None
    return cleared(local), Act((chosen.action,))


def _typed(key: str, text: str, local: Local) -> Pressed:
    if key == "enter":
        said = text.strip()
        return replace(local, typing=None), Say(said) if said else None
    if key == "escape":
        return replace(local, typing=None), None
    if key in ("backspace", "c-u"):
        return replace(local, typing=text[:-1] if key == "backspace" else ""), None
    added = " " if key == "space" else key.removeprefix("paste:") if key.startswith("paste:") else key
    if (len(key) > 1 and added == key) or not added.isprintable():
        return local, None
    return replace(local, typing=(text + added)[:MAX_TALK]), None


def _turned(key: str, snapshot: TableSnapshot, local: Local) -> Local:
    """The page that the key opens; its own key goes back to the table."""
    if key in PAGE_KEYS:
        page = Page.TABLE if local.page is PAGE_KEYS[key] else PAGE_KEYS[key]
    else:
        step = 1 if key == "tab" else -1
        before = local.page if local.page in PAGES else Page.TABLE
        page = PAGES[(PAGES.index(before) + step) % len(PAGES)]
    read = len(snapshot.events) if page is Page.LOG else local.read
    return replace(local, page=page, scroll=0, read=read)


def _on_page(key: str, local: Local) -> Local:
    if key in SCROLLS and local.page in (Page.LOG, Page.HELP):
        # The log is scrolled from its end, every other page from its beginning.
        step = SCROLLS[key] if local.page is Page.LOG else -SCROLLS[key]
        return replace(local, scroll=max(local.scroll + step, 0))
    return replace(local, page=Page.TABLE, scroll=0) if key in ("enter", "space", "escape") else local
