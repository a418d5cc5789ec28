"""Reads ``protocol/hocp2p.cddl``: its rules as the bounds of ``wire.schema``, and as a schema of pycddl.

The file keeps to a few forms, one rule a line, so that a reader of forty lines understands all of it and refuses the
rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import cbor2
import pycddl  # type: ignore[import-untyped]  # ships no types

from hocp2p.wire.schema import Bound, Exactly, Items, Nested, Pair, Range, Size, Text

CDDL: Final = Path(__file__).parents[2] / "protocol" / "hocp2p.cddl"
ASCII: Final = "[ -~]"

_FIELD: Final = re.compile(r"(\w+): (.+)")
_INTEGERS: Final = re.compile(r"(-?\d+)\.\.(-?\d+)")
_SIGNED: Final = re.compile(r"\(int \.ge (-?\d+)\) \.and \(int \.le (-?\d+)\)")
_SIZE: Final = re.compile(r"bytes \.size (\d+)")
_SIZES: Final = re.compile(r"bytes \.size \((\d+)\.\.(\d+)\)")
_OPTIONAL_SIZE: Final = re.compile(r"bytes \.size 0 / bytes \.size (\d+)")
_TEXT: Final = re.compile(r'tstr \.regexp "(\.|\[ -~\])\{(\d+),(\d+)\}"')
_WORD: Final = re.compile(r'"([^"]*)"')
_ITEMS: Final = re.compile(r"\[(\d+)\*(\d+) ([\w-]+)\]")
_PAIR: Final = re.compile(r'\[(tstr \.regexp "[^"]*"|track), (tstr \.regexp "[^"]*"|step)\]')
_NAME: Final = re.compile(r"[\w-]+")


@cache
def rules() -> dict[str, str]:
    """Every rule by name, as written. AssertionError for a line that is no rule, or a name given twice."""
    found: dict[str, str] = {}
    for line in CDDL.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(";"):
            name, _, body = line.partition(" = ")
            assert _NAME.fullmatch(name) and body and name not in found, line
            found[name] = body
    return found


def choices(name: str) -> Iterator[str]:
    """The records that a choice of records comes down to."""
    if rules()[name].startswith("["):
        yield name
        return
    for part in rules()[name].split(" / "):
        yield from choices(part)


def kind_of(name: str) -> int | None:
    """Kind number of a record; None for one that has none."""
    kind = _parts(name)[0]
    return int(kind) if kind.isdigit() else None


def fields_of(name: str, records: dict[str, type]) -> dict[str, Bound]:
    """Fields of a record in their order, with their bounds; ``records`` are the types that nested ones stand for."""
    parts = _parts(name)
    matches = [_FIELD.fullmatch(part) for part in parts[kind_of(name) is not None :]]
    assert all(matches), name
    return {match[1]: bound_of(match[2], records) for match in matches if match}


def bound_of(text: str, records: dict[str, type]) -> Bound:
    """The bound that a type stands for. AssertionError for a form that is not used here."""
    if match := _INTEGERS.fullmatch(text) or _SIGNED.fullmatch(text):
        return Range(int(match[1]), int(match[2]))
    if match := _SIZE.fullmatch(text):
        return Size(int(match[1]))
    if match := _SIZES.fullmatch(text):
        return Size(int(match[1]), int(match[2]))
    if match := _OPTIONAL_SIZE.fullmatch(text):
        return Size(int(match[1]), or_empty=True)
    if match := _TEXT.fullmatch(text):
        return Text(int(match[3]), least=int(match[2]), ascii_only=match[1] == ASCII)
    if match := _WORD.fullmatch(text):
        return Exactly(match[1])
    if match := _ITEMS.fullmatch(text):
        return Items(bound_of(match[3], records), int(match[1]), int(match[2]))
    if match := _PAIR.fullmatch(text):
        return Pair(bound_of(match[1], records), bound_of(match[2], records))
    if text in records:
        return Nested(records[text])
    assert _NAME.fullmatch(text), text
    return bound_of(rules()[text], records)


def names_in(text: str) -> set[str]:
    """The rules that a rule's body speaks of."""
    return set(_NAME.findall(re.sub(r'"[^"]*"|\w+:', "", text))) & rules().keys()


def fits(root: str, value: Any) -> bool:
    """Whether a value fits the rule ``root``: pycddl looks at it, and by itself at every record that nests in it.

    What pycddl gets wrong is not asked of it: of arrays in an array it looks at the first only and does not count them,
    and where there may be none it takes those that nest in the first for it. Their number is compared here.
    """
    try:
        _schema(root).validate_cbor(cbor2.dumps(value))
    except pycddl.ValidationError:
        return False
    return all(
        isinstance(field, tuple | list)
        and int(least) <= len(field) <= int(most)
        and all(fits(rule, item) for item in field)
        for field, (least, most, rule) in _nested(root, value)
    )


def _nested(root: str, value: Any) -> Iterator[tuple[Any, tuple[str, str, str]]]:
    """Every field of a record that is an array of records, with least, most and the rule of an item."""
    for part, field in zip(_parts(root), value, strict=True):
        match = _FIELD.fullmatch(part)
        text = match[2] if match else part
        items = _ITEMS.fullmatch(rules().get(text, text))
        if items and _is_array(items[3]):
            yield field, (items[1], items[2], items[3])


def _is_array(name: str) -> bool:
    return rules().get(name, "").startswith("[")


@cache
def _schema(root: str) -> pycddl.Schema:
    """What pycddl makes of the file, with ``root`` as the rule to begin with, and without what nests in records.

    A regular expression of CDDL matches the whole text (RFC 8610, 3.8.3); pycddl searches, so it is told both ends.
    """
    text = re.sub(r"(?m)^start = .*$", f"start = {root}", CDDL.read_text(encoding="utf-8"))
    text = _ITEMS.sub(lambda items: "[*any]" if _is_array(items[3]) else items[0], text)
    return pycddl.Schema(re.sub(r'\.regexp "([^"]*)"', r'.regexp "^\1$"', text))


def _parts(name: str) -> list[str]:
    """What stands between the brackets of a record; commas within brackets or texts do not part."""
    body = rules()[name]
    assert body.startswith("[") and body.endswith("]"), name
    return re.findall(r'(?:"[^"]*"|\[[^\]]*\]|\([^)]*\)|[^,\["(])+', body[1:-1].replace(", ", ","))
