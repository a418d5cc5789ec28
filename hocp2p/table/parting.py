"""What is left of a table when a seat was lost, and the table that goes on where it stood (rule 5).

The seats keep their turn order; who hosts the new table sits first. The chair of the lost seat stays free for a bot or
a newcomer, who takes over its jetons; or two play on without it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from hocp2p.game.match import Match
from hocp2p.table.terms import Terms
from hocp2p.wire.frames import Continued


@dataclass(frozen=True, slots=True)
class Parting:
    """How a table was left, the same for everybody who remains.

    Args:
        terms: of the table.
        match: where the session stands, as all have signed it; None before the first dealer was drawn.
        head: final head of the play track signed last, or of the draw, 32 bytes; zero bytes where neither was.
        lost: seats that are gone, one at least; two or more remain.
    """

    terms: Terms
    match: Match | None
    head: bytes
    lost: frozenset[int]

    @property
    def host(self) -> int:
        """Who hosts the next table: the first seat that remains."""
        return next(seat for seat in range(len(self.terms.seats)) if seat not in self.lost)

    def order(self, seats: int) -> tuple[int, ...]:
        """The old seat of each seat of the next table, if it has ``seats``. A lost one is for a newcomer."""
        old = len(self.terms.seats)
        turned = [(self.host + k) % old for k in range(old)]
        return tuple(seat for seat in turned if seats == old or seat not in self.lost)

    def continued(self, seats: int) -> Continued | None:
        """What the proposal of the next table has to say; None where there is nothing to go on with."""
        match, order = self.match, self.order(seats)
        if match is None:
            return None
        old = len(self.terms.seats)
        dealer = next(seat for k in range(old) if (seat := (match.dealer + k) % old) in order)
        return Continued(
            table=self.terms.table,
            head=self.head,
            number=match.number,
            dealer=order.index(dealer),
            balances=tuple(match.balances[seat] for seat in order),
            carry=match.carry,
            doubled=tuple(sorted(int(stake) for stake in match.doubled)),
        )

    def continues(self, terms: Terms) -> bool:
        """Whether ``terms`` go on exactly here: nobody who remains is left out, nobody has changed places or jetons.

        The rules stay, too, where anything stands.
        """
        order = self.order(len(terms.seats))
        if self.match is not None and terms.rules != self.terms.rules:
            return False
        if len(order) != len(terms.seats) or terms.continued != self.continued(len(terms.seats)):
            return False
        return all(
            (old in self.lost) or self.terms.seats[old].key == seat.key
            for old, seat in zip(order, terms.seats, strict=True)
        )


def goes_on_alike(before: Terms, terms: Terms) -> bool:
    """Whether a proposal goes on as one did that fell apart: by the same rules, and whoever sat there has what he had.

    For who came back to that one, and has forgotten the table before it.
    """
    then, now = before.continued, terms.continued
    if then is None:
        return True
    if now is None or terms.rules != before.rules or replace(now, dealer=then.dealer, balances=then.balances) != then:
        return False
    owned = dict(zip(before.keys, then.balances, strict=True))
    kept = all(owned.get(key, has) == has for key, has in zip(terms.keys, now.balances, strict=True))
    return kept and not Counter(now.balances) - Counter(then.balances)
