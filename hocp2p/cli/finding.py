"""What ``hocp2p doctor`` finds: one fact, how good it is, and what to do."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from hocp2p.ui.lang import N_


class Level(Enum):
    """How good a fact is."""

    OK = N_("ok")
    NOTE = N_("note")
    """Worth knowing; it can be played so."""
    PROBLEM = N_("problem")
    """Something on this machine has to be set right first."""


class Finding(NamedTuple):
    """A fact in one sentence without its full stop, so that a command at its end can be copied.

    It says what to do where something is to be done, and holds no secret.
    """

    topic: str
    level: Level
    text: str


def ok(topic: str, text: str) -> Finding:
    """All is well."""
    return Finding(topic, Level.OK, text)


def note(topic: str, text: str) -> Finding:
    """Worth knowing."""
    return Finding(topic, Level.NOTE, text)


def problem(topic: str, text: str) -> Finding:
    """To be set right."""
    return Finding(topic, Level.PROBLEM, text)
