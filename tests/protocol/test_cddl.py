"""The schema and the program's own declarations say the same: field by field, bound by bound, and value by value.

What pycddl cannot do is not asked of it: in a choice it loses its way among arrays within arrays, so every value is
given to it with its own rule, and so is every record that nests in it (``cddl.fits``). A text of so many bytes passes
with it where bytes of that size are wanted, and bytes for a given text break it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocp2p.game.house import Rules
from hocp2p.wire import envelope as envelopes
from hocp2p.wire import frames, messages
from hocp2p.wire.codec import decode
from hocp2p.wire.envelope import decode_envelope
from hocp2p.wire.frames import MAX_FRAME_BYTES, Chair, Continued, Sealed, Seat, decode_frame
from hocp2p.wire.messages import decode_message
from hocp2p.wire.schema import Bound, Exactly, Items, Nested, Pair, Size, Text, bounds_of
from tests.support import cddl
from tests.support.tables import StarTable
from tests.support.vectors import load
from tests.wire import values

FAMILIES = {"Frame": frames.FAMILY, "Message": messages.FAMILY}
NESTED: dict[str, type] = {"Chair": Chair, "Seat": Seat, "Continued": Continued}
ENVELOPE: type = vars(envelopes)["_Fields"]  # the array on the wire, of which Envelope is made
KINDS: dict[str, tuple[int, type]] = {
    record.__name__: (number, record) for family in FAMILIES.values() for number, record in family.types.items()
}
RECORDS: dict[str, type] = {name: record for name, (_, record) in KINDS.items()} | NESTED | {"Envelope": ENVELOPE}


def on_wire(name: str, value: Any) -> tuple[Any, ...]:
    """The array of a record, with its kind where it has one; not checked."""
    fields = values.raw(value)
    return (KINDS[name][0], *fields) if name in KINDS else fields


# -- the two lists ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", FAMILIES)
def test_the_schema_has_every_record_with_its_kind_and_no_other(choice: str) -> None:
    in_schema = {name: cddl.kind_of(name) for name in cddl.choices(choice)}
    assert in_schema == {record.__name__: number for number, record in FAMILIES[choice].types.items()}


@pytest.mark.parametrize("name", RECORDS)
def test_fields_and_bounds_are_the_same_in_both(name: str) -> None:
    in_schema = cddl.fields_of(name, NESTED)
    assert list(in_schema.items()) == list(bounds_of(RECORDS[name]).items())
    assert cddl.kind_of(name) == (KINDS[name][0] if name in KINDS else None)


def test_no_rule_stands_there_for_nothing() -> None:
    reached, waiting = set[str](), {"start"}
    while waiting:
        reached |= waiting
        waiting = {name for rule in waiting for name in cddl.names_in(cddl.rules()[rule])} - reached
    assert reached == cddl.rules().keys()


@pytest.mark.parametrize("form", ["[* face]", "bytes", "tstr .size 3", "0...5", "{1: face}", 'tstr .regexp "a{1,3}"'])
def test_the_reader_refuses_forms_that_it_does_not_know(form: str) -> None:
    with pytest.raises((AssertionError, KeyError)):
        cddl.bound_of(form, NESTED)


# -- value by value ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECORDS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_any_record_fits(name: str, data: st.DataObject) -> None:
    assert cddl.fits(name, on_wire(name, data.draw(values.records(RECORDS[name]))))


@pytest.mark.parametrize("name", RECORDS)
def test_a_value_outside_a_bound_does_not_fit(name: str) -> None:
    good = values.one_record(RECORDS[name])
    assert cddl.fits(name, on_wire(name, good))
    for field, bound in bounds_of(RECORDS[name]).items():
        for bad, code in values.failing(bound):
            if is_sayable(bound, code):
                assert not cddl.fits(name, on_wire(name, replace(good, **{field: bad}))), (field, code)


@pytest.mark.parametrize("name", RECORDS)
def test_a_field_more_or_less_or_another_kind_does_not_fit(name: str) -> None:
    array = on_wire(name, values.one_record(RECORDS[name]))
    assert not cddl.fits(name, (*array, 0))
    assert not cddl.fits(name, array[:-1])
    if name in KINDS:
        assert not cddl.fits(name, (99, *array[1:]))
        assert not cddl.fits(name, (str(array[0]), *array[1:]))


def is_sayable(bound: Bound, code: str) -> bool:
    """Whether CDDL, as pycddl understands it, can say this: not which letters a text has, nor always which type."""
    match bound:
        case Size() | Exactly():
            return code != "bad-type"
        case Text(ascii_only=False):
            return code != "bad-text"
        case Text():
            return False  # spaces at the ends; that only ASCII fits is asserted below
        case Items(Text() | Nested() | Pair()):
            return code not in ("bad-text", "bad-type")
    return True


def test_what_a_proposal_continues_is_looked_at_in_its_place() -> None:
    """None or one, and in it every field."""
    chairs = (values.one_record(Seat),) * 2
    told = values.one_record(Continued)
    proposal = replace(values.one_record(frames.Proposal), chairs=chairs)
    for continues in ((), (told,), (replace(told, balances=(1, 2, 3), doubled=(0, 1, 2)),)):
        assert cddl.fits("Proposal", on_wire("Proposal", replace(proposal, continues=continues)))
    assert not cddl.fits("Proposal", on_wire("Proposal", replace(proposal, continues=(told, told))))
    for field, bound in bounds_of(Continued).items():
        for bad, code in values.failing(bound):
            wrong = replace(proposal, continues=(replace(told, **{field: bad}),))
            assert not is_sayable(bound, code) or not cddl.fits("Proposal", on_wire("Proposal", wrong)), (field, code)


def test_a_code_is_ascii_and_the_magic_is_the_magic() -> None:
    refusal = ("code", "message", 1)
    assert cddl.fits("Refusal", (2, *refusal))
    assert not cddl.fits("Refusal", (2, "côde", *refusal[1:]))
    assert not cddl.fits("Refusal", (2, "c" * 33, *refusal[1:]))
    assert bounds_of(frames.Hello)["magic"] == Exactly("hocp2p")


def test_booleans_nothing_and_fractions_are_no_integers() -> None:
    wrong: tuple[object, ...] = (True, None, 1.0, [1], {})
    assert not any(cddl.fits("Again", (6, value)) for value in wrong)
    assert not any(cddl.fits("DeckDigest", (13, value)) for value in (*wrong, 32))


VECTORS = {"frames": "Frame", "messages": "Message", "envelopes": "Envelope"}


def vectors_of(file: str) -> list[dict[str, Any]]:
    """The vectors of a file."""
    found: list[dict[str, Any]] = load(f"{file}.json")["vectors"]
    return found


@pytest.mark.parametrize("file", VECTORS)
def test_every_good_vector_fits(file: str) -> None:
    """What is good by the vectors is good by the schema, under the rule of its kind."""
    rule_of: dict[object, str] = {cddl.kind_of(name): name for name in cddl.choices(VECTORS[file])}
    seen = set()
    for vector in vectors_of(file):
        if vector["code"] is None:
            value = decode(bytes.fromhex(vector["hex"]), MAX_FRAME_BYTES)
            assert isinstance(value, tuple)
            rule = rule_of[value[0] if None not in rule_of else None]
            assert cddl.fits(rule, value), vector["name"]
            seen.add(rule)
    assert seen == set(cddl.choices(VECTORS[file]))


def test_every_frame_that_a_peer_of_the_vectors_sends_fits() -> None:
    """And every proposal that goes on with another table, true or not."""
    frames_ = [data for each in vectors_of("links") for event in each["events"] for _, data in event.get("sends", [])]
    frames_ += [each["hex"] for each in vectors_of("proposals-going-on")]
    seen = set()
    for data in map(bytes.fromhex, frames_):
        for rule, value in unwrapped(data):
            assert cddl.fits(rule, value), (rule, value)
            seen.add(rule)
    assert {"Challenge", "Hello", "Return", "Standing", "Proposal", "Sealed", "SeatLost", "Vote", "Leaving"} <= seen


# -- what real peers send ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_all_that_a_whole_session_sends_fits(seats: int) -> None:
    table = StarTable(seats, Rules(deals=seats), 11, "novice")
    table.run()
    table.perform(1, table.peers[1].say("bien joué"))
    table.perform(1, table.peers[1].again())
    table.run()
    seen = set()
    for frame in {frame for sent in table.sent for frame in sent}:
        for rule, value in unwrapped(frame):
            assert cddl.fits(rule, value), (rule, value)
            seen.add(rule)
    assert {"Hello", "LobbyView", "Proposal", "Sealed", "Again", "Standing", "Envelope"} <= seen
    assert {"Agreement", "KeyReveal", "ShuffleProof", "DrawnCard", "Call", "CardOpening", "Receipt", "Talk"} <= seen


def unwrapped(frame: bytes) -> Iterator[tuple[str, Any]]:
    """A frame and what is sealed in it, each with its rule, as MessagePack has it."""
    record = decode_frame(frame)
    yield type(record).__name__, decode(frame, MAX_FRAME_BYTES)
    if isinstance(record, Sealed):
        body = decode_envelope(record.envelope).body
        yield "Envelope", decode(record.envelope, MAX_FRAME_BYTES)
        yield type(decode_message(body)).__name__, decode(body, MAX_FRAME_BYTES)
