"""The proposal that makes a table: who sits where and by which rules. Its digest is the table id."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from hocp2p.crypto.identity import fingerprint
from hocp2p.errors import HocError, WireError
from hocp2p.game.house import Rules
from hocp2p.game.match import Match
from hocp2p.table.snapshot import SeatInfo
from hocp2p.wire.frames import PROTOCOL_VERSION, Chair, Continued, Proposal, Seat, proposal_id

HOST: Final = 0
"""The seat of who makes the proposal."""


@dataclass(frozen=True, slots=True)
class Terms:
    """A proposal, understood.

    Args:
        table: the table id, 32 bytes.
        rules: house rules.
        seats: who sits where, in turn order, with identity key and the fresh nonce of each.
        encoded: the proposal as it was sent.
        continued: where the session goes on that began at another table, or None.
    """

    table: bytes
    rules: Rules
    seats: tuple[Seat, ...]
    encoded: bytes = field(repr=False)
    continued: Continued | None = None

    @property
    def keys(self) -> tuple[bytes, ...]:
        """Identity keys by seat."""
        return tuple(seat.key for seat in self.seats)

    @property
    def tracks_before(self) -> int:
        """Number of the last track, after the setup, that was run at a table before; 0: none."""
        return 0 if self.continued is None else 2 * self.continued.number


def rules_to_pairs(rules: Rules) -> tuple[tuple[str, str], ...]:
    """House rules as they travel: every switch by name, as text."""
    return tuple((name, str(value)) for name, value in rules.to_dict().items())


def rules_from_pairs(pairs: tuple[tuple[str, str], ...]) -> Rules:
    """The inverse; every switch must be there once. Raises WireError ``bad-rules``."""
    rules = Rules()
    if [name for name, _ in pairs] != list(rules.to_dict()):
        raise WireError("bad-rules", "the proposal does not name every house rule once, in order")
    try:
        for name, value in pairs:
            rules = rules.with_text(name, value)
    except HocError as error:
        raise WireError("bad-rules", error.message) from error
    if rules_to_pairs(rules) != pairs:
        raise WireError("bad-rules", "a house rule is not in its shortest form")
    return rules


def read_proposal(proposal: Proposal, encoded: bytes) -> Terms:
    """Checks a proposal by itself. Raises WireError: other version, rules that do not fit, one key twice."""
    if proposal.version != PROTOCOL_VERSION:
        raise WireError("version", f"the table speaks version {proposal.version}, we speak {PROTOCOL_VERSION}")
    rules = rules_from_pairs(proposal.rules)
    continued = next(iter(proposal.continues), None)
    try:
        if continued is None:
            rules.verify_seats(len(proposal.chairs))
    except HocError as error:
        raise WireError("bad-rules", error.message) from error
    seats = len(proposal.chairs)
    if continued is not None and Match(rules, seats, continued.balances, continued.dealer, continued.number).is_over:
        raise WireError("bad-rules", "the session that goes on has no deal left")
    if len({seat.key for seat in proposal.chairs}) < len(proposal.chairs):
        raise WireError("equal-keys", "two seats have the same identity key")
    return Terms(proposal_id(encoded), rules, proposal.chairs, encoded, continued)


def seat_info(seat: int, chair: Chair | Seat) -> SeatInfo:
    """A chair as it is shown; an empty key is a free chair."""
    if not chair.key:
        return SeatInfo(seat, "", present=False)
    bot_level, owner = chair.bot_level or None, chair.owner or None
    return SeatInfo(seat, chair.name, bot_level, owner, fingerprint(chair.key), identity=chair.key)
