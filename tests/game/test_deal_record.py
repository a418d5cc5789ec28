"""RULES 7: a deal as one JSON object; its form."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import NotationError, RuleError
from hocp2p.game.actions import Stake
from hocp2p.game.cards import DECK, parse_card
from hocp2p.game.deal_record import MAX_DEAL_CHARS, DealRecord, decode_deal, encode_deal, record_deal
from hocp2p.game.house import CHOICES, Rules
from tests.support.choosing import play_wildly
from tests.support.deals import random_deal


def played_deal(seed: int, seats: int = 3, rules: Rules | None = None, leaving: float = 0.0) -> DealRecord:
    """The record of a deal at random, all faces known."""
    rng = random.Random(seed)
    carry, doubled = (rng.randrange(4), rng.randrange(4), 0), frozenset(rng.sample(list(Stake), rng.randrange(3)))
    deal = random_deal(rng, seats, rng.randrange(seats), rules or Rules(), carry=carry, doubled=doubled)
    faces = dict(deal.faces)
    asleep = [card for card in DECK if card not in faces.values()]
    faces.update(zip((position for position in range(52) if position not in faces), asleep, strict=True))
    _, actions, gone = play_wildly(deal.state, faces, rng, leaving)
    return record_deal(deal.state, faces, actions, gone)


RECORD = played_deal(1)
VALUE: dict[str, Any] = json.loads(encode_deal(RECORD))

rules_values = st.builds(
    lambda **switches: Rules(**switches),
    deals=st.sampled_from([6, 12]),
    raise_cap=st.integers(1, 1000),
    **{name: st.sampled_from(choices) for name, choices in CHOICES.items()},
)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32), st.sampled_from([2, 3]), rules_values, st.integers(0, 2**32))
def test_every_record_comes_back(seed: int, seats: int, rules: Rules, hide: int) -> None:
    record = played_deal(seed, seats, rules, leaving=0.01)
    hidden = random.Random(hide)
    record = replace(
        record,
        hands=tuple(tuple(card if hidden.random() < 0.5 else None for card in hand) for hand in record.hands),
        talon=(None,) * len(record.talon),
    )
    text = encode_deal(record)
    assert decode_deal(text) == record
    assert encode_deal(decode_deal(text)) == text
    assert "\n" not in text


def test_the_object_is_that_of_the_rules() -> None:
    assert list(VALUE) == [
        "rules", "seats", "dealer", "carry", "doubled", "hands", "talon", "actions", "pay", "net", "carry_after",
    ]  # fmt: skip
    assert list(VALUE["rules"]) == list(Rules().to_dict())
    assert list(VALUE["carry"]) == list(VALUE["carry_after"]) == ["point", "sequence", "tricon"]
    assert list(VALUE["pay"]) == ["point", "sequence", "tricon", "blanche", "hocs", "cards", "fines"]
    assert [len(hand.split()) for hand in VALUE["hands"]] == [12, 12, 12]
    assert len(VALUE["talon"].split()) == 16
    assert VALUE["net"] == [sum(column) for column in zip(*VALUE["pay"].values(), strict=True)]
    carried = sum(VALUE["carry_after"].values()) - sum(VALUE["carry"].values())
    assert sum(VALUE["net"]) + carried == 0
    assert all(isinstance(line, str) and line[0] in "012" for line in VALUE["actions"])


def test_a_lost_seat_is_recorded_only_where_there_is_one() -> None:
    lost = next(record for record in (played_deal(seed, leaving=0.05) for seed in range(50)) if record.gone)
    assert json.loads(encode_deal(lost))["gone"] == [list(loss) for loss in lost.gone]
    assert "gone" not in VALUE


def test_unknown_cards_are_question_marks() -> None:
    bare = replace(RECORD, hands=tuple((None,) * 12 for _ in range(3)), talon=(None,) * 16)
    value = json.loads(encode_deal(bare))
    assert value["hands"] == [" ".join(["??"] * 12)] * 3
    assert value["talon"] == " ".join(["??"] * 16)
    assert decode_deal(encode_deal(bare)) == bare


def test_house_rules_that_are_not_named_have_their_defaults() -> None:
    assert decode_deal(json.dumps(VALUE | {"rules": {}})).rules == Rules()
    assert decode_deal(json.dumps(VALUE | {"rules": {"point": "pips"}})).rules == Rules(point="pips")


def test_a_deal_that_is_not_over_has_no_record() -> None:
    deal = random_deal(random.Random(1), 2, 0)
    with pytest.raises(RuleError):
        record_deal(deal.state, deal.faces, [])


def without(key: str) -> Callable[[dict[str, Any]], object]:
    return lambda value: {name: item for name, item in value.items() if name != key}


def with_(key: str, item: object) -> Callable[[dict[str, Any]], object]:
    return lambda value: value | {key: item}


HANDS: list[str] = VALUE["hands"]
PAY: dict[str, list[int]] = VALUE["pay"]
OWN, FIRST = HANDS[0].split(), HANDS[1].split()[0]


@pytest.mark.parametrize(
    "change",
    [
        *(without(key) for key in VALUE),
        with_("balances", [100, 100, 100]),
        with_("Seats", 3),
        lambda value: [value],
        lambda _: "deal",
        lambda _: None,
        with_("seats", 2),
        with_("seats", 4),
        with_("seats", 3.0),
        with_("seats", "3"),
        with_("seats", None),
        with_("dealer", 3),
        with_("dealer", -1),
        with_("dealer", True),
        with_("rules", []),
        with_("rules", {"points": "pips"}),
        with_("rules", {"point": "suits"}),
        with_("rules", {"point": 1}),
        with_("rules", {"point": ["pips"]}),
        with_("rules", {"raise_cap": 2.0}),
        with_("rules", {"deals": "6"}),
        with_("rules", {"deals": True}),
        with_("rules", {"deals": 4}),
        with_("rules", {"raise_cap": 0}),
        with_("carry", [0, 0, 0]),
        with_("carry", {"point": 0, "sequence": 0}),
        with_("carry", {"point": 0, "sequence": 0, "tricon": -1}),
        with_("carry", {"point": 0, "sequence": 0, "tricon": 0, "fines": 0}),
        with_("carry", {"point": 0, "sequence": 0, "tricon": 10**10}),
        with_("carry_after", {"point": 0.5, "sequence": 0, "tricon": 0}),
        with_("doubled", "point"),
        with_("doubled", ["point", "point"]),
        with_("doubled", ["blanche"]),
        with_("doubled", [0]),
        with_("doubled", [["point"]]),
        with_("hands", HANDS[:2]),
        with_("hands", [*HANDS, HANDS[0]]),
        with_("hands", " ".join(HANDS)),
        with_("hands", [HANDS[0], HANDS[1], 5]),
        with_("hands", [HANDS[0] + " ??", *HANDS[1:]]),
        with_("hands", [" ".join(OWN[1:]), *HANDS[1:]]),
        with_("hands", [" ".join([FIRST, *OWN[1:]]), *HANDS[1:]]),
        with_("hands", [" ".join([OWN[1], *OWN[1:]]), *HANDS[1:]]),
        with_("hands", [HANDS[0].lower(), *HANDS[1:]]),
        with_("hands", [HANDS[0].replace(" ", "  ", 1), *HANDS[1:]]),
        with_("hands", [" ".join(["XX", *OWN[1:]]), *HANDS[1:]]),
        with_("hands", [" ".join(["?", *OWN[1:]]), *HANDS[1:]]),
        with_("talon", " ".join(OWN[:1] + ["??"] * 15)),
        with_("talon", " ".join(["??"] * 15)),
        with_("talon", ""),
        with_("talon", None),
        with_("actions", "0 pass"),
        with_("actions", [["0", "pass"]]),
        with_("actions", [None]),
        with_("pay", {}),
        with_("pay", PAY | {"point": [0, 0]}),
        with_("pay", PAY | {"point": [0, 0, "0"]}),
        with_("pay", PAY | {"point": 0}),
        with_("pay", PAY | {"talon": [0, 0, 0]}),
        with_("net", [0, 0]),
        with_("net", [0, 0, False]),
        with_("gone", [[3, 0]]),
        with_("gone", [[0]]),
        with_("gone", [[0, 0], [0, 1]]),
        with_("gone", [[0, 2], [1, 1]]),
        with_("gone", [[0, 10_000]]),
        with_("gone", {"0": 1}),
    ],
)
def test_anything_else_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    with pytest.raises(NotationError):
        decode_deal(json.dumps(change(VALUE)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 5000,
        "NaN",
        encode_deal(RECORD).replace('"seats": 3', '"seats": 3, "seats": 3'),
        encode_deal(RECORD).replace('"deals": 6', '"deals": 6, "deals": 6'),
        encode_deal(RECORD).replace('"dealer"', '"net": NaN, "dealer"'),
        encode_deal(RECORD) + " {}",
        encode_deal(RECORD) + " " * MAX_DEAL_CHARS,
    ],
    ids=range(11),
)
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        decode_deal(text)
    assert caught.value.code == "bad-deal"


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_any_damage_is_refused_or_still_a_record(data: st.DataObject) -> None:
    text = encode_deal(RECORD)
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 5)) :]
    try:
        record = decode_deal(damaged)
    except NotationError:
        return
    assert decode_deal(encode_deal(record)) == record


def test_a_card_in_two_places_is_named() -> None:
    twice = replace(RECORD, talon=(parse_card(FIRST), *RECORD.talon[1:]))
    with pytest.raises(NotationError, match=f"{FIRST} lies in two places"):
        decode_deal(encode_deal(twice))
