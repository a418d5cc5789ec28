"""The proposal: house rules as they travel, what a proposal by itself must be, how a chair is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.crypto.identity import fingerprint
from hocp2p.errors import WireError
from hocp2p.game.house import CHOICES, Rules
from hocp2p.table.snapshot import SeatInfo
from hocp2p.table.terms import read_proposal, rules_from_pairs, rules_to_pairs, seat_info
from hocp2p.wire.frames import PROTOCOL_VERSION, Chair, Continued, Proposal, Seat, encode_frame, proposal_id

SEATS = tuple(Seat(key * 32, f"seat {key.decode()}", "", "", key * 32) for key in (b"a", b"b", b"c"))
GOOD = Proposal(PROTOCOL_VERSION, b"n" * 32, SEATS, rules_to_pairs(Rules()))
HOUSES = st.builds(
    Rules,
    deals=st.integers(1, 600),
    raise_cap=st.integers(1, 1000),
    **{name: st.sampled_from(choices) for name, choices in CHOICES.items()},
)


def code_of(proposal: Proposal) -> str:
    with pytest.raises(WireError) as caught:
        read_proposal(proposal, encode_frame(proposal))
    return caught.value.code


@given(HOUSES)
@settings(deadline=None)
def test_rules_come_back(rules: Rules) -> None:
    assert rules_from_pairs(rules_to_pairs(rules)) == rules


def changed(name: str, value: str) -> tuple[tuple[str, str], ...]:
    return tuple((each, value if each == name else old) for each, old in rules_to_pairs(Rules()))


@pytest.mark.parametrize(
    "pairs",
    [
        (),
        rules_to_pairs(Rules())[:-1],
        rules_to_pairs(Rules())[::-1],
        (*rules_to_pairs(Rules()), ("deals", "6")),
        (*rules_to_pairs(Rules())[:-1], ("held_back", "refused")),
        changed("deals", "06"),
        changed("deals", "0"),
        changed("deals", "601"),
        changed("deals", "six"),
        changed("deals", "-6"),
        changed("deals", "٦"),  # a digit, but no ASCII
        changed("raise_cap", "1001"),
        changed("point", "faces"),
        changed("lesser", "ON"),
    ],
)
def test_rules_that_are_none(pairs: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(WireError) as caught:
        rules_from_pairs(pairs)
    assert caught.value.code == "bad-rules"
    assert code_of(replace(GOOD, rules=pairs)) == "bad-rules"


def test_a_good_proposal() -> None:
    encoded = encode_frame(GOOD)
    terms = read_proposal(GOOD, encoded)
    assert terms.table == proposal_id(encoded)
    assert terms.rules == Rules()
    assert terms.seats == SEATS
    assert terms.keys == tuple(seat.key for seat in SEATS)


@pytest.mark.parametrize("version", [0, PROTOCOL_VERSION + 1])
def test_another_version(version: int) -> None:
    assert code_of(replace(GOOD, version=version)) == "version"


def test_deals_that_do_not_divide_among_the_seats() -> None:
    assert code_of(replace(GOOD, rules=rules_to_pairs(Rules(deals=4)))) == "bad-rules"
    assert code_of(replace(GOOD, chairs=SEATS[:2], rules=rules_to_pairs(Rules(deals=9)))) == "bad-rules"


def test_a_session_that_goes_on_has_a_deal_left() -> None:
    """R-031."""
    goes_on = Continued(b"t" * 32, b"h" * 32, 3, 0, (-1, 101, 200), (0, 0, 0), ())
    last = replace(GOOD, rules=rules_to_pairs(Rules(deals=3)), continues=(goes_on,))
    assert read_proposal(last, encode_frame(last)).continued == goes_on
    assert code_of(replace(last, continues=(replace(goes_on, number=4),))) == "bad-rules"
    assert code_of(replace(last, rules=rules_to_pairs(Rules(deals=3, ruin="on")))) == "bad-rules"


def test_one_key_in_two_seats() -> None:
    twice = (*SEATS[:2], replace(SEATS[2], key=SEATS[0].key))
    assert code_of(replace(GOOD, chairs=twice)) == "equal-keys"


def test_chairs_as_they_are_shown() -> None:
    assert seat_info(1, Chair(b"", "", "", "")) == SeatInfo(1, "", present=False)
    person = seat_info(0, SEATS[0])
    assert person == SeatInfo(0, "seat a", None, None, fingerprint(b"a" * 32), identity=b"a" * 32)
    bot = seat_info(2, Chair(b"c" * 32, "bot", "novice", "Anna"))
    assert (bot.bot_level, bot.owner, bot.identity) == ("novice", "Anna", b"c" * 32)
