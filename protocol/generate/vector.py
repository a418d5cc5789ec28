"""One vector, and how values stand in JSON. Every negative vector is tried here before it is written down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protocol.generate.faults import Fault
from protocol.generate.msgpack import Value

Vector = dict[str, Any]

REQUIREMENTS = {
    "not-canonical": "R-002", "bad-msgpack": "R-003", "too-large": "R-003", "too-deep": "R-004",
    "trailing-bytes": "R-005", "unknown-kind": "R-008", "bad-point": "R-011", "identity-point": "R-012",
    "bad-scalar": "R-013", "bad-rules": "R-029", "version": "R-031", "equal-keys": "R-031",
    "not-us": "R-031", "proposed-before": "R-031", "not-continued": "R-123",
    "history-differs": "R-048", "equivocation": "R-052", "key-commit-mismatch": "R-060", "key-proof": "R-062",
    "key-equal": "R-063", "key-sum": "R-064", "shuffle-proof": "R-068", "deck-digest": "R-069",
    "share-commit-mismatch": "R-071", "share-proof": "R-074", "bad-positions": "R-076", "bad-faces": "R-077",
    "opening-proof": "R-078", "holding": "R-082", "not-holding-proof": "R-083", "wrong-position": "R-084",
    "receipt-differs": "R-087", "wrong-phase": "R-088", "unasked-proof": "R-089", "not-in-hand": "R-090",
    "wrong-face": "R-090", "opened": "R-092", "not-opened": "R-092", "bad-raise": "R-092", "no-class": "R-093",
    "bad-class": "R-093", "bad-claim": "R-094", "not-better": "R-095", "bad-show": "R-096",
    "not-announced": "R-097", "holds-court": "R-098", "must-lead": "R-100", "holds-rank": "R-101",
    "nothing-to-hold": "R-102",
}  # fmt: skip
"""What a vector with such a code breaks, where the code belongs to one requirement of the specification."""


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
    broken = {"requirement": REQUIREMENTS[code]} if code in REQUIREMENTS else {}
    return {"name": name, "code": code} | broken | {key: as_json(field) for key, field in fields.items()}


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
