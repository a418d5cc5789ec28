"""What a key does: from the picture and the screen's state to a new state and at most one effect. Pure.

Keys are named as they are typed (``a``, ``A``, ``/``), or ``enter left right up down pageup pagedown tab s-tab escape
backspace space c-c c-q c-l c-u``; a click presses the key of the fragment it hits, ``card:7D`` for a card.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hocp2p.errors import NotationError
from hocp2p.game.actions import Action, Raise
from hocp2p.game.cards import RANK_LETTERS, Card, parse_card, parse_rank
from hocp2p.game.state import Phase, SeatView
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.choices import allowed_classes, announced_class, choices, raise_limits, selection
from hocp2p.ui.effects import Act, Again, Effect, Hint, Keep, Leave, NextTheme, Ready, Redraw, Say, ShowHand, Skip
from hocp2p.ui.hands import follow_up, in_order, playable
from hocp2p.ui.hosting import press_in_lobby, press_on_rules, unseat
from hocp2p.ui.intents_deal import CARD
from hocp2p.ui.lang import N_, _
from hocp2p.ui.local import Local, Page, Question, Sort
from hocp2p.ui.meeting import give_up, press_at_door, press_invite, press_vote
from hocp2p.ui.modes import ASKING, OURS, Mode, has_begun, holds_hand, mode, our_turn
from hocp2p.ui.words import why_not

MAX_TALK: Final = 300
PAGES: Final = tuple(page for page in Page if page not in (Page.RULES, Page.INVITE))
PAGE_KEYS: Final = {"l": Page.LOG, "m": Page.SCORE, "o": Page.PROOFS, "?": Page.HELP}
CALLS: Final = {
    "p": N_("you cannot pass now: choose one of the calls shown"),
    "d": N_("you cannot declare now: choose one of the calls shown"),
    "t": N_("you cannot stay now: choose one of the calls shown"),
    "g": N_("you cannot say good now: choose one of the calls shown"),
    "r": N_("you cannot raise now: choose one of the calls shown"),
}
"""By the key of a call, what is said where it cannot be made."""
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
    return _in_deal(key, snapshot, snapshot.view, local)


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
    return _cleared(local), Act((chosen.action,))


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


def _cleared(local: Local) -> Local:
    """Nothing picked: something was done."""
    return replace(local, picked=None, choice="", raise_by=1, digits=False, announced=None)


def _in_deal(key: str, snapshot: TableSnapshot, view: SeatView, local: Local) -> Pressed:
    if view.state.phase is Phase.PLAY:
        return _in_play(key, snapshot, view, local)
    offered = choices(snapshot, local)
    if not offered:
        return local, None
    if key == "enter":
        return _taken(snapshot, local)
    if key in {choice.key for choice in offered}:
        return replace(local, choice=key, digits=False), None
    if view.state.phase is Phase.AUCTION:
        return _in_auction(key, snapshot, view, local), None
    if key in ("up", "down", "left", "right"):
        return _moved(local, [choice.key for choice in offered], snapshot, 1 if key in ("down", "right") else -1), None
    return local, None


def _taken(snapshot: TableSnapshot, local: Local) -> Pressed:
    """Enter on a choice."""
    chosen = selection(snapshot, local).choice
    if chosen is None:
        return replace(local, message=_("choose a call first")), None
    if chosen.confirm:
        return replace(local, choice=chosen.key, asking=Question.CALL), None
    return _cleared(local), Act((chosen.action,))


def _moved(local: Local, keys: list[str], snapshot: TableSnapshot, step: int) -> Local:
    """The next choice; from none to the first or last."""
    now = selection(snapshot, local).choice
    if now is None or now.key not in keys:
        return replace(local, choice=keys[0 if step > 0 else -1], digits=False)
    return replace(local, choice=keys[(keys.index(now.key) + step) % len(keys)], digits=False)


def _in_auction(key: str, snapshot: TableSnapshot, view: SeatView, local: Local) -> Local:
    low, high = raise_limits(snapshot.legal)
    if key in ("left", "right"):
        offered = [choice.key for choice in choices(snapshot, local)]
        return _moved(local, offered, snapshot, 1 if key == "right" else -1)
    if key in ("+", "-", "up", "down", "=") and high:
        step = 0 if local.choice != "r" else 1 if key in ("+", "up", "=") else -1
        return replace(local, choice="r", raise_by=_within(local.raise_by + step, low, high), digits=False)
    if key.isdecimal() and len(key) == 1 and high:
        amount = 10 * local.raise_by + int(key) if local.digits else int(key)
        amount = amount if amount <= high else int(key)
        return replace(local, choice="r", raise_by=_within(amount, low, high), digits=True)
    if key == "backspace" and local.digits:
        kept = local.raise_by // 10
        return replace(local, raise_by=_within(kept, low, high), digits=kept > 0)
    if key == "c":
        return _next_class(snapshot, view, local)
    if key in CALLS:
        return replace(local, message=_(CALLS[key]))
    return local


def _within(amount: int, low: int, high: int) -> int:
    return max(low, min(amount, high))


def _next_class(snapshot: TableSnapshot, view: SeatView, local: Local) -> Local:
    """The next class that the chosen call, or else a raise, may announce."""
    chosen = selection(snapshot, local).choice
    kind: type[Action] = type(chosen.action) if chosen is not None else Raise
    allowed = allowed_classes(snapshot.legal, kind)
    if len(allowed) < 2:
        return replace(local, message=_("there is no other class to announce with this"))
    now = allowed.index(announced_class(view, snapshot.legal, kind, local))
    return replace(local, announced=allowed[(now + 1) % len(allowed)])


def _in_play(key: str, snapshot: TableSnapshot, view: SeatView, local: Local) -> Pressed:
    if key.startswith(CARD):
        return _clicked(key, snapshot, view, local)
    if key == "enter":
        return _played(snapshot, view, local)
    if key == "A":
        return _played(snapshot, view, local, all_that_follow=True)
    if key == "h":
        return _picked(view, local, lambda card: card.is_hoc, _("you hold no hoc")), None
    if key in ("left", "right"):
        return _along(snapshot, view, local, 1 if key == "right" else -1), None
    if any(choice.key == key for choice in choices(snapshot, local)):
        return replace(local, choice=key, picked=None), None
    if key == "p" and snapshot.legal:
        return replace(local, message=_why_no_sans(view)), None
    rank = _rank_of(key)
    if rank is not None:
        none = _("you hold no {rank}").format(rank=key.upper())
        return _picked(view, local, lambda card: card.rank == rank, none), None
    return local, None


def _rank_of(key: str) -> int | None:
    """The rank that a key means: lower case letters, digits, ``0`` and ``1`` for ten."""
    if key in ("0", "1"):
        return parse_rank("T")
    return parse_rank(key) if len(key) == 1 and key.upper() in RANK_LETTERS and key == key.lower() else None


def _picked(view: SeatView, local: Local, wanted: Callable[[Card], bool], none: str) -> Local:
    """The next wanted card after the picked one, round the hand."""
    hand = [card for card in in_order(view.hand, local.sort) if wanted(card)]
    if not hand:
        return replace(local, message=none)
    after = hand.index(local.picked) + 1 if local.picked in hand else 0
    return replace(local, picked=hand[after % len(hand)], choice="")


def _along(snapshot: TableSnapshot, view: SeatView, local: Local, step: int) -> Local:
    hand = in_order(view.hand, local.sort)
    now = selection(snapshot, local).card
    if not hand:
        return local
    at = (hand.index(now) + step) % len(hand) if now in hand else (0 if step > 0 else -1)
    return replace(local, picked=hand[at], choice="")


def _clicked(key: str, snapshot: TableSnapshot, view: SeatView, local: Local) -> Pressed:
    """A click picks a card; a click on the picked card plays it."""
    try:
        card = parse_card(key.removeprefix(CARD))
    except NotationError:
        return local, None
    if selection(snapshot, local).card == card:
        return _played(snapshot, view, local)
    return (replace(local, picked=card, choice="") if card in view.hand else local), None


def _played(snapshot: TableSnapshot, view: SeatView, local: Local, *, all_that_follow: bool = False) -> Pressed:
    chosen = selection(snapshot, local)
    if not snapshot.legal:
        return replace(local, message=_("it is not your turn")), None
    if chosen.card is None:
        if chosen.choice is None:
            return replace(local, message=_("pick a card first: a rank key or the arrows")), None
        return _taken(snapshot, local)
    plays = playable(snapshot.legal)
    if chosen.card not in plays:
        return replace(local, message=why_not(view, chosen.card) or _("that card cannot be played now")), None
    plan = follow_up(view, chosen.card) if all_that_follow else (plays[chosen.card],)
    return _cleared(local), Act(plan)


def _why_no_sans(view: SeatView) -> str:
    called = view.state.play.called if view.state.play is not None else None
    if called is None:
        return _("you lead: no rank is called")
    return _("you hold the called rank: it must be played, or a hoc in its place")
