"""How others come to the table: in the lobby a few rows, on a page of its own all ways and a QR code."""

from __future__ import annotations

from typing import Final

from hocp2p.table.snapshot import Way
from hocp2p.ui.cells import Fragment, Line, clean, fit, line_width, pad, plain, wrap
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import _
from hocp2p.ui.look import Look
from hocp2p.ui.meeting import can_invite, is_outside, join_command, waiting_outside
from hocp2p.ui.qr import draw_qr, fits

KIND_CELLS: Final = 10
LEAST_ROWS: Final = 14
"""In a lower lobby the ways are left to the page."""
LEAST_TEXT_CELLS: Final = 36
"""Room that the text needs beside the QR code."""


def invite_lines(look: Look, *, ways: int) -> list[Line]:
    """The rows of the lobby. ``ways``: how many of them at most; the page has all."""
    snapshot = look.snapshot
    heading = look.section(_("Invite") if snapshot.hosting else _("Table"))
    address = clean(snapshot.address, ascii=look.ascii)
    if can_invite(snapshot, look.local):
        rows = [*_command(look), *_ways(look)[:ways]]
        return [heading, *(rows if look.rows >= LEAST_ROWS else _command(look)), *_keys(look), ()]
    if not address:  # it was opened for our own bots alone
        told = _("nobody can join this table; b seats a bot of yours")
    elif snapshot.hosting:
        told = f"hocp2p join {address}"
    elif is_outside(snapshot):
        told = waiting_outside(address)
    else:
        told = _("joined at {address}").format(address=address)
    return [heading, *(plain("  " + row) for row in wrap(told, look.cols - 4)), ()]


def invite_body(look: Look) -> list[Line]:
    """The page: the QR code where all of it fits, and beside it, or alone, the command and all ways."""
    code = draw_qr(look.snapshot.invite, ascii_only=look.ascii)
    width = len(code[0])
    beside = look.cols - width - 2
    if beside < LEAST_TEXT_CELLS or not fits(code, look.cols, look.rows):
        return [*_text(look), *_told(look, _("The QR code has no room here: make the window larger."))][: look.rows]
    text = [*_text(look.within(beside, look.rows)), *[()] * look.rows]
    return [
        (Fragment("qr", row), Fragment("", "  "), *fit(line, beside, look.glyphs.cut))
        for row, line in zip([*code, *[" " * width] * (look.rows - len(code))], text, strict=False)
    ]


def _text(look: Look) -> list[Line]:
    snapshot = look.snapshot
    told = (
        _("Whoever has this word may take a free chair. Send it to nobody else.")
        if snapshot.hosting
        else _("Whoever was cut off comes back to the seat with this.")
    )
    lines = [look.section(_("Invite")), *_command(look), (), *_told(look, told), ()]
    return [*lines, *_ways(look), (), *_keys(look, renew=snapshot.hosting), ()]


def _command(look: Look) -> list[Line]:
    """To be copied off the screen: no cell more than the room has, and as few rows as can be."""
    return [plain(" " + row, "current") for row in wrap(join_command(look.snapshot), look.cols - 2)]


def _told(look: Look, text: str) -> list[Line]:
    return [plain(" " + row, "dim") for row in wrap(text, look.cols - 2)]


def _ways(look: Look) -> list[Line]:
    """A row for each way, and our key in the first, to be compared where somebody comes without an invite."""
    snapshot = look.snapshot
    rows = [row for way in snapshot.ways for row in _way(look, way)]
    if snapshot.our_seat is not None and snapshot.seats[snapshot.our_seat].key:
        key = _("key {key}").format(key=snapshot.seats[snapshot.our_seat].key)
        rows.insert(
            0, (Fragment("dim", " " + pad(_("host") if snapshot.hosting else "", KIND_CELLS)), Fragment("", key))
        )
    return rows


def _way(look: Look, way: Way) -> list[Line]:
    told = [clean(way.address, ascii=look.ascii), look.own(translate_error(way.note)) if way.note else ""]
    kind = pad(clean(way.kind, ascii=look.ascii), KIND_CELLS, look.glyphs.cut)
    address, *note = [part for part in told if part]
    line = (Fragment("dim", f" {kind}"), Fragment("", "  ".join([address, *note])))
    if line_width(line) <= look.cols or not note:
        return [line]
    below = wrap(note[0], look.cols - KIND_CELLS - 2)
    return [(line[0], Fragment("", address)), *(plain(" " * (KIND_CELLS + 1) + row) for row in below)]


def _keys(look: Look, *, renew: bool = False) -> list[Line]:
    """In one row, or in more where they are too long for it."""
    keys = [("c", _("copy")), ("i", _("back") if renew else _("QR code, all ways, a new invite"))]
    if renew:
        keys.append(("n", _("a new invite: the old one is dead")))
    lines: list[Line] = [()]
    for key, label in keys:
        gap = Fragment("", "   " if lines[-1] else " ")
        offered = Fragment("key", f"{key} ", key), Fragment("keys", label, key)
        if lines[-1] and line_width((*lines[-1], gap, *offered)) > look.cols:
            lines.append((Fragment("", " "), *offered))
        else:
            lines[-1] = (*lines[-1], gap, *offered)
    return lines
