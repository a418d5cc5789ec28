"""A practice deal in line mode: explanations are lines that begin with ``lesson:``, and there are two more commands."""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

import json as json_text
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Final

from hocp2p.session.practice import PracticeClient
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.cells import text_width
from hocp2p.ui.lang import N_, _
from hocp2p.ui.lesson import TEXT_CELLS, Course, Lesson
from hocp2p.ui.lesson_moment import Moment
from hocp2p.ui.line import Manners, run_line

AGAIN: Final = "lesson"
OPEN: Final = "open"
HELP: Final = N_("To hear the latest explanation again type {again}. To see the hands of the bots type {open}.")


async def run_lesson_line(
    client: PracticeClient,
    *,
    commands: AsyncIterator[str] | None,
    out: Callable[[str], None],
    json: bool = False,
    ascii: bool = False,
    manners: Manners | None = None,
) -> None:
    """As ``ui.line.run_line``, for a practice table."""
    tutor = _Tutor(client, ascii=ascii)

    def reply(command: str, lines: list[str]) -> None:
        for line in [json_text.dumps({"event": "reply", "command": command, "lines": lines})] if json else lines:
            out(line)

    taken = tutor.filter(commands, reply) if commands is not None else None
    await run_line(
        client,
        commands=taken,
        out=out,
        json=json,
        ascii=ascii,
        manners=replace(manners or Manners(), keeps=False),
        tutor=tutor,
    )


class _Tutor:
    """Tells what is due, in the order in which it is explained."""

    def __init__(self, client: PracticeClient, *, ascii: bool) -> None:
        self._client = client
        self._ascii = ascii
        self._course = Course(ascii=ascii)

    def __call__(self, snapshot: TableSnapshot) -> list[str]:
        """The lines for a picture; none where all has been told."""
        lines: list[str] = []
        hands = self._client.open_hands(snapshot)
        while (lesson := self._course.next(snapshot, hands)) is not None:
            if lesson.topic == "hand":
                lesson = replace(lesson, text=(*lesson.text, _(HELP).format(again=AGAIN, open=OPEN)))
            lines += lesson_lines(lesson)
        return lines

    async def filter(self, commands: AsyncIterator[str], reply: Callable[[str, list[str]], None]) -> AsyncIterator[str]:
        """The commands without the two that are answered here."""
        async for command in commands:
            word = command.strip().lower()
            if word == AGAIN and self._course.latest is not None:
                reply(AGAIN, lesson_lines(self._course.latest))
            elif word == OPEN:
                reply(OPEN, self._hands())
            else:
                yield command

    def _hands(self) -> list[str]:
        """The bots' cards as they are now."""
        snapshot = self._client.snapshot
        moment = Moment(snapshot, self._client.open_hands(snapshot), self._ascii)
        hands = [
            _("open {name}: {cards}").format(name=moment.name(seat), cards=moment.cards(cards))
            for seat, cards in moment.open_hands.items()
        ]
        return hands or [_("open: no cards are dealt yet")]


def lesson_lines(lesson: Lesson) -> list[str]:
    """The title, then the text, each line marked."""
    mark = _("lesson:")
    return [f"{mark} {row}" for row in (lesson.title, *lesson.rows(TEXT_CELLS - text_width(mark) - 1))]
