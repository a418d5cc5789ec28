"""Records declared once: a frozen dataclass whose fields carry their bounds, as an array on the wire.

    @messages.kind(40)
    @dataclass(frozen=True, slots=True)
    class Talk:
        text: Annotated[str, Text(300)]

is ``[40, text]``, and a text of 301 characters is refused by the sender as by the receiver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Protocol, TypeVar, cast, get_type_hints

from hocp2p.errors import LocalError, WireError
from hocp2p.wire.codec import Value, decode, encode
from hocp2p.wire.text import is_showable

T = TypeVar("T")


class Bound(Protocol):
    """What values a field may have. Both directions raise WireError for any other."""

    def read(self, value: Value) -> Any:
        """The field's value from what the codec read."""

    def write(self, value: Any) -> Value:
        """What the codec writes for the field's value."""


@dataclass(frozen=True, slots=True)
class Range:
    """An integer from ``least`` to ``most``, both allowed."""

    least: int
    most: int

    def read(self, value: object) -> int:
        if type(value) is not int:
            raise WireError("bad-type", "an integer is wanted")
        if not self.least <= value <= self.most:
            raise WireError("bad-range", f"{value} is not from {self.least} to {self.most}")
        return value

    write = read


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes: ``least`` to ``most`` of them, exactly ``least`` without ``most``; or none, where ``or_empty``."""

    least: int
    most: int | None = None
    or_empty: bool = False

    def read(self, value: object) -> bytes:
        if type(value) is not bytes:
            raise WireError("bad-type", "bytes are wanted")
        most = self.least if self.most is None else self.most
        if not self.least <= len(value) <= most and not (self.or_empty and not value):
            raise WireError("bad-length", f"{len(value)} bytes where {self.least} to {most} are wanted")
        return value

    write = read


@dataclass(frozen=True, slots=True)
class Text:
    """A text of ``least`` to ``most`` code points, all fit to be shown (``wire.text``)."""

    most: int
    least: int = 1
    ascii_only: bool = False

    def read(self, value: object) -> str:
        if type(value) is not str:
            raise WireError("bad-type", "a text is wanted")
        if not self.least <= len(value) <= self.most:
            raise WireError("bad-length", f"{len(value)} characters where {self.least} to {self.most} are wanted")
        if not is_showable(value) or (self.ascii_only and not value.isascii()):
            raise WireError("bad-text", "the text has characters that are not allowed here")
        return value

    write = read


@dataclass(frozen=True, slots=True)
class Exactly:
    """One text and no other."""

    text: str

    def read(self, value: object) -> str:
        if type(value) is not str:
            raise WireError("bad-type", "a text is wanted")
        if value != self.text:
            raise WireError("bad-text", f"{self.text!r} is wanted")
        return value

    write = read


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple of ``least`` to ``most`` items, each within ``item``."""

    item: Bound
    least: int
    most: int

    def read(self, value: Value) -> tuple[Any, ...]:
        return tuple(self.item.read(item) for item in self._counted(value))

    def write(self, value: object) -> Value:
        return tuple(self.item.write(item) for item in self._counted(value))

    def _counted(self, value: object) -> tuple[Any, ...]:
        items = _array(value)
        if not self.least <= len(items) <= self.most:
            raise WireError("bad-count", f"{len(items)} items where {self.least} to {self.most} are wanted")
        return items


@dataclass(frozen=True, slots=True)
class Pair:
    """A tuple of two, each within its own bound."""

    first: Bound
    second: Bound

    def read(self, value: Value) -> tuple[Any, Any]:
        first, second = self._two(value)
        return self.first.read(first), self.second.read(second)

    def write(self, value: object) -> Value:
        first, second = self._two(value)
        return self.first.write(first), self.second.write(second)

    @staticmethod
    def _two(value: object) -> tuple[Any, ...]:
        items = _array(value)
        if len(items) != 2:
            raise WireError("bad-count", f"{len(items)} items where 2 are wanted")
        return items


@dataclass(frozen=True, slots=True)
class Nested:
    """A nested record: an array of its fields, without a kind."""

    of: type

    def read(self, value: Value) -> Any:
        return read_record(self.of, _array(value))

    def write(self, value: object) -> Value:
        if type(value) is not self.of:
            raise WireError("bad-type", f"a {self.of.__name__} is wanted")
        return write_record(value)


def _array(value: object) -> tuple[Any, ...]:
    if type(value) is not tuple:
        raise WireError("bad-type", "an array is wanted")
    return value


_BOUNDS: dict[type, Mapping[str, Bound]] = {}  # reading annotations is slow, so once for each record


def bounds_of(record: type) -> Mapping[str, Bound]:
    """The declared bound of each field, in the order of the wire."""
    if record not in _BOUNDS:
        hints = get_type_hints(record, include_extras=True)
        bounds = {field.name: hints[field.name].__metadata__[0] for field in fields(record)}
        _BOUNDS[record] = MappingProxyType(bounds)
    return _BOUNDS[record]


def read_record(record: type[T], values: tuple[Value, ...]) -> T:
    """Builds a ``record`` from its fields' values. Raises WireError, naming the field."""
    bounds = bounds_of(record)
    if len(values) != len(bounds):
        raise WireError("bad-count", f"{record.__name__} has {len(bounds)} fields, not {len(values)}")
    pairs = zip(bounds.items(), values, strict=True)
    built = record(**{name: _within(record, name, bound.read, value) for (name, bound), value in pairs})
    _verify_whole(built)
    return built


def write_record(record: object) -> tuple[Value, ...]:
    """The values of a record's fields. Raises WireError, naming the field."""
    kind = type(record)
    values = tuple(_within(kind, name, bound.write, getattr(record, name)) for name, bound in bounds_of(kind).items())
    _verify_whole(record)
    return values


def _within(record: type, name: str, convert: Callable[[Any], Any], value: object) -> Any:
    try:
        return convert(value)
    except WireError as error:
        raise WireError(error.code, f"{record.__name__}.{name}: {error.message}") from error


def _verify_whole(record: object) -> None:
    """A record whose fields bind each other says so in ``verify_whole``."""
    verify = getattr(record, "verify_whole", None)
    if verify is not None:
        verify()


class Family:
    """Records told apart by a kind number, the first item of the array.

    Args:
        name: what one of them is called, for messages to people.
        max_bytes: no encoding is longer.
    """

    def __init__(self, name: str, max_bytes: int) -> None:
        self.name = name
        self.max_bytes = max_bytes
        self._types: dict[int, type] = {}
        self._numbers: dict[type, int] = {}

    @property
    def types(self) -> Mapping[int, type]:
        """Kind number -> record type."""
        return MappingProxyType(self._types)

    def number_of(self, record: type) -> int:
        """Kind number of a record type. Raises LocalError ``unknown-kind``."""
        try:
            return self._numbers[record]
        except KeyError:
            raise LocalError("unknown-kind", f"{record.__name__} is no {self.name}") from None

    def kind(self, number: int) -> Callable[[type[T]], type[T]]:
        """Class decorator, above ``dataclass``: registers the record under ``number``. LocalError if it is taken."""

        def register(record: type[T]) -> type[T]:
            if number in self._types:
                raise LocalError("kind-taken", f"{self.name} {number} is {self._types[number].__name__} already")
            self._types[number] = record
            self._numbers[record] = number
            return record

        return register

    def encode(self, record: object) -> bytes:
        """``[kind, field ...]``. Raises LocalError for a field out of its bounds, with the code of ``decode``."""
        number = self.number_of(type(record))
        data = encode((number, *local(write_record, record)))
        if len(data) > self.max_bytes:
            raise LocalError(
                "too-large", f"the {self.name} has {len(data)} bytes, at most {self.max_bytes} are allowed"
            )
        return data

    def decode(self, data: bytes) -> object:
        """The record that ``data`` encodes. Raises WireError for anything that is not exactly one within bounds."""
        items = _array(decode(data, self.max_bytes))
        if not items:
            raise WireError("bad-count", f"an empty array is no {self.name}")
        number = items[0]
        if type(number) is not int:
            raise WireError("bad-type", f"the kind of a {self.name} is an integer")
        if number not in self._types:
            raise WireError("unknown-kind", f"there is no {self.name} of kind {number}")
        return read_record(self._types[number], cast("tuple[Value, ...]", items[1:]))


def local(convert: Callable[[Any], T], value: object) -> T:
    """``convert(value)`` where a value out of bounds is our own mistake: LocalError instead of WireError."""
    try:
        return convert(value)
    except WireError as error:
        raise LocalError(error.code, error.message) from error
