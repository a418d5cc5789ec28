"""The rules for players, wrapped to any width, with every house rule: what ``hocp2p rules`` prints."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Final

from hocp2p.game.house import CHOICES, MAX_DEALS, MAX_RAISE, Rules
from hocp2p.ui.cells import bind, unbind
from hocp2p.ui.lang import N_, _
from hocp2p.ui.rulebook_text import HOUSE_RULES, SECTIONS, SOURCES, Section, Term

__all__ = ["MIN_WIDTH", "SECTIONS", "SWITCHES", "Section", "Term", "format_rulebook", "format_section", "sections"]

MIN_WIDTH: Final = 24


@dataclass(frozen=True, slots=True)
class Switch:
    """A house rule, in English: what it decides, and what each of its settings does.

    Args:
        template: what it decides; with a place for ``most`` where it is a number.
        settings: by what is typed for it; a number has none.
        most: the greatest number.
    """

    template: str
    settings: dict[str, str]
    most: int = 0

    @property
    def decides(self) -> str:
        """What it decides, in the language in use."""
        return _(self.template).format(most=self.most)


SWITCHES: Final[dict[str, Switch]] = {
    "deals": Switch(
        N_("How many deals are played: any multiple of the number of players, up to {most}."), {}, MAX_DEALS
    ),
    "ruin": Switch(
        N_("What happens to a player who has nothing left. Our choice."),
        {
            "off": N_("he plays on; his balance may fall below zero."),
            "on": N_("the session ends after the first deal that leaves anybody below zero."),
        },
    ),
    "raise_cap": Switch(
        N_(
            "The most that one raise may add to the level, from 1 to {most}. "
            "The Encyclopédie has 20, and lets the players agree on less."
        ),
        {},
        MAX_RAISE,
    ),
    "double": Switch(
        N_("When the payments of a stake count twice, after a deal in which everybody passed."),
        {
            "per_stake": N_("each stake by itself: the one that was passed is doubled in the next deal."),
            "all_three": N_(
                "only when all three stakes of a deal were passed; then all three are doubled, as the "
                "Encyclopédie has it."
            ),
            "never": N_("pools are carried over, payments are never doubled."),
        },
    ),
    "point": Switch(
        N_("Which point is better."),
        {
            "cards": N_("the most cards of one suit; card points decide between equals."),
            "pips": N_("the highest total of card points in one suit, however many cards it takes."),
        },
    ),
    "lesser": Switch(
        N_("What the winner of Sequence or Tricon is paid for."),
        {
            "on": N_(
                "every separate run or tricon that he shows: the best makes the lesser ones good, "
                "as the Encyclopédie has it."
            ),
            "off": N_("his best one only."),
        },
    ),
    "fortuitous": Switch(
        N_("Whether a fortuitous hoc, a card that nobody can follow, earns anything."),
        {"paid": N_("1 jeton from every opponent, like a fixed hoc."), "unpaid": N_("only the lead.")},
    ),
    "hold_back": Switch(
        N_("What your client does when you want to hold back a card that you must play. Our choice."),
        {
            "refused": N_("it does not offer it. Somebody with a changed client who does it all the same is fined."),
            "fined": N_("it lets you, after a warning, and you are fined."),
        },
    ),
}


def sections() -> tuple[Section, ...]:
    """The whole book in its order and in the language in use, the house rules and the sources last.

    The first one is number 1.
    """
    return (*map(_translate, SECTIONS), _house_section(), _translate(SOURCES))


def format_rulebook(width: int) -> str:
    """The rules of the game and all house rules as text, with a line end after every line.

    Args:
        width: columns; no line is longer. Fewer than ``MIN_WIDTH`` count as so many.
    """
    chapters = [_wrap(_("The rules of Hoc Mazarin"), max(width, MIN_WIDTH))]
    for number, section in enumerate(sections(), 1):
        chapters += format_section(number, section, width)
    return "\n\n".join(chapters) + "\n"


def format_section(number: int, section: Section, width: int) -> list[str]:
    """The heading and then each paragraph with the terms under it, without line ends after them; see above."""
    width = max(width, MIN_WIDTH)
    return [_wrap(f"{number}. {section.title.upper()}", width, hang=3), *_format_body(section.body, width)]


def _translate(section: Section) -> Section:
    body = (_(part) if isinstance(part, str) else Term(_(part.word), _(part.meaning)) for part in section.body)
    return Section(_(section.title), tuple(body))


def _house_section() -> Section:
    """Every switch of ``Rules``, in its order, the default first."""
    body: list[str | Term] = [_(HOUSE_RULES)]
    for name, default in Rules().to_dict().items():
        choices = CHOICES.get(name, (str(default),))
        body.append(f"{name} = {' | '.join(choices)}. {SWITCHES[name].decides}")
        body += [Term(setting, _(meaning)) for setting, meaning in SWITCHES[name].settings.items()]
    return Section(_("House rules"), tuple(body))


def _format_body(body: tuple[str | Term, ...], width: int) -> list[str]:
    """Paragraphs, wrapped; a term stands under the paragraph before it without a blank line."""
    blocks: list[str] = []
    for part in body:
        if isinstance(part, str):
            blocks.append(_wrap(part, width))
        else:
            blocks[-1] += "\n" + _wrap(f"  {part}", width, hang=4)
    return blocks


def _wrap(text: str, width: int, hang: int = 0) -> str:
    return unbind(textwrap.fill(bind(text), width, subsequent_indent=" " * hang))
