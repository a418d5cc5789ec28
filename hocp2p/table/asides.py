"""What is said beside the game: talk, a hand shown after the deal, whether a player is away. No part of the history.

Every seat numbers what it says; a number that was heard is not heard again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hocp2p.errors import RuleError
from hocp2p.table.course import Course
from hocp2p.table.snapshot import AwayChanged, TableEvent, TalkSaid
from hocp2p.wire.messages import Message, Presence, ShownHand, Talk

TALK_TRACK: Final = 5000


class Asides:
    """The talk track of one table.

    Args:
        seats: 2 or 3.
        course: where shown hands belong.
    """

    def __init__(self, seats: int, course: Course) -> None:
        self.away: set[int] = set()
        self._next = [0] * seats
        self._course = course

    def next_step(self, seat: int) -> int:
        """The number of the next thing that a seat says."""
        return self._next[seat]

    def heard(self, seat: int, step: int) -> None:
        """``seat`` has said its thing number ``step``."""
        self._next[seat] = step + 1

    def take(self, seat: int, message: Message) -> Sequence[TableEvent]:
        """What follows from it, ours or another's.

        Raises RuleError ``unexpected-message``, and for a hand what ``DealSteps.accept_hand`` raises.
        """
        match message:
            case Talk(text):
                return [TalkSaid(seat, text)]
            case Presence(away):
                (self.away.add if away else self.away.discard)(seat)
                return [AwayChanged(seat, bool(away))]
            case ShownHand():
                return self._course.show(seat, message)
        raise RuleError("unexpected-message", "sent a move as talk")
