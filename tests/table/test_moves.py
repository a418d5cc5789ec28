"""Actions on the wire: every one comes back as it went, and what is malformed is refused before it means anything."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.errors import LocalError, WireError
from hocp2p.game import actions as a
from hocp2p.game.cards import card_of
from hocp2p.table.moves import MOVES, decode_action, encode_action
from hocp2p.wire import messages as m
from tests.wire.values import records

CLASSES = st.none() | st.sampled_from(a.Combination)
CARDS = st.integers(0, 51).map(card_of)
RANKS = st.integers(1, 13)
HELD = st.builds(a.Held, st.integers(0, 51), CARDS)
PROOFS = st.binary(max_size=64)
PLAIN = st.one_of(
    st.sampled_from([a.Pass(), a.Good(), a.Unseen(), a.Go()]),
    st.builds(a.Declare, CLASSES),
    st.builds(a.Raise, st.integers(1, 1000), CLASSES),
    st.builds(a.Stay, CLASSES),
    st.builds(a.Announce, st.builds(a.Claim, st.integers(0, 52), st.integers(0, 520))),
    st.builds(a.Hold, RANKS),
)
PROVED = st.one_of(
    st.builds(a.Show, st.lists(HELD, min_size=1, max_size=15).map(tuple)),
    st.just(a.Blanche()),
    st.builds(a.Play, st.integers(0, 51), CARDS),
    st.builds(a.Sans, RANKS),
)


def over_the_wire(action: a.Action, proof: bytes) -> tuple[a.Action, bytes]:
    body = m.encode_message(encode_action(action, proof))
    return decode_action(m.decode_message(body))


@given(PLAIN)
@settings(deadline=None)
def test_what_needs_no_proof_comes_back(action: a.Action) -> None:
    assert over_the_wire(action, b"") == (action, b"")


@given(PROVED, PROOFS)
@settings(deadline=None)
def test_what_may_need_a_proof_comes_back_with_it(action: a.Action, proof: bytes) -> None:
    assert over_the_wire(action, proof) == (action, proof)


def test_every_action_is_drawn_above() -> None:
    drawn = {a.Pass, a.Good, a.Unseen, a.Go, a.Declare, a.Raise, a.Stay, a.Announce, a.Hold}
    assert drawn | {a.Show, a.Blanche, a.Play, a.Sans} == set(get_args(a.Action))


@given(st.sampled_from(MOVES).flatmap(records))
@settings(deadline=None)
def test_a_move_has_one_form(message: m.Message) -> None:
    """Whatever is within the bounds of the wire is an action or a WireError, and an action is said in one way only."""
    try:
        action, proof = decode_action(message)
    except WireError as error:
        assert error.code == "bad-range"
        assert isinstance(message, m.Call)
    else:
        assert encode_action(action, proof) == message


@pytest.mark.parametrize(
    "call",
    [
        m.Call(m.WORD_RAISE, 0, 0),
        m.Call(m.WORD_RAISE, 0, 3),
        m.Call(m.WORD_PASS, 1, 0),
        m.Call(m.WORD_PASS, 0, 1),
        m.Call(m.WORD_DECLARE, 1, 0),
        m.Call(m.WORD_STAY, 7, 0),
        m.Call(m.WORD_GOOD, 1, 0),
        m.Call(m.WORD_GOOD, 0, 5),
    ],
)
def test_a_call_with_a_field_that_its_word_does_not_take(call: m.Call) -> None:
    """R-091."""
    with pytest.raises(WireError) as caught:
        decode_action(call)
    assert caught.value.code == "bad-range"


@pytest.mark.parametrize(
    "message", [m.Agreement(), m.DeckDigest(bytes(32)), m.DrawnCard(0, 0, bytes(64)), m.Talk("go"), m.Leaving()]
)
def test_what_is_no_move(message: m.Message) -> None:
    assert type(message) not in MOVES
    with pytest.raises(WireError) as caught:
        decode_action(message)
    assert caught.value.code == "unknown-kind"


def test_our_own_raise_beyond_the_wire_is_our_own_mistake() -> None:
    with pytest.raises(LocalError) as caught:
        m.encode_message(encode_action(a.Raise(1001), b""))
    assert caught.value.code == "bad-range"
