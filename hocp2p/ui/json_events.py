"""Every event as one JSON object: ``{"event": "card_played", "seat": 1, "card": "7D", ...}``.

The name is the class's in snake case and the keys are its fields. Cards, actions, claims and ranks are in the notation
of RULES 7, enumerations are their names in lower case, sets are sorted lists. Only our own ``hand_dealt`` holds faces
that are not public.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from enum import Enum
from typing import Final, get_args

from hocp2p.game.actions import Action, Claim, Held, Stake
from hocp2p.game.cards import Card, format_rank
from hocp2p.game.notation import format_claim
from hocp2p.table.events import Refused, TableEvent
from hocp2p.table.snapshot import TableSnapshot
from hocp2p.ui.commands import format_words

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]

RANK_FIELDS: Final = frozenset({"rank", "as_rank"})
ACTIONS: Final = get_args(Action)
_NAMES: Final[dict[type[object], str]] = {Refused: "seat_refused"}
"""Names that are not the class's: a command of ours that is refused has been ``refused`` for longer."""


def event_name(kind: type[object]) -> str:
    """``CardPlayed`` is ``card_played``."""
    return _NAMES.get(kind) or re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def event_to_json(event: TableEvent) -> dict[str, Json]:
    """One event as an object of JSON, its name first."""
    told: dict[str, Json] = {"event": event_name(type(event))}
    stake = getattr(event, "stake", None)
    for field in dataclasses.fields(event):
        value = getattr(event, field.name)
        told[field.name] = format_rank(value) if field.name in RANK_FIELDS else _plain(value, stake)
    return told


def turn_to_json(snapshot: TableSnapshot) -> dict[str, Json]:
    """It is our turn: everything that we may do, in notation, each accepted as a command."""
    stake = snapshot.view.state.stake if snapshot.view else None
    return {"event": "turn", "legal": [format_words(action, stake) for action in snapshot.legal]}


def table_to_json(snapshot: TableSnapshot) -> dict[str, Json]:
    """The table as we come to it: the first line of a face that speaks JSON."""
    return {
        "event": "table",
        "title": snapshot.title,
        "address": snapshot.address,
        "invite": snapshot.invite,
        "our_seat": snapshot.our_seat,
        "seats": [_plain(seat, None) for seat in snapshot.seats],
        "rules": dict(snapshot.rules.to_dict()),
    }


def _plain(value: object, stake: Stake | None) -> Json:
    """A value as JSON; ``stake`` is what a claim is about."""
    match value:
        case None | bool() | str():
            return value
        case Enum():
            return value.name.lower()
        case int():
            return value
        case bytes():
            return value.hex()
        case Card():
            return str(value)
        case Held():
            return str(value.card)
        case Claim() if stake is not None:
            return format_claim(value, stake)
        case frozenset():
            return [_plain(part, stake) for part in sorted(value)]
        case tuple():
            return [_plain(part, stake) for part in value]
        case Mapping():
            return {str(key): _plain(part, stake) for key, part in value.items()}
    if isinstance(value, ACTIONS):
        return format_words(value, stake)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name), stake) for field in dataclasses.fields(value)}
    raise TypeError(f"no JSON for {type(value).__name__}")
