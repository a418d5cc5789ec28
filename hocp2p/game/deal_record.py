"""A whole deal as one JSON object (RULES 7): written, read, made from a played deal.

``replay.py`` plays a record again and checks every figure of it; this module judges form alone.

One key goes beyond RULES 7, and only where a seat was lost (rule 5): ``"gone": [[SEAT, N], ...]`` says that the seat
was lost after N actions of the deal, in the order of the losses; 0 is before the first action.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from hocp2p.errors import NotationError, RuleError
from hocp2p.game import rules as game_rules
from hocp2p.game.actions import Action, Stake
from hocp2p.game.cards import DECK_SIZE, Card, parse_card
from hocp2p.game.events import Source
from hocp2p.game.house import HAND_SIZE, Rules
from hocp2p.game.notation import format_action
from hocp2p.game.state import DealState

MAX_DEAL_CHARS: Final = 1_000_000  # of the text; a long deal takes about 10,000
UNKNOWN: Final = "??"
STAKE_NAMES: Final = {stake: stake.name.lower() for stake in Stake}

_MAX_JETONS: Final = 10**9


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One finished deal.

    Args:
        rules, seats, dealer: the table.
        carry: jetons in the three pools before the antes.
        doubled: stakes whose payments are doubled.
        hands: by seat, faces in dealt order (``rules.deal_positions``); None where a card is not known.
        talon: the sleeping cards in deck order; None where not known, which is everywhere unless a deck was made up.
        actions: the lines of :mod:`hocp2p.game.notation`.
        pay: by source name, change of balance by seat.
        net: sum of all sources by seat.
        carry_after: jetons in the three pools for the next deal.
        gone: seats lost, each with the number of actions done before.
    """

    rules: Rules
    seats: int
    dealer: int
    carry: tuple[int, int, int]
    doubled: frozenset[Stake]
    hands: tuple[tuple[Card | None, ...], ...]
    talon: tuple[Card | None, ...]
    actions: tuple[str, ...]
    pay: dict[str, tuple[int, ...]] = field(hash=False)
    net: tuple[int, ...]
    carry_after: tuple[int, int, int]
    gone: tuple[tuple[int, int], ...] = ()


def record_deal(
    start_state: DealState,
    faces_by_position: Mapping[int, Card],
    actions: Sequence[tuple[int, Action]],
    gone: Sequence[tuple[int, int]] = (),
) -> DealRecord:
    """The record of a deal that was played to its end.

    Args:
        start_state: as ``rules.start_deal`` gave it.
        faces_by_position: the faces that are known; all others are recorded as ``??``.
        actions: seat and action, in order.
        gone: seats lost during the deal, each with the number of actions done before.

    Raises:
        RuleError: an action is not legal, or the deal is not over after the last.
    """
    lost = (*((seat, 0) for seat in sorted(start_state.gone)), *gone)
    state = start_state
    lines: list[str] = []
    for number in range(len(actions) + 1):
        for seat, after in gone:
            if after == number:
                state, _ = game_rules.leave(state, seat)
        if number < len(actions):
            seat, action = actions[number]
            lines.append(format_action(seat, action, state.stake))
            state, _ = game_rules.apply(state, seat, action)
    outcome = game_rules.outcome(state)
    asleep = sorted(set(range(DECK_SIZE)).difference(*start_state.dealt))
    return DealRecord(
        rules=start_state.rules,
        seats=start_state.seats,
        dealer=start_state.dealer,
        carry=start_state.carry_in,
        doubled=start_state.doubled,
        hands=tuple(tuple(faces_by_position.get(position) for position in dealt) for dealt in start_state.dealt),
        talon=tuple(faces_by_position.get(position) for position in asleep),
        actions=tuple(lines),
        pay=dict(outcome.pay),
        net=outcome.net,
        carry_after=outcome.carry_after,
        gone=lost,
    )


def encode_deal(record: DealRecord) -> str:
    """The JSON object of a deal on one line, keys in the order of RULES 7."""
    fields_: dict[str, Any] = {
        "rules": record.rules.to_dict(),
        "seats": record.seats,
        "dealer": record.dealer,
        "carry": _by_stake(record.carry),
        "doubled": [STAKE_NAMES[stake] for stake in sorted(record.doubled)],
        "hands": [_format_cards(hand) for hand in record.hands],
        "talon": _format_cards(record.talon),
        "actions": record.actions,
        "pay": {source.value: record.pay[source.value] for source in Source},
        "net": record.net,
        "carry_after": _by_stake(record.carry_after),
    }
    if record.gone:
        fields_["gone"] = record.gone
    return json.dumps(fields_)


def decode_deal(text: str) -> DealRecord:
    """Reads what :func:`encode_deal` writes, strictly.

    House rules that are not named have their defaults. Whether the deal can have been played so is not judged here:
    see ``replay.replay``.

    Raises:
        NotationError: ``bad-deal``: not JSON, a key missing, doubled or unknown, a wrong type, count or range, a card
            that lies in two places; ``bad-card``: a word that is no card.
    """
    top = _load(text)
    _verify_keys(top, {*(field.name for field in fields(DealRecord))} - {"gone"}, {"gone"}, "the deal")
    rules = _read_rules(top["rules"])
    seats = _read_int(top["seats"], min(HAND_SIZE), max(HAND_SIZE), "seats")
    try:
        rules.verify_seats(seats)
    except RuleError as error:
        raise _bad(error.message) from error
    hand_size = HAND_SIZE[seats]
    hands = tuple(_read_cards(hand, hand_size, "a hand") for hand in _read_list(top["hands"], seats, "hands"))
    talon = _read_cards(top["talon"], DECK_SIZE - seats * hand_size, "talon")
    known = [card for cards in (*hands, talon) for card in cards if card is not None]
    if len(set(known)) < len(known):
        twice = next(card for card in known if known.count(card) > 1)
        raise _bad(f"{twice} lies in two places")
    actions = _read_list(top["actions"], None, "actions")
    if not all(isinstance(line, str) for line in actions):
        raise _bad("actions are lines of text")
    pay = _read_object(top["pay"], "pay")
    _verify_keys(pay, {source.value for source in Source}, set(), "pay")
    return DealRecord(
        rules=rules,
        seats=seats,
        dealer=_read_int(top["dealer"], 0, seats - 1, "dealer"),
        carry=_read_stakes(top["carry"], "carry"),
        doubled=_read_doubled(top["doubled"]),
        hands=hands,
        talon=talon,
        actions=tuple(actions),
        pay={source.value: _read_amounts(pay[source.value], seats, source.value) for source in Source},
        net=_read_amounts(top["net"], seats, "net"),
        carry_after=_read_stakes(top["carry_after"], "carry_after"),
        gone=_read_gone(top.get("gone", []), seats, len(actions)),
    )


def _by_stake(amounts: tuple[int, int, int]) -> dict[str, int]:
    return {STAKE_NAMES[stake]: amounts[stake] for stake in Stake}


def _format_cards(cards: Sequence[Card | None]) -> str:
    return " ".join(UNKNOWN if card is None else str(card) for card in cards)


def _bad(message: str) -> NotationError:
    return NotationError("bad-deal", message)


def _load(text: str) -> dict[str, Any]:
    if len(text) > MAX_DEAL_CHARS:
        raise _bad(f"a deal takes at most {MAX_DEAL_CHARS} characters")
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError) as error:  # ValueError: not JSON, or a number of thousands of digits
        raise _bad(f"not a JSON object: {error}") from error
    return _read_object(value, "the deal")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise _bad("a key is given twice")
    return unique


def _verify_keys(value: Mapping[str, Any], required: set[str], optional: set[str], what: str) -> None:
    if missing := required - value.keys():
        raise _bad(f"{what} lacks {', '.join(sorted(missing))}")
    if unknown := value.keys() - required - optional:
        raise _bad(f"{what} has no {', '.join(map(repr, sorted(unknown)))}")


def _read_object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _bad(f"{what} is an object")
    return value


def _read_list(value: object, count: int | None, what: str) -> list[Any]:
    if not isinstance(value, list) or count not in (None, len(value)):
        raise _bad(f"{what} is a list" + ("" if count is None else f" of {count}"))
    return value


def _read_int(value: object, least: int, most: int, what: str) -> int:
    if type(value) is not int or not least <= value <= most:  # True is no number here
        raise _bad(f"{what} is a whole number from {least} to {most}, not {value!r}")
    return value


def _read_amounts(value: object, count: int, what: str) -> tuple[int, ...]:
    amounts = _read_list(value, count, what)
    return tuple(_read_int(amount, -_MAX_JETONS, _MAX_JETONS, what) for amount in amounts)


def _read_stakes(value: object, what: str) -> tuple[int, int, int]:
    amounts = _read_object(value, what)
    _verify_keys(amounts, set(STAKE_NAMES.values()), set(), what)
    point, sequence, tricon = (_read_int(amounts[STAKE_NAMES[stake]], 0, _MAX_JETONS, what) for stake in Stake)
    return point, sequence, tricon


def _read_doubled(value: object) -> frozenset[Stake]:
    stakes = {name: stake for stake, name in STAKE_NAMES.items()}
    names = _read_list(value, None, "doubled")
    if not all(isinstance(name, str) and name in stakes for name in names) or len(set(names)) < len(names):
        raise _bad(f"doubled names stakes once each: {', '.join(stakes)}")
    return frozenset(stakes[name] for name in names)


def _read_rules(value: object) -> Rules:
    switches = _read_object(value, "rules")
    _verify_keys(switches, set(), set(Rules().to_dict()), "rules")
    try:
        return Rules(**switches)
    except RuleError as error:
        raise _bad(error.message) from error


def _read_cards(value: object, count: int, what: str) -> tuple[Card | None, ...]:
    if not isinstance(value, str):
        raise _bad(f"{what} is cards with a space between")
    words = value.split(" ")
    if len(words) != count:
        raise _bad(f"{what} is {count} cards, not {len(words)}")
    cards = tuple(None if word == UNKNOWN else parse_card(word) for word in words)
    if _format_cards(cards) != value:
        raise _bad(f"{what} is written with letters as in 7D and TC")
    return cards


def _read_gone(value: object, seats: int, actions: int) -> tuple[tuple[int, int], ...]:
    losses = [_read_list(item, 2, "a loss") for item in _read_list(value, None, "gone")]
    gone = tuple((_read_int(seat, 0, seats - 1, "gone"), _read_int(n, 0, actions, "gone")) for seat, n in losses)
    if len({seat for seat, _ in gone}) < len(gone) or list(gone) != sorted(gone, key=lambda loss: loss[1]):
        raise _bad("gone names seats once each, in the order in which they were lost")
    return gone
