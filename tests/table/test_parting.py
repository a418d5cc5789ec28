"""What is left of a table, and how the next one has to look: seats, dealer, jetons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hocp2p.game.actions import Stake
from hocp2p.game.house import Rules
from hocp2p.game.match import Match
from hocp2p.table.parting import Parting, goes_on_alike
from hocp2p.table.terms import Terms
from hocp2p.wire.frames import Seat

SEATS = tuple(Seat(letter * 32, name, "", "", b"n" * 32) for letter, name in ((b"a", "A"), (b"b", "B"), (b"c", "C")))
TERMS = Terms(b"t" * 32, Rules(deals=6), SEATS, b"")


def parted(lost: int, dealer: int = 0) -> Parting:
    doubled = frozenset({Stake(2), Stake(0)})
    match = Match(TERMS.rules, 3, (90, 100, 104), dealer, 3, (1, 2, 3), doubled)
    return Parting(TERMS, match, b"h" * 32, frozenset({lost}))


@pytest.mark.parametrize(
    ("lost", "host", "of_three", "of_two"),
    [(0, 1, (1, 2, 0), (1, 2)), (1, 0, (0, 1, 2), (0, 2)), (2, 0, (0, 1, 2), (0, 1))],
)
def test_who_hosts_sits_first_and_the_turn_order_stays(
    lost: int, host: int, of_three: tuple[int, ...], of_two: tuple[int, ...]
) -> None:
    parting = parted(lost)
    assert parting.host == host
    assert parting.order(3) == of_three
    assert parting.order(2) == of_two


@pytest.mark.parametrize("lost", range(3))
@pytest.mark.parametrize("dealer", range(3))
def test_what_is_continued(lost: int, dealer: int) -> None:
    parting = parted(lost, dealer)
    assert parting.match is not None
    for seats in (2, 3):
        continued = parting.continued(seats)
        assert continued is not None
        order = parting.order(seats)
        assert continued.balances == tuple(parting.match.balances[old] for old in order)
        assert (continued.table, continued.head, continued.number) == (TERMS.table, b"h" * 32, 3)
        assert (continued.carry, continued.doubled) == ((1, 2, 3), (0, 2))
        deals = order[continued.dealer]
        assert deals == (dealer if dealer in order else (dealer + 1) % 3)


def test_before_the_first_dealer_was_drawn_there_is_nothing_to_go_on_with() -> None:
    parting = Parting(TERMS, None, bytes(32), frozenset({2}))
    assert parting.continued(3) is None
    begun_anew = Terms(b"u" * 32, TERMS.rules, SEATS, b"")
    assert parting.continues(begun_anew)
    assert not parting.continues(Terms(b"u" * 32, TERMS.rules, SEATS, b"", parted(2).continued(3)))


def test_a_table_of_another_size_does_not_go_on() -> None:
    parting = parted(1)
    continued = parting.continued(2)
    assert parting.continues(Terms(b"u" * 32, TERMS.rules, (SEATS[0], SEATS[2]), b"", continued))
    assert not parting.continues(Terms(b"u" * 32, TERMS.rules, (SEATS[2], SEATS[0]), b"", continued))
    assert not parting.continues(Terms(b"u" * 32, TERMS.rules, SEATS, b"", continued))


def next_terms(parting: Parting, rules: Rules | None = None) -> Terms:
    """What its host proposes next to all three chairs."""
    seats = tuple(TERMS.seats[old] for old in parting.order(3))
    return Terms(b"n" * 32, rules or TERMS.rules, seats, b"", parting.continued(3))


def test_the_rules_stay() -> None:
    """R-123."""
    parting = parted(2)
    assert parting.continues(next_terms(parting))
    assert not parting.continues(next_terms(parting, Rules(deals=6, raise_cap=1)))


def test_after_a_proposal_that_fell_apart_nobody_has_other_jetons() -> None:
    """R-123, for who has come back to it and no longer knows the table before."""
    terms = next_terms(parted(2))
    told = terms.continued
    assert told is not None
    two = replace(terms, seats=terms.seats[:2], continued=replace(told, balances=told.balances[:2]))
    newcomer = replace(terms, seats=(*terms.seats[:2], replace(terms.seats[2], key=b"d" * 32)))
    for good in (terms, two, newcomer):
        assert goes_on_alike(terms, good)
    for bad in (
        replace(terms, rules=Rules(deals=9)),
        replace(terms, continued=None),
        replace(terms, continued=replace(told, balances=(100, 90, 104))),
        replace(newcomer, continued=replace(told, balances=(90, 100, 204))),
        replace(two, continued=replace(told, balances=(95, 95))),
        replace(terms, continued=replace(told, number=6)),
        replace(terms, continued=replace(told, carry=(0, 0, 0))),
    ):
        assert not goes_on_alike(terms, bad)
    assert goes_on_alike(TERMS, replace(TERMS, rules=Rules(deals=9)))
