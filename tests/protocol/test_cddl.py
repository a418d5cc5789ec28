"""The schema and the program's own declarations say the same: field by field, bound by bound, and value by value.

What pycddl cannot do is not asked of it: in a choice it loses its way among arrays within arrays, so every value is
given to it with its own rule; and of arrays within an array it looks at the first only and does not count them, so
nested records are also given to it one by one, and their number is compared with the other bounds only. A text of
so many bytes passes with it where bytes of that size are wanted, and bytes for a given text break it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cbor2
import pycddl  # type: ignore[import-untyped]  # ships no types
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
from hocp2p.wire.schema import Bound, Exactly, Items, Pair, Record, Size, Text, bounds_of, write_record
from tests.support import cddl
from tests.support.spec import VECTORS as VECTORS_FOLDER
from tests.support.tables import StarTable
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


def takes(root: str, value: Any) -> bool:
    """Whether pycddl finds that ``value`` fits the rule ``root``."""
    try:
        cddl.schema(root).validate_cbor(cbor2.dumps(value))
    except pycddl.ValidationError:
        return False
    return True


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
    assert takes(name, on_wire(name, data.draw(values.records(RECORDS[name]))))


@pytest.mark.parametrize("name", RECORDS)
def test_a_value_outside_a_bound_does_not_fit(name: str) -> None:
    good = values.one_record(RECORDS[name])
    assert takes(name, on_wire(name, good))
    for field, bound in bounds_of(RECORDS[name]).items():
        for bad, code in values.failing(bound):
            if is_sayable(bound, code):
                assert not takes(name, on_wire(name, replace(good, **{field: bad}))), (field, code)


@pytest.mark.parametrize("name", RECORDS)
def test_a_field_more_or_less_or_another_kind_does_not_fit(name: str) -> None:
    array = on_wire(name, values.one_record(RECORDS[name]))
    assert not takes(name, (*array, 0))
    assert not takes(name, array[:-1])
    if name in KINDS:
        assert not takes(name, (99, *array[1:]))
        assert not takes(name, (str(array[0]), *array[1:]))


def is_sayable(bound: Bound, code: str) -> bool:
    """Whether CDDL, as pycddl understands it, can say this: not which letters a text has, nor what nests in arrays."""
    match bound:
        case Size() | Exactly():
            return code != "bad-type"
        case Text(ascii_only=False):
            return code != "bad-text"
        case Text():
            return False  # spaces at the ends; that only ASCII fits is asserted below
        case Items(Text()):
            return code not in ("bad-text", "bad-type")
        case Items(Record() | Pair()):
            return code == "bad-type" and not isinstance(bound.item, Record | Pair)
    return True


def test_a_code_is_ascii_and_the_magic_is_the_magic() -> None:
    refusal = ("code", "message", 1)
    assert takes("Refusal", (2, *refusal))
    assert not takes("Refusal", (2, "côde", *refusal[1:]))
    assert not takes("Refusal", (2, "c" * 33, *refusal[1:]))
    assert bounds_of(frames.Hello)["magic"] == Exactly("hocp2p")


def test_booleans_nothing_and_fractions_are_no_integers() -> None:
    wrong: tuple[object, ...] = (True, None, 1.0, [1], {})
    assert not any(takes("Again", (6, value)) for value in wrong)
    assert not any(takes("DeckDigest", (13, value)) for value in (*wrong, 32))


VECTORS = {"frames": "Frame", "messages": "Message", "envelopes": "Envelope"}


@pytest.mark.parametrize("file", VECTORS)
def test_every_good_vector_fits(file: str) -> None:
    """What is good by the vectors is good by the schema, under the rule of its kind."""
    rule_of: dict[object, str] = {cddl.kind_of(name): name for name in cddl.choices(VECTORS[file])}
    seen = set()
    for vector in json.loads((VECTORS_FOLDER / f"{file}.json").read_text(encoding="utf-8"))["vectors"]:
        if vector["code"] is None:
            value = decode(bytes.fromhex(vector["hex"]), MAX_FRAME_BYTES)
            assert isinstance(value, tuple)
            rule = rule_of[value[0] if None not in rule_of else None]
            assert takes(rule, value), vector["name"]
            seen.add(rule)
    assert seen == set(cddl.choices(VECTORS[file]))


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
            assert takes(rule, value), (rule, value)
            seen.add(rule)
    assert {"Hello", "LobbyView", "Proposal", "Sealed", "Again", "Chair", "Seat", "Envelope"} <= seen
    assert {"Agreement", "KeyReveal", "ShuffleProof", "DrawnCard", "Call", "CardOpening", "Receipt", "Talk"} <= seen


def unwrapped(frame: bytes) -> Iterator[tuple[str, Any]]:
    """A frame and all that nests in it, each with its rule, as MessagePack has it."""
    record = decode_frame(frame)
    yield type(record).__name__, decode(frame, MAX_FRAME_BYTES)
    if isinstance(record, Sealed):
        body = decode_envelope(record.envelope).body
        yield "Envelope", decode(record.envelope, MAX_FRAME_BYTES)
        yield type(decode_message(body)).__name__, decode(body, MAX_FRAME_BYTES)
    for chair in getattr(record, "chairs", ()):
        yield type(chair).__name__, write_record(chair)
    for pair in getattr(record, "rules", ()):
        yield "switch", pair
