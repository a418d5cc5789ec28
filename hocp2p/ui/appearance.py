"""Colours for prompt_toolkit: which there are, and how many the terminal gets."""

from __future__ import annotations

import os
from typing import Literal

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from hocp2p.ui.theme import theme

Colour = Literal["auto", "always", "never"]


def wants_no_colour(colour: Colour) -> bool:
    """``auto`` honours NO_COLOR (no-color.org: set and not empty)."""
    return colour == "never" or (colour == "auto" and bool(os.environ.get("NO_COLOR")))


def style_of(name: str, suit_colours: int) -> Style:
    """A theme of ``ui.theme``. Raises KeyError for others."""
    return Style(list(theme(name, suit_colours=suit_colours).items()))


def colour_depth(colour: Colour) -> ColorDepth | None:
    """None: prompt_toolkit's own choice by TERM and COLORTERM."""
    if wants_no_colour(colour):
        return ColorDepth.DEPTH_1_BIT
    if colour == "auto":
        return None
    true_colour = os.environ.get("COLORTERM") in ("truecolor", "24bit")
    return ColorDepth.DEPTH_24_BIT if true_colour else ColorDepth.DEPTH_8_BIT
