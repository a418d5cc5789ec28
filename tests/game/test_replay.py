"""RULES 7: a recorded deal is played again, by the rules, and every figure compared."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import NotationError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Play, Show
from hocp2p.game.cards import ORDINARY, Card, parse_rank
from hocp2p.game.deal_record import DealRecord, decode_deal, encode_deal
from hocp2p.game.house import Rules
from hocp2p.game.replay import replay, replay_steps
from hocp2p.game.state import Phase
from tests.game.test_deal_record import played_deal, rules_values


def hide(record: DealRecord, known: Iterable[Card] = ()) -> DealRecord:
    """The record as somebody keeps it who knows no card but these."""
    shown = set(known)
    hands = tuple(tuple(card if card in shown else None for card in hand) for hand in record.hands)
    return replace(record, hands=hands, talon=(None,) * len(record.talon))


def with_line(record: DealRecord, number: int, line: str) -> DealRecord:
    """The record with another action ``number``, from 1."""
    return replace(record, actions=(*record.actions[: number - 1], line, *record.actions[number:]))


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]), rules_values, st.booleans())
def test_a_deal_played_is_the_deal_replayed(seed: int, seats: int, rules: Rules, leaving: bool) -> None:
    record = played_deal(seed, seats, rules, leaving=0.02 if leaving else 0.0)
    state = replay(decode_deal(encode_deal(record)))
    assert state.phase is Phase.OVER
    outcome = game_rules.outcome(state)
    assert (outcome.pay, outcome.net, outcome.carry_after) == (record.pay, record.net, record.carry_after)
    assert state.balances == tuple(100 + change for change in record.net)
    assert replay(record, [7] * seats).balances == tuple(7 + change for change in record.net)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]), st.integers(0, 2**32))
def test_a_deal_is_replayed_though_hands_are_unknown(seed: int, seats: int, hiding: int) -> None:
    record = played_deal(seed, seats, leaving=0.01)
    rng = random.Random(hiding)
    known = [card for hand in record.hands for card in hand if card is not None and rng.random() < 0.3]
    for kept in (hide(record), hide(record, known)):
        state = replay(kept)
        assert game_rules.outcome(state) == game_rules.outcome(replay(record))


def test_an_unknown_card_takes_the_first_unknown_position_of_its_seat() -> None:
    record = played_deal(3)
    dealt = game_rules.deal_positions(record.seats, record.dealer)
    known = record.hands[0][0]
    assert known is not None
    expected: list[dict[Card, int]] = [{}, {}, {}]
    free = [list(positions) for positions in dealt]
    expected[0][known] = free[0].pop(0)
    for step in replay_steps(hide(record, [known])):
        if not isinstance(step.action, Play | Show) or step.seat is None:
            continue
        cards = [step.action] if isinstance(step.action, Play) else step.action.cards
        for held in cards:
            where = expected[step.seat]
            if held.card not in where:
                where[held.card] = free[step.seat].pop(0)
            assert held.position == where[held.card]


def test_the_steps_begin_with_the_antes_and_number_the_actions() -> None:
    record = played_deal(5)
    steps = list(replay_steps(record))
    assert [step.number for step in steps] == list(range(len(record.actions) + 1))
    assert (steps[0].seat, steps[0].action) == (None, None)
    assert steps[0].state.pools == tuple(carry + 3 for carry in record.carry)
    assert steps[-1].state == replay(record)


def test_a_seat_lost_before_the_first_action_and_during_the_deal() -> None:
    records = [played_deal(seed, leaving=0.05) for seed in range(120)]
    early = next(record for record in records if record.gone and record.gone[0][1] == 0 and len(record.actions) > 3)
    late = next(record for record in records if record.gone and record.gone[0][1] > 5)
    for record in (early, late):
        seat = record.gone[0][0]
        assert seat in replay(record).gone
        with pytest.raises(NotationError):
            replay(replace(record, gone=()))


RECORD = played_deal(2)
PLAYS = [number for number, line in enumerate(RECORD.actions, 1) if " play " in line]


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (1, "0 sing"),
        (1, "9 pass"),
        (1, "2 play 7S"),
        (1, ""),
        (1, f"{(RECORD.dealer + 2) % 3} pass"),
        (1, f"{(RECORD.dealer + 1) % 3} stay"),
        (1, f"{(RECORD.dealer + 1) % 3} declare tierce"),
        (1, f"{(RECORD.dealer + 1) % 3} raise 21"),
        (PLAYS[0], RECORD.actions[PLAYS[0] - 1].lower()),
        (PLAYS[0], RECORD.actions[PLAYS[0] - 1][0] + " sans 3"),
        (PLAYS[3], RECORD.actions[PLAYS[0] - 1]),
    ],
)
def test_an_action_that_does_not_fit_is_named(number: int, line: str) -> None:
    for record in (RECORD, hide(RECORD)):
        with pytest.raises(NotationError, match=rf"^action {number} \(") as caught:
            replay(with_line(record, number, line))
        assert caught.value.code == "illegal-action"


def test_a_seat_that_is_not_there_cannot_act() -> None:
    record = played_deal(4, seats=2)
    for kept in (record, hide(record)):
        for line in ("2 play 7S", "2 pass"):
            with pytest.raises(NotationError, match=r"^action 1 \("):
                replay(with_line(kept, 1, line))


def test_a_card_of_another_seat_or_of_the_talon_cannot_be_played() -> None:
    number = PLAYS[0]
    seat = int(RECORD.actions[number - 1][0])
    for cards in (RECORD.hands[(seat + 1) % 3], RECORD.talon):
        with pytest.raises(NotationError, match=rf"^action {number} \("):
            replay(with_line(RECORD, number, f"{seat} play {cards[0]}"))


def test_a_seat_with_all_cards_known_shows_no_other() -> None:
    number = PLAYS[0]
    seat = int(RECORD.actions[number - 1][0])
    own = [card for card in RECORD.hands[seat] if card is not None]
    record = hide(RECORD, own)
    assert replay(record)
    foreign = RECORD.hands[(seat + 1) % 3][0]
    with pytest.raises(NotationError, match=f"seat {seat} cannot have {foreign}"):
        replay(with_line(record, number, f"{seat} play {foreign}"))


def held_back(seed: int) -> tuple[DealRecord, int, list[str]] | None:
    """A record, the number of an action by which a seat holds cards back, and these cards."""
    record = played_deal(seed, rules=Rules(hold_back="fined"))
    for number, line in enumerate(record.actions, 1):
        seat, word, *rest = line.split()
        if word == "hold":
            played = record.actions[: number - 1]
            dealt = [card for card in record.hands[int(seat)] if card in ORDINARY[parse_rank(rest[0])]]
            held = [str(card) for card in dealt if f"{seat} play {card}" not in played]
            if held:
                return record, number, held
    return None


@pytest.mark.parametrize("hidden", [False, True], ids=["hands known", "hands unknown"])
def test_a_false_sans_is_found(hidden: bool) -> None:
    found = 0
    for record, number, held in filter(None, map(held_back, range(40))):
        line, later = record.actions[number - 1], record.actions[number:]
        if hidden and (not any(card in " ".join(later) for card in held) or line in later):
            continue  # nobody ever learns of it, or holding back again is refused first
        lie = with_line(record, number, line.replace("hold", "sans"))
        with pytest.raises(NotationError, match=rf"^action {number} \(") as caught:
            replay(hide(lie) if hidden else lie)
        assert caught.value.code == "illegal-action"
        found += "the seat holds" in caught.value.message
    assert found > 2


def test_a_false_carte_blanche_is_found() -> None:
    number = next(number for number, line in enumerate(RECORD.actions, 1) if line.endswith(" go"))
    lie = with_line(RECORD, number, RECORD.actions[number - 1].replace("go", "blanche"))
    with pytest.raises(NotationError, match=r"the seat holds|everybody has seen") as caught:
        replay(lie)
    assert caught.value.code == "illegal-action"


def test_the_actions_end_with_the_deal() -> None:
    with pytest.raises(NotationError) as caught:
        replay(replace(RECORD, actions=RECORD.actions[:-1]))
    assert caught.value.code == "unfinished-deal"
    with pytest.raises(NotationError) as caught:
        replay(replace(RECORD, actions=()))
    assert caught.value.code == "unfinished-deal"
    longer = replace(RECORD, actions=(*RECORD.actions, "0 good"))
    with pytest.raises(NotationError, match=f"^action {len(longer.actions)} "):
        replay(longer)


def test_figures_that_are_not_those_of_the_deal_are_named() -> None:
    point = tuple(amount + change for amount, change in zip(RECORD.pay["point"], (1, -1, 0), strict=True))
    net = tuple(amount + change for amount, change in zip(RECORD.net, (1, -1, 0), strict=True))
    carry = (RECORD.carry_after[0], RECORD.carry_after[1] + 1, RECORD.carry_after[2])
    for record, name in (
        (replace(RECORD, pay=RECORD.pay | {"point": point}), "pay of point"),
        (replace(RECORD, net=net), "net"),
        (replace(RECORD, carry_after=carry), "carry_after of sequence"),
    ):
        with pytest.raises(NotationError, match=f"^{name} is") as caught:
            replay(record)
        assert caught.value.code == "wrong-figures"
