"""The machinery of declared records; the bounds themselves are tried with every message and frame that uses them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from hocp2p.errors import LocalError, WireError
from hocp2p.wire.codec import encode
from hocp2p.wire.schema import Family, Items, Nested, Range, Size, Text, bounds_of, read_record, write_record


@dataclass(frozen=True, slots=True)
class Point:
    x: Annotated[int, Range(0, 9)]
    y: Annotated[int, Range(0, 9)]

    def verify_whole(self) -> None:
        if self.x == self.y:
            raise WireError("bad-range", "x and y differ")


@dataclass(frozen=True, slots=True)
class Path:
    name: Annotated[str, Text(5)]
    points: Annotated[tuple[Point, ...], Items(Nested(Point), 1, 2)]


@dataclass(frozen=True, slots=True)
class Blob:
    data: Annotated[bytes, Size(0, 100)]


def family() -> Family:
    made = Family("thing", 40)
    made.kind(7)(Path)
    made.kind(300)(Blob)
    return made


def test_bounds_stand_in_the_order_of_the_fields() -> None:
    assert dict(bounds_of(Point)) == {"x": Range(0, 9), "y": Range(0, 9)}
    assert list(bounds_of(Path)) == ["name", "points"]


def test_a_record_is_an_array_with_its_kind_first() -> None:
    path = Path("a", (Point(1, 2), Point(3, 4)))
    data = family().encode(path)
    assert data == encode((7, "a", ((1, 2), (3, 4))))
    assert family().decode(data) == path


def test_a_nested_record_is_built_and_verified_as_a_whole() -> None:
    assert read_record(Path, ("a", ((1, 2),))) == Path("a", (Point(1, 2),))
    with pytest.raises(WireError, match=r"Path\.points: x and y differ"):
        read_record(Path, ("a", ((1, 1),)))
    with pytest.raises(WireError, match="x and y differ"):
        write_record(Point(1, 1))


def test_the_field_at_fault_is_named() -> None:
    with pytest.raises(WireError, match=r"Path\.points: Point\.y: 10 is not from 0 to 9"):
        read_record(Path, ("a", ((1, 10),)))
    with pytest.raises(LocalError, match=r"Path\.name: "):
        family().encode(Path("", (Point(1, 2),)))


@pytest.mark.parametrize(
    ("items", "code"),
    [
        ((), "bad-count"),
        ((7,), "bad-count"),
        ((7, "a"), "bad-count"),
        ((7, "a", ((1, 2),), 0), "bad-count"),
        ((7, "a", ((1, 2, 3),)), "bad-count"),
        ((7, "a", ((1,),)), "bad-count"),
        ((7, "a", (1,)), "bad-type"),
        (("7", "a", ((1, 2),)), "bad-type"),
        (((7,), "a", ((1, 2),)), "bad-type"),
        ((8, "a", ((1, 2),)), "unknown-kind"),
        ((-1,), "unknown-kind"),
        (7, "bad-type"),
        ("thing", "bad-type"),
    ],
)
def test_other_arrays_are_refused(items: Any, code: str) -> None:
    """R-008."""
    with pytest.raises(WireError) as caught:
        family().decode(encode(items))
    assert caught.value.code == code


def test_the_size_of_the_whole_is_bounded_on_both_sides() -> None:
    fits = Blob(bytes(34))
    assert len(family().encode(fits)) == 40
    assert family().decode(family().encode(fits)) == fits
    with pytest.raises(LocalError) as local:
        family().encode(Blob(bytes(35)))
    with pytest.raises(WireError) as wire:
        family().decode(encode((300, bytes(35))))
    assert local.value.code == wire.value.code == "too-large"


def test_a_record_of_another_family_is_not_sent() -> None:
    with pytest.raises(LocalError) as caught:
        family().encode(Point(1, 2))
    assert caught.value.code == "unknown-kind"


def test_an_item_of_another_type_is_not_sent() -> None:
    stranger: Any = (Blob(b""),)
    with pytest.raises(LocalError) as caught:
        family().encode(Path("a", stranger))
    assert caught.value.code == "bad-type"


def test_a_kind_is_given_once() -> None:
    with pytest.raises(LocalError) as caught:
        family().kind(7)(Point)
    assert caught.value.code == "kind-taken"


def test_exact_types_only() -> None:
    """True is no integer and a list no tuple, or two seats could send the same value in two ways."""
    careless: Any = [True, 2]
    with pytest.raises(WireError) as caught:
        read_record(Point, tuple(careless))
    assert caught.value.code == "bad-type"
    listed: Any = [Point(1, 2)]
    with pytest.raises(LocalError) as local:
        family().encode(Path("a", listed))
    assert local.value.code == "bad-type"
