"""SIGTERM and SIGHUP, taken by the event loop while something runs."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def signals_close(close: Callable[[], None]) -> Iterator[None]:
    """Either of them calls ``close`` meanwhile, where the event loop can take them."""
    loop = asyncio.get_running_loop()
    taken: list[signal.Signals] = []
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        try:
            if number is not None:
                loop.add_signal_handler(number, close)
                taken.append(number)
        except (NotImplementedError, RuntimeError, ValueError):
            break  # Windows, or not the main thread
    try:
        yield
    finally:
        for number in taken:
            loop.remove_signal_handler(number)
