"""What a practice deal explains, and when: each phase as it comes, each thing once. Pure."""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from hocp2p.game.cards import Card
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui import lesson_play, lesson_stakes
from hocp2p.ui.cells import wrap
from hocp2p.ui.lang import N_, _
from hocp2p.ui.lesson_moment import Moment, Text

TEXT_CELLS: Final = 76

OpenHands = Mapping[int, tuple[Card, ...]]

TOPICS: Final[dict[str, tuple[str, Callable[[Moment], Text]]]] = {
    "welcome": (N_("Welcome to the table"), lesson_stakes.welcome),
    "hand": (N_("Your hand"), lesson_stakes.hand),
    "passed": (N_("A stake that all have passed"), lesson_stakes.passed),
    "alone": (N_("A stake won alone"), lesson_stakes.alone),
    "shown": (N_("A stake won by showing"), lesson_stakes.shown),
    "nothing": (N_("Nobody had anything"), lesson_stakes.nothing),
    "point": (N_("The first stake: Point"), lesson_stakes.point),
    "sequence": (N_("The second stake: Sequence"), lesson_stakes.sequence),
    "tricon": (N_("The third stake: Tricon"), lesson_stakes.tricon),
    "opening": (N_("How a stake is opened"), lesson_stakes.opening_words),
    "answering": (N_("How a stake is answered"), lesson_stakes.answering_words),
    "showdown": (N_("The showdown"), lesson_stakes.showdown),
    "show": (N_("You have won a stake"), lesson_stakes.show),
    "blanche": (N_("Carte blanche"), lesson_stakes.blanche),
    "play": (N_("The second half: the play"), lesson_play.play),
    "lead": (N_("Your lead"), lesson_play.lead),
    "sans": (N_("Sans"), lesson_play.sans),
    "called": (N_("A rank is called"), lesson_play.called),
    "hocs": (N_("The six hocs"), lesson_play.hocs),
    "fortuitous": (N_("A hoc by luck"), lesson_play.fortuitous),
    "settlement": (N_("The end of the deal"), lesson_play.settlement),
    "fair": (N_("This deal was proved fair"), lesson_play.fair),
}
"""By topic its title and what writes it, in the order in which things are explained that are due together."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One explanation.

    Args:
        topic: of ``TOPICS``.
        title: a few words.
        text: paragraphs.
    """

    topic: str
    title: str
    text: Text

    def rows(self, cells: int = TEXT_CELLS, *, airy: bool = False) -> list[str]:
        """The text in rows of at most ``cells``; ``airy``: with a blank row between paragraphs."""
        rows: list[str] = []
        for paragraph in self.text:
            rows += [""] if rows and airy else []
            rows += wrap(paragraph, cells)
        return rows


def lesson(
    snapshot: TableSnapshot, open_hands: OpenHands, told: Collection[str] = (), *, ascii: bool = False
) -> Lesson | None:
    """The next thing to explain at this point; None: nothing.

    Args:
        snapshot: the picture that is seen.
        open_hands: hands of the others in it, by seat.
        told: topics that have been explained.
        ascii: letters for suits.
    """
    moment = Moment(snapshot, open_hands, ascii)
    if moment.view is not None and len(moment.hands) < moment.view.state.seats:
        return None  # the last cards are on their way
    for topic, (title, write) in TOPICS.items():
        if topic not in told:
            text = tuple(paragraph for paragraph in write(moment) if paragraph)
            if text:
                return Lesson(topic, _(title), text)
    return None


class Course:
    """The explanations of one practice deal: what was told, and the latest.

    Args:
        ascii: letters for suits.
    """

    def __init__(self, *, ascii: bool = False) -> None:
        self._ascii = ascii
        self._told: list[str] = []
        self.latest: Lesson | None = None

    def next(self, snapshot: TableSnapshot, open_hands: OpenHands) -> Lesson | None:
        """The next thing to explain, which counts as told from now on; None: nothing."""
        found = lesson(snapshot, open_hands, self._told, ascii=self._ascii)
        if found is not None:
            self._told.append(found.topic)
            self.latest = found
        return found
