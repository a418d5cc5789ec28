"""A step of a track: who must speak, what they may say, what is done with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hocp2p.table.events import TableEvent
from hocp2p.wire.messages import Message


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Args:
        what: a phrase for the status line, for instance ``shuffle``.
        speakers: seats that must speak.
        expects: the messages they may send.
        speak: our message, given the binding of the step; None while the player has not decided.
        accept: applies the messages by seat, given the binding. Raises SeatError, RuleError or PeerError.
        remake: makes our message again, where making it is part of the deal protocol: when we come back, the message
            that we had signed has to be the same.
    """

    what: str
    speakers: tuple[int, ...]
    expects: tuple[type[Message], ...]
    speak: Callable[[bytes], Message | None]
    accept: Callable[[bytes, Mapping[int, Message]], Sequence[TableEvent]]
    remake: Callable[[], Message] | None = None


class Steps(Protocol):
    """What gives a track its steps: the deck, the draw, a deal."""

    @property
    def present(self) -> Step | None:
        """The step that waits for messages; None when the track is finished."""

    def close_step(self) -> None:
        """The present step was accepted."""
