"""What the reference says when something does not hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Fault(Exception):  # noqa: N818 - the word of the specification, which speaks of faults
    """A refusal.

    Args:
        code: the stable word of the specification.
        seat: who is at fault, where that is known.
        step: where, for instance ``deck 1/3``.
    """

    def __init__(self, code: str, seat: int | None = None, step: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.seat = seat
        self.step = step

    def __str__(self) -> str:
        who = "" if self.seat is None else f"seat {self.seat}, "
        where = f"{self.step}: " if self.step else ""
        return f"{who}{where}{self.code}"


def need(condition: bool, code: str, seat: int | None = None, step: str = "") -> None:
    """Raises Fault ``code`` unless ``condition``."""
    if not condition:
        raise Fault(code, seat, step)


@contextmanager
def at_fault(seat: int, step: str) -> Iterator[None]:
    """Puts a seat and a step into a Fault that names none."""
    try:
        yield
    except Fault as fault:
        raise Fault(fault.code, seat if fault.seat is None else fault.seat, fault.step or step) from fault
