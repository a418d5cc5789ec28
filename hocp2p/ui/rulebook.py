"""The rules for players: what ``hocp2p rules`` prints.

Plain paragraphs and terms with their meaning, wrapped to any width; no tables, so that a screen reader can read them.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Final

from hocp2p.game.house import CHOICES, MAX_DEALS, MAX_RAISE, Rules

MIN_WIDTH: Final = 24


@dataclass(frozen=True, slots=True)
class Term:
    """A word and what it means."""

    word: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it; the first part is a paragraph."""

    title: str
    body: tuple[str | Term, ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """A house rule: what it decides, and what each of its settings does. Numbers have no settings."""

    decides: str
    settings: dict[str, str]


OURS: Final = "(our choice)"

SWITCHES: Final[dict[str, Switch]] = {
    "deals": Switch(f"How many deals are played: any multiple of the number of players, up to {MAX_DEALS}.", {}),
    "ruin": Switch(
        "What happens to a player who has nothing left. Our choice.",
        {
            "off": "he plays on; his balance may fall below zero.",
            "on": "the session ends after the first deal that leaves anybody below zero.",
        },
    ),
    "raise_cap": Switch(
        f"The most that one raise may add to the level, from 1 to {MAX_RAISE}. "
        "The Encyclopédie has 20, and lets the players agree on less.",
        {},
    ),
    "double": Switch(
        "When the payments of a stake count twice, after a deal in which everybody passed.",
        {
            "per_stake": "each stake by itself: the one that was passed is doubled in the next deal.",
            "all_three": "only when all three stakes of a deal were passed; then all three are doubled, as the "
            "Encyclopédie has it.",
            "never": "pools are carried over, payments are never doubled.",
        },
    ),
    "point": Switch(
        "Which point is better.",
        {
            "cards": "the most cards of one suit; card points decide between equals.",
            "pips": "the highest total of card points in one suit, however many cards it takes.",
        },
    ),
    "lesser": Switch(
        "What the winner of Sequence or Tricon is paid for.",
        {
            "on": "every separate run or tricon that he shows: the best makes the lesser ones good, "
            "as the Encyclopédie has it.",
            "off": "his best one only.",
        },
    ),
    "fortuitous": Switch(
        "Whether a fortuitous hoc, a card that nobody can follow, earns anything.",
        {"paid": "1 jeton from every opponent, like a fixed hoc.", "unpaid": "only the lead."},
    ),
    "hold_back": Switch(
        "What your client does when you want to hold back a card that you must play. Our choice.",
        {
            "refused": "it does not offer it. Somebody with a changed client who does it all the same is fined.",
            "fined": "it lets you, after a warning, and you are fined.",
        },
    ),
}

SECTIONS: Final[tuple[Section, ...]] = (
    Section(
        "The game in short",
        (
            "Hoc Mazarin is a court game of seventeenth-century France for two or three players. A deal has two "
            "halves. First three stakes are bid for, one after the other, and bluffing is part of it: Point, Sequence "
            "and Tricon. Then the same cards are played off in rising order, and whoever is rid of his hand first is "
            "paid by the others. Six cards, the hocs, may stand for any card.",
            "Amounts are in jetons. A fiche is worth 10.",
        ),
    ),
    Section(
        "Table and cards",
        (
            "You play with 52 cards. In every suit the order is A 2 3 4 5 6 7 8 9 10 J Q K, and the ace is low. "
            "Jack, queen and king are courts.",
            "Two players get 15 cards each, three get 12 each, one at a time. The cards that are left, 22 or 16 of "
            "them, sleep: nobody sees them, neither during the deal nor after it.",
            "Everybody begins with 20 jetons and 8 fiches, which makes 100 jetons.",
            "For the first deal each player draws a card and shows it. The lowest rank deals; players who tie for "
            "lowest draw again.",
            "Turns go to the right, against the clock. The player at the dealer's right is eldest: he speaks first, "
            "leads first, and deals next. The dealer speaks last, and the player at his left cuts. Wherever two "
            "players are equal, the one who sits closer to eldest in turn order has the better position and wins.",
            "A session is an agreed number of deals, so that everybody deals equally often. Pools that are still "
            "full at its end go back to the players in equal parts; what does not divide goes, one jeton each, to the "
            f"best positions of the last deal {OURS}.",
        ),
    ),
    Section(
        "Stakes and auctions",
        (
            "Before every deal each player puts in 3 jetons, one into each of three pools. Point is decided first, "
            "then Sequence, then Tricon. Eldest opens each auction, and the turn goes round until everybody has "
            "either given the stake up or matched the level since the last raise. Everybody speaks at least once, "
            "unless all the others have given up. You may say:",
            Term("pass", "(je passe) while nobody has opened. You may still come in when somebody does."),
            Term("declare", "(j'accuse) while nobody has opened. You open at level 0 and put nothing in."),
            Term(
                "raise",
                "(je renvie) in any turn. You lift the level by 1 to 20 jetons and put in what you then owe to it. "
                "Opens if nobody has. There may be any number of raises.",
            ),
            Term("stay", "(je tiens) when somebody has opened. You put in what you still owe to the level."),
            Term("good", "(c'est bon) when somebody has opened. You give the stake up; what you put in stays in."),
            "When you put yourself in for Sequence or Tricon, by declaring, raising or staying, you announce a "
            "class: tierce, quart or quint; brelan or fredon. It may be a lie. With a later raise you may announce a "
            "higher class. In Point nothing is announced.",
            "If everybody passes, the pool stays on the table and grows by the next antes; in the next deal the "
            "payments of this stake are doubled. They are never more than doubled, however often the stake is passed "
            f"{OURS}.",
        ),
    ),
    Section(
        "What wins a stake",
        (
            "Each stake asks for something else:",
            Term(
                "Point",
                "the most cards of one suit. If equal, the higher card points of those cards: courts and tens count "
                "10, aces 1, the others their number. If equal again, position.",
            ),
            Term(
                "Sequence",
                "the longest run of three or more consecutive cards of one suit: a tierce is three cards, a quart "
                "four, a quint five or more. A longer run beats a shorter one, six cards beat five, though both are "
                "paid as quints. If equal, the higher top card; if equal again, position. Runs do not go from king "
                "to ace.",
            ),
            Term(
                "Tricon",
                "cards of one rank: a fredon is four of them, a brelan three. A fredon beats a brelan; between equals "
                "the higher rank wins.",
            ),
            "A run with a king at its top, and a brelan or fredon of kings, is major. All others are simple.",
        ),
    ),
    Section(
        "Who is paid for a stake",
        (
            "If only one player is left in, he takes the pool and need not show anything. In Sequence and Tricon every "
            "other player also pays him for the class that he announced, at the simple rate, unseen. To be paid "
            "for more, such as a major, a higher class or further combinations, he shows cards instead, and is paid "
            "for what he shows.",
            "If two or more are left in, there is a showdown. From eldest on, each announces what he has, or says good "
            "if he has nothing or nothing better than he has heard. The best announcement shows its cards and takes "
            "the pool. In Sequence and Tricon every other player pays the winner for what he shows, even those who "
            "gave up early. Point pays the pool and nothing else.",
            "These are the payments from each other player. A doubled stake pays twice as much.",
            Term("tierce", "simple 1, major 2."),
            Term("quart", "simple 2, major 3."),
            Term("quint", "simple 3, major 4."),
            Term("brelan", "simple 2, major 4."),
            Term("fredon", "simple 4, major 8."),
            "The winner is paid for every separate run or tricon that he shows. Parts of one run do not count again.",
            "If nobody in the showdown holds a valid combination, since all were bluffing, the best position takes the "
            f"pool and nothing else is paid {OURS}.",
            "To announce in a showdown what you cannot show costs a fine of 5. You are out of that showdown, and the "
            f"others announce afresh {OURS}.",
        ),
    ),
    Section(
        "Carte blanche",
        (
            "After Tricon a player who was dealt no court may claim carte blanche, and every other player pays him "
            "10. If two or more claim it, nobody pays. It is never doubled. Your client proves that you hold no "
            "court, and does not show your hand.",
        ),
    ),
    Section(
        "The play",
        (
            "Eldest leads any card. From then on the next higher rank is called, in any suit. He goes on as long as "
            "he can and likes to, and then names the rank that he does not play: '6, 7, sans 8'. The player at "
            "his right plays an 8 and goes on from there, or says 'sans 8' too.",
            "If you hold the called rank in an ordinary card, you must play it, or a fixed hoc in its place. "
            "Sans therefore says: I hold no ordinary card of that rank. Your client proves that it is true, and shows "
            "nothing else of your hand. Who lets the turn go by without that proof has held a card back: he is "
            "fined 5, and the turn passes.",
            "If nobody plays the called rank, the last card on the table is a fortuitous hoc. Its player leads any "
            "card to a new run, says 'Hoc!', and every opponent pays him 1. It is said and paid when he leads.",
            "A run never goes beyond the king, since every king is a fixed hoc.",
        ),
    ),
    Section(
        "The six fixed hocs",
        (
            "They are the four kings, the queen of spades and the jack of diamonds: K♣ K♠ K♥ K♦ Q♠ J♦.",
            "A fixed hoc may be led, or played for any called rank, its own included. Its player says 'Hoc!', every "
            "opponent pays him 1 at once, and he leads any card to a new run. You never have to play a fixed hoc: "
            "you may say sans and keep it, even when its own rank is called.",
        ),
    ),
    Section(
        "The end of a deal",
        (
            "The deal ends when a hand is empty. A fixed hoc played as the last card is still paid. An ordinary last "
            "card is never a fortuitous hoc, since no new run is led. Each opponent pays the winner for the cards "
            "that he still holds:",
            Term("1 card", "6 jetons."),
            Term("2 cards", "8 jetons in all."),
            Term("3 to 9 cards", "1 jeton for each."),
            Term("10 cards and more", "2 jetons for each."),
        ),
    ),
    Section(
        "Fines",
        (
            "Two things are fined, each with 5 jetons into the Point pool of the next deal: holding back a card that "
            "must be played, and announcing in a showdown what you cannot show. A bluff in the auction is no fault.",
        ),
    ),
    Section(
        "When somebody is gone",
        (
            "If a seat is lost for good in the middle of a deal, it passes or says good in every auction and is passed "
            "over in the play, without a fine. Its cards sleep. It still pays what the rules make it pay, by the "
            f"number of cards that it has left, and gets its part of the pools at the end of the session {OURS}.",
        ),
    ),
)

_HOUSE_RULES: Final = (
    "The table agrees on these before the first deal. The setting that is played if nobody changes it comes first; "
    "the text above describes it."
)
_SOURCES: Final = Section(
    "Sources",
    (
        "The Encyclopédie of Diderot and d'Alembert (article HOC), the Académie des Jeux Oubliés, and the seventh "
        "edition of the Dictionnaire de l'Académie française. Where they disagree, a house rule lets you choose. "
        "Where we found them silent, the choice is ours; it is marked as our choice.",
        "The proofs are ours too: at a real table the players look.",
    ),
)


def sections() -> tuple[Section, ...]:
    """The whole book in its order, the house rules and the sources last. The first one is number 1."""
    return (*SECTIONS, _house_section(), _SOURCES)


def format_rulebook(width: int) -> str:
    """The rules of the game and all house rules as text, with a line end after every line.

    Args:
        width: columns; no line is longer. Fewer than ``MIN_WIDTH`` count as so many.
    """
    chapters = [_wrap("The rules of Hoc Mazarin", max(width, MIN_WIDTH))]
    for number, section in enumerate(sections(), 1):
        chapters += format_section(number, section, width)
    return "\n\n".join(chapters) + "\n"


def format_section(number: int, section: Section, width: int) -> list[str]:
    """The heading and then each paragraph with the terms under it, without line ends after them; see above."""
    width = max(width, MIN_WIDTH)
    return [_wrap(f"{number}. {section.title.upper()}", width, hang=3), *_format_body(section.body, width)]


def _house_section() -> Section:
    """Every switch of ``Rules``, in its order, the default first."""
    body: list[str | Term] = [_HOUSE_RULES]
    for name, default in Rules().to_dict().items():
        choices = CHOICES.get(name, (str(default),))
        body.append(f"{name} = {' | '.join(choices)}. {SWITCHES[name].decides}")
        body += [Term(setting, meaning) for setting, meaning in SWITCHES[name].settings.items()]
    return Section("House rules", tuple(body))


def _format_body(body: tuple[str | Term, ...], width: int) -> list[str]:
    """Paragraphs, wrapped; a term stands under the paragraph before it without a blank line."""
    blocks: list[str] = []
    for part in body:
        if isinstance(part, str):
            blocks.append(_wrap(part, width))
        else:
            blocks[-1] += "\n" + _wrap(f"  {part.word}: {part.meaning}", width, hang=4)
    return blocks


def _wrap(text: str, width: int, hang: int = 0) -> str:
    return textwrap.fill(text, width, subsequent_indent=" " * hang)
