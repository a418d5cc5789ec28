"""Pages beside the table: log and talk, help, and the panel at the right of wide screens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hocp2p.game.events import Paid
from hocp2p.game.state import Phase
from hocp2p.table.events import DealStarted, TableEvent, TalkSaid
from hocp2p.table.snapshot import Stage
from hocp2p.ui.cells import Fragment, Line, pad, plain, text_width, wrap
from hocp2p.ui.intent import Intent, Topic
from hocp2p.ui.intents import INTENTS, available
from hocp2p.ui.lang import N_, _, n_
from hocp2p.ui.local import Page
from hocp2p.ui.look import Look
from hocp2p.ui.proof_words import proof_words
from hocp2p.ui.story import tell_all

LOG_EVENTS: Final = 2000  # a log page holds no more, so that it is drawn quickly

HELP_KEY_CELLS: Final = 17
MOST_KEY_CELLS: Final = 24
PROOF_CELLS: Final = 18
MOST_PROOF_CELLS: Final = 30


def log_rows(look: Look, events: Sequence[TableEvent]) -> list[Line]:
    """What happened, wrapped to the room, oldest first."""
    return [
        plain(row, _log_style(told.event))
        for told in tell_all(look, events)
        for row in wrap(told.sentence, look.cols, indent=2)
    ]


def _log_style(event: TableEvent) -> str:
    if isinstance(event, DealStarted):
        return "label"
    if isinstance(event, TalkSaid):
        return f"seat{event.seat}"
    return "dim" if isinstance(event, Paid) else ""


def log_body(look: Look) -> list[Line]:
    """The log with the talk in it, its end first; ``local.scroll`` rows back."""
    rows = log_rows(look.within(look.cols - 4, look.rows), look.snapshot.events[-LOG_EVENTS:])
    room = look.rows - 1
    scroll = min(look.local.scroll, max(len(rows) - room, 0))
    end = len(rows) - scroll
    note = _("up and down to move")
    if scroll:
        below = n_("up and down to move, {count} row below", "up and down to move, {count} rows below", scroll)
        note = below.format(count=scroll)
    shown = rows[max(end - room, 0) : end]
    return [look.section(_("Log and talk"), note), *((Fragment("", "  "), *row) for row in shown)]


def side_panel(look: Look) -> list[Line]:
    """The log above, the talk below."""
    inner = look.within(look.cols - 1, look.rows)
    recent = look.snapshot.events[-LOG_EVENTS:]
    talk = log_rows(inner, [event for event in recent if isinstance(event, TalkSaid)])
    # No event needs less than a row, save those that are told together, about three at a time.
    log = log_rows(inner, [event for event in recent[-3 * look.rows :] if not isinstance(event, TalkSaid)])
    talk_room = max(look.rows // 3, 3)
    log_room = look.rows - talk_room
    lines = [look.section(_("Log"), "l"), *log[-(log_room - 1) :]]
    lines += [()] * (log_room - len(lines))
    return [*lines, look.section(_("Talk"), "/"), *talk[-(talk_room - 1) :]]


def help_body(look: Look) -> list[Line]:
    """Keys and rules of the present phase, then of all. A click on a key's row presses it, where it means something."""
    rows = _help_rows(look)
    scroll = min(look.local.scroll, max(len(rows) - look.rows + 1, 0))
    more = len(rows) - look.rows + 1 - scroll
    note = _("up and down to move") if more > 0 or scroll else ""
    return [look.section(_("Help"), note), *rows[scroll : scroll + look.rows - 1]]


def _help_rows(look: Look) -> list[Line]:
    clickable = available(look.snapshot, look.local)
    at_table = available(look.snapshot, replace(look.local, page=Page.TABLE))
    rows: list[Line] = []
    for topic in _help_topics(look):
        heading, paragraphs = HELP[topic]
        rows.append(plain("  " + _(heading), "label"))
        for paragraph in paragraphs:
            rows += [plain("    " + row) for row in wrap(_(paragraph), look.cols - 6, indent=2)]
        for intent in INTENTS:
            if intent.topic is topic and _is_told(look, intent) and not _is_displaced(intent, at_table):
                rows += _help_of(look, intent, intent.keys[0] if intent in clickable else "")
        if topic is Topic.ALWAYS:
            rows += [plain("    " + row) for row in wrap(_(MOUSE), look.cols - 6, indent=2)]
    return rows


def _is_told(look: Look, intent: Intent) -> bool:
    """Whether the page has something to say of it."""
    return bool(intent.keys and intent.help) and intent.told(look.snapshot, look.local)


def _is_displaced(intent: Intent, at_table: list[Intent]) -> bool:
    """Whether its keys mean something else at the table now. What belongs to a phase is told of that phase."""
    taken = {key for other in at_table if other is not intent for key in other.keys}
    return intent.topic in (Topic.ALWAYS, Topic.HOST) and taken.issuperset(intent.keys)


def _help_of(look: Look, intent: Intent, key: str) -> list[Line]:
    """Its keys, and beside them what they do."""
    cells = _key_cells()
    first, *others = wrap(_(intent.help), look.cols - 6 - cells)
    line = (
        Fragment("", "    "),
        Fragment("key", pad(intent.keys_text(), cells, look.glyphs.cut), key),
        Fragment("", first, key),
    )
    return [line, *(plain(" " * (4 + cells) + row) for row in others)]


def _key_cells() -> int:
    """Room for the longest keys, where they are not too long."""
    longest = max(text_width(intent.keys_text()) for intent in INTENTS if intent.help)
    return min(max(HELP_KEY_CELLS, longest + 1), MOST_KEY_CELLS)


def _help_topics(look: Look) -> list[Topic]:
    """That of the present phase, then what is true always, then the others; what the host does, where he may."""
    view = look.view
    phase = view.state.phase if view is not None and look.snapshot.stage is Stage.DEAL else None
    now = {Phase.AUCTION: Topic.AUCTION, Phase.PLAY: Topic.PLAY, None: Topic.PLAY, Phase.OVER: Topic.PLAY}
    first = Topic.HOST if look.snapshot.may_manage else now.get(phase, Topic.SHOWDOWN)
    others = [topic for topic in Topic if topic not in (first, Topic.ALWAYS, Topic.HOST)]
    return [first, Topic.ALWAYS, *others]


HELP: Final[dict[Topic, tuple[str, tuple[str, ...]]]] = {
    Topic.HOST: (
        N_("Before the game"),
        (
            N_(
                "Until all are ready you seat bots of yours, take chairs away and change the house rules. Nobody plays "
                "by rules that he has not read: after each change all are asked anew."
            ),
        ),
    ),
    Topic.PLAY: (
        N_("The play"),
        (
            N_(
                "From the led card on, the next higher rank is called; suits do not matter. You go on as long as you "
                "can, then say sans and the next rank: that you hold no ordinary card of it is proved to all."
            ),
            N_(
                "The six hocs (four kings, queen of spades, jack of diamonds) stand for any rank: Hoc! Each opponent "
                "pays you 1 and you lead again. They may always be kept back. If nobody goes on, the last card is a "
                "hoc too."
            ),
            N_("Whoever is out first is paid for the cards the others still hold."),
        ),
    ),
    Topic.AUCTION: (
        N_("The three stakes"),
        (
            N_(
                "Point: most cards of one suit. Sequence: longest run in one suit (tierce, quart, quint). Tricon: "
                "three or four of a rank (brelan, fredon). You may bluff."
            ),
        ),
    ),
    Topic.SHOWDOWN: (
        N_("The showdown"),
        (
            N_(
                "In turn each announces what he has, or says good. The best shows its cards and takes the pool; in "
                "Sequence and Tricon everybody pays the winner for what he shows. A false announcement costs 5."
            ),
            N_("Carte blanche: a hand without any court is worth 10 from each, proved without showing it."),
        ),
    ),
    Topic.ALWAYS: (N_("Always"), ()),
}
MOUSE: Final = N_("Mouse: click cards, calls, the keys at the bottom and those above. Hold Shift to select text.")


def proofs_body(look: Look) -> list[Line]:
    """What was proved in this deal so far, and in the last one."""
    snapshot = look.snapshot
    lines: list[Line] = []
    last = snapshot.finished[-1] if snapshot.finished else None
    if snapshot.proved and (last is None or last.number != snapshot.deal):
        lines += _proofs(look, _("Deal {number}, proved so far").format(number=snapshot.deal), snapshot.proved)
    if last is not None:
        lines += _proofs(look, _("Deal {number} was proved fair").format(number=last.number), last.proved)
    return (lines or [look.section(_("Proofs")), (), plain("  " + _("No cards are dealt yet."), "dim")])[: look.rows]


def _proofs(look: Look, heading: str, proved: Sequence[str]) -> list[Line]:
    """A row for each kind: how many, and what they say."""
    lines: list[Line] = [look.section(heading)]
    words = proof_words(proved)
    cells = min(max(PROOF_CELLS, *(text_width(word) + 1 for word in words)), MOST_PROOF_CELLS)
    for phrase, told in zip(proved, words, strict=True):
        meaning = next((text for word, text in PROOFS.items() if word in phrase), "")
        line = (Fragment("gain", f"  {look.glyphs.done} "), Fragment("", pad(told, cells, look.glyphs.cut)))
        first, *others = wrap(_(meaning), look.cols - cells - 6)
        lines += [(*line, Fragment("dim", first)), *(plain(" " * (cells + 4) + row, "dim") for row in others)]
    return [*lines, ()]


PROOFS: Final = {
    "key": N_("everybody's half of the lock, chosen before the others were seen"),
    "shuffle": N_("the same 52 cards in another order; only all shufflers together could know it"),
    "shares": N_("each hand was opened to its owner alone, by all the others"),
    "card": N_("the very cards that were dealt, and no others, were played and shown"),
    "sans": N_("no ordinary card of the called rank was in the hand, which stays closed"),
    "blanche": N_("no court was in the hand, which stays closed"),
    "receipt": N_("signed the same balances and the same history"),
}
"""By a word of the phrase, what a proof says."""
