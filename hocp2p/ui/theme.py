"""Colours by name. Every name also differs by shape, place or words on the screen: nothing is told by colour alone."""

from __future__ import annotations

from typing import Final

THEMES: Final = ("dark", "light", "contrast", "mono")

_DARK: Final = {
    "title": "bg:#1d3b2a #e8e4d0",
    "rule": "#4d6b58",
    "label": "#d9b64e bold",
    "note": "#8a9a8f",
    "dim": "#7f8c84",
    "status": "#d8dcd2",
    "hint": "#9fb8a5",
    "warn": "#ff9d5c bold",
    "turn": "#ffd75f bold",
    "current": "#e8e4d0 bold",
    "key": "#d9b64e bold",
    "keys": "#8a9a8f",
    "edge": "#a8b5ac",
    "hoc": "#ffd75f",
    "legal": "#8fd694 bold",
    "called": "#ffd75f",
    "picked": "#ffd75f bold",
    "button": "#e8e4d0",
    "back": "#5f8fbf",
    "gain": "#8fd694",
    "loss": "#f08a7c",
    "total": "bold",
    "you": "#ffffff bold",
    "seat0": "#8fc7e8",
    "seat1": "#c9a5e8",
    "seat2": "#8fd6b4",
    "cursor": "reverse",
    "qr": "bg:#000000 #ffffff",
}
_LIGHT: Final = {
    **_DARK,
    "title": "bg:#cfe3d4 #12301f",
    "rule": "#8aa593",
    "label": "#7a5a00 bold",
    "note": "#5d6b62",
    "dim": "#6f7a73",
    "status": "#20281f",
    "hint": "#3d5c46",
    "warn": "#b34700 bold",
    "turn": "#8a5a00 bold",
    "current": "#000000 bold",
    "key": "#7a5a00 bold",
    "keys": "#5d6b62",
    "edge": "#55635a",
    "hoc": "#946200 bold",
    "legal": "#1c7a2c bold",
    "called": "#946200",
    "picked": "#946200 bold",
    "button": "#20281f",
    "back": "#2f6296",
    "gain": "#1c7a2c",
    "loss": "#b02a1a",
    "you": "#000000 bold",
    "seat0": "#1f5f8a",
    "seat1": "#6b3fa0",
    "seat2": "#1a6b4a",
}
_CONTRAST: Final = {
    **dict.fromkeys(_DARK, ""),
    "title": "reverse bold",
    "label": "bold",
    "warn": "ansibrightyellow bold",
    "turn": "ansibrightyellow bold",
    "current": "bold",
    "key": "bold",
    "hoc": "ansibrightyellow bold",
    "legal": "ansibrightgreen bold",
    "called": "ansibrightyellow bold",
    "picked": "reverse bold",
    "gain": "ansibrightgreen",
    "loss": "ansibrightred",
    "total": "bold",
    "you": "bold",
    "cursor": "reverse",
    "qr": "bg:ansiblack ansiwhite",
}
_MONO: Final = {
    **dict.fromkeys(_DARK, ""),
    "title": "reverse",
    "label": "bold",
    "turn": "bold",
    "warn": "bold",
    "current": "bold",
    "key": "bold",
    "legal": "bold",
    "picked": "bold",
    "total": "bold",
    "you": "bold",
    "cursor": "reverse",
}
_SUITS: Final = {
    "dark": {2: ("#f2f2f2", "#ff6b6b", "#ff6b6b", "#f2f2f2"), 4: ("#f2f2f2", "#ff6b6b", "#6fb7ff", "#7ddc8a")},
    "light": {2: ("#101010", "#c01818", "#c01818", "#101010"), 4: ("#101010", "#c01818", "#1458b8", "#14702a")},
    "contrast": {
        2: ("", "ansibrightred", "ansibrightred", ""),
        4: ("", "ansibrightred", "ansibrightcyan", "ansibrightgreen"),
    },
    "mono": {2: ("", "", "", ""), 4: ("", "", "", "")},
}
_BASE: Final = {"dark": _DARK, "light": _LIGHT, "contrast": _CONTRAST, "mono": _MONO}


def theme(name: str, *, suit_colours: int = 4) -> dict[str, str]:
    """Style by name, in prompt_toolkit's notation.

    Args:
        name: one of ``THEMES``.
        suit_colours: 2 or 4.

    Raises KeyError for others.
    """
    suits = _SUITS[name][suit_colours]
    return {**{f"suit{suit}": style for suit, style in enumerate(suits)}, **_BASE[name]}
