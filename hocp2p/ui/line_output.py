"""What the line mode writes: text for people, or one JSON object a line for programs."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from hocp2p.game.actions import Action
from hocp2p.game.state import SeatView
from hocp2p.session.managing import levels_by_thumb
from hocp2p.table.events import TableEvent, TableProposed
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui import reports
from hocp2p.ui.greetings import lobby_line
from hocp2p.ui.json_events import Json, event_to_json, table_to_json, turn_to_json
from hocp2p.ui.lang import _
from hocp2p.ui.narration import Narrator

LOG_LINES: Final = 1000


class LineOutput:
    """Writes line by line, in order.

    Args:
        out: takes one line without its end.
        as_json: objects instead of text.
        ascii: letters for suits.
        pilot: level of the bot that plays our seat; None where none does.
    """

    def __init__(
        self,
        out: Callable[[str], None],
        *,
        as_json: bool,
        ascii: bool,  # noqa: A002 - as for people
        pilot: str | None = None,
    ) -> None:
        self._out = out
        self._as_json = as_json
        self._pilot = pilot
        self._narrator = Narrator(ascii=ascii)
        self._log: deque[str] = deque(maxlen=LOG_LINES)

    def tell_table(self, snapshot: TableSnapshot) -> None:
        """The table as we come to it."""
        self._write([lobby_line(snapshot)], table_to_json(snapshot))

    def tell_event(self, event: TableEvent, snapshot: TableSnapshot) -> None:
        """Something happened. A proposal says of which bots it takes their way to bid."""
        lines, as_json = self._narrator.tell(event, snapshot), event_to_json(event)
        if isinstance(event, TableProposed):
            lines += reports.rules_lines(snapshot, self._pilot)
            as_json["bid_like_novice"] = [*levels_by_thumb(snapshot, self._pilot)]
        self._write(lines, as_json)

    def tell_turn(self, snapshot: TableSnapshot) -> None:
        """It is our turn."""
        self._write([*self._narrator.flush(snapshot), reports.turn_line(snapshot)], turn_to_json(snapshot))

    def tell_offers(self, lines: list[str]) -> None:
        """What has become possible that no turn is asked for: to let somebody in, to go on without a seat."""
        self._write(lines, {"event": "offer", "lines": [*lines]})

    def tell_another(self) -> None:
        """The session is over; there can be another."""
        self._write([_("another match: {again}; leave: {leave}").format(again="again", leave="quit")])

    def tell_no_other(self) -> None:
        """The session is over, and the host has gone."""
        self._write([_("the host has left: there will be no other match here")])

    def tell_done(self, view: SeatView, action: Action) -> None:
        """Our action is on its way; as JSON its event says so."""
        self._write([self._narrator.answer(view, action)])

    def echo(self, command: str, snapshot: TableSnapshot) -> None:
        """A command that was not typed by hand, so that the output can be read by itself."""
        self._write([*self._narrator.flush(snapshot), f"> {command}"])

    def refuse(self, reason: str, snapshot: TableSnapshot) -> None:
        """A command cannot be done: why, and what can."""
        refused: dict[str, Json] = {"event": "refused", "message": reason, "legal": turn_to_json(snapshot)["legal"]}
        legal = reports.legal_line(snapshot)
        self._write([_("no: {reason}. {legal}").format(reason=reason, legal=legal)], refused)

    def reply(self, command: str, lines: list[str]) -> None:
        """The answer to a question. It is not kept in the log, where it was read from perhaps."""
        if self._as_json:
            self._write([], {"event": "reply", "command": command, "lines": [*lines]})
        else:
            for line in lines:
                self._out(_clean(line))

    def tell_lesson(self, lines: list[str], snapshot: TableSnapshot) -> None:
        """What a practice deal explains at this point."""
        self._write(self._narrator.flush(snapshot))
        self.reply("lesson", lines)

    def last(self, count: int) -> list[str]:
        """The last ``count`` lines, oldest first; as text, also where JSON is written."""
        return list(self._log)[-count:] if count else []

    def _write(self, lines: Iterable[str], as_json: dict[str, Json] | None = None) -> None:
        for line in map(_clean, lines):
            self._log.append(line)
            if not self._as_json:
                self._out(line)
        if self._as_json and as_json is not None:
            self._out(json.dumps(as_json))


def _clean(line: str) -> str:
    """Names and talk come from other people: nothing in them may steer a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in line)
