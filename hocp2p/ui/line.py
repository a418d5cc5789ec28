"""The line mode: the game told and played one fact a line, without cursor movement, for screen readers and scripts."""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final

from hocp2p.errors import HocError, LocalError
from hocp2p.session.client import Client
from hocp2p.session.forced import ForcedAnswers
from hocp2p.session.hints import HintsPrepared, hint
from hocp2p.session.managing import DEFAULT_LEVEL, Managing
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui import reports
from hocp2p.ui.asking import ask
from hocp2p.ui.commands import ACTION_HELP, Command, Forced, Report, format_words, parse_command, split_command
from hocp2p.ui.effects import Act, Again, Hint, Keep, Leave, Ready, RenewInvite
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.lang import _
from hocp2p.ui.line_actions import Moment, OurActions, moment
from hocp2p.ui.line_inbox import Hinted, Inbox, InputEnded, Item, Line, News, TableClosed
from hocp2p.ui.line_output import LineOutput
from hocp2p.ui.line_teller import Teller, Tutor, silent
from hocp2p.ui.modes import has_begun
from hocp2p.ui.names import seat_names

LOG_SHOWN: Final = 20
OVER: Final = (Stage.ENDED, Stage.STOPPED)


@dataclass(frozen=True, slots=True)
class Manners:
    """How commands are taken.

    Args:
        patient: a command that needs our turn (or a proposal to be ready for) waits for it, and is echoed when it is
            done; otherwise it is refused out of turn.
        strict: the first refused command ends the run.
        autopilot: somebody else plays our seat: no turn is asked for, and the end of the commands ends nothing.
        ready_at_once: signs every proposal as soon as there is one. Later deals are never waited for.
        hints: whether hints are given when they are asked for.
        auto_sans: whether a *sans* or *go* that leaves no choice is said for us, to begin with.
        keeps: whether our seat is kept when we go without leaving it.
        level: of the first bot that is seated without naming one.
        pilot: level of the bot that plays our seat; None where none does.
    """

    patient: bool = False
    strict: bool = False
    autopilot: bool = False
    ready_at_once: bool = False
    hints: bool = True
    auto_sans: bool = False
    keeps: bool = True
    level: str = DEFAULT_LEVEL
    pilot: str | None = None

    @property
    def by_hand(self) -> bool:
        """Whether somebody sits there and types."""
        return not (self.patient or self.strict or self.autopilot)


async def run_line(
    client: Client,
    *,
    commands: AsyncIterator[str] | None,
    out: Callable[[str], None],
    json: bool = False,
    ascii: bool = False,
    manners: Manners | None = None,
    tutor: Tutor | None = None,
) -> None:
    """Tells what happens at the table and does what ``commands`` say, until the session is over.

    When the commands are at an end and it is our turn all the same, we go; once the game has begun the seat is kept.
    Where they are typed by hand and told as text, another session can be asked for: then it goes on until the player
    leaves, or the host.

    Args:
        client: our seat.
        commands: lines as they were typed; None: nobody types, and all is only told. Blank lines and ``#`` comments
            are skipped.
        out: takes one line without its end.
        json: one JSON object a line instead of text (``ui.json_events``).
        ascii: letters for suits.
        manners: see there.
        tutor: lines that explain a picture, told when what led to it has been told.

    Raises:
        LocalError: ``script-refused`` with the number of the line, where manners are strict; the table has been left.
    """
    manners = manners or Manners(autopilot=commands is None)
    output = LineOutput(out, as_json=json, ascii=ascii, pilot=manners.pilot)
    stays = manners.by_hand and commands is not None and not json
    teller = Teller(output, client.snapshot, tutor or silent, stays=stays)
    await _LineFace(client, output, teller, manners, ascii=ascii).run(commands)


class _LineFace:
    """One run. Everything that happens comes through one inbox, so that one task tells it in order."""

    def __init__(self, client: Client, output: LineOutput, teller: Teller, manners: Manners, *, ascii: bool) -> None:
        self._client = ForcedAnswers(client, on=manners.auto_sans)
        self._managing = Managing(self._client)
        self._output = output
        self._teller = teller
        self._manners = manners
        self._actions = OurActions(self._client, output)
        self._ascii = ascii
        self._inbox = Inbox()
        self._line: Line | None = None  # read and not yet done
        self._input_ended = self._leaving = False
        self._said_ready = self._said_again = False  # our word is on its way
        self._hinting = False
        self._hints_prepared = HintsPrepared(wanted=manners.hints and manners.by_hand)
        self._old_invite = ""  # another was asked for and is not there yet
        self._asked: Moment | None = None  # the turn was told then

    async def run(self, commands: AsyncIterator[str] | None) -> None:
        snapshot = self._client.snapshot
        self._inbox.hear(self._client)
        self._inbox.expect(self._closed(), TableClosed)
        if commands is not None:
            self._inbox.read(commands)
        try:
            self._take(News(snapshot, snapshot.events))
            self._advance()
            while not self._teller.over:
                self._take(await self._inbox.get())
                self._advance()
        finally:
            await self._inbox.close()

    async def _closed(self) -> TableSnapshot:
        """Waits for the end of the session; where we stay, for that of the table."""
        if not self._teller.stays:
            return await self._client.closed()
        await self._client.gone()
        return self._client.snapshot

    def _take(self, item: Item) -> None:
        match item:
            case News(snapshot, events):
                self._teller.tell(snapshot, events)
                self._tell_new_invite(snapshot)
                if has_begun(snapshot):
                    self._hints_prepared.begin(len(snapshot.seats))
            case Line():
                self._line = item
            case InputEnded(task):
                task.result()
                self._input_ended = True
                self._teller.stays = False  # nobody could ask for another session
            case Hinted(task):
                self._hinting = False
                from hocp2p.ui.advice_words import describe_advice  # not before the first hint

                names = seat_names(self._client.snapshot)
                advice = task.result()
                typed = format_words(advice.action, advice.stake)
                told = describe_advice(advice, names, ascii=self._ascii, command=typed)
                self._output.reply("hint", [_("hint: {advice}").format(advice=told)])
            case TableClosed(closed):
                self._teller.tell_end(closed.result())

    def _advance(self) -> None:
        """Does all that can be done before something else happens; what has happened already is told first."""
        while self._inbox.empty and not (self._hinting or self._teller.over or self._leaving):
            snapshot = self._client.snapshot
            if snapshot.stage in OVER and not self._teller.between:
                return
            self._said_ready = self._said_ready and snapshot.may_ready
            self._said_again = self._said_again and self._teller.between
            if self._goes_on_by_itself(snapshot):
                self._say_ready()
            elif self._actions.to_come and self._actions.are_taken(snapshot):
                self._go_on()
            elif self._line is not None and not self._must_wait(self._line.text, snapshot):
                self._ask(snapshot)
                self._do_line(self._line, snapshot)
            else:
                self._ask(snapshot)
                self._leave_if_stuck(snapshot)
                return

    def _goes_on_by_itself(self, snapshot: TableSnapshot) -> bool:
        """Ready without being asked: for the first deal where that is wanted, for the next ones always.

        What the settlement says stays in the lines above; nobody has to hold it on a screen.
        """
        wanted = self._manners.ready_at_once or bool(snapshot.finished)
        return self._waits_for_ready(snapshot) and wanted and not self._manners.autopilot

    def _waits_for_ready(self, snapshot: TableSnapshot) -> bool:
        return snapshot.may_ready and not self._said_ready

    def _say_ready(self) -> None:
        self._client.ready()
        self._said_ready = True

    def _ask(self, snapshot: TableSnapshot) -> None:
        """Says that it is our turn, once, also where the answer is there already."""
        if self._actions.may_act(snapshot) and moment(snapshot) != self._asked and not self._manners.autopilot:
            self._asked = moment(snapshot)
            self._output.tell_turn(snapshot)

    def _leave_if_stuck(self, snapshot: TableSnapshot) -> None:
        """The table waits for us, and nothing can come any more."""
        unanswered = self._input_ended and self._line is None and not self._manners.autopilot
        if unanswered and self._teller.between:
            self._leave()
        elif unanswered and (self._actions.may_act(snapshot) or self._waits_for_ready(snapshot)):
            self._output.reply("quit", [_("no more commands, and the table waits for us: leaving it")])
            if self._keeps(snapshot):
                self._keep()
            else:
                self._leave()

    def _keeps(self, snapshot: TableSnapshot) -> bool:
        """Whether there is a seat that we can come back to."""
        return self._manners.keeps and has_begun(snapshot)

    def _keep(self) -> None:
        """Goes without a word to the table, which hears only that we are away; how to come back is told at the end."""
        kept = self._keeps(self._client.snapshot)
        self._leaving = True
        self._client.suspend()
        self._teller.over = self._teller.over or kept  # where there is no seat the table tells that we have left

    def _leave(self) -> None:
        self._leaving = True
        if self._teller.between:
            self._teller.over = True  # there is nothing to leave but the room
        else:
            self._client.leave()

    def _must_wait(self, text: str, snapshot: TableSnapshot) -> bool:
        if self._actions.to_come or self._managing.busy:  # what was asked for last is not all done yet
            return True
        if not self._manners.patient:
            return False
        word = split_command(text)[0]
        if word == "ready":
            return snapshot.stage is Stage.LOBBY
        return word in ACTION_HELP and not self._actions.may_act(snapshot)

    def _do_line(self, line: Line, snapshot: TableSnapshot) -> None:
        if self._manners.patient:
            self._output.echo(line.text, snapshot)
        try:
            self._do(parse_command(line.text, snapshot, self._manners.level), line)
        except HocError as error:
            self._refuse(translate_error(error.message), line)
        self._line = None
        self._inbox.want_line()

    def _do(self, command: Command, line: Line) -> None:
        match command:
            case Act(actions):
                self._actions.begin(actions, line)
            case Ready():
                self._ready(line)
            case Again():
                self._again(line)
            case RenewInvite():
                before = self._client.snapshot.invite
                self._client.renew_invite()
                self._old_invite = before
            case Leave():
                self._leave()
            case Keep():
                self._keep()
            case Hint():
                self._ask_for_hint()
            case Forced():
                self._switch_forced()
            case Report(what, argument):
                self._output.reply(split_command(line.text)[0], self._report(what, argument))
            case _:
                ask(command, self._client, self._managing)

    def _tell_new_invite(self, snapshot: TableSnapshot) -> None:
        """What was asked for is there."""
        if self._old_invite and snapshot.invite != self._old_invite:
            self._old_invite = ""
            self._output.reply("invite", reports.invite_lines(snapshot))

    def _ready(self, line: Line) -> None:
        snapshot = self._client.snapshot
        ours = snapshot.our_seat
        signed = ours is not None and snapshot.seats[ours].ready and not self._teller.between
        if self._said_ready or (signed and not snapshot.may_ready):
            self._output.reply(line.text, [_("you are ready")])
        else:
            self._say_ready()

    def _again(self, line: Line) -> None:
        if self._said_again:
            self._output.reply(line.text, [_("you would play another match")])
        else:
            self._client.again()
            self._said_again = True

    def _go_on(self) -> None:
        """The next card of a command with several."""
        try:
            self._actions.go_on()
        except LocalError as error:
            self._refuse(error.message, self._actions.line)

    def _refuse(self, reason: str, line: Line | None) -> None:
        """Says what is wrong and what is legal; where manners are strict that is the end."""
        self._output.refuse(reason, self._client.snapshot)
        if self._manners.strict:
            self._leave()
            if line is not None:
                reason = _("line {number}: {reason}").format(number=line.number, reason=reason)
            raise LocalError("script-refused", reason)

    def _report(self, what: str, argument: str) -> list[str]:
        if what not in ("last", "log"):
            now_s = asyncio.get_running_loop().time()
            pilot = self._manners.pilot
            return reports.report(what, argument, self._client.snapshot, ascii=self._ascii, now_s=now_s, pilot=pilot)
        if argument and not (argument.isascii() and argument.isdigit()):
            raise LocalError("bad-command", _("how many lines? for instance: {command}").format(command=f"{what} 20"))
        return self._output.last(int(argument or (1 if what == "last" else LOG_SHOWN)))

    def _ask_for_hint(self) -> None:
        """The answer comes through the inbox; no command is done before it."""
        snapshot = self._client.snapshot
        if not self._manners.hints:
            raise LocalError("no-hints", _("hints are switched off"))
        if snapshot.view is None or not self._actions.may_act(snapshot):
            raise LocalError("not-your-turn", _("it is not your turn"))
        self._hinting = True
        self._inbox.expect(hint(snapshot.view), Hinted)

    def _switch_forced(self) -> None:
        self._client.on = not self._client.on
        self._client.give()
        told = (
            _("a sans or go without a choice is said for you") if self._client.on else _("sans and go are left to you")
        )
        self._output.reply("forced", [told])
