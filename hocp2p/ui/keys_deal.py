"""What a key does in a deal: calls, words of a showdown, cards. Pure; see ``ui.keys``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hocp2p.errors import NotationError
from hocp2p.game.actions import Action, Raise
from hocp2p.game.cards import RANK_LETTERS, Card, parse_card, parse_rank
from hocp2p.game.state import Phase, SeatView
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.choices import allowed_classes, announced_class, choices, raise_limits, selection
from hocp2p.ui.effects import Act, Effect
from hocp2p.ui.hands import follow_up, in_order, playable
from hocp2p.ui.intents_deal import CARD
from hocp2p.ui.lang import N_, _
from hocp2p.ui.local import Local, Question
from hocp2p.ui.words import why_not

CALLS: Final = {
    "p": N_("you cannot pass now: choose one of the calls shown"),
    "d": N_("you cannot declare now: choose one of the calls shown"),
    "t": N_("you cannot stay now: choose one of the calls shown"),
    "g": N_("you cannot say good now: choose one of the calls shown"),
    "r": N_("you cannot raise now: choose one of the calls shown"),
}
"""By the key of a call, what is said where it cannot be made."""

Pressed = tuple[Local, Effect | None]


def cleared(local: Local) -> Local:
    """Nothing picked: something was done."""
    return replace(local, picked=None, choice="", raise_by=1, digits=False, announced=None)


def press_in_deal(key: str, snapshot: TableSnapshot, view: SeatView, local: Local) -> Pressed:
    """What a key does about our call, word or card."""
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
    return cleared(local), Act((chosen.action,))


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
    return cleared(local), Act(plan)


def _why_no_sans(view: SeatView) -> str:
    called = view.state.play.called if view.state.play is not None else None
    if called is None:
        return _("you lead: no rank is called")
    return _("you hold the called rank: it must be played, or a hoc in its place")
