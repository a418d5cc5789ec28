"""Values for every declared bound: any that fits, one that fits, and those that fail by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from hocp2p.wire.frames import LobbyView, Proposal
from hocp2p.wire.messages import Showing, ShownHand
from hocp2p.wire.schema import Bound, Exactly, Items, Nested, Pair, Range, Size, Text, bounds_of
from hocp2p.wire.text import is_showable


def records(record: type) -> st.SearchStrategy[Any]:
    """Any value of a record type within its bounds."""
    made = st.builds(record, **{name: fitting(bound) for name, bound in bounds_of(record).items()})
    return made.map(_made_whole)


def fitting(bound: Bound) -> st.SearchStrategy[Any]:
    """Any value within a bound, its ends included."""
    match bound:
        case Range(least, most):
            return st.one_of(st.integers(least, most), st.sampled_from((least, most)))
        case Size(least, most, or_empty):
            filled = st.builds(_filler, st.integers(0, 2**64 - 1), st.integers(least, most or least))
            return filled | st.just(b"") if or_empty else filled
        case Text(most, least, ascii_only):
            letters = st.characters(codec="ascii" if ascii_only else "utf-8", exclude_categories=("Cc", "Cf", "Cs"))
            return st.text(letters, min_size=least, max_size=most).filter(is_showable)
        case Exactly(text):
            return st.just(text)
        case Items(item, least, most):
            return st.lists(fitting(item), min_size=least, max_size=most).map(tuple)
        case Pair(first, second):
            return st.tuples(fitting(first), fitting(second))
        case Nested(of):
            return records(of)
    raise NotImplementedError(bound)


def one_record(record: type) -> Any:
    """One value of a record type, always the same."""
    return _made_whole(record(**{name: one(bound) for name, bound in bounds_of(record).items()}))


def one(bound: Bound) -> Any:
    """One value within a bound, always the same."""
    match bound:
        case Range(least, _):
            return least
        case Size(least, _, _):
            return bytes(least)
        case Text(_, least, _):
            return "a" * least
        case Exactly(text):
            return text
        case Items(item, least, _):
            return (one(item),) * least
        case Pair(first, second):
            return one(first), one(second)
        case Nested(of):
            return one_record(of)
    raise NotImplementedError(bound)


def failing(bound: Bound) -> Iterator[tuple[Any, str]]:
    """Values just outside a bound, each with the code that it is refused with."""
    match bound:
        case Range(least, most):
            yield least - 1, "bad-range"
            yield most + 1, "bad-range"
            yield "0", "bad-type"
        case Size(least, most, or_empty):
            if least > 1 or (least == 1 and not or_empty):
                yield bytes(least - 1), "bad-length"
            yield bytes((most or least) + 1), "bad-length"
            yield "a" * least, "bad-type"
        case Text(most, least, ascii_only):
            if least:
                yield "a" * (least - 1), "bad-length"
            yield "a" * (most + 1), "bad-length"
            yield from ((text, "bad-text") for text in ("\x1b", "a\u202e", " a", "a ", "a\nb"))
            if ascii_only:
                yield "é", "bad-text"
            yield b"a", "bad-type"
        case Exactly(text):
            yield text + "x", "bad-text"
            yield text[:-1], "bad-text"
            yield text.encode(), "bad-type"
        case Items(item, least, most):
            if least:
                yield (one(item),) * (least - 1), "bad-count"
            yield (one(item),) * (most + 1), "bad-count"
            yield from (((one(item),) * max(0, least - 1) + (bad,), code) for bad, code in failing(item))
            yield 0, "bad-type"
        case Pair(first, second):
            yield (one(first),), "bad-count"
            yield (one(first), one(second), one(second)), "bad-count"
            yield from (((bad, one(second)), code) for bad, code in failing(first))
            yield from (((one(first), bad), code) for bad, code in failing(second))
        case Nested(of):
            good = one_record(of)
            for name, inner in bounds_of(of).items():
                yield from ((replace(good, **{name: bad}), code) for bad, code in failing(inner))
            yield 0, "bad-type"
        case _:
            raise NotImplementedError(bound)


def raw(value: Any) -> Any:
    """What would stand on the wire for a field's value, whether it is within its bounds or not."""
    if type(value) is tuple:
        return tuple(raw(item) for item in value)
    if hasattr(value, "__dataclass_fields__"):
        return tuple(raw(getattr(value, name)) for name in value.__dataclass_fields__)
    return value


def _filler(seed: int, size: int) -> bytes:
    """Bytes of a size, without drawing each of ten thousand."""
    return (seed.to_bytes(8, "big") * (size // 8 + 1))[:size]


def _made_whole(record: Any) -> Any:
    """Fields that bind each other, made to agree."""
    if isinstance(record, Showing | ShownHand):
        count = min(len(record.positions), len(record.faces))
        return replace(record, positions=record.positions[:count], faces=record.faces[:count])
    if isinstance(record, LobbyView):
        return replace(record, your_seat=min(record.your_seat, len(record.chairs) - 1))
    if isinstance(record, Proposal):
        seats = len(record.chairs)
        fitting = [
            replace(each, dealer=min(each.dealer, seats - 1), balances=(*each.balances, 0)[:seats])
            for each in record.continues
        ]
        return replace(record, continues=tuple(fitting))
    return record
