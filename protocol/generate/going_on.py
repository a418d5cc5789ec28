"""A table that goes on with another after a seat was lost: what its proposal says, and whether that is true."""

from __future__ import annotations

from typing import Any

from protocol.generate.faults import need
from protocol.generate.steps import Standing
from protocol.generate.wire import NO_HEAD


def begin(session: Standing, continued: list[Any]) -> None:
    """A session stands where its proposal says. Fault ``bad-rules`` where no deal is left."""
    _, _, session.first, session.dealer, balances, pools, doubled = session.continued = continued
    session.balances, session.pools, session.doubled = list(balances), list(pools), set(doubled)
    ruined = session.rules["ruin"] == "on" and min(balances) < 0
    need(session.first <= int(session.rules["deals"]) and not ruined, "bad-rules")


def verify(session: Standing, before: Standing) -> None:
    """A session goes on exactly where the one before was left: nobody has changed places or jetons, or is left out.

    Fault ``not-continued``.
    """
    order = order_of(before, session.seats)
    need(len(order) == session.seats, "not-continued")
    for old, key in zip(order, session.keys, strict=True):
        need(old in before.lost or before.keys[old] == key, "not-continued")
    need(session.continued == continued_of(before, order), "not-continued")
    need(session.continued is None or session.rules == before.rules, "not-continued")


def order_of(before: Standing, seats: int) -> list[int]:
    """The old seat of each seat of the next table: in turn from the first that remains, which hosts it."""
    host = min(set(before.everybody) - before.lost)
    turned = [(host + place) % before.seats for place in range(before.seats)]
    return [seat for seat in turned if seats == before.seats or seat not in before.lost]


def continued_of(before: Standing, order: list[int]) -> list[Any] | None:
    """The record ``Continued`` that belongs into the next proposal; None where the first dealer was not drawn."""
    if not before.number:
        return None
    turned = [(before.dealer + place) % before.seats for place in range(before.seats)]
    dealer = next(seat for seat in turned if seat in order)
    head = before.heads.get(2 * before.number, NO_HEAD)  # of the deal signed last, or of the draw
    balances = [before.balances[seat] for seat in order]
    return [
        before.table, head, before.number, order.index(dealer), balances, before.pools, sorted(before.doubled),
    ]  # fmt: skip
