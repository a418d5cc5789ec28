"""Laws that hold in every deal, under all house rules, for two and three; dealing; what needs a proof; the figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import RuleError
from hocp2p.game.actions import (
    Action,
    Announce,
    Blanche,
    Claim,
    Combination,
    Declare,
    Go,
    Good,
    Held,
    Hold,
    Pass,
    Play,
    Raise,
    Sans,
    Show,
    Stake,
    Stay,
    Unseen,
)
from hocp2p.game.cards import DECK, DECK_SIZE, Card
from hocp2p.game.combinations import holdings
from hocp2p.game.events import Event, Source
from hocp2p.game.house import CHOICES, HAND_SIZE, Rules
from hocp2p.game.rules import (
    NotHolding,
    Openings,
    apply,
    deal_positions,
    legal_actions,
    outcome,
    required_proof,
    start_deal,
    verify_action,
)
from hocp2p.game.state import DealState, Phase
from tests.support.deals import Deal, deal_from_permutation, deal_from_text, play_out, random_deal

MOST_ACTIONS = 400
BLUFFS: tuple[Action, ...] = (Announce(Claim(5, 30)), Announce(Claim(4, 9)), Announce(Claim(3, 13)))
SOURCES = [source.value for source in Source]


@st.composite
def house_rules(draw: st.DrawFn) -> Rules:
    switches: dict[str, Any] = {name: draw(st.sampled_from(choices)) for name, choices in CHOICES.items()}
    return Rules(raise_cap=draw(st.sampled_from([1, 3, 20])), **switches)


@st.composite
def whole_deals(draw: st.DrawFn) -> Deal:
    seats = draw(st.sampled_from([2, 3]))
    dealer = draw(st.integers(0, seats - 1))
    carry = draw(st.tuples(*[st.integers(0, 9)] * 3))
    doubled = draw(st.frozensets(st.sampled_from(Stake)))
    permutation = draw(st.permutations(range(DECK_SIZE)))
    return deal_from_permutation(permutation, seats, dealer, draw(house_rules()), carry=carry, doubled=doubled)


class Chooser:
    """Plays a deal on with choices drawn by hypothesis; raises are seldom, so that auctions end.

    Now and then it bluffs at a showdown.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def pick(self, deal: Deal) -> Action:
        legal = deal.legal()
        if deal.state.phase is Phase.SHOWDOWN and self._rng.random() < 0.3:
            bluffs = [bluff for bluff in BLUFFS if accepted(deal.state, bluff)]
            legal = tuple(bluffs) or legal
        if self._rng.random() < 0.8:
            legal = tuple(action for action in legal if not isinstance(action, Raise)) or legal
        return legal[self._rng.randrange(len(legal))]


def accepted(state: DealState, action: Action) -> bool:
    try:
        verify_action(state, state.eldest if state.turn is None else state.turn, action)
    except RuleError:
        return False
    return True


def steps(deal: Deal, rng: Random) -> Iterator[tuple[DealState, Action, tuple[Event, ...]]]:
    """Plays a deal to its end: each state, the action done in it, its events."""
    chooser = Chooser(rng)
    for _ in range(MOST_ACTIONS):
        before = deal.state
        if before.turn is None:
            return
        action = chooser.pick(deal)
        yield before, action, deal.do(before.turn, action)
    raise AssertionError(f"the deal has not ended after {MOST_ACTIONS} actions")


def jetons(state: DealState) -> int:
    return sum(state.balances) + sum(state.pools) + state.fines


def universe(deal: Deal) -> Iterator[Action]:
    """Actions of every kind, sensible or not."""
    state = deal.state
    seat = 0 if state.turn is None else state.turn
    classes = (None, *Combination)
    yield from (Pass(), Good(), Unseen(), Blanche(), Go())
    yield from (action(announced) for action in (Declare, Stay) for announced in classes)
    yield from (Raise(by, announced) for by in (-1, 0, 1, 3, 20, 21, 1000) for announced in classes)
    yield from (Announce(Claim(first, second)) for first, second in product(range(6), range(0, 60, 3)))
    yield from (Sans(rank) for rank in range(15))
    yield from (Hold(rank) for rank in range(15))
    yield from (Play(position, card) for position, card in deal.faces.items())
    yield from (Play(position, DECK[7]) for position in state.hands[seat])
    hand = tuple(Held(position, deal.faces[position]) for position in state.hands[seat])
    yield from (Show(hand[:size]) for size in range(len(hand) + 1))
    yield Show(hand[:1] * 3)
    for stake in Stake:
        for holding in holdings(stake, deal.faces.values()):
            yield deal.showing(" ".join(map(str, holding.cards)))


# The laws


@settings(max_examples=150, deadline=None)
@given(whole_deals(), st.randoms(use_true_random=False))
def test_every_deal_ends_and_its_figures_add_up(deal: Deal, rng: Random) -> None:
    start, carried = deal.state, sum(deal.state.carry_in)
    for before, _, _ in steps(deal, rng):
        assert jetons(before) == jetons(start)
    end = deal.state
    assert jetons(end) == jetons(start) == 100 * start.seats + carried
    result = outcome(end)
    assert list(result.pay) == SOURCES
    assert sum(result.net) + sum(result.carry_after) == carried
    assert result.balances == tuple(100 + net for net in result.net)
    assert result.net == tuple(sum(line[seat] for line in result.pay.values()) for seat in range(start.seats))
    assert sum(result.pay["blanche"]) == sum(result.pay["hocs"]) == sum(result.pay["cards"]) == 0
    assert end.winner is not None
    assert end.hands[end.winner] == ()
    assert all(pool == 0 or Stake(stake) in end.passed for stake, pool in enumerate(end.pools))


@settings(max_examples=60, deadline=None)
@given(whole_deals(), st.randoms(use_true_random=False))
def test_every_legal_action_is_accepted_and_lets_the_deal_go_on(deal: Deal, rng: Random) -> None:
    chooser = Chooser(rng)
    while (seat := deal.state.turn) is not None:
        legal = deal.legal()
        assert legal
        assert len(set(legal)) == len(legal)
        for action in legal:
            verify_action(deal.state, seat, action)
        for other in set(range(deal.state.seats)) - {seat}:
            assert legal_actions(deal.view(other)) == ()
        deal.do(seat, chooser.pick(deal))


def proof_holds(deal: Deal, seat: int, action: Action) -> bool:
    """Whether the proof that goes with an action can be made, knowing all faces."""
    match required_proof(deal.state, seat, action):
        case Openings(positions, cards):
            return all(deal.faces[position] == card for position, card in zip(positions, cards, strict=True))
        case NotHolding(positions, cards):
            return not any(deal.faces[position] in cards for position in positions)
        case None:
            return True


def is_tolerated(state: DealState, action: Action) -> bool:
    """What is not offered though it is accepted and proven: infractions with a fine, and showing parts of a hand."""
    match action:
        case Hold():
            return True
        case Announce():
            return state.phase is Phase.SHOWDOWN
        case Good() | Show():
            return state.phase is Phase.SHOW
        case _:
            return False


@settings(max_examples=40, deadline=None)
@given(whole_deals(), st.randoms(use_true_random=False))
def test_what_is_accepted_and_proven_is_what_is_offered(deal: Deal, rng: Random) -> None:
    """Public state and proof together leave a modified client nothing that an honest one has not."""
    for _ in steps(deal, rng):
        state, legal = deal.state, set(deal.legal())
        if state.turn is None or rng.random() < 0.6:
            continue
        for action in universe(deal):
            if action in legal or not accepted(state, action):
                continue
            assert not proof_holds(deal, state.turn, action) or is_tolerated(state, action), action


@settings(max_examples=40, deadline=None)
@given(whole_deals(), st.randoms(use_true_random=False))
def test_offered_actions_can_be_proven(deal: Deal, rng: Random) -> None:
    for before, _, _ in steps(deal, rng):
        earlier = Deal(before, deal.faces, [])
        assert before.turn is not None
        for action in earlier.legal():
            assert proof_holds(earlier, before.turn, action)


@settings(max_examples=40, deadline=None)
@given(whole_deals(), st.randoms(use_true_random=False))
def test_the_same_action_has_the_same_effect(deal: Deal, rng: Random) -> None:
    for before, action, events in steps(deal, rng):
        assert before.turn is not None
        assert apply(before, before.turn, action) == (deal.state, events)


def cards_in(value: object) -> Iterator[Card]:
    """Every face anywhere inside a value."""
    if isinstance(value, Card):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from cards_in(getattr(value, field.name))
    elif isinstance(value, (tuple, list, frozenset)):
        for item in value:
            yield from cards_in(item)


@settings(max_examples=40, deadline=None)
@given(whole_deals(), st.randoms(use_true_random=False))
def test_the_public_state_holds_no_face_but_opened_ones(deal: Deal, rng: Random) -> None:
    said: set[Card] = set()
    for _, action, events in steps(deal, rng):
        if isinstance(action, (Play, Show)):
            said |= set(cards_in(action))
        assert set(cards_in(deal.state)) == said
        assert set(cards_in(events)) <= said
        assert all(deal.faces[position] == card for position, card in deal.state.opened)
        assert len(dict(deal.state.opened)) == len(deal.state.opened)


@settings(max_examples=40, deadline=None)
@given(whole_deals(), st.randoms(use_true_random=False))
def test_a_hand_is_what_was_dealt_less_what_was_played(deal: Deal, rng: Random) -> None:
    for _ in steps(deal, rng):
        state = deal.state
        played: list[list[int]] = [[] for _ in state.hands]
        if state.play is not None:
            for card in (card for run in (*state.play.closed, state.play.run) for card in run):
                played[card.seat].append(card.position)
        for seat, dealt in enumerate(state.dealt):
            assert sorted([*state.hands[seat], *played[seat]]) == list(dealt)


@settings(max_examples=150, deadline=None)
@given(whole_deals(), st.randoms(use_true_random=False), st.lists(st.integers(0, 60), min_size=1, max_size=3))
def test_seats_may_leave_at_any_time(deal: Deal, rng: Random, times: list[int]) -> None:
    start, chooser = jetons(deal.state), Chooser(rng)
    for moment in range(MOST_ACTIONS):
        for _ in range(times.count(moment)):
            present = deal.state.present
            if present:
                deal.leave(present[rng.randrange(len(present))])
        state = deal.state
        assert jetons(state) == start
        if state.turn is None:
            break
        assert state.turn not in state.gone
        assert len(state.present) >= 2
        deal.do(state.turn, chooser.pick(deal))
    assert deal.state.phase is Phase.OVER
    assert sum(outcome(deal.state).net) + sum(outcome(deal.state).carry_after) == sum(deal.state.carry_in)


@given(whole_deals())
def test_a_refused_action_changes_nothing(deal: Deal) -> None:
    before = deal.state
    refused = [action for action in universe(deal) if not accepted(before, action)]
    for action in refused:
        with pytest.raises(RuleError):
            deal.do(before.eldest, action)
    assert deal.state == before
    assert len(refused) > 100


# Dealing


@pytest.mark.parametrize(("seats", "dealer"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)])
def test_cards_are_dealt_one_at_a_time_from_eldest(seats: int, dealer: int) -> None:
    dealt = deal_positions(seats, dealer)
    assert all(len(hand) == HAND_SIZE[seats] for hand in dealt)
    for position in range(seats * HAND_SIZE[seats]):
        assert position in dealt[(dealer + 1 + position) % seats]
    assert sorted(position for hand in dealt for position in hand) == list(range(seats * HAND_SIZE[seats]))


@pytest.mark.parametrize(("seats", "dealer"), [(1, 0), (4, 0), (2, 2), (3, -1)])
def test_there_is_no_deal_for_other_seats(seats: int, dealer: int) -> None:
    with pytest.raises(RuleError):
        deal_positions(seats, dealer)


@pytest.mark.parametrize(("balances", "carry"), [([100], (0, 0, 0)), ([100, 100], (0, -1, 0))])
def test_a_deal_starts_with_figures_that_fit(balances: list[int], carry: tuple[int, int, int]) -> None:
    with pytest.raises(RuleError):
        start_deal(Rules(), 2, 0, balances, carry, frozenset())


def test_balances_may_be_negative() -> None:
    state, _ = start_deal(Rules(), 2, 0, [-5, 205], (0, 0, 0), frozenset())
    assert state.balances == (-8, 202)


# Figures


def test_there_are_no_figures_before_the_end() -> None:
    with pytest.raises(RuleError) as caught:
        outcome(deal_from_text(["2S", "3S"]).state)
    assert caught.value.code == "not-over"


def test_a_deal_without_seats_that_could_play_is_over_at_once() -> None:
    deal = deal_from_text(["2S", "3S"], gone=frozenset({0}))
    assert (deal.state.phase, deal.state.turn) == (Phase.OVER, None)
    assert outcome(deal.state).carry_after == (2, 2, 2)


def test_playing_out_a_seeded_deal_gives_the_same_every_time() -> None:
    def play_once() -> DealState:
        rng = Random(7)
        deal = random_deal(rng, 3, 1)
        return play_out(deal.state, deal.faces, lambda _, legal: legal[rng.randrange(min(3, len(legal)))])[0]

    assert play_once() == play_once()
