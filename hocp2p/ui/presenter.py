"""The whole screen as styled lines, from the table's snapshot and the screen's own state. Pure: no terminal."""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hocp2p.game.state import Phase
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.cells import ASCII, UNICODE, Fragment, Line, clean, fit, line_width, plain, text_width, wrap
from hocp2p.ui.choices import choices
from hocp2p.ui.hands import in_order
from hocp2p.ui.lang import N_, _
from hocp2p.ui.local import Local, Page
from hocp2p.ui.look import Look
from hocp2p.ui.modes import OPEN, OURS, mode
from hocp2p.ui.names import PHASE_NAMES, STAKE_NAMES, Words, table_title
from hocp2p.ui.parts import auction, bottom, house, invite, lobby, notices, pages, play, score

LEAST_COLS: Final = 60
LEAST_ROWS: Final = 16
PANEL_FROM_COLS: Final = 110
PANEL_COLS: Final = 34

STAGE_NAMES: Final = Words(
    {
        Stage.LOBBY: N_("LOBBY"),
        Stage.READY: N_("READY"),
        Stage.DRAW: N_("DRAW"),
        Stage.DEALING: N_("DEALING"),
        Stage.DEAL: N_("DEAL"),
        Stage.ENDED: N_("END OF THE MATCH"),
        Stage.STOPPED: N_("THE TABLE STOPPED"),
    }
)


def view(
    snapshot: TableSnapshot,
    local: Local,
    cols: int,
    rows: int,
    *,
    ascii: bool = False,
    above: Sequence[Line] = (),
) -> list[Line]:
    """Exactly ``rows`` lines of exactly ``cols`` cells.

    Args:
        snapshot: the picture that is shown.
        local: selection, page, what is being typed.
        cols, rows: of the terminal; below 60x16 the plainest picture is drawn that can still be played from.
        ascii: letters for suits and ASCII for lines.
        above: lines between the title and the body, which takes the room that they leave.
    """
    look = Look(snapshot, local, cols, rows, ASCII if ascii else UNICODE)
    above = [*above, *notices.notice_lines(look)]
    if cols < LEAST_COLS or rows < LEAST_ROWS:
        lines = [*above, *_tiny(look.within(cols, max(rows - len(above), 0)))]
    else:
        room = max(rows - 1 - bottom.ROWS - len(above), 0)
        lines = [_title(look), *above, *_middle(look.within(cols, room)), *bottom.bottom_rows(look)]
    if mode(snapshot, local) not in OPEN:
        lines[: -bottom.ROWS] = [_without_keys(line) for line in lines[: -bottom.ROWS]]
    hint = _hint_rows(look)
    if hint:
        end = len(lines) - 2  # prompt and keys stay where they are
        lines[max(end - len(hint), 0) : end] = hint
    cut = look.glyphs.cut
    title, rest = lines[:1], lines[1:]
    fitted = [fit(line, cols, cut, "title") for line in title] + [fit(line, cols, cut) for line in rest]
    return [*fitted, *[fit((), cols)] * rows][:rows]


def _middle(look: Look) -> list[Line]:
    """The body, and beside it the panel where there is room."""
    if look.cols < PANEL_FROM_COLS or look.local.page is not Page.TABLE:
        return _filled(_body(look), look.rows)
    body_cols = look.cols - PANEL_COLS - 2
    left = _filled(_body(look.within(body_cols, look.rows), talk=False), look.rows)
    right = _filled(pages.side_panel(look.within(PANEL_COLS, look.rows)), look.rows)
    wall = Fragment("rule", f" {look.glyphs.wall}")
    cut = look.glyphs.cut
    return [
        (*fit(line, body_cols, cut), wall, *fit(beside, PANEL_COLS, cut))
        for line, beside in zip(left, right, strict=True)
    ]


def _filled(lines: list[Line], rows: int) -> list[Line]:
    return [*lines, *[()] * rows][:rows]


def _body(look: Look, *, talk: bool = True) -> list[Line]:
    """The page in view; ``talk`` as in ``lobby_body``."""
    snapshot = look.snapshot
    match look.local.page:
        case Page.HELP:
            return pages.help_body(look)
        case Page.LOG:
            return pages.log_body(look)
        case Page.SCORE:
            return score.match_body(look)
        case Page.PROOFS:
            return pages.proofs_body(look)
        case Page.RULES:
            return house.rules_body(look)
        case Page.INVITE:
            return invite.invite_body(look)
        case Page.TABLE:
            pass
    deal = look.settled or look.signed
    if deal is not None:
        return score.score_body(look, deal)
    if bottom.over(look):
        return score.end_body(look)
    if snapshot.stage in (Stage.LOBBY, Stage.READY, Stage.DRAW):
        return lobby.lobby_body(look, talk=talk)
    if look.view is None or snapshot.stage is Stage.DEALING:
        return lobby.dealing_body(look)
    if look.view.state.phase in (Phase.PLAY, Phase.OVER):
        return play.play_body(look)
    return auction.auction_body(look)


def _title(look: Look) -> Line:
    """Where we are at the left, whose turn it is at the right."""
    left = _where(look)
    ours = bottom.our_turn(look) and not look.local.waiting
    if ours and look.us is not None:
        right = _("YOUR TURN {time}").format(time=look.time_left(look.us)).rstrip()
    else:
        right = table_title(clean(look.snapshot.title, ascii=look.ascii))
    space = look.cols - text_width(left) - text_width(right) - 2
    if space < 1:
        return (Fragment("title", " " + left),)
    style = "title turn" if ours else "title"
    return (Fragment("title", " " + left + " " * space), Fragment(style, right), Fragment("title", " "))


def _where(look: Look) -> str:
    snapshot = look.snapshot
    dot = look.glyphs.dot
    if look.settled is not None:
        return f"{_deal(look, look.settled.number)}  {dot}  {PHASE_NAMES[Phase.OVER]}"
    if snapshot.stage is Stage.DEALING:
        return f"{_deal(look, snapshot.deal)}  {dot}  {STAGE_NAMES[snapshot.stage]}"
    if snapshot.stage is not Stage.DEAL or look.view is None:
        return f"hocp2p  {STAGE_NAMES[snapshot.stage]}"
    state = look.view.state
    parts = [_deal(look, snapshot.deal), PHASE_NAMES[state.phase]]
    if state.stake is not None:
        place = _("{phase} {number} of 3: {stake}")
        stake = STAKE_NAMES[state.stake].upper()
        parts[1] = place.format(phase=parts[1], number=state.stake + 1, stake=stake)
    elif state.phase is Phase.PLAY:
        parts.append(play.run_title(look, look.view))
    return f"  {dot}  ".join(parts)


def _deal(look: Look, number: int) -> str:
    return _("Deal {number} of {deals}").format(number=number, deals=look.snapshot.rules.deals)


def _without_keys(line: Line) -> Line:
    """The line where clicks press nothing: letters would be typed, or be taken for an answer."""
    return tuple(fragment._replace(key="") for fragment in line)


def _hint_rows(look: Look) -> list[Line]:
    """The hint that was asked for, in the rows above the prompt."""
    advice = look.local.advice
    if advice is None or mode(look.snapshot, look.local) not in OURS:
        return []
    from hocp2p.ui.advice_words import describe_advice  # not before the first hint

    text = _("Hint: {advice}").format(advice=describe_advice(advice, look.names, ascii=look.ascii))
    return [plain(" " + row, "turn") for row in wrap(text, look.cols - 2, indent=2)]


def _tiny(look: Look) -> list[Line]:
    """The least that can be played from: the table in words, the hand, the four rows."""
    lines: list[Line] = [plain(f" {_too_small(look)}", "warn")]
    lines += [plain(" " + row, "label") for row in wrap(_where(look), max(look.cols - 2, 8), indent=1)]
    view_ = look.view
    if look.local.page is not Page.TABLE or view_ is None or look.settled is not None or bottom.over(look):
        lines += _body(look.within(look.cols, max(look.rows - 2 - bottom.ROWS, 1)))
    else:
        cells = max(look.cols - 2, 8)
        hand = " ".join(look.card(card) for card in in_order(view_.hand, look.local.sort))
        lines += [plain(" " + row) for row in wrap(hand, cells)]
        offered = ", ".join(f"{choice.key} {choice.label}" for choice in choices(look.snapshot, look.local))
        lines += [plain(" " + row, "button") for row in wrap(offered, cells)] if offered else []
    room = max(look.rows - bottom.ROWS, 0)
    return [*_filled(lines, room), *bottom.bottom_rows(look)[-look.rows :]]


def _too_small(look: Look) -> str:
    there, needed = f"{look.cols}x{look.rows}", f"{LEAST_COLS}x{LEAST_ROWS}"
    return _("{size}: too small, {least} is needed").format(size=there, least=needed)


def widest(lines: list[Line]) -> int:
    """Cells of the widest line."""
    return max(map(line_width, lines), default=0)
