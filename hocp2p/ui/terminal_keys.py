"""Keys as prompt_toolkit has them, and as ``ui.keys`` names them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

KEY_NAMES: Final = {
    "enter": "enter",
    "tab": "tab",
    "s-tab": "s-tab",
    "backspace": "backspace",
    "left": "left",
    "right": "right",
    "up": "up",
    "down": "down",
    "pageup": "pageup",
    "pagedown": "pagedown",
    "escape": "escape",
    "c-c": "c-c",
    "c-q": "c-q",
    "c-l": "c-l",
    "c-u": "c-u",
    "<sigint>": "c-c",
}
"""Keys that prompt_toolkit would keep to itself unless they are bound by name."""


def bind_keys(press: Callable[[str], None]) -> KeyBindings:
    """Every key, and what is pasted, goes to ``press``."""
    bindings = KeyBindings()

    def named(key: str) -> Callable[[KeyPressEvent], None]:
        return lambda _: press(key)

    for name, key in KEY_NAMES.items():
        bindings.add(name, eager=name == "escape")(named(key))

    @bindings.add(Keys.Any)
    def typed(event: KeyPressEvent) -> None:
        press("space" if event.data == " " else event.data)

    @bindings.add(Keys.BracketedPaste)
    def pasted(event: KeyPressEvent) -> None:
        press("paste:" + "".join(" " if char.isspace() else char for char in event.data))

    return bindings
