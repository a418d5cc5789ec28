from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Play, Sans
from hocp2p.game.cards import DECK, RANKS, format_rank
from hocp2p.game.house import Rules
from hocp2p.game.state import DealState, PlayState, SeatView
from hocp2p.players.levels import make_player
from hocp2p.players.shedding import Others, choose_play
from tests.support.table_sim import Deck, act, ending, play_deal, view_of

KEEN = [False, True]


def play_of(view: SeatView) -> PlayState:
    assert view.state.play is not None
    return view.state.play


def choice(state: DealState, deck: Deck, *, keeps_hocs: bool = False) -> str:
    """What the seat whose turn it is does, for instance ``8D`` or ``sans 8``."""
    assert state.turn is not None
    view = view_of(state, state.turn, deck)
    action = choose_play(view, play_of(view), game_rules.legal_actions(view), keeps_hocs=keeps_hocs)
    assert action in game_rules.legal_actions(view)
    return f"sans {format_rank(action.rank)}" if isinstance(action, Sans) else str(getattr(action, "card", action))


def others(state: DealState, deck: Deck, seat: int = 0) -> Others:
    view = view_of(state, seat, deck)
    return Others.seen_by(view, play_of(view))


class Thrifty:
    """Plays by the rules of thumb that keep hocs."""

    def decide(self, view: SeatView) -> Action:
        return choose_play(view, play_of(view), game_rules.legal_actions(view), keeps_hocs=True)


def can_go_out_in_this_turn(state: DealState, seat: int, deck: Deck) -> bool:
    """Tries every play as long as the turn stays with the seat."""
    if state.winner == seat:
        return True
    if state.turn != seat:
        return False
    legal = game_rules.legal_actions(view_of(state, seat, deck))
    plays = [action for action in legal if isinstance(action, Play)]
    return any(can_go_out_in_this_turn(game_rules.apply(state, seat, play)[0], seat, deck) for play in plays)


@st.composite
def endings(draw: st.DrawFn) -> tuple[DealState, Deck]:
    """Few cards in every hand, rich in hocs and neighbours."""
    seats = draw(st.sampled_from([2, 3]))
    pool = [card for card in DECK if card.is_hoc or 5 <= card.rank <= 10]
    order = draw(st.permutations(pool))
    sizes = [draw(st.integers(1, 6)) for _ in range(seats)]
    hands, start = [], 0
    for size in sizes:
        hands.append(" ".join(str(card) for card in order[start : start + size]))
        start += size
    called = draw(st.none() | st.integers(5, 11))
    last = draw(st.integers(0, seats - 1))
    return ending(hands, called=called, last=last)


@settings(max_examples=250, deadline=None)
@given(endings(), st.integers(0, 2**16))
def test_an_immediate_win_is_never_thrown_away(position: tuple[DealState, Deck], seed: int) -> None:
    """Whatever the others do: where a way out of the hand exists in this turn, the seat wins the deal."""
    state, deck = position
    if not can_go_out_in_this_turn(state, 0, deck):
        return
    others = [make_player("random", Random(seed)) for _ in range(state.seats - 1)]
    for player in (make_player("novice", Random(seed)), Thrifty()):
        assert play_deal(state, deck, [player, *others]).winner == 0


@pytest.mark.parametrize(
    ("hand", "called", "said"),
    [
        ("8H", 8, "8H"),
        ("8H 9C TD 2S 3C KC", 8, "8H"),
        ("KC 2S 3C 4D", 8, "KC"),
        ("QS", 8, "QS"),
        ("3C KC 4D KS 9H", None, "3C"),
    ],
)
@pytest.mark.parametrize("keeps_hocs", KEEN)
def test_goes_out_when_it_can(hand: str, called: int | None, said: str, keeps_hocs: bool) -> None:
    state, deck = ending([hand, "5S 6S 7S 8S 9S", "5D 6D 7D 8D 9D"], called=called)
    assert choice(state, deck, keeps_hocs=keeps_hocs) == said


def test_leads_the_lowest_card_of_the_longest_run() -> None:
    state, deck = ending(["2H 5S 6D 7C JH", "5H 6S 7S 8S 9S 8D", "5D 6H 7D 8H 9D 8C"])
    assert choice(state, deck) == "5S"


def test_of_equal_runs_leads_the_lower() -> None:
    state, deck = ending(["9H 4C JH 6D", "5H 5S 7S TS QH", "5D 5C TD 7C QC"])
    assert choice(state, deck) == "4C"


def test_prefers_a_run_after_which_nobody_can_go_on() -> None:
    """Nobody else has a ten: after the 9 the lead comes back and is paid. Unpaid, the lower card is led."""
    hands = ["9H 4C 6D 2H", "5H 5S 7S 3S KC", "5D 5C 7D 3D KH"]
    sans = [frozenset[int](), frozenset({10}), frozenset({10})]
    paid, deck = ending(hands, sans=sans)
    unpaid, _ = ending(hands, sans=sans, rules=Rules(fortuitous="unpaid"))
    assert choice(paid, deck) == "9H"
    assert choice(unpaid, deck) == "2H"


def test_sans_of_all_others_makes_a_rank_dead() -> None:
    hands = ["9H 4C 6D", "5H 5S 7S 8S", "5D 5C 7D 8D"]
    one, deck = ending(hands, sans=[frozenset(), frozenset({9}), frozenset()])
    both, _ = ending(hands, sans=[frozenset(), frozenset({9}), frozenset({9, 3})])
    assert 9 not in others(one, deck).dead
    assert 9 in others(both, deck).dead
    assert 3 not in others(both, deck).dead


def test_a_rank_is_safe_only_when_no_hoc_is_out() -> None:
    all_ours, deck = ending(["9H KC KS KH KD QS JD", "5H 5S", "5D 5C"])
    assert others(all_ours, deck).safe == others(all_ours, deck).dead != frozenset()
    one_theirs, deck = ending(["9H KC KS KH KD QS", "5H JD", "5D 5C"])
    assert others(one_theirs, deck).safe == frozenset()


@pytest.mark.parametrize(("keeps_hocs", "said"), [(False, "KC"), (True, "sans 8")])
def test_a_hoc_when_stuck_is_spent_or_kept(keeps_hocs: bool, said: str) -> None:
    state, deck = ending(["KC 2S 4C 6D TH", "3S 5S 7S 9S JS", "3D 5D 7D 9D JH"], called=8)
    assert choice(state, deck, keeps_hocs=keeps_hocs) == said


@pytest.mark.parametrize("keeps_hocs", KEEN)
def test_a_hoc_is_spent_before_somebody_goes_out(keeps_hocs: bool) -> None:
    """Eleven cards cost 22; with the hoc and another card away they are nine."""
    state, deck = ending(["KC KS 2S 4C 6D TH 2D 4D 6S TS 2C", "3S", "3D 5D 7D 9D JH"], called=8)
    assert choice(state, deck, keeps_hocs=keeps_hocs) == "KC"


@pytest.mark.parametrize("keeps_hocs", KEEN)
@pytest.mark.parametrize(("hand", "said"), [("KC 2S 4C 6D", "sans 8"), ("KC 2S 4C 6D TH", "KC")])
def test_the_tariff_of_the_last_cards(hand: str, said: str, keeps_hocs: bool) -> None:
    """Somebody has one card left. Four cards cost 4; after a hoc and a lead two are left, which cost 8. From five
    cards the hoc leads to three, which cost 3."""
    state, deck = ending([hand, "3S", "3D 5D 7D 9D JH"], called=8)
    assert choice(state, deck, keeps_hocs=keeps_hocs) == said


def test_a_lead_counts_what_it_leaves() -> None:
    """Somebody has one card left: the longer run would leave two cards, which cost more than three do."""
    far, deck = ending(["2S 3C 6D TH", "8S 8C 8D 9S", "3D 5D 7D 9D JH"])
    near, near_deck = ending(["2S 3C 6D TH", "8S", "3D 5D 7D 9D JH"])
    assert choice(far, deck) == "2S"
    assert choice(near, near_deck) == "3C"


def test_goes_out_over_a_stop_that_is_safe() -> None:
    """No hoc is out and nobody else has an 8: after the 7 the lead comes back, and the rest is one run."""
    hands = ["3H 4C 7S", "5H 6S", "5D 5C"]
    state, deck = ending(hands, sans=[frozenset(), frozenset({8}), frozenset({8})])
    hocs = tuple((position, card) for position, card in enumerate(deck) if card.is_hoc)
    asleep = tuple(position for position, _ in hocs if position >= 36)
    shown = tuple(pair for pair in hocs if pair not in state.opened)
    assert len(shown) == len(asleep), "the hocs that did not lie open yet sleep"
    state = replace(state, opened=state.opened + shown)
    assert choice(state, deck) == "7S"
    for seed in range(20):
        others = [make_player("random", Random(seed)) for _ in range(2)]
        assert play_deal(state, deck, [Thrifty(), *others]).winner == 0


def test_waits_for_the_lead_that_comes_back_by_itself() -> None:
    """The last card is ours and nobody has an 8 any more: *sans* most likely wins the lead, so the hoc is kept."""
    hands = ["KC 2S 4C 6D TH", "3S 5S 7S 9S JS", "3D 5D 7D 9D JH"]
    sans = [frozenset[int](), frozenset({8}), frozenset({8})]
    ours, deck = ending(hands, called=8, last=0, sans=sans)
    theirs, _ = ending(hands, called=8, last=2, sans=sans)
    assert choice(ours, deck) == "sans 8"
    assert choice(theirs, deck) == "KC"


def test_never_holds_back() -> None:
    state, deck = ending(["8H 2S 4C", "3S 5S 7S 9S JS", "3D 5D 7D 9D JH"], called=8, rules=Rules(hold_back="fined"))
    assert choice(state, deck) == "8H"


def test_every_choice_of_a_long_play_is_legal() -> None:
    """Full hands, after any first lead."""
    for seed in range(30):
        rng = Random(seed)
        order = rng.sample(DECK, 36)
        hands = [" ".join(str(card) for card in order[start : start + 12]) for start in (0, 12, 24)]
        state, deck = ending(hands)
        lead = rng.choice(game_rules.legal_actions(view_of(state, 0, deck)))
        over = play_deal(act(state, 0, lead, deck), deck, [Thrifty(), Thrifty(), make_player("novice", rng)])
        assert over.winner is not None


def test_ranks_without_ordinary_cards_are_dead() -> None:
    state, deck = ending(["8H 2S 4C", "3S 5S"])
    assert RANKS[-1] in others(state, deck).dead
