"""The line mode: the game told and played one fact a line, without cursor movement, for screen readers and scripts."""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

import asyncio
import json as json_text
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final

from hocp2p.errors import HocError, LocalError
from hocp2p.game.actions import Action
from hocp2p.game.state import DealState
from hocp2p.session.client import Client
from hocp2p.table.snapshot import SessionEnded, Stage, TableEvent, TableProposed, TableSnapshot, TableStopped
from hocp2p.ui import reports
from hocp2p.ui.commands import (
    ACTION_HELP,
    Act,
    Command,
    Quit,
    Ready,
    Report,
    Talk,
    format_words,
    parse_command,
    split_command,
    verify_legal,
)
from hocp2p.ui.json_events import Json, event_to_json, table_to_json, turn_to_json
from hocp2p.ui.narration import Narrator

LOG_LINES: Final = 1000
LOG_SHOWN: Final = 20
OVER: Final = (Stage.ENDED, Stage.STOPPED)


async def run_line(
    client: Client,
    *,
    commands: AsyncIterator[str] | None,
    out: Callable[[str], None],
    json: bool = False,
    ascii: bool = False,
    patient: bool = False,
    strict: bool = False,
    autopilot: bool = False,
    ready_at_once: bool = False,
) -> None:
    """Tells what happens at the table and does what ``commands`` say, until the table is over.

    Args:
        client: our seat.
        commands: lines as they were typed; None: there is nobody to type. Blank lines and ``#`` comments are skipped.
        out: takes one line without its end.
        json: one JSON object a line instead of text.
        ascii: letters for suits.
        patient: a command that needs our turn (or a proposal to be ready for) waits for it, and is echoed when it is
            done; otherwise it is refused out of turn.
        strict: the first refused command ends the run.
        autopilot: somebody else plays our seat; no turn is asked for, and the end of ``commands`` ends nothing.
        ready_at_once: signs the proposal as soon as there is one.

    Raises:
        LocalError: ``script-refused`` with the number of the line, under ``strict``. The table has been left.
    """
    face = _LineFace(client, out, Narrator(ascii=ascii), json=json, ascii=ascii)
    face.patient, face.strict = patient, strict
    face.autopilot = autopilot or commands is None
    face.ready_at_once = ready_at_once
    await face.run(commands)


@dataclass(frozen=True, slots=True)
class _News:
    snapshot: TableSnapshot
    events: tuple[TableEvent, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


_Moment = tuple[int, DealState]  # number of the deal and its state: changes with every action


class _InputEnded:
    """Nothing will be typed any more."""


class _TableClosed:
    """The client says that the table is over."""


class _LineFace:
    """One run. Everything that happens comes through one inbox, so that lines are told in order by one task."""

    def __init__(self, client: Client, out: Callable[[str], None], narrator: Narrator, *, json: bool, ascii: bool):
        self.patient = self.strict = self.autopilot = self.ready_at_once = False
        self._client = client
        self._out = out
        self._narrator = narrator
        self._json = json
        self._ascii = ascii
        self._inbox: asyncio.Queue[_News | _Line | _InputEnded | _TableClosed] = asyncio.Queue()
        self._wanted = asyncio.Semaphore(1)  # one line is read ahead, no more
        self._line: _Line | None = None  # read and not yet done
        self._queue: deque[Action] = deque()  # further cards of one command
        self._queue_line: _Line | None = None
        self._input_ended = self._leaving = self._over = False
        self._acted_on: _Moment | None = None  # our action is on its way since then
        self._asked: _Moment | None = None  # the turn line was told then
        self._log: deque[str] = deque(maxlen=LOG_LINES)

    async def run(self, commands: AsyncIterator[str] | None) -> None:
        snapshot = self._client.snapshot
        self._client.listen(lambda snapshot, events: self._inbox.put_nowait(_News(snapshot, events)))
        self._begin(snapshot)
        tasks = [asyncio.create_task(self._watch())]
        if commands is not None:
            tasks.append(asyncio.create_task(self._read(commands)))
        try:
            self._hear(_News(snapshot, snapshot.events))
            self._advance()
            while not self._over:
                self._take(await self._inbox.get())
                while not self._over and not self._inbox.empty():
                    self._take(self._inbox.get_nowait())
                self._advance()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, commands: AsyncIterator[str]) -> None:
        number = 0
        await self._wanted.acquire()
        async for text in commands:
            number += 1
            if not text.strip() or text.lstrip().startswith("#"):
                continue
            self._inbox.put_nowait(_Line(number, text))
            await self._wanted.acquire()
        self._inbox.put_nowait(_InputEnded())

    async def _watch(self) -> None:
        await self._client.closed()
        self._inbox.put_nowait(_TableClosed())

    def _take(self, item: _News | _Line | _InputEnded | _TableClosed) -> None:
        match item:
            case _News():
                self._hear(item)
            case _Line():
                self._line = item
            case _InputEnded():
                self._input_ended = True
            case _TableClosed():
                self._close()

    # Telling.

    def _begin(self, snapshot: TableSnapshot) -> None:
        if self._json:
            self._tell_json(table_to_json(snapshot))
        self._tell(reports.lobby_line(snapshot))
        self._tell(reports.rules_line(snapshot))

    def _hear(self, news: _News) -> None:
        for event in news.events:
            if self._over:
                return
            self._tell_event(event, news.snapshot)
            self._over = isinstance(event, SessionEnded | TableStopped)

    def _close(self) -> None:
        """Tells how it ended, where no event has."""
        snapshot = self._client.snapshot
        if snapshot.stopped is not None:
            self._tell_event(snapshot.stopped, snapshot)
        elif snapshot.net is not None:
            self._tell_event(SessionEnded(snapshot.net), snapshot)
        self._over = True

    def _tell_event(self, event: TableEvent, snapshot: TableSnapshot) -> None:
        if self._json:
            self._tell_json(event_to_json(event))
        for line in self._narrator.tell(event, snapshot):
            self._tell(line)
        if isinstance(event, TableProposed):
            self._tell(reports.rules_line(snapshot))

    def _tell(self, line: str) -> None:
        """One line of text; kept for ``log`` where JSON is told."""
        self._log.append(_clean(line))
        if not self._json:
            self._out(self._log[-1])

    def _tell_json(self, told: dict[str, Json]) -> None:
        self._out(json_text.dumps(told))

    def _reply(self, command: str, lines: list[str]) -> None:
        if self._json:
            self._tell_json({"event": "reply", "command": command, "lines": [*lines]})
            return
        for line in lines:
            self._out(_clean(line))

    # Acting.

    def _our_turn(self, snapshot: TableSnapshot) -> bool:
        return bool(snapshot.legal) and _moment(snapshot) != self._acted_on

    def _advance(self) -> None:
        """Does all that can be done before something else happens."""
        while not (self._over or self._leaving) and self._client.snapshot.stage not in OVER:
            snapshot = self._client.snapshot
            if self.ready_at_once and snapshot.may_ready:
                self.ready_at_once = False
                self._client.ready()
            elif self._queue:
                if not self._go_on(snapshot):
                    return
            elif self._line is not None and not self._must_wait(self._line.text, snapshot):
                self._do_line(self._line)
            else:
                self._ask(snapshot)
                return

    def _ask(self, snapshot: TableSnapshot) -> None:
        """Says that it is our turn, once; leaves where that can never be answered."""
        if self.autopilot:
            return
        if self._our_turn(snapshot) and _moment(snapshot) != self._asked:
            self._asked = _moment(snapshot)
            if self._json:
                self._tell_json(turn_to_json(snapshot))
            for line in [*self._narrator.flush(snapshot), reports.turn_line(snapshot)]:
                self._tell(line)
        if self._input_ended and self._line is None and (self._our_turn(snapshot) or snapshot.may_ready):
            self._reply("quit", ["no more commands, and it is our turn: leaving the table"])
            self._leave()

    def _leave(self) -> None:
        self._leaving = True
        self._client.leave()

    def _must_wait(self, text: str, snapshot: TableSnapshot) -> bool:
        if not self.patient:
            return False
        word = split_command(text)[0]
        if word == "ready":
            return snapshot.stage is Stage.LOBBY
        return word in ACTION_HELP and not self._our_turn(snapshot)

    def _do_line(self, line: _Line) -> None:
        snapshot = self._client.snapshot
        if self.patient:
            for told in [
                *(self._narrator.flush(snapshot) if self._our_turn(snapshot) else []),
                f"> {line.text.strip()}",
            ]:
                self._tell(told)
        try:
            self._do(parse_command(line.text, snapshot), line)
        except HocError as error:
            self._refuse(error.message, line)
        self._line = None
        self._wanted.release()

    def _do(self, command: Command, line: _Line) -> None:
        match command:
            case Act(actions):
                self._act(actions[0])
                self._queue.extend(actions[1:])
                self._queue_line = line
            case Ready():
                self._ready(line)
            case Talk(text):
                self._client.say(text)
            case Quit():
                self._leave()
            case Report(what, argument):
                self._reply(split_command(line.text)[0], self._report(what, argument))

    def _ready(self, line: _Line) -> None:
        snapshot = self._client.snapshot
        ours = snapshot.our_seat
        if not snapshot.may_ready and ours is not None and snapshot.seats[ours].ready:
            self._reply(line.text.strip(), ["you are ready"])
        else:
            self._client.ready()

    def _act(self, action: Action) -> None:
        """One action of ours. Raises HocError, with nothing sent."""
        snapshot = self._client.snapshot
        verify_legal(snapshot, action)
        if snapshot.view is None or not self._our_turn(snapshot):
            raise LocalError("not-now", "wait: your last action is still on its way")
        self._client.act(action)
        self._acted_on = _moment(snapshot)
        self._tell(self._narrator.answer(snapshot.view, action))

    def _go_on(self, snapshot: TableSnapshot) -> bool:
        """The next card of a command with several; False while our turn has not come back."""
        if _moment(snapshot) == self._acted_on:
            return False
        try:
            self._act(self._queue[0])
            self._queue.popleft()
        except HocError as error:
            stake = snapshot.view.state.stake if snapshot.view else None
            unplayed = ", ".join(format_words(action, stake) for action in self._queue)
            self._queue.clear()
            self._refuse(f"not done: {unplayed}: {error.message}", self._queue_line)
        return True

    def _refuse(self, reason: str, line: _Line | None) -> None:
        """Says what is wrong and what is legal; under ``strict`` that is the end."""
        snapshot = self._client.snapshot
        if self._json:
            refused: dict[str, Json] = {"event": "refused", "message": reason}
            self._tell_json(refused | {"legal": turn_to_json(snapshot)["legal"]})
        self._tell(f"no: {reason}. {reports.legal_line(snapshot)}")
        if self.strict:
            self._leave()
            where = f"line {line.number}: " if line is not None else ""
            raise LocalError("script-refused", f"{where}{reason}")

    def _report(self, what: str, argument: str) -> list[str]:
        snapshot = self._client.snapshot
        match what:
            case "hand":
                return reports.hand_lines(snapshot, ascii=self._ascii)
            case "run":
                return reports.run_lines(snapshot, ascii=self._ascii)
            case "seats":
                return reports.seat_lines(snapshot)
            case "scores":
                return reports.score_lines(snapshot)
            case "rules":
                return [reports.rules_line(snapshot)]
            case "legal":
                return [reports.legal_line(snapshot)]
            case "help":
                return reports.help_lines(argument)
        if argument and not (argument.isascii() and argument.isdigit()):
            raise LocalError("bad-command", f"how many lines? for instance: {what} 20")
        count = int(argument or (1 if what == "last" else LOG_SHOWN))
        return list(self._log)[-count:] if count else []


def _moment(snapshot: TableSnapshot) -> _Moment | None:
    return (snapshot.deal, snapshot.view.state) if snapshot.view else None


def _clean(line: str) -> str:
    """Names and talk come from other people: nothing in them may steer a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in line)
