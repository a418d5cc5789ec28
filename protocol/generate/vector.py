"""One vector, and how values stand in JSON. Every negative vector is tried here before it is written down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protocol.generate.faults import Fault
from protocol.generate.msgpack import Value

Vector = dict[str, Any]


def vector(name: str, check: Callable[[], object], code: str | None = None, /, **fields: Any) -> Vector:
    """A vector after ``check`` has given the verdict that it claims: ``code``, or None where all is well.

    Bytes are written as hex, and lists of them too.
    """
    given: str | None = None
    try:
        check()
    except Fault as fault:
        given = fault.code
    if given != code:
        raise RuntimeError(f"vector {name!r} claims {code}, and the reference says {given}")
    return {"name": name, "code": code} | {key: as_json(field) for key, field in fields.items()}


def as_json(value: Any) -> Any:
    """Bytes as hex, throughout."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    return value


def tagged(value: Value) -> Any:
    """A MessagePack value in JSON, its types told apart: ``["int", "5"]``, ``["bytes", "00ff"]``, ``["text", "a"]``,
    ``["array", [...]]``."""
    if isinstance(value, int):
        return ["int", str(value)]
    if isinstance(value, bytes):
        return ["bytes", value.hex()]
    if isinstance(value, str):
        return ["text", value]
    return ["array", [tagged(item) for item in value]]


def flipped(data: bytes, at: int, bits: int = 1) -> bytes:
    """With some bits of one byte turned over."""
    at %= len(data)
    return data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :]


def spliced(data: bytes, at: int, new: bytes) -> bytes:
    """With ``new`` in place of what stood there."""
    return data[:at] + new + data[at + len(new) :]
