"""The page on which the host changes the house rules before the game."""

from __future__ import annotations

from hocp2p.ui.cells import Fragment, Line
from hocp2p.ui.hosting import RULE_NAMES
from hocp2p.ui.lang import _
from hocp2p.ui.look import Look
from hocp2p.ui.parts.lobby import describe_rule


def rules_body(look: Look) -> list[Line]:
    """A row for each house rule as it would be; the chosen one between arrows that change it."""
    room = max(look.rows - 1, 1)
    first = max(look.local.rule + 1 - room, 0)
    rows = [_rule_line(look, name, name == RULE_NAMES[look.local.rule]) for name in RULE_NAMES]
    return [look.section(_("Rules of this table"), _("left and right change them")), *rows[first : first + room]]


def _rule_line(look: Look, name: str, chosen: bool) -> Line:
    now = look.snapshot.rules
    draft = look.local.draft or now
    told = Fragment("button" if chosen else "", describe_rule(draft, name))
    note = Fragment("note", "   " + _("changed")) if getattr(draft, name) != getattr(now, name) else Fragment("", "")
    if not chosen:
        return (Fragment("", " " * 5), told, note)
    pointer = Fragment("turn", f" {look.glyphs.pointer} ")
    return (pointer, Fragment("key", "< ", "left"), told, Fragment("key", " >", "right"), note)
