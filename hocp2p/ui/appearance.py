"""Colours for prompt_toolkit: which there are, and how many the terminal gets."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Literal

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.mouse_events import MouseEvent
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from hocp2p.ui.cells import Line
from hocp2p.ui.theme import theme

Handler = Callable[[MouseEvent], None]
Colour = Literal["auto", "always", "never"]


def wants_no_colour(colour: Colour) -> bool:
    """``auto`` honours NO_COLOR (no-color.org: set and not empty)."""
    return colour == "never" or (colour == "auto" and bool(os.environ.get("NO_COLOR")))


def style_of(name: str, suit_colours: int) -> Style:
    """A theme of ``ui.theme``. Raises KeyError for others."""
    return Style(list(theme(name, suit_colours=suit_colours).items()))


def styled(lines: Sequence[Line], handler: Callable[[str], Handler] | None = None) -> StyleAndTextTuples:
    """Lines as prompt_toolkit draws them.

    Args:
        lines: of ``ui.presenter``.
        handler: by the key of a fragment, what takes the mouse over it; None: nothing does.
    """
    fragments: StyleAndTextTuples = []
    for number, line in enumerate(lines):
        if number:
            fragments.append(("", "\n"))
        for style, text, key in line:
            classes = " ".join(f"class:{name}" for name in style.split())
            fragments.append((classes, text) if handler is None else (classes, text, handler(key)))
    return fragments


def colour_depth(colour: Colour) -> ColorDepth | None:
    """None: prompt_toolkit's own choice by TERM and COLORTERM."""
    if wants_no_colour(colour):
        return ColorDepth.DEPTH_1_BIT
    if colour == "auto":
        return None
    true_colour = os.environ.get("COLORTERM") in ("truecolor", "24bit")
    return ColorDepth.DEPTH_24_BIT if true_colour else ColorDepth.DEPTH_8_BIT
