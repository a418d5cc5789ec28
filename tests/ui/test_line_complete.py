"""The line mode can do what the screen can: each intent has a command, or says here why it needs none."""

from __future__ import annotations

from hocp2p.ui.intents import INTENTS

SCREEN_ONLY = {
    "answers to what the prompt asks": {
        "leave now", "go at once", "show it", "yes", "no", "take it away", "give the seat up",
    },
    "typing in the prompt": {"say it", "say nothing", "erase"},
    "pages": {"back", "move the page", "next page"},
    "the pace, and a settlement that is put away": {"skip", "go on"},
    "choosing what a command names": {
        "say the call", "how much", "class", "calls", "say the choice", "choose", "pick", "all that follow",
        "say no card", "chair", "house rule", "other value", "apply the rules", "keep the rules",
    },
    "how it is drawn": {"colours", "redraw"},
    "answered by the command of its page": {"copy the invite", "new invite"},
}  # fmt: skip


def test_every_intent_has_a_command_or_is_of_the_screen_alone() -> None:
    without = {intent.name for intent in INTENTS if not intent.command}
    assert without == set().union(*SCREEN_ONLY.values())
