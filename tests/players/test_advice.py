from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import LocalError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import (
    Action,
    Announce,
    Blanche,
    Claim,
    Combination,
    Declare,
    Go,
    Good,
    Hold,
    Pass,
    Play,
    Raise,
    Sans,
    Stake,
    Stay,
)
from hocp2p.game.cards import parse_card
from hocp2p.game.house import CHOICES, Rules
from hocp2p.game.state import DealState, Phase, SeatView
from hocp2p.players import reasons as why
from hocp2p.players.advice import MOST_REASONS, advise
from hocp2p.players.levels import make_player
from hocp2p.players.novice import Novice
from hocp2p.players.player import Player
from hocp2p.players.shedding import choose_play
from tests.players.test_honesty import with_hidden_cards_permuted
from tests.support.advice_truth import Advised, Truth
from tests.support.table_sim import Deck, act, cards, dealt, ending, play_deal, shuffled, view_of

RARE = {why.SparesBlanche, why.CannotShow, why.CannotBeBeaten, why.NoCourt}
"""Reasons that need a deal made for them; the tests of examples below have them."""

NO_COURT = "2S 4S 7S 9H TH AH 3D 8D TD 5C 8C 6C"


def any_deal(rng: Random, seats: int) -> tuple[DealState, Deck]:
    """Any house rules, carries and doubled stakes."""
    rules = Rules(raise_cap=rng.choice([1, 5, 20]))
    for name, choices in CHOICES.items():
        rules = rules.with_text(name, rng.choice(choices))
    doubled = frozenset(stake for stake in Stake if rng.random() < 0.3)
    carry = (rng.randrange(4), rng.randrange(4), rng.randrange(4))
    state, _ = game_rules.start_deal(rules, seats, rng.randrange(seats), [100] * seats, carry, doubled)
    return state, shuffled(rng)


def any_players(rng: Random, seats: int) -> list[Player]:
    """One who does as advised, novices, and now and then one who does anything."""
    others = [make_player(rng.choice(["novice", "novice", "random"]), rng) for _ in range(seats - 1)]
    others.insert(rng.randrange(seats), Advised(rng))
    return others


Check = Callable[[DealState, Deck, SeatView], None]


def each_decision(deals: int, seats: int, check: Check, *, seed: int = 0) -> None:
    """Plays deals and looks at every decision in them; in some a seat is lost in the middle."""
    for number in range(deals):
        rng = Random(f"{seed} {seats} {number}")
        state, deck = any_deal(rng, seats)
        players = any_players(rng, seats)
        leaving = rng.randrange(60) if seats == 3 and number % 4 == 0 else -1
        step = 0
        while (turn := state.turn) is not None:
            step += 1
            if step == leaving:
                state, _ = game_rules.leave(state, rng.randrange(seats))
                continue
            view = view_of(state, turn, deck)
            check(state, deck, view)
            state = act(state, turn, players[turn].decide(view), deck)


@pytest.mark.parametrize("seats", [2, 3])
def test_advice_is_legal_and_every_reason_true(seats: int) -> None:
    seen: Counter[type[why.Reason]] = Counter()

    def check(state: DealState, deck: Deck, view: SeatView) -> None:
        advice = advise(view, Random(sum(seen.values())))
        assert advice.action in game_rules.legal_actions(view)
        assert not isinstance(advice.action, Hold)
        assert advice.stake is state.stake
        assert 1 <= len(set(advice.reasons)) == len(advice.reasons) <= MOST_REASONS
        truth = Truth(state, deck, advice)
        for reason in advice.reasons:
            assert truth.holds(reason), reason
            seen[type(reason)] += 1

    each_decision(150, seats, check)
    assert set(get_args(why.Reason)) - RARE <= seen.keys()


@pytest.mark.parametrize("seats", [2, 3])
def test_advice_is_what_the_novice_would_do_with_hocs_kept(seats: int) -> None:
    phases = set()

    def check(state: DealState, _deck: Deck, view: SeatView) -> None:
        phases.add(state.phase)
        advised = advise(view, Random(7)).action
        if state.phase is Phase.PLAY and state.play is not None:
            legal = game_rules.legal_actions(view)
            assert advised == choose_play(view, state.play, legal, keeps_hocs=True)
        else:
            assert advised == Novice(Random(7)).decide(view)

    each_decision(20, seats, check, seed=1)
    assert phases == set(Phase) - {Phase.OVER}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]))
def test_hidden_cards_do_not_move_the_advice(seed: int, seats: int) -> None:
    rng = Random(seed)
    state, deck = any_deal(rng, seats)
    moved = 0

    def watch(view: SeatView, _action: Action) -> None:
        nonlocal moved
        other = with_hidden_cards_permuted(deck, view.state, view.seat, rng)
        moved += other != deck
        assert advise(view, Random(seed)) == advise(view_of(view.state, view.seat, other), Random(seed))

    play_deal(state, deck, any_players(rng, seats), watch)
    assert moved > 10


@pytest.mark.parametrize("seats", [2, 3])
def test_advice_is_better_than_the_novice(seats: int) -> None:
    total = 0.0
    for number in range(60):
        deck = shuffled(Random(number))
        for place in range(seats):
            players: list[Player] = [Novice(Random(f"{number} {seat}")) for seat in range(seats)]
            players[place] = Advised(Random(number))
            state, _ = game_rules.start_deal(Rules(), seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())
            net = game_rules.outcome(play_deal(state, deck, players)).net
            total += net[place] - (sum(net) - net[place]) / (seats - 1)
    assert total > 0


def test_nothing_is_advised_out_of_turn() -> None:
    state, deck = dealt(["", "", ""])
    with pytest.raises(LocalError) as caught:
        advise(view_of(state, 1, deck), Random(1))
    assert caught.value.code == "not-your-turn"


def told(state: DealState, deck: Deck, seed: int = 1) -> tuple[Action, tuple[why.Reason, ...]]:
    """The advice for the seat whose turn it is, found true."""
    assert state.turn is not None
    advice = advise(view_of(state, state.turn, deck), Random(seed))
    truth = Truth(state, deck, advice)
    assert all(truth.holds(reason) for reason in advice.reasons)
    return advice.action, advice.reasons


def spoken(hands: list[str], stake: Stake, *words: Action) -> tuple[DealState, Deck]:
    """These words said in the auction of a stake, those before it passed."""
    state, deck = dealt(hands)
    while state.stake is not stake:
        assert state.turn is not None
        state = act(state, state.turn, Pass(), deck)
    for word in words:
        assert state.turn is not None
        state, _ = game_rules.apply(state, state.turn, word)
    return state, deck


def played(text: str, action: Action) -> bool:
    return isinstance(action, Play) and action.card == parse_card(text)


def test_a_fredon_of_kings_cannot_be_beaten() -> None:
    state, deck = spoken(["KS KH KD KC 2S", "", ""], Stake.TRICON)
    action, reasons = told(state, deck)
    assert getattr(action, "announced") is Combination.FREDON  # noqa: B009 - declared or raised
    assert reasons == (why.HoldsBest(Stake.TRICON, Claim(4, 13)), why.CannotBeBeaten(Stake.TRICON))


def test_staying_has_its_price() -> None:
    """RULES 6, example 4: a quart and a tierce major pay 4 from each of two, and the pool."""
    hands = ["JH QH KH 2S", "4C 5C 6C 7C JD QD KD AH", ""]
    state, deck = spoken(hands, Stake.SEQUENCE, Raise(5, Combination.TIERCE))
    assert why.CostsToStay(5, 3 + 5 + 8) in told(state, deck)[1] or isinstance(told(state, deck)[0], Raise)
    slow = next(seed for seed in range(200) if isinstance(told(state, deck, seed)[0], Stay))
    assert why.CostsToStay(5, 3 + 5 + 8) in told(state, deck, slow)[1]


def test_a_bluff_is_called_a_bluff() -> None:
    state, deck = spoken(["2S 4S 7S 9H JH AH 3D 8D TD 5C QC 6C", "", ""], Stake.SEQUENCE)
    words = [told(state, deck, seed) for seed in range(200)]
    raises = [reasons for action, reasons in words if isinstance(action, Raise)]
    assert raises
    assert set(raises) == {(why.Bluff(Stake.SEQUENCE), why.HoldsNothing(Stake.SEQUENCE))}
    assert {reasons for action, reasons in words if isinstance(action, Pass)} == {
        (why.HoldsNothing(Stake.SEQUENCE), why.MayComeBack())
    }


def test_another_class_than_the_held_one_is_owned_up_to() -> None:
    state, deck = spoken(["7S 8S 9S TS 2H 4H JD QD 3C 5C 6H 8C", "", ""], Stake.SEQUENCE)
    for seed in range(100):
        action, reasons = told(state, deck, seed)
        assert isinstance(action, Declare | Raise)
        assert action.announced is not None
        lie = why.SaysOther(Combination.QUART, action.announced)
        assert (lie in reasons) == (action.announced is not Combination.QUART)


def test_who_lied_at_the_showdown_is_told_the_fine() -> None:
    hands = ["2S 4S 7S 9H JH AH 3D 8D TD 5C QC 6C", "2D 4D 6S 8H TH QH AC JS KS 4C 7C 9C", ""]
    words: list[Action] = [Declare(Combination.TIERCE), Stay(Combination.TIERCE), Good()]
    state, deck = spoken(hands, Stake.SEQUENCE, *words, Announce(Claim(3, 9)), Good())
    assert state.phase is Phase.SHOW
    assert told(state, deck) == (Good(), (why.CannotShow(), why.FalseCosts(5)))


def test_carte_blanche() -> None:
    state, deck = spoken([NO_COURT, "3S 5S 6S 8H 9D 2H 4D 6D 7D AC 2C 4C", ""], Stake.TRICON, Pass(), Pass(), Pass())
    assert told(state, deck) == (Blanche(), (why.NoCourt(20),))
    state = act(state, 0, Blanche(), deck)
    assert told(state, deck) == (Blanche(), (why.SparesBlanche(0, 10),))
    state = act(state, 1, Go(), deck)
    action, reasons = told(state, deck)
    assert action == Go()
    assert isinstance(reasons[0], why.HoldsCourt)


def test_a_hand_that_goes_down_at_once_wins() -> None:
    state, deck = ending(["4S 5D 6C KH", "9S TS", "JC QC"])
    action, reasons = told(state, deck)
    assert played("KH", action)
    assert reasons == (why.WinsNow(cards("KH 4S 5D 6C")),)
    state, deck = ending(["4S 5D 6C KH", "9S TS", "JC QC"], called=4)
    assert told(state, deck)[1] == (why.WinsNow(cards("4S 5D 6C KH")),)
    state, deck = ending(["4S 5D KH KS", "9S TS", "JC QC"], called=4)
    assert told(state, deck)[1] == (why.WinsNow(cards("4S 5D KH KS")),)
    state, deck = ending(["4S", "9S TS", "JC QC"])
    assert told(state, deck)[1] == (why.WinsNow(cards("4S")),)


def test_a_rank_that_nobody_can_play_brings_the_lead_back() -> None:
    """Every hoc lies open, and both others have no 7."""
    state, deck = ending(["5S 6S 2D", "9S TS 8D", "JC 3H 9D"], sans=[frozenset(), frozenset({7}), frozenset({7})])
    known = {card for _, card in state.opened}
    hocs = tuple((place, card) for place, card in enumerate(deck) if card.is_hoc and card not in known)
    state = replace(state, opened=state.opened + hocs)
    action, reasons = told(state, deck)
    assert played("5S", action)
    assert reasons == (why.CannotBeStopped(), why.LongestRun(cards("5S 6S")))
    state = act(state, 0, action, deck)
    state = act(state, 0, told(state, deck)[0], deck)
    assert told(state, deck) == (Sans(7), (why.RunIsDead(7), why.CannotBeStopped()))


def test_a_hoc_is_kept_until_somebody_is_nearly_out() -> None:
    hand = "KS 2D 5S 9C JS TC 3D"
    state, deck = ending([hand, "9S TS 4D AD 2S", "8D 3H 9D AC 2C"], called=7)
    assert told(state, deck) == (Sans(7), (why.KeepsHoc(1),))
    state, deck = ending([hand, "9S", "8D 3H 9D AC 2C"], called=7)
    action, reasons = told(state, deck)
    assert played("KS", action)
    assert reasons == (why.NearOut(1, 1, 7, 7), why.HocTakesOne(2))


def test_what_must_be_played() -> None:
    state, deck = ending(["7S 8S 2D AD 4C", "9S TS 4D AH 2S", "8D 3H 9D AC 2C"], called=7)
    assert told(state, deck)[1] == (why.MustPlay(7), why.GoesOn(cards("7S 8S")))
    state, deck = ending(["3S 8S 2D AD 4C", "9S TS 4D AH 2S", "8D 3H 9D AC 2C"], called=7)
    assert told(state, deck) == (Sans(7), (why.NothingFits(7),))
