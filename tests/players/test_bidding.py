from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import groupby
from random import Random

import pytest

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Combination, Declare, Good, Pass, Raise, Stake, Stay
from hocp2p.game.combinations import holdings
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.players.bidding import Prospect, choose_bid
from hocp2p.players.levels import make_player
from tests.support.table_sim import Deck, act, dealt, play_match, view_of

MIXED = "2S 4S 7S 9H JH AH 3D 8D TD 5C QC 6C"
"""Twelve cards without a run or a tricon, three of each suit."""


def prospect(state: DealState, deck: Deck) -> Prospect:
    assert state.turn is not None
    assert state.auction is not None
    return Prospect.of(view_of(state, state.turn, deck), state.auction)


def bids(state: DealState, deck: Deck, times: int = 200) -> Counter[str]:
    """Words by kind over many seeds."""
    assert state.turn is not None
    assert state.auction is not None
    view = view_of(state, state.turn, deck)
    legal = game_rules.legal_actions(view)
    words = [choose_bid(view, state.auction, legal, Random(seed)) for seed in range(times)]
    assert all(word in legal for word in words)
    return Counter(type(word).__name__ for word in words)


def at_stake(stake: Stake, hands: list[str], rules: Rules | None = None) -> tuple[DealState, Deck]:
    """The auction of this stake after those before it were passed."""
    state, deck = dealt(hands, rules)
    while state.stake is not stake:
        assert state.turn is not None
        state = act(state, state.turn, Pass(), deck)
    return state, deck


def after(state: DealState, deck: Deck, *words: Action) -> DealState:
    for word in words:
        assert state.turn is not None
        state = act(state, state.turn, word, deck)
    return state


def test_a_fredon_of_kings_is_the_best_for_certain() -> None:
    state, deck = at_stake(Stake.TRICON, ["KS KH KD KC 2S 4S 6H 8H TD QC 3C 5D", MIXED, ""])
    assert prospect(state, deck).chance == 1
    said = bids(state, deck)
    assert said["Raise"] > 150
    assert set(said) <= {"Raise", "Declare"}


def test_nothing_passes_and_rarely_bluffs() -> None:
    state, deck = at_stake(Stake.SEQUENCE, [MIXED, "", ""])
    assert prospect(state, deck).best is None
    said = bids(state, deck, 1000)
    assert set(said) == {"Pass", "Raise"}
    assert 20 <= said["Raise"] <= 150


def test_bluffs_more_in_the_best_position_and_never_for_much() -> None:
    first, deck = at_stake(Stake.SEQUENCE, [MIXED, "", ""])
    last, last_deck = at_stake(Stake.SEQUENCE, ["", "", MIXED])
    last = after(last, last_deck, Pass(), Pass())
    assert bids(first, deck, 2000)["Raise"] > bids(last, last_deck, 2000)["Raise"] > 0
    high = after(last, last_deck, Raise(5, Combination.TIERCE))
    assert high.turn == 0
    quiet, quiet_deck = at_stake(Stake.SEQUENCE, ["", MIXED, ""])
    quiet = after(quiet, quiet_deck, Raise(5, Combination.TIERCE))
    assert bids(quiet, quiet_deck, 1000) == Counter({"Good": 1000})


def test_says_good_when_beaten() -> None:
    """A low tierce against a raise that announces a quint."""
    hand = "AS 2S 3S 5H 7H 9H JD 4D 8D 6C TC QC"
    state, deck = at_stake(Stake.SEQUENCE, ["", hand, ""])
    state = after(state, deck, Raise(10, Combination.QUINT))
    assert bids(state, deck) == Counter({"Good": 200})


def test_the_words_of_others_lower_the_hope() -> None:
    hand = "7S 8S 9S TS AH 3H 5D JD 2C 4C QC 6D"
    state, deck = at_stake(Stake.SEQUENCE, ["", hand, ""])
    chances = [
        prospect(after(state, deck, word), deck).chance
        for word in (
            Pass(),
            Declare(Combination.TIERCE),
            Raise(10, Combination.TIERCE),
            Declare(Combination.QUART),
            Raise(10, Combination.QUART),
            Declare(Combination.QUINT),
        )
    ]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > 2 * chances[-1]


def test_a_call_is_weighed_against_pool_and_payments() -> None:
    """The same cards and the same chance: worth a call into a large pool, not into a small one."""
    hand = "JS QS KS AH 3H 5D 7D 2C 4C 8C 6D 9H"
    state, deck = at_stake(Stake.SEQUENCE, ["", hand, ""])
    state = after(state, deck, Raise(18, Combination.TIERCE))
    rich = replace(state, pools=(3, 80, 3))
    poor, wealthy = prospect(state, deck), prospect(rich, deck)
    assert poor.chance == wealthy.chance
    assert not poor.is_worth_a_call
    assert wealthy.is_worth_a_call


def test_the_prize_counts_everybodys_payments_doubled_and_lesser_ones() -> None:
    hand = "TS JS QS KS 2H 3H 4H 6D 8D AC 5C 7C"
    state, deck = at_stake(Stake.SEQUENCE, [hand, "", ""])
    doubled = replace(state, doubled=frozenset({Stake.SEQUENCE}))
    single, single_deck = at_stake(Stake.SEQUENCE, [hand, "", ""], Rules(lesser="off"))
    assert prospect(state, deck).prize == 3 + 2 * (3 + 1)
    assert prospect(doubled, deck).prize == 3 + 4 * (3 + 1)
    assert prospect(single, single_deck).prize == 3 + 2 * 3


def test_position_decides_between_equals() -> None:
    """Both other tierces to the nine lose to eldest and beat the dealer."""
    hand = "7S 8S 9S AH 3H 5D JD 2C 4C QC 6D KH"
    first, deck = at_stake(Stake.SEQUENCE, [hand, "", ""])
    last, last_deck = at_stake(Stake.SEQUENCE, ["", "", hand])
    last = after(last, last_deck, Pass(), Pass())
    assert prospect(first, deck).chance > prospect(last, last_deck).chance


def test_point_goes_by_the_house_rule() -> None:
    """Six low cards are long, and few in points."""
    hand = "AS 2S 3S 4S 5S 6S 7H 9H TD QD 8C JC"
    by_cards, deck = dealt([hand, "", ""])
    by_pips, pips_deck = dealt([hand, "", ""], Rules(point="pips"))
    assert prospect(by_cards, deck).chance > 0.7
    assert prospect(by_pips, pips_deck).chance < 0.2


def test_ruin_makes_careful() -> None:
    """With four jetons left nobody raises to more than two, however good his cards."""
    hand = "KS KH KD KC 2S 4S 6H 8H TD QC 3C 5D"
    state, deck = at_stake(Stake.TRICON, [hand, "", ""], Rules(ruin="on"))
    state = replace(state, balances=(4, 100, 100))
    assert state.auction is not None
    view = view_of(state, 0, deck)
    for seed in range(100):
        word = choose_bid(view, state.auction, game_rules.legal_actions(view), Random(seed))
        assert not isinstance(word, Raise) or word.by <= 2


Spoken = list[tuple[SeatView, Action]]


def spoken(rules: Rules, seats: int, seed: int) -> Spoken:
    """All words of novices in the auctions of a session."""
    words: Spoken = []

    def watch(view: SeatView, action: Action) -> None:
        if view.state.phase is Phase.AUCTION:
            words.append((view, action))

    play_match(rules, [make_player("novice", Random(f"{seed} {seat}")) for seat in range(seats)], seed, watch=watch)
    return words


@pytest.mark.parametrize("cap", [1, 2, 20, 200])
@pytest.mark.parametrize("seats", [2, 3])
def test_auctions_end_after_a_few_words(seats: int, cap: int) -> None:
    words = spoken(Rules(deals=60, raise_cap=cap), seats, seed=cap)
    auctions = [list(group) for _, group in groupby(words, key=lambda pair: pair[0].state.stake)]
    assert len(auctions) == 180
    assert max(len(auction) for auction in auctions) <= 24
    levels = [view.state.auction.level for view, _ in words if view.state.auction is not None]
    assert 0 < max(levels) <= 40


def test_bluffs_happen_but_rarely_and_classes_are_mostly_true() -> None:
    words = [pair for seed in range(2) for pair in spoken(Rules(deals=120), 3, seed)]
    weak, entered, true, over, under = 0, 0, 0, 0, 0
    bluffs = 0
    for view, action in words:
        stake = view.state.stake
        assert stake is not None
        if stake is Stake.POINT:
            continue
        held = holdings(stake, view.own.values())
        if not held:
            weak += 1
            bluffs += isinstance(action, Raise)
            assert isinstance(action, Raise | Pass | Good)
        elif isinstance(action, Declare | Raise | Stay) and action.announced is not None:
            best = held[0].combination
            assert best is not None
            entered += 1
            true += action.announced == best
            over += action.announced > best
            under += action.announced < best
    assert 0.01 < bluffs / weak < 0.12
    assert true / entered > 0.9
    assert over > 0
    assert under > 0
