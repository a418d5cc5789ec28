"""The event loop: what it is, and that a signal ends its waiting."""

from __future__ import annotations

import _thread
import asyncio
import signal
import sys
import threading
import time

import pytest

from hocp2p.session.loop import run_loop, wake_by_signals


def test_it_is_the_same_kind_everywhere() -> None:
    async def kind() -> type[asyncio.AbstractEventLoop]:
        return type(asyncio.get_running_loop())

    assert run_loop(kind()) is asyncio.SelectorEventLoop


def test_what_is_raised_comes_out() -> None:
    async def fail() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        run_loop(fail())


def test_ctrl_c_ends_a_long_wait_where_it_does_not_interrupt_select(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, where the signal is noted by another thread than the one that waits."""
    monkeypatch.setattr(sys, "platform", "win32")
    waiting = threading.Event()

    async def wait() -> None:
        asyncio.get_running_loop().call_soon(waiting.set)
        await asyncio.sleep(60)

    def interrupt() -> None:
        waiting.wait()
        time.sleep(0.2)  # until it waits in select; were it too early, the signal would be heeded as well
        _thread.interrupt_main()

    threading.Thread(target=interrupt).start()
    began_s = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_loop(wait())
    assert time.monotonic() - began_s < 30


def test_afterwards_signals_wake_whom_they_woke_before() -> None:
    events = asyncio.SelectorEventLoop()
    try:
        with wake_by_signals(events):
            inside = signal.set_wakeup_fd(-1)
            signal.set_wakeup_fd(inside, warn_on_full_buffer=False)
        assert inside != -1
        assert signal.set_wakeup_fd(-1) == -1
    finally:
        events.close()


def test_another_thread_than_the_main_one_leaves_signals_alone() -> None:
    told: list[int] = []

    async def work() -> int:
        return 7

    def elsewhere() -> None:
        events = asyncio.SelectorEventLoop()
        with wake_by_signals(events):
            told.append(events.run_until_complete(work()))
        events.close()

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert told == [7]
    assert signal.set_wakeup_fd(-1) == -1
