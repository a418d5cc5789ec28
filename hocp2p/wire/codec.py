"""Strict MessagePack: one value has one encoding, and nothing is larger than it may be.

Four types only: integers, byte strings, texts, arrays. No nil, booleans, floats, maps, extensions, timestamps: what has
fewer forms has fewer surprises. The reader is written out here because it must refuse before it allocates and must
say which rule was broken; the writer is msgpack's, and writing again what was read is the test of canonical form.

Source: the MessagePack specification (msgpack.org), formats ``fixint``, ``(u)int 8-64``, ``bin``, ``str``, ``array``.
"""

from __future__ import annotations

from typing import Final, TypeAlias, cast

import msgpack  # type: ignore[import-untyped]  # ships no types; only packb is used

from hocp2p.errors import LocalError, WireError

Value: TypeAlias = "int | bytes | str | tuple[Value, ...]"

MAX_DEPTH: Final = 4
"""Arrays within arrays, the outermost counted."""
MAX_ITEMS: Final = 64
"""Items of one array."""
MIN_INT: Final = -(2**63)
MAX_INT: Final = 2**64 - 1

# Head byte -> width of the number or length that follows, in bytes.
_UNSIGNED: Final = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}
_SIGNED: Final = {0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
_BYTES: Final = {0xC4: 1, 0xC5: 2, 0xC6: 4}
_TEXT: Final = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_ARRAY: Final = {0xDC: 2, 0xDD: 4}
_UNUSED: Final = 0xC1


def encode(value: Value) -> bytes:
    """The one encoding of ``value``.

    Raises:
        LocalError: with the code that :func:`decode` would give: ``bad-type``, ``bad-range``, ``bad-text``,
            ``bad-count``, ``too-deep``.
    """
    try:
        _verify_value(value, 1)
    except WireError as error:
        raise LocalError(error.code, error.message) from error
    return _pack(value)


def decode(data: bytes, max_bytes: int) -> Value:
    """The value that ``data`` is the encoding of; arrays come as tuples.

    Args:
        data: all of it, nothing more.
        max_bytes: refused beyond that, before anything is read.

    Raises:
        WireError: ``too-large``, ``bad-msgpack`` (ends too early, or an unused head), ``bad-type``, ``bad-text`` (not
            UTF-8), ``bad-count``, ``too-deep``, ``trailing-bytes``, ``not-canonical``.
    """
    reader = _Reader(data, max_bytes)
    value = reader.value(1)
    if not reader.at_end:
        raise WireError("trailing-bytes", "bytes follow after the value")
    if _pack(value) != data:
        raise WireError("not-canonical", "the value has a shorter encoding")
    return value


def decode_prefix(data: bytes, count: int, max_bytes: int) -> tuple[Value, ...]:
    """The first ``count`` items of an array of which later versions may have changed the rest.

    Whatever follows those items is not looked at, not even whether it is MessagePack.

    Raises:
        WireError: as :func:`decode`, except ``trailing-bytes`` and ``not-canonical``; ``bad-count`` when the array
            has fewer items.
    """
    reader = _Reader(data, max_bytes)
    length = reader.array_head()
    if length < count:
        raise WireError("bad-count", f"{length} items where at least {count} are needed")
    return tuple(reader.value(2) for _ in range(count))


def _pack(value: Value) -> bytes:
    return cast("bytes", msgpack.packb(value, use_bin_type=True))


def _verify_value(value: object, depth: int) -> None:
    """Raises WireError for what cannot be encoded. Exact types: ``True`` is no integer here."""
    if type(value) is int:
        if not MIN_INT <= value <= MAX_INT:
            raise WireError("bad-range", "an integer does not fit 64 bits")
    elif type(value) is str:
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise WireError("bad-text", "a text has no UTF-8 form") from error
    elif type(value) is tuple:
        _verify_array(len(value), depth)
        for item in value:
            _verify_value(item, depth + 1)
    elif type(value) is not bytes:
        raise WireError("bad-type", f"{type(value).__name__} has no encoding here")


def _verify_array(count: int, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise WireError("too-deep", f"arrays are nested deeper than {MAX_DEPTH}")
    if count > MAX_ITEMS:
        raise WireError("bad-count", f"an array has more than {MAX_ITEMS} items")


class _Reader:
    """Reads values from the front of ``data``. Checks every length before it takes or allocates anything."""

    def __init__(self, data: bytes, max_bytes: int) -> None:
        if len(data) > max_bytes:
            raise WireError("too-large", f"{len(data)} bytes where at most {max_bytes} are allowed")
        self._data = data
        self._at = 0

    @property
    def at_end(self) -> bool:
        return self._at == len(self._data)

    def value(self, depth: int) -> Value:
        """The next value; ``depth`` is what an array found here would have."""
        head = self._take(1)[0]
        if head <= 0x7F:
            return head
        if head >= 0xE0:
            return head - 0x100
        if head in _UNSIGNED:
            return self._number(_UNSIGNED[head])
        if head in _SIGNED:
            return int.from_bytes(self._take(_SIGNED[head]), "big", signed=True)
        if head in _BYTES:
            return self._take(self._number(_BYTES[head]))
        if 0xA0 <= head <= 0xBF:
            return self._text(head & 0x1F)
        if head in _TEXT:
            return self._text(self._number(_TEXT[head]))
        count = self._array_count(head)
        _verify_array(count, depth)
        return tuple(self.value(depth + 1) for _ in range(count))

    def array_head(self) -> int:
        """The number of items of the array that must begin here. It may be any: only some of them will be read."""
        return self._array_count(self._take(1)[0])

    def _array_count(self, head: int) -> int:
        if 0x90 <= head <= 0x9F:
            return head & 0x0F
        if head in _ARRAY:
            return self._number(_ARRAY[head])
        if head == _UNUSED:
            raise WireError("bad-msgpack", "0xc1 begins no value")
        raise WireError("bad-type", f"a value that begins with 0x{head:02x} is of no type used here")

    def _text(self, length: int) -> str:
        try:
            return self._take(length).decode("utf-8")
        except UnicodeDecodeError as error:
            raise WireError("bad-text", "a text is not UTF-8") from error

    def _number(self, width: int) -> int:
        return int.from_bytes(self._take(width), "big")

    def _take(self, length: int) -> bytes:
        end = self._at + length
        if end > len(self._data):
            raise WireError("bad-msgpack", "the bytes end too early")
        taken = self._data[self._at : end]
        self._at = end
        return taken
