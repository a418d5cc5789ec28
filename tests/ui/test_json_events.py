"""Every event as JSON: a walk over all classes, and the exact form of those that programs wait for."""

from __future__ import annotations

import dataclasses
import json
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from hocp2p.game.actions import Action, Claim, Combination, Declare, Held, Play, Raise, Sans, Show, Stake
from hocp2p.game.cards import Card, parse_card
from hocp2p.game.events import Announced, Called, CardPlayed, CardsShown, Paid, SansSaid, Source, StakeClosed, StakeEnd
from hocp2p.game.house import Rules
from hocp2p.game.state import DealOutcome
from hocp2p.table.events import DealSigned, HandDealt, SessionEnded, TableEvent, TableStopped
from hocp2p.ui.json_events import event_name, event_to_json, table_to_json, turn_to_json
from tests.support.fake_client import FakeClient

EVENTS: tuple[type[Any], ...] = get_args(TableEvent)


def example(hint: Any) -> Any:
    """Some value of a type."""
    if hint in SIMPLE:
        return SIMPLE[hint]
    if get_origin(hint) in (Union, UnionType):
        return example(next(part for part in get_args(hint) if part is not NoneType))
    if get_origin(hint) is tuple:
        parts = get_args(hint)
        return (example(parts[0]),) * 2 if parts[1:] == (...,) else tuple(example(part) for part in parts)
    if get_origin(hint) is dict:
        key, value = get_args(hint)
        return {example(key): example(value)}
    if get_origin(hint) is frozenset:
        return frozenset({example(get_args(hint)[0])})
    if get_origin(hint) is Literal:
        return get_args(hint)[0]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return list(hint)[-1]
    return make(hint)


def make(kind: type[Any]) -> Any:
    """An example of a dataclass, every field set."""
    hints = get_type_hints(kind)
    return kind(**{field.name: example(hints[field.name]) for field in dataclasses.fields(kind)})


SIMPLE: dict[Any, Any] = {
    int: 2,
    str: "text",
    bool: True,
    Card: parse_card("7D"),
    Claim: Claim(4, 9),
    Held: Held(17, parse_card("TS")),
    Action: Raise(3, Combination.TIERCE),
}


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_every_event_is_an_object_with_all_its_fields(kind: type[Any]) -> None:
    told = event_to_json(make(kind))
    assert json.loads(json.dumps(told)) == told
    assert list(told) == ["event", *(field.name for field in dataclasses.fields(kind))]
    assert told["event"] == event_name(kind)
    assert "None" not in json.dumps(told)


def test_every_event_has_a_name_of_its_own() -> None:
    names = [event_name(kind) for kind in EVENTS]
    assert len(set(names)) == len(names)
    assert {"card_played", "session_ended", "table_stopped", "sans_said", "hand_dealt"} <= set(names)
    assert not {"turn", "reply", "refused", "table", "offer"} & set(names)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (SessionEnded((6, -6)), '{"event": "session_ended", "net": [6, -6]}'),
        (
            CardPlayed(1, 17, parse_card("JD"), 3, led=False, left=11),
            '{"event": "card_played", "seat": 1, "position": 17, "card": "JD", "as_rank": "3", "led": false, '
            '"left": 11}',
        ),
        (SansSaid(0, 10), '{"event": "sans_said", "seat": 0, "rank": "T"}'),
        (HandDealt((parse_card("AS"), parse_card("TC"))), '{"event": "hand_dealt", "cards": ["AS", "TC"]}'),
        (
            Called(2, Stake.SEQUENCE, Declare(Combination.QUART), 0, 0),
            '{"event": "called", "seat": 2, "stake": "sequence", "action": "declare quart", "paid": 0, "level": 0}',
        ),
        (
            Announced(1, Stake.TRICON, Claim(3, 13)),
            '{"event": "announced", "seat": 1, "stake": "tricon", "claim": "brelan/K"}',
        ),
        (
            Announced(1, Stake.SEQUENCE, Claim(4, 10)),
            '{"event": "announced", "seat": 1, "stake": "sequence", "claim": "4/T"}',
        ),
        (Announced(1, Stake.POINT, None), '{"event": "announced", "seat": 1, "stake": "point", "claim": null}'),
        (
            CardsShown(0, Stake.TRICON, (Held(3, parse_card("9S")), Held(4, parse_card("9H")))),
            '{"event": "cards_shown", "seat": 0, "stake": "tricon", "cards": ["9S", "9H"]}',
        ),
        (
            StakeClosed(Stake.SEQUENCE, StakeEnd.ALONE, 1, 9, Combination.QUINT),
            '{"event": "stake_closed", "stake": "sequence", "end": "alone", "winner": 1, "pool": 9, '
            '"announced": "quint"}',
        ),
        (
            Paid(Source.HOCS, 0, 1, 1, "hoc"),
            '{"event": "paid", "source": "hocs", "seat": 0, "to": 1, "amount": 1, "reason": "hoc"}',
        ),
        (
            TableStopped("bad-proof", "Bruno's shuffle does not hold", 1, "deck 2/3"),
            '{"event": "table_stopped", "code": "bad-proof", "message": "Bruno\'s shuffle does not hold", '
            '"seat": 1, "step": "deck 2/3"}',
        ),
        (
            DealSigned(
                3,
                DealOutcome(
                    {"point": (1, -1)}, (1, -1), (101, 99), (0, 2, 0), frozenset({Stake.TRICON, Stake.SEQUENCE})
                ),
            ),
            '{"event": "deal_signed", "number": 3, "outcome": {"pay": {"point": [1, -1]}, "net": [1, -1], '
            '"balances": [101, 99], "carry_after": [0, 2, 0], "doubled_after": ["sequence", "tricon"]}}',
        ),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_exact_lines(event: TableEvent, text: str) -> None:
    assert json.dumps(event_to_json(event)) == text


@pytest.fixture
def fake() -> FakeClient:
    client = FakeClient(seed=5, rules=Rules(deals=3))
    client.ready()
    return client


def test_a_turn_lists_what_may_be_typed(fake: FakeClient) -> None:
    told = turn_to_json(fake.snapshot)
    legal = told["legal"]
    assert isinstance(legal, list)
    assert len(legal) == len(set(map(str, legal))) == len(fake.snapshot.legal)
    assert legal[:3] == ["good", "stay", "raise 1"]
    assert list(told) == ["event", "legal"]


def test_the_table_as_we_come_to_it(fake: FakeClient) -> None:
    told = table_to_json(fake.snapshot)
    assert json.loads(json.dumps(told)) == told
    assert told["event"] == "table"
    assert told["title"] == "Anna's table"
    assert told["our_seat"] == 0
    assert told["rules"] == Rules(deals=3).to_dict()
    seats = told["seats"]
    assert isinstance(seats, list)
    assert [seat["name"] for seat in seats if isinstance(seat, dict)] == ["Anna", "Bruno", "bot 3"]


def test_what_has_no_json_is_a_bug_and_not_a_guess() -> None:
    with pytest.raises(TypeError):
        event_to_json(SessionEnded((1.5, -1.5)))  # type: ignore[arg-type] # on purpose


@pytest.mark.parametrize(
    ("action", "words"),
    [(Play(3, parse_card("7D")), "play 7D"), (Sans(10), "sans T"), (Show((Held(3, parse_card("TS")),)), "show TS")],
)
def test_actions_are_in_the_notation_of_the_rules(action: Action, words: str) -> None:
    assert event_to_json(Called(0, Stake.POINT, action, 0, 0))["action"] == words
