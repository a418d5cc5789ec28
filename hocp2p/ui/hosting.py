"""What the host's keys do before the game: chairs, bots and the house rules. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hocp2p.game.house import CHOICES, Rules
from hocp2p.session.managing import BOT_LEVELS, AddBot, SetRules, TakeChair, usual_level
from hocp2p.table.snapshot import SeatInfo, TableSnapshot
from hocp2p.ui.effects import Effect, Manage
from hocp2p.ui.lang import _
from hocp2p.ui.local import Local, Page, Question

RULE_NAMES: Final = tuple(Rules().to_dict())
RAISE_CAPS: Final = (1, 5, 10, 20, 50, 100)
MOST_ROUNDS: Final = 10  # how often each seat deals, at most, as keys choose it; a command takes any number

Pressed = tuple[Local, Effect | None]


def chosen_chair(snapshot: TableSnapshot, local: Local) -> int | None:
    """Which chair keys are about: the one chosen, else the first free one, else the first; None: we manage nothing."""
    chairs = _chairs(snapshot)
    if local.chair in chairs:
        return local.chair
    free = [seat for seat in chairs if not snapshot.seats[seat].key]
    return next(iter([*free, *chairs]), None)


def _chairs(snapshot: TableSnapshot) -> list[int]:
    """All chairs but ours, as long as they can be managed."""
    return [info.seat for info in snapshot.seats if snapshot.may_manage and info.seat != snapshot.our_seat]


def has_choice(snapshot: TableSnapshot, _local: Local) -> bool:
    """Whether there is more than one chair to choose from."""
    return len(_chairs(snapshot)) > 1


def can_unseat(snapshot: TableSnapshot, local: Local) -> bool:
    """Whether somebody sits in the chosen chair."""
    chair = chosen_chair(snapshot, local)
    return chair is not None and bool(snapshot.seats[chair].key)


def press_in_lobby(key: str, snapshot: TableSnapshot, local: Local) -> Pressed | None:
    """What a key does to chairs and rules; None: nothing of the kind."""
    chair = chosen_chair(snapshot, local)
    if chair is None:
        return None
    match key:
        case "up" | "down":
            chairs = _chairs(snapshot)
            step = 1 if key == "down" else -1
            return replace(local, chair=chairs[(chairs.index(chair) + step) % len(chairs)]), None
        case "b":
            seating = _seat_bot(snapshot, snapshot.seats[chair], local.level)
            told = "" if seating else _("no chair is free; x frees the chosen one")
            return replace(local, message=told), seating
        case "x" if not can_unseat(snapshot, local):
            return replace(local, message=_("nobody sits in that chair")), None
        case "x":
            return replace(local, chair=chair, asking=Question.CHAIR), None
        case "r":
            return replace(local, page=Page.RULES, draft=snapshot.rules, rule=0), None
    return None


def _seat_bot(snapshot: TableSnapshot, info: SeatInfo, first: str) -> Manage | None:
    """The next level in the place of our bot, or one like our last in a free chair, the first of the level ``first``;
    None: there is no free chair."""
    ours = snapshot.seats[snapshot.our_seat].name if snapshot.our_seat is not None else None
    if info.bot_level in BOT_LEVELS and info.owner == ours:
        level = BOT_LEVELS[(BOT_LEVELS.index(info.bot_level) + 1) % len(BOT_LEVELS)]
        return Manage((TakeChair(info.seat), AddBot(level)))
    if all(seat.key for seat in snapshot.seats):
        return None
    return Manage((AddBot(usual_level(snapshot, first)),))


def unseat(snapshot: TableSnapshot, local: Local) -> Effect | None:
    """Takes the chosen chair away: the question was answered with yes."""
    chair = chosen_chair(snapshot, local)
    return Manage((TakeChair(chair),)) if chair is not None else None


def press_on_rules(key: str, snapshot: TableSnapshot, local: Local) -> Pressed:
    """What a key does on the page of the house rules. Nothing is changed at the table before Enter."""
    draft = local.draft or snapshot.rules
    match key:
        case "up" | "down":
            step = 1 if key == "down" else -1
            return replace(local, rule=(local.rule + step) % len(RULE_NAMES)), None
        case "left" | "right":
            step = 1 if key == "right" else -1
            changed = next_rules(draft, RULE_NAMES[local.rule], len(snapshot.seats), step)
            return replace(local, draft=changed), None
        case "enter" if draft != snapshot.rules:
            told = _("the rules are changed: all read them again")
            return replace(_without_rules(local), message=told), Manage((SetRules(draft),))
        case "enter" | "escape" | "r":
            return _without_rules(local), None
    return local, None


def _without_rules(local: Local) -> Local:
    return replace(local, page=Page.TABLE, draft=None, rule=0)


def next_rules(rules: Rules, name: str, seats: int, step: int) -> Rules:
    """The rules with the next value of one of them, or the one before; after the last comes the first.

    Args:
        rules: to be changed.
        name: of ``RULE_NAMES``.
        seats: 2 or 3; deals go by multiples of it.
        step: 1 or -1.
    """
    now = getattr(rules, name)
    values = CHOICES.get(name) or sorted({now, *_numbers(name, seats)})
    value = values[(values.index(now) + step) % len(values)]
    return rules.with_text(name, str(value))


def _numbers(name: str, seats: int) -> tuple[int, ...]:
    return RAISE_CAPS if name == "raise_cap" else tuple(seats * rounds for rounds in range(1, MOST_ROUNDS + 1))


def without_lobby(snapshot: TableSnapshot, local: Local) -> Local:
    """The state without what is open in vain: a question about who has gone; all of this once the game has begun."""
    if local.asking is Question.CHAIR and not can_unseat(snapshot, local):
        local = replace(local, asking=None)
    if local.page is Page.RULES and not snapshot.may_manage:
        local = _without_rules(local)
    return local
