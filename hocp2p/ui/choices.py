"""What may be said now other than playing a card, as a short list with a key each; and what Enter would take. Pure."""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hocp2p.game.actions import (
    Action,
    Announce,
    Blanche,
    Combination,
    Declare,
    Go,
    Good,
    Hold,
    Pass,
    Raise,
    Sans,
    Show,
    Stake,
    Stay,
    Unseen,
)
from hocp2p.game.cards import Card
from hocp2p.game.combinations import RATES, holdings
from hocp2p.game.state import AuctionState, Phase, SeatView
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.hands import in_order, playable
from hocp2p.ui.lang import _
from hocp2p.ui.local import Local
from hocp2p.ui.names import CLASS_NAMES, counted, describe_claim, format_cards, rank_word

_CALL_KEYS: Final[tuple[tuple[type[Action], str], ...]] = (
    (Pass, "p"),
    (Declare, "d"),
    (Stay, "t"),
    (Good, "g"),
    (Raise, "r"),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be said.

    Args:
        key: the key that chooses it.
        label: a word or two.
        note: what it costs or means.
        action: what is done.
        confirm: whether Enter asks once more.
        button: the label as it stands on a button; empty: the same.
        brief: the same without the class that it announces; empty: it announces none.
    """

    key: str
    label: str
    note: str
    action: Action
    confirm: bool = False
    button: str = ""
    brief: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """What Enter would take: a card, a choice, or nothing."""

    card: Card | None = None
    choice: Choice | None = None


def choices(snapshot: TableSnapshot, local: Local, *, ascii: bool = False) -> tuple[Choice, ...]:
    """All that may be said now, in display order; empty when it is not our turn."""
    view = snapshot.view
    if view is None or not snapshot.legal:
        return ()
    match view.state.phase:
        case Phase.AUCTION:
            return _calls(view, snapshot.legal, local)
        case Phase.SHOWDOWN | Phase.SHOW:
            return _showing(view, snapshot.legal, ascii)
        case Phase.BLANCHE:
            return _blanche(snapshot.legal)
        case Phase.PLAY:
            return _refusals(snapshot.legal)
        case Phase.OVER:
            return ()


def selection(snapshot: TableSnapshot, local: Local) -> Selection:
    """What Enter would take now; what costs is never taken unless the player has chosen it."""
    view = snapshot.view
    offered = choices(snapshot, local)
    chosen = next((choice for choice in offered if choice.key == local.choice), None)
    if chosen is not None:
        return Selection(choice=chosen)
    if view is None:
        return Selection()
    if view.state.phase is Phase.PLAY:
        return _play_selection(view, snapshot.legal, offered, local)
    if view.state.phase in (Phase.SHOWDOWN, Phase.SHOW, Phase.BLANCHE) and offered:
        return Selection(choice=offered[0])
    return Selection()


def _play_selection(view: SeatView, legal: Sequence[Action], offered: tuple[Choice, ...], local: Local) -> Selection:
    if local.picked in view.hand:
        return Selection(card=local.picked)
    if not legal or view.state.play is None or view.state.play.called is None:
        return Selection()
    obliged = [card for card in playable(legal) if not card.is_hoc]
    if obliged:
        return Selection(card=next(card for card in in_order(view.hand, local.sort) if card in obliged))
    if len(legal) == 1 and offered:
        return Selection(choice=offered[0])
    return Selection()


def allowed_classes(legal: Sequence[Action], kind: type[Action]) -> tuple[Combination | None, ...]:
    """Classes that a call of this kind may announce, the lowest first; None: announces nothing new."""
    found = {action.announced for action in legal if isinstance(action, kind) and isinstance(action, _ANNOUNCING)}
    return tuple(sorted(found, key=lambda announced: -1 if announced is None else int(announced)))


_ANNOUNCING = (Declare, Raise, Stay)


def raise_limits(legal: Sequence[Action]) -> tuple[int, int]:
    """Smallest and greatest rise that may be said; (0, 0): none."""
    rises = [action.by for action in legal if isinstance(action, Raise)]
    return (min(rises), max(rises)) if rises else (0, 0)


def announced_class(view: SeatView, legal: Sequence[Action], kind: type[Action], local: Local) -> Combination | None:
    """What a call of this kind would announce: the class chosen, else nothing new, else the truth, else the lowest."""
    allowed = allowed_classes(legal, kind)
    if local.announced is not None and local.announced in allowed:
        return local.announced
    if not allowed or None in allowed or view.state.stake is None:
        return None
    held = (holding.combination for holding in holdings(view.state.stake, view.hand, view.state.rules))
    return next((combination for combination in held if combination in allowed), allowed[0])


def _calls(view: SeatView, legal: Sequence[Action], local: Local) -> tuple[Choice, ...]:
    auction = view.state.auction
    if auction is None:
        return ()
    found = []
    for kind, key in _CALL_KEYS:
        if any(isinstance(action, kind) for action in legal):
            found.append(_call(auction, view, legal, kind, key, local))
    return tuple(found)


def _call(
    auction: AuctionState, view: SeatView, legal: Sequence[Action], kind: type[Action], key: str, local: Local
) -> Choice:
    missing = auction.level - auction.paid[view.seat]
    if kind is Pass:
        return Choice(key, _("Pass"), _("says nothing; you may come in later if another opens"), Pass())
    if kind is Good:
        return Choice(key, _("Good"), _("gives this stake up"), Good())
    announced = announced_class(view, legal, kind, local)
    if kind is Declare:
        note = _("opens at level 0, costs nothing more")
        return _announcing(key, _("Declare"), "", _costs(note, view, announced), Declare(announced))
    if kind is Stay:
        note = _("pays {amount}").format(amount=missing) if missing else _("costs nothing more")
        return _announcing(key, _("Stay"), "", _costs(note, view, announced), Stay(announced))
    low, high = raise_limits(legal)
    by = max(low, min(local.raise_by, high))
    label, button = (_("Raise {by}").format(by=shown) for shown in (by, f"< {by} >"))
    note = _("level {level}, pays {amount}").format(level=auction.level + by, amount=missing + by)
    return _announcing(key, label, button, _costs(note, view, announced), Raise(by, announced))


def _announcing(key: str, call: str, button: str, note: str, action: Declare | Stay | Raise) -> Choice:
    """A call that may announce a class. A raise is asked once more; its ``button`` differs from the call."""
    brief = "" if action.announced is None else button or call
    label, shown = _named(call, action.announced), _named(button, action.announced) if button else ""
    return Choice(key, label, note, action, confirm=isinstance(action, Raise), button=shown, brief=brief)


def _named(call: str, announced: Combination | None) -> str:
    """``Declare tierce``."""
    if announced is None:
        return call
    return _("{call} {combination}").format(call=call, combination=CLASS_NAMES[announced])


def _costs(note: str, view: SeatView, announced: Combination | None) -> str:
    """What a call costs, and whether what it announces is true."""
    bluff = announced is not None and not _holds(view, announced)
    return _("{note}; a bluff").format(note=note) if bluff else note


def _holds(view: SeatView, announced: Combination) -> bool:
    """Whether our hand has this class or a higher one."""
    if view.state.stake is None:
        return False
    held = [holding.combination for holding in holdings(view.state.stake, view.hand, view.state.rules)]
    return any(combination is not None and combination >= announced for combination in held)


def _showing(view: SeatView, legal: Sequence[Action], ascii: bool) -> tuple[Choice, ...]:
    found: list[Choice] = []
    for action in legal:
        key = str(len(found) + 1)
        match action:
            case Announce(claim) if view.state.stake is not None:
                found.append(Choice(key, _("Announce"), describe_claim(view.state.stake, claim), action))
            case Show(cards):
                shown = format_cards([held.card for held in cards], ascii=ascii)
                due = _from_each(view, [held.card for held in cards])
                found.append(Choice(key, _("Show"), shown + due, action))
            case Unseen():
                found.append(Choice(key, _("Unseen"), _unseen_due(view), action))
            case Good() if view.state.phase is Phase.SHOW:
                note = _("a false announcement: you are fined")
                found.append(Choice(key, _("Cannot show"), note, action, confirm=True))
            case Good():
                found.append(Choice(key, _("Good"), _("announce nothing and show nothing"), action))
            case _:
                pass
    return tuple(found)


def _from_each(view: SeatView, cards: Sequence[Card]) -> str:
    """What these cards bring from each other player; Point brings the pool only."""
    stake = view.state.stake
    if stake in (None, Stake.POINT):
        return ""
    due = sum(holding.payment for holding in holdings(stake, cards)) * (2 if stake in view.state.doubled else 1)
    return "   " + _("{amount} from each").format(amount=due)


def _unseen_due(view: SeatView) -> str:
    """Showing nothing, and what the announced class then brings from each other player: the simple rate (rule 2.2)."""
    auction = view.state.auction
    announced = auction.announced[view.seat] if auction is not None else None
    if auction is None or announced is None:
        return _("show nothing")
    due = RATES[announced][0] * (2 if auction.stake in view.state.doubled else 1)
    note = _("paid unseen: {combination}   {amount} from each")
    return note.format(combination=CLASS_NAMES[announced], amount=due)


def _blanche(legal: Sequence[Action]) -> tuple[Choice, ...]:
    found: list[Choice] = []
    if Blanche() in legal:
        note = _("{jetons} from each, if you alone claim it").format(jetons=counted(10, "jeton"))
        found.append(Choice("1", _("Claim"), note, Blanche()))
    if Go() in legal:
        found.append(Choice(str(len(found) + 1), _("Go on"), _("without carte blanche"), Go()))
    return tuple(found)


def _refusals(legal: Sequence[Action]) -> tuple[Choice, ...]:
    found: list[Choice] = []
    for action in legal:
        match action:
            case Sans(rank):
                label = _("Sans {rank}").format(rank=rank_word(rank))
                found.append(Choice("p", label, _("the turn passes on"), action))
            case Hold(rank):
                note = _("keeps the {rank} back and is fined 5").format(rank=rank_word(rank))
                found.append(Choice("w", _("Withhold"), note, action, confirm=True))
            case _:
                pass
    return tuple(found)
