"""A whole deal in the fast engine: :class:`Stakes`, then :class:`Play`, and the cards that were played. RULES 1 to 4.

Players are numbered by *place*, from eldest in turn order; actions are the numbers of
:mod:`hocp2p.players.engine.codes`, and a card is played by its index. See ``convert`` for the way to and from
``hocp2p.game``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hocp2p.game.house import FINE, HAND_SIZE, Rules
from hocp2p.players.engine import codes
from hocp2p.players.engine.house import House
from hocp2p.players.engine.masks import BITS, CLASS_MASKS, CLASS_OF, count_of, indices_by_suit, indices_of
from hocp2p.players.engine.play import HOLD, SANS, Play
from hocp2p.players.engine.stakes import OVER, PLAY, STAKES, Stakes


class Settlement(NamedTuple):
    """A finished deal, by place (``convert.by_seat`` turns it to seats).

    Args:
        pay: by source in the order of ``game.events.Source``, then by place.
        net: the sum of all sources.
        carry_after: what lies in the three pools for the next deal, fines included in Point.
        passed: stakes that everybody passed, as bits.
    """

    pay: tuple[tuple[int, ...], ...]
    net: tuple[int, ...]
    carry_after: tuple[int, int, int]
    passed: int


class Deal:
    """The state of a deal, changed in place.

    Attributes:
        stakes: the first phase.
        play: the second; None until it has begun.
        hands: by place, the mask of the cards in hand.
    """

    __slots__ = ("hands", "play", "stakes")

    def __init__(self, stakes: Stakes, play: Play | None = None, hands: Sequence[int] | None = None) -> None:
        self.stakes = stakes
        self.play = play
        self.hands = list(stakes.hands if hands is None else hands)

    @classmethod
    def of(cls, house: House, deck: Sequence[int], carry: Sequence[int] = (0, 0, 0), doubled: int = 0) -> Deal:
        """A new deal with the antes in.

        Args:
            house: the house rules.
            deck: card indices by deck position, dealt one at a time from eldest; what is over sleeps.
            carry: jetons in the three pools before the antes.
            doubled: stakes whose payments are doubled, as bits.
        """
        seats = house.seats
        end = seats * HAND_SIZE[seats]
        bit = BITS.__getitem__
        return cls(Stakes(house, [sum(map(bit, deck[place:end:seats])) for place in range(seats)], carry, doubled))

    def copy(self) -> Deal:
        """Another state like this one."""
        new = Deal.__new__(Deal)
        if self.play is None:
            new.stakes = self.stakes.copy()
            new.play = None
        else:
            new.stakes = self.stakes  # decided: it does not change any more
            new.play = self.play.copy()
        new.hands = self.hands[:]
        return new

    def with_hands(self, hands: Sequence[int]) -> Deal:
        """The same moment with other cards in hand: masks by place, of as many cards each."""
        if self.play is None:
            return Deal(self.stakes.with_hands(hands))
        return Deal(self.stakes, self.play.with_hands([count_of(hand) for hand in hands]), hands)

    @property
    def turn(self) -> int:
        """Whose turn it is; -1 when the deal is over."""
        return self.stakes.turn if self.play is None else self.play.turn

    @property
    def phase(self) -> int:
        """``stakes.AUCTION`` to ``stakes.OVER``."""
        if self.play is None:
            return self.stakes.phase
        return PLAY if self.play.turn >= 0 else OVER

    def legal(self) -> tuple[int, ...]:
        """What a rule-abiding player may do; empty when the deal is over.

        In the order of ``game.rules.legal_actions``, but for cards: leads go by index, answers by class.
        """
        play = self.play
        if play is None:
            return self.stakes.legal()
        turn = play.turn
        if turn < 0:
            return ()
        if not play.called:
            return indices_by_suit(self.hands[turn])
        found: list[int] = []
        for action in play.legal():
            if SANS < action < HOLD:
                found += indices_of(self.hands[turn] & CLASS_MASKS[action])
            else:
                found.append(codes.SANS if action == SANS else codes.HOLD)
        return tuple(found)

    def apply(self, action: int) -> None:
        """Performs one of the legal actions."""
        play = self.play
        if play is None:
            stakes = self.stakes
            stakes.apply(action)
            if stakes.phase == PLAY:
                self.begin_play()
        elif action < codes.SANS:
            self.hands[play.turn] ^= BITS[action]
            play.apply(CLASS_OF[action])
        else:
            play.apply(SANS if action == codes.SANS else HOLD)

    def begin_play(self) -> None:
        """The play, when the first phase is over. :meth:`apply` does it by itself."""
        house = self.stakes.house
        self.play = Play(
            [count_of(hand) for hand in self.hands],
            hold_back=house.hold_back,
            fortuitous=house.fortuitous,
            gone=self.stakes.gone,
        )

    def settle(self) -> Settlement:
        """The figures so far; of a finished deal, all of them."""
        stakes, seats = self.stakes, self.stakes.house.seats
        pay = [tuple(stakes.pay[seats * stake : seats * (stake + 1)]) for stake in range(STAKES)]
        fines = [-FINE * count for count in stakes.false]
        hocs = cards = [0] * seats
        if self.play is not None:
            hocs, cards = self.play.hoc_pay(), self.play.cards_pay()
            fines = [one + other for one, other in zip(fines, self.play.fines_pay(), strict=True)]
        pay += [tuple(stakes.blanche_pay()), tuple(hocs), tuple(cards), tuple(fines)]
        point, sequence, tricon = stakes.pools
        return Settlement(
            pay=tuple(pay),
            net=tuple(map(sum, zip(*pay, strict=True))),
            carry_after=(point - sum(fines), sequence, tricon),
            passed=stakes.passed,
        )


def doubled_after(rules: Rules, passed: int) -> int:
    """The stakes that are doubled in the next deal, as bits (house rule ``double``)."""
    doubles = rules.double == "per_stake" or (rules.double == "all_three" and passed == (1 << STAKES) - 1)
    return passed if doubles else 0
