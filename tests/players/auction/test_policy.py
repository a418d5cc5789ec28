from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Combination, Declare, Good, Pass, Raise, Stake, Stay
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.players.auction.policy import choose_word
from hocp2p.players.auction.served import serves
from hocp2p.players.auction.showing import choose_showing
from hocp2p.players.bidding import choose_bid
from tests.support.table_sim import Deck, act, dealt, shuffled, view_of

WEAK = "2S 4S 7S 9H JH AH 3D 8D TD 5C QC 6C"
"""Twelve cards without a run or a tricon, three of each suit."""

HOUSES = [
    Rules(),
    Rules(point="pips", lesser="off"),
    Rules(double="never", raise_cap=5),
    Rules(double="all_three", raise_cap=1000),
    Rules(raise_cap=3),
]


def say(view: SeatView, seed: int | str = 1) -> Action:
    """What is said, which must be legal."""
    assert view.state.auction is not None
    legal = game_rules.legal_actions(view)
    word = choose_word(view, view.state.auction, legal, Random(seed))
    assert word in legal
    return word


def words(state: DealState, deck: Deck, times: int = 200) -> Counter[str]:
    """Words by kind over many seeds."""
    assert state.turn is not None
    view = view_of(state, state.turn, deck)
    return Counter(type(say(view, seed)).__name__ for seed in range(times))


def at_stake(stake: Stake, hands: list[str], *said: Action, rules: Rules | None = None) -> tuple[DealState, Deck]:
    """The auction of this stake after those before it were passed, and these words."""
    state, deck = dealt(hands, rules)
    while state.stake is not stake:
        assert state.turn is not None
        state = act(state, state.turn, Pass(), deck)
    for word in said:
        assert state.turn is not None
        state = act(state, state.turn, word, deck)
    return state, deck


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]), st.sampled_from(HOUSES), st.sampled_from([0, 1, 2, 7]))
def test_any_auction_is_bid_to_its_end(seed: int, seats: int, rules: Rules, carried: int) -> None:
    """Against seats that say anything. The same seed says the same, and nothing free is given up."""
    rng = Random(seed)
    deck = shuffled(rng)
    carry = (carried * seats, 0, carried * seats)
    doubled = frozenset({Stake.POINT, Stake.TRICON}) if carried and rules.double != "never" else frozenset()
    state, _ = game_rules.start_deal(rules, seats, seats - 1, [100] * seats, carry, doubled)
    while state.phase in (Phase.AUCTION, Phase.SHOWDOWN, Phase.SHOW):
        assert state.turn is not None
        view = view_of(state, state.turn, deck)
        legal = game_rules.legal_actions(view)
        if state.auction is None or state.phase is not Phase.AUCTION:
            action = choose_showing(view, legal)
        elif state.turn == 0:
            action = say(view, seed)
            assert action == say(view, seed)
            if serves(rules) and state.auction.level == state.auction.paid[0]:
                assert action != Good()
        else:
            action = rng.choice([*legal[:4], *legal[-1:]])
        state = act(state, state.turn, action, deck)


def test_a_fredon_of_kings_raises_and_stays() -> None:
    kings = "KS KH KD KC 2S 4S 6H 8H TD QC 3C 5D"
    state, deck = at_stake(Stake.TRICON, [WEAK, kings, ""], Raise(20, Combination.FREDON))
    said = words(state, deck)
    assert said["Good"] == 0
    assert said["Raise"] > 20


def test_nothing_gives_way_to_a_high_raise_and_bluffs_now_and_then() -> None:
    state, deck = at_stake(Stake.SEQUENCE, ["", WEAK, ""], Raise(20, Combination.TIERCE))
    assert words(state, deck)["Good"] > 150
    state, deck = at_stake(Stake.SEQUENCE, ["", "", WEAK], Pass(), Pass())
    said = words(state, deck, 1000)
    assert 0 < said["Raise"] < 1000


def test_a_raise_beyond_the_tables_is_met_by_few() -> None:
    rules = Rules(raise_cap=1000)
    best = "KS QS JS TS 9S 8S 7S 6S 2H 4H 9D 5C"
    state, deck = at_stake(Stake.POINT, ["", WEAK, ""], Raise(900), rules=rules)
    assert words(state, deck)["Good"] == 200
    state, deck = at_stake(Stake.POINT, ["", best, ""], Raise(900), rules=rules)
    assert words(state, deck)["Good"] == 0


def test_a_higher_pool_is_bid_for_with_more() -> None:
    """With all that lies in the pool ten times as much, so is a raise."""
    best = "KS QS JS TS 9S 8S 7S 6S 2H 4H 9D 5C"
    usual, deck = dealt(["", best, ""])
    usual = act(usual, 0, Declare(), deck)
    rich = replace(usual, carry_in=(27, 0, 0), pools=(30, *usual.pools[1:]))
    for seed in range(50):
        small, large = say(view_of(usual, 1, deck), seed), say(view_of(rich, 1, deck), seed)
        if isinstance(small, Raise):
            assert large == Raise(min(20, 10 * small.by))
        else:
            assert small == large


@pytest.mark.parametrize("rules", [Rules(raise_cap=3), Rules(ruin="on"), Rules()])
def test_where_the_tables_do_not_serve_the_novice_bids(rules: Rules) -> None:
    state, deck = at_stake(Stake.TRICON, ["", WEAK, ""], Raise(2, Combination.BRELAN), rules=rules)
    if rules.ruin == "on":
        state = replace(state, balances=(200, 30, 70))
    elif serves(rules):
        state, _ = game_rules.leave(state, 2)  # with a seat gone, too
    assert state.auction is not None
    view = view_of(state, 1, deck)
    legal = game_rules.legal_actions(view)
    for seed in range(20):
        assert say(view, seed) == choose_bid(view, state.auction, legal, Random(seed))


def test_what_is_known_of_the_others_counts() -> None:
    """Whoever has shown a quart is not beaten by a tierce."""
    hands = ["3H 4H 5H 6H KD JD 9D 7C 2C AS 6S 8S", "TD JD QD KS QS 2S AC 9H TH JC 8H QC", ""]
    state, deck = at_stake(Stake.SEQUENCE, hands, Raise(6, Combination.TIERCE))
    quart = state.dealt[0][:4]
    assert [str(deck[position]) for position in quart] == hands[0].split()[:4]
    shown = replace(state, opened=tuple((position, deck[position]) for position in quart))
    assert words(shown, deck)["Good"] > words(state, deck)["Good"]


def test_other_hidden_cards_other_nothing() -> None:
    rng = Random(4)
    state, deck = at_stake(Stake.SEQUENCE, ["", WEAK, ""], Declare(Combination.TIERCE))
    seen = set(state.dealt[1])
    hidden = [position for position in range(len(deck)) if position not in seen]
    for seed in range(20):
        moved = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
        other = tuple(deck[moved.get(position, position)] for position in range(len(deck)))
        assert say(view_of(state, 1, deck), seed) == say(view_of(state, 1, other), seed)


def test_stays_for_nothing_with_nothing() -> None:
    state, deck = at_stake(Stake.SEQUENCE, ["", WEAK, ""], Declare(Combination.QUINT))
    assert words(state, deck)["Good"] == 0
    assert isinstance(say(view_of(state, 1, deck)), Stay | Raise)
