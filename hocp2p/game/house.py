"""House rules: the switches of the rules of a table, in one frozen value with a digest."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, get_args, get_type_hints

from hocp2p.errors import RuleError

ANTE: Final = 1  # jetons into each pool, each deal (rule 2)
START_BALANCE: Final = 100  # 20 jetons and 8 fiches (rule 1)
FINE: Final = 5  # rule 4
HAND_SIZE: Final = {2: 15, 3: 12}
MAX_DEALS: Final = 600
MAX_RAISE: Final = 1000
MAX_DIGITS: Final = 4  # of a number written as text


@dataclass(frozen=True, slots=True)
class Rules:
    """The agreed house rules of one table; each of the defaults is the usual game.

    ``deals`` is a multiple of the number of players. Raises RuleError for values outside their choices.
    """

    deals: int = 6
    ruin: Literal["off", "on"] = "off"
    raise_cap: int = 20
    double: Literal["per_stake", "all_three", "never"] = "per_stake"
    point: Literal["cards", "pips"] = "cards"
    lesser: Literal["on", "off"] = "on"
    fortuitous: Literal["paid", "unpaid"] = "paid"
    hold_back: Literal["refused", "fined"] = "refused"

    def __post_init__(self) -> None:
        for name, most in (("deals", MAX_DEALS), ("raise_cap", MAX_RAISE)):
            number = getattr(self, name)
            if type(number) is not int or not 1 <= number <= most:
                raise RuleError("bad-rule", f"{name} must be from 1 to {most}, not {number!r}")
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise RuleError("bad-rule", f"{name} is {' or '.join(choices)}, not {getattr(self, name)!r}")

    def verify_seats(self, seats: int) -> None:
        """Raises RuleError unless these rules fit ``seats`` players (2 or 3, deals a multiple of it; rule 1)."""
        if seats not in HAND_SIZE:
            raise RuleError("bad-seats", f"two or three play, not {seats}")
        if self.deals % seats:
            raise RuleError("bad-deals", f"{self.deals} deals do not divide among {seats} players; take a multiple")

    def with_text(self, name: str, value: str) -> Rules:
        """A copy with one switch set from text, for instance ``("point", "pips")``. Raises RuleError."""
        if name not in {field.name for field in fields(self)}:
            raise RuleError("bad-rule", f"there is no house rule {name!r}")
        changed: dict[str, Any] = {name: value}
        if name not in CHOICES:
            if not (value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS):
                raise RuleError("bad-rule", f"{name} is a number, not {value!r}")
            changed[name] = int(value)
        return replace(self, **changed)

    def to_dict(self) -> dict[str, int | str]:
        """All switches by name, in the order of the fields."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def digest(self) -> bytes:
        """32 bytes (SHA-256) that two tables share exactly when they play by the same rules."""
        text = ";".join(f"{name}={value}" for name, value in self.to_dict().items())
        return hashlib.sha256(f"hocp2p rules;{text}".encode()).digest()


CHOICES: Final[dict[str, tuple[str, ...]]] = {
    name: get_args(hint) for name, hint in get_type_hints(Rules).items() if get_args(hint)
}

DEFAULT_RULES: Final = Rules()
