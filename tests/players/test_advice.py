from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from math import comb
from random import Random
from typing import get_args

import numpy as np
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
from hocp2p.players.advice import MOST_REASONS, Searches, advise, prepare
from hocp2p.players.auction.buckets import suit_figures
from hocp2p.players.auction.policy import choose_word
from hocp2p.players.auction.served import serves
from hocp2p.players.auction.tables import load_tables
from hocp2p.players.levels import make_player
from hocp2p.players.net.network import Net
from hocp2p.players.net.policy import Policy, shipped_policy
from hocp2p.players.novice import Novice
from hocp2p.players.player import Player
from hocp2p.players.search.one_ply import Effort, Search
from hocp2p.players.shedding import choose_play
from hocp2p.players.why_stakes import CLEARLY
from tests.players.test_honesty import with_hidden_cards_permuted
from tests.support.advice_truth import Advised, Truth, chances_by_force
from tests.support.table_sim import Deck, act, cards, dealt, ending, play_deal, shuffled, view_of

DEALS = 9

RARE = {
    *(why.SparesBlanche, why.CannotShow, why.CannotBeBeaten, why.NoCourt, why.RunIsDead, why.WinsByPosition),
    why.EqualButLater,
}
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


LITTLE = Effort(drawn=12, worlds=6)
BY_THE_NET = Effort(trust=1.0, exact_worlds=0)


def drawn(players: int, seed: int = 1, effort: Effort = LITTLE) -> Search:
    """A search by random weights, so that everything is advised now and then."""
    generator = np.random.default_rng(seed)
    net = Net.drawn(players, (16, 8), generator)
    net.last[:] = generator.standard_normal(8)
    return Search(Policy(net), effort)


SEARCHES: Searches = cache(drawn)


def quick(players: int) -> Search:
    """By the weights that are shipped, in a few worlds."""
    return Search(shipped_policy(players), LITTLE)


def no_search(_players: int) -> Search:
    raise LocalError("other-rules", "these weights are for other rules")


def any_players(rng: Random, seats: int) -> list[Player]:
    """One who does as advised, novices, and now and then one who does anything."""
    others = [make_player(rng.choice(["novice", "novice", "random"]), rng) for _ in range(seats - 1)]
    others.insert(rng.randrange(seats), Advised(rng, SEARCHES))
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
    counted = 0

    def check(state: DealState, deck: Deck, view: SeatView) -> None:
        nonlocal counted
        seed = sum(seen.values())
        advice = advise(view, Random(seed), SEARCHES)
        assert advice.action in game_rules.legal_actions(view)
        assert not isinstance(advice.action, Hold)
        assert advice.stake is state.stake
        assert 1 <= len(set(advice.reasons)) == len(advice.reasons) <= MOST_REASONS
        truth = Truth(state, deck, advice, SEARCHES, seed)
        assert truth.ends_as_told(), advice
        for reason in advice.reasons:
            assert truth.holds(reason), reason
            seen[type(reason)] += 1
            counted += isinstance(reason, why.KeepsLead) and chances_by_force(view, reason.rank) is not None

    each_decision(DEALS, seats, check)
    assert set(get_args(why.Reason)) - RARE <= seen.keys()
    assert counted > 0


@pytest.mark.parametrize("seats", [2, 3])
def test_without_tables_and_net_advice_is_that_of_the_novice_with_hocs_kept(seats: int) -> None:
    phases: Counter[Phase] = Counter()

    def check(state: DealState, deck: Deck, view: SeatView) -> None:
        phases[state.phase] += 1
        advice = advise(view, Random(7), no_search)
        truth = Truth(state, deck, advice, no_search)
        assert all(truth.holds(reason) for reason in advice.reasons)
        if state.phase is Phase.PLAY and state.play is not None:
            legal = game_rules.legal_actions(view)
            if not {why.WinsNow, why.CannotBeStopped} & set(map(type, advice.reasons)):
                assert advice.action == choose_play(view, state.play, legal, keeps_hocs=True)
        elif state.phase is Phase.AUCTION and (state.gone or not serves(state.rules)):
            assert advice.action == Novice(Random(7)).decide(view)
        else:
            phases[state.phase] -= 1

    each_decision(5, seats, check, seed=2)
    assert min(phases[Phase.AUCTION], phases[Phase.PLAY]) > 5


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]))
def test_hidden_cards_do_not_move_the_advice(seed: int, seats: int) -> None:
    rng = Random(seed)
    state, deck = any_deal(rng, seats)
    moved = 0

    def watch(view: SeatView, _action: Action) -> None:
        nonlocal moved
        other = with_hidden_cards_permuted(deck, view.state, view.seat, rng)
        moved += other != deck
        first = advise(view, Random(seed), SEARCHES)
        assert advise(view_of(view.state, view.seat, other), Random(seed), SEARCHES) == first

    play_deal(state, deck, any_players(rng, seats), watch)
    assert moved > 10


@pytest.mark.parametrize("seats", [2, 3])
def test_advice_is_better_than_the_novice(seats: int) -> None:
    total = 0.0
    for number in range(8):
        deck = shuffled(Random(number))
        for place in range(seats):
            players: list[Player] = [Novice(Random(f"{number} {seat}")) for seat in range(seats)]
            players[place] = Advised(Random(number), quick)
            state, _ = game_rules.start_deal(Rules(), seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())
            net = game_rules.outcome(play_deal(state, deck, players)).net
            total += net[place] - (sum(net) - net[place]) / (seats - 1)
    assert total > 0


def test_nothing_is_advised_out_of_turn() -> None:
    state, deck = dealt(["", "", ""])
    with pytest.raises(LocalError) as caught:
        advise(view_of(state, 1, deck), Random(1))
    assert caught.value.code == "not-your-turn"


def told(
    state: DealState, deck: Deck, seed: int = 1, searches: Searches = no_search
) -> tuple[Action, tuple[why.Reason, ...]]:
    """The advice for the seat whose turn it is, found true."""
    assert state.turn is not None
    advice = advise(view_of(state, state.turn, deck), Random(seed), searches)
    truth = Truth(state, deck, advice, searches, seed)
    assert all(truth.holds(reason) for reason in advice.reasons)
    return advice.action, advice.reasons


def spoken(hands: list[str], stake: Stake, *words: Action, rules: Rules | None = None) -> tuple[DealState, Deck]:
    """These words said in the auction of a stake, those before it passed."""
    state, deck = dealt(hands, rules)
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
    assert why.CannotBeBeaten(Stake.TRICON) in reasons


def test_staying_has_its_price_and_winning_its_prize() -> None:
    """A pool of 3 with 5 of a raise in it, for Point. A chance that clearly speaks against the word is not told."""
    words, told_so = set(), set()
    for seed in range(40):
        deck = shuffled(Random(seed))
        state, _ = game_rules.start_deal(Rules(), 3, 2, [100] * 3, (0, 0, 0), frozenset())
        action, reasons = told(game_rules.apply(state, 0, Raise(5))[0], deck)
        words.add(type(action))
        (odds,) = (reason for reason in reasons if isinstance(reason, why.ChanceToWinStake | why.CostsToStay))
        assert (odds.jetons, odds.prize) == (0 if isinstance(action, Raise) else 5, 3 + 5)
        told_so.add(type(odds))
        if isinstance(odds, why.ChanceToWinStake) and odds.jetons:
            gain, loss = odds.chance * odds.prize, (1 - odds.chance) * odds.jetons
            assert (gain <= CLEARLY * loss) if isinstance(action, Good) else (loss <= CLEARLY * gain)
    assert words >= {Stay, Good}
    assert told_so == {why.ChanceToWinStake, why.CostsToStay}


NO_RUN = "2S 4S 7S 9H JH AH 3D 8D TD 5C QC 6C"


def test_what_costs_nothing_is_told_as_that() -> None:
    """Before how often a good player does it."""
    state, deck = spoken(["", NO_RUN, ""], Stake.SEQUENCE, Declare(Combination.QUINT))
    words = [told(state, deck, seed) for seed in range(20)]
    staying = [reasons for action, reasons in words if isinstance(action, Stay)]
    assert staying
    assert {reasons[:2] for reasons in staying} == {(why.HoldsNothing(Stake.SEQUENCE), why.StaysFree())}


def test_who_stays_with_nothing_is_told_of_the_pool_that_goes_by_position() -> None:
    """Where nobody who may still contest sits before him."""
    said: list[Action] = [Pass(), Declare(Combination.TIERCE), Good()]
    state, deck = spoken([NO_RUN, "", ""], Stake.SEQUENCE, *said)
    assert told(state, deck) == (Stay(Combination.QUINT), (why.WinsByPosition(Stake.SEQUENCE), why.StaysFree()))
    state, deck = spoken(["", NO_RUN, ""], Stake.SEQUENCE, Pass(), Pass(), Declare(Combination.TIERCE), Good())
    assert told(state, deck)[1] == (why.WinsByPosition(Stake.SEQUENCE), why.StaysFree())


def test_what_is_won_with_the_pool() -> None:
    """RULES 6, example 4: a quart and a tierce major pay 4 from each of two."""
    hands = ["JH QH KH 2S", "4C 5C 6C 7C JD QD KD AH", ""]
    state, deck = spoken(hands, Stake.SEQUENCE, Raise(1, Combination.TIERCE), rules=Rules(raise_cap=1))
    told_so = [reason for seed in range(20) for reason in told(state, deck, seed)[1]]
    odds = [reason for reason in told_so if isinstance(reason, why.ChanceToWinStake)]
    assert {reason.prize for reason in odds} == {3 + 1 + 8}


def test_a_bluff_is_called_a_bluff() -> None:
    """The novice's, for whom the raise cap is no matter."""
    hands = ["2S 4S 7S 9H JH AH 3D 8D TD 5C QC 6C", "", ""]
    state, deck = spoken(hands, Stake.SEQUENCE, rules=Rules(raise_cap=1))
    words = [told(state, deck, seed) for seed in range(100)]
    raises = [reasons for action, reasons in words if isinstance(action, Raise)]
    assert raises
    assert set(raises) == {(why.Bluff(Stake.SEQUENCE),)}
    assert {reasons for action, reasons in words if isinstance(action, Pass)} == {
        (why.HoldsNothing(Stake.SEQUENCE), why.MayComeBack())
    }


@pytest.mark.parametrize("rules", [Rules(), Rules(raise_cap=1)])
def test_another_class_than_the_held_one_is_owned_up_to(rules: Rules) -> None:
    """Where the tables serve, and where they do not."""
    state, deck = spoken(["7S 8S 9S TS 2H 4H JD QD 3C 5C 6H 8C", "", ""], Stake.SEQUENCE, rules=rules)
    for seed in range(40):
        action, reasons = told(state, deck, seed)
        assert isinstance(action, Declare | Raise)
        assert action.announced is not None
        lie = why.SaysOther(Combination.QUART, action.announced)
        assert (lie in reasons) == (action.announced is not Combination.QUART)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_word_is_said_as_often_as_we_are_told(seats: int) -> None:
    """By the bots who draw it."""
    mixed = 0
    for seed in range(30):
        deck = shuffled(Random(seed))
        state, _ = game_rules.start_deal(Rules(), seats, seats - 1, [100] * seats, (0, 0, 0), frozenset())
        view = view_of(state, 0, deck)
        action, reasons = told(state, deck)
        times = [reason.times for reason in reasons if isinstance(reason, why.SaidMostly)]
        assert state.auction is not None
        legal = game_rules.legal_actions(view)
        drawn_words = [choose_word(view, state.auction, legal, Random(throw)) for throw in range(100)]
        often = sum(type(word) is type(action) for word in drawn_words) / 100
        assert abs(often - (times[0] / 10 if times else 1)) < 0.2
        mixed += len(times)
    assert mixed > 5


def test_who_lied_at_the_showdown_is_told_the_fine() -> None:
    hands = ["2S 4S 7S 9H JH AH 3D 8D TD 5C QC 6C", "2D 4D 6S 8H TH QH AC JS KS 4C 7C 9C", ""]
    words: list[Action] = [Declare(Combination.TIERCE), Stay(Combination.TIERCE), Good()]
    state, deck = spoken(hands, Stake.SEQUENCE, *words, Announce(Claim(3, 9)), Good())
    assert state.phase is Phase.SHOW
    assert told(state, deck) == (Good(), (why.CannotShow(), why.FalseCosts(5)))


def test_who_is_equal_and_sits_later_is_told_so() -> None:
    """RULES 6, example 5."""
    hands = ["7S 8S 9S 2H 4H JD QD 3C 5C 6H 8C KC", "7D 8D 9D 2C 4C JS QS 3H 5H 6S TC KH", ""]
    state, deck = spoken(hands, Stake.SEQUENCE, Declare(Combination.TIERCE), Stay(Combination.TIERCE), Good())
    state = act(state, 0, Announce(Claim(3, 9)), deck)
    assert told(state, deck) == (Good(), (why.EqualButLater(0, Claim(3, 9), Stake.SEQUENCE),))


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
    """No net is asked whether to win."""
    for searches in (SEARCHES, no_search):
        for hand, called in [
            ("4S 5D 6C KH", None),
            ("4S 5D 6C KH", 4),
            ("4S 5D KH KS", 4),
            ("4S", None),
            ("2S KH", None),
        ]:
            state, deck = ending([hand, "9S TS", "JC QC"], called=called)
            ((reason,),) = [told(state, deck, searches=searches)[1]]
            assert isinstance(reason, why.WinsNow)
            assert set(reason.cards) == set(cards(hand))


def test_a_rank_that_nobody_can_play_brings_the_lead_back() -> None:
    """Every hoc lies open, and both others have no 7."""
    state, deck = ending(["5S 6S 2D", "9S TS 8D", "JC 3H 9D"], sans=[frozenset(), frozenset({7}), frozenset({7})])
    known = {card for _, card in state.opened}
    hocs = tuple((place, card) for place, card in enumerate(deck) if card.is_hoc and card not in known)
    state = replace(state, opened=state.opened + hocs)
    action, reasons = told(state, deck)
    assert played("5S", action)
    assert reasons == (why.CannotBeStopped(), why.LongestRun())
    state = act(state, 0, action, deck)
    state = act(state, 0, told(state, deck)[0], deck)
    assert told(state, deck) == (Sans(7), (why.RunIsDead(7), why.CannotBeStopped()))


def test_nobody_stops_in_the_middle_of_a_run() -> None:
    """A 2 does not come back without the 3, which has to follow it; the 4 that is called then is held by another."""
    state, deck = ending(["2S 2H 3D 9C", "4D 4H TS", "JC QC 4C"], sans=[frozenset(), frozenset({3}), frozenset({3})])
    known = {card for _, card in state.opened}
    hocs = tuple((place, card) for place, card in enumerate(deck) if card.is_hoc and card not in known)
    state = replace(state, opened=state.opened + hocs)
    for searches in (SEARCHES, no_search):
        assert why.CannotBeStopped() not in told(state, deck, searches=searches)[1]


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
    for searches in (SEARCHES, no_search):
        must, after = told(state, deck, searches=searches)[1]
        assert must == why.MustPlay(7, hoc=False)
        assert isinstance(after, why.KeepsLead)
        assert after.rank == 9
    state, deck = ending(["7S 8S 2D KS 4C", "9S TS 4D AH 2S", "8D 3H 9D AC 2C"], called=7)
    action, reasons = told(state, deck, searches=no_search)
    assert played("7S", action)
    assert why.MustPlay(7, hoc=True) in reasons
    state, deck = ending(["3S 8S 2D AD 4C", "9S TS 4D AH 2S", "8D 3H 9D AC 2C"], called=7)
    for searches in (SEARCHES, no_search):
        assert told(state, deck, searches=searches) == (Sans(7), (why.NothingFits(7),))


def test_where_a_card_goes_on_to_is_told_beside_what_is_expected() -> None:
    hands, called = ["7S 8D 9C 2D KS 4C", "9S TS 4D AH 2S", "8C 3H 9D AC 2C"], 7
    state, deck = ending(hands, called=called)
    for seed in range(8):
        advice = advise(view_of(state, 0, deck), Random(1), partial(drawn, seed=seed))
        assert isinstance(advice.reasons[0], why.Expects)
        assert advice.goes_on_to == (parse_card("9C") if played("7S", advice.action) else None)
    state, deck = ending(["7S 8D 9C", *hands[1:]], called=called)
    advice = advise(view_of(state, 0, deck), Random(1), SEARCHES)
    assert (advice.goes_on_to, advice.reasons) == (None, (why.WinsNow(cards("7S 8D 9C")),))


def test_what_the_best_and_the_second_best_are_expected_to_win() -> None:
    """Here one net thinks this and one that."""
    state, deck = ending(["KS 2D 5S 9C", "9S TS 4D AD 2S", "8D 3H 9D AC 2C"], called=7)
    view = view_of(state, 0, deck)
    chosen = set()
    for seed in range(6):
        action, reasons = told(state, deck, searches=partial(drawn, seed=seed, effort=BY_THE_NET))
        values = drawn(3, seed).policy.values_of(view)
        sans, hoc = round(values[0]), round(values[13])
        chosen.add(action)
        if action == Sans(7):
            assert reasons == (why.Expects(sans, Play(state.hands[0][0], parse_card("KS")), hoc), why.KeepsHoc(1))
        else:
            assert reasons == (why.Expects(hoc, Sans(7), sans), why.HocTakesOne(2))
    assert len(chosen) == 2


def test_the_chances_that_nobody_follows() -> None:
    """The other holds four of the hidden cards: none of the called rank, and none of these or the hocs."""
    state, deck = ending(["7S 7H 2D", "9S TS 2C 3C"])
    _, reasons = told(state, deck)
    (lead,) = (reason for reason in reasons if isinstance(reason, why.KeepsLead))
    hidden = set(deck) - {card for _, card in state.opened} - set(cards("7S 7H 2D"))
    follows = sum(card.rank == lead.rank and not card.is_hoc for card in hidden)
    hocs = sum(card.is_hoc for card in hidden)
    ways = comb(len(hidden), 4)
    assert lead.dead == pytest.approx(comb(len(hidden) - follows, 4) / ways)
    assert lead.stays == pytest.approx(comb(len(hidden) - follows - hocs, 4) / ways)


@pytest.mark.parametrize("seats", [2, 3])
def test_all_that_tables_keep_can_be_worked_out_before_anybody_asks(seats: int) -> None:
    load_tables.cache_clear()
    suit_figures.cache_clear()
    prepare(seats)
    assert suit_figures.cache_info().currsize == 2
    tables = load_tables(seats)
    for stake in Stake:
        for doubled in (False, True):
            assert {"weights", "_by_places"} <= vars(tables.of(stake, doubled=doubled)).keys()
