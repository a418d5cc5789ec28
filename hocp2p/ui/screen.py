"""The full screen: a prompt_toolkit application around the pure parts (``presenter``, ``keys``, ``pace``, ...)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle

from hocp2p.errors import HocError
from hocp2p.game.state import SeatView
from hocp2p.session.client import Client
from hocp2p.session.forced import ForcedAnswers
from hocp2p.session.hints import HintsPrepared, hint
from hocp2p.session.managing import DEFAULT_LEVEL, Managing
from hocp2p.table.events import TableEvent
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.appearance import Colour, colour_depth, style_of, styled, wants_no_colour
from hocp2p.ui.asking import ask
from hocp2p.ui.cells import Line
from hocp2p.ui.clipboard import copy
from hocp2p.ui.clocks import next_away_s, next_second_s, times_away, times_left
from hocp2p.ui.effects import Act, Copy, Effect, Hint, Keep, Leave, NextTheme, Redraw, Skip
from hocp2p.ui.error_messages import translate_error
from hocp2p.ui.keeping_up import kept_up
from hocp2p.ui.keys import press
from hocp2p.ui.local import Local, Page
from hocp2p.ui.modes import has_begun
from hocp2p.ui.pace import Pacer
from hocp2p.ui.plan import Plan
from hocp2p.ui.presenter import view
from hocp2p.ui.signals import signals_close
from hocp2p.ui.terminal_keys import bind_keys
from hocp2p.ui.theme import THEMES

ESCAPE_WAIT_S: Final = 0.05  # after Esc, for the rest of a key's sequence


@dataclass(frozen=True, slots=True)
class ScreenOptions:
    """How the screen looks and feels.

    Args:
        ascii: letters for suits, ASCII for lines.
        theme: one of ``ui.theme.THEMES``.
        suit_colours: 2 or 4.
        colour: ``auto`` honours NO_COLOR and what the terminal says.
        mouse: whether clicks are taken.
        bell: whether the terminal's bell rings when our turn begins.
        pace_s: seconds that each move of the others stays before the next is shown.
        hints: whether hints are given when they are asked for.
        auto_sans: whether a *sans* or *go on* that leaves no choice is said for us, to begin with.
        keeps: whether our seat is kept when we go without leaving it.
        level: of the first bot that a key seats.
        pilot: level of the bot that plays our seat; None: we do.
    """

    ascii: bool = False
    theme: str = "dark"
    suit_colours: int = 4
    colour: Colour = "auto"
    mouse: bool = True
    bell: bool = True
    pace_s: float = 0.6
    hints: bool = True
    auto_sans: bool = False
    keeps: bool = True
    level: str = DEFAULT_LEVEL
    pilot: str | None = None


async def run_screen(
    client: Client,
    *,
    options: ScreenOptions | None = None,
    input: Input | None = None,  # noqa: A002 - prompt_toolkit's word
    output: Output | None = None,
) -> None:
    """Shows the table until the player leaves the screen, or SIGTERM or SIGHUP ends it.

    Leaving a table that still plays also calls ``client.leave``; a signal does not, so that the seat can be resumed.
    The terminal is restored on every way out.

    Args:
        client: our seat at the table.
        options: the defaults when None.
        input, output: of the terminal; None: stdin and stdout.

    Raises:
        Whatever a bug raises, after the terminal is restored.
    """
    await attend(Screen(client, options or ScreenOptions(), input, output))


async def attend(screen: Screen) -> None:
    """Runs a screen until the player leaves it, or a signal ends it."""
    with signals_close(screen.close):
        await screen.run()


class Screen:
    """One run of the full screen. Everything happens on the event loop's thread.

    Args:
        client, options, input, output: as for :func:`run_screen`.
        clock: seconds that only grow; None: the event loop's.
    """

    def __init__(
        self,
        client: Client,
        options: ScreenOptions,
        input: Input | None = None,  # noqa: A002 - prompt_toolkit's word
        output: Output | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._client = ForcedAnswers(client, on=options.auto_sans)
        self._managing = Managing(self._client)
        self._plan = Plan(self._client)
        self._options = options
        self._clock = clock
        acked = len(client.snapshot.finished)
        self.local = Local(
            acked=acked,
            hints=options.hints,
            forced=options.auto_sans,
            keeps=options.keeps,
            level=options.level,
            pilot=options.pilot,
        )
        self._advising: asyncio.Task[None] | None = None
        self._hints_prepared = HintsPrepared(wanted=options.hints)
        self._drawn: tuple[object, ...] = ()  # what the last drawing showed
        self.pacer = Pacer(client.snapshot, options.pace_s, acked)
        self._our_turn = False
        self._ready_for = 0  # how many deals were over when we last said that we are ready for the next
        self._timer: asyncio.TimerHandle | None = None
        self._advised: SeatView | None = None  # what the hint is for
        self._theme = "mono" if wants_no_colour(options.colour) else options.theme
        self._style = style_of(self._theme, options.suit_colours)
        self.app: Application[None] = Application(
            layout=Layout(Window(FormattedTextControl(self._fragments, show_cursor=False), wrap_lines=False)),
            key_bindings=bind_keys(lambda key: self.press(key)),
            style=DynamicStyle(lambda: self._style),
            color_depth=colour_depth(options.colour),
            include_default_pygments_style=False,
            full_screen=True,
            mouse_support=options.mouse,
            input=input,
            output=output,
        )
        self.app.ttimeoutlen = ESCAPE_WAIT_S

    async def run(self) -> None:
        """Until the player leaves."""
        self._client.listen(self._heard)
        try:
            await self.app.run_async(pre_run=self._tick, set_exception_handler=False)
        finally:
            if self._timer is not None:
                self._timer.cancel()
            if self._advising is not None:
                self._advising.cancel()

    def close(self) -> None:
        """Ends the screen; the table goes on."""
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    # What comes from the table.

    def _heard(self, snapshot: TableSnapshot, events: tuple[TableEvent, ...]) -> None:
        if self.app.is_done:
            return
        with self._crash_ends_the_screen():
            self.pacer.push(snapshot, events)
            if self.app.is_running:
                # Later, not now: the client may be in the middle of telling its listeners.
                asyncio.get_running_loop().call_soon(self._guarded, self._go_on)
                self._tick()

    def _tick(self) -> None:
        """Shows what is due, rings, and comes back when the next picture is due."""
        loop = asyncio.get_running_loop()
        now_s = self._now_s()
        self.pacer.acknowledge(self.local.acked)
        self.pacer.advance(now_s)
        shown = self.pacer.shown
        self.local = kept_up(self.local, self.pacer, now_s, self.app.output.get_size().columns)
        if self.local.advice is not None and shown.view != self._advised:
            self.local = replace(self.local, advice=None)
        self._ready_again()
        if has_begun(shown):
            self._hints_prepared.begin(len(shown.seats))
        self._ring()
        if self._timer is not None:
            self._timer.cancel()
        due_s = self.pacer.due_in_s(now_s), next_second_s(shown.clock, now_s), next_away_s(self.local.unheard, now_s)
        waits_s = [each_s for each_s in due_s if each_s is not None]
        self._timer = loop.call_later(min(waits_s), self._guarded, self._tick) if waits_s else None
        self._draw_if_changed(shown)

    def _draw_if_changed(self, shown: TableSnapshot) -> None:
        """Draws nothing anew where neither the picture, nor our own state, nor a second on a clock has changed."""
        times = times_left(shown.clock, self.local.now_s), times_away(self.local.unheard, self.local.now_s)
        drawn = (shown, replace(self.local, now_s=None), times, self._theme)
        if not self._drawn or shown is not self._drawn[0] or drawn[1:] != self._drawn[1:]:
            self._drawn = drawn
            self.app.invalidate()

    def _now_s(self) -> float:
        return self._clock() if self._clock is not None else asyncio.get_running_loop().time()

    def _ready_again(self) -> None:
        """Who has put the score of the last deal away is ready for the next one."""
        snapshot = self._client.snapshot
        deals = len(snapshot.finished)
        if not snapshot.may_ready:
            self._ready_for = 0
        elif deals and self.local.acked >= deals and self._ready_for != deals:
            self._ready_for = deals
            self._try(self._client.ready)

    def _ring(self) -> None:
        """Once for each turn of ours, when the player can do something about it."""
        if not self.pacer.latest.legal:
            self._our_turn = False
        elif not self._our_turn and self.pacer.due_in_s(0.0) is None:
            self._our_turn = True
            if self._options.bell:
                self.app.output.bell()

    # What comes from the player.

    def press(self, key: str) -> None:
        """A key, or a click on what stands for it."""
        with self._crash_ends_the_screen():
            self.local, effect = press(key, self.pacer.shown, self.local)
            if self._client.on != self.local.forced:
                self._client.on = self.local.forced
                self._client.give()
            if effect is not None:
                self._perform(effect)
            if not self.app.is_done:
                self._tick()

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Act(actions):
                self._try(lambda: self._plan.begin(actions))
            case Copy(text):
                copy(text, self.app.output, os.environ)
            case Skip():
                self.pacer.skip()
            case NextTheme():
                self._theme = THEMES[(THEMES.index(self._theme) + 1) % len(THEMES)]
                self._style = style_of(self._theme, self._options.suit_colours)
            case Hint():
                self._advising = asyncio.create_task(self._advise(self.pacer.shown))
            case Redraw():
                self.app.renderer.clear()
            case Keep():
                self._try(self._client.suspend)
                self.close()
            case Leave():
                if self.pacer.latest.stage not in (Stage.ENDED, Stage.STOPPED):
                    self._try(self._client.leave)
                self.close()
            case _:
                self._try(lambda: ask(effect, self._client, self._managing))

    async def _advise(self, shown: TableSnapshot) -> None:
        """Asks for a hint, which is shown if nothing has happened meanwhile."""
        with self._crash_ends_the_screen():
            if shown.view is None:
                return
            try:
                advice = await hint(shown.view)
            except HocError as error:
                self._complain(error)
            else:
                if self.pacer.shown.view == shown.view:
                    self.local = replace(self.local, advice=advice)
                    self._advised = shown.view
            self._tick()

    def _go_on(self) -> None:
        """What was to follow when something has happened at the table."""
        self._try(self._plan.go_on)
        self._try(self._managing.go_on)

    def _try(self, call: Callable[[], None]) -> None:
        """Asks something of the table; why it cannot be done goes to the status row."""
        try:
            call()
        except HocError as error:
            self._complain(error)

    def _complain(self, error: HocError) -> None:
        since = len(self.pacer.shown.events)
        self.local = replace(self.local, message=translate_error(error.message), message_since=since)

    def _guarded(self, call: Callable[[], None]) -> None:
        """A call from the event loop."""
        if not self.app.is_done:
            with self._crash_ends_the_screen():
                call()

    @contextmanager
    def _crash_ends_the_screen(self) -> Iterator[None]:
        """A bug ends the application with its exception, so that the terminal is restored first."""
        try:
            yield
        except Exception as error:
            if not self.app.is_running or self.app.is_done:
                raise
            self.app.exit(exception=error)

    # Drawing.

    def lines(self, cols: int, rows: int) -> list[Line]:
        """What is drawn, for a terminal of this size."""
        return view(self.pacer.shown, self.local, cols, rows, ascii=self._options.ascii)

    def _fragments(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        return styled(self.lines(size.columns, size.rows), self._handler)

    def _handler(self, key: str) -> Callable[[MouseEvent], None]:
        def handle(event: MouseEvent) -> None:
            if event.event_type is MouseEventType.MOUSE_UP and key:
                self.press(key)
            elif self.local.page is not Page.TABLE and event.event_type in _WHEEL:
                self.press(_WHEEL[event.event_type])

        return handle


_WHEEL: Final = {MouseEventType.SCROLL_UP: "up", MouseEventType.SCROLL_DOWN: "down"}
