from __future__ import annotations

from random import Random

import pytest

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Combination, Good, Pass, Raise, Stake, Stay
from hocp2p.game.cards import DECK
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState, Phase
from hocp2p.players.auction.policy import choose_word
from hocp2p.players.auction.ranges import LEAST, bid_likelihood
from hocp2p.players.auction.showing import choose_showing
from hocp2p.players.engine.masks import mask_of
from tests.players.auction.test_policy import WEAK, at_stake
from tests.support.table_sim import Deck, act, cards, dealt, shuffled, view_of

RUNS = "4S 5S 6S 7S 9H TH JH 3D 8D TD 5C QC"
HIGH_RUN = "9S TS JS QS KS AH 3H 8D TD 5C 7C 2C"


def mask(hand: str) -> int:
    return mask_of(cards(hand))


def after_stakes(state: DealState, deck: Deck) -> DealState:
    """Everything up to the play, as the policy does it."""
    while state.phase is not Phase.PLAY:
        assert state.turn is not None
        view = view_of(state, state.turn, deck)
        action: Action
        if state.phase is Phase.AUCTION:
            action = Pass() if Pass() in game_rules.legal_actions(view) else Good()
        else:
            action = choose_showing(view, game_rules.legal_actions(view))
        state = act(state, state.turn, action, deck)
    return state


def test_who_gives_way_is_weak_and_who_raises_again_is_not() -> None:
    odds = []
    for word in (Good(), Raise(20, Combination.QUINT)):
        state, deck = at_stake(Stake.SEQUENCE, ["", WEAK, ""], Raise(6, Combination.QUINT), word)
        strong, weak = bid_likelihood(view_of(state, 2, deck), 1, [mask(HIGH_RUN), mask(WEAK)])
        assert min(strong, weak) >= LEAST * LEAST
        odds.append(strong / weak)
    assert odds[0] < odds[1] / 5


def test_who_lost_a_showdown_holds_nothing_better() -> None:
    words = (Raise(6, Combination.QUINT), Stay(Combination.QUINT), Good())
    state, deck = at_stake(Stake.SEQUENCE, [RUNS, "2S 2H", ""], *words)
    state = after_stakes(state, deck)
    better, worse = bid_likelihood(view_of(state, 2, deck), 1, [mask(HIGH_RUN), mask("3H 4H 5H JD 6C 8C KC 3C QD")])
    assert better < worse * 2 * LEAST


def test_the_winner_holds_what_he_has_shown_and_no_more() -> None:
    words = (Raise(6, Combination.QUINT), Stay(Combination.QUINT), Good())
    state, deck = at_stake(Stake.SEQUENCE, [RUNS, "2S 2H", ""], *words)
    state = after_stakes(state, deck)
    view = view_of(state, 2, deck)
    true, more, less = bid_likelihood(view, 0, [mask(RUNS), mask(HIGH_RUN), mask(WEAK)])
    assert max(more, less) < true / 2
    assert more < LEAST * true


def test_who_takes_his_class_unseen_is_not_paid_more_for_showing() -> None:
    state, deck = at_stake(Stake.SEQUENCE, [WEAK, "", ""], Raise(20, Combination.TIERCE), Good(), Good())
    state = after_stakes(state, deck)
    view = view_of(state, 1, deck)
    nothing, tierce, quint = bid_likelihood(view, 0, [mask(WEAK), mask("4S 5S 6S 9H JH AH 3D 8D TD"), mask(HIGH_RUN)])
    assert quint <= LEAST
    assert min(nothing, tierce) > LEAST * LEAST


def test_carte_blanche_is_told() -> None:
    blank = "2S 4S 7S 9H TH AH 3D 8D TD 5C 2C 6C"
    state, deck = dealt([blank, "KS", ""])
    state = after_stakes(state, deck)
    assert state.blanche == (True, False, False)
    hands = [mask(blank), mask(WEAK)]
    claimed, not_claimed = (bid_likelihood(view_of(state, 2, deck), seat, hands) for seat in (0, 1))
    assert claimed[1] <= LEAST < claimed[0]
    assert not_claimed[0] <= LEAST < not_claimed[1]


@pytest.mark.parametrize("rules", [Rules(), Rules(point="pips", lesser="off"), Rules(raise_cap=2)])
@pytest.mark.parametrize("seats", [2, 3])
def test_true_hands_are_likelier_than_any(rules: Rules, seats: int) -> None:
    """Of seats that bid by the tables, at every moment of some deals; the likelihood is finite and never 0."""
    true_wins = decided = 0
    for seed in range(8):
        rng = Random(seed)
        deck = shuffled(rng)
        state, _ = game_rules.start_deal(rules, seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())
        while state.phase is not Phase.PLAY:
            assert state.turn is not None
            view = view_of(state, state.turn, deck)
            legal = game_rules.legal_actions(view)
            if state.auction is not None and state.phase is Phase.AUCTION:
                action = choose_word(view, state.auction, legal, rng)
            else:
                action = choose_showing(view, legal)
            state = act(state, state.turn, action, deck)
        asked, seat = view_of(state, 0, deck), 1
        others = [card for card in DECK if card not in asked.own.values()]
        hands = [mask_of(rng.sample(others, len(state.dealt[seat]))) for _ in range(40)]
        true = mask_of(deck[position] for position in state.dealt[seat])
        found = bid_likelihood(asked, seat, [true, *hands])
        assert all(0 < likely <= 1 for likely in found)
        true_wins += sum(found[0] > other for other in found[1:])
        decided += sum(found[0] != other for other in found[1:])
    assert true_wins > 0.6 * decided
    assert bid_likelihood(asked, seat, []) == []


def test_only_what_is_public_counts() -> None:
    words = (Raise(6, Combination.QUINT), Stay(Combination.QUINT), Good())
    state, deck = at_stake(Stake.SEQUENCE, [RUNS, "2S 2H", ""], *words)
    hands = [mask(RUNS), mask(HIGH_RUN), mask(WEAK)]
    for now in (state, after_stakes(state, deck)):
        asked = [bid_likelihood(view_of(now, seat, deck), 0, hands) for seat in (1, 2)]
        assert asked[0] == asked[1]
