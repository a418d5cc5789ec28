"""Where the work is done that must not keep the event loop waiting: threads for proofs, a process for bots that search.

Threads share one interpreter with the event loop, so a bot that computes for a tenth of a second in one of them would
be felt on the screen. It gets a process, which is started when the first such bot has to decide.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait as wait_for
from random import Random
from typing import Final

from hocp2p.game.actions import Action
from hocp2p.game.state import SeatView
from hocp2p.players.levels import make_player

THREADS: Final = 2
MOST_PROCESSES: Final = 61
"""As many can be waited for at once on Windows; on no machine more are of use to us."""
MOST_DEATHS: Final = 3  # of the process in one decision; more are no accident
ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables that the linear algebra below numpy reads when it is imported, and so does every process begun later."""


class Workers(ThreadPoolExecutor):
    """Threads, as an executor, and the process. Shutting it down ends both."""

    def __init__(self) -> None:
        super().__init__(THREADS, thread_name_prefix="hocp2p")
        self._process: ProcessPoolExecutor | None = None

    async def think(self, level: str, seed: str, view: SeatView) -> Action:
        """What a bot decides, in the process.

        Args:
            level: of the bot.
            seed: of its dice for this decision: the same seed and view give the same action.
            view: what it sees.

        Raises:
            LocalError: as ``make_player``.
            BrokenProcessPool: the process has died again and again.
        """
        deaths = 0
        while True:
            if self._process is None:
                self._process = make_processes(1)
            process = self._process
            try:
                return await asyncio.get_running_loop().run_in_executor(process, decide, level, seed, view)
            except BrokenProcessPool:  # somebody has killed it: the next one is asked the same
                if self._process is process:
                    self._process = None
                process.shutdown(wait=False)
                deaths += 1
                if deaths == MOST_DEATHS:
                    raise

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """See ``Executor.shutdown``."""
        process, self._process = self._process, None
        if process is not None:
            process.shutdown(wait=wait, cancel_futures=True)
        super().shutdown(wait, cancel_futures=cancel_futures)


def make_processes(count: int) -> ProcessPoolExecutor:
    """Processes that begin empty, the same on every system, and end when we end, however that is."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(min(count, MOST_PROCESSES), mp_context=context, initializer=begin_process)


def use_one_thread() -> None:
    """To be called before numpy is imported. Nets are small: several threads for a product, or in several processes,
    would mostly wait for each other, and sums would be added in any order."""
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))


def begin_process() -> None:
    """To be called first in a process of ours. Ctrl-C goes to the whole group: the first of them ends the others."""
    use_one_thread()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed tells nobody; its workers would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)


def decide(level: str, seed: str, view: SeatView) -> Action:
    """One decision of a bot that remembers nothing, with dice of its own. Raises LocalError as ``make_player``."""
    return make_player(level, Random(seed)).decide(view)  # noqa: S311 # a bot's dice, no cards or keys
