"""The event loop that everything runs on: the same kind on every system.

That of Windows (``ProactorEventLoop``) stops listening for good when somebody hangs up too early (CPython issue 93821),
accepts without asking the gate, and lets a datagram socket fall silent after one error. The other kind does none of
that, and what it cannot do there, pipes and child processes, nobody here asks of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
import threading
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


def run_loop(work: Coroutine[Any, Any, T]) -> T:
    """As ``asyncio.run``."""
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner, contextlib.ExitStack() as stack:
        if sys.platform == "win32":
            stack.enter_context(wake_by_signals(runner.get_loop()))
        return runner.run(work)


@contextlib.contextmanager
def wake_by_signals(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Ctrl-C ends the waiting of ``loop`` at once; without this, Windows would tell when something else happens."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.setblocking(False)
        loop.add_reader(ours, _drain, ours)
        before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            loop.remove_reader(ours)


def _drain(ours: socket.socket) -> None:
    with contextlib.suppress(BlockingIOError):
        ours.recv(64)
