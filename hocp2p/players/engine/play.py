"""The stops game (RULES 3) by counts: the pure second phase, as fast as plain Python has it.

Players are numbered by *place*, from eldest in turn order: place 0 leads. An action is a small number: a class 1 to 13
plays a card of it (13: a fixed hoc), ``SANS`` and ``HOLD`` end the turn. What a card's suit is makes no difference to
anything that follows, so it is not here; :mod:`hocp2p.players.engine.deal` keeps it.

Nothing is verified: only one of :meth:`Play.legal` may be performed. The rules themselves stand in ``hocp2p.game``,
and the tests compare the two move by move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from hocp2p.game.cards import KING
from hocp2p.game.house import FINE, HAND_SIZE
from hocp2p.game.payments import cards_left_due
from hocp2p.game.play import HOC_PAY
from hocp2p.players.engine.masks import FIELDS, HOC, UNITS, classes_in, size_of
from hocp2p.players.engine.places import NOBODY

SANS: Final = 0
HOLD: Final = HOC + 1

CARDS_DUE: Final = tuple(cards_left_due(left) for left in range(max(HAND_SIZE.values()) + 1))
"""What so many cards left cost (rule 3.3)."""

Choose = Callable[["Play", tuple[int, ...]], int]
"""Picks one of several legal actions."""


def _sets_of_classes() -> tuple[tuple[int, ...], ...]:
    """By set of classes (bits 1 to 13, shifted down by one), the classes in it."""
    found: list[tuple[int, ...]] = [()]
    for number in range(1, HOC + 1):
        found += [(*members, number) for members in found]
    return tuple(found)


LEADS: Final = _sets_of_classes()


def _answers(hold_back: bool) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """By rank called, then by whether the hand has an ordinary card of it (1) and a hoc (2): what is legal (3.1)."""
    table = []
    for called in range(KING + 1):
        refuse = (HOLD,) if hold_back else ()
        table.append(((SANS,), (called, *refuse), (HOC, SANS), (called, HOC, *refuse)))
    table[KING] = ((SANS,), (), (HOC, SANS), (HOC, SANS))  # the class HOC is met here as the rank called, too
    return tuple(table)


ANSWERS: Final = {hold_back: _answers(hold_back) for hold_back in (False, True)}


class Play:
    """The state of the stops game, changed in place.

    Args:
        hands: by place, the count of the cards in hand (:func:`hocp2p.players.engine.masks.count_of`).
        hold_back: whether *hold* is offered (house rule ``hold_back = fined``).
        fortuitous: whether a fortuitous hoc is paid.
        gone: places lost for good, as bits; they are passed over.

    Attributes:
        seats: 2 or 3.
        hands: by place, the count of the cards in hand.
        held: by place, the set of classes in hand, bit 1 to 13.
        left: by place, the number of cards in hand.
        turn: whose turn it is; ``NOBODY`` when the game is over.
        called: the rank called, 0 when ``turn`` leads.
        last: who played the last card of the open run; ``NOBODY`` before the first.
        due: whether the leader's last card was a fortuitous hoc, told with his next lead.
        sans: by place, the ranks to which it has said *sans*, as bits.
        played: the count of all cards that were played.
        hocs: by place, hocs that were paid to it.
        fines: by place, fines for holding back.
        winner: who went out; ``NOBODY`` until then.
    """

    __slots__ = (
        "answers",
        "called",
        "due",
        "fines",
        "fortuitous",
        "gone",
        "hands",
        "held",
        "hocs",
        "last",
        "left",
        "played",
        "sans",
        "seats",
        "turn",
        "winner",
    )

    def __init__(
        self, hands: Sequence[int], *, hold_back: bool = False, fortuitous: bool = True, gone: int = 0
    ) -> None:
        self.seats = len(hands)
        self.hands = list(hands)
        self.held = [classes_in(count) for count in hands]
        self.left = [size_of(count) for count in hands]
        self.turn = next(place for place in range(self.seats) if not gone >> place & 1)
        self.called = 0
        self.last = NOBODY
        self.due = False
        self.sans = [0] * self.seats
        self.played = 0
        self.hocs = [0] * self.seats
        self.fines = [0] * self.seats
        self.winner = NOBODY
        self.answers = ANSWERS[hold_back]
        self.fortuitous = fortuitous
        self.gone = gone

    def copy(self) -> Play:
        """Another state like this one."""
        new = Play.__new__(Play)
        new.seats = self.seats
        new.hands = self.hands[:]
        new.held = self.held[:]
        new.left = self.left[:]
        new.turn = self.turn
        new.called = self.called
        new.last = self.last
        new.due = self.due
        new.sans = self.sans[:]
        new.played = self.played
        new.hocs = self.hocs[:]
        new.fines = self.fines[:]
        new.winner = self.winner
        new.answers = self.answers
        new.fortuitous = self.fortuitous
        new.gone = self.gone
        return new

    def with_hands(self, hands: Sequence[int]) -> Play:
        """The same moment with other cards in the hands: counts by place, of as many cards each."""
        new = self.copy()
        new.hands = list(hands)
        new.held = [classes_in(count) for count in hands]
        return new

    def legal(self) -> tuple[int, ...]:
        """What a rule-abiding player may do: classes ascending, then *sans* or *hold*; empty when the game is over."""
        turn = self.turn
        if turn < 0:
            return ()
        held = self.held[turn]
        called = self.called
        if not called:
            return LEADS[held >> 1]
        return self.answers[called][(held >> called & 1) | (held >> HOC & 1) << 1]

    def apply(self, action: int) -> None:
        """Performs one of the legal actions."""
        turn = self.turn
        if SANS < action < HOLD:
            hand = self.hands[turn] - UNITS[action]
            self.hands[turn] = hand
            if not hand & FIELDS[action]:
                self.held[turn] ^= 1 << action
            self.played += UNITS[action]
            if self.due:
                self.due = False
                if self.fortuitous:
                    self.hocs[turn] += 1
            if action == HOC:
                self.hocs[turn] += 1
                self.called = 0
            else:
                self.called = action + 1
            self.last = turn
            self.left[turn] -= 1
            if not hand:
                self.winner = turn
                self.turn = NOBODY
            return
        if action == SANS:
            self.sans[turn] |= 1 << self.called
        else:
            self.fines[turn] += 1
        self._pass_on(turn)

    def _pass_on(self, turn: int) -> None:
        """The turn goes to the right; back at the last card's player, that card was a fortuitous hoc."""
        last = self.last
        turn = turn + 1 if turn + 1 < self.seats else 0
        while turn != last and self.gone >> turn & 1:
            turn = turn + 1 if turn + 1 < self.seats else 0
        if turn == last:
            self.called = 0
            self.due = not self.gone >> last & 1
            while self.gone >> turn & 1:
                turn = turn + 1 if turn + 1 < self.seats else 0
        self.turn = turn

    def hoc_pay(self) -> list[int]:
        """By place, what the hocs have brought so far."""
        total = sum(self.hocs)
        return [HOC_PAY * (self.seats * mine - total) for mine in self.hocs]

    def cards_pay(self) -> list[int]:
        """By place, what the cards that are left bring and cost (rule 3.3); nothing before the end."""
        if self.winner < 0:
            return [0] * self.seats
        pay = [-CARDS_DUE[left] for left in self.left]  # no cards left cost nothing
        pay[self.winner] = -sum(pay)
        return pay

    def fines_pay(self) -> list[int]:
        """By place, the fines; they go to the next deal's Point pool."""
        return [-FINE * count for count in self.fines]

    def net(self) -> list[int]:
        """By place, change of balance in the play."""
        return [sum(column) for column in zip(self.hoc_pay(), self.cards_pay(), self.fines_pay(), strict=True)]

    def play_out(self, choose: Choose) -> None:
        """Goes on to the end. ``choose`` is asked only where more than one action is legal."""
        while self.turn >= 0:
            legal = self.legal()
            self.apply(legal[0] if len(legal) == 1 else choose(self, legal))
