"""The four rows at the bottom that never move: rule, status, prompt, keys."""

from __future__ import annotations

from hocp2p.game.actions import Sans
from hocp2p.game.events import Paid
from hocp2p.game.state import Phase
from hocp2p.session.forced import forced_answer
from hocp2p.table.events import DealSigned, HandDealt, TableStopped, TalkSaid
from hocp2p.table.snapshot import Stage
from hocp2p.ui.cells import Fragment, Line, clean, fitting, line_width, plain, text_width
from hocp2p.ui.choices import selection
from hocp2p.ui.hands import playable
from hocp2p.ui.hosting import chosen_chair
from hocp2p.ui.intent import Intent, key_label
from hocp2p.ui.intents import PINNED, available
from hocp2p.ui.lang import _
from hocp2p.ui.local import Page, Question
from hocp2p.ui.look import Look
from hocp2p.ui.meeting import is_outside, seat_to_give_up
from hocp2p.ui.modes import has_begun
from hocp2p.ui.names import capitalized, enumerated
from hocp2p.ui.story import tell_all

ROWS = 4
TOLD = 3  # sentences at most in the status row
RECENT_EVENTS = 40  # among which they are looked for


def bottom_rows(look: Look) -> list[Line]:
    """Exactly four lines."""
    label, style = _whose_turn(look)
    return [look.section(label, _time(look), style=style), _status(look), _prompt(look), _keys(look)]


def our_turn(look: Look) -> bool:
    """Whether the table waits for us, as far as is shown."""
    return bool(look.snapshot.legal) and look.settled is None


def over(look: Look) -> bool:
    """Whether nothing more will happen here."""
    return look.snapshot.stage in (Stage.ENDED, Stage.STOPPED)


def _whose_turn(look: Look) -> tuple[str, str]:
    if our_turn(look):
        return _("Your turn"), "turn"
    view = look.view
    if look.settled is None and view is not None and look.snapshot.stage is Stage.DEAL and view.state.turn is not None:
        name = look.names[view.state.turn]
        told = _("{name}' turn") if name.endswith("s") else _("{name}'s turn")
        told = told.format(name=name)
        return capitalized(told), "label"
    return "", "label"


def _time(look: Look) -> str:
    """Whose time runs, and how much is left."""
    left = {seat: look.time_left(seat) for seat in range(len(look.names))}
    return enumerated([f"{look.name(seat)} {time}" for seat, time in left.items() if time])


def _status(look: Look) -> Line:
    since = look.local.message_since
    if look.local.message and (since is None or len(look.snapshot.events) <= since):
        message = look.own(look.local.message)
        return plain(f" {capitalized(message)}.", "warn")
    if look.settled is not None and look.local.waiting:
        if look.local.turn_waits:
            return plain(" " + _("The next deal waits, and it is your turn."), "turn")
        return plain(" " + _("The next deal waits."), "hint")
    return plain(" " + latest(look, look.cols - 2), "status")


def latest(look: Look, cells: int) -> str:
    """The latest sentences that fit, oldest first."""
    recent = tell_all(look, look.snapshot.events[-RECENT_EVENTS:])
    shown: list[str] = []
    for sentence, event in reversed(recent):
        if isinstance(event, Paid | HandDealt | DealSigned):
            continue
        if isinstance(event, TableStopped) and text_width(sentence) > cells:
            sentence = _("The table stopped")  # why is told above
        if (shown and text_width(_one_after_another([sentence, *shown])) > cells) or len(shown) == TOLD:
            break
        shown.insert(0, sentence)
    return _one_after_another(shown)


def _one_after_another(sentences: list[str]) -> str:
    """With a full stop between, except after what ends with a mark of its own, as ``Hoc!`` and talk do."""
    *before, last = sentences or [""]
    return "".join(f"{told} " if told.endswith((".", "!", "?", "…")) else f"{told}. " for told in before) + last


def _prompt(look: Look) -> Line:
    local = look.local
    if local.asking is not None:
        return plain(" " + fitting(look.cols - 1, *_question(look, local.asking)), "warn")
    if local.typing is not None:
        return _typing(look, local.typing)
    if local.page is Page.RULES:
        return plain(" " + _("Enter: play by these rules   r: leave them as they were"), "hint")
    if local.page is not Page.TABLE:
        return plain(" " + _("Enter: back to the table"), "hint")
    return plain(" " + _what_to_do(look), "hint")


def _question(look: Look, asking: Question) -> tuple[str, ...]:
    """What is asked, and the same in fewer words: the keys stand below it, too."""
    match asking:
        case Question.LEAVE if look.local.keeps and has_begun(look.snapshot):
            return (
                _("Leave?  k: keep my seat, to come back   y: leave for good   any other key: stay"),
                _("Leave?  k: keep my seat   y: leave for good   else: stay"),
            )
        case Question.LEAVE:
            return (_("Leave the table for good?  y: leave   any other key: stay"),)
        case Question.SHOW:
            return (
                _("Show the rest of your hand to the table?  y: show it   any other key: do not"),
                _("Show the rest of your hand to all?  y: yes   else: no"),
            )
        case Question.GIVE_UP:
            return _about_seat(
                look,
                seat_to_give_up(look.snapshot),
                _("Go on without {name} for good?  y: go on   any other key: wait"),
                _("Go on without {name} for good?  y: yes   else: no"),
                _("Go on without {name}?  y: yes   else: no"),
            )
        case Question.CHAIR:
            return _about_seat(
                look,
                chosen_chair(look.snapshot, look.local),
                _("Take the chair of {name} away?  y: take it away   any other key: do not"),
                _("Take the chair of {name} away?  y: yes   else: no"),
                _("Take away {name}'s chair?  y: yes   else: no"),
            )
        case Question.CALL:
            asked = _confirmation(look)
            forms = (
                _("{question}  Enter: yes   any other key: no"),
                _("{question}  Enter: yes   else: no"),
                "{question}",
            )
            return tuple(form.format(question=asked) for form in forms)


def _about_seat(look: Look, seat: int | None, *forms: str) -> tuple[str, ...]:
    return tuple(form.format(name=look.names[seat] if seat is not None else "") for form in forms)


def _confirmation(look: Look) -> str:
    choice = selection(look.snapshot, look.local).choice
    if choice is None:
        return _("Say it?")
    return _("{call}: {note}?").format(call=choice.label, note=choice.note)


def _typing(look: Look, typed: str) -> Line:
    text = clean(typed, ascii=look.ascii)
    label = " " + _("say:") + " "
    while text and text_width(text) > look.cols - text_width(label) - 4:
        text = text[1:]
    return (Fragment("label", label), Fragment("", text), Fragment("cursor", " "))


def _what_to_do(look: Look) -> str:
    snapshot = look.snapshot
    if look.settled is not None:
        return _("Enter: ready for the next deal") if snapshot.may_ready else _("Enter: go on")
    if snapshot.may_again:
        return _("Enter: play another match")
    if over(look):
        return _("Waiting for the others, or ^Q: leave") if snapshot.again else _("^Q: leave")
    if snapshot.may_ready:
        return (
            _("Enter: ready for the next deal") if snapshot.deal else _("Enter: I have read the rules and I am ready")
        )
    if is_outside(snapshot):
        return _("Waiting for the host")
    if snapshot.stage is Stage.LOBBY:
        return _("Waiting for the other seats")
    if snapshot.stage is Stage.READY:
        return _("Waiting for the others to be ready")
    if look.local.waiting:
        return _("space: skip ahead")
    if snapshot.legal:
        return _our_move(look)
    if snapshot.stage is not Stage.DEAL or (look.view is not None and look.view.state.phase is Phase.OVER):
        return _("Waiting for the others")
    return _("Wait for your turn")


def _our_move(look: Look) -> str:
    if look.us is not None and look.snapshot.seats[look.us].away:
        offer = _offer(look)
        away = _("You are away: any move or word of yours ends that."), _("You are away.")
        return fitting(look.cols - 1, *(f"{told} {offer}" for told in away), offer)
    return _offer(look)


def _offer(look: Look) -> str:
    """What Enter would do."""
    if look.local.forced and forced_answer(look.snapshot) is not None:
        return _("There is no choice: it is said for you in a moment")
    chosen = selection(look.snapshot, look.local)
    if chosen.card is not None and chosen.card not in playable(look.snapshot.legal):
        return _("Pick another card")
    if chosen.card is not None:
        return _("Enter: play {card}").format(card=look.card(chosen.card))
    if chosen.choice is not None:
        call = chosen.choice.label.lower()
        if look.view is not None and look.view.state.phase is not Phase.AUCTION:
            return _("Enter: {call}").format(call=call)
        noted = _("Enter: {call} ({note})").format(call=call, note=chosen.choice.note)
        return fitting(look.cols - 1, noted, _("Enter: {call}").format(call=call))
    if look.view is not None and look.view.state.phase is Phase.PLAY:
        sans = any(isinstance(action, Sans) for action in look.snapshot.legal)
        return _("Pick a hoc, or p for sans, then Enter") if sans else _("Pick a card, then Enter")
    return _("Choose a call, then Enter")


def _keys(look: Look) -> Line:
    """As many keys as fit; help and leaving always."""
    offered = [intent for intent in available(look.snapshot, look.local) if intent.bar]
    pinned = [intent for intent in offered if intent.name in PINNED]
    cells = look.cols - 1 - sum(line_width(_key(look, intent)) for intent in pinned)
    shown: list[Intent] = []
    for intent in offered:
        if intent in pinned:
            continue
        cells -= line_width(_key(look, intent))
        if cells < 0:
            break
        shown.append(intent)
    return (Fragment("", " "), *(part for intent in (*shown, *pinned) for part in _key(look, intent)))


def _key(look: Look, intent: Intent) -> Line:
    """``- + raise``: each key, then what they do."""
    line: list[Fragment] = []
    for key in intent.bar:
        line += [Fragment("key", key_label(key), key), Fragment("keys", " ", key)]
    unread = unread_talk(look) if intent.name == "log" else 0
    label = _("log ({unread} new)").format(unread=unread) if unread else _(intent.label)
    if intent.name == "forced answers" and look.local.forced:
        label = _("forced: on")
    return (*line, Fragment("keys", f"{label}  ", intent.bar[-1]))


def unread_talk(look: Look) -> int:
    """What others said since the talk was last seen."""
    return sum(
        isinstance(event, TalkSaid) and event.seat != look.us for event in look.snapshot.events[look.local.read :]
    )
