"""The play with open cards, solved exactly: two players by alpha-beta, three by max^n when few cards are left.

What is to come does not depend on what was paid before, and with open cards it does not matter what was denied. So a
position is: the hands, whose turn, the rank called, who played the last card. A fortuitous hoc is reckoned when it
falls to somebody, since he must lead next. Nobody holds a card back. The searches keep their path in a list of their
own and remember positions: alpha-beta with bounds (Knuth and Moore 1975; bounds as in MTD(f), Plaat et al. 1996),
max^n (Luckhardt and Irani 1986) with values; of equal actions it takes the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from hocp2p.errors import LocalError
from hocp2p.game.cards import KING
from hocp2p.game.play import HOC_PAY
from hocp2p.players.engine.masks import COUNT_BITS, FIELDS, HOC, UNITS, classes_in, number_of, size_of
from hocp2p.players.engine.play import CARDS_DUE, HOLD, LEADS, SANS, Play

Values = dict[int, tuple[int, ...]]
"""By action, what everybody wins from now on, by place, when it is performed."""

_HAND_BITS: Final = COUNT_BITS * (HOC + 1)
_HAND: Final = (1 << _HAND_BITS) - 1
_TURN: Final = 2 * _HAND_BITS  # where in a position the turn stands, then the rank called and its last player
_CALLED: Final = _TURN + 1
_LAST: Final = _CALLED + 4
_MOST: Final = 1000  # nobody wins so much
_END: Final = -1  # instead of a position

_Move = tuple[int, int]
"""What place 0 wins at once, and the position then, or ``_END``."""


class Solver:
    """Solves positions of one table; what it has found for one it uses for the next.

    Args:
        fortuitous: whether fortuitous hocs are paid.
        most_nodes: a position that takes more is given up; None: none is.

    Attributes:
        nodes: positions opened so far.
    """

    def __init__(self, *, fortuitous: bool = True, most_nodes: int | None = None) -> None:
        self.nodes = 0
        self._due = HOC_PAY if fortuitous else 0
        self._fortuitous = fortuitous
        self._most = most_nodes
        self._stop = 0
        self._bounds: dict[int, tuple[int, int]] = {}
        self._values: dict[tuple[int, ...], tuple[int, ...]] = {}

    def values(self, play: Play) -> Values | None:
        """The value of every legal action but *hold*; None when that takes too many nodes.

        Raises:
            LocalError: ``not-solvable``: the play is over, a seat is gone, or its hocs are paid by another rule.
        """
        self._begin(play)
        actions = [action for action in play.legal() if action != HOLD]
        try:
            if play.seats == 2:
                return {action: (won := self._two(play, action), -won) for action in actions}
            return {action: self._three(play, action) for action in actions}
        except _TooLong:
            return None

    def best(self, play: Play) -> tuple[int, int] | None:
        """The best action of two players but *hold*, and what whose turn it is wins from now on by it.

        It takes a fraction of the nodes of :meth:`values`: of the other actions it is only learnt that they are no
        better. None and errors as there; also ``not-solvable`` for three.
        """
        self._begin(play, seats=2)
        try:
            return self._best(play)
        except _TooLong:
            return None

    def value(self, play: Play, action: int) -> int | None:
        """What whose turn it is, of two, wins from now on by an action. None and errors as :meth:`best`."""
        self._begin(play, seats=2)
        try:
            return self._pay(play.turn, self._two(play, action))
        except _TooLong:
            return None

    def _begin(self, play: Play, seats: int | None = None) -> None:
        if play.turn < 0 or play.gone or play.fortuitous != self._fortuitous:
            raise LocalError("not-solvable", "only a play that goes on among all its seats can be solved here")
        if seats is not None and play.seats != seats:
            raise LocalError("not-solvable", f"this is solved for {seats} players only")
        self._stop = self.nodes + (self._most if self._most is not None else 1 << 62)

    # two players

    def _best(self, play: Play) -> tuple[int, int]:
        first = play.turn == 0
        best, most = HOLD, -_MOST if first else _MOST
        for action in play.legal() if play.called else _leads(play.hands[play.turn]):
            if action == HOLD:
                continue
            won = self._two(play, action, most if first else -_MOST, _MOST if first else most)
            if best == HOLD or (won > most if first else won < most):
                best, most = action, won
        return best, self._pay(play.turn, most)

    def _two(self, play: Play, action: int, alpha: int = -_MOST, beta: int = _MOST) -> int:
        """What place 0 wins from now on; only a bound where it is not between ``alpha`` and ``beta``."""
        gain, position = self._after(play.hands[0], play.hands[1], play.turn, play.called, play.last, action)
        if play.due:
            gain += self._pay(play.turn, self._due)
        return gain if position == _END else gain + self._search(position, alpha - gain, beta - gain)

    def _pay(self, place: int, jetons: int) -> int:
        return -jetons if place else jetons

    def _search(self, root: int, alpha: int, beta: int) -> int:
        """What place 0 wins from a position on; only a bound where it is not between ``alpha`` and ``beta``."""
        bounds = self._bounds
        low, high = bounds.get(root, (-_MOST, _MOST))
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
        path = [_Node(root, max(alpha, low), min(beta, high), self._moves(root))]
        while True:
            node = path[-1]
            move = next(node.moves, None) if node.alpha < node.beta else None
            if move is None:
                bounds[node.position] = node.bounds(*bounds.get(node.position, (-_MOST, _MOST)))
                path.pop()
                if not path:
                    return node.best
                path[-1].take(path[-1].gain + node.best)
                continue
            gain, position = move
            if position == _END:
                node.take(gain)
                continue
            low, high = bounds.get(position, (-_MOST, _MOST))
            alpha, beta = node.alpha - gain, node.beta - gain
            if low == high or low >= beta:
                node.take(gain + low)
            elif high <= alpha:
                node.take(gain + high)
            else:
                node.gain = gain
                path.append(_Node(position, max(alpha, low), min(beta, high), self._moves(position)))

    def _moves(self, position: int) -> Iterator[_Move]:
        """The actions of a position, each performed only when it is asked for."""
        self._count()
        zero, one = position & _HAND, position >> _HAND_BITS & _HAND
        turn, called, last = position >> _TURN & 1, position >> _CALLED & 15, position >> _LAST
        hand = one if turn else zero
        if not called:
            actions = _leads(hand)
        elif called < KING and hand & FIELDS[called]:
            actions = (called, HOC)
        else:
            actions = (SANS, HOC)
        return (self._after(zero, one, turn, called, last, action) for action in actions)

    def _after(self, zero: int, one: int, turn: int, called: int, last: int, action: int) -> _Move:
        """Performs an action, and after it all that leaves no choice."""
        gain = 0
        while True:
            if action == SANS:
                turn ^= 1
                if turn == last:
                    called = 0
                    gain += self._pay(turn, self._due)
            else:
                if turn:
                    one -= UNITS[action]
                else:
                    zero -= UNITS[action]
                if action == HOC:
                    gain += self._pay(turn, HOC_PAY)
                if not (one if turn else zero):
                    return gain + self._pay(turn, CARDS_DUE[size_of(zero if turn else one)]), _END
                called = 0 if action == HOC else action + 1
                last = turn
            hand = one if turn else zero
            if hand & FIELDS[HOC] or not called:
                break  # a choice, or a lead: seldom without one
            action = called if called < KING and hand & FIELDS[called] else SANS
        position = zero | one << _HAND_BITS | turn << _TURN | called << _CALLED
        return gain, position | last << _LAST if called else position

    # three players

    def _three(self, play: Play, action: int) -> tuple[int, ...]:
        after = play.copy()
        after.apply(action)
        value = self._search_all(after) if after.turn >= 0 else (0, 0, 0)
        return _minus(_plus(after.net(), value), play.net())

    def _search_all(self, root: Play) -> tuple[int, ...]:
        """By place, what everybody wins from a position on."""
        values = self._values
        path = [_Open(root)]
        while True:
            node = path[-1]
            action = next(node.actions, None)
            if action is None:
                values[node.position] = node.best
                path.pop()
                if not path:
                    return node.best
                path[-1].take(_plus(path[-1].gain, node.best))
                continue
            after = node.play.copy()
            after.apply(action)
            gain = _minus(after.net(), node.play.net())
            if after.turn < 0:
                node.take(gain)
                continue
            known = values.get(_position_of(after))
            if known is not None:
                node.take(_plus(gain, known))
            else:
                self._count()
                node.gain = gain
                path.append(_Open(after))

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self._stop:
            raise _TooLong


class _TooLong(Exception):  # noqa: N818 # never leaves this module
    """More nodes than allowed."""


class _Node:
    """A position of two players on the path: its window, the best so far, and the gain on the way to the open child."""

    __slots__ = ("alpha", "best", "beta", "first_alpha", "first_beta", "gain", "maximises", "moves", "position")

    def __init__(self, position: int, alpha: int, beta: int, moves: Iterator[_Move]) -> None:
        self.position = position
        self.alpha = self.first_alpha = alpha
        self.beta = self.first_beta = beta
        self.maximises = not position >> _TURN & 1
        self.best = -_MOST if self.maximises else _MOST
        self.moves = moves
        self.gain = 0

    def take(self, value: int) -> None:
        """One more action has this value, or at least or at most this one when it lies outside the window."""
        if self.maximises:
            self.best = max(self.best, value)
            self.alpha = max(self.alpha, value)
        else:
            self.best = min(self.best, value)
            self.beta = min(self.beta, value)

    def bounds(self, low: int, high: int) -> tuple[int, int]:
        """What is known of the value in the end, with what was known before."""
        if self.best > self.first_alpha:
            low = max(low, self.best)
        if self.best < self.first_beta:
            high = min(high, self.best)
        return low, high


class _Open:
    """A position of three players on the path."""

    __slots__ = ("actions", "best", "gain", "play", "position")

    def __init__(self, play: Play) -> None:
        self.play = play
        self.position = _position_of(play)
        self.actions = iter([action for action in play.legal() if action != HOLD])
        self.best: tuple[int, ...] = ()
        self.gain: tuple[int, ...] = ()

    def take(self, value: tuple[int, ...]) -> None:
        """One more action has this value."""
        if not self.best or value[self.play.turn] > self.best[self.play.turn]:
            self.best = value


def _position_of(play: Play) -> tuple[int, ...]:
    return (*play.hands, play.turn, play.called, play.last if play.called else 0, play.due)


@lru_cache(maxsize=1 << 16)
def _leads(hand: int) -> tuple[int, ...]:
    """Long chains first, of equal ones the higher; hocs last."""
    return tuple(
        sorted(LEADS[classes_in(hand) >> 1], key=lambda action: (action == HOC, -_chain(hand, action), -action))
    )


def _chain(hand: int, rank: int) -> int:
    """How many cards go down in a row when ``rank`` is led; a hoc is a chain of one."""
    end = rank + 1
    while end < KING and number_of(hand, end):
        end += 1
    return end - rank


def _plus(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _minus(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(one, other, strict=True))
