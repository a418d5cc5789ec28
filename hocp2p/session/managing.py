"""What a host asks for before the game, one thing after the other: a bot can take a chair only when it is free."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hocp2p.errors import HocError
from hocp2p.game.house import Rules
from hocp2p.players.levels import LEVELS, bids_by_thumb
from hocp2p.session.client import HostClient
from hocp2p.table.events import TableEvent
from hocp2p.table.snapshot import TableSnapshot

BOT_LEVELS: Final = LEVELS
"""Weakest first."""
DEFAULT_LEVEL: Final = "novice"


def usual_level(snapshot: TableSnapshot, first: str = DEFAULT_LEVEL) -> str:
    """Of a bot that is asked for without a level: that of our last bot at the table; ``first`` where there is none."""
    ours = snapshot.seats[snapshot.our_seat].name if snapshot.our_seat is not None else None
    levels = [info.bot_level for info in snapshot.seats if info.owner == ours and info.bot_level in BOT_LEVELS]
    return levels[-1] or first if levels else first


def levels_by_thumb(snapshot: TableSnapshot, pilot: str | None = None) -> list[str]:
    """Levels of the bots at the table that have to bid by rules of thumb under its house rules, weakest first.

    ``pilot`` is that of the bot that plays our own seat, which the table knows nothing of.
    """
    seated = {pilot, *(info.bot_level for info in snapshot.seats)}
    return [level for level in BOT_LEVELS if level in seated and bids_by_thumb(level, snapshot.rules)]


@dataclass(frozen=True, slots=True)
class AddBot:
    """Seat a bot of ours in the first free chair."""

    level: str


@dataclass(frozen=True, slots=True)
class TakeChair:
    """Take a guest's chair away."""

    seat: int


@dataclass(frozen=True, slots=True)
class SetRules:
    """Play by these house rules."""

    rules: Rules


Wish = AddBot | TakeChair | SetRules


class Managing:
    """Carries wishes out in their order, each when the one before has been seen at the table.

    Args:
        client: the host's seat. For a guest's every wish is refused.
    """

    def __init__(self, client: HostClient) -> None:
        self._client = client
        self._wishes: deque[Wish] = deque()
        self._is_seen: Callable[[TableSnapshot], bool] | None = None  # whether what was asked for last is so
        client.listen(self._look)  # at every picture: a chair may be free for a moment only

    @property
    def busy(self) -> bool:
        """Whether something that was asked for is still to come."""
        return bool(self._wishes) or not self._seen

    def ask(self, *wishes: Wish) -> None:
        """Carries them out as soon as that is possible.

        Raises:
            LocalError, RuleError: as ``HostClient``, for what can be asked for at once.
        """
        self._wishes.extend(wishes)
        self.go_on()

    def go_on(self) -> None:
        """To be called after every change at the table.

        Raises:
            LocalError, RuleError: the next wish cannot be carried out; those after it are forgotten.
        """
        try:
            while self._wishes and self._seen:
                self._carry_out(self._wishes.popleft())
        except HocError:
            self._wishes.clear()
            self._is_seen = None
            raise

    @property
    def _seen(self) -> bool:
        self._look(self._client.snapshot)
        return self._is_seen is None

    def _look(self, snapshot: TableSnapshot, _events: tuple[TableEvent, ...] = ()) -> None:
        if self._is_seen is not None and (self._is_seen(snapshot) or not snapshot.may_manage):
            self._is_seen = None

    def _carry_out(self, wish: Wish) -> None:
        before = self._client.snapshot
        match wish:
            case AddBot(level):
                self._client.add_bot(level)
                self._is_seen = lambda now: _free(now) != _free(before)
            case TakeChair(seat):
                self._client.kick(seat)
                self._is_seen = lambda now: now.seats[seat].key != before.seats[seat].key
            case SetRules(rules):
                self._client.set_rules(rules)
                self._is_seen = lambda now: now.rules == rules


def _free(snapshot: TableSnapshot) -> int:
    """How many chairs are free."""
    return sum(not info.key for info in snapshot.seats)
