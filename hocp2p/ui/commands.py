"""The commands of the line mode: what is typed, turned into something that can be done. Nothing is done in here.

An action may be typed in the notation of RULES 7 or in the looser way of the help: either case, a default where there
is only one sensible choice, several cards in a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hocp2p.errors import HocError, LocalError
from hocp2p.game.actions import Action, Announce, Held, Play, Sans, Show, Stake
from hocp2p.game.cards import Card, format_rank, parse_card
from hocp2p.game.combinations import holdings
from hocp2p.game.house import CHOICES, Rules
from hocp2p.game.notation import format_action, parse_action
from hocp2p.game.rules import verify_action
from hocp2p.game.state import SeatView
from hocp2p.session.managing import DEFAULT_LEVEL, AddBot, SetRules, TakeChair, usual_level
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.effects import (
    Act,
    Again,
    Answer,
    Hint,
    Keep,
    Leave,
    Manage,
    Ready,
    RenewInvite,
    Request,
    Resize,
    Say,
    ShowHand,
    Vote,
)
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.intent import Topic
from hocp2p.ui.intents import commands
from hocp2p.ui.lang import _
from hocp2p.ui.names import enumerated, labelled, listed
from hocp2p.ui.words import why_not


@dataclass(frozen=True, slots=True)
class Report:
    """Tell something again; ``argument`` is the rest of the line."""

    what: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Forced:
    """Let answers that leave no choice be given for us, or not any more."""


Command = Request | Act | Leave | Keep | Hint | Report | Forced

ACTION_HELP: Final = commands(Topic.AUCTION, Topic.SHOWDOWN, Topic.PLAY)
OTHER_HELP: Final = commands(Topic.ALWAYS, Topic.HOST)
HELP: Final = {**ACTION_HELP, **OTHER_HELP}
BARE: Final[dict[str, Command]] = {
    "ready": Ready(),
    "reveal": ShowHand(),
    "again": Again(),
    "quit": Leave(),
    "keep": Keep(),
    "two": Resize(),
    "hint": Hint(),
    "forced": Forced(),
}
REPORTS: Final = (
    HELP.keys() - ACTION_HELP.keys() - BARE.keys() - {"say", "bot", "kick", "giveup", "wait", "admit", "decline"}
)


def split_command(line: str) -> tuple[str, str]:
    """The command's word in lower case (``?`` is ``help``) and the rest of the line."""
    head, _space, rest = line.strip().partition(" ")
    if head.startswith("?"):
        return "help", f"{head[1:]} {rest}".strip()
    return head.lower(), rest.strip()


def parse_command(line: str, snapshot: TableSnapshot, level: str = DEFAULT_LEVEL) -> Command:
    """What a line asks for, at this table, now; ``level`` is that of the first bot which is asked for without one.

    Raises:
        LocalError: no such command, or one that cannot be done now.
        NotationError, RuleError: an action in a wrong form, or one that is not legal; the sentence says why.
    """
    word, rest = split_command(line)
    if word not in HELP:
        raise LocalError("unknown-command", _("there is no command {command}; ? lists them").format(command=repr(word)))
    if word in ACTION_HELP:
        return Act(_parse_actions(word, rest.split(), snapshot))
    if word == "say":
        if not rest:
            raise LocalError("bad-command", _("say what? for instance: {command}").format(command="say hello"))
        return Say(rest)
    if word == "bot":
        return Manage((AddBot(rest.lower() or usual_level(snapshot, level)),))
    if word == "kick":
        return Manage((TakeChair(_seat(word, rest, snapshot)),))
    if word in ("giveup", "wait"):
        return Vote(_seat(word, rest, snapshot), go_on=word == "giveup")
    if word in ("admit", "decline"):
        return Answer(_knock(word, rest), admit=word == "admit")
    if word == "invite" and rest:
        return _new_invite(rest)
    if word == "rules" and rest:
        return Manage((SetRules(_parse_rules(rest, snapshot.rules)),))
    if word in REPORTS:
        return Report(word, rest)
    if rest:
        raise LocalError("bad-command", _("{command} takes nothing after it").format(command=word))
    return BARE[word]


def _seat(word: str, text: str, snapshot: TableSnapshot) -> int:
    """A seat by its number from 1."""
    numbers = {str(info.seat + 1): info.seat for info in snapshot.seats}
    if text not in numbers:
        told = _("{word} which seat? for instance: {command}").format(word=word, command=f"{word} 2")
        raise LocalError("bad-command", told)
    return numbers[text]


def _knock(word: str, text: str) -> int:
    """A knock by its number, as it was told."""
    if not (text.isascii() and text.isdigit()):
        told = _("{word} whom? by the number of the knock, for instance: {command}")
        raise LocalError("bad-command", told.format(word=word, command=f"{word} 1"))
    return int(text)


def _new_invite(text: str) -> RenewInvite:
    if text.lower() != "new":
        raise LocalError("bad-command", _("{command} takes nothing after it").format(command="invite new"))
    return RenewInvite()


def _parse_rules(text: str, rules: Rules) -> Rules:
    """``rules``, changed by words as ``point=pips``."""
    for word in text.lower().split():
        name, equals, value = word.partition("=")
        if not equals:
            raise LocalError("bad-command", _("wants KEY=VALUE, not {value}").format(value=repr(word)))
        choices = CHOICES.get(name, (value,))
        if value not in choices:
            told = _("{name} is one of these: {choices}").format(name=name, choices=enumerated(choices))
            raise LocalError("bad-command", told)
        rules = rules.with_text(name, value)
    return rules


def verify_legal(snapshot: TableSnapshot, action: Action) -> None:
    """Raises RuleError or LocalError with the reason unless ``action`` is one of those offered to us now."""
    view = snapshot.view
    if action in snapshot.legal:
        return
    if view is None or view.state.turn is None:
        raise LocalError("not-now", _("no deal is being played"))
    if view.state.turn != view.seat:
        name = snapshot.seats[view.state.turn].name
        raise LocalError("not-your-turn", _("it is the turn of {name}").format(name=name))
    if isinstance(action, Play) and (reason := why_not(view, action.card, ascii=True)):
        raise LocalError("not-legal", reason)
    verify_action(view.state, view.seat, action)
    if isinstance(action, Sans):
        sentence = _("you hold a {rank} and must play it, or a hoc in its place")
        raise LocalError("not-legal", sentence.format(rank=format_rank(action.rank)))
    words = format_words(action, view.state.stake)
    raise LocalError("not-legal", _("{words} is not open to you now").format(words=words))


def format_words(action: Action, stake: Stake | None) -> str:
    """An action in the notation of RULES 7, without its seat."""
    return format_action(0, action, stake).partition(" ")[2]


def _parse_actions(word: str, arguments: list[str], snapshot: TableSnapshot) -> tuple[Action, ...]:
    view = snapshot.view
    if view is None:
        raise LocalError("not-now", _("no deal is being played"))
    match word:
        case "play":
            if not arguments:
                raise LocalError("bad-command", _("play which card? for instance: {command}").format(command="play 3d"))
            if "sans" in map(str.lower, arguments):
                told = _("sans is no card: play the cards first, then say {command} by itself")
                raise LocalError("bad-command", told.format(command="sans"))
            actions: tuple[Action, ...] = tuple(_play(view, parse_card(text)) for text in arguments)
        case "hoc":
            actions = (_hoc(view, arguments),)
        case "announce" if not arguments:
            actions = (_best_announcement(snapshot),)
        case "show" if [text.lower() for text in arguments] in ([], ["all"], ["best"]):
            actions = (_show(view, snapshot, best=arguments[-1:] != [] and arguments[-1].lower() == "best"),)
        case "show":
            actions = (_show_of(view, snapshot, frozenset(parse_card(text) for text in arguments)),)
        case "sans" if not arguments:
            actions = (Sans(_called(view)),)
        case _:
            actions = (_notated(view, word, arguments),)
    verify_legal(snapshot, actions[0])
    return actions


def _notated(view: SeatView, word: str, arguments: list[str]) -> Action:
    """Everything else is the notation of the rules, whose ranks are capitals and whose other words are not."""
    if word in ("sans", "hold"):
        arguments = ["T" if text == "10" else text.upper() for text in arguments]
    elif word == "announce":
        arguments = [_claim_case(text) for text in arguments]
    else:
        arguments = [text.lower() for text in arguments]
    positions = {card: position for position, card in view.own.items()}
    try:
        return parse_action(" ".join(["0", word, *arguments]), positions, view.state.stake)[1]
    except HocError as error:
        usage, meaning = HELP[word]
        told = listed([translate_error(error.message), labelled(usage, _(meaning))])
        raise LocalError(error.code, told) from error


def _claim_case(text: str) -> str:
    first, slash, second = text.partition("/")
    return f"{first.lower()}{slash}{second.upper()}"


def _position(view: SeatView, card: Card) -> int:
    for position, face in view.own.items():
        if face == card:
            return position
    raise LocalError("not-held", _("you do not hold {card}").format(card=card))


def _play(view: SeatView, card: Card) -> Play:
    return Play(_position(view, card), card)


def _hoc(view: SeatView, arguments: list[str]) -> Play:
    """``hoc jd`` or, as the list of legal actions says it, ``hoc jd as 3``."""
    if len(arguments) not in (1, 3) or (len(arguments) == 3 and arguments[1].lower() != "as"):
        raise LocalError("bad-command", _("hoc which card? for instance: {command}").format(command="hoc jd"))
    card = parse_card(arguments[0])
    if not card.is_hoc:
        raise LocalError("not-a-hoc", _("{card} is not a hoc: the hocs are the kings, QS and JD").format(card=card))
    if len(arguments) == 3 and arguments[2].upper().replace("10", "T") != format_rank(_called(view)):
        raise LocalError("not-called", _("the run wants {rank}").format(rank=format_rank(_called(view))))
    return _play(view, card)


def _called(view: SeatView) -> int:
    play = view.state.play
    if play is None or play.called is None:
        raise LocalError("not-called", _("no rank is called now"))
    return play.called


def _best_announcement(snapshot: TableSnapshot) -> Announce:
    """The rules offer the best first."""
    for action in snapshot.legal:
        if isinstance(action, Announce):
            return action
    raise LocalError("not-legal", _("you have nothing to announce now"))


def _show(view: SeatView, snapshot: TableSnapshot, *, best: bool) -> Show:
    """The fullest show, which the rules offer first; or the best single run, tricon or suit that may be shown."""
    choices = [action for action in snapshot.legal if isinstance(action, Show)]
    if not choices or view.state.stake is None:
        raise LocalError("not-legal", _("you have nothing to show now"))
    alone = [frozenset(holding.cards) for holding in holdings(view.state.stake, view.hand)] if best else []
    return next((show for cards in alone for show in choices if _faces(show) == cards), choices[-1 if best else 0])


def _faces(show: Show) -> frozenset[Card]:
    return frozenset(held.card for held in show.cards)


def _show_of(view: SeatView, snapshot: TableSnapshot, cards: frozenset[Card]) -> Show:
    for action in snapshot.legal:
        if isinstance(action, Show) and _faces(action) == cards:
            return action
    return Show(tuple(Held(_position(view, card), card) for card in sorted(cards)))
