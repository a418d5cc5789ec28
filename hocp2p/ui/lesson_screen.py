"""The full screen of a practice deal: explanations above the table, and the bots' cards face up."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from hocp2p.game.state import Phase
from hocp2p.session.practice import PracticeClient
from hocp2p.table.snapshot import Stage, TableSnapshot
from hocp2p.ui.cells import ASCII, UNICODE, Fragment, Line, fit, line_width, plain
from hocp2p.ui.lang import _
from hocp2p.ui.lesson import TEXT_CELLS, Course, Lesson, OpenHands
from hocp2p.ui.local import Local, Page
from hocp2p.ui.look import Look
from hocp2p.ui.pace import Pacer
from hocp2p.ui.parts import bottom
from hocp2p.ui.parts.hand import combination_lines, hand_lines, hand_section
from hocp2p.ui.presenter import view
from hocp2p.ui.screen import Screen, ScreenOptions, attend

AGAIN: Final = "e"
CLOSING: Final = ("enter", "space", "escape", AGAIN)
THROUGH: Final = ("c-c", "c-q", "c-l")  # these mean the same everywhere
LEAST_BODY_ROWS: Final = 2
AIRY_FROM_ROWS: Final = 32
WHOLE_AUCTION_ROWS: Final = 12  # table of stakes, small hand and calls
HELD_S: Final = 3600.0  # nothing is due before the explanation has been read


async def run_lesson_screen(
    client: PracticeClient,
    *,
    options: ScreenOptions | None = None,
    input: Input | None = None,  # noqa: A002 - prompt_toolkit's word
    output: Output | None = None,
) -> None:
    """As ``ui.screen.run_screen``, for a practice table."""
    await attend(LessonScreen(client, options or ScreenOptions(), input, output))


class HeldPacer(Pacer):
    """Shows nothing new while ``held``: an explanation is being read."""

    held = False

    def advance(self, now_s: float) -> bool:
        """See ``Pacer``."""
        return False if self.held else super().advance(now_s)

    def due_in_s(self, now_s: float) -> float | None:
        """See ``Pacer``."""
        due_s = super().due_in_s(now_s)
        return HELD_S if self.held and due_s is not None else due_s


class LessonScreen(Screen):
    """A screen that explains each phase when it is shown first. The game waits meanwhile.

    Args:
        client, options, input, output: as for ``Screen``.
    """

    pacer: HeldPacer

    def __init__(
        self,
        client: PracticeClient,
        options: ScreenOptions,
        input: Input | None = None,  # noqa: A002 - prompt_toolkit's word
        output: Output | None = None,
    ) -> None:
        super().__init__(client, replace(options, keeps=False), input, output)
        self._practice = client
        self._ascii = options.ascii
        self.pacer = HeldPacer(client.snapshot, options.pace_s, len(client.snapshot.finished))
        self._course = Course(ascii=options.ascii)
        self.lesson: Lesson | None = None
        self._read_rows = 0  # rows of the lesson that were read on the pages before

    def press(self, key: str) -> None:
        """A key, or a click on what stands for it."""
        if key in THROUGH or self.local.asking is not None or self.local.typing is not None:
            super().press(key)
        elif self.lesson is not None:
            if key in CLOSING:
                self._turn_page(self.lesson)
        elif key == AGAIN and self._course.latest is not None:
            self._open(self._course.latest)
        else:
            super().press(key)

    def lines(self, cols: int, rows: int) -> list[Line]:
        """The table with the bots' cards face up; above it, what is explained."""
        shown = self.pacer.shown
        shown = face_up(shown, self._practice.open_hands(shown))
        if shown.stage in (Stage.LOBBY, Stage.READY):  # nobody is invited or asked here
            shown = replace(shown, stage=Stage.DEALING, deal=1)
        above: list[Line] = []
        if self.lesson is not None:
            above = _lesson_lines(self.lesson, self._read_rows, self._look(cols, rows))
            above += _hand_lines(replace(self._look(cols, rows), local=self.local), rows - 1 - bottom.ROWS - len(above))
        local = replace(self.local, page=Page.TABLE) if above else self.local
        lines = view(shown, local, cols, rows, ascii=self._ascii, above=above)
        if self.local.asking is not None or rows <= bottom.ROWS:
            return lines
        if self.lesson is not None:
            more = self._is_more(self.lesson, cols, rows)
            return [*lines[:-2], *(fit(line, cols) for line in _keys(more=more))]
        if self._course.latest is None:
            return lines
        return [*lines[: -bottom.ROWS], _with_key(lines[-bottom.ROWS]), *lines[1 - bottom.ROWS :]]

    def _tick(self) -> None:
        super()._tick()
        if self.lesson is None and not self.app.is_done:
            shown = self.pacer.shown
            due = self._course.next(shown, self._practice.open_hands(shown))
            if due is not None:
                self._open(due)

    def _open(self, lesson: Lesson) -> None:
        self.lesson, self._read_rows = lesson, 0
        self.pacer.held = True
        self.app.invalidate()

    def _turn_page(self, lesson: Lesson) -> None:
        """The rest of what is explained; after it the game goes on."""
        size = self.app.output.get_size()
        if self._is_more(lesson, size.columns, size.rows):
            self._read_rows += _room(self._look(size.columns, size.rows))
            self.app.invalidate()
        else:
            self.lesson = None
            self.pacer.held = False
            self._tick()

    def _is_more(self, lesson: Lesson, cols: int, rows: int) -> bool:
        look = self._look(cols, rows)
        return len(_rows(lesson, look)) > self._read_rows + _room(look)

    def _look(self, cols: int, rows: int) -> Look:
        return Look(self.pacer.shown, Local(), cols, rows, ASCII if self._ascii else UNICODE)


def face_up(snapshot: TableSnapshot, open_hands: OpenHands) -> TableSnapshot:
    """The picture with the open hands among the cards that were opened, so that they are drawn like these."""
    if snapshot.view is None:
        return snapshot
    state = snapshot.view.state
    faces = state.faces()
    added = [
        (position, card)
        for seat, cards in open_hands.items()
        for position, card in zip(state.hands[seat], cards, strict=True)
        if position not in faces
    ]
    state = replace(state, opened=(*state.opened, *added))
    return replace(snapshot, view=replace(snapshot.view, state=state))


def _rows(lesson: Lesson, look: Look) -> list[str]:
    """The text in rows; where there is plenty of room, with a blank one between paragraphs."""
    cells = max(min(look.cols - 4, TEXT_CELLS), 8)
    return lesson.rows(cells, airy=look.rows >= AIRY_FROM_ROWS)


def _room(look: Look) -> int:
    """Rows of text on one page."""
    return max(look.rows - 1 - bottom.ROWS - LEAST_BODY_ROWS - 2, 1)


def _lesson_lines(lesson: Lesson, read_rows: int, look: Look) -> list[Line]:
    """A rule with the title, the text, a blank row."""
    rows = _rows(lesson, look)
    shown = rows[read_rows : read_rows + _room(look)]
    note = _("more below") if read_rows + len(shown) < len(rows) else ""
    return [look.section(lesson.title, note, style="turn"), *(plain("  " + row) for row in shown), ()]


def _hand_lines(look: Look, room: int) -> list[Line]:
    """Our hand in the smallest shape, where the body would have no room for it below the table of stakes."""
    hand = [hand_section(look), *hand_lines(look, big=False), *combination_lines(look)]
    phase = look.view.state.phase if look.view is not None else Phase.OVER
    cramped = len(hand) + LEAST_BODY_ROWS <= room < WHOLE_AUCTION_ROWS
    return hand if cramped and phase not in (Phase.PLAY, Phase.OVER) else []


def _keys(*, more: bool) -> list[Line]:
    """The prompt and the keys while something is explained."""
    go_on = _("read on") if more else _("go on")
    prompt = _("Enter: read on; the game waits") if more else _("Enter: go on; the game waits")
    keys = (
        Fragment("", " "),
        Fragment("key", _("Enter"), "enter"),
        Fragment("keys", f" {go_on}  ", "enter"),
        Fragment("key", "^Q", "c-q"),
        Fragment("keys", " " + _("leave") + "  ", "c-q"),
    )
    return [plain(" " + prompt, "hint"), keys]


def _with_key(rule: Line) -> Line:
    """The rule at the bottom with the key that brings the explanation back, at its right end."""
    key = (Fragment("key", f" {AGAIN}", AGAIN), Fragment("keys", " " + _("explain again") + " ", AGAIN))
    return (*fit(rule, line_width(rule) - line_width(key), ""), *key)
