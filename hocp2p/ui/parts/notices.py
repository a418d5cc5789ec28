"""Rows between the title and the table that must not be missed: who knocks, who is away, and what may be done."""

from __future__ import annotations

from typing import Final

from hocp2p.table.snapshot import SeatInfo
from hocp2p.ui.cells import Fragment, Line, clean, clip, fitting, line_width, text_width
from hocp2p.ui.intents import available
from hocp2p.ui.lang import _, n_
from hocp2p.ui.local import Page
from hocp2p.ui.look import Look
from hocp2p.ui.meeting import first_knock, seat_to_give_up, seat_to_wait_for
from hocp2p.ui.names import joined

LEAST_NAME_CELLS: Final = 6
MORE_CELLS: Final = 7  # gaps, and how many others knock


def notice_lines(look: Look) -> list[Line]:
    """None where there is nothing of the kind, or a page is open."""
    if look.local.page is not Page.TABLE or look.snapshot.net is not None or look.snapshot.stopped is not None:
        return []
    usable = {key for intent in available(look.snapshot, look.local) for key in intent.keys}
    lines = [_away(look, info, usable) for info in look.snapshot.seats if _is_missed(look, info)]
    return [*_knocking(look, usable), *lines]


def _is_missed(look: Look, info: SeatInfo) -> bool:
    unheard = bool(info.key) and info.present and not info.linked
    return unheard or info.seat in look.snapshot.may_give_up or (info.present and bool(info.votes))


def _knocking(look: Look, usable: set[str]) -> list[Line]:
    knock = first_knock(look.snapshot)
    if knock is None:
        return []
    name, key = clean(knock.name, ascii=look.ascii), clean(knock.key, ascii=look.ascii)
    told = _("{name} knocks, key {key}:")
    keys = *_key("a", _("let in"), usable), *_key("d", _("decline"), usable)
    others = len(look.snapshot.knocks) - 1
    room = look.cols - text_width(told.format(name="", key=key)) - line_width(keys) - MORE_CELLS
    told = told.format(name=clip(name, max(room, LEAST_NAME_CELLS), look.glyphs.cut), key=key)
    line = (Fragment("turn", f" {told}  "), *keys)
    more = fitting(look.cols - line_width(line), _("({count} more)"), "+{count}").format(count=others) if others else ""
    return [(*line, Fragment("dim", more))]


def _away(look: Look, info: SeatInfo, usable: set[str]) -> Line:
    """``Bruno is away 1:31:  x go on without  (so would Anna)``"""
    time = look.time_away(info.seat)
    told = (_("{name} is away {time}:") if time else _("{name} is away:")).format(name=look.names[info.seat], time=time)
    line: list[Fragment] = [Fragment("warn", f" {told} ")]
    if info.seat == seat_to_give_up(look.snapshot):
        line += _key("x", _("go on without"), usable)
    elif info.seat == seat_to_wait_for(look.snapshot):
        line += _key("u", _("wait after all"), usable)
    else:
        line.append(Fragment("", _("the place is held") + "  "))
    if info.votes:
        voters = joined([look.name(seat) for seat in sorted(info.votes)])
        named = _("(to go on: {voters})").format(voters=voters)
        counted = n_("({count} to go on)", "({count} to go on)", len(info.votes)).format(count=len(info.votes))
        line.append(Fragment("dim", fitting(look.cols - line_width(line), named, counted, "")))
    return tuple(line)


def _key(key: str, label: str, usable: set[str]) -> Line:
    pressed = key if key in usable else ""
    return Fragment("key", f"{key} ", pressed), Fragment("keys", f"{label}   ", pressed)
