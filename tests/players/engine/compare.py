"""The engine beside the rules: the same deals in both, action by action.

``python -m tests.players.engine.compare --deals 200000`` compares so many random deals over all house rules.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Final

from hocp2p.errors import RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Announce, Claim, Stake
from hocp2p.game.cards import DECK, DECK_SIZE, Card
from hocp2p.game.house import CHOICES, HAND_SIZE, START_BALANCE, Rules
from hocp2p.game.payments import SOURCES
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.players.engine import codes
from hocp2p.players.engine.coding import decode_action, encode_action
from hocp2p.players.engine.convert import by_seat, deal_of, place_of
from hocp2p.players.engine.deal import Deal, doubled_after
from hocp2p.players.engine.house import House
from hocp2p.players.engine.masks import mask_of

HOUSES: Final = [
    Rules(deals=6, raise_cap=cap, **dict(zip(CHOICES, choice, strict=True)))  # type: ignore[arg-type] # names and values belong together
    for choice in product(*CHOICES.values())
    for cap in (1, 20, 300)
]
"""All that the switches can be, each with three raise caps."""

MOST_ACTIONS: Final = 3000


@dataclass(frozen=True, slots=True)
class Setting:
    """One deal to compare: everything but what is done in it."""

    rules: Rules
    seats: int
    dealer: int
    carry: tuple[int, int, int]
    doubled: frozenset[Stake]
    deck: tuple[Card, ...]

    @classmethod
    def drawn(cls, rng: Random, rules: Rules | None = None) -> Setting:
        """A random one, over all house rules unless they are given."""
        seats = rng.choice((2, 3))
        return cls(
            rules=rules or rng.choice(HOUSES),
            seats=seats,
            dealer=rng.randrange(seats),
            carry=(rng.randrange(20), rng.randrange(20), rng.randrange(20)),
            doubled=frozenset(stake for stake in Stake if rng.random() < 0.4),
            deck=_drawn_deck(rng, seats),
        )

    def start(self) -> DealState:
        """The deal by the rules."""
        balances = (START_BALANCE,) * self.seats
        return game_rules.start_deal(self.rules, self.seats, self.dealer, balances, self.carry, self.doubled)[0]

    def start_engine(self) -> Deal:
        """The deal in the engine."""
        return Deal.of(
            House.of(self.rules, self.seats),
            [card.index for card in self.deck],
            self.carry,
            sum(1 << stake for stake in self.doubled),
        )

    def view(self, state: DealState, seat: int) -> SeatView:
        """What a seat may know."""
        return SeatView(state, seat, {position: self.deck[position] for position in state.dealt[seat]})

    def hidden(self, state: DealState) -> list[int]:
        """By seat, the true cards that nobody has seen."""
        faces = state.faces()
        return [mask_of(self.deck[p] for p in state.hands[seat] if p not in faces) for seat in range(state.seats)]


def _drawn_deck(rng: Random, seats: int) -> tuple[Card, ...]:
    """Mostly any order; now and then one with what chance rarely brings: hands without courts, or full of
    combinations.
    """
    deck = rng.sample(DECK, DECK_SIZE)
    kind = rng.randrange(10)
    if kind == 0:
        deck.sort(key=lambda card: card.is_court and rng.random() < 0.9)  # asleep, but for a few
    elif kind == 1:
        by_suit = rng.random() < 0.5
        rows = sorted(DECK, key=lambda card: card.index if by_suit else card.rank)
        size = HAND_SIZE[seats]
        hands = [rows[size * place : size * (place + 1)] for place in range(seats)]
        deck = [card for dealt in zip(*hands, strict=True) for card in dealt] + rows[size * seats :]
        for _ in range(rng.randrange(12)):
            one, other = rng.randrange(DECK_SIZE), rng.randrange(DECK_SIZE)
            deck[one], deck[other] = deck[other], deck[one]
    return tuple(deck)


def verify_moment(setting: Setting, state: DealState, deal: Deal) -> list[int]:
    """Raises AssertionError unless both have the same turn, phase, legal actions and figures; gives the actions."""
    assert state.turn is not None
    assert (deal.turn, deal.phase) == (place_of(state, state.turn), list(Phase).index(state.phase)), state
    view = setting.view(state, state.turn)
    legal = list(deal.legal())
    theirs = game_rules.legal_actions(view)
    if len(theirs) > 40:  # the raises: by their numbers alone, since there may be thousands
        assert legal == [encode_action(deal, action) for action in theirs]
    else:
        ours = [decode_action(view, code) for code in legal]
        assert len(set(ours)) == len(ours)
        if state.phase is Phase.PLAY:  # there cards go by class
            assert set(ours) == set(theirs), (theirs, ours)
        else:
            assert tuple(ours) == theirs, (theirs, ours)
        assert [encode_action(deal, action) for action in ours] == legal
    verify_figures(state, deal)
    return legal


def verify_figures(state: DealState, deal: Deal) -> None:
    """Raises AssertionError unless every line of the score sheet, and the pools, are the same."""
    settled = deal.settle()
    for source, line in zip(SOURCES, settled.pay, strict=True):
        assert tuple(by_seat(state, line)) == state.pay[SOURCES.index(source)], source
    point, sequence, tricon = state.pools
    assert settled.carry_after == (point + state.fines, sequence, tricon)
    if state.phase is Phase.OVER:
        outcome = game_rules.outcome(state)
        assert tuple(by_seat(state, settled.net)) == outcome.net
        assert settled.carry_after == outcome.carry_after
        doubled = doubled_after(state.rules, settled.passed)
        assert doubled == sum(1 << stake for stake in outcome.doubled_after)


def choose(rng: Random, deal: Deal, legal: Sequence[int]) -> int:
    """A random action by kinds, so that auctions end."""
    kinds = deal.stakes.kinds() if deal.play is None else (legal,)
    return rng.choice(rng.choice(kinds))


def lie(rng: Random, state: DealState, action: Action) -> Action:
    """Now and then, in a showdown, a claim that need not be true (a part of a suit or a run, or made up)."""
    if state.phase is not Phase.SHOWDOWN or rng.random() < 0.6 or state.stake is None or state.turn is None:
        return action
    for _ in range(10):
        first = rng.randrange(1, 6)
        made_up = Announce(Claim(first, rng.randrange(1, 14 if state.stake else 45)))
        try:
            game_rules.verify_action(state, state.turn, made_up)
        except RuleError:
            continue
        return made_up
    return action


def compare(setting: Setting, rng: Random, *, converts: float = 0.05, leaves: float = 0.0) -> int:
    """Plays one deal in both at random and compares every moment. Gives the number of actions.

    Args:
        setting: the deal.
        rng: chooses.
        converts: how often, before an action, the engine's state is made anew from the rules' state.
        leaves: chance that a seat of three is lost at some moment.
    """
    state, deal = setting.start(), setting.start_engine()
    lost_at = rng.randrange(80) if setting.seats == 3 and rng.random() < leaves else None
    for number in range(MOST_ACTIONS):
        if number == lost_at and state.turn is not None:
            state, _ = game_rules.leave(state, rng.randrange(3))
        if state.turn is None:
            break
        if number == lost_at or rng.random() < converts:
            deal = deal_of(setting.view(state, rng.randrange(setting.seats)), setting.hidden(state))
        else:
            deal = deal.copy()
        legal = verify_moment(setting, state, deal)
        seat = state.turn
        code = choose(rng, deal, legal)
        action = lie(rng, state, decode_action(setting.view(state, seat), code))
        code = encode_action(deal, action)
        state, _ = game_rules.apply(state, seat, action)
        deal.apply(code)
        if code == codes.GOOD and deal.play is None:
            verify_figures(state, deal)
    assert state.phase is Phase.OVER, "the deal does not end"
    assert deal.turn == -1
    verify_figures(state, deal)
    return number


def main() -> None:
    """Compares many deals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    actions = 0
    for number in range(options.deals):
        rng = Random(f"{options.seed} {number}")
        try:
            actions += compare(Setting.drawn(rng), rng, leaves=0.1)
        except Exception as error:
            raise SystemExit(f"deal {number} of seed {options.seed}: {error!r}") from error
    print(f"{options.deals} deals, {actions} actions, {len(HOUSES)} house rules: no difference")  # noqa: T201 # the command's output


if __name__ == "__main__":
    main()
