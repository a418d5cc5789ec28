"""What is said beside the game: talk, hands shown after the deal, who is away, who is where. No part of the history.

Every seat numbers what it says; a number that was heard is not heard again. The last of it is kept for those who come
back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from hocp2p.errors import RuleError
from hocp2p.table.course import Course
from hocp2p.table.events import AwayChanged, TableEvent, TalkSaid
from hocp2p.wire.envelope import Envelope
from hocp2p.wire.messages import Leaving, Message, Presence, Reachable, ShownHand, Talk, Vote

TALK_TRACK: Final = 5000
MAX_KEPT: Final = 64  # of one seat
MAX_RECORDED: Final = 2000  # of one seat: talk fills nobody's disk


def verify_aside(seat: int, message: Message, seats: int) -> None:
    """Raises RuleError ``unexpected-message``, ``bad-seat`` for what ``seat`` of ``seats`` can never say as talk."""
    if not isinstance(message, Talk | ShownHand | Presence | Reachable | Vote | Leaving):
        raise RuleError("unexpected-message", "sent a move as talk")
    if isinstance(message, Vote) and (message.seat >= seats or message.seat == seat):
        raise RuleError("bad-seat", "votes about a seat that is none, or about itself")


class Asides:
    """The talk track of one table.

    Args:
        seats: 2 or 3.
        course: where shown hands belong.
    """

    def __init__(self, seats: int, course: Course) -> None:
        self.away: set[int] = set()
        self.addresses: list[tuple[str, ...]] = [()] * seats  # by seat, where it can be dialled
        self._next = [0] * seats
        self._kept: list[deque[Envelope]] = [deque(maxlen=MAX_KEPT) for _ in range(seats)]
        self._course = course

    @property
    def numbers(self) -> tuple[int, ...]:
        """By seat, the number of the next thing that it says."""
        return tuple(self._next)

    def heard(self, envelope: Envelope) -> None:
        """A seat has said something; a goodbye may come late."""
        self._next[envelope.seat] = max(self._next[envelope.seat], envelope.step + 1)
        self._kept[envelope.seat].append(envelope)

    def since(self, numbers: Sequence[int]) -> list[bytes]:
        """What was said lately and is missing where the next numbers by seat are these."""
        return [
            each.raw for kept, number in zip(self._kept, numbers, strict=False) for each in kept if each.step >= number
        ]

    def take(self, seat: int, message: Message) -> Sequence[TableEvent]:
        """What follows from it, ours or another's; see :func:`verify_aside`."""
        match message:
            case Talk(text):
                return [TalkSaid(seat, text)]
            case Presence(away):
                (self.away.add if away else self.away.discard)(seat)
                return [AwayChanged(seat, bool(away))]
            case Reachable(addresses):
                self.addresses[seat] = addresses
                return []
            case ShownHand():
                return self._course.show(seat, message)
        return []
