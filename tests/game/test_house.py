"""House rules: the switches of the rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.errors import RuleError
from hocp2p.game.house import CHOICES, DEFAULT_RULES, MAX_DEALS, MAX_RAISE, Rules


def all_rules() -> st.SearchStrategy[Rules]:
    switches: dict[str, Any] = {name: st.sampled_from(choices) for name, choices in CHOICES.items()}
    return st.builds(Rules, deals=st.integers(1, MAX_DEALS), raise_cap=st.integers(1, MAX_RAISE), **switches)


def test_the_defaults_are_those_of_the_rules() -> None:
    assert DEFAULT_RULES.to_dict() == {
        "deals": 6,
        "ruin": "off",
        "raise_cap": 20,
        "double": "per_stake",
        "point": "cards",
        "lesser": "on",
        "fortuitous": "paid",
        "hold_back": "refused",
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"deals": 0},
        {"deals": MAX_DEALS + 1},
        {"deals": "6"},
        {"deals": True},
        {"raise_cap": 0},
        {"raise_cap": MAX_RAISE + 1},
        {"raise_cap": 2.0},
        {"ruin": "maybe"},
        {"double": ""},
        {"point": None},
        {"lesser": True},
    ],
)
def test_values_outside_their_choices_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(RuleError) as caught:
        Rules(**changes)
    assert caught.value.code == "bad-rule"


@pytest.mark.parametrize(("deals", "seats", "fits"), [(6, 2, True), (6, 3, True), (4, 3, False), (9, 2, False)])
def test_deals_are_a_multiple_of_the_players(deals: int, seats: int, fits: bool) -> None:
    rules = Rules(deals=deals)
    if fits:
        rules.verify_seats(seats)
        return
    with pytest.raises(RuleError, match="multiple"):
        rules.verify_seats(seats)


@pytest.mark.parametrize("seats", [0, 1, 4])
def test_two_or_three_play(seats: int) -> None:
    with pytest.raises(RuleError, match="two or three"):
        Rules(deals=12).verify_seats(seats)


@given(all_rules())
def test_every_switch_can_be_set_from_its_text(rules: Rules) -> None:
    rebuilt = DEFAULT_RULES
    for name, value in rules.to_dict().items():
        rebuilt = rebuilt.with_text(name, str(value))
    assert rebuilt == rules


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("colour", "red"),
        ("deals", "six"),
        ("deals", "-6"),
        ("deals", "٦"),
        ("deals", "9" * 5000),
        ("raise_cap", ""),
        ("lesser", "ON"),
    ],
)
def test_bad_text_is_refused(name: str, value: str) -> None:
    with pytest.raises(RuleError):
        DEFAULT_RULES.with_text(name, value)


@given(all_rules(), all_rules())
def test_equal_rules_have_equal_digests(one: Rules, other: Rules) -> None:
    assert (one.digest() == other.digest()) == (one == other)
    assert len(one.digest()) == 32
