"""The first phase of a deal: the three stakes and carte blanche (RULES 2), with masks and small numbers.

Players are numbered by *place* (see ``places``), so place 0 speaks first and has the best position. Actions are the
numbers of :mod:`hocp2p.players.engine.codes`.

Nothing is verified: only one of :meth:`Stakes.legal` may be performed. The rules themselves stand in ``hocp2p.game``,
and the tests compare the two action by action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hocp2p.game.actions import Stake
from hocp2p.game.blanche import BLANCHE_PAY
from hocp2p.game.house import ANTE
from hocp2p.players.engine import codes
from hocp2p.players.engine.holdings import RATE, SUBSETS, Held, covers, holdings, part_shows, strength
from hocp2p.players.engine.house import NOT_IN, House, calls, flat_calls
from hocp2p.players.engine.masks import COURTS_MASK
from hocp2p.players.engine.places import FIRST, NEXT

AUCTION, SHOWDOWN, SHOW, BLANCHE, PLAY, OVER = range(6)
"""Phases in the order of ``game.state.Phase``."""

STAKES: Final = len(Stake)


class Stakes:
    """The state of the first phase, changed in place.

    Args:
        house: the house rules.
        hands: by place, the mask of the cards dealt.
        carry: jetons in the three pools before the antes.
        doubled: stakes whose payments are doubled, as bits.
        gone: places lost for good before the first word.

    Attributes:
        hands, doubled, gone: as given.
        phase, turn: ``AUCTION`` to ``BLANCHE``; ``PLAY`` when all is decided, and place ``turn`` leads.
        stake: 0 to 2; 3 after Tricon.
        pools: jetons by stake.
        pay: by stake and place (``seats * stake + place``), change of balance.
        passed: stakes that everybody passed, as bits.
        false: by place, false announcements.
        opened, level: of the auction.
        paid: by place, jetons put in beyond the ante.
        spoken: places that have spoken since the last raise; in the showdown, that have announced; last, whether
            about carte blanche.
        out: places that gave the stake up.
        announced: by place, the class number last announced; ``NOT_IN`` before the place has put itself in.
        contestants: places in the showdown.
        claims: by place, the code of what was announced there; 0 for none.
        blanche: places that claimed carte blanche.
    """

    __slots__ = (
        "announced",
        "blanche",
        "claims",
        "contestants",
        "doubled",
        "false",
        "gone",
        "hands",
        "house",
        "level",
        "opened",
        "out",
        "paid",
        "passed",
        "pay",
        "phase",
        "pools",
        "spoken",
        "stake",
        "turn",
    )

    def __init__(
        self,
        house: House,
        hands: Sequence[int],
        carry: Sequence[int] = (0, 0, 0),
        doubled: int = 0,
        gone: int = 0,
    ) -> None:
        seats = house.seats
        self.house = house
        self.hands = list(hands)
        self.doubled = doubled
        self.gone = gone
        self.pools = [pool + ANTE * seats for pool in carry]
        self.pay = [-ANTE] * (STAKES * seats)
        self.passed = 0
        self.false = [0] * seats
        self.contestants = 0
        self.claims = [0] * seats
        self.blanche = 0
        self._open(0)

    def copy(self) -> Stakes:
        """Another state like this one. The hands, which do not change here, are shared."""
        new = Stakes.__new__(Stakes)
        new.house = self.house
        new.hands = self.hands
        new.doubled = self.doubled
        new.gone = self.gone
        new.pools = self.pools[:]
        new.pay = self.pay[:]
        new.passed = self.passed
        new.false = self.false[:]
        new.contestants = self.contestants
        new.claims = self.claims[:]
        new.blanche = self.blanche
        new.phase = self.phase
        new.turn = self.turn
        new.stake = self.stake
        new.opened = self.opened
        new.level = self.level
        new.paid = self.paid[:]
        new.spoken = self.spoken
        new.out = self.out
        new.announced = self.announced[:]
        return new

    def with_hands(self, hands: Sequence[int]) -> Stakes:
        """The same moment with other cards: masks by place."""
        new = self.copy()
        new.hands = list(hands)
        return new

    def legal(self) -> tuple[int, ...]:
        """What a rule-abiding player may do, in the order of ``game.rules.legal_actions``; empty in the play."""
        phase = self.phase
        if phase == AUCTION:
            return flat_calls(self.house.raise_cap, self.opened, self.stake, self.announced[self.turn])
        if phase == SHOWDOWN:
            return self._announcements()
        if phase == SHOW:
            return self._shows()
        if phase == BLANCHE:
            return (codes.GO,) if self.hands[self.turn] & COURTS_MASK else (codes.BLANCHE, codes.GO)
        return ()

    def kinds(self) -> tuple[tuple[int, ...], ...]:
        """The same, in the auction parted by kind: giving up, declare or stay, raise."""
        if self.phase == AUCTION:
            return calls(self.house.raise_cap, self.opened, self.stake, self.announced[self.turn])
        return (self.legal(),)

    def apply(self, action: int) -> None:
        """Performs one of the legal actions."""
        phase = self.phase
        if phase == AUCTION:
            self._bid(action)
        elif phase == SHOWDOWN:
            if action != codes.GOOD:
                self.claims[self.turn] = action - codes.ANNOUNCE
            self.spoken |= 1 << self.turn
            self._go_on_announcing()
        elif phase == SHOW:
            self._show(action)
        else:
            if action == codes.BLANCHE:
                self.blanche |= 1 << self.turn
            self.spoken |= 1 << self.turn
            self._ask_blanche()

    def held_by(self, place: int) -> list[Held]:
        """What a place holds for the present stake, strongest first."""
        return holdings(self.stake, self.hands[place], by_pips=self.house.by_pips)

    def blanche_pay(self) -> list[int]:
        """By place, for carte blanche; nothing before all were asked, or when two or more claim."""
        seats, claimed = self.house.seats, self.blanche
        if self.phase < PLAY or not claimed or claimed & claimed - 1:
            return [0] * seats
        winner = FIRST[claimed]
        return [BLANCHE_PAY * (seats - 1) if place == winner else -BLANCHE_PAY for place in range(seats)]

    def _open(self, stake: int) -> None:
        """The auction of a stake begins; after Tricon, carte blanche is asked for."""
        seats = self.house.seats
        self.stake = stake
        self.spoken = 0
        if stake == STAKES:
            self._ask_blanche()
            return
        self.phase = AUCTION
        self.opened = False
        self.level = 0
        self.paid = [0] * seats
        self.out = self.gone
        self.announced = [NOT_IN] * seats
        self.turn = FIRST[~self.gone & (1 << seats) - 1]

    def _bid(self, action: int) -> None:
        turn, bit = self.turn, 1 << self.turn
        seats = self.house.seats
        self.spoken |= bit
        if action == codes.GOOD:
            self.out |= bit
        elif action != codes.PASS:
            if action >= codes.RAISE:
                by, number = divmod(action - codes.RAISE, codes.CLASSES)
                self.level += by
                self.opened = True
                self.spoken = bit  # everybody else has to speak again
            elif action >= codes.STAY:
                number = action - codes.STAY
            else:
                number = action - codes.DECLARE
                self.opened = True
                self.spoken = bit
            if number or self.announced[turn] < 0:
                self.announced[turn] = number
            added = self.level - self.paid[turn]
            if added:
                self.paid[turn] = self.level
                self.pools[self.stake] += added
                self.pay[seats * self.stake + turn] -= added
        inside = ~self.out & (1 << seats) - 1
        waiting = inside & ~self.spoken
        if not inside & inside - 1:
            self._win_alone(FIRST[inside])
        elif waiting:
            self.turn = NEXT[seats][turn][waiting]
        elif self.opened:
            self._announce_among(inside)
        else:
            self.passed |= 1 << self.stake
            self._open(self.stake + 1)

    def _win_alone(self, winner: int) -> None:
        """Point: he takes the pool. Sequence, Tricon: he chooses, unseen or shown."""
        if self.stake == Stake.POINT:
            self._settle(winner, 0)
            return
        self.contestants = 1 << winner
        self.claims = [0] * self.house.seats
        self.phase = SHOW
        self.turn = winner

    def _announce_among(self, contestants: int) -> None:
        """A showdown, from the best position; also afresh, when somebody has fallen out."""
        self.contestants = contestants
        self.claims = [0] * self.house.seats
        self.spoken = 0
        self.phase = SHOWDOWN
        self._go_on_announcing()

    def _go_on_announcing(self) -> None:
        waiting = self.contestants & ~self.spoken
        if waiting:
            self.turn = FIRST[waiting]
            return
        best = self._best()
        if best < 0:
            self._settle_nothing(self.contestants)
        else:
            self.phase = SHOW
            self.turn = best

    def _best(self) -> int:
        """Who made the best announcement: the latest, since each has to beat those before it; -1 for nobody."""
        claims = self.claims
        for place in range(self.house.seats - 1, -1, -1):
            if claims[place] and self.contestants >> place & 1:
                return place
        return -1

    def _announcements(self) -> tuple[int, ...]:
        by_pips = self.house.by_pips
        stake, best = self.stake, self._best()
        codes_held = [held.code for held in self.held_by(self.turn)]
        if best >= 0:
            limit = strength(stake, self.claims[best], by_pips=by_pips)
            codes_held = [code for code in codes_held if strength(stake, code, by_pips=by_pips) > limit]
        return (*dict.fromkeys([codes.ANNOUNCE + code for code in codes_held]), codes.GOOD)

    def _shows(self) -> tuple[int, ...]:
        stake, claim = self.stake, self.claims[self.turn]
        found = holdings(stake, self.hands[self.turn])
        if stake == Stake.POINT:
            offered = [codes.SHOW + (1 << number) for number, held in enumerate(found) if held.code == claim]
            if not offered:
                parts = part_shows(self.hands[self.turn], claim)
                offered = [codes.SHOW_PART + number for number in range(len(parts))]
            return tuple(offered) or (codes.GOOD,)
        good = 0  # the holdings of which one must be shown
        for number, held in enumerate(found):
            if not claim or covers(stake, held.code, claim):
                good |= 1 << number
        count = len(found)
        most = count if self.house.lesser else min(count, 1)
        offered = [] if claim else [codes.UNSEEN]
        for size in range(most, 0, -1):
            offered += [codes.SHOW + chosen for chosen in SUBSETS[count][size] if chosen & good]
        return tuple(offered) or (codes.GOOD,)

    def _show(self, action: int) -> None:
        turn = self.turn
        if action == codes.GOOD:  # a false announcement
            self.false[turn] += 1
            others = self.contestants & ~(1 << turn)
            if others:
                self._announce_among(others)
            else:
                self._settle_nothing(0)
        elif action == codes.UNSEEN:
            self._settle(turn, RATE[self.stake][max(0, self.announced[turn])])
        elif self.stake == Stake.POINT:
            self._settle(turn, 0)
        else:
            chosen = action - codes.SHOW
            found = holdings(self.stake, self.hands[turn])
            self._settle(turn, sum(held.pay for number, held in enumerate(found) if chosen >> number & 1))

    def _settle_nothing(self, contestants: int) -> None:
        """Nobody holds a combination: the best position in the showdown, else of those not out, takes the pool."""
        stayed = contestants or ~self.out & (1 << self.house.seats) - 1
        self._settle(FIRST[stayed & ~self.gone], 0)

    def _settle(self, winner: int, rate: int) -> None:
        """The pool, and from every other place ``rate``, or twice of it; then the next stake."""
        seats, stake = self.house.seats, self.stake
        first = seats * stake
        if rate:
            if self.doubled >> stake & 1:
                rate *= 2
            for place in range(first, first + seats):
                self.pay[place] -= rate
            self.pay[first + winner] += seats * rate
        self.pay[first + winner] += self.pools[stake]
        self.pools[stake] = 0
        self._open(stake + 1)

    def _ask_blanche(self) -> None:
        """The next place speaks; after the last the play begins."""
        present = ~self.gone & (1 << self.house.seats) - 1
        waiting = present & ~self.spoken
        self.phase = BLANCHE if waiting else PLAY
        self.turn = FIRST[waiting or present]
