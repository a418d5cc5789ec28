"""Pages beside the table: log and talk, help, and the panel at the right of wide screens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hocp2p.game.events import Paid
from hocp2p.game.state import Phase
from hocp2p.table.snapshot import DealStarted, Stage, TableEvent, TalkSaid
from hocp2p.ui.cells import Fragment, Line, plain, wrap
from hocp2p.ui.look import Look
from hocp2p.ui.story import tell_all

LOG_EVENTS: Final = 2000  # a log page holds no more, so that it is drawn quickly

HelpText = tuple[str, tuple[str, ...]]


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
    note = "up and down to move" + (f", {scroll} rows below" if scroll else "")
    shown = rows[max(end - room, 0) : end]
    return [look.section("Log and talk", note), *((Fragment("", "  "), *row) for row in shown)]


def side_panel(look: Look) -> list[Line]:
    """The log above, the talk below."""
    inner = look.within(look.cols - 1, look.rows)
    recent = look.snapshot.events[-LOG_EVENTS:]
    talk = log_rows(inner, [event for event in recent if isinstance(event, TalkSaid)])
    # No event needs less than a row, save those that are told together, about three at a time.
    log = log_rows(inner, [event for event in recent[-3 * look.rows :] if not isinstance(event, TalkSaid)])
    talk_room = max(look.rows // 3, 3)
    log_room = look.rows - talk_room
    lines = [look.section("Log", "l"), *log[-(log_room - 1) :]]
    lines += [()] * (log_room - len(lines))
    return [*lines, look.section("Talk", "/"), *talk[-(talk_room - 1) :]]


def help_body(look: Look) -> list[Line]:
    """Keys and rules of the present phase, then of all."""
    rows: list[Line] = []
    for heading, text in _help_texts(look):
        rows.append(plain("  " + heading, "label"))
        for paragraph in text:
            rows += [plain("    " + row) for row in wrap(paragraph, look.cols - 6, indent=2)]
    scroll = min(look.local.scroll, max(len(rows) - look.rows + 1, 0))
    more = len(rows) - look.rows + 1 - scroll
    note = "up and down to move" if more > 0 or scroll else ""
    return [look.section("Help", note), *rows[scroll : scroll + look.rows - 1]]


def _help_texts(look: Look) -> list[HelpText]:
    view = look.view
    phase = view.state.phase if view is not None and look.snapshot.stage is Stage.DEAL else None
    texts: list[HelpText] = []
    if phase is Phase.AUCTION:
        texts.append(_HELP_AUCTION)
    elif phase in (Phase.SHOWDOWN, Phase.SHOW, Phase.BLANCHE):
        texts.append(_HELP_SHOWDOWN)
    elif phase is Phase.PLAY:
        texts.append(_HELP_PLAY)
    texts += [text for text in (_HELP_PLAY, _HELP_AUCTION, _HELP_SHOWDOWN) if text not in texts]
    return [*texts[:1], _HELP_ALWAYS, *texts[1:]]


_HELP_PLAY: HelpText = (
    "The play",
    (
        "From the led card on, the next higher rank is called; suits do not matter. You go on as long as you can, then "
        "say sans and the next rank: that you hold no ordinary card of it is proved to all.",
        "The six hocs (four kings, queen of spades, jack of diamonds) stand for any rank: Hoc! Each opponent pays you "
        "1 and you lead again. They may always be kept back. If nobody goes on, the last card is a hoc too.",
        "Whoever is out first is paid for the cards the others still hold.",
        "a 2-9 0 or t, j q k  pick a card of that rank, again: the next one",
        "left right  move along the hand      Enter  play the picked card",
        "A  play it and all that follow       h  pick a hoc       p  sans",
        "s  order of the hand: by suit, by rank, by combination",
    ),
)
_HELP_AUCTION: HelpText = (
    "The three stakes",
    (
        "Point: most cards of one suit. Sequence: longest run in one suit (tierce, quart, quint). Tricon: three or "
        "four of a rank (brelan, fredon). You may bluff.",
        "Pass: you may still come in later. Declare opens. Raise puts more in. Stay matches the level. Good gives up.",
        "p d t g r  choose a call             left right  move between them",
        "+ - or a number  how much to raise   c  the class that you announce",
        "Enter  say it; a raise is asked once more",
    ),
)
_HELP_SHOWDOWN: HelpText = (
    "The showdown",
    (
        "In turn each announces what he has, or says good. The best shows its cards and takes the pool; in Sequence "
        "and Tricon everybody pays the winner for what he shows. A false announcement costs 5.",
        "Carte blanche: a hand without any court is worth 10 from each, proved without showing it.",
        "up down or a number  choose          Enter  say it",
    ),
)
_HELP_ALWAYS: HelpText = (
    "Always",
    (
        "/  talk      l  log and talk      m  the match so far      ?  this help      Tab  next page",
        "space  skip the pace of the others      v  other colours      ^L  draw anew",
        "^Q  leave, asks once (^C twice leaves at once)",
        "Mouse: click cards, calls and the keys at the bottom. Hold Shift to select text.",
    ),
)
