"""The text of the rules for players, in English; :mod:`hocp2p.ui.rulebook` translates it and puts it into lines.

Paragraphs and terms with their meaning: no tables, so that a screen reader can read them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hocp2p.ui.lang import N_
from hocp2p.ui.names import labelled


@dataclass(frozen=True, slots=True)
class Term:
    """A word and what it means."""

    word: str
    meaning: str

    def __str__(self) -> str:
        return labelled(self.word, self.meaning)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it; the first part is a paragraph."""

    title: str
    body: tuple[str | Term, ...]


SECTIONS: Final[tuple[Section, ...]] = (
    Section(
        N_("The game in short"),
        (
            N_(
                "Hoc Mazarin is a court game of seventeenth-century France for two or three players. A deal has two "
                "halves. First three stakes are bid for, one after the other, and bluffing is part of it: Point, "
                "Sequence and Tricon. Then the same cards are played off in rising order, and whoever is rid of his "
                "hand first is paid by the others. Six cards, the hocs, may stand for any card."
            ),
            N_("Amounts are in jetons. A fiche is worth 10."),
        ),
    ),
    Section(
        N_("Table and cards"),
        (
            N_(
                "You play with 52 cards. In every suit the order is A 2 3 4 5 6 7 8 9 10 J Q K, and the ace is low. "
                "Jack, queen and king are courts."
            ),
            N_(
                "Two players get 15 cards each, three get 12 each, one at a time. The cards that are left, 22 or 16 of "
                "them, sleep: nobody sees them, neither during the deal nor after it."
            ),
            N_("Everybody begins with 20 jetons and 8 fiches, which makes 100 jetons."),
            N_(
                "For the first deal each player draws a card and shows it. The lowest rank deals; players who tie for "
                "lowest draw again."
            ),
            N_(
                "Turns go to the right, against the clock. The player at the dealer's right is eldest: he speaks "
                "first, leads first, and deals next. The dealer speaks last, and the player at his left cuts. Wherever "
                "two players are equal, the one who sits closer to eldest in turn order has the better position and "
                "wins."
            ),
            N_(
                "A session is an agreed number of deals, so that everybody deals equally often. Pools that are still "
                "full at its end go back to the players in equal parts; what does not divide goes, one jeton each, to "
                "the best positions of the last deal (our choice)."
            ),
        ),
    ),
    Section(
        N_("Stakes and auctions"),
        (
            N_(
                "Before every deal each player puts in 3 jetons, one into each of three pools. Point is decided first, "
                "then Sequence, then Tricon. Eldest opens each auction, and the turn goes round until everybody has "
                "either given the stake up or matched the level since the last raise. Everybody speaks at least once, "
                "unless all the others have given up. You may say:"
            ),
            Term(N_("pass"), N_("(je passe) while nobody has opened. You may still come in when somebody does.")),
            Term(N_("declare"), N_("(j'accuse) while nobody has opened. You open at level 0 and put nothing in.")),
            Term(
                N_("raise"),
                N_(
                    "(je renvie) in any turn. You lift the level by 1 to 20 jetons and put in what you then owe to it. "
                    "Opens if nobody has. There may be any number of raises."
                ),
            ),
            Term(N_("stay"), N_("(je tiens) when somebody has opened. You put in what you still owe to the level.")),
            Term(
                N_("good"), N_("(c'est bon) when somebody has opened. You give the stake up; what you put in stays in.")
            ),
            N_(
                "When you put yourself in for Sequence or Tricon, by declaring, raising or staying, you announce a "
                "class: tierce, quart or quint; brelan or fredon. It may be a lie. With a later raise you may announce "
                "a higher class. In Point nothing is announced."
            ),
            N_(
                "If everybody passes, the pool stays on the table and grows by the next antes; in the next deal the "
                "payments of this stake are doubled. They are never more than doubled, however often the stake is "
                "passed (our choice)."
            ),
        ),
    ),
    Section(
        N_("What wins a stake"),
        (
            N_("Each stake asks for something else:"),
            Term(
                N_("Point"),
                N_(
                    "the most cards of one suit. If equal, the higher card points of those cards: courts and tens "
                    "count 10, aces 1, the others their number. If equal again, position."
                ),
            ),
            Term(
                N_("Sequence"),
                N_(
                    "the longest run of three or more consecutive cards of one suit: a tierce is three cards, a quart "
                    "four, a quint five or more. A longer run beats a shorter one, six cards beat five, though both "
                    "are paid as quints. If equal, the higher top card; if equal again, position. Runs do not go from "
                    "king to ace."
                ),
            ),
            Term(
                N_("Tricon"),
                N_(
                    "cards of one rank: a fredon is four of them, a brelan three. A fredon beats a brelan; between "
                    "equals the higher rank wins."
                ),
            ),
            N_("A run with a king at its top, and a brelan or fredon of kings, is major. All others are simple."),
        ),
    ),
    Section(
        N_("Who is paid for a stake"),
        (
            N_(
                "If only one player is left in, he takes the pool and need not show anything. In Sequence and Tricon "
                "every other player also pays him for the class that he announced, at the simple rate, unseen. To be "
                "paid for more, such as a major, a higher class or further combinations, he shows cards instead, and "
                "is paid for what he shows."
            ),
            N_(
                "If two or more are left in, there is a showdown. From eldest on, each announces what he has, or says "
                "good if he has nothing or nothing better than he has heard. The best announcement shows its cards and "
                "takes the pool. In Sequence and Tricon every other player pays the winner for what he shows, even "
                "those who gave up early. Point pays the pool and nothing else."
            ),
            N_("These are the payments from each other player. A doubled stake pays twice as much."),
            Term(N_("tierce"), N_("simple 1, major 2.")),
            Term(N_("quart"), N_("simple 2, major 3.")),
            Term(N_("quint"), N_("simple 3, major 4.")),
            Term(N_("brelan"), N_("simple 2, major 4.")),
            Term(N_("fredon"), N_("simple 4, major 8.")),
            N_(
                "The winner is paid for every separate run or tricon that he shows. Parts of one run do not count "
                "again."
            ),
            N_(
                "If nobody in the showdown holds a valid combination, since all were bluffing, the best position takes "
                "the pool and nothing else is paid (our choice)."
            ),
            N_(
                "To announce in a showdown what you cannot show costs a fine of 5. You are out of that showdown, and "
                "the others announce afresh (our choice)."
            ),
        ),
    ),
    Section(
        N_("Carte blanche"),
        (
            N_(
                "After Tricon a player who was dealt no court may claim carte blanche, and every other player pays him "
                "10. If two or more claim it, nobody pays. It is never doubled. Your client proves that you hold no "
                "court, and does not show your hand."
            ),
        ),
    ),
    Section(
        N_("The play"),
        (
            N_(
                "Eldest leads any card. From then on the next higher rank is called, in any suit. He goes on as long "
                "as he can and likes to, and then names the rank that he does not play: '6, 7, sans 8'. The player at "
                "his right plays an 8 and goes on from there, or says 'sans 8' too."
            ),
            N_(
                "If you hold the called rank in an ordinary card, you must play it, or a fixed hoc in its place. Sans "
                "therefore says: I hold no ordinary card of that rank. Your client proves that it is true, and shows "
                "nothing else of your hand. Who lets the turn go by without that proof has held a card back: he is "
                "fined 5, and the turn passes."
            ),
            N_(
                "If nobody plays the called rank, the last card on the table is a fortuitous hoc. Its player leads any "
                "card to a new run, says 'Hoc!', and every opponent pays him 1. It is said and paid when he leads."
            ),
            N_("A run never goes beyond the king, since every king is a fixed hoc."),
        ),
    ),
    Section(
        N_("The six fixed hocs"),
        (
            N_("They are the four kings, the queen of spades and the jack of diamonds: K♣ K♠ K♥ K♦ Q♠ J♦."),
            N_(
                "A fixed hoc may be led, or played for any called rank, its own included. Its player says 'Hoc!', "
                "every opponent pays him 1 at once, and he leads any card to a new run. You never have to play a fixed "
                "hoc: you may say sans and keep it, even when its own rank is called."
            ),
        ),
    ),
    Section(
        N_("The end of a deal"),
        (
            N_(
                "The deal ends when a hand is empty. A fixed hoc played as the last card is still paid. An ordinary "
                "last card is never a fortuitous hoc, since no new run is led. Each opponent pays the winner for the "
                "cards that he still holds:"
            ),
            Term(N_("1 card"), N_("6 jetons.")),
            Term(N_("2 cards"), N_("8 jetons in all.")),
            Term(N_("3 to 9 cards"), N_("1 jeton for each.")),
            Term(N_("10 cards and more"), N_("2 jetons for each.")),
        ),
    ),
    Section(
        N_("Fines"),
        (
            N_(
                "Two things are fined, each with 5 jetons into the Point pool of the next deal: holding back a card "
                "that must be played, and announcing in a showdown what you cannot show. A bluff in the auction is no "
                "fault."
            ),
        ),
    ),
    Section(
        N_("When somebody is gone"),
        (
            N_(
                "If a seat is lost for good in the middle of a deal, it passes or says good in every auction and is "
                "passed over in the play, without a fine. Its cards sleep. It still pays what the rules make it pay, "
                "by the number of cards that it has left, and gets its part of the pools at the end of the session "
                "(our choice)."
            ),
        ),
    ),
)

HOUSE_RULES: Final = N_(
    "The table agrees on these before the first deal. The setting that is played if nobody changes it comes first; "
    "the text above describes it."
)
SOURCES: Final = Section(
    N_("Sources"),
    (
        N_(
            "The Encyclopédie of Diderot and d'Alembert (article HOC), the Académie des Jeux Oubliés, and the seventh "
            "edition of the Dictionnaire de l'Académie française. Where they disagree, a house rule lets you choose. "
            "Where we found them silent, the choice is ours; it is marked as our choice."
        ),
        N_("The proofs are ours too: at a real table the players look."),
    ),
)
